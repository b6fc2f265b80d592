"""Whether an example in running text is said to be so: not denied, not taken back, no part of code
that computes with it. Pure."""

import re
from dataclasses import dataclass
from functools import lru_cache

from pipeline.analysis.fences import FENCE
from pipeline.testcases.examples.braced_definitions import defines, signatures_in
from pipeline.testcases.examples.corrections import is_taken_back
from pipeline.testcases.literals import literal_end

MODAL = (
    r"(?:should|must|would|will|shall|(?:has|needs|ought|is|is (?:supposed|expected|meant)) to)"
    r"\s{1,20}"
)
ARROW = r"={1,3}>|-{1,2}>|[→⇒➞➜➔⟶↦]"
# Behind what is returned, words: "return 0 if the list …".
_IN_WORDS = r"(?:for|if|when|on) (?:an?|the) (?!(?:in|else|and|or|is|not|if|for)\b)[a-z]"
# Code that computes with a call, and text that says what is not so.
# A head of a definition with words behind it, or without a colon, is a sentence.
_CODE_LINE = re.compile(
    rf"\s*(?:(?:if|elif|while|for\s+\w+\s+in)\b.*:|(?:return|yield)\b(?![^\n]{{0,60}} {_IN_WORDS})"
    r"|(?:assert|import|@)\b"
    r"|def\b(?=[^\n]{0,300}\)[ \t]{0,3}(?:->[^\n:]{0,60})?:)"
    r"(?![ \t]+(?P<defined>\w+)[^\n]{0,100}\)[^\n:]{0,30}:[ \t]{1,3}"
    r"(?:(?!return|raise|yield|pass)[A-Za-z]+[ ,][a-z]|(?P=defined)\())"
    r"|class\b(?![ \t]{1,3}\w+[ \t]{1,3}[a-z]))"
)
_CODE_BEFORE = re.compile(
    r"(?:[\"'“„]|(?<![-=])[=+*/%<{\[@]|\w[-(]|>>>|\b(?:lambda|await|not|def|typeof)\b"
    r"|(?<=[^\w\s])!|^!|\)[`\s]*>|[\w)\]}\"'][`\s]*={2,3}|[\d\"')\]][`\s]+in)\s*$"
)
# A call of the same function that it is computed with: "f(2) and f(4) -> True", "f(3) - f(2) == 1".
_SAME_BEFORE = re.compile(
    r"\b(\w+)\((?=[\d'\"\[({TFN-])[^()\n]{0,100}\)[`\s]*(?:-|\b(?:and|or|(?:not )?in|is(?: not)?))"
    r"[`\s]*(?=\1\()"
)
_NOW = (
    r"currently|wrongly|incorrectly|mistakenly|erroneously|unexpectedly|unfortunately|sadly|somehow"
    r"|strangely|sometimes|for some reason|(?:at|for) the moment"
    r"|right now|now(?=[ \t]*:)|at present|presently|zurzeit|derzeit|momentan|aktuell|bisher"
    r"|bislang|im moment"
    r"|actuellement|actualmente|atualmente|attualmente|сейчас"
)
_OLD_CODE = (
    r"(?:old|original|current|existing|previous|buggy|broken|naive) (?:code|function|version"
    r"|implementation|one)"
)
_NOT = (
    r"not|never|today(?!['’])|instead of|rather than|buggy|why"
    r"|before the (?:fix|change|patch)|(?:is|it['’]s) wrong (?:that|for)|no reason|noticed|confused"
    r"|works[^.;\n]*\bbut|(?:end(?:s|ed)? up with|leads? to)|(?:fails?|breaks?) because"
    r"|(?:problem|issue|bug|error)(?: here)?(?: is| was|['’]s)?(?: that\b|:(?=[ \t`*]*$))"
    rf"|in (?:the|my|our) {_OLD_CODE}|{_OLD_CODE} (?:has|gives|returns|says|does|had|did)"
    r"|nicht|nie|statt|warum|wieso|pourquoi|jamais|nunca|por qu[eé]|почему|не"
)
# What heads a line that shows how it is: "Actual:", "- **Bad**:".
_LABEL = (
    r"(?:^|[(,;])[ \t`*_#/-]*(?:actual|bad|bug|wrong|incorrect|before|old|got|have|now|output now"
    r"|falsch|vorher|avant|antes)(?:[ \t](?:output|result|value|behaviou?r))?[`*_]{0,2}:"
)
# What is given besides: "with strict=True f(3) == 5".
_GIVEN_MORE = re.compile(
    r"\b(?:with|using|for|when|if)[ \t`]{1,3}\w+[ \t]?=[ \t]?[^\s,=;]+[,:]?[ \t]+$", re.IGNORECASE
)
_LABEL_IN_BOLD = re.compile(r"(\*{1,2})([^*\n]{1,80}[:.])\1(?=[ \t]*$)")
_WE_GET = (
    r"(?<!do )(?<!can )(?<!could )(?<!that )\b(?:I|we)(?:['’](?:m|re)| am| are)?[ \t]"
    r"(?:now |just |only )?(?:got|get(?:ting)?|see(?:ing)?|saw)\b"
)
_DENIED = re.compile(
    rf"(?:\b(?:{_NOW}|{_NOT}|until|as soon as|claims?|disprove)(?!\w)"
    rf"|^[ \t]*[❌✗✘👎]|n['’]t\b|目前|现在|为什么|{_LABEL}|{_WE_GET}"
    r"|(?:^|[,(;:])[ \t]*got\b|\bunlike\b(?![^\n]*,))"
    r"(?:(?!\b(?:but|should|must|and|need|want|soll|sollte|muss|aber|doit)\b)[^.;?!\n])*$",
    re.IGNORECASE,
)
_LANGUAGE = (
    r"(?:js|javascript|typescript|php|excel|sql|haskell|java|kotlin|ruby|perl|lua|matlab|r|c|c\+\+"
    r"|c#|go|rust|swift|bash|pandas|numpy)"
)
# A question, a condition, what another language has: right before the call.
_ASKED = re.compile(
    r"(?:(?:^|[.?!,;:(])[ \t]*|\b(?:so|and|or|but)[ \t])(?:is|does|do|did|are|was|if|ist|wenn|falls"
    r"|isn['’]t|doesn['’]t|shouldn['’]t|avoid|prevent|(?:suppose|assum(?:e|ing))(?: that)?"
    rf"|(?:in|like|as in) {_LANGUAGE}(?:['’]s)?,?)"
    r"[ \t]{1,3}[`*]{0,3}$",
    re.IGNORECASE,
)
_TAKEN_BACK = re.compile(
    r"[`*\s]{0,20},?\s{0,20}(?:but\b(?!\s+(?:for|of|given|with)\b)|instead"
    r"|(?:which|that) is (?:wrong|not)|when it should|rather than)\b"
)
# Units (`5'11"`), what is computed with it or taken of it, digits behind a comma or a colon
# (`4,50`, `1:30`), more values, the next step of a chain (`3 -> 2 -> 1`).
_GOES_ON = re.compile(
    r"[ \t]*(?:[%<>&^~@/€£¢¥°±]|==|!=|\*\s*[\d(]|\*\s+\w\b|\+|-\s*[\d(]|if\b|is\b|in\b|for\b)|\w"
    r"|[ \t]+(?:iff\b|unless\b|provided\b|only (?:if|when|for)\b|with[ \t`]{1,3}\w+[ \t]?=)"
    r"|![ \t]?[=*]|[.(\[]\w|[:,][\d'\"\[({]|\.\.[.\w]|…|\*[A-Za-z(]"
    r"|[ \t]+(?:\*{1,2}[ \t]+[\w(]|[\d'\"])"
    r"|\*\*[ \t]?\d|\[[-:\d]|[ \t]*[·×⋅]|\.?\(\d+\)|(?<=')'\w|(?<=\")\"\w|-['\"]"
    rf"|[ \t]*(?:{ARROW})|[ \t]*\(mod\b|(?<=\d)(?:['’′]\d|[′″])"
)
# A value that stands beside another: "returns 3, 4", "gives 3 and remainder 1". Not what the next
# example begins with (", 4 -> 16").
_BESIDE = re.compile(
    r"[`*]{0,3}(?:,|,?[ \t]{1,3}and\b(?:[ \t]{1,3}(?!not\b)[a-z]{1,20})?)[ \t]{1,3}[`*]{0,3}"
)
_CLAUSE_ENDS = re.compile(r"[`*]{0,3}[ \t]*(?:$|[\n.:;,()]|(?:and|as well|too|while|but|back)\b)")
_BESIDE_ENDS = re.compile(r"[`*]{0,3}[ \t]*(?:$|[\n;)]|\.(?!\d)|,|and\b|or\b)")
_SENTENCE_GOES_ON = re.compile(
    r"[`*]{0,3}[ \t]+(?!and\b|or\b|but\b|as\b|because\b|since\b|while\b|whereas\b|for\b|when\b"
    r"|if\b|so\b|not\b|etc\b|[A-Za-z_]\w*\(\S|(?:et|ou|mais|und|oder|aber|y|pero|и|а|но)\b|back\b|zurück\w*|terug\b|ergeben\b"
    r"|liefern\b|geben\b|sein\b|[#(—–|-])\w"
)
# A sentence that leads to lines of code which say how it is, not how it shall be.
_DENYING = re.compile(
    rf"(?:\b(?:{_NOW}|happens(?: now)?|not (?:like this|like that|this|so)|so far|until now"
    r"|(?:old|current|existing|previous|original|buggy|broken|wrong)\b[^.;!?]*"
    r"\b(?:did|does|gave|gives|was|is|code|class|function|version|output|result|behaviou?r)"
    r"|refactor|rewrite|simplify|clean up|fix (?:the|this|these|my)|bug|used to|it (?:was|did|gave)"
    r"|(?:is|gives?|returns?|gets?|got) \S{1,20} instead of"
    r"|why (?:is|are|do|does|did)|what happens|(?:this|it|tests?) fails?|is wrong"
    r"|not (?:right|correct)|before the (?:fix|change|patch))\b"
    r"|(?:^|[#*_.])[ \t]?(?:before|bad|wrong|actual|old|now)"
    r"(?: (?:output|result|value|behaviou?r))?[`*_]{0,2}:$"
    rf"|{_WE_GET})"
    r"(?:(?!\b(?:but|should|must|has to|so that|such that|to (?:make|pass|satisfy|return))\b)"
    r"(?:[^.;!]|\.(?=\d)))*$",
    re.IGNORECASE,
)
_IN_SOME_CASES = re.compile(r"[`*]{0,3}[ \t]*(?:if|unless|only|sometimes)\b")
_IN_MARKS = re.compile(r"inch|feet|foot|height|minute|second|degree|thousand|zoll", re.IGNORECASE)
_SENTENCE_ENDS = re.compile(r"(?:(?<!\be\.g)(?<!\bi\.e)\.|[!?])(?=\s)|\n")
_QUESTION = re.compile(r"[`*)]{0,4}[ \t]?[?？]")
_REQUEST = re.compile(
    r"\b(?:can|could|would|will|how|please|pls|write|make|create|implement|want|need|help)\b",
    re.IGNORECASE,
)
# What leads to results that stay as they are.
_KEEPS = re.compile(
    r"\b(?:refactor|rewrite|simplify|clean up|for example|examples)\b", re.IGNORECASE
)
_NAME = re.compile(r"\w+")
_MAX_LEAD = 300  # characters before a line of code
# An error that somebody is tired of, and one that is asked for.
_COMPLAINS = re.compile(
    r"\bgo(?:es)? away|\bcrash(?:es|ed|ing)?\b|\bget(?:ting)? rid of\b"
    r"|(?:\b(?:should|must|shall|may|can)(?: not| never| no longer)|n['’]t|\bnot|\bnever)"
    r" (?:happen|occur|appear|crash|raise|throw|break|blow up|come up|be there|do (?:this|that))\b"
    r"|\b(?:should|must|shall|may)(?: not|n['’]t) fail\b(?! silently)"
    r"|\b(?:fix|mend|solve|repair|debug|correct|avoid|prevent|stop) (?:this|that|these|it\b"
    r"|the (?:bug|error|crash|problem|exception|traceback))"
    r"|\b(?:this|that|it|which) is (?:a bug|wrong|not right|incorrect)\b"
    r"|(?:^|[.,!:(]|\b(?:be|please))\s*no more\b(?! than\b)"
    r"|\bhow (?:do|can|could|would|should) I\b"
    r"|\b(?:I['’]d|I would) (?:like(?! to (?:be able|use|work))|prefer|rather)\b"
    r"|\bhandl(?:e|ing) (?:this|that|it|these)\b|\b(?:gracefully|more robust|blows? up)\b"
    r"|\bit should (?:skip|ignore|return|give|handle|work|accept|treat)\b"
    r"|\bchange it\b|\bmake it (?:more|not|return|give)\b"
    r"|\b(?:at the moment|right now|in (?:the|my|our) (?:old|current|existing))\b"
    r"|\b(?:help|pls|plz)[.!?]*[ \t]*$"
    r"|\breturn\b[^.;\n]{1,40}\b(?:instead|in that case|for an empty)\b",
    re.IGNORECASE,
)
_BREAKS = re.compile(r"\b(?:blows? up|crash(?:es|ed)?|breaks)\b[^.!?\n]*$", re.IGNORECASE)
_ASKS_FOR_ERROR = re.compile(
    r"\b(?:should|must|shall|has to|have to|needs? to|ought to|so that it|want(?:s|ed)?"
    r"|expect(?:s|ed)?|but|instead)\b(?:(?!not\b|never\b|no longer\b|without\b|[.;!?\n]).){0,60}?"
    r"\b(?:raises?|throws?|fails?)\b"
    r"|\b(?:message|text|wording)s? of the (?:error|exception)s?\b"
    r"|\b(?:error|exception) (?:message|text)s? (?:is|are|may|can)\b",
    re.IGNORECASE,
)
_OF_A_RUN = re.compile(r'^[ \t]*File "', re.MULTILINE)
_CALLED = re.compile(r"\b([A-Za-z_]\w*)\(")
# What stands in a definition that is still to be written.
TO_BE_WRITTEN = re.compile(
    r"^[ \t>]*(?:$|pass\b|\.\.\.|[#@]|\"\"\"|'''|(?:async )?def\b|class\b"
    r"|raise NotImplementedError)"
)
# What a line of code has, and few lines of text.
_LIKE_CODE = re.compile(r"[()=\[\]{}#]|->")
BULLET = re.compile(r"^[ \t>]*(?:[-*+•]|\d+[.)])[ \t]+")
_IN_COMMENT = re.compile(r"[ \t]*//[/!]?[ \t]*$")  # all that stands before a call


