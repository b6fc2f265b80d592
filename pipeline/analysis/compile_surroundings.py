"""What a request and a draft tell of the code around it: what a compiler cannot know. Pure."""

import re

# Of another compiler, or of a version that a machine's compiler may not know yet.
_ELSEWHERE = re.compile(
    r"\bjava[ -]?(?:1[89]|2\d)\b|\bc(?:\+\+|pp)?2[36x]\b|\bnightly\b|\b(?:virtual threads?"
    r"|(?:record|unnamed) patterns?|string templates?|unnamed variables?|sequenced"
    r"|windows|win(?:32|api)|msvc|visual studio|mac(?:os| ?os x)?(?! addr)|ios|(?:open|free|net)bsd"
    r"|clang|turbo c|borland|keil|xc8|sdcc|arduino)\b",
    re.IGNORECASE,
)
_ELSEWHERE_IN_CODE = re.compile(
    r"^//go:build |^// \+build |\b(?:case|instanceof)\s+[A-Z]\w*\(\s*(?:\w+ \w+|_)\s*[,)]",
    re.MULTILINE,
)
_OWN = re.compile(
    r"\b(?:(?:my|our)\b(?! (?:assignment|boss|course|exam|friend|home ?work|professor|teacher)\b)"
    r"|(?:i|we)(?:'ve)? (?:already |just )?(?:defined|got|had|have(?! to\b)|made|wrote)\b"
    r"|(?:existing|leetcode|meine?[mnrs]?|unsere?[mnrs]?|mon|mes|notre|nos|mis?|nuestr[oa]s?)\b)"
    r"|\b\w+\.(?:go|h|hpp|rs)\b",
    re.IGNORECASE,
)
_AS_CODE = re.compile(r"`[^`\n]+`|\b\w++(?=\()|\b[A-Za-z]+(?:_|[a-z\d](?=[A-Z]))\w+")
_SEVERAL = re.compile(
    r"\b(?:alternatives?|approaches|bad|before|both|compare|solutions|three|two|variants?"
    r"|versions?|ways)\b",
    re.IGNORECASE,
)
_TESTS_IN_GO = re.compile(r'^(?:import )?[ \t]*"testing"$', re.MULTILINE)
_MAIN = re.compile(r"\bmain\s*\(")
_MEANT = re.compile(
    r"(?:\b(?:not|fails? to)|n't) compile|\bcompil\w+(?: time)? error|\berror(?:\[E|:)"
    r"|\bdeclared and not used\b",
    re.IGNORECASE,
)
_ABOVE = 5  # lines that such a comment may stand before what it speaks of


def is_for_another_compiler(said: str, text: str) -> bool:
    """Whether the request or the code tells of a system or a version that this machine lacks."""
    return bool(_ELSEWHERE.search(said) or _ELSEWHERE_IN_CODE.search(text))


def has_own_code(said: str) -> bool:
    """Whether a request speaks of code that the caller has: names in it need not be told."""
    return _OWN.search(said) is not None


def wants_several(said: str) -> bool:
    """Whether versions of one thing are asked for: each may have the name of the other."""
    return _SEVERAL.search(said) is not None


def names_as_code(said: str) -> set[str]:
    """Those that a request writes as code does: called, in quotes, of several words."""
    return {name for code in _AS_CODE.findall(said) for name in re.findall(r"\w+", code)}


def has_main(text: str) -> bool:
    """Whether it is a program, which has all that it needs."""
    return _MAIN.search(text) is not None


def is_for_others(name: str, text: str) -> bool:
    """Whether a name that nothing defines may be that of other files: a type's in what is no
    program, and anything in Go's tests."""
    return not has_main(text) and (name[:1].isupper() or bool(_TESTS_IN_GO.search(text)))


def is_meant(text: str, line: int) -> bool:
    """Whether a comment at a line, or shortly before it, says that there is an error."""
    near = text.split("\n")[max(0, line - 1 - _ABOVE) : line]
    return bool(line) and any(_MEANT.search(each.partition("//")[2]) for each in near)
