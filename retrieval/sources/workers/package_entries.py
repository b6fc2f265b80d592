"""A package as griffe has read it → entries."""

import builtins
import contextlib
import inspect
from collections.abc import Iterator
from typing import Any

import griffe

from retrieval.sources.package_modules import is_private

MAX_TEXT = 20_000  # characters of one docstring
MAX_DEPTH = 3  # of classes in classes
MAX_VALUE = 80  # characters

_UNRESOLVED = (griffe.AliasResolutionError, griffe.CyclicAliasError, KeyError)

_NO_BASES = {"", "builtins.object"}

Json = dict[str, Any]


class Package:
    """What modules hold, each thing told in full at one place, and as an alias at the others."""

    def __init__(self, modules: dict[str, griffe.Module]) -> None:
        self._modules = modules
        self._homes: dict[str, str] = {}
        for name in sorted(modules, key=lambda name: (name.count("."), name)):
            if not is_private(name):
                self._settle(name, modules[name])

    def _settle(self, name: str, module: griffe.Module) -> None:
        """What a module shows of a private one has its home here, unless it has one already."""
        for key, member in list(module.members.items()):
            if member.is_alias and _is_shown(module, key):
                target = _target(member)
                if target is not None and is_private(target.path) and not target.is_module:
                    self._homes.setdefault(target.path, f"{name}.{key}")

    def entries(self, name: str) -> Iterator[Json]:
        module = self._modules[name]
        members = list(module.members.values())
        stars = any(isinstance(each, griffe.Alias) and each.wildcard for each in members)
        dynamic = _note(module, "is_dynamic", False) or isinstance(module.filepath, list)
        complete = not (stars or dynamic or "__getattr__" in module.members)
        yield {"name": name, "kind": "module", "doc": _doc(module), "complete": complete}
        for key, member in _members(module):
            if key.isidentifier() and not key.startswith("__"):
                with contextlib.suppress(*_UNRESOLVED):
                    yield self._entry(f"{name}.{key}", member)

    def _entry(self, name: str, member: griffe.Object | griffe.Alias) -> Json:
        target = _target(member)
        if target is None:  # of another package
            path = member.target_path if isinstance(member, griffe.Alias) else ""
            return {"name": name, "kind": "attribute", "alias_of": path}
        if target.is_module:
            return {"name": name, "kind": "module", "alias_of": target.path}
        home = self._homes.get(target.path, target.path)
        if home != name and (member.is_alias or not is_private(name)):
            return {"name": name, "kind": _kind(target), "alias_of": home}
        return self._full(name, target)

    def _full(self, name: str, target: griffe.Object) -> Json:
        if isinstance(target, griffe.Class):
            return self._class(name, target, 0)
        if isinstance(target, griffe.Function):
            return {"name": name, "kind": "function", **self._call(target)}
        return self._attribute(name, target)

    def _class(self, name: str, target: griffe.Class, depth: int) -> Json:
        above = _above(target)
        hidden = self._hidden(target, above)
        owners = (target, *hidden)
        members = self._members(name, owners, depth)
        for key, member in members.items():
            shown = (base for base in above if base not in hidden)
            member["repeats"] = not member.get("doc") and any(key in b.members for b in shown)
        own = {owner.path for owner in owners}
        bases = [self._named(base) for owner in owners for base in owner.bases]
        dynamic = any(
            _note(owner, "is_dynamic", False) or "__getattr__" in owner.members for owner in owners
        )
        return {
            "name": name,
            "kind": "class",
            "doc": _doc(target),
            "bases": [base for base in dict.fromkeys(bases) if base not in own | _NO_BASES],
            "members": list(members.values()),
            "complete": not dynamic and all(bases),
            **self._constructor(target),
        }

    def _hidden(self, target: griffe.Class, above: list[griffe.Class]) -> list[griffe.Class]:
        """The bases that no public module shows, as long as no other base has them: what they have
        is the class's own."""
        found: set[str] = set()
        for owner in (target, *above):
            if owner is target or owner.path in found:
                paths = {base.path for base in owner.resolved_bases}
                found |= {p for p in paths if is_private(p) and p not in self._homes}
        return [base for base in above if base.path in found]

    def _members(self, name: str, owners: tuple[griffe.Class, ...], depth: int) -> dict[str, Json]:
        """What a class has itself, and of its hidden bases."""
        told: dict[str, Json] = {}
        for owner in owners:
            for key, member in _members(owner):
                if key.isidentifier() and not key.startswith("__"):
                    with contextlib.suppress(*_UNRESOLVED):
                        entry = self._member(f"{name}.{key}", member, depth)
                        known = told.setdefault(key, entry)
                        known["doc"] = known.get("doc") or entry.get("doc", "")
            for key in _note(owner, "stored", []):
                if not key.startswith("__"):
                    told.setdefault(key, {"name": f"{name}.{key}", "kind": "attribute"})
        return told

    def _constructor(self, target: griffe.Class) -> Json:
        own = target.members.get("__init__")
        if own is None:
            with contextlib.suppress(Exception):  # bases in circles, or that nobody could order
                own = target.all_members.get("__init__")
        init = _target(own) if own is not None else None
        if not isinstance(init, griffe.Function):
            return {}
        call = self._call(init)
        signatures = [each.removesuffix(" -> None") for each in call["signatures"]]
        return {"signatures": signatures, "parameters": call["parameters"]}

    def _member(self, name: str, member: griffe.Object | griffe.Alias, depth: int) -> Json:
        target = _target(member)
        if target is None or target.is_module:
            return {"name": name, "kind": "attribute"}
        if isinstance(target, griffe.Class):
            if depth < MAX_DEPTH and not member.is_alias:
                return self._class(name, target, depth + 1)
            return {"name": name, "kind": "attribute", "returns": "builtins.type"}
        if not isinstance(target, griffe.Function):
            return self._attribute(name, target)
        call = self._call(target)
        if call["returns"] in ("typing.Self", "typing_extensions.Self"):
            call["returns"] = name.rpartition(".")[0]
        return {"name": name, "kind": "method", **call}

    def _call(self, target: griffe.Function) -> Json:
        shown = target.overloads or [target]
        return {
            "doc": _doc(target),
            "signatures": [each.signature(name="_")[1:] for each in shown],
            "parameters": _parameters(shown),
            "returns": self._named(target.returns),
        }

    def _attribute(self, name: str, target: griffe.Object) -> Json:
        annotation, value = getattr(target, "annotation", None), getattr(target, "value", None)
        text = str(value) if value is not None else ""
        signature = f": {annotation}" if annotation is not None else ""
        signature += f" = {text}" if text and len(text) <= MAX_VALUE else ""
        return {
            "name": name,
            "kind": "attribute",
            "doc": _doc(target),
            "signatures": [signature.strip()] if signature else [],
            "returns": self._named(annotation),
        }

    def _named(self, expression: Any) -> str:
        """The qualified name of the class that an expression names; "" where it is more than one
        name, or none. `X | None` and `X[int]` are X."""
        parts = _without_none(expression)
        path = _path(parts[0]) if len(parts) == 1 else ""
        if path and "." not in path:
            return f"builtins.{path}" if hasattr(builtins, path) else ""
        target = self._found(path)
        return self._homes.get(target, target)

    def _found(self, path: str) -> str:
        """The path of what a path leads to in the end."""
        module, *rest = path.split(".")
        member: Any = self._modules.get(module)
        for key in rest:
            if member is None or key not in member.members:
                return path
            member = _target(member.members[key])
        return member.path if member is not None else path


