"""Do the calls across a project's Python files fit what they call? Pure.

A call is checked where the name it calls comes from another file of the project and is not bound
again: its arguments against the parameters (`inspect.Signature.bind`), and the types of those
arguments that show theirs against plain annotations. Whatever cannot be told counts as fitting.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from inspect import Parameter

from pipeline.analysis.python_syntax import Definition, parse_expression
from pipeline.projects.fault import Fault
from pipeline.projects.python_module import PythonModule
from pipeline.projects.python_project import PythonProject
from pipeline.projects.python_signature import signature_of

_BUILTIN = {"bool", "bytes", "complex", "dict", "float", "frozenset", "int", "list", "None", "set"}
_BUILTIN |= {"str", "tuple"}
_WIDER = {"bool": {"int", "float", "complex"}, "int": {"float", "complex"}, "float": {"complex"}}
_ALIASES = {name: name.lower() for name in ("Dict", "FrozenSet", "List", "Set", "Tuple")}


@dataclass(frozen=True, slots=True)
class Callee:
    """A function or class of another file. `module` is where it is defined."""

    module: PythonModule
    node: Definition


def call_faults(project: PythonProject) -> Iterator[Fault]:
    for module in project.modules.values():
        known = Callees(project, module)
        if not known:
            continue
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Call):
                callee = known.of(node.func)
                detail = callee and _fault(node, callee, known)
                if callee and detail:
                    shown = f"{callee.node.name}() of {callee.module.path}: {detail}"
                    yield Fault(module.path, "call", shown, node.lineno)


class Callees:
    """What a module can call of other files, by the names that it gives them."""

    def __init__(self, project: PythonProject, module: PythonModule) -> None:
        self._found: dict[str, Callee] = {}
        bound = _bound_again(module)
        for each in module.imports:
            if each.local in bound or each.name == "*":
                continue
            source = project.module_of(module, each)
            if each.name is None:
                if source and each.local != each.module.partition(".")[0]:
                    self._add_module(each.local, source)
                elif source:
                    self._add_module(each.module, source)
                continue
            inner = project.submodule(module, each)
            if inner and not (source and each.name in source.names):
                self._add_module(each.local, inner)
            elif source:
                self._add(each.local, _defined(project, source, each.name))

    def __bool__(self) -> bool:
        return bool(self._found)

    def of(self, expression: ast.expr) -> Callee | None:
        """What an expression such as `add` or `helpers.add` stands for."""
        if isinstance(expression, ast.Name | ast.Attribute):
            return self._found.get(ast.unparse(expression))
        return None

    def _add_module(self, prefix: str, source: PythonModule) -> None:
        for name, node in source.definitions.items():
            self._add(f"{prefix}.{name}", Callee(source, node))

    def _add(self, name: str, callee: Callee | None) -> None:
        if callee:
            self._found[name] = callee


def _defined(project: PythonProject, source: PythonModule, name: str) -> Callee | None:
    """The definition behind a name, also where a package's __init__.py hands it on."""
    for _ in range(5):
        if node := source.definitions.get(name):
            return Callee(source, node)
        handed = next((each for each in source.imports if each.local == name and each.name), None)
        further = handed and project.module_of(source, handed)
        if not handed or not further or not handed.name:
            return None
        source, name = further, handed.name
    return None


def _bound_again(module: PythonModule) -> set[str]:
    """Names that something besides an import gives a meaning somewhere in the file."""
    found: set[str] = set()
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            found.add(node.id)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, Definition):
            found.add(node.name)
        elif isinstance(node, ast.ExceptHandler):
            found.add(node.name or "")
    return found


# --- a call ------------------------------------------------------------------------------------


def _fault(call: ast.Call, callee: Callee, known: Callees) -> str | None:
    signature = signature_of(callee.node)
    if signature is None or _is_spread(call):
        return None
    words = {word.arg: word.value for word in call.keywords if word.arg}
    try:
        bound = signature.bind(*call.args, **words)
    except TypeError as error:
        return str(error)
    for name, value in bound.arguments.items():
        wanted = signature.parameters[name]
        if wanted.kind not in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD):
            got = _type_of(value, known)
            if got and not _fits(got, wanted.annotation, callee.module):
                return f"{name} is {ast.unparse(wanted.annotation)}, not {got}"
    return None


def _is_spread(call: ast.Call) -> bool:
    return any(isinstance(each, ast.Starred) for each in call.args) or any(
        word.arg is None for word in call.keywords
    )


# --- types -------------------------------------------------------------------------------------


def _type_of(value: ast.expr, known: Callees) -> str | None:
    """The type that an argument shows by itself: a literal's, a class's that is called, or what the
    called function is annotated to return."""
    if isinstance(value, ast.Constant):
        return "None" if value.value is None else type(value.value).__name__
    if type(value) in _DISPLAYS:
        return _DISPLAYS[type(value)]
    callee = known.of(value.func) if isinstance(value, ast.Call) else None
    if callee is None:
        return None
    if isinstance(callee.node, ast.ClassDef):
        return callee.node.name
    returns = callee.node.returns
    if isinstance(callee.node, ast.AsyncFunctionDef):
        return None
    return _plain(returns) if isinstance(returns, ast.Name | ast.Constant) else None


_DISPLAYS: dict[type[ast.expr], str] = {
    ast.List: "list",
    ast.ListComp: "list",
    ast.Dict: "dict",
    ast.DictComp: "dict",
    ast.Set: "set",
    ast.SetComp: "set",
    ast.Tuple: "tuple",
    ast.JoinedStr: "str",
}


def _fits(got: str, annotation: ast.expr | None, module: PythonModule) -> bool:
    """Whether a value of type `got` may go where `annotation` stands: no only where both are
    builtin types, or classes without bases, and differ."""
    wanted = _alternatives(annotation)
    if wanted is None:
        return True
    for name in wanted:
        own = module.classes.get(name)
        if name not in _BUILTIN and (own is None or own.bases or own.keywords):
            return True
        if name == got or name in _WIDER.get(got, ()):
            return True
    simple = got in _BUILTIN or (got in module.classes and not module.classes[got].bases)
    return not simple


def _alternatives(annotation: ast.expr | None) -> list[str] | None:
    """The names of an annotation's types (`int | None` has two); None where it is not so plain."""
    if annotation is None:
        return None
    if isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.BitOr):
        left, right = _alternatives(annotation.left), _alternatives(annotation.right)
        return None if left is None or right is None else left + right
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        try:
            return _alternatives(parse_expression(annotation.value))
        except ValueError:
            return None
    if isinstance(annotation, ast.Subscript):
        outer = _plain(annotation.value)
        if outer == "Optional":
            inner = _alternatives(annotation.slice)
            return None if inner is None else [*inner, "None"]
        return [outer] if outer in _BUILTIN else None
    if isinstance(annotation, ast.Name | ast.Constant):
        return [_plain(annotation)]
    return None


def _plain(annotation: ast.expr) -> str:
    shown = ast.unparse(annotation).strip("'\"").rpartition(".")[2]
    return _ALIASES.get(shown, shown)
