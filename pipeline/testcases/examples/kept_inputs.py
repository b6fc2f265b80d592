"""Whether a request says that what a function is given must stay as it is: "the input must not be
modified", "ohne die Liste zu verändern". Pure.

Only what is said of the input counts, not of code, order or other properties, and not where it
holds under a condition alone."""

import re
from collections.abc import Iterator
from functools import lru_cache

_MOST_READ = 20_000  # characters of a request
_MOST_OF_SENTENCE = 1_000
_MARKS = str.maketrans({"’": "'", "`": None, "*": None, '"': None, "„": None, "“": None, "”": None})
_ITEM = re.compile(r"(?:[-+•]|\d{1,2}[.)])\s")
_BETWEEN = re.compile(r"(?<=[.!?;]) ")

_LISTS = (
    r"(?:lists?|arrays?|dict(?:s|ionary|ionaries)?|sets?|maps?|objects?|tuples?|sequences?|vectors?"
    r"|matri(?:x|ces)|grids?|boards?|graphs?|trees?|collections?|records?|rows|items|elements"
    r"|intervals|nodes|data|(?:data ?)?structures?|iterables?)"
)
_GIVEN = (
    r"(?:input|original|given|passed(?:[- ]in)?|source|incoming|provided|supplied|caller's|old)"
)
_THE = r"(?:the|its|your|their|this|that|these|those|any|my|our|both|either|each)"
_OF_WHAT = r"(?: of [a-z]{1,20}| of (?:the|its) [a-z]{1,20})?"
# "the input", "its arguments", "the list", "both input arrays"
_INPUT = (
    rf"(?:(?:any of |either of |both of )?(?:{_THE} )?(?:two |three |same )?"
    rf"(?:inputs?|originals?|(?:input |passed )?arguments?|input parameters?"
    rf"|(?:{_GIVEN} ){{1,2}}{_LISTS})"
    rf"|(?:any of |either of |both of )?{_THE} (?:two |whole )?(?:nested )?{_LISTS}{_OF_WHAT})"
)
# Behind the verb's object: not "the list's order", "the input format", "the list order".
_ENDS = (
    r"(?= ?(?:$|[.,;:!?()\]–—'-])| (?:and|or|but|in|itself|themselves|that|which|you|i|it|they"
    r"|passed|given|when|while|at|directly|so|as|is|are|by|instead|returned?|—|–|since|because"
    r"|during|here|anywhere|on|make|just|please)\b)"
    r"(?! in (?:(?:any )?(?:order|size|length)|it|them)\b)(?!'s\b)"
    r"(?! (?:and|or) (?:parameter|return) )"
)
_CONDITION = (
    r"(?! (?:\w+ )?(?:if|unless|until|except|where|other than|apart|beyond|much"
    r"|that (?:already )?exist)\b)"
)
_CHANGE = r"(?:change|modify|mutate|alter|touch|edit|overwrite|destroy|manipulate)"
_CHANGING = r"(?:changing|modifying|mutating|altering|touching|editing|overwriting|destroying)"
_CHANGED = r"(?:changed|modified|mutated|altered|touched|edited|overwritten|destroyed|manipulated)"
_SAME = (
    r"(?:unchanged|untouched|unmodified|unaltered|intact|as (?:it (?:is|was)|they (?:are|were)))"
)
_NOT = (
    r"(?:(?:must|should|shall|may|can|could|do|does|did|will|would|to)(?: ?not| never|n'?t)"
    r"(?: ever)?|never|cannot|dont|doesnt|and not|but not|not to)"
)
_OBJECT = rf"{_INPUT}{_ENDS}{_CONDITION}"
_VERB_FIRST = re.compile(
    rf"\b(?:{_NOT} {_CHANGE}|(?:without|instead of|rather than|avoid|not) {_CHANGING}) {_OBJECT}"
    rf"|\b(?:without|no|avoid(?:ing)?)(?: any)? mutations?\b(?: of {_OBJECT}|(?= ?(?:$|[.,;:!?)])))"
    rf"|\b(?:without|no)(?: any)? (?:changes|modifications?|side[- ]effects?)"
    rf" (?:to|of|on) {_OBJECT}"
    r"|\b(?:do not|don'?t|never|must not|should not|shouldn't|mustn't|instead of|rather than"
    r"|without) (?:sort(?:ing)?|revers(?:e|ing)|modify(?:ing)?|chang(?:e|ing)|mutat(?:e|ing)"
    r"|work(?:ing)?|do(?:ing)?)(?: (?:it|them|that|this))? in[- ]place\b"
    r"|(?<!or )\bnot in[- ]place\b",
    re.IGNORECASE,
)
_LEAVES = re.compile(
    rf"\b(?:leav(?:e|es|ing)|keep(?:s|ing)?) {_INPUT} {_SAME}\b{_CONDITION}"
    rf"|\bwith (?:the|its) (?:input|original)(?: {_LISTS})? {_SAME}\b"
    rf"|(?:^|[(,–—-] ?|\band )(?:the|its) (?:input|original)(?: {_LISTS})? {_SAME}"
    r"(?= ?(?:$|[.,;)]))",
    re.IGNORECASE,
)
# What may stand between the subject and its verb.
_MORE = (
    r"(?: (?:itself|themselves)| (?:that|which|i|you)(?: i| you| is| are| was)? [a-z]{1,12}(?: in)?"
    r"| (?:and|or) (?:its|their|the|all) [a-z]{1,20}| passed in| given"
    r"|(?: (?:may|can|might) be| is| are| isn'?t| is not| arent| aren't| need not be) [a-z]{1,20},?"
    r" (?:\(?and|but))?"
)
_CLAUSE = r"(?:^|[,:(–—-] ?|\b(?:and|but|that|while|also|note|where|so|afterwards) )"
_MUST_NOT = r"(?:must|should|shall|may|can)(?: ?not| never|n'?t)|cannot|(?:has|have|is|are) not to"
_SUBJECT_FIRST = re.compile(
    rf"{_CLAUSE}(?!the (?:returned|new|result))"
    rf"(?:{_INPUT}|(?P<words>(?:the )?[a-z_]\w{{0,30}}(?: (?:and|or|nor) [a-z_]\w{{0,30}})?))"
    rf"{_MORE} "
    rf"(?:(?:{_MUST_NOT}|(?:is|are|does|do|will|was)(?: ?not| never|n'?t))"
    rf" (?:be |get )?(?:changed?{_ENDS}|(?!changed){_CHANGED}\b(?! in (?:order|size|length)\b))"
    rf"|(?:(?:must|should|shall|has to|have to|will|is to|are to) )?"
    rf"(?:stays?|remains?|be left|be kept|are left|is left|is kept|are kept) {_SAME}\b)"
    rf"{_CONDITION}",
    re.IGNORECASE,
)
_NAMED_OBJECT = re.compile(
    rf"\b(?:{_NOT} {_CHANGE}|(?:without|instead of|rather than) {_CHANGING}) (?:the )?"
    rf"([a-z_]\w{{0,30}})(?: (?:or|and|nor) ([a-z_]\w{{0,30}}))?{_ENDS}{_CONDITION}",
    re.IGNORECASE,
)
_NEITHER = re.compile(
    rf"\bneither ([a-z_]\w{{0,30}}) nor ([a-z_]\w{{0,30}})"
    rf" (?:is|are|(?:must|may|should|can|shall) be) {_CHANGED}\b{_CONDITION}",
    re.IGNORECASE,
)
_THEM = re.compile(
    rf"\b(?:{_NOT} (?:modify|mutate|alter|change)|without (?:modifying|mutating|altering|changing))"
    rf" (?:them|it){_ENDS}{_CONDITION}",
    re.IGNORECASE,
)
_HAS_LISTS = re.compile(rf"\b(?:inputs?|{_LISTS})\b", re.IGNORECASE)
_HAS_OTHERS = re.compile(
    r"\b(?:functions?|methods?|class(?:es)?|code|tests?|names?|signature|order|files?|text|strings?"
    r"|numbers?|values?|script|program|database|table)\b",
    re.IGNORECASE,
)

