"""The assertions of C, C++ and Rust that a request shows, with the statements among which they
stand, as their language has them: `assert_eq!(f("a"), Some(1));`. Pure."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from pipeline.modes import split_wrappers
from pipeline.testcases.examples.braced_definitions import defines
from pipeline.testcases.examples.bug_reports import tells_only_what_is_wrong
from pipeline.testcases.examples.corrections import is_taken_back
from pipeline.testcases.examples.open_results import Results
from pipeline.testcases.examples.stated_examples import Lead, says_how_it_is
from pipeline.testcases.literals import matching

_MOST_READ = 20_000  # characters of a request
_MOST = 40  # assertions
_HEADS = {
    "rust": re.compile(r"assert(?:_eq|_ne)?!(?=\()"),
    **dict.fromkeys(("c", "cpp"), re.compile(r"(?:std::)?assert(?=\()")),
}
_PREFIX = re.compile(r"[ \t>]*(?:(?:[-*+•]|\d{1,3}[.)])[ \t]+)?(?://[/!][ \t]*)?`{0,2}")
# A statement that does something; what begins another way is a definition, or ends one.
_STEP = re.compile(
    r"(?!(?:#|//|return|use|pub|mod|fn|impl|struct|enum|typedef|extern|import|break|continue|goto"
    r"|using|template|assert)\b)[A-Za-z_*&][^\n]{0,300};[ \t]*(?://[^\n]*)?$",
    re.MULTILINE,
)
_COMMENT = re.compile(r"(?://+|/\*)[ \t]*(.{0,300})")
_ENDS = re.compile(r"[ \t]{0,60};?`{0,2}[ \t]{0,60}(?=//|/\*|\n|$|(?:std::)?assert)")
_CALLED = re.compile(r"(?<![.\w])([A-Za-z_]\w{0,99})[ \t]*(?:!?\(|::|<)|\.(\w{1,99})\(")
_DOUBTED = re.compile(
    r"\b(?:should|must|will|shall|has to) (?:panic|fail|not compile)\b|\bTODO\b|\bFIXME\b"
    r"|\b(?:does|will)(?:n['’]t| not) (?:hold|compile|pass)\b"
    r"|\b(?:old|before|currently|now|wrong)\b",
    re.IGNORECASE,
)
# What leads to assertions that shall not hold, or do not yet.
_NOT_SO = re.compile(
    r"(?:\b(?:not|never|no longer|old|before|until|wrong)|n['’]t)\b[^\n]{0,80}$", re.IGNORECASE
)
# A remark on a statement that may not come to its end.
_STOPS = re.compile(
    r"(?://|/\*)[^\n]{0,200}?\b(?:abort|crash|err|exception|exit|fail|illegal|invalid|not|panic|throw)",
    re.IGNORECASE,
)
# Tests of what shall not come to its end.
_FAILS = re.compile(r"should_panic|compile_fail|```[\w,]{0,20}ignore")
_MUST_HOLD = re.compile(
    r"\b(?:these|they|this|all|asserts?|assertions?|tests?|lines)\b[^.\n]{0,60}"
    r"\b(?:must|should|shall|(?:ha(?:s|ve)|needs?) to)\b[^.\n]{0,40}"
    r"\b(?:hold|pass|work|succeed|be true)\b"
    r"|\b(?:make|so that)\b[^.\n]{0,60}\b(?:hold|pass|work|succeed|go through)\b",
    re.IGNORECASE,
)
_OF_CALL = re.compile(r"\w{1,20}!?\(\s{0,20}!?([\w:]{1,100}\([^()\n]{0,300}\))")
_TEXTS = re.compile(r'"(?:[^"\\\n]|\\.){0,300}"')
_TEXT_COMPARED = re.compile(r'[!=]=\s{0,20}"|"\s{0,20}[!=]=')


@dataclass(frozen=True, slots=True)
class AssertStatement:
    """One statement. Of one that is no assertion nothing is said."""

    code: str
    is_assert: bool = True

    @property
    def is_exact(self) -> bool:
        """Not of a fraction, which a right program may give with other last digits."""
        plain = _TEXTS.sub("", self.code)
        return not (re.search(r"\d\.\d", plain) and re.search(r"assert_eq|==", plain))

    @property
    def compares_texts(self) -> bool:
        """Whether C would compare where they stand."""
        return _TEXT_COMPARED.search(self.code) is not None


@dataclass(frozen=True, slots=True)
class AssertBlock:
    """Statements that follow each other; where it `is_unread`, there is one more that says nothing
    for certain."""

    statements: tuple[AssertStatement, ...] = ()
    is_unread: bool = False

    @property
    def names(self) -> set[str]:
        """What is called in it, and the types."""
        found = (each for one in self.statements for each in _CALLED.findall(one.code))
        return {plain or method for plain, method in found if not plain.startswith("assert")}

    @property
    def is_session(self) -> bool:
        """Whether the assertions go with what is done before."""
        return not all(each.is_assert for each in self.statements)


@lru_cache(maxsize=4)  # each draft of a run asks
def assert_blocks(language: str, request: str) -> tuple[AssertBlock, ...]:
    """Those of a request that wants them to hold, in this language; () where others may be as
    right."""
    text = split_wrappers(request)[1][:_MOST_READ].replace("\r\n", "\n")
    head, says = _HEADS.get(language), Results.of(text)
    if not head or not head.search(text) or tells_only_what_is_wrong(text):
        return ()
    if says.any_order or says.by_chance or says.any_answer:
        return ()
    found = [
        each
        for each in _blocks(head, text)
        if each.is_unread or (each.names and any(one.is_assert for one in each.statements))
    ]
    if any(defines(name, text) for each in found for name in each.names):
        found = found if _MUST_HOLD.search(text) else []
    return () if _count(found) > _MOST or _contradict(found) else tuple(found)


def _contradict(blocks: Iterable[AssertBlock]) -> bool:
    """Whether one of them says of a call what another one does not: how it is, and shall be."""
    first = dict[str, tuple[int, str]]()
    for n, block in enumerate(blocks):
        for one in () if block.is_session else block.statements:
            call = _OF_CALL.match(one.code)
            at, code = first.setdefault(call[1], (n, one.code)) if call else (n, "")
            if at != n and code != one.code:
                return True
    return False


def count_asserts(language: str, request: str) -> int:
    """How many there are in these blocks."""
    return _count(assert_blocks(language, request))


def _count(blocks: Iterable[AssertBlock]) -> int:
    return sum(each.is_assert for block in blocks for each in block.statements)


def _blocks(head: re.Pattern[str], text: str) -> Iterator[AssertBlock]:
    at, block, lead, is_denied, fails = 0, AssertBlock(), Lead(), False, False
    while at < len(text):
        eol = text.find("\n", at)
        eol = len(text) if eol < 0 else eol
        start = _PREFIX.match(text, at, eol).end()  # type: ignore[union-attr]
        line = text[start:eol]
        if head.match(line):
            stop, read = _asserts(head, text, start)
            is_not_so = lead.says_not or lead.denies or _NOT_SO.search(lead.text)
            read = () if fails or is_denied or is_not_so else read
            block = AssertBlock((*block.statements, *read), block.is_unread or not read)
            eol = stop
        elif _STEP.match(line):
            step = AssertStatement(line.strip(), is_assert=False)
            block = AssertBlock((*block.statements, step), block.is_unread or _stops(line))
        elif comment := _COMMENT.match(line):
            is_denied = says_how_it_is(comment[1].rstrip())
            block = replace(block, is_unread=block.is_unread or _stops(line))
        elif line.strip():
            lead.read(text[at:eol], is_code=line.rstrip().endswith(("{", "}", ";", "]")))
            yield block
            block, is_denied = AssertBlock(), False
            fails = bool(_FAILS.search(line)) or (fails and line.rstrip().endswith("{"))
        at = eol + 1
    yield block


def _stops(line: str) -> bool:
    return _STOPS.search(line) is not None


def _asserts(
    head: re.Pattern[str], text: str, start: int
) -> tuple[int, tuple[AssertStatement, ...]]:
    """The end of the line in which the assertions that begin at `start` end, and these; none where
    something is said that takes one back."""
    found = list[AssertStatement]()
    while (begun := head.match(text, start)) and (end := matching(text, begun.end())):
        found.append(AssertStatement(f"{text[start:end]};"))
        ended = _ENDS.match(text, end)
        start = ended.end() if ended else end
        if not ended:
            found = []
            break
    stop = text.find("\n", start)
    stop = len(text) if stop < 0 else stop
    behind = text[start:stop].strip("/* \t")
    is_doubted = is_taken_back(f"0 {behind}", 1) or _DOUBTED.search(behind)
    return stop, () if is_doubted else tuple(found)
