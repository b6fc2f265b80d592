"""Programs that call a function of another one, in the same language: the driver that stands beside
it makes the call whose number is its only argument and prints what comes of it. Pure."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pipeline.analysis.signatures.signature import Signature
from pipeline.sandbox import Case
from pipeline.testcases.c_driver import c_driver
from pipeline.testcases.call_slots import Slot, for_values, slots_of, values_of
from pipeline.testcases.cpp_driver import cpp_driver
from pipeline.testcases.driver_parts import FunctionCall, Given, NoDriver
from pipeline.testcases.go_driver import go_driver
from pipeline.testcases.java_driver import java_driver
from pipeline.testcases.rust_driver import rust_driver
from pipeline.testcases.typescript_driver import typescript_driver
from pipeline.testcases.value_kinds import Kind, as_written

_BITS, _LONG = re.compile(r"128|16|32|64|8"), re.compile(r"long|size", re.IGNORECASE)


def driver_of(language: str, calls: Sequence[tuple[Signature, Case]]) -> str:
    """Its source. What it prints after MARK is the result, as text in which the same results are
    the same: fractions with six digits, what has no order sorted. Nothing where there is no result;
    of a function that gives none what it left in what may be changed. Raises NoDriver."""
    try:
        return _WRITERS[language](
            [function_call(language, signature, case) for signature, case in calls]
        )
    except (ValueError, TypeError, AttributeError, KeyError) as error:
        if isinstance(error, NoDriver):
            raise
        raise NoDriver("it takes other arguments") from None


def function_call(language: str, signature: Signature, case: Case) -> FunctionCall:
    """Raises NoDriver, ValueError and the like for arguments that it does not take."""
    slots = slots_of(language, signature)
    if slots is None:
        raise NoDriver("it takes what no plain value is")
    slots = for_values(language, slots, case.arguments.args)
    return FunctionCall(signature, slots, _given(language, slots, case))


def _given(language: str, slots: Sequence[Slot], case: Case) -> Given:
    """The values, by the places of their parameters. Raises ValueError and the like for what these
    parameters cannot be."""
    if case.arguments.kwargs:
        raise ValueError("there are no keywords")
    values = zip(values_of(slots), case.arguments.args, strict=True)
    is_example = case.anchor
    fitted = iter(
        [
            _as_written(language, slot.kind, value) if is_example else slot.kind.fit(value)
            for slot, value in values
        ]
    )
    return {at: next(fitted) for at, slot in enumerate(slots) if slot.role == "value"}


def _as_written(language: str, kind: Kind, value: Any) -> Any:
    if kind.name == "int" and type(value) is int and _holds(language, kind, value):
        return value
    if isinstance(value, set) and kind.name != "set":
        raise ValueError("nobody knows their order")
    return as_written(kind.fit(value), value)


def _holds(language: str, kind: Kind, number: int) -> bool:
    """Whether a whole number's type is known to be wide enough: calls that are made up stay far
    from its ends."""
    found = _BITS.search(kind.text)
    is_long = _LONG.search(kind.text) or (language == "go" and kind.text in ("int", "uint"))
    bits = int(found[0]) if found else 64 if is_long else 0
    low, high = (-(2**bits) // 2, 2**bits // 2) if kind.is_signed else (0, 2**bits)
    return low <= number < high and bits > 0


_WRITERS: Mapping[str, Callable[[Sequence[FunctionCall]], str]] = {
    "c": c_driver,
    "cpp": cpp_driver,
    "go": go_driver,
    "java": java_driver,
    "rust": rust_driver,
    "typescript": typescript_driver,
}
