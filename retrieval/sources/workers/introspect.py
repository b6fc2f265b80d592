"""Runs in a user's Python: imports a package's modules and tells what is in them.

`python -I introspect.py FD`, with `{"path", "packages", "modules", "todo"}` on stdin: directories
to import from, the source's packages, all of their public modules, and those to tell about. The
lines on FD are those of retrieval/sources/worker_process.py; an item is `{"part", "classes"}`, the
short names of classes with their qualified ones, or `{"part", "entry"}`
(retrieval/sources/api_entry.py)."""

from __future__ import annotations  # the Python may be an older one than ours

import contextlib
import dis
import importlib
import inspect
import json
import os
import re
import resource
import sys
import types
import warnings
from collections.abc import Iterable, Iterator
from typing import Any

MEMORY = 6 << 30  # bytes
CPU_S = 1_200
MAX_TEXT = 20_000  # characters of one docstring
MAX_SIGNATURE = 1_000
MAX_MEMBERS = 20_000
MAX_DEPTH = 3  # of classes in classes

_ADDRESS = re.compile(r"<[^<>]* at 0x[0-9a-fA-F]+>")
_SETS_UNSEEN = {"setattr", "__dict__", "vars", "__getattr__"}


def main() -> None:
    work = json.loads(sys.stdin.buffer.read())
    report = os.fdopen(int(sys.argv[1]), "w", encoding="ascii")
    _limit(resource.RLIMIT_DATA, MEMORY)
    _limit(resource.RLIMIT_CPU, CPU_S)
    _limit(resource.RLIMIT_CORE, 0)
    warnings.simplefilter("ignore")
    sys.path[:0] = [path for path in work["path"] if path not in sys.path]

    def tell(**line: Any) -> None:
        print(json.dumps(line), file=report, flush=True)

    modules = {}
    for name in sorted(work["modules"]):
        tell(at=name)
        try:
            modules[name] = importlib.import_module(name)
        except BaseException as error:
            tell(failed=name, why=f"{type(error).__name__}: {_text(error)[:300]}")
    walk = Walk(modules, work["packages"])
    todo = [name for name in work["todo"] if name in modules]
    for part in todo[:1]:
        tell(part=part, classes=walk.classes)
    for part in todo:
        tell(at=part)
        for entry in walk.module(part):
            tell(part=part, entry=entry)
        tell(ended=part)
    report.close()


def _limit(what: int, value: int) -> None:
    _, hard = resource.getrlimit(what)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(what, (value if hard < 0 else min(value, hard), hard))