def _members(parent: griffe.Object) -> list[tuple[str, griffe.Object | griffe.Alias]]:
    """Also functions that a stub gives as overloads alone."""
    members = dict(parent.members)
    for key, overloads in getattr(parent, "overloads", {}).items():
        if key not in members and overloads:
            overloads[0].overloads = list(overloads)
            members[key] = overloads[0]
    return list(members.items())


def _is_shown(module: griffe.Module, key: str) -> bool:
    if key.startswith("_"):
        return False
    if module.exports is not None:
        return key in {str(getattr(export, "name", export)) for export in module.exports}
    return module.is_init_module


def _target(member: griffe.Object | griffe.Alias) -> griffe.Object | None:
    if not isinstance(member, griffe.Alias):
        return member
    try:
        found = member.final_target
        return found if isinstance(found, griffe.Object) else None
    except _UNRESOLVED:
        return None


def _kind(thing: griffe.Object) -> str:
    kind = thing.kind.value
    return kind if kind in ("class", "function", "module") else "attribute"


def _note(thing: griffe.Object, key: str, default: Any) -> Any:
    return thing.extra.get("laios", {}).get(key, default)


def _doc(thing: griffe.Object) -> str:
    """Its docstring, behind what stands for it where it is deprecated (PEP 702)."""
    said = inspect.cleandoc(thing.docstring.value[:MAX_TEXT]) if thing.docstring else ""
    return "\n\n".join(filter(None, (_deprecated(thing), said)))


def _deprecated(thing: griffe.Object) -> str:
    for decorator in getattr(thing, "decorators", ()):
        arguments = getattr(decorator.value, "arguments", ())
        if arguments and decorator.callable_path.rpartition(".")[2] == "deprecated":
            message = str(arguments[0])[:MAX_TEXT]
            return f"Deprecated: {message[1:-1]}" if message[:1] in "'\"" else ""
    return ""


def _above(target: griffe.Class) -> list[griffe.Class]:
    """The bases, and theirs, as far as they are of this package."""
    with contextlib.suppress(Exception):  # in circles, or that nobody could order
        return list(target.mro())
    return []


def _parameters(functions: list[griffe.Function]) -> list[str] | None:
    """The names that a call may give; None where it may give any."""
    names: dict[str, None] = {}
    for function in functions:
        static = "staticmethod" in function.labels
        is_method = function.parent is not None and function.parent.is_class and not static
        for number, each in enumerate(function.parameters):
            if each.kind is griffe.ParameterKind.var_keyword:
                return None
            by_name = each.kind in (
                griffe.ParameterKind.positional_or_keyword,
                griffe.ParameterKind.keyword_only,
            )
            if by_name and not (is_method and number == 0):
                names[each.name] = None
    return list(names)


def _without_none(expression: Any) -> list[Any]:
    if isinstance(expression, griffe.ExprBinOp) and expression.operator == "|":
        return [*_without_none(expression.left), *_without_none(expression.right)]
    if isinstance(expression, griffe.ExprSubscript) and str(expression.left).endswith("Optional"):
        return _without_none(expression.slice)
    return [] if expression is None or str(expression) == "None" else [expression]


def _path(expression: Any) -> str:
    if isinstance(expression, griffe.ExprSubscript):
        expression = expression.left
    if isinstance(expression, griffe.ExprName | griffe.ExprAttribute):
        return expression.canonical_path
    return ""