_EINGABE = (
    r"(?:(?:die|der|das|den|deine|ihre|seine|beiden?|übergebenen?|ursprünglichen?|originalen?"
    r"|gegebenen?|eingegebenen?) ){0,3}"
    r"(?:eingaben?|eingabe(?:liste|daten|array|objekte?)n?|original(?:liste|array|e|s)?"
    r"|ausgangslisten?|listen?|arrays?|dict(?:s|ionary|ionaries)?|argumente?|objekte?|mengen?"
    r"|matrix|parameter)"
)
_AENDERN = r"(?:(?:ver|ab)?ändern|modifizieren|mutieren|anfassen|überschreiben|manipulieren)"
_GEAENDERT = r"(?:(?:ver|ge|abge)ändert|modifiziert|mutiert|angefasst|überschrieben|manipuliert)"
_GERMAN = re.compile(
    rf"\b{_EINGABE}(?: selbst| dabei| dadurch| hierbei)?"
    rf" (?:darf|dürfen|sollt?e?n?|wird|werden)(?: selbst| dabei| dadurch| aber| bitte)?"
    rf" (?:nicht|nie) {_GEAENDERT}(?: werden)?\b"
    rf"|\b{_EINGABE}(?: selbst| dabei)? (?:bleib(?:t|en)|sollt?e?n?|muss|müssen)"
    rf"(?: dabei)? (?:unverändert|unangetastet|intakt)\b"
    rf"|\bohne(?: dabei)? {_EINGABE}(?: selbst| dabei)? zu {_AENDERN}\b"
    rf"|\b(?:verändere?|ändere?|modifiziere|mutiere)(?: bitte| dabei)? {_EINGABE}"
    rf"(?: selbst| bitte| dabei)? nicht\b"
    rf"|\b{_EINGABE}(?: selbst| bitte| dabei)? nicht(?: zu)? {_AENDERN}\b"
    rf"|\b(?:darf|soll|sollte) {_EINGABE}(?: selbst| dabei)? nicht {_AENDERN}\b",
    re.IGNORECASE,
)
_ENTREE = (
    r"(?:(?:la|le|les|l'|ses|son|sa|ces|cette|votre|vos) ?){1,2}"
    r"(?:entrées?|original|originale|originaux|listes?|tableaux?|arguments?|paramètres?"
    r"|dictionnaires?|objets?|ensembles?|matrices?|données)(?: (?:d'entrée|initiale?|originale?"
    r"|d'origine|passée?s?(?: en (?:argument|paramètre))?|donnée?s?))?"
    r"(?! (?:de la fonction|du code))"
)
_MODIFIE = r"(?:modifi|chang|altér|mut|touch)"
_FRENCH = re.compile(
    rf"\bsans {_MODIFIE}er {_ENTREE}"
    rf"|\bne (?:pas {_MODIFIE}er|(?:doit|doivent|peut|peuvent) pas {_MODIFIE}er"
    rf"|{_MODIFIE}(?:e|ez|es|ent) pas) {_ENTREE}"
    rf"|\b{_ENTREE} ne (?:doit|doivent|peut|peuvent) (?:pas|jamais) être {_MODIFIE}ée?s?\b"
    rf"|\b{_ENTREE} (?:reste|restent|doit rester|doivent rester) (?:inchangée?s?|intacte?s?)\b",
    re.IGNORECASE,
)
_ENTRADA = (
    r"(?:(?:la|el|los|las|sus?|esta|este|lo) )"
    r"(?:entradas?|original(?:es)?|listas?|arreglos?|arrays?|argumentos?|parámetros?|diccionarios?"
    r"|objetos?|conjuntos?|matri(?:z|ces)|vector(?:es)?|datos)(?: (?:de entrada|original(?:es)?"
    r"|dad[oa]s?|recibid[oa]s?))?(?! de la función)"
)
_SPANISH = re.compile(
    rf"\bsin (?:modificar|cambiar|alterar|mutar) {_ENTRADA}"
    rf"|\bno (?:(?:debes?|debe|deben|puedes?|se debe|debería) (?:modificar|cambiar|alterar|mutar)"
    rf"|modifi(?:ques|que|car|ca)|cambies|alteres|alterar|mutes) {_ENTRADA}"
    rf"|\b{_ENTRADA} no (?:debe|deben|puede|pueden|debería)"
    rf" (?:ser (?:modificad|cambiad|alterad)[oa]s?|modificarse|cambiar(?:se)?|alterarse)\b"
    rf"|\b{_ENTRADA} (?:queda|quedan|debe quedar|permanecen?|debe permanecer)"
    rf" (?:sin cambios|intact[oa]s?|igual)\b",
    re.IGNORECASE,
)
_IN_OTHERS = (_GERMAN, _FRENCH, _SPANISH)
# What is asked for is a change of what is given.
_IN_PLACE = re.compile(
    r"(?<![^\W_])in[-_ ]?place\b|\bin situ\b"
    r"|\b(?:may|can) (?:be )?(?:modif|mutat|chang|overwr)\w{1,6}"
    r"|\b(?:darf|kann|können|dürfen)(?: (?!nicht|nie)\w{1,12})? (?:(?:ver|ge)ändert|modifiziert)\b"
    r"|\bsur place\b",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"\b(?:not|never|without|instead of|rather than|no|cannot|avoid|nicht|nie|kein\w{0,2}|statt"
    r"|ohne|pas|sans|sin)\b|n't\b",
    re.IGNORECASE,
)
_NEGATED_NEAR = 60  # characters before it
_IF = re.compile(
    r"\b(?:if|when|unless|otherwise|fail\w{0,3}|invalid|refus\w{0,3}|errors?|wenn|falls|sonst)\b",
    re.IGNORECASE,
)
_IF_BEHIND = re.compile(r",? (?:wenn|falls|si)\b", re.IGNORECASE)
_OF = re.compile(r"\b(?:de|du|of) $", re.IGNORECASE)
_OF_GERMAN = re.compile(r"[A-ZÄÖÜ][\wäöüß]{1,40} (?:der|des)(?: |$)$")
_FOR = re.compile(r"\bfor (?:an? |the )?(?:empty|\w{1,12} ?(?:=|<|>|is\b))", re.IGNORECASE)
_PARAMETERS = re.compile(r"(?<=\w)\(([^()]{1,300})\)")
_PARAMETER = re.compile(r"\s{0,20}\*{0,2}([A-Za-z_]\w{0,30})\s{0,5}(?=[:=?]|$)")
_JOINING = {"the", "The", "and", "or", "nor"}
_BARE = {"list", "lists", "array", "arrays", "dict", "input", "inputs"}
# Of parameters with these names something else may be meant.
_NO_LISTS = {"case", "code", "format", "it", "key", "keys", "length", "name", "names", "order"}
_NO_LISTS |= {"result", "self", "signature", "size", "state", "style", "text", "them", "this"}
_NO_LISTS |= {"type", "types", "value", "values", "n", "k"}


