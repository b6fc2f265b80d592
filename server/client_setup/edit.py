"""Edits of a config file that belongs to another program.

An `Edit` says what has to stand where; everything else in the file stays as it is, byte for byte.
Each change is checked: the file's data afterwards must be the data before with that one
difference, or nothing is changed at all.

    EditError
    ├── Unreadable    the file is not what its format allows
    └── WrongShape    something of another kind stands where the change belongs
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

MISSING = object()


class EditError(Exception):
    """The file cannot be changed; it was left alone. The message says why."""


class Unreadable(EditError):
    pass


class WrongShape(EditError):
    pass


@dataclass(frozen=True, slots=True)
class ListItem:
    """A step into a list: the item whose `key` is `name`. It is added if there is none."""

    key: str
    name: str


PathStep = str | ListItem
KeyPath = tuple[PathStep, ...]


@dataclass(frozen=True, slots=True)
class Edit:
    """`value` has to stand at `path`; of a mapping, only the keys that it names.

    `over`: what it may take the place of (None: anything, (): nothing, it is a default).
    """

    path: KeyPath
    value: Any
    over: tuple[Any, ...] | None = None


class Format(Protocol):
    """How a kind of file is read and changed."""

    def load(self, text: str) -> Any:
        """The file's data, None for an empty one. Raises Unreadable."""

    def put(self, text: str, path: KeyPath, value: Any) -> str:
        """The text with the value at the path. The data at the path is of the right kind."""


def apply(kind: Format, text: str, edits: Iterable[Edit]) -> str:
    """The text with the edits made; the same text if all of them stand. Raises EditError."""
    data = kind.load(text)
    for edit in edits:
        wanted = _wanted(data, edit)
        if wanted == data:
            continue
        text = kind.put(text, edit.path, edit.value)
        try:
            data = kind.load(text)
        except Unreadable:
            data = MISSING
        if data != wanted:
            raise WrongShape(
                f"it is written in a way that {spelled(edit.path)} cannot be put into safely"
            )
    return text


def all_stand(kind: Format, text: str, edits: Iterable[Edit]) -> bool:
    """Whether nothing is left to do. Raises EditError."""
    data = kind.load(text)
    return all(_wanted(data, edit) == data for edit in edits)


def _wanted(data: Any, edit: Edit) -> Any:
    """The data with the edit made, where it may be."""
    now = look(data, edit.path)
    if edit.over is not None and now is not MISSING and now not in edit.over:
        return data
    return merged(data, edit.path, edit.value)


def look(data: Any, path: KeyPath) -> Any:
    """What stands at the path, or MISSING."""
    for step in path:
        data = _child(data, step)
    return data


def _child(data: Any, step: PathStep) -> Any:
    if isinstance(step, str):
        return data.get(step, MISSING) if isinstance(data, Mapping) else MISSING
    rows = data if isinstance(data, list) else []
    return next((row for row in rows if _is(row, step)), MISSING)


def _is(row: Any, step: ListItem) -> bool:
    return isinstance(row, Mapping) and row.get(step.key) == step.name


def merged(data: Any, path: KeyPath, value: Any, done: KeyPath = ()) -> Any:
    """The data with the value at the path, as new data. Raises WrongShape."""
    if not path:
        return _over(data, value, done)
    step, rest = path[0], path[1:]
    if isinstance(step, str):
        table = _expect(data, dict, "a mapping", done)
        return table | {step: merged(table.get(step), rest, value, (*done, step))}
    rows = _expect(data, list, "a list", done)
    found = next((at for at, row in enumerate(rows) if _is(row, step)), None)
    if found is None:
        return [*rows, merged({step.key: step.name}, rest, value, (*done, step))]
    rows[found] = merged(rows[found], rest, value, (*done, step))
    return rows


def _over(data: Any, value: Any, done: KeyPath) -> Any:
    if isinstance(value, dict):
        table = _expect(data, dict, "a mapping", done)
        return table | {key: _over(table.get(key), value[key], (*done, key)) for key in value}
    if isinstance(data, dict | list) and data != value:
        raise WrongShape(f"{spelled(done)} is not a single value")
    return value


def _expect(data: Any, kind: type, name: str, done: KeyPath) -> Any:
    """A copy of the data if it is of the kind; nothing at all counts as an empty one."""
    if data is not None and not isinstance(data, kind):
        raise WrongShape(f"{spelled(done)} is not {name}")
    return kind(data or ())


def replaced(old: Any, new: Any, at: str = "") -> Iterator[tuple[str, Any]]:
    """The values that are other ones now, each with its place (`models.0.apiBase`)."""
    if isinstance(old, dict | list):
        pairs = old.items() if isinstance(old, dict) else enumerate(old)
        for key, each in pairs:
            yield from replaced(each, new[key], f"{at}.{key}" if at else str(key))
    elif old is not None and old != new:
        yield at, old


def nested(path: KeyPath, value: Any) -> Any:
    """The data that has nothing but the value at the path."""
    return merged(None, path, value)


def spelled(path: KeyPath) -> str:
    """A path for people: `models[laios].apiBase`."""
    text = "".join(f".{step}" if isinstance(step, str) else f"[{step.name}]" for step in path)
    return f"`{text.removeprefix('.')}`" if path else "the file"
