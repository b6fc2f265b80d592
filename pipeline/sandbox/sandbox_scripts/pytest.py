"""As much of pytest as generated tests use, for the sandbox, where no packages are: `raises`,
`warns`, `approx`, `fixture`, `skip`, `fail`, and the marks `parametrize`, `skip`, `xfail` and
`usefixtures`."""

import math
import re
import unittest
import warnings
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
        self.type: type[BaseException] | None = None
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
        self.value, self.type = error, kind
        if self._match and isinstance(error, self._expected):
            self.match(self._match)
        return isinstance(error, self._expected)

    def match(self, pattern: str) -> bool:
        assert re.search(pattern, str(self.value)), f"{str(self.value)!r} does not match"
        return True


class warns(warnings.catch_warnings):
    """A block that has to warn; the list of the warnings in it."""

    def __init__(
        self, expected: type[Warning] | tuple[type[Warning], ...] = Warning, *, match: str = ""
    ) -> None:
        super().__init__(record=True)
        self._expected, self._match = expected, match

    def __enter__(self) -> Any:
        self._caught = super().__enter__()
        warnings.simplefilter("always")
        return self._caught

    def __exit__(self, *raised: Any) -> None:
        super().__exit__(*raised)
        fitting = (each for each in self._caught or () if issubclass(each.category, self._expected))
        if raised[0] is None and not any(re.search(self._match, str(e.message)) for e in fitting):
            raise AssertionError(f"did not warn {self._expected}")


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
        made.is_autouse = bool(options.get("autouse"))
        return made

    return mark(function) if function else mark


def skip(reason: str = "") -> None:
    raise unittest.SkipTest(reason or "skipped")


def fail(reason: str = "") -> None:
    raise AssertionError(reason)


def main(*args: object, **options: object) -> int:
    """For a file that ends with it: its tests are run all the same."""
    return 0


class param(tuple[Any, ...]):
    """A row of parameters. One that is marked to be skipped or to fail is left out."""

    is_left_out = False

    def __new__(cls, *values: Any, marks: Any = (), **options: Any) -> "param":
        made = super().__new__(cls, values)
        listed = marks if isinstance(marks, list | tuple) else [marks]
        made.is_left_out = any(getattr(each, "leaves_out", False) for each in listed)
        return made


def _leaves_out(mark: Any) -> Any:
    mark.leaves_out = True
    return mark


class _Marks:
    def parametrize(
        self, names: str | Sequence[str], values: Iterable[Any], **options: Any
    ) -> Callable[[Any], Any]:
        listed = [n.strip() for n in names.split(",")] if isinstance(names, str) else list(names)
        kept = (value for value in values if getattr(value, "is_left_out", False) is not True)
        rows = [dict(zip(listed, _row(value, len(listed)), strict=True)) for value in kept]

        def mark(test: Any) -> Any:
            before = getattr(test, "parameter_sets", [{}])
            test.parameter_sets = [{**old, **new} for old in before for new in rows]
            return test

        return mark

    @_leaves_out
    def skip(self, reason: Any = "", **options: Any) -> Any:
        if callable(reason):
            reason.skipped = "skipped"
            return reason

        def mark(test: Any) -> Any:
            test.skipped = reason or options.get("reason") or "skipped"
            return test

        return _leaves_out(mark)

    @_leaves_out
    def xfail(self, condition: Any = True, **options: Any) -> Any:
        """A test that is expected to fail proves nothing."""
        if callable(condition):
            return self.skip("it is expected to fail")(condition)
        return self.skip("it is expected to fail") if condition else lambda test: test

    def usefixtures(self, *names: str) -> Any:
        def mark(test: Any) -> Any:
            test.used_fixtures = names
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


def __getattr__(name: str) -> Any:
    """A test that uses more than there is proves nothing."""
    if name.startswith("__"):
        raise AttributeError(name)
    raise unittest.SkipTest(f"there is no pytest.{name} here")
