"""Plain data → JSON that keeps its types, and back: the form in which values leave a sandbox.

None, booleans, strings, lists and small numbers stand for themselves; everything else is an object
with its type as the only key: `{"tuple": […]}`, `{"dict": [[key, value], …]}`, `{"int": "0x…"}`.
What is no plain data arrives as `Foreign`, which is equal to nothing that a test can expect; an
array or a table of numpy and pandas with what it holds.

Written by hand and without imports, because it runs before each test (`json` alone takes 4 ms).
"""

_DEPTH = 100
_SAFE = 1 << 53
_SHOWN = 200
_FIRST = 20  # values of an iterator, which may have no end
_ALIKE = 64  # keys of one hash; each more costs as much time as there are already
_HELD = 10_000  # items of an array or a table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any


class Foreign:
    """A value of a type that is no plain data: the type's name and what `repr` made of it.
    `held`: of an array a list of its items, of a table a dict with the list of its columns, each a
    list of its name and its items; else None."""

    def __init__(self, kind: str, shown: str, held: "Any" = None) -> None:
        self.kind = kind
        self.shown = shown
        self.held = held

    def __repr__(self) -> str:
        return f"<{self.kind}: {self.shown}>"


def encode(value: "Any", depth: int = _DEPTH) -> str:
    """A value as JSON. Subclasses become their plain base (a defaultdict a dict, a namedtuple a
    tuple). Raises ValueError for what is nested too deep, as a list that contains itself."""
    if not depth:
        raise ValueError("the value is nested too deep")
    if value is None:
        return "null"
    if value is True or value is False:
        return "true" if value else "false"
    for kind, written in _WRITTEN:
        if isinstance(value, kind):
            return written(value, depth - 1)
    try:
        held = _held(value)
    except Exception:  # it only looks like an array
        held = None
    if held is not None and not isinstance(held, (list, dict)):
        return encode(held, depth - 1)  # numpy's own number
    parts = [_name(type(value)), _shown(value)]
    return _tagged("object", _list(parts if held is None else [*parts, held], depth - 1))


def _held(value: "Any") -> "Any":
    """What a value of numpy or pandas holds, as plain data: None for any other, and for large
    ones. Where the rows of a table have names, these are columns, too."""
    library = type(value).__module__.partition(".")[0]
    if library not in ("numpy", "pandas") or not hasattr(value, "size") or value.size > _HELD:
        return None
    if library == "numpy" or type(value).__name__.endswith("Index"):
        return value.tolist()
    rows, table = value.index, value if hasattr(value, "columns") else value.to_frame()
    names = ["" if name is None else str(name) for name in rows.names]
    if not any(names) and not any(isinstance(label, str) for label in rows):
        if table is not value:
            return value.tolist()
        names = []
    else:
        table = table.reset_index(allow_duplicates=True)
    names += [str(name) for name in table.columns[len(names) :]]
    return {"columns": [[name, table.iloc[:, at].tolist()] for at, name in enumerate(names)]}


def _text(value: str, depth: int) -> str:
    return '"' + "".join(map(_letter, str.__str__(value))) + '"'


def _letter(letter: str) -> str:
    code = ord(letter)
    if 32 <= code < 127 and letter not in '"\\':
        return letter
    if code > 0xFFFF:
        code -= 0x10000
        return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
    return f"\\u{code:04x}"


def _int(value: int, depth: int) -> str:
    number = int.__index__(value)
    return str(number) if -_SAFE < number < _SAFE else _tagged("int", f'"{number:#x}"')


def _float(value: float, depth: int) -> str:
    text = float.__repr__(value)
    return _tagged("float", f'"{text}"') if "n" in text else text  # inf, nan


def _list(values: "Iterable[Any]", depth: int) -> str:
    return "[" + ",".join([encode(value, depth) for value in values]) + "]"


def _dict(value: "dict[Any, Any]", depth: int) -> str:
    return _tagged("dict", _list([[key, item] for key, item in value.items()], depth))


def _tagged(kind: str, content: str) -> str:
    return f'{{"{kind}":{content}}}'


_WRITTEN: "tuple[tuple[Any, Callable[[Any, int], str]], ...]" = (
    (str, _text),
    (int, _int),
    (float, _float),
    (list, _list),
    (tuple, lambda value, depth: _tagged("tuple", _list(value, depth))),
    (dict, _dict),
    (set, lambda value, depth: _tagged("set", _list(value, depth))),
    (frozenset, lambda value, depth: _tagged("frozenset", _list(value, depth))),
    ((bytes, bytearray), lambda value, depth: _tagged("bytes", f'"{bytes(value).hex()}"')),
    (complex, lambda value, depth: _tagged("complex", _list([value.real, value.imag], depth))),
)


def _name(kind: type) -> str:
    return kind.__name__[:_SHOWN]


def _first(values: "Any") -> str:
    shown = list[str]()
    for value in values:
        shown.append(repr(value))
        if len(shown) == _FIRST:
            return ", ".join(shown) + ", …"
    return ", ".join(shown)


def _shown(value: object) -> str:
    """As Python writes it; of what is made one by one, the first ones: its own `repr` is an address
    and says nothing."""
    try:
        return (_first(value) if hasattr(type(value), "__next__") else repr(value))[:_SHOWN]
    except Exception as error:
        return f"its repr raised {_name(type(error))}"


def decode(data: "Any", depth: int = 3 * _DEPTH) -> "Any":
    """The value that `encode` was given, from its JSON as the parser gave it. Raises ValueError for
    data that it cannot have written."""
    if not depth:
        raise ValueError("the value is nested too deep")
    if data is None or isinstance(data, (bool, str, int, float)):
        return data
    if isinstance(data, list):
        return [decode(item, depth - 1) for item in data]
    if not isinstance(data, dict) or len(data) != 1:
        raise ValueError("no value has this form")
    ((kind, content),) = data.items()
    try:
        return _READ[kind](content, depth - 1)
    except (LookupError, TypeError, OverflowError) as error:
        raise ValueError("no value has this form") from error


def _keys(keys: "Iterable[Any]") -> "list[Any]":
    """Keys that a set can be made of in little time. Raises ValueError for many with one hash: it
    takes some thought to find them, and seconds to put them into a set."""
    keys, alike = list(keys), dict[int, int]()
    for key in keys:
        number = hash(key)
        alike[number] = alike.get(number, 0) + 1
        if alike[number] > _ALIKE:
            raise ValueError("too many keys have the same hash")
    return keys


def _pairs(pairs: "list[Any]", depth: int) -> "dict[Any, Any]":
    keys = _keys(decode(key, depth) for key, _ in pairs)
    return dict(zip(keys, (decode(item, depth) for _, item in pairs)))  # noqa: B905  (Python 3.9)


_READ: "dict[str, Callable[[Any, int], Any]]" = {
    "int": lambda text, depth: int(text, 16),
    "float": lambda text, depth: float(text),
    "bytes": lambda text, depth: bytes.fromhex(text),
    "complex": lambda parts, depth: complex(*(float(decode(part, depth)) for part in parts)),
    "tuple": lambda items, depth: tuple(decode(items, depth)),
    "set": lambda items, depth: set(_keys(decode(items, depth))),
    "frozenset": lambda items, depth: frozenset(_keys(decode(items, depth))),
    "dict": _pairs,
    "object": lambda parts, depth: Foreign(
        str(parts[0])[:_SHOWN],
        str(parts[1])[:_SHOWN],
        *(decode(each, depth) for each in parts[2:3]),
    ),
}
TAGS = frozenset(_READ)