@lru_cache(maxsize=4)  # each draft of a run asks
def keeps_input(request: str) -> bool:
    """Whether it says, in English, German, French or Spanish, that a function must not change what
    it is given. Not where it also wants something done in place."""
    sentences = [*_sentences(request[:_MOST_READ])]
    if any(map(_wants_change, sentences)):
        return False
    names = _parameters(request[:_MOST_READ])
    before = ""
    for sentence in sentences:
        if _says(sentence, names, request) or _says_of_them(before, sentence):
            return True
        before = sentence
    return False


def _sentences(request: str) -> Iterator[str]:
    """On one line each, without marks; items of lists are sentences of their own."""
    paragraph = list[str]()
    for line in [*request.translate(_MARKS).splitlines(), ""]:
        text = " ".join(line.split()).lstrip("#/ ")
        if paragraph and (not text or _ITEM.match(text)):
            yield from _BETWEEN.split(" ".join(paragraph))
            paragraph = []
        if text:
            paragraph.append(_ITEM.sub("", text, count=1) if _ITEM.match(text) else text)


def _wants_change(sentence: str) -> bool:
    return any(
        not _NEGATED.search(sentence[max(0, each.start() - _NEGATED_NEAR) : each.start()])
        for each in _IN_PLACE.finditer(sentence)
    )


