"""What a script or a function in Bash takes: its arguments in their places, its options, its input
and the folder around it. Pure."""

import re
from bisect import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from pipeline.testcases.shell_kinds import kind_of
from pipeline.testcases.shell_texts import read_shell

_MOST_PLACES = 4
_HEAD = re.compile(
    r"^(?P<indent>[^\S\n]{0,20})(?:function[^\S\n]{1,9}(?P<other>[\w:.-]{1,60})(?:[^\S\n]{0,9}\(\))?"
    r"|(?P<name>[\w:.-]{1,60})[^\S\n]{0,9}\(\))\s{0,9}[{(]",
    re.MULTILINE,
)
# `dir="${1:-.}"`, `n=$2`, `path=$(realpath "$1")`
_ASSIGNED = re.compile(
    r"(?<![\w$])(?P<name>[A-Za-z_]\w{0,40})=\(?\"?"
    r"(?:\$\((?:realpath|readlink|cd|dirname|basename|echo|printf)\b[\w -]{0,30}\"?)?"
    r"\$\{?(?P<place>[1-9]|[@*])(?::?(?P<how>[-?=+])(?P<default>[^}\n]{0,80}))?"
)
_PLACE = re.compile(r"\$\{?#?([1-9])(:?[-=][^}\n]{0,80})?")
_ALL = re.compile(r"\$\{?[@*]")
_PASSED = re.compile(
    r"^[^\S\n]{0,20}(?!if|while|until|do|then|else)([\w:-]{1,60}) \"\$@\"", re.MULTILINE
)
_RUN = re.compile(r"(?:^|[;&|!]|\b(?:if|while|until|do|then))[^\S\n]{0,20}\"\$@\"", re.MULTILINE)
_LOOP = re.compile(
    r"\bfor[^\S\n]{1,9}(\w{1,40})(?:[^\S\n]{1,9}in[^\S\n]{1,9}\"?\$\{?[@*]|[^\S\n]{0,9}(?:;|\n))"
)
_SHIFT = re.compile(r"(?:^|[;&|][^\S\n]{0,9})\s{0,20}shift\b(?![^\S\n]{0,9}[$\d])", re.MULTILINE)
_GETOPTS = re.compile(r"\bgetopts[^\S\n]{1,9}[\"']?:?([A-Za-z:]{1,30})")
_CASE = re.compile(
    r"^[^\S\n]{0,20}(-\w)(?:[^\S\n]{0,3}\|[^\S\n]{0,3}--[\w-]{1,20})?\)([^\n]{0,120})", re.M
)
_LABELS = re.compile(r"(?:^|\bin|;;)\s{0,40}\(?([^()\n;]{1,60})\)", re.MULTILINE)
_ANY_CASE = re.compile(r"\bcase[^\S\n]{1,9}[^\n]{1,60}?\bin\b")
_PLAIN = re.compile(r"[^\s$*?\[\]]{1,20}")
_ONE_OF = re.compile(r"^\[[A-Za-z]{1,4}\]$")  # as `[Yy]`
_READS = re.compile(
    r"/dev/stdin\b|\bread\b|\bmapfile\b|\breadarray\b|\bcat(?:[^\S\n]+-)?\s*(?:[|)]|$)"
)
_LOOKS = re.compile(
    r"\bfind\b|\bls\b|\*\.|/\*|\bin \*|\w\*(?=[\s;)])|\bdu\b|\bglob\b|\btree\b|\bstat\b"
    r"|grep -\w{0,9}r|\btar\b|\bmv\b|\bcp\b|\brm\b"
)
_USAGE = re.compile(
    r"(?:[Uu]sage|USAGE)[^\n]{0,20}?(?:\$0|\$\([^)\n]{1,40}\)|\S{1,40}\.sh)([^\n]{0,120})"
)
_FLAGS = re.compile(r"\[-[^\]\n]{0,30}\]")
_ASKED = re.compile(
    r"(?:\.(?:ba)?sh|\bfun[ck]tion \w{1,40})"
    r"((?: (?:\[[^\]\n]{1,20}\]|[A-Z][A-Z_\d]{0,20})(?:\.\.\.)?){1,6})"
)
_OPERAND = re.compile(r"[<\[]{1,2}([a-zA-Z][\w -]{0,30})[>\]]{1,2}|\b([A-Z][A-Z_]{1,20})\b")


