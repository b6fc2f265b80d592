"""The steps' code → one program. Pure; from the code itself, whatever is said about it.

Imports go to the top, each once; a step that repeats what earlier steps wrote adds only what is
new, and one that is the whole program so far takes its place.
"""

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from laios.types.final_result import FinalCode
from pipeline.analysis.imports import Import, import_lines
from pipeline.analysis.line_matcher import LineMatcher
from pipeline.analysis.python_syntax import Definition, top_level
from pipeline.analysis.statements import Statement, statements

# What stands after these has to stay there: they change what an import finds.
_PATHS = re.compile(
    r"\bsys\.path\b|\bos\.environ\b|\brequire_version\(|\bpatch_all\(|\bmatplotlib\.use\("
)
_FIRST_LINE = re.compile(r"#!.*|#.*\bcoding[:=].*")  # for the system, for the interpreter (PEP 263)
_IMPORT_LINE = re.compile(r"(?:import|from)\s+[\w.]+.*")


@dataclass(frozen=True, slots=True)
class Part:
    """What one step adds: its import lines, and the rest of its code."""

    imports: list[str]
    code: str


@dataclass(slots=True)
class Assembly:
    """A program as it grows. `language` in lower case."""

    language: str
    _imports: list[Import] = field(default_factory=list)
    _heads: dict[str, None] = field(default_factory=dict)  # lines of other languages
    _body: list[Statement] = field(default_factory=list)

    def add(self, code: str) -> Part:
        """Takes a step's code in, whether it parses or not."""
        first, _, below = code.partition("\n")
        if self.language == "python" and _FIRST_LINE.fullmatch(first):
            self._heads[first] = None
            code = below
        read = statements(self.language, code.strip("\n"))
        if read is None:
            return self._add_text(code.strip("\n"))
        found, rest = read
        body: list[Statement] = []
        imports: list[Import] = []
        heads: list[str] = []
        bound = {known.local: known.target for known in self._imports if known.name != "*"}
        given = {name for other in self._body for name in _made(other)}
        paths = any(_PATHS.search(other.text) for other in self._body)
        for each in found:
            clash = any(
                bound.get(new.local, new.target) != new.target or new.local in given
                for new in each.imports
            )
            # Another thing has or had the import's name, or code before it says what is found,
            # and where.
            if each.kind in ("head", "import") and not paths and not clash:
                imports += each.imports
                heads += [] if each.imports else [each.text]
                body += _remarks(each.above)
            else:
                body.append(each)
                given.update(_made(each))
                paths = paths or bool(_PATHS.search(each.text))
        body += _remarks(rest.split("\n"))
        self._imports += imports
        self._heads |= dict.fromkeys(heads)
        lines = [line for group in import_lines(imports) for line in group]
        return Part(lines or heads, _text(self._take(body)))

    @property
    def final(self) -> FinalCode:
        groups = ["\n".join(group) for group in import_lines(self._imports)]
        imports = "\n\n".join(["\n".join(self._heads), *groups] if self._heads else groups)
        body = _text(self._body)
        complete = "\n\n".join(filter(None, (imports, body)))
        return FinalCode(imports=imports, body=body, complete=f"{complete}\n" if complete else "")

    def _take(self, body: list[Statement]) -> list[Statement]:
        """Adds a step's statements; gives those that are new."""
        before = [each.key for each in self._body if each.key]
        keys = [each.key for each in body if each.key]
        if before and _contains(keys, before):
            fresh = _without(body, before)
            self._body = list(body)
        elif before and body and _restates(body, before):
            fresh = _without(body, before)
            self._append(fresh)
        else:
            fresh = body
            self._append(body)
        return fresh

    def _append(self, body: list[Statement]) -> None:
        """`if __name__ == "__main__":` stands once, at the end."""
        guards = {each.key for each in body if each.kind == "guard"}
        kept = [each for each in self._body if each.kind != "guard" or each.key not in guards]
        if body and kept and not (body[0].above and not body[0].above[0].strip()):
            body = [replace(body[0], above=("", *body[0].above)), *body[1:]]
        self._body = kept + body

    def _add_text(self, code: str) -> Part:
        """Code that does not parse: its import lines as far as they are whole, the rest as it
        is."""
        imports: list[Import] = []
        rest: list[str] = []
        for line in code.split("\n"):
            whole = statements("python", line) if _IMPORT_LINE.fullmatch(line) else None
            if self.language == "python" and whole and whole[0]:
                imports += whole[0][0].imports
            else:
                rest.append(line)
        text = "\n".join(rest).strip("\n")
        self._imports += imports
        if before := _text(self._body):  # what has no grammar: the whole program so far, and more
            more = f"{text}\n".removeprefix(f"{before}\n")
            if self.language != "python" and more != f"{text}\n":
                self._body = [Statement(text, key=f"?{text}")]
                return Part([], more.strip("\n"))
        if text:
            self._append([Statement(text, key=f"?{text}")])
        return Part([line for group in import_lines(imports) for line in group], text)


def _made(statement: Statement) -> list[str]:
    """The names that a definition or an assignment of Python gives something."""
    names: list[str] = []
    for node in top_level(statement.text) if statement.binds else ():
        if isinstance(node, ast.Assign | ast.AnnAssign):
            stored = (each for each in ast.walk(node) if isinstance(each, ast.Name))
            names += [each.id for each in stored if isinstance(each.ctx, ast.Store)]
        elif isinstance(node, Definition):
            names.append(node.name)
    return names


def _remarks(lines: Iterable[str]) -> list[Statement]:
    """Comments without a statement below them."""
    return [Statement(line) for line in lines if line.strip()]


def _text(body: Iterable[Statement]) -> str:
    lines = [line for each in body for line in (*each.above, each.text)]
    return "\n".join(lines).strip("\n")


def _contains(keys: list[str], before: list[str]) -> bool:
    """Whether all that was before comes again, in its order."""
    rest = iter(keys)
    return all(key in rest for key in before)


def _restates(body: list[Statement], before: list[str]) -> bool:
    """Whether a step begins by making again what an earlier one has made."""
    first = next((each for each in body if each.key), None)
    return first is not None and first.binds and first.key in before


def _without(body: list[Statement], before: list[str]) -> list[Statement]:
    """The statements that were not there before, as far as they come again in their order."""
    named = [each for each in body if each.key and each.kind != "guard"]
    blocks = LineMatcher(before, [each.key for each in named])
    again = {block.b + n for block in blocks.get_matching_blocks() for n in range(block.size)}
    known = {id(each) for n, each in enumerate(named) if n in again}
    return [each for each in body if id(each) not in known]
