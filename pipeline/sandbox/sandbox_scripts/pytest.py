"""As much of pytest as generated tests use, for the sandbox, where no packages are: `raises`,
`approx`, `fixture`, `skip`, `fail`, and the marks `parametrize` and `skip`."""

import math
import re
import unittest
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import TracebackType
from typing import Any


class raises:
    """A block, or a call, that has to raise."""

    def __init__(
        self,
        expected: type[BaseException] | tuple[type[BaseException], ...],
        function: Callable[..., object] | None = None,
        *args: Any,
        match: str | None = None,
        **kwargs: Any,
    ) -> None:
        self._expected = expected
        self._match = match
        self.value: BaseException | None = None
        if function is not None:
            with self:
                function(*args, **kwargs)

    def __enter__(self) -> "raises":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        if error is None:
            raise AssertionError(f"did not raise {self._expected}")
        self.value = error
        if self._match and isinstance(error, self._expected):
            assert re.search(self._match, str(error)), f"{str(error)!r} does not match"
        return isinstance(error, self._expected)


class approx:
    """A number, or numbers in a sequence or mapping, within rounding."""

    def __init__(self, expected: Any, rel: float | None = None, abs: float | None = None) -> None:
        self._expected = expected
        self._rel, self._abs = 1e-6 if rel is None else rel, 1e-12 if abs is None else abs

    def __eq__(self, actual: object) -> bool:
        return self._close(actual, self._expected)

    def __hash__(self) -> int:
        return 0

    def __repr__(self) -> str:
        return f"approx({self._expected!r})"

    def _close(self, actual: Any, expected: Any) -> bool:
        if isinstance(expected, Mapping):
            return actual.keys() == expected.keys() and all(
                self._close(actual[key], expected[key]) for key in expected
            )
        if isinstance(expected, Sequence) and not isinstance(expected, str):
            pairs = zip(actual, expected, strict=False)
            return len(actual) == len(expected) and all(self._close(*pair) for pair in pairs)
        if isinstance(expected, int | float) and isinstance(actual, int | float):
            return math.isclose(actual, expected, rel_tol=self._rel, abs_tol=self._abs)
        return bool(actual == expected)


def fixture(function: Any = None, **options: Any) -> Any:
    def mark(made: Any) -> Any:
        made.is_fixture = True
        return made

    return mark(function) if function else mark


def skip(reason: str = "") -> None:
    raise unittest.SkipTest(reason or "skipped")


def fail(reason: str = "") -> None:
    raise AssertionError(reason)


def param(*values: Any, **options: Any) -> tuple[Any, ...]:
    return values


class _Marks:
    def parametrize(
        self, names: str | Sequence[str], values: Iterable[Any], **options: Any
    ) -> Callable[[Any], Any]:
        listed = [n.strip() for n in names.split(",")] if isinstance(names, str) else list(names)
        rows = [dict(zip(listed, _row(value, len(listed)), strict=True)) for value in values]

        def mark(test: Any) -> Any:
            before = getattr(test, "parameter_sets", [{}])
            test.parameter_sets = [{**old, **new} for old in before for new in rows]
            return test

        return mark

    def skip(self, reason: Any = "", **options: Any) -> Any:
        if callable(reason):
            reason.skipped = "skipped"
            return reason

        def mark(test: Any) -> Any:
            test.skipped = reason or options.get("reason") or "skipped"
            return test

        return mark

    def skipif(self, condition: Any, *, reason: str = "skipped") -> Any:
        return self.skip(reason) if condition else lambda test: test

    def __getattr__(self, name: str) -> Any:
        """Other marks change nothing here."""
        return lambda *args, **options: (
            args[0] if len(args) == 1 and callable(args[0]) and not options else lambda test: test
        )


def _row(value: Any, width: int) -> Sequence[Any]:
    return value if width > 1 or (isinstance(value, tuple) and len(value) == width) else (value,)


mark = _Marks()