@dataclass(frozen=True, slots=True)
class Place:
    """An argument: `kind` is one of folder, new folder, file, new, extension, number, word.
    `choices`: what the code compares it with."""

    kind: str
    name: str = ""
    is_optional: bool = False
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Taken:
    """`commands`: words by which it chooses what to do. `more`: the kind of any further arguments,
    "" for none. `options`: pairs of a letter with its dash and the kind of its value, "" for none.
    """

    places: tuple[Place, ...] = ()
    more: str = ""
    options: tuple[tuple[str, str], ...] = ()
    reads_input: bool = False
    commands: tuple[str, ...] = ()
    looks_around: bool = False


def taken_by_script(script: str, request: str, function: str = "") -> Taken:
    """What the script takes, or its function of that name."""
    texts = read_shell(script)
    bodies = dict(_functions(texts.code))
    code = bodies.get(function, "") if function else _main_code(texts.code, bodies)
    assigned = list(_assigned(code))
    places = _places(code, assigned, "\n".join(texts.said), request)
    loop = _LOOP.search(code)
    more = bool(_ALL.search(_PASSED.sub(lambda it: "" if it[1] in bodies else it[0], code)))
    if more and not places:
        name = loop[1] if loop else next((n for n, at, _ in assigned if at == 0), "")
        places = (Place(kind_of(name, code, name, request), name),)
    named = bool(places)
    reads = bool(_READS.search(_without_fed(code)))
    looks = bool(_LOOKS.search(code))
    return Taken(
        places,
        _kind_of_more(code, places, request) if more else "",
        tuple(_options(code, request)) if not function else (),
        reads or not (named or looks),
        tuple(_commands(code)),
        looks,
    )


def functions_of(script: str) -> list[str]:
    """The names of those at the beginning of a line."""
    return [name for name, _ in _functions(read_shell(script).code)]


def _kind_of_more(code: str, places: Sequence[Place], request: str) -> str:
    """Of the arguments behind those that have names; "" where there can be none."""
    if _RUN.search(code):
        return "command"
    if len(places) > 1 and "shift" not in code:
        return ""
    loop = _LOOP.search(code)
    return kind_of(loop[1], code, loop[1], request) if loop else places[-1].kind


def _functions(code: str) -> Iterator[tuple[str, str]]:
    for head in _HEAD.finditer(code):
        if head["indent"]:
            continue
        yield head["name"] or head["other"], code[head.end() : _end(code, head)]


def _end(code: str, head: re.Match[str]) -> int:
    """Where a function's body ends: at the first line that is its bracket, or on its own line."""
    line_end = code.find("\n", head.end())
    line_end = len(code) if line_end < 0 else line_end
    if code[head.end() : line_end].rstrip(" ;").endswith(("}", ")")):
        return line_end
    close = re.compile(rf"^{head['indent']}[}})]", re.MULTILINE).search(code, head.end())
    return close.start() if close else len(code)


def _main_code(code: str, bodies: dict[str, str]) -> str:
    """Without functions, but for those that get all of the script's arguments."""
    outside = list[str]()
    at = 0
    for head in _HEAD.finditer(code):
        if head["indent"] or head.start() < at:
            continue
        outside.append(code[at : head.start()])
        at = _end(code, head)
    outside.append(code[at:])
    main = "\n".join(outside)
    passed = (body for name, body in bodies.items() if f'{name} "$@"' in main)
    return "\n".join([main, *passed])


def _assigned(code: str) -> Iterator[tuple[str, int, str]]:
    """Variables, the places that they are of (0: all), and the defaults."""
    in_turn = "case" not in code
    shifts = [each.start() for each in _SHIFT.finditer(code)] if in_turn else []
    for found in _ASSIGNED.finditer(code):
        shifted = bisect(shifts, found.start())
        place = found["place"]
        at = int(place) + shifted if place.isdigit() else 0
        yield found["name"], at, (found["default"] or "") if found["how"] in ("-", "=") else ""


