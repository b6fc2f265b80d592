"""What is there before a test begins, as pytest has it: set-up functions and fixtures. For
`run_test_files.py`, in the sandbox."""

import importlib
import inspect
import types
import unittest
from collections.abc import Callable, Iterator, Sequence
from typing import Any

_SET_UP: set[object] = set()


def set_up_once(whole: Any, name: str) -> None:
    """What a module or a class does before the first of its tests."""
    if whole not in _SET_UP:
        _SET_UP.add(whole)
        set_up(whole, name, whole)


def set_up(holder: object, name: str, given: object) -> None:
    setup = getattr(holder, name, None)
    if setup:
        setup(*[given] * len(inspect.signature(setup).parameters))


class Fixtures:
    """What one test takes, each made once: the fixtures of its class, its module and those that
    are for several modules, then pytest's own."""

    def __init__(self, homes: Sequence[object], ends: list[Iterator[object]]) -> None:
        self._homes, self._ends = homes, ends
        self._made: dict[str, Any] = {}

    def use_unasked(self, test: object) -> None:
        """Those that are for every test, and those that a mark names."""
        for home in reversed(self._homes):
            for name, value in list(vars(_owner(home)).items()):
                if inspect.isfunction(value) and getattr(value, "is_autouse", False):
                    self._value(name)
        for marked in (_owner(self._homes[0]), test):
            for name in getattr(marked, "used_fixtures", ()):
                self._value(name)

    def arguments(self, function: Callable[..., object], given: dict[str, Any]) -> dict[str, Any]:
        """What a test or a fixture takes: its parameters, and fixtures by their names."""
        return {
            name: given[name] if name in given else self._value(name)
            for name, parameter in inspect.signature(function).parameters.items()
            if name in given or parameter.default is inspect.Parameter.empty
        }

    def _value(self, name: str) -> Any:
        if name not in self._made:
            found = (getattr(home, name, None) for home in self._homes)
            fixture = next((each for each in found if hasattr(each, "is_fixture")), _own(name))
            if fixture is None:
                raise unittest.SkipTest(f"there is no fixture {name} here")
            if inspect.iscoroutinefunction(fixture) or inspect.isasyncgenfunction(fixture):
                raise unittest.SkipTest(f"the fixture {name} is asynchronous")
            made = fixture(**self.arguments(fixture, {}))
            if inspect.isgenerator(made):
                self._ends.append(made)
                made = next(made)
            self._made[name] = made
        return self._made[name]


def _own(name: str) -> Any:
    found = getattr(importlib.import_module("laios_pytest_fixtures"), name, None)
    return found if hasattr(found, "is_fixture") else None


def _owner(home: object) -> object:
    return home if isinstance(home, types.ModuleType) else type(home)