@dataclass(slots=True)
class Lead:
    """What stands before lines of code: the text (a fence keeps its own up to its end), and whether
    there are definitions that do something. What is said of those says how it is."""

    text: str = ""
    says_not: bool = False
    fenced: bool = False
    defines: bool = False

    def read(self, line: str, is_code: bool) -> None:
        if FENCE.match(line):
            self.fenced, self.defines = not self.fenced, False
        elif line.strip() and not self.fenced and not is_code:
            self.text, self.defines = line.rstrip()[-_MAX_LEAD:], False
            self.says_not = _DENYING.search(self.text) is not None

    def read_body(self, line: str) -> None:
        self.defines = self.defines or not TO_BE_WRITTEN.match(line)

    @property
    def denies(self) -> bool:
        leads = self.fenced or self.text.endswith((":", "?"))
        return self.defines or (leads and self.says_not)


@lru_cache(maxsize=2)  # many calls of one text
def _denied(text: str) -> frozenset[int]:
    """The lines of code before which stands that it is not so."""
    lead, found = Lead(), set[int]()
    for number, line in enumerate(text.split("\n")):
        leads = line.rstrip().endswith((":", "?")) and not _CODE_LINE.match(line)
        is_code = not leads and _LIKE_CODE.search(line) is not None
        lead.read(line, is_code)
        if is_code and lead.denies:
            found.add(number)
    return frozenset(found)


