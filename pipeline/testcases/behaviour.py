"""What programs do on the same calls, and which of them do the same. Pure."""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pipeline.sandbox import Foreign
from pipeline.sandbox.test_result import CaseResult
from pipeline.sandbox.value_comparison import ABSOLUTE, in_one_order, same, same_text, written
from pipeline.testcases.printed_frames import without_layout
from pipeline.testcases.printed_values import printed_values
from pipeline.testcases.run_outputs import said_in_runs
from pipeline.testcases.shell_outcomes import NOTHING, outcomes_of_shell
from pipeline.testcases.surroundings import is_of_surroundings
from pipeline.testcases.table_values import with_plain_tables

_WRITTEN_BITS = 14_000  # Python writes no number of more than 4,300 digits in base 10
_DIGITS = 6  # of a float: programs may add up in another order
_LEAST_VALUES, _LEAST_PART = 3, 3  # that are given, at least; in a third of the calls
_CUT, _COMPARED = 2_000, 1_500  # characters of what a program printed
_SPEAKS_OF_OUTPUT = re.compile(
    r"\bprint|\bshow|\bdisplay|\boutput|\breport|\bstdout|\bconsole|\btell|\bsay|\blog|\bausg|\bzeig"
    r"|\bcount|\bmessage|\blist",
    re.IGNORECASE,
)
_MOST_READ = 20_000  # characters of a request
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
_LACKS = re.compile(r"\[Errno \d{1,3}\]|^Traceback \(most recent call last\):", re.MULTILINE)
# What a program raises by its own mistake, hardly ever because a call is wrong.
_OWN_FAULTS = {"AttributeError", "NameError", "RecursionError", "TypeError", "UnboundLocalError"}
_OWN_FAULTS |= {"UnsupportedOperation"}  # to read from what is open for writing
_OWN_FAULTS |= {"ReferenceError"}  # of JavaScript
_OWN_FAULTS |= {"Crash"}  # of compiled code


@dataclass(frozen=True, slots=True)
class Behaviour:
    """What came of each call, as text: the value, where it is None what was printed or changed
    instead, the files that were written, the exception's name, or the limit that was reached.
    `returned`: how many gave a value;
    `crashed`: in how many it fell over its own code, or did not end; `lack`: why what is given does
    not say what it does, "" where it does; `lacks_surroundings`: each failed for want of what a
    sandbox does not have. `printed`: of programs that were run, what each run printed
    and left."""

    outcomes: tuple[str, ...] = ()
    returned: int = 0
    crashed: int = 0
    lack: str = ""
    lacks_surroundings: bool = False
    printed: tuple[str, ...] = field(default=(), compare=False)

    @classmethod
    def of(
        cls,
        results: Sequence[CaseResult],
        request: str = "",
        program: str = "",
        language: str = "python",
    ) -> "Behaviour":
        crashed = sum(map(is_own_fault, results))
        observed = outcomes_of_shell if language == "bash" else _outcomes
        outcomes = tuple(observed(results, request, program))
        pairs = zip(outcomes, results, strict=True)
        given = [each for each, result in pairs if result.gave and each != NOTHING]
        lack, apart = _lack_of(given, len(outcomes)), are_of_surroundings(results, program)
        printed = _printed(results, exactly=language == "bash")
        lack = lack or (_errors(results) if printed else "")
        return cls(outcomes, len(given), crashed, lack, apart, printed)

    @property
    def says_nothing(self) -> bool:
        """It never gives a value, or crashes in most calls: to fail alike is no agreement."""
        return not self.returned or self.crashed * 2 > len(self.outcomes)

    @classmethod
    def of_output(cls, result: CaseResult, request: str) -> "Behaviour":
        """Of a program that was run: the values that it printed, where there are any, else its
        lines but for blanks at their ends. One that printed nothing gave no value, nor did one
        that says what the sandbox lacks."""
        printed = without_layout(str(result.value)) if result.gave else ""
        if _LACKS.search(printed):
            return cls((f"printed {printed.strip()}",))
        said = _said(printed, request)
        return cls((f"printed {said}" if said else result.came,), bool(said))


def are_of_surroundings(results: Sequence[CaseResult], program: str) -> bool:
    """Whether each may have failed for want of what a sandbox does not have."""
    return bool(results) and all(
        is_of_surroundings(set(each.raised), each.error, program) for each in results
    )


def is_own_fault(result: CaseResult) -> bool:
    """Whether it fell over its own code, or did not end."""
    return result.came in ("cpu", "output") or (
        bool(result.raised) and result.raised[0] in _OWN_FAULTS
    )


def _lack_of(given: Sequence[str], calls: int) -> str:
    """Too few of the calls give something, or all the same: pairs of drafts that agree on no more
    are mostly wrong (docs/studies/agreement.md)."""
    if calls == 1:
        return ""
    if len(given) < _LEAST_VALUES or len(given) * _LEAST_PART < calls:
        return f"of which {len(given)} return{'s' if len(given) == 1 else ''} a value"
    return "which all give the same result" if len(set(given)) == 1 else ""


def _printed(results: Sequence[CaseResult], *, exactly: bool) -> tuple[str, ...]:
    """What each run of a program printed, wrote and ended with; () for calls. `exactly`: with the
    blanks at the ends of lines."""
    if not any(each.came == "printed" for each in results):
        return ()
    return tuple(
        f"{each.value if exactly else _uncut(str(each.value))}\0{_files(each.wrote)}\0{each.ended}"
        if each.gave
        else ""
        for each in results
    )


