"""Fixtures of pytest's own, as far as generated tests use them: `tmp_path`, `capsys` and
`monkeypatch`. For `run_test_files.py`, in the sandbox."""

import contextlib
import io
import os
import pkgutil
import sys
import tempfile
from collections.abc import Callable, Iterator, MutableMapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from pipeline.sandbox.sandbox_scripts.pytest import fixture
else:
    from pytest import fixture

_NOTHING = object()


@fixture
def tmp_path() -> Path:
    return Path(tempfile.mkdtemp())


class Captured(NamedTuple):
    out: str
    err: str


class Capture:
    """What is written to the standard streams while it is open."""

    def __init__(self) -> None:
        self._out, self._err = io.StringIO(), io.StringIO()

    def readouterr(self) -> Captured:
        """What was written since the last time."""
        found = Captured(self._out.getvalue(), self._err.getvalue())
        for stream in (self._out, self._err):
            stream.seek(0)
            stream.truncate()
        return found

    @contextlib.contextmanager
    def open(self) -> Iterator["Capture"]:
        with contextlib.redirect_stdout(self._out), contextlib.redirect_stderr(self._err):
            yield self

    @contextlib.contextmanager
    def disabled(self) -> Iterator[None]:
        with contextlib.redirect_stdout(sys.__stdout__), contextlib.redirect_stderr(sys.__stderr__):
            yield


@fixture
def capsys() -> Iterator[Capture]:
    with Capture().open() as capture:
        yield capture


class MonkeyPatch:
    """Changes that are taken back when the test ends."""

    def __init__(self) -> None:
        self._back: list[Callable[[], object]] = []

    def undo(self) -> None:
        while self._back:
            self._back.pop()()

    @contextlib.contextmanager
    def context(self) -> Iterator["MonkeyPatch"]:
        inner = MonkeyPatch()
        try:
            yield inner
        finally:
            inner.undo()

    def setattr(self, target: Any, name: Any, value: Any = _NOTHING, raising: bool = True) -> None:
        """Of an object, or by its whole name: `setattr("module.name", value)`."""
        if isinstance(target, str):
            place, _, word = target.rpartition(".")
            value, target, name = name, pkgutil.resolve_name(place), word
        old = getattr(target, name, _NOTHING)
        if old is _NOTHING and raising:
            raise AttributeError(f"{target!r} has no attribute {name!r}")
        if isinstance(target, type):  # a static method stays one
            old = vars(target).get(name, _NOTHING)
        self._back.append(
            lambda: delattr(target, name) if old is _NOTHING else setattr(target, name, old)
        )
        setattr(target, name, value)

    def delattr(self, target: Any, name: str, raising: bool = True) -> None:
        old = getattr(target, name, _NOTHING)
        if old is not _NOTHING:
            self._back.append(lambda: setattr(target, name, old))
        if old is not _NOTHING or raising:
            delattr(target, name)

    def setitem(self, mapping: MutableMapping[Any, Any], key: Any, value: Any) -> None:
        self._keep(mapping, key)
        mapping[key] = value

    def delitem(self, mapping: MutableMapping[Any, Any], key: Any, raising: bool = True) -> None:
        if key in mapping or raising:
            self._keep(mapping, key)
            del mapping[key]

    def _keep(self, mapping: MutableMapping[Any, Any], key: Any) -> None:
        old = mapping.get(key, _NOTHING)
        self._back.append(
            lambda: mapping.pop(key, None) if old is _NOTHING else mapping.__setitem__(key, old)
        )

    def setenv(self, name: str, value: str, prepend: str | None = None) -> None:
        if prepend and name in os.environ:
            value = f"{value}{prepend}{os.environ[name]}"
        self.setitem(os.environ, name, str(value))

    def delenv(self, name: str, raising: bool = True) -> None:
        self.delitem(os.environ, name, raising)

    def chdir(self, path: str | Path) -> None:
        before = Path.cwd()
        self._back.append(lambda: os.chdir(before))
        os.chdir(path)

    def syspath_prepend(self, path: str | Path) -> None:
        before = [*sys.path]
        self._back.append(lambda: sys.path.__setitem__(slice(None), before))
        sys.path.insert(0, str(path))


@fixture
def monkeypatch() -> Iterator[MonkeyPatch]:
    patch = MonkeyPatch()
    yield patch
    patch.undo()
