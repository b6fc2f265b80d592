"""Types of typed languages, as their programs write them, and the plain values that they hold.
Pure."""

import re
from collections.abc import Callable, Iterator, Sequence

from pipeline.analysis.signatures.signature import NodeType
from pipeline.testcases.typescript_types import kind_of_typescript
from pipeline.testcases.value_kinds import INT32, LONGEST, Kind

_DEEPEST = 4  # lists of lists of lists
_MOST_TEXT = 400  # characters of a type

Nodes = Sequence[NodeType]
Within = Callable[[str], Kind | None]
"""Reads a type that stands within another one."""


def kind_of(language: str, text: str, nodes: Nodes = ()) -> Kind | None:
    """None for types that neither a plain value nor linked nodes are of."""
    return _of(language, text.strip(), 0, nodes) if len(text) <= _MOST_TEXT else None


def _of(language: str, text: str, depth: int, nodes: Nodes) -> Kind | None:
    if depth > _DEEPEST:
        return None
    if node := next((each for each in nodes if each.is_meant(text)), None):
        return _of_node(language, text, node)
    return _READERS[language](text, lambda inner: _of(language, inner, depth + 1, nodes))


def _of_node(language: str, text: str, node: NodeType) -> Kind | None:
    held = kind_of(language, node.value_type)
    if held is None or held.items:
        return None
    if language == "cpp" and "<" not in text:
        text = f"{node.name} *"
    names = {"c": f"{node.name} *", "java": node.name, "typescript": node.name}
    written = names.get(language, text)
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


def _generic(names: dict[str, str], text: str, within: Within, form: str = "{}<{}>") -> Kind | None:
    """Of `names` by the kinds that they are; `form`: how the language writes it."""
    name, inner = arguments_of(text)
    name = name.rpartition("::")[2].rpartition(".")[2]
    kind = names.get(name)
    items = [within(each) for each in inner]
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


def _of_c(text: str, within: Within) -> Kind | None:
    """Of a plain type: neither pointers nor arrays."""
    text = " ".join(_QUALIFIERS.sub(" ", text).split()).replace("std::", "")
    if _C_INT.fullmatch(text):
        small = next((most for word, most in _C_SMALL.items() if word in text), INT32)
        is_signed = not re.match(r"unsigned|u|size_t", text)
        return Kind("int", text, most=small, is_signed=is_signed)
    plain = {"float": "float", "double": "float", "long double": "float", "char": "char"}
    plain |= {"bool": "bool", "_Bool": "bool"}
    return Kind(plain[text], text) if text in plain else None


def _of_cpp(text: str, within: Within) -> Kind | None:
    plain = _of_c(text, within)
    if plain:
        return plain
    text = " ".join(_QUALIFIERS.sub(" ", text).split()).strip("& ")
    if text.replace("std::", "") in ("string", "string_view"):
        return Kind("str", "std::string")
    text = re.sub(r"\bspan\b", "vector", text)
    name, inner = arguments_of(text)
    if name.replace("std::", "") == "array" and len(inner) == 2 and inner[1].isdigit():
        item, size = within(inner[0]), int(inner[1][:4])
        if item is None or size > LONGEST:
            return None
        return Kind("list", f"std::array<{item.text}, {size}>", (item,), size)
    if name.replace("std::", "") == "pair" and len(inner) == 2:
        items = [within(each) for each in inner]
        known = tuple(each for each in items if each)
        both = f"std::pair<{', '.join(each.text for each in known)}>"
        return Kind("tuple", both, known) if len(known) == 2 else None
    return _generic(_CPP_LISTS, text, within, "std::{}<{}>")


# --- Go ------------------------------------------------------------------------------------------

_GO_INTS = {f"{sign}int{bits}" for sign in ("", "u") for bits in ("", "8", "16", "32", "64")}
_GO_ARRAY = re.compile(r"\[(\d{0,3})\]\s*(.+)", re.DOTALL)
_GO_MAP = re.compile(r"map\[(\w+)\]\s*(.+)", re.DOTALL)


