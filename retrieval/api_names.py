"""The indexed names as a whole: what a qualified name stands for, and what certainly is not there.
Aliases and bases are followed on top of what an index has (`retrieval.symbol_table`)."""

import abc
import builtins
import collections
import enum
import typing
from collections.abc import Collection

from retrieval.sources.chunk import Symbol
from retrieval.sources.package_modules import NOT_API
from retrieval.symbol_table import Symbols
from retrieval.unknown_name import nearest

_MOST_ALIASES = 8  # one of another
_CLOSE = 0.8  # of 1: how like a name is to one that was meant
_STANDARD = {module.__name__: module for module in (abc, builtins, collections, enum, typing)}


class Api:
    """Whatever is asked is answered by no where the index does not know enough to say yes."""

    def __init__(self, names: Symbols) -> None:
        self._names = names
        self._known: dict[str, Symbol | None] = {}
        self._lineages: dict[str, tuple[list[Symbol], list[type], bool]] = {}

    def find(self, name: str) -> Symbol | None:
        """What a qualified name stands for, through however many aliases."""
        if name not in self._known:
            self._known[name] = self._found(name)
        return self._known[name]

    def _found(self, name: str) -> Symbol | None:
        for _ in range(_MOST_ALIASES):
            symbol = self._names.symbol(name)
            if symbol is None:
                parent, _, last = name.rpartition(".")  # `vtk.vtkActor` may be an alias
                owner = self._names.symbol(parent) if parent else None
                if owner is None or not owner.alias_of:
                    return None
                name = f"{owner.alias_of}.{last}"
            elif not symbol.alias_of:
                return symbol
            else:
                name = symbol.alias_of
        return None

    def member(self, owner: Symbol, name: str) -> Symbol | None:
        """What a module, or a class or one of its bases, has under a name."""
        found = (self.find(f"{each.name}.{name}") for each in self._owners(owner))
        return next(filter(None, found), None)

    def members(self, owner: Symbol) -> set[str]:
        """All names that a module, or a class with its bases, has."""
        return {name for each in self._owners(owner) for name in self._names.members(each.name)}

    def lacks(self, owner: Symbol, name: str, *, sure: bool = True, called: bool = True) -> bool:
        """Whether a module, a class, or an object of it certainly has no such member.

        An object may be of a class below the known one (factories give such, and who declares a
        base does): what one of these has is not lacking. Unless the class is `sure`, each of them
        has to be known whole. `called`: it is an object, not the class itself.
        """
        if name.startswith("__") or owner.kind not in ("module", "class"):
            return False
        owners, standard, all_known = self._lineage(owner)
        if not all_known or not all(each.complete for each in owners):
            return False
        if any(name in self._names.members(each.name) for each in owners):
            return False
        if owner.kind == "module":
            return not self._names.is_module(f"{owner.name}.{name}")
        if not called and hasattr(type, name):
            return False
        if any(name in vars(kind) for base in standard for kind in base.__mro__):
            return False
        return not self._names.in_family(owner.name, name) and (sure or self._below_known(owner))

    def refuses(self, called: Symbol, keyword: str) -> bool:
        """Whether a function, a method, or a class as its constructor certainly takes no such
        argument."""
        if called.kind == "class" and called.parameters is None:
            return self._sets_properties(called) and self.lacks(called, keyword)
        if called.parameters is None or keyword in called.parameters:
            return False
        if called.kind != "method":
            return called.kind in ("class", "function")
        owner, _, short = called.name.rpartition(".")
        others = self._names.in_family(owner, short)
        return all(o.parameters is not None and keyword not in o.parameters for o in others)

    def arguments(self, called: Symbol) -> Collection[str]:
        """The keywords that a misspelled one may have meant."""
        return self.members(called) if called.parameters is None else called.parameters

    def result(self, symbol: Symbol, owner: Symbol | None) -> Symbol | None:
        """The class of what a call gives, or of what an attribute is."""
        if symbol.kind == "attribute" and not symbol.returns and owner is not None:
            getter = self.member(owner, f"Get{_camel(symbol.name.rpartition('.')[2])}")
            if getter is None or not self._sets_properties(owner):
                return None
            symbol = getter
        found = self.find(symbol.returns) if symbol.returns else None
        return found if found is not None and found.kind == "class" else None

    def missing_module(self, name: str) -> tuple[Symbol, str] | None:
        """The package in which an imported module certainly is not, and what it lacks."""
        parts = name.split(".")
        for number in range(1, len(parts)):
            package, last = ".".join(parts[:number]), parts[number]
            owner, below = self._names.symbol(package), f"{package}.{last}"
            if owner is None or owner.kind != "module" or owner.alias_of:
                return None
            if self._names.symbol(below) or self._names.is_module(below):
                continue
            listed = self._names.has_submodules(package) and not self._names.has_submodules(below)
            unlisted = last.startswith("_") or last in NOT_API or last == parts[number - 1]
            return (owner, last) if listed and owner.complete and not unlisted else None
        return None

    def meant(self, owner: Symbol, name: str) -> str:
        """A member whose name is so like that it must have been meant."""
        return nearest(name, self.members(owner), cutoff=_CLOSE)

    def elsewhere(self, short: str) -> str:
        """The module that has a class or function of this name."""
        places = self._names.places(short)
        return places[0].rpartition(".")[0] if places else ""

    def _sets_properties(self, owner: Symbol) -> bool:
        """Whether the keywords of a class's constructor are its properties: so it is where methods
        `SetLineWidth` and attributes `line_width` go together (VTK from 9.4 on)."""
        members = self.members(owner)
        return any(f"Set{_camel(name)}" in members for name in members if name.islower())

    def _below_known(self, owner: Symbol) -> bool:
        classes = (self.find(name) for name in self._names.below(owner.name))
        return all(each is not None and each.complete for each in classes)

    def _owners(self, owner: Symbol) -> list[Symbol]:
        return self._lineage(owner)[0]

    def _lineage(self, owner: Symbol) -> tuple[list[Symbol], list[type], bool]:
        """The owner and its bases, nearest first; those that Python itself has; and whether that
        is all of them."""
        if owner.name not in self._lineages:
            self._lineages[owner.name] = self._traced(owner)
        return self._lineages[owner.name]

    def _traced(self, owner: Symbol) -> tuple[list[Symbol], list[type], bool]:
        found, all_known = [owner], True
        standard: list[type] = [object]
        waiting, seen = list(owner.bases), {owner.name}
        while waiting:
            name = waiting.pop(0)
            if name in seen:
                continue
            seen.add(name)
            base = self.find(name)
            if base is not None and base.kind == "class":
                found.append(base)
                waiting += base.bases
            elif (known := _standard(name)) is not None:
                standard.append(known)
            elif name:
                all_known = False
        return found, standard, all_known


def _standard(name: str) -> type | None:
    """A class of the standard library's innermost modules; others are not imported for this."""
    module, _, last = name.rpartition(".")
    found = getattr(_STANDARD.get(module), last, None)
    return found if isinstance(found, type) else None


def _camel(name: str) -> str:
    return name.title().replace("_", "")
