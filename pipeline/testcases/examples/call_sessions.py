"""Examples of a call whose value alone does not tell whether they hold, as sessions: what is
printed, and numbers that are written with fewer digits than they have. Pure."""

import re
from typing import Any

from pipeline.analysis.evidence import named_language
from pipeline.sandbox.testcase import Arguments, Case

_PRINTED = """\
from ast import literal_eval
from contextlib import redirect_stdout
from io import StringIO
with redirect_stdout(StringIO()) as printed: returned = {call}
{value}"""
FRACTION = re.compile(r"(?<![\w.])\d+\.(\d{1,9})(?![\w.])")
# Of a request that says how many digits there shall be.
ROUNDS = re.compile(
    r"round|decimal|digit|precis|format|rund|nachkomma|arrond|d[ée]cimal|redond|округл|小数",
    re.IGNORECASE,
)


def printing(call: str, function: str, wanted: Any) -> Case:
    """What a call is said to print: it may return it as well."""
    if isinstance(wanted, str):
        value, wanted = "printed.getvalue().strip() or returned", wanted.strip()
    else:
        value = "literal_eval(printed.getvalue().strip() or repr(returned))"
    return Case(Arguments(), wanted, function, session=_PRINTED.format(call=call, value=value))


def drawing(call: str, function: str, wanted: list[Any] | tuple[Any, ...]) -> Case:
    """What a call gives as a list or tuple, or one by one."""
    return Case(Arguments(), wanted, function, session=f"{type(wanted).__name__}({call})")


def about(call: str, function: str, wanted: Any, written: str) -> Case | None:
    """What a call is said to be close to, to the last digit that is `written`."""
    if not isinstance(wanted, int | float) or isinstance(wanted, bool):
        return None
    digits = max(map(len, FRACTION.findall(written)), default=0)
    session = f"abs({call} - {wanted!r}) <= {10**-digits!r}"
    return Case(Arguments(), True, function, session=session)


def cut_off(call: str, function: str, wanted: Any, written: str, text: str) -> Case | None:
    """Fractions that are written with two digits or more, where the request does not say how many
    there are to be: more of them may come. None for what else is expected."""
    digits = max(map(len, FRACTION.findall(written)), default=0)
    if digits < 2 or ROUNDS.search(text) or named_language(text) not in (None, "python"):
        return None
    match wanted:
        case float():
            session = f"round({call}, {digits})"
        case [float() | int(), *_] if all(type(each) in (float, int) for each in wanted):
            kind = type(wanted).__name__
            session = f"{kind}(round(each, {digits}) for each in {call})"
        case _:
            return None
    return Case(Arguments(), wanted, function, session=session)