def _of_go(text: str, within: Within) -> Kind | None:
    if text in _GO_INTS or text == "byte":
        bits = 8 if text == "byte" else int(re.sub(r"\D", "", text) or 64)
        most = min(INT32, 2 ** (bits - 1) - 1)
        return Kind("int", text, most=most, is_signed=text[0] not in "ub")
    plain = {"float64": "float", "float32": "float", "bool": "bool", "string": "str"}
    plain["rune"] = "char"
    if text in plain:
        return Kind(plain[text], text)
    if found := _GO_ARRAY.fullmatch(text):
        item = within(found[2])
        size = int(found[1]) if found[1] else None
        return Kind("list", f"[{found[1]}]{item.text}", (item,), size) if item else None
    if found := _GO_MAP.fullmatch(text):
        key, held = within(found[1]), within(found[2])
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


def _of_java(text: str, within: Within) -> Kind | None:
    text = re.sub(r"@\w+\s+|\?\s*extends\s+|\bjava\.util\.|\bjava\.lang\.", "", text).strip()
    if text in _JAVA:
        written = "String" if text == "CharSequence" else text
        return Kind(_JAVA[text], written, most=_JAVA_MOST.get(text, INT32))
    if array := re.fullmatch(r"(.+)\[\s*\]", text, re.DOTALL):
        item = within(array[1].strip())
        if item is None or (item.items and not item.text.endswith("]")):
            return None  # there are no arrays of generic types
        return Kind("list", f"{item.text}[]", (item,))
    return _generic(_JAVA_MANY, text, within, "java.util.{}<{}>")


# --- Rust ----------------------------------------------------------------------------------------

_RUST_INT = re.compile(r"([iu])(8|16|32|64|128|size)")
_RUST_MANY = dict.fromkeys(("Vec", "VecDeque"), "list") | {"HashSet": "set", "BTreeSet": "set"}
_RUST_MANY |= {"HashMap": "dict", "BTreeMap": "dict"}
_LIFETIME = re.compile(r"'\w+\s*")
_RUST_TEXTS = re.compile(r"impl (?:AsRef ?<str>|Into ?<String>|ToString)")


def _of_rust(text: str, within: Within) -> Kind | None:
    """Of a reference what it refers to; of one within another type the text has it."""
    text = _LIFETIME.sub("", text).strip()
    if _RUST_TEXTS.fullmatch(text):
        return Kind("str", "&str")
    if text in ("&str", "& str"):
        return Kind("str", "&str")
    if found := _RUST_INT.fullmatch(text):
        bits = 64 if found[2] == "size" else int(found[2])
        most = min(INT32, 2 ** (bits - 1) - 1)
        return Kind("int", text, most=most, is_signed=found[1] == "i")
    plain = {"f64": "float", "f32": "float", "bool": "bool", "char": "char", "String": "str"}
    if text in plain:
        return Kind(plain[text], text)
    return _of_rust_composed(text, within)


def _of_rust_composed(text: str, within: Within) -> Kind | None:
    if found := re.fullmatch(r"&\s*\[(.+)\]", text, re.DOTALL):
        item = within(found[1])
        return Kind("list", f"&[{item.text}]", (item,)) if item else None
    if found := re.fullmatch(r"\[(.+);\s*(\d{1,2})\]", text, re.DOTALL):
        item, size = within(found[1]), int(found[2])
        return Kind("list", f"[{item.text}; {size}]", (item,), size) if item else None
    if text.startswith("(") and text.endswith(")"):
        items = [within(each) for each in split_at_commas(text[1:-1])]
        known = tuple(each for each in items if each)
        all_of = f"({', '.join(each.text for each in known)})"
        return Kind("tuple", all_of, known) if 2 <= len(known) == len(items) else None
    return _generic(_RUST_MANY, text, within, "{}<{}>")


_READERS: dict[str, Callable[[str, Within], Kind | None]] = {
    "c": _of_c,
    "cpp": _of_cpp,
    "go": _of_go,
    "java": _of_java,
    "rust": _of_rust,
    "typescript": kind_of_typescript,
}