def _uncut(printed: str) -> str:
    """Of a text that was cut the beginning: blanks at the ends of its lines counted, too."""
    return _plain(printed)[:_COMPARED] if len(printed) >= _CUT else _plain(printed)


def _errors(results: Sequence[CaseResult]) -> str:
    """Of runs with input that the request describes, of which a program is to take any."""
    failed = sum(bool(each.raised) for each in results)
    return f"of which {failed} end{'s' if failed == 1 else ''} with an error" if failed else ""


def _said(printed: str, request: str) -> str:
    return printed_values(printed, request) or _plain(printed)


def _plain(printed: str) -> str:
    """But for blanks at the ends of lines."""
    return "\n".join(line.rstrip() for line in printed.splitlines()).strip()


def _outcomes(results: Sequence[CaseResult], request: str, program: str) -> Iterator[str]:
    printed = [without_layout(str(each.value)) for each in results if each.came == "printed"]
    said = iter(said_in_runs(printed, program, request)) if printed else iter(())
    speaks = _SPEAKS_OF_OUTPUT.search(request[:_MOST_READ])
    for result in results:
        if result.came == "printed":
            printed_words = next(said)
            yield _outcome_of_run(printed_words if speaks or not result.wrote else "", result)
        else:
            yield _outcome(result, request)


def _outcome_of_run(said: str, result: CaseResult) -> str:
    """Of a program. `said`: what it printed but for its own words."""
    wrote = f"wrote {_files(result.wrote)}" if result.wrote else ""
    ended = f"ended with {result.ended}" if result.ended else ""
    return " and ".join(filter(None, [f"printed {said}" if said else "", wrote, ended])) or NOTHING


def _outcome(result: CaseResult, request: str) -> str:
    if not result.gave:
        return f"raised {result.raised[0]}" if result.raised else result.came
    wrote = f"wrote {_files(result.wrote)}" if result.wrote else ""
    if did := effect(result, request):
        done = [did, wrote]
    else:
        value = in_one_order(result.value) if result.case.unordered else result.value
        value = with_plain_tables(_rounded(value), request, result.case.session)
        done = ["" if wrote and value is None else f"gave {written(value)}", wrote]
    return " and ".join(filter(None, done))


def _files(wrote: Mapping[str, str | None]) -> str:
    """As they are compared: JSON by its values, any other text but for blanks at its ends."""
    return written({name: _content(text) for name, text in sorted(wrote.items())})


def _content(text: str | None) -> Any:
    if text is None:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return "\n".join(line.rstrip() for line in text.splitlines()).strip()


def comes_to(result: CaseResult) -> bool:
    """Whether a call gives what is expected, or gives None and prints that, or makes its first
    argument so: a model that writes tests has not seen which of them the function does."""
    expected = result.case.expected
    if result.passed or not result.gave or result.value is not None:
        return result.passed
    printed = isinstance(expected, str) and bool(result.printed)
    if printed and same_text(result.printed.strip(), expected.strip()):
        return True
    return bool(result.left) and same(result.left[0], expected)


def effect(result: CaseResult, request: str = "") -> str:
    """What a call did that gave None: printed, or changed its arguments; "" for neither."""
    printed = _said(result.printed, request)
    left = result.left[0] if len(result.left) == 1 else result.left
    changed = f"left {written(_rounded(left))}" if result.has_changed else ""
    return " and ".join(filter(None, [printed and f"printed {printed}", changed]))


def differ(results: Iterable[CaseResult]) -> bool:
    """Whether they have more than one value, or do several things in its place."""
    return len({_outcome(result, "") for result in results}) > 1


def _rounded(value: Any) -> Any:
    match value:
        case Foreign():
            return Foreign(value.kind, _ADDRESS.sub("", value.shown), _rounded(value.held))
        case float():
            rounded = 0.0 if abs(value) < ABSOLUTE else float(f"{value:.{_DIGITS}g}")
            return int(rounded) if rounded.is_integer() else rounded  # 0.0 is 0, as in a test
        case int() if value.bit_length() > _WRITTEN_BITS:
            return hex(value)
        case list() | tuple():
            return type(value)(map(_rounded, value))
        case dict():
            return {key: _rounded(each) for key, each in sorted(value.items(), key=written)}
        case set() | frozenset():
            return sorted(value, key=written)
    return value


def in_same_words(behaviours: Sequence[Behaviour]) -> list[Behaviour]:
    """With one outcome for runs that printed the same, the first one's: what of it are a program's
    own words, each program's text tells in another way."""
    known: dict[tuple[int, str], str] = {}
    said = []
    for each in behaviours:
        outcomes = list(each.outcomes)
        for at, printed in enumerate(each.printed):
            if printed:
                outcomes[at] = known.setdefault((at, printed), outcomes[at])
        said.append(replace(each, outcomes=tuple(outcomes)))
    return said


def classes(behaviours: Iterable[Behaviour]) -> list[list[int]]:
    """The numbers of those that do the same, largest class first, of equals the earlier one. One
    that says nothing is alone, and last."""
    alike: dict[object, list[int]] = defaultdict(list)
    for number, behaviour in enumerate(behaviours):
        alike[number if behaviour.says_nothing else behaviour].append(number)
    silent = {number for number, each in enumerate(behaviours) if each.says_nothing}
    return sorted(alike.values(), key=lambda each: (each[0] in silent, -len(each), each[0]))