def is_stated(text: str, start: int, *, corrected: bool = False) -> bool:
    """Whether the text before a call or a value lets it be a statement of its own. `corrected`:
    what is denied of it is another value."""
    if not corrected and text.count("\n", 0, start) in _denied(text):
        return False
    begin = max(text.rfind("\n", 0, start) + 1, start - 200)
    end = text.find("\n", start, start + 400)
    if _CODE_LINE.match(text[begin : end if end >= 0 else start + 400]):
        return False
    if any(each.end() == start for each in _SAME_BEFORE.finditer(text, begin, start + 100)):
        return False
    before = _LABEL_IN_BOLD.sub(r"\2", BULLET.sub("", text[begin:start]).rstrip("`*"))
    if _IN_COMMENT.match(before):
        return _says_what_shall_be(text, _NAME.match(text, start))
    denied = () if corrected else (_DENIED, _ASKED)
    return not any(each.search(before) for each in (*denied, _GIVEN_MORE, _CODE_BEFORE))


def _says_what_shall_be(text: str, name: re.Match[str] | None) -> bool:
    """Whether a comment may, of a function of that name: not beside its code, nor beside the
    signature of another one."""
    named = signatures_in(text)
    return bool(name and (not named or name[0] in named) and not defines(name[0], text))


def is_asked(text: str, start: int, stop: int) -> bool:
    """Whether a question mark behind the value makes it unsure; "can you write f so that …?" asks
    for it."""
    if not _QUESTION.match(text, stop):
        return False
    said = text[max(0, start - _MAX_LEAD) : start]
    begin = max((each.end() for each in _SENTENCE_ENDS.finditer(said)), default=0)
    return not _REQUEST.search(said, begin)