def _says(sentence: str, names: frozenset[str], request: str) -> bool:
    said = sentence[:_MOST_OF_SENTENCE]
    others = (found for each in _IN_OTHERS for found in each.finditer(said))
    if any(_is_of_all(said, each) for each in others) or _VERB_FIRST.search(said):
        return True
    for pattern in (_LEAVES, _SUBJECT_FIRST):
        for found in pattern.finditer(said):
            before = said[: found.start()]
            own = found["words"] if pattern is _SUBJECT_FIRST else ""
            if own and not (_are_parameters(own, names) and _are_all(request, own, names)):
                continue
            if not _IF.search(before) and not _FOR.search(before):
                return True
    named = (found for each in (_NAMED_OBJECT, _NEITHER) for found in each.finditer(said))
    words = ({*filter(None, each.groups())} for each in named)
    return any(names >= each and _are_all(request, " ".join(each), names) for each in words)


def _are_all(request: str, words: str, names: frozenset[str]) -> bool:
    """Whether no other parameter is what shall be changed: "merges source into target"."""
    others = names - {*re.findall(r"\w+", words)}
    return not any(
        re.search(rf"\b(?:into|to|updat\w+|chang\w+|fills?|sorts?) (?:the )?{each}\b", request)
        for each in others
    )


def _is_of_all(said: str, found: re.Match[str]) -> bool:
    """Not "Reihenfolge der Liste", "el orden de la lista", nor under a condition."""
    before = said[: found.start()]
    is_of = _OF.search(before) or _OF_GERMAN.search(said[: found.start() + 4])
    return not (is_of or _IF.search(before) or _IF_BEHIND.match(said, found.end()))


def _are_parameters(words: str, names: frozenset[str]) -> bool:
    found = set(re.findall(r"\w+", words)) - _JOINING
    return bool(found) and found <= names | _BARE


def _says_of_them(before: str, sentence: str) -> bool:
    """ "… two lists. Don't modify them."""
    said = sentence[:_MOST_OF_SENTENCE]
    found = _THEM.search(said)
    if not found:
        return False
    spoken = f"{before[-_MOST_OF_SENTENCE:]} {said[: found.start()]}"
    own = said[: found.start()] if _HAS_LISTS.search(said[: found.start()]) else spoken
    return bool(_HAS_LISTS.search(own)) and not _HAS_OTHERS.search(own)


def _parameters(request: str) -> frozenset[str]:
    """The names of what is taken in heads and calls that it shows."""
    pieces = (each for found in _PARAMETERS.findall(request) for each in found.split(","))
    names = (match[1] for each in pieces if (match := _PARAMETER.match(each)))
    return frozenset(names) - _NO_LISTS