class Walk:
    """What modules hold, each thing told in full at one place, and as an alias at the others."""

    def __init__(self, modules: dict[str, types.ModuleType], packages: list[str]) -> None:
        self._modules = modules
        self._packages = packages
        self._homes: dict[int, str] = {}
        self.classes: dict[str, str] = {}
        for name in sorted(modules, key=lambda name: (name.count("."), name)):
            for key, value in list(vars(modules[name]).items()):
                if isinstance(key, str) and not key.startswith("_"):
                    with contextlib.suppress(Exception):
                        self._settle(name, key, value)

    def _settle(self, module: str, key: str, value: Any) -> None:
        """Finds the home of a thing: the public module that defines it, else the first one that
        shows it."""
        kind = _kind(value)
        if kind not in ("class", "function"):
            return
        own, name = _string(value, "__module__"), _string(value, "__name__")
        if own in self._modules and vars(self._modules[own]).get(name) is value and name[:1] != "_":
            home = f"{own}.{name}"
        elif own and own not in self._modules and not self._is_ours(own):
            return
        else:
            home = f"{module}.{key}"
        self._homes.setdefault(id(value), home)
        if kind == "class":
            self.classes.setdefault(key, self._homes[id(value)])

    def _is_ours(self, module: str) -> bool:
        return any(f"{module}.".startswith(f"{package}.") for package in self._packages)

    def module(self, name: str) -> Iterator[dict[str, Any]]:
        module = self._modules[name]
        names = vars(module)
        yield {
            "name": name,
            "kind": "module",
            "doc": _doc(module),
            "complete": type(module) is types.ModuleType and "__getattr__" not in names,
        }
        for key, value in list(names.items())[:MAX_MEMBERS]:
            if isinstance(key, str) and not key.startswith("__"):
                with contextlib.suppress(Exception):
                    yield self._entry(f"{name}.{key}", value, 0)

    def _entry(self, name: str, value: Any, depth: int) -> dict[str, Any]:
        kind = _kind(value)
        if kind == "module":
            real = _string(value, "__name__")
            return {"name": name, "kind": kind, "alias_of": "" if real == name else real}
        if kind == "attribute":
            return self._attribute(name, value)
        home = self._homes.get(id(value))
        if home != name and not depth:
            if name.rpartition(".")[2].startswith("_"):
                return {"name": name, "kind": kind}
            return {"name": name, "kind": kind, "alias_of": home or _qualified(value)}
        if kind == "function":
            return {"name": name, "kind": kind, "doc": _doc(value), **self._call(value, False)}
        return self._class(name, value, depth)

    def _class(self, name: str, value: type, depth: int) -> dict[str, Any]:
        hidden = self._hidden(value)
        names: dict[str, Any] = {}
        for owner in (value, *hidden):
            for key, member in list(vars(owner).items())[:MAX_MEMBERS]:
                names.setdefault(key, member)
        annotated = [vars(owner).get("__annotations__", ()) for owner in (value, *hidden)]
        bases = [base for owner in (value, *hidden) for base in owner.__bases__]
        members = []
        for key, member in names.items():
            if isinstance(key, str) and not key.startswith("__"):
                with contextlib.suppress(Exception):
                    told = self._member(f"{name}.{key}", member, depth)
                    docs = (_doc(vars(base)[key]) for base in hidden if key in vars(base))
                    told["doc"] = told.get("doc") or next(docs, "")
                    shown = [base for base in value.__mro__[1:-1] if base not in hidden]
                    members.append({**told, "repeats": _repeats(shown, key, told["doc"])})
        stored = set(_stored(names.values())).union(*annotated)
        for key in sorted(stored - names.keys()):
            if isinstance(key, str) and not key.startswith("__"):
                members.append({"name": f"{name}.{key}", "kind": "attribute"})
        return {
            "name": name,
            "kind": "class",
            "doc": _doc(value) if vars(value).get("__doc__") else "",
            "bases": list(
                dict.fromkeys(self._name(b) for b in bases if b not in (object, *hidden))
            ),
            "members": members,
            "complete": _is_complete(value, names),
            **({} if _is_enumeration(value) else self._call(value, False)),
        }

    def _hidden(self, value: type) -> list[type]:
        """The bases that no public module shows, as long as no other base has them: what they have
        is the class's own."""
        found: list[type] = []
        for owner in value.__mro__:
            if owner is value or owner in found:
                found += [
                    base
                    for base in owner.__bases__
                    if id(base) not in self._homes and self._is_ours(_string(base, "__module__"))
                ]
        return found

    def _member(self, name: str, value: Any, depth: int) -> dict[str, Any]:
        is_static = isinstance(value, staticmethod)
        if isinstance(value, (staticmethod, classmethod)):
            value = value.__func__
        if isinstance(value, type):
            if depth < MAX_DEPTH and value.__name__ == name.rpartition(".")[2]:
                return self._entry(name, value, depth + 1)
            return {"name": name, "kind": "attribute", "returns": "builtins.type"}
        if _kind(value) == "function":
            return {
                "name": name,
                "kind": "method",
                "doc": _doc(value),
                **self._call(value, not is_static),
            }
        if inspect.isdatadescriptor(value) or hasattr(type(value), "__get__"):
            getter = getattr(value, "fget", None) or getattr(value, "func", None)
            call = self._call(getter, True) if getter else {}
            returns = call.get("returns", "")
            return {"name": name, "kind": "attribute", "doc": _doc(value), "returns": returns}
        return self._attribute(name, value)

    def _call(self, value: Any, is_bound: bool) -> dict[str, Any]:
        """How a thing is called, as far as Python knows."""
        try:
            signature = inspect.signature(value)
            text = _ADDRESS.sub("...", str(signature))[:MAX_SIGNATURE]
        except Exception:
            return {}
        found = list(signature.parameters.values())[1 if is_bound else 0 :]
        named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
        is_open = any(parameter.kind is parameter.VAR_KEYWORD for parameter in found)
        returns = signature.return_annotation
        return {
            "signatures": [text],
            "parameters": None if is_open else [p.name for p in found if p.kind in named],
            "returns": "" if returns is signature.empty else self._annotation(returns),
        }

    def _annotation(self, value: Any) -> str:
        if isinstance(value, type):
            return self._name(value)
        return value if isinstance(value, str) else ""

    def _attribute(self, name: str, value: Any) -> dict[str, Any]:
        returns = self._name(type(value))
        return {"name": name, "kind": "attribute", **_constant(value), "returns": returns}

    def _name(self, value: Any) -> str:
        return self._homes.get(id(value)) or _qualified(value)


