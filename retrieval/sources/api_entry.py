"""A name of an API with signature and documentation, as a child process reports it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

EntryKind = Literal["module", "class", "function", "method", "attribute"]

MAX_NAME = 500  # characters
MAX_DOC = 50_000
MAX_SIGNATURE = 2_000
MAX_SIGNATURES = 50
MAX_MEMBERS = 20_000
MAX_DEPTH = 6  # of classes in classes

_KINDS = get_args(EntryKind)


@dataclass(slots=True)
class Entry:
    """`name` is qualified (`rich.table.Table.add_row`). `signatures` begin with the parenthesis,
    one each overload (of an attribute: `: type = value`); `members` are those of a class (those of
    a module are told one by one); `repeats`: an override that says nothing that its base does not;
    the rest is as in `retrieval.sources.chunk.Symbol`."""

    name: str
    kind: EntryKind
    doc: str = ""
    signatures: list[str] = field(default_factory=list)
    parameters: list[str] | None = None
    returns: str = ""
    bases: list[str] = field(default_factory=list)
    members: list["Entry"] = field(default_factory=list)
    complete: bool = False
    repeats: bool = False
    alias_of: str = ""

    @property
    def short(self) -> str:
        return self.name.rpartition(".")[2]

    @property
    def is_public(self) -> bool:
        return not self.short.startswith("_")

    def walk(self) -> Iterator["Entry"]:
        """This entry and all below it."""
        yield self
        for member in self.members:
            yield from member.walk()

    @classmethod
    def from_json(cls, data: Any, depth: int = 0) -> "Entry":
        """ValueError where it is anything else than what a well-behaved child sends."""
        if not isinstance(data, dict) or depth > MAX_DEPTH:
            raise ValueError("no entry")
        name, kind = clean(data.get("name"), MAX_NAME), data.get("kind", "")
        if not name or kind not in _KINDS:
            raise ValueError("an entry without a name or a kind")
        parameters = data.get("parameters")
        members = data.get("members", [])
        if not isinstance(members, list):
            raise ValueError("members that are no list")
        return cls(
            name,
            kind,
            doc=clean(data.get("doc", ""), MAX_DOC),
            signatures=_texts(data.get("signatures", []), MAX_SIGNATURE)[:MAX_SIGNATURES],
            parameters=None if parameters is None else _texts(parameters, MAX_NAME),
            returns=clean(data.get("returns", ""), MAX_NAME),
            bases=_texts(data.get("bases", []), MAX_NAME),
            members=[cls.from_json(member, depth + 1) for member in members[:MAX_MEMBERS]],
            complete=data.get("complete") is True,
            repeats=data.get("repeats") is True,
            alias_of=clean(data.get("alias_of", ""), MAX_NAME),
        )


def clean(text: Any, limit: int) -> str:
    """Text that a database takes: no NUL, no half of a surrogate pair, not above the limit."""
    if not isinstance(text, str):
        raise ValueError("a text that is none")
    return text[:limit].replace("\0", "").encode("utf-8", "replace").decode("utf-8")


def _texts(items: Any, limit: int) -> list[str]:
    if not isinstance(items, list):
        raise ValueError("a list that is none")
    return [clean(item, limit) for item in items[:MAX_MEMBERS]]
