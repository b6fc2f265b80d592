"""Greetings, thanks and questions about the one who answers: they want an answer in words, no code.
Pure."""

import re

_LONGEST = 100  # characters
_PHRASES = (
    # greetings
    r"(?:hi+|hello+|hey+|hiya|yo|howdy|greetings|sup)(?: there| again| everyone| all| laios)?",
    r"good (?:morning|afternoon|evening|day|night)",
    r"what'?s up|how (?:are|r) (?:you|u)(?: doing)?(?: today)?|how'?s it going|nice to meet you",
    # thanks
    r"(?:many |ok )?(?:thanks?|thx|ty|cheers)(?: you| u)?(?: very| so)?(?: much)?(?: a lot| a ton)?"
    r"(?: again)?(?: for (?:your|the|all your) help)?",
    r"(?:that|this|it)(?:'s| is| was| has)?(?: now| all| really| very| exactly| just)*"
    r" (?:works?|worked|great|perfect|helpful|fine|good|awesome|nice|cool|helps?|helped)"
    r"(?: now| well| fine| perfectly| great| a lot)?",
    r"works(?: now| great| fine| perfectly)?|perfect|great|awesome|nice|cool|wonderful|excellent",
    r"(?:good|great|nice) (?:job|work)|well done|you rock|(?:i )?appreciate (?:it|that)|got it",
    r"ok(?:ay)?|bye(?: bye)?|good ?bye|see you(?: later| soon)?|that'?s all(?: for (?:now|today))?",
    # about the one who answers
    r"(?:so )?(?:who|what) are (?:you|u)|what'?s your name|what is your name|are you (?:there|an ai"
    r"|a bot|human|chat ?gpt|working|alive)",
    r"what (?:can|do) you do(?: for me)?|(?:what|which) (?:model|ai|llm) (?:are you|is this)",
    r"(?:can|could|will) you help(?: me)?(?: out)?(?: please)?|i (?:need|want)(?: your| some)? help"
    r"|(?:please )?help(?: me)?(?: please)?|i have a question",
    r"test(?:ing)?(?: test(?:ing)?)?|ping|are you there",
    # in other languages
    r"hallo|moin|servus|guten (?:morgen|tag|abend)|wie geht(?:'s| es dir)"
    r"|(?:vielen |danke |herzlichen )?danke?(?: dir)?(?: sch(?:ö|oe)n| sehr)?|super"
    r"|tsch(?:ü|ue)ss|wer bist du|was (?:bist|kannst) du"
    r"|(?:das )?funktioniert(?: jetzt)?|das passt|hilfe",
    r"bonjour|salut|bonsoir|merci(?: beaucoup)?|au revoir|qui es-tu|hola|buenos d[ií]as|adi[oó]s"
    r"|(?:muchas )?gracias|qui[eé]n eres|ciao|grazie|ol[aá]|obrigad[oa]",
    r"привет|спасибо|你好|谢谢|こんにちは",
)
_SMALL_TALK = re.compile(rf"\W*(?:(?:{'|'.join(_PHRASES)})(?:\W+|\Z)){{1,4}}", re.IGNORECASE)


def is_small_talk(text: str) -> bool:
    """Whether a message is nothing but that."""
    said = text.strip()
    return len(said) <= _LONGEST and "\n" not in said and bool(_SMALL_TALK.fullmatch(said))
