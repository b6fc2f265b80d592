"""Types of compiled languages, as their programs write them, and the plain values that they hold.
Pure."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.analysis.signatures.signature import NodeType
from pipeline.testcases.linked_values import MOST_NODES

_LONGEST = 200  # characters: a buffer of C has 256
_DEEPEST = 4  # lists of lists of lists
_MOST_TEXT = 200  # characters of a type
_INT32 = 2**31 - 1

Nodes = Sequence[NodeType]


@dataclass(frozen=True, slots=True)
class Kind:
    """`name`: int, float, bool, char, str, list, set, dict, tuple, or nodes and tree: linked ones.
    `text`: the type as the language writes it where a value is made. `size`: of an array that has
    always so many. `most`: the largest number, of an unsigned one the least is 0."""

    name: str
    text: str
    items: tuple["Kind", ...] = ()
    size: int | None = None
    most: int = _INT32
    is_signed: bool = True
    node: NodeType | None = None

    @property
    def annotation(self) -> str:
        """As Python says it. A set is made of a list, so that its order is always the same, and
        nodes are made of their values."""
        inner = ", ".join(each.annotation for each in self.items)
        name = {"char": "str", "set": "list", "nodes": "list", "tree": "list"}.get(
            self.name, self.name
        )
        return f"{name}[{inner}]" if inner else name

    def fit(self, value: Any) -> Any:
        """The value, or one that is like it, as this type can hold it. Raises TypeError and
        ValueError for values of other kinds."""
        if self.node:
            if len(value) > MOST_NODES:
                raise ValueError("too many nodes")
            return [each if each is None else self.items[0].fit(each) for each in value]
        if self.name in ("list", "set"):
            return self._fit_all([self.items[0].fit(each) for each in value])
        if self.name == "tuple":
            return tuple(kind.fit(each) for kind, each in zip(self.items, value, strict=True))
        if self.name == "dict":
            key, held = self.items
            return {key.fit(each): held.fit(of) for each, of in value.items()}
        return self._fit_plain(value)

    def _fit_all(self, values: list[Any]) -> list[Any]:
        if self.name == "set":
            return list(dict.fromkeys(values))
        if self.size is None:
            return values
        more = values or [self.items[0].fit(_LEAST[self.items[0].name])]
        return (values + more * self.size)[: self.size]

    def _fit_plain(self, value: Any) -> Any:
        if self.name in ("str", "char"):
            plain = value.encode("ascii", "ignore").decode()[:_LONGEST].replace("\0", "")
            return plain if self.name == "str" else (plain or " ")[0]
        if self.name == "int":
            number = value if self.is_signed else abs(value)
            return number if abs(number) <= self.most else number % (self.most + 1)
        return float(value) if self.name == "float" else bool(value)


_LEAST: dict[str, Any] = {"int": 0, "float": 0, "bool": False, "str": "", "char": " ", "list": []}
_LEAST |= {"set": [], "dict": {}}


def kind_of(language: str, text: str, nodes: Nodes = ()) -> Kind | None:
    """None for types that neither a plain value nor linked nodes are of."""
    return _of(language, text.strip(), 0, nodes) if len(text) <= _MOST_TEXT else None


def _of(language: str, text: str, depth: int, nodes: Nodes) -> Kind | None:
    if depth > _DEEPEST:
        return None
    node = next((each for each in nodes if each.is_meant(text)), None)
    return _of_node(language, text, node) if node else _READERS[language](text, depth, nodes)


def _of_node(language: str, text: str, node: NodeType) -> Kind | None:
    held = kind_of(language, node.value_type)
    if held is None or held.items:
        return None
    if language == "cpp" and "<" not in text:
        text = f"{node.name} *"
    written = {"c": f"{node.name} *", "java": node.name}.get(language, text)
    return Kind("tree" if node.is_tree else "nodes", written, (held,), node=node)


def arguments_of(text: str) -> tuple[str, list[str]]:
    """`Map<String, List<Integer>>` as `Map` and what stands between the brackets; [] for none."""
    found = re.fullmatch(r"([\w:.]+)\s*<(.*)>", text, re.DOTALL)
    return (found[1], list(split_at_commas(found[2]))) if found else (text, [])


def split_at_commas(text: str) -> Iterator[str]:
    """At those that stand in no brackets."""
    depth, start = 0, 0
    for at, character in enumerate(text):
        depth += (character in "<([{") - (character in ">)]}")
        if character == "," and not depth:
            yield text[start:at].strip()
            start = at + 1
    if text[start:].strip():
        yield text[start:].strip()


def _generic(
    language: str, names: dict[str, str], text: str, depth: int, nodes: Nodes, form: str = "{}<{}>"
) -> Kind | None:
    """Of `names` by the kinds that they are; `form`: how the language writes it."""
    name, inner = arguments_of(text)
    name = name.rpartition("::")[2].rpartition(".")[2]
    kind = names.get(name)
    items = [_of(language, each, depth + 1, nodes) for each in inner]
    if kind is None or None in items or len(items) != (2 if kind == "dict" else 1):
        return None
    known = tuple(each for each in items if each)
    return Kind(kind, form.format(name, ", ".join(each.text for each in known)), known)


# --- C and C++ -----------------------------------------------------------------------------------

_C_INT = re.compile(
    r"(?:(?:signed|unsigned|long|short|int)\s*)+|u?int(?:8|16|32|64|max|ptr)_t|s?size_t|ptrdiff_t"
    r"|(?:un)?signed char|uint"
)
_C_SMALL = {"short": 2**15 - 1, "16": 2**15 - 1, "8": 127, "char": 127}
_CPP_LISTS = dict.fromkeys(("vector", "list", "deque"), "list")
_CPP_LISTS |= {"set": "set", "unordered_set": "set", "map": "dict", "unordered_map": "dict"}
_QUALIFIERS = re.compile(r"\b(?:const|volatile|register|restrict|__restrict|struct)\b")


def _of_c(text: str, depth: int, nodes: Nodes) -> Kind | None:
    """Of a plain type: neither pointers nor arrays."""
    text = " ".join(_QUALIFIERS.sub(" ", text).split()).replace("std::", "")
    if _C_INT.fullmatch(text):
        small = next((most for word, most in _C_SMALL.items() if word in text), _INT32)
        is_signed = not re.match(r"unsigned|u|size_t", text)
        return Kind("int", text, most=small, is_signed=is_signed)
    plain = {"float": "float", "double": "float", "long double": "float", "char": "char"}
    plain |= {"bool": "bool", "_Bool": "bool"}
    return Kind(plain[text], text) if text in plain else None


def _of_cpp(text: str, depth: int, nodes: Nodes) -> Kind | None:
    plain = _of_c(text, depth, nodes)
    if plain:
        return plain
    text = " ".join(_QUALIFIERS.sub(" ", text).split()).strip("& ")
    if text.replace("std::", "") in ("string", "string_view"):
        return Kind("str", "std::string")
    text = re.sub(r"\bspan\b", "vector", text)
    name, inner = arguments_of(text)
    if name.replace("std::", "") == "array" and len(inner) == 2 and inner[1].isdigit():
        item, size = _of("cpp", inner[0], depth + 1, nodes), int(inner[1][:4])
        if item is None or size > _LONGEST:
            return None
        return Kind("list", f"std::array<{item.text}, {size}>", (item,), size)
    if name.replace("std::", "") == "pair" and len(inner) == 2:
        items = [_of("cpp", each, depth + 1, nodes) for each in inner]
        known = tuple(each for each in items if each)
        both = f"std::pair<{', '.join(each.text for each in known)}>"
        return Kind("tuple", both, known) if len(known) == 2 else None
    return _generic("cpp", _CPP_LISTS, text, depth, nodes, "std::{}<{}>")


# --- Go ------------------------------------------------------------------------------------------

_GO_INTS = {f"{sign}int{bits}" for sign in ("", "u") for bits in ("", "8", "16", "32", "64")}
_GO_ARRAY = re.compile(r"\[(\d{0,3})\]\s*(.+)", re.DOTALL)
_GO_MAP = re.compile(r"map\[(\w+)\]\s*(.+)", re.DOTALL)


def _of_go(text: str, depth: int, nodes: Nodes) -> Kind | None:
    if text in _GO_INTS or text == "byte":
        bits = 8 if text == "byte" else int(re.sub(r"\D", "", text) or 64)
        most = min(_INT32, 2 ** (bits - 1) - 1)
        return Kind("int", text, most=most, is_signed=text[0] not in "ub")
    plain = {"float64": "float", "float32": "float", "bool": "bool", "string": "str"}
    plain["rune"] = "char"
    if text in plain:
        return Kind(plain[text], text)
    if found := _GO_ARRAY.fullmatch(text):
        item = _of("go", found[2], depth + 1, nodes)
        size = int(found[1]) if found[1] else None
        return Kind("list", f"[{found[1]}]{item.text}", (item,), size) if item else None
    if found := _GO_MAP.fullmatch(text):
        key, held = _of("go", found[1], depth + 1, nodes), _of("go", found[2], depth + 1, nodes)
        return Kind("dict", f"map[{key.text}]{held.text}", (key, held)) if key and held else None
    return None


# --- Java ----------------------------------------------------------------------------------------

_JAVA = {"int": "int", "long": "int", "short": "int", "byte": "int", "double": "float"}
_JAVA |= {"float": "float", "boolean": "bool", "char": "char", "String": "str"}
_JAVA |= {"CharSequence": "str", "Integer": "int", "Long": "int", "Double": "float"}
_JAVA |= {"Boolean": "bool", "Character": "char"}
_JAVA_MANY = dict.fromkeys(("List", "ArrayList", "Collection", "Iterable", "LinkedList"), "list")
_JAVA_MANY |= {"Set": "set", "HashSet": "set", "Map": "dict", "HashMap": "dict"}
_JAVA_MANY |= {"TreeMap": "dict", "TreeSet": "set", "LinkedHashMap": "dict"}
_JAVA_MOST = {"byte": 127, "short": 2**15 - 1}


def _of_java(text: str, depth: int, nodes: Nodes) -> Kind | None:
    text = re.sub(r"@\w+\s+|\?\s*extends\s+|\bjava\.util\.|\bjava\.lang\.", "", text).strip()
    if text in _JAVA:
        written = "String" if text == "CharSequence" else text
        return Kind(_JAVA[text], written, most=_JAVA_MOST.get(text, _INT32))
    if array := re.fullmatch(r"(.+)\[\s*\]", text, re.DOTALL):
        item = _of("java", array[1].strip(), depth + 1, nodes)
        if item is None or (item.items and not item.text.endswith("]")):
            return None  # there are no arrays of generic types
        return Kind("list", f"{item.text}[]", (item,))
    return _generic("java", _JAVA_MANY, text, depth, nodes, "java.util.{}<{}>")


# --- Rust ----------------------------------------------------------------------------------------

_RUST_INT = re.compile(r"([iu])(8|16|32|64|128|size)")
_RUST_MANY = dict.fromkeys(("Vec", "VecDeque"), "list") | {"HashSet": "set", "BTreeSet": "set"}
_RUST_MANY |= {"HashMap": "dict", "BTreeMap": "dict"}
_LIFETIME = re.compile(r"'\w+\s*")
_RUST_TEXTS = re.compile(r"impl (?:AsRef ?<str>|Into ?<String>|ToString)")


def _of_rust(text: str, depth: int, nodes: Nodes) -> Kind | None:
    """Of a reference what it refers to; of one within another type the text has it."""
    text = _LIFETIME.sub("", text).strip()
    if _RUST_TEXTS.fullmatch(text):
        return Kind("str", "&str")
    if text in ("&str", "& str"):
        return Kind("str", "&str")
    if found := _RUST_INT.fullmatch(text):
        bits = 64 if found[2] == "size" else int(found[2])
        most = min(_INT32, 2 ** (bits - 1) - 1)
        return Kind("int", text, most=most, is_signed=found[1] == "i")
    plain = {"f64": "float", "f32": "float", "bool": "bool", "char": "char", "String": "str"}
    if text in plain:
        return Kind(plain[text], text)
    return _of_rust_composed(text, depth, nodes)


def _of_rust_composed(text: str, depth: int, nodes: Nodes) -> Kind | None:
    if found := re.fullmatch(r"&\s*\[(.+)\]", text, re.DOTALL):
        item = _of("rust", found[1], depth + 1, nodes)
        return Kind("list", f"&[{item.text}]", (item,)) if item else None
    if found := re.fullmatch(r"\[(.+);\s*(\d{1,2})\]", text, re.DOTALL):
        item, size = _of("rust", found[1], depth + 1, nodes), int(found[2])
        return Kind("list", f"[{item.text}; {size}]", (item,), size) if item else None
    if text.startswith("(") and text.endswith(")"):
        items = [_of("rust", each, depth + 1, nodes) for each in split_at_commas(text[1:-1])]
        known = tuple(each for each in items if each)
        all_of = f"({', '.join(each.text for each in known)})"
        return Kind("tuple", all_of, known) if 2 <= len(known) == len(items) else None
    return _generic("rust", _RUST_MANY, text, depth, nodes, "{}<{}>")


_READERS: dict[str, Callable[[str, int, Nodes], Kind | None]] = {
    "c": _of_c,
    "cpp": _of_cpp,
    "go": _of_go,
    "java": _of_java,
    "rust": _of_rust,
}
