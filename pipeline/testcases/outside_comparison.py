"""Tests that only compare plain data, held against what the program's functions really give: in a
process of their own, which does not know what is expected."""

import asyncio
from collections.abc import Iterator, Sequence
from typing import Any

from pipeline.sandbox import ANY_VALUE, CaseResult, Foreign, Limits, run_calls
from pipeline.testcases.plain_tests import AssertedCall, Claim, PlainTest, plain_tests
from pipeline.testcases.suite_run import TestOutcome

# Types that are no plain data and may well be equal to some.
_LIKE_PLAIN = {"Decimal", "Fraction", "dict_keys", "dict_items", "memoryview"}
_LIKE_PLAIN |= {"ndarray", "Series", "DataFrame", "Index"}


async def compared(
    code: str, tests: str, said: Sequence[TestOutcome], limits: Limits
) -> tuple[TestOutcome, ...]:
    """What a program says of its tests, put right for those of them that are plain. That one fails
    is believed. Raises as `sandbox.run` does."""
    plain = await asyncio.to_thread(plain_tests, code, tests)
    if not plain:
        return tuple(said)
    cases = [call.case for test in plain for call in test.calls]
    results = iter(await run_calls(code, cases, limits))
    done = {each.test: each for each in said}
    for test in plain:
        outcome = _verdict(test, [next(results) for _ in test.calls])
        before = done.get(test.name)
        if before is None or before.status == "passed":
            missing = TestOutcome(test.name, "failed", "it did not begin")
            done[test.name] = outcome or before or missing
    return tuple(done.values())


def _verdict(test: PlainTest, results: Sequence[CaseResult]) -> TestOutcome | None:
    """None where a value could not be compared here."""
    for call, result in zip(test.calls, results, strict=True):
        held = _held(call, result)
        if held is None:
            return None
        if not held:
            message = f"{call.case.function}({call.case.arguments}): {result.said}"[:300]
            return TestOutcome(test.name, "failed", message, compared=True)
    return TestOutcome(test.name, "passed", compared=True)


def _held(call: AssertedCall, result: CaseResult) -> bool | None:
    """Whether all that the test says of a call is so."""
    unknown = result.came == "raised" and not result.raised
    if unknown or result.came not in ("returned", "raised", "died"):
        return None
    if call.case.expected is not ANY_VALUE:
        return result.of(call.case).passed
    if result.came != "returned":
        return False
    foreign = {each.kind for each in _foreign(result.value)}
    if not foreign or (any(claim.equal for claim in call.claims) and not foreign & _LIKE_PLAIN):
        return all(_holds(claim, result.value) for claim in call.claims)
    return None


def _holds(claim: Claim, value: Any) -> bool:
    try:
        return bool(claim.holds(value))
    except (TypeError, ValueError, ArithmeticError):  # a text for a number, one beyond all floats
        return False


def _foreign(value: Any) -> Iterator[Foreign]:
    """What of a value is no plain data."""
    if isinstance(value, Foreign):
        yield value
    elif isinstance(value, dict):
        yield from (each for pair in value.items() for item in pair for each in _foreign(item))
    elif isinstance(value, list | tuple | set | frozenset):
        yield from (each for item in value for each in _foreign(item))
