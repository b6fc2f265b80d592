"""A module's entries as chunks and symbols for the index."""

from collections.abc import Iterable, Iterator

from retrieval.sources.api_entry import Entry
from retrieval.sources.chunk import Chunk, ContentType, Ids, ParsedPart, Symbol
from retrieval.sources.data_file_mentions import in_code
from retrieval.sources.docstrings import plain, summary, without_examples
from retrieval.sources.text_split import GOOD, split_lines, split_text

MAX_LINE = 300  # characters of a member's signatures with its summary
MAX_HEAD = 600
MAX_OVERVIEW = 400  # characters of names of one kind
MAX_PIECES = 20  # chunks of the text of one thing
LONG = 400  # characters; a method that says more has a chunk of its own

_KINDS = {"class": "Classes", "function": "Functions", "attribute": "Constants"}


class ModuleParser:
    """Builds the ParsedPart of one module from its entries as they come, the module's own first. A
    class's chunks are `vtkActor_api_0`, …; with the qualified name where `qualified`."""

    def __init__(self, path: str, ids: Ids, *, qualified: bool) -> None:
        self.parsed = ParsedPart(path)
        self._ids = ids
        self._qualified = qualified
        self._names: dict[str, list[str]] = {}

    def add(self, entry: Entry) -> None:
        self.parsed.symbols += [_symbol(each) for each in entry.walk()]
        if entry.alias_of or not entry.is_public:
            return
        if entry.name == self.parsed.path:
            self._said(entry, "CONCEPT", "", self._label(entry))
        elif entry.kind in _KINDS:
            self._names.setdefault(_KINDS[entry.kind], []).append(entry.short)
            if entry.kind == "class":
                self._class(entry)
            elif entry.kind == "function" or entry.doc:
                self._said(entry, "API_DOC", head(entry), self._label(entry))

    def finish(self) -> ParsedPart:
        """The result, with the names in the module at its end."""
        if self._names:
            lines = [f"{kind}: {_some(names)}" for kind, names in sorted(self._names.items())]
            path = self.parsed.path
            text = "\n\n".join([f"Module {path}", *lines])
            self._chunk(path, path, "API_DOC", text, (path,))
        return self.parsed

    def _class(self, entry: Entry) -> None:
        """Its summary and as many members as fit; the others in chunks that repeat its head."""
        label = self._label(entry)
        text, example = without_examples(entry.doc)
        said = split_text(plain(text))[:MAX_PIECES]
        parts = [(head(entry), ()), *((f"\n{piece}", ()) for piece in said), ("", ())]
        again = head(entry).split("\n")[:2]
        for number, group in enumerate(_grouped([*parts, *_lines(entry)], GOOD)):
            start = [f"{again[0]}, continued", *again[1:], ""] if number else []
            content = "\n".join([*start, *(text for text, _ in group)]).strip()
            names = tuple(name for _, found in group for name in found)
            self._chunk(label, entry.name, "API_DOC", content, (entry.name, *names))
        self._example(entry, example, label)
        for member in entry.members:
            if member.is_public and not member.repeats and len(member.doc) > LONG:
                self._said(member, "API_DOC", head(member), label)

    def _said(self, entry: Entry, kind: ContentType, start: str, label: str) -> None:
        """A thing's head and text."""
        text, example = without_examples(entry.doc)
        said = split_text(plain(text))[:MAX_PIECES]
        for piece in said or ([""] if start else []):
            self._chunk(label, entry.name, kind, f"{start}\n\n{piece}".strip(), (entry.name,))
        self._example(entry, example, label)

    def _example(self, entry: Entry, code: str, label: str) -> None:
        said = summary(plain(entry.doc))
        self.parsed.data_files += in_code(code, said, entry.name)
        about = f"# {entry.name}: {said}\n"
        for piece in split_lines(code):
            self._chunk(label, entry.name, "CODE", about + piece.strip("\n"), (entry.name,))

    def _chunk(
        self, label: str, title: str, kind: ContentType, text: str, symbols: tuple[str, ...]
    ) -> None:
        id = self._ids.new(label, kind)
        self.parsed.chunks.append(Chunk(id, kind, title, text, symbols))

    def _label(self, entry: Entry) -> str:
        return entry.name if self._qualified or entry.kind == "module" else entry.short


def head(entry: Entry) -> str:
    """How a thing is imported and called."""
    module, _, short = entry.name.rpartition(".")
    if entry.kind == "class":
        bases = ", ".join(base.rpartition(".")[2] for base in entry.bases)
        lines = [f"class {short}({bases})" if bases else f"class {short}"]
        lines.append(f"from {module} import {short}")
        lines += _calls(entry)
    elif entry.kind == "method":
        lines = [entry.name, *_calls(entry)]
    else:
        lines = [f"from {module} import {short}", *(_calls(entry) or [short])]
    return "\n".join(lines)[:MAX_HEAD]


def _calls(entry: Entry) -> list[str]:
    return [f"{entry.short}{_unbound(signature)}" for signature in entry.signatures]


def _unbound(signature: str) -> str:
    """A method's signature without its `self`."""
    for bound in ("(self, ", "(self", "(cls, ", "(cls"):
        if signature.startswith(bound):
            return f"({signature[len(bound) :].removeprefix(', ')}"
    return signature if signature[:1] in ("(", ":") else f" {signature}"


def _lines(entry: Entry) -> Iterator[tuple[str, tuple[str, ...]]]:
    """A line for each member that says something, with the names on it; the others together."""
    silent: list[tuple[str, tuple[str, ...]]] = []
    for member in sorted(entry.members, key=lambda each: each.kind == "attribute"):
        if not member.is_public or member.repeats:
            continue
        if member.doc or member.kind == "class":
            yield _line(member), (member.name,)
        else:
            silent.append((_line(member), (member.name,)))
    for group in _grouped(silent, MAX_LINE):
        text = ", ".join(text for text, _ in group)
        yield f"Also: {text}", tuple(name for _, names in group for name in names)


def _line(member: Entry) -> str:
    if member.kind == "class":
        below = _some([each.short for each in member.members])
        return f"class {member.short}: {below}" if below else f"class {member.short}"
    call = " / ".join(_calls(member)) or member.short
    call = call if len(call) <= MAX_LINE else f"{call[: MAX_LINE - 1]}…"
    said = summary(plain(without_examples(member.doc)[0]))
    return f"{call}: {said}" if said else call


def _some(names: Iterable[str]) -> str:
    text = ", ".join(names)
    if len(text) <= MAX_OVERVIEW:
        return text
    return f"{text[:MAX_OVERVIEW].rpartition(', ')[0]}, …"


def _grouped(
    parts: Iterable[tuple[str, tuple[str, ...]]], good: int
) -> Iterator[list[tuple[str, tuple[str, ...]]]]:
    """The parts in their order, as many together as fit."""
    group: list[tuple[str, tuple[str, ...]]] = []
    size = 0
    for part in parts:
        if group and size + len(part[0]) > good:
            yield group
            group, size = [], 0
        group.append(part)
        size += len(part[0]) + 1
    if group:
        yield group


def _symbol(entry: Entry) -> Symbol:
    return Symbol(
        entry.name,
        entry.kind,
        bases=tuple(entry.bases),
        returns=entry.returns,
        parameters=None if entry.parameters is None else tuple(entry.parameters),
        complete=entry.complete,
        alias_of=entry.alias_of,
    )