def goes_on(text: str, stop: int) -> bool:
    """Whether what stands behind a value makes it part of something larger, or takes it back."""
    found = _GOES_ON.match(text, stop) or _TAKEN_BACK.match(text, stop)
    is_part = bool(found) or _is_in_inches(text, stop)
    return is_part or _is_one_of_several(text, stop) or is_taken_back(text, stop)


def _is_in_inches(text: str, stop: int) -> bool:
    """Whether the quotation mark behind a number closes none of its line, and is no end of a
    docstring: where the text speaks of what is measured so."""
    mark = text[stop : stop + 1]
    if not mark or mark not in "'\"" or not text[stop - 1].isdigit():
        return False
    if text.startswith(mark * 3, stop) or not _IN_MARKS.search(text):
        return False
    line = text[max(text.rfind("\n", 0, stop) + 1, stop - _MAX_LEAD) : stop]
    opening = re.findall(rf"(?<!\w){mark}(?=\w)", line)
    return len(opening) <= len(re.findall(rf"(?<=[\w)\]]){mark}(?!\w)", line))


def is_all(text: str, stop: int) -> bool:
    """Whether the value ends its sentence or clause, and nothing takes it back."""
    return _CLAUSE_ENDS.match(text, stop) is not None and not goes_on(text, stop)


