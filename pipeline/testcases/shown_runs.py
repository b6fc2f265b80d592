"""What a request shows of a script's use: command lines with its arguments, and texts that it is
given. Pure."""

import re
import shlex
from collections.abc import Iterator

_MOST_READ = 20_000  # characters of a request
_MOST_LINES, _MOST_BLOCKS = 12, 4
_NAME = re.compile(r"\b([A-Za-z][\w-]{1,40})\.(?:ba)?sh\b")
_ENDS = re.compile(
    r"\s(?:->|=>|→|#|\||>)|`|\s{2,}|\s(?:prints?|gives?|outputs?|returns?|should|and|is|does|means|would"
    r"|copies|shows?)\b|[:;]|\n"
)
_PLACEHOLDER = re.compile(r"[A-Z][A-Z_]*|\[.*|.*\]|<.*|.*\.\.\.")
_PLAIN = re.compile(r"[\w .,:/+%@=-]*")
_PROSE = frozenset(
    (
        "that",
        "which",
        "the",
        "takes",
        "of",
        "in",
        "and",
        "bash",
        "script",
        "for",
        "from",
        "to",
        "with",
    )
)
_LABEL = re.compile(r"(\w{0,20})\W{0,3}(?::|(?<=like this)|(?<=format))$")
_FORM = re.compile(r"^[a-z]+(?: [A-Z]{1,12})+\b", re.MULTILINE)  # what commands are like
_FENCE = re.compile(r"^```[^\n]*$", re.MULTILINE)


def shown_words(request: str, name: str) -> list[tuple[str, ...]]:
    """The arguments in each command line that the request shows, of the script that it names or of
    a function of that name; those that stand for others left out."""
    request = request[:_MOST_READ]
    names = [*([name] if name else []), *_NAME.findall(request)]
    found = list[tuple[str, ...]]()
    for each in dict.fromkeys(names):
        at = re.compile(rf"(?<![\w/-])(?:\./)?{re.escape(each)}(?:\.(?:ba)?sh)?[ \t]+(?=\S)")
        for line in at.finditer(request):
            end = _ENDS.search(request, line.end())
            text = request[line.end() : end.start() if end else len(request)]
            if words := _read(text[:200]):
                found.append(words)
    return list(dict.fromkeys(found))[:_MOST_LINES]


def _read(text: str) -> tuple[str, ...]:
    try:
        words = shlex.split(text.strip().rstrip(".,)"))
    except ValueError:
        return ()
    placeholders = [word for word in words if _PLACEHOLDER.fullmatch(word)]
    are_values = any(map(str.isdigit, words)) and all(len(each) == 1 for each in placeholders)
    if len(words) > 6 or (placeholders and not are_values) or _PROSE.intersection(words):
        return ()
    return tuple(words) if all(map(_PLAIN.fullmatch, words)) else ()


def shown_texts(request: str) -> list[tuple[str, str]]:
    """The texts that stand below a colon, with the word before it, or between fences."""
    request = _FENCE.sub("\n\n", request[:_MOST_READ])
    made = (each for each in _blocks(request) if not _FORM.search(each[1]))
    return list(dict(made).items())[:_MOST_BLOCKS]


def _blocks(request: str) -> Iterator[tuple[str, str]]:
    before = ""
    for paragraph in re.split(r"\n[^\S\n]*\n", request):
        lines = paragraph.strip("\n").splitlines()
        if not lines:
            continue
        first = _LABEL.search(lines[0].rstrip())
        if first and len(lines) > 1:
            yield first[1].lower(), "\n".join(lines[1:]) + "\n"
        elif (label := _LABEL.search(before)) and not paragraph.lstrip().startswith("$ "):
            yield label[1].lower(), "\n".join(lines) + "\n"
        before = lines[-1].rstrip()