def _repeats(bases: list[type], key: str, doc: str) -> bool:
    """Whether a member is an override that says nothing that its base does not."""
    for base in bases:
        if key in vars(base):
            return _said(key, doc) in ("", _said(key, _doc(vars(base)[key])))
    return False


def _said(name: str, doc: str) -> str:
    """A docstring without the signatures at its head."""
    return doc.partition("\n\n")[2] if doc.startswith(f"{name}(") else doc


def _kind(value: Any) -> str:
    if isinstance(value, type):
        return "class"
    if isinstance(value, types.ModuleType):
        return "module"
    if inspect.isroutine(value):
        return "function"
    if type(value).__module__ != "typing" and callable(value) and _string(value, "__name__"):
        return "function"
    return "attribute"


def _qualified(value: Any) -> str:
    module = _string(value, "__module__")
    name = _string(value, "__qualname__") or _string(value, "__name__")
    return f"{module}.{name}" if module else name


def _string(value: Any, name: str) -> str:
    try:
        found = getattr(value, name, "")
    except Exception:
        return ""
    return found if isinstance(found, str) else ""


def _doc(value: Any) -> str:
    text = _string(value, "__doc__")[:MAX_TEXT]
    try:
        return inspect.cleandoc(text)
    except Exception:
        return text


def _text(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:
        return ""


def _constant(value: Any) -> dict[str, Any]:
    """The value itself where it is a plain one, else what it says about itself."""
    if isinstance(value, (bool, int, float, str, bytes, type(None))):
        text = repr(value)
        return {"signatures": [f"= {text}"]} if len(text) <= 80 else {}
    doc = vars(value).get("__doc__") if hasattr(value, "__dict__") else None
    return {"doc": doc[:MAX_TEXT]} if isinstance(doc, str) else {}


def _ancestors(value: type) -> tuple[type, ...]:
    """The classes of the class itself."""
    return type.__getattribute__(type(value), "__mro__")  # type: ignore[no-any-return]


def _is_enumeration(value: type) -> bool:
    return any(base.__module__ == "enum" for base in _ancestors(value))


def _is_complete(value: type, names: dict[str, Any]) -> bool:
    """Whether an attribute that is none of the names is none at all. (`__getattribute__` that is
    not written in Python is what C types have for their ordinary look-up.)"""
    special = names.get("__getattribute__")
    if "__getattr__" in names or isinstance(special, types.FunctionType):
        return False
    if any("__getattr__" in vars(base) for base in _ancestors(value) if base is not type):
        return _is_enumeration(value)
    return not any(_SETS_UNSEEN & set(code.co_names) for code in _codes(names.values()))


def _codes(members: Iterable[Any]) -> Iterator[types.CodeType]:
    for member in members:
        function = getattr(member, "__func__", None) or getattr(member, "fget", None) or member
        if isinstance(function, types.FunctionType):
            function = inspect.unwrap(function)
            if isinstance(function, types.FunctionType):
                yield function.__code__


def _stored(members: Iterable[Any]) -> Iterator[str]:
    """The attributes that methods set, of whatever object: rather one too many."""
    for code in _codes(members):
        for instruction in dis.get_instructions(code):
            if instruction.opname == "STORE_ATTR":
                yield instruction.argval


if __name__ == "__main__":
    status = 1
    try:
        main()
        status = 0
    finally:
        os._exit(status)  # threads of the package are not waited for