def _is_one_of_several(text: str, stop: int) -> bool:
    beside = _BESIDE.match(text, stop)
    end = literal_end(text, beside.end()) if beside else None
    return end is not None and _BESIDE_ENDS.match(text, end) is not None


def sentence_goes_on(text: str, stop: int) -> bool:
    """Whether the value does not end its clause: "is 3 of them"."""
    return bool(_SENTENCE_GOES_ON.match(text, stop))


def says_how_it_is(lead: str) -> bool:
    """Whether a line leads to what is so, and shall not stay so."""
    leads = lead.endswith((":", "?", "get", "got", "see")) and not _KEEPS.search(lead)
    return bool(leads and _DENYING.search(lead))


def error_goes_away(text: str, start: int, stop: int) -> bool:
    """Whether the words in the line of an error, of which a sentence says that a call raises it,
    take it back, or make it one of several: before the call at `start` and behind `stop`."""
    behind = text[stop : stop + _MAX_LEAD].partition("\n")[0]
    breaks = _BREAKS.search(text, max(text.rfind("\n", 0, start) + 1, start - _MAX_LEAD), start)
    taken = breaks or _TAKEN_BACK.match(text, stop) or is_taken_back(text, stop)
    return bool(taken or _IN_SOME_CASES.match(behind)) or shall_go_away("", behind)


def asks_for_error(text: str) -> bool:
    """Whether some word of it wants one raised."""
    return _ASKS_FOR_ERROR.search(text) is not None


def is_what_a_run_gave(error: str, source: str, text: str, beside: str) -> bool:
    """Whether the traceback of what was entered is of code that the text gives, or complains of,
    and no word beside it asks for it: then it shall not come again. Examples in documents leave the
    files' names out."""
    if not _OF_A_RUN.search(error) or _ASKS_FOR_ERROR.search(beside):
        return False
    called = "|".join(_CALLED.findall(source))
    given = called and re.search(rf"^[ \t>]*(?:async )?def (?:{called})\b", text, re.MULTILINE)
    return bool(given or _COMPLAINS.search(text))


def shall_go_away(lead: str, behind: str) -> bool:
    """Whether an error is shown because it shall not come again, by the words before and behind
    it."""
    if _ASKS_FOR_ERROR.search(lead) or _ASKS_FOR_ERROR.search(behind):
        return False
    return bool(says_how_it_is(lead) or _COMPLAINS.search(lead) or _COMPLAINS.search(behind))
