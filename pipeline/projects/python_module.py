"""A Python file as a module of its project: what it defines and what it imports. Pure, by `ast`."""

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from pipeline.analysis.python_syntax import ERRORS, Definition, Function, parse
from pipeline.projects.file_content import MAX_CHECKED


@dataclass(frozen=True, slots=True)
class PythonImport:
    """One imported thing. `module` is the dotted name as written, `level` the dots before it;
    `name` is what is taken out of it (None: the module itself, `*`: everything), `local` what it
    goes by. `early`: importing the file imports it; `guarded`: its absence is provided for."""

    module: str
    level: int
    name: str | None
    local: str
    line: int
    early: bool
    guarded: bool


@dataclass(slots=True)
class PythonModule:
    """`names` are those at its top level; `open`: there are others that cannot be told."""

    path: str
    tree: ast.Module
    names: set[str] = field(default_factory=set)
    functions: dict[str, Function] = field(default_factory=dict)
    classes: dict[str, ast.ClassDef] = field(default_factory=dict)
    imports: list[PythonImport] = field(default_factory=list)
    open: bool = False

    @property
    def definitions(self) -> dict[str, Definition]:
        return {**self.functions, **self.classes}


def read_python(text: str, path: str) -> PythonModule | None:
    """The module; None for a text that does not parse, or is nested too deeply to be looked at."""
    tree = parse(text, MAX_CHECKED)
    try:
        return _read(tree, path) if tree else None
    except ERRORS:
        return None


def _read(tree: ast.Module, path: str) -> PythonModule:
    module = PythonModule(path, tree)
    for node in _top_level(tree.body):
        if isinstance(node, Function):
            module.functions[node.name] = node
        elif isinstance(node, ast.ClassDef):
            module.classes[node.name] = node
        module.names.update(_bound(node))
    _read_imports(module, tree.body, early=True, guarded=False)
    module.names |= {each.local for each in module.imports if each.early}
    module.open = "__getattr__" in module.names or _fills_globals(tree)
    for each in ast.walk(tree):
        if isinstance(each, ast.Global):
            module.names.update(each.names)
    return module


def dotted_names(path: str, packages: set[str]) -> list[str]:
    """The names by which a file can be imported: from the project's root, and from directories
    above it that are no packages (`src`, `tests`). `packages`: directories with an __init__.py."""
    pure = PurePosixPath(path)
    parts = [*pure.parent.parts, pure.stem] if pure.stem != "__init__" else [*pure.parent.parts]
    names = []
    for start in range(len(parts)):
        dropped = ["/".join(parts[: end + 1]) for end in range(start)]
        if start and packages & set(dropped):
            break
        names.append(".".join(parts[start:]))
    return names


def packages_of(paths: Iterable[str]) -> set[str]:
    """The directories that are packages: they have an __init__.py."""
    return {str(PurePosixPath(path).parent) for path in paths if path.endswith("/__init__.py")}


def _top_level(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that run at import, those in blocks included."""
    waiting = [*reversed(body)]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, Definition):
            waiting += reversed(_blocks(node))


def _blocks(node: ast.AST) -> list[ast.stmt]:
    """The statements inside a compound one."""
    found: list[ast.stmt] = []
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            found.append(child)
        elif isinstance(child, ast.ExceptHandler | ast.match_case):
            found += child.body
    return found


def _bound(node: ast.stmt) -> Iterator[str]:
    """The names that a statement binds by itself, without those inside it."""
    if isinstance(node, Definition):
        yield node.name
        return
    for child in _own_nodes(node):
        if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store):
            yield child.id
        elif isinstance(child, ast.MatchAs | ast.MatchStar) and child.name:
            yield child.name
        elif type(child).__name__ == "TypeAlias":  # Python 3.12
            yield getattr(child, "name").id  # noqa: B009


def _own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    waiting = [node]
    while waiting:
        each = waiting.pop()
        yield each
        waiting += [n for n in ast.iter_child_nodes(each) if not isinstance(n, ast.stmt)]


def _fills_globals(tree: ast.Module) -> bool:
    """`globals()["x"] = …`, `globals().update(…)`"""
    return any(
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "globals"
        for node in ast.walk(tree)
    )


def _read_imports(
    module: PythonModule, body: Sequence[ast.AST], *, early: bool, guarded: bool
) -> None:
    for node in body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            module.imports += _imports_of(node, early, guarded)
            continue
        inside_early = early and not isinstance(node, Function | ast.Lambda)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            before = len(module.imports)
            _read_imports(module, node.body, early=False, guarded=guarded)
            if inside_early:  # names of the module, to those who check its types
                module.names |= {each.local for each in module.imports[before:]}
            _read_imports(module, node.orelse, early=inside_early, guarded=guarded)
            continue
        catches = isinstance(node, ast.Try) and any(map(_catches_imports, node.handlers))
        children = list(ast.iter_child_nodes(node))
        _read_imports(module, children, early=inside_early, guarded=guarded or catches)


def _imports_of(
    node: ast.Import | ast.ImportFrom, early: bool, guarded: bool
) -> Iterator[PythonImport]:
    for alias in node.names:
        if isinstance(node, ast.Import):
            local = alias.asname or alias.name.partition(".")[0]
            yield PythonImport(alias.name, 0, None, local, node.lineno, early, guarded)
        else:
            local = alias.asname or alias.name
            source, level = node.module or "", node.level
            yield PythonImport(source, level, alias.name, local, node.lineno, early, guarded)


def _catches_imports(handler: ast.ExceptHandler) -> bool:
    caught = ast.unparse(handler.type) if handler.type else "Exception"
    return any(name in caught for name in ("ImportError", "ModuleNotFoundError", "Exception"))