def _places(
    code: str, assigned: Sequence[tuple[str, int, str]], said: str, request: str
) -> tuple[Place, ...]:
    is_parser = bool(_GETOPTS.search(code) or _CASE.search(code)) and "case" in code
    seen = [int(n) for n, _ in _PLACE.findall(code)]
    if is_parser:  # `$1` and `$2` are an option and its value
        behind = code[code.rfind("done") :] if "done" in code else code
        seen = [int(n) for n, _ in _PLACE.findall(behind)]
        assigned = [each for each in assigned if f"{each[0]}=" in behind]
    wanted = max([*seen, *(at for _, at, _ in assigned)], default=0)
    defaults = {int(n) for n, default in _PLACE.findall(code) if default}
    usage = _USAGE.search(said) or _USAGE.search(code)
    operands = [a or b for a, b in _OPERAND.findall(_FLAGS.sub("", usage[1]))] if usage else []
    if not operands and (shown := _ASKED.search(request)):
        operands = [b for _, b in _OPERAND.findall(_FLAGS.sub("", shown[1])) if b]
    made = list[Place]()
    for at in range(1, min(wanted, _MOST_PLACES) + 1):
        name = next((name for name, place, _ in assigned if place == at), "")
        told = name or (operands[at - 1] if len(operands) >= at else "")
        kind = kind_of(told, code, name, request, str(at))
        compared = tuple(_compared(code, name, at))
        kind = "word" if len(compared) > 1 and kind == "number" else kind
        made.append(Place(kind, told, at in defaults, compared))
    return tuple(made)


def _compared(code: str, name: str, at: int) -> Iterator[str]:
    """The texts that it is compared with, plain ones only."""
    ref = rf"\$\{{?(?:{re.escape(name) or at}|{at})(?:,,|\^\^)?\}}?\"?"
    if case := re.search(rf"\bcase\s{{1,9}}\"?{ref}\s{{1,9}}in\b", code):
        end = code.find("esac", case.end())
        for labels in _LABELS.findall(code[case.end() : end if end > 0 else len(code)]):
            names = (each.strip(" \t\"'\\") for each in labels.split("|"))
            for each in names:
                yield from each[1:-1] if _ONE_OF.match(each) else filter(_PLAIN.fullmatch, [each])
    for found in islice(
        re.finditer(rf"{ref}\s{{1,9}}==?\s{{1,9}}\"?([^\s\"'$*\]]{{1,20}})", code), 9
    ):
        yield found[1]


def _commands(code: str) -> Iterator[str]:
    """The words of the first choice between several."""
    case = _ANY_CASE.search(code)
    if not case:
        return
    end = code.find("esac", case.end())
    for labels in _LABELS.findall(code[case.end() : end if end > 0 else len(code)]):
        names = (each.strip(" \t\"'") for each in labels.split("|"))
        yield from (each for each in names if each.isalpha() and len(each) > 1)


def _options(code: str, request: str) -> Iterator[tuple[str, str]]:
    if found := _GETOPTS.search(code):
        letters = found[1]
        for at, letter in enumerate(letters):
            if letter.isalpha() and letter != "h":
                has_value = letters[at + 1 : at + 2] == ":"
                yield f"-{letter}", _value_of(letter, code, request) if has_value else ""
        return
    for option, body in _CASE.findall(code):
        if option != "-h":
            named = _ASSIGNED.search(body)
            value = named and kind_of(named["name"], code, named["name"], request)
            yield option, value or ""


def _value_of(letter: str, code: str, request: str) -> str:
    """The kind of `x) name=$OPTARG`."""
    found = re.search(rf"\b{letter}\)\s{{0,20}}(\w{{1,40}})=\"?\$\{{?OPTARG", code)
    return kind_of(found[1], code, found[1], request) if found else "word"


def _without_fed(code: str) -> str:
    """Without loops that read what a file or a command gives them."""
    return (
        ""
        if re.search(r"\bdone[^\S\n]{0,9}<", code) or re.search(r"<<<|\|\s{0,9}while\b", code)
        else code
    )
