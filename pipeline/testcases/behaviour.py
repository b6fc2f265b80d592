"""What programs do on the same calls, and which of them do the same. Pure."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.sandbox.test_result import Result
from pipeline.sandbox.value_comparison import written

_WRITTEN_BITS = 14_000  # Python writes no number of more than 4,300 digits in base 10
_DIGITS = 6  # of a float: programs may add up in another order


@dataclass(frozen=True, slots=True)
class Behaviour:
    """What came of each call, as text: the value, the exception's name, or the limit that was
    reached. `returned`: how many gave a value."""

    outcomes: tuple[str, ...] = ()
    returned: int = 0

    @classmethod
    def of(cls, results: Sequence[Result]) -> "Behaviour":
        return cls(tuple(map(_outcome, results)), sum(result.gave for result in results))

    @classmethod
    def of_output(cls, result: Result) -> "Behaviour":
        """Of a program that was run: what it printed, but for blanks at the ends of lines. One that
        printed nothing gave no value."""
        printed = str(result.value) if result.gave else ""
        lines = "\n".join(line.rstrip() for line in printed.splitlines()).strip()
        return cls((f"printed {lines}" if lines else result.came,), bool(lines))


def _outcome(result: Result) -> str:
    if result.gave:
        return f"gave {written(_rounded(result.value))}"
    return f"raised {result.raised[0]}" if result.raised else result.came


def _rounded(value: Any) -> Any:
    match value:
        case float():
            return float(f"{value:.{_DIGITS}g}")
        case int() if value.bit_length() > _WRITTEN_BITS:
            return hex(value)
        case list() | tuple():
            return type(value)(map(_rounded, value))
        case dict():
            return {key: _rounded(each) for key, each in sorted(value.items(), key=written)}
        case set() | frozenset():
            return sorted(value, key=written)
    return value


def classes(behaviours: Iterable[Behaviour]) -> list[list[int]]:
    """The numbers of those that do the same, largest class first, of equals the earlier one. One
    that never gives a value is alone, and last."""
    alike: dict[object, list[int]] = defaultdict(list)
    for number, behaviour in enumerate(behaviours):
        alike[behaviour if behaviour.returned else number].append(number)
    silent = {number for number, each in enumerate(behaviours) if not each.returned}
    return sorted(alike.values(), key=lambda each: (each[0] in silent, -len(each), each[0]))
