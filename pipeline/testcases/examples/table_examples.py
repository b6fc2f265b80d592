"""Examples in the form of a Markdown table: columns of input, and one of what is expected."""

import re
from collections.abc import Iterator, Set
from dataclasses import replace
from typing import Any

from pipeline.sandbox.testcase import Arguments, Case, Raises
from pipeline.testcases.examples.example import Found
from pipeline.testcases.literals import ERROR_NAME, read_arguments, read_literal, read_word

_RULE = re.compile(r":?-+:?")
_EXPECTED = re.compile(
    r"\b(?:expect\w*|outputs?|results?|returns?|returned|should (?:be|return)|answer|value)\b",
    re.IGNORECASE,
)
_WANTED = re.compile(r"\b(?:expect\w*|should|desired|wanted|correct)\b", re.IGNORECASE)
_RESULT = re.compile(r"outputs?|results?|returns?|returned", re.IGNORECASE)
# What comes today.
_SEEN = re.compile(
    r"(?:actual|got|observed|received)\b.*"
    r"|(?:current(?:ly)?|wrong|old|my)\b.*\b(?:outputs?|results?|returns?|returned|values?)\b.*",
    re.IGNORECASE,
)
_DEFAULT = re.compile(r"default\b", re.IGNORECASE)
_CALL = re.compile(r"`?([A-Za-z_]\w*)\((.*)\)`?", re.DOTALL)
_CALLED = re.compile(r"\b([A-Za-z_]\w*)\(")
_RAISES = re.compile(rf"(?:raises?\s+)?`?({ERROR_NAME})`?")
_NO_INPUT = re.compile(
    r"#|no\.?|nr\.?|case|test(?: case)?|example|notes?|why|reason|comment|explanation|description",
    re.IGNORECASE,
)
_WORDS = re.compile(r"[\w.-]{1,20}(?: [\w.-]{1,20}){1,3}")


def find(text: str) -> Found:
    """Tables with a column whose head says that it is expected (`Output`, `Result`, `f(n)`, …)."""
    found, called = Found(), frozenset(_CALLED.findall(text) if "|" in text else ())
    for heads, cells in rows_of(text):
        target = _target(heads, called)
        if target is None:
            continue
        example = _read(heads, cells, target)
        if example:
            found.examples.append(example)
        else:
            found.warnings.append("a row of a table could not be read as an example")
    return found


def rows_of(text: str) -> Iterator[tuple[list[str], list[str]]]:
    """The heads of a table of two columns or more, with the cells of each of its rows."""
    lines = iter(text.split("\n"))
    head = ""
    for line in lines:
        heads = _cells(head)
        is_table = "|" in head and _is_rule(line) and len(heads) > 1
        head = line
        if not is_table:
            continue
        for row in lines:  # which no other table reads again
            head = row
            cells = _cells(row)
            if "|" not in row or len(cells) != len(heads):
                break
            yield heads, cells


def _is_rule(line: str) -> bool:
    """The line below a table's heads: `|---|:-:|`."""
    return "-" in line and all(_RULE.fullmatch(cell) for cell in _cells(line))


def _cells(line: str) -> list[str]:
    inner = line.strip().removeprefix("|")
    inner = inner[:-1] if inner.endswith("|") and not inner.endswith("\\|") else inner
    parts = re.split(r"(?<!\\)\|", inner)
    return [part.replace("\\|", "|").strip().strip("*") for part in parts]


def _target(heads: list[str], called: Set[str]) -> int | None:
    """The column of expected values: the last whose head says so, or is a call such as `f(n)`; one
    that says "expected" before one that says "result"; else the only one that has the name of
    something `called`."""
    others = [_SEEN.fullmatch(head) or _DEFAULT.match(head) for head in heads]
    columns = [n for n in range(len(heads) - 1, 0, -1) if not others[n]]
    wanted = [n for n in columns if _WANTED.search(heads[n])]
    results = [n for n in columns if _EXPECTED.search(heads[n]) or _CALL.fullmatch(heads[n])]
    named = [n for n in columns if heads[n].strip("`") in called]
    return next(iter(wanted or results or (named if len(named) == 1 else ())), None)


def _read(heads: list[str], cells: list[str], target: int) -> Case | None:
    inputs = [
        _bare(cell)
        for n, cell in enumerate(cells)
        if n < target and _is_input(heads[n].strip("`"), heads[target])
    ]
    head = _CALL.fullmatch(heads[target])
    try:
        if len(inputs) == 1 and (call := _CALL.fullmatch(inputs[0])):
            return Case(read_arguments(call[2]), _expected(cells[target]), call[1])
        if len(inputs) == 1:
            arguments = replace(read_arguments(inputs[0]), labelled=True)
        else:
            arguments = Arguments(tuple(_given(each) for each in inputs))
        if not arguments.args and not arguments.kwargs:
            return None
        expected = _expected(cells[target])
    except ValueError:
        return None
    return Case(arguments, expected, head[1] if head else "")


def _is_input(head: str, target: str) -> bool:
    """Not where it counts, explains, or says what comes today beside what is expected."""
    if _NO_INPUT.fullmatch(head) or _SEEN.fullmatch(head):
        return False
    return not (_WANTED.search(target) and _RESULT.fullmatch(head))


def _bare(cell: str) -> str:
    """Without the marks of code, which may stand around each value of several."""
    inner = cell.strip("`").strip()
    return inner if "`" not in inner else cell.replace("`", "").strip()


def _given(cell: str) -> Any:
    """A literal, or one bare word beside others, which is a text."""
    try:
        return read_literal(cell)
    except ValueError:
        if cell.isalpha():
            return cell
        raise


def _expected(cell: str) -> Any:
    """A literal, an exception, or bare words, which are a text."""
    raised = _RAISES.fullmatch(cell)
    if raised:
        return Raises(raised[1])
    bare = _bare(cell)
    try:
        return read_literal(bare)
    except ValueError:
        return bare if _WORDS.fullmatch(bare) else read_word(bare)
