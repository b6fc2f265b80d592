"""How a function or class is called, read off its definition. Pure."""

import ast
from inspect import Parameter, Signature, _ParameterKind

from pipeline.analysis.python_syntax import Definition, Function

# Decorators that leave the parameters as they are.
_TRANSPARENT = {"asynccontextmanager", "cache", "contextmanager", "lru_cache", "override", "wraps"}
_TRANSPARENT |= {"final", "cached", "total_ordering", "dataclass", "runtime_checkable"}


def signature_of(node: Definition) -> Signature | None:
    """How it is called; None where its decorators, bases or metaclass may change that."""
    if any(_last_name(each) not in _TRANSPARENT for each in node.decorator_list):
        return None
    if isinstance(node, Function):
        return _of_function(node, drop=0)
    if node.bases or node.keywords:
        return None
    own = {each.name: each for each in node.body if isinstance(each, Function)}
    if "__new__" in own:
        return None
    if "__init__" in own:
        init = own["__init__"]
        return None if init.decorator_list else _of_function(init, drop=1)
    if any(_last_name(each) == "dataclass" for each in node.decorator_list):
        return _of_fields(node)
    return Signature()


def _last_name(decorator: ast.expr) -> str:
    inner = decorator.func if isinstance(decorator, ast.Call) else decorator
    return ast.unparse(inner).rpartition(".")[2]


def _of_function(node: Function, drop: int) -> Signature | None:
    given = node.args
    positional = [*given.posonlyargs, *given.args]
    required = len(positional) - len(given.defaults)
    parameters = []
    for place, each in enumerate(positional):
        first = place < len(given.posonlyargs)
        kind = Parameter.POSITIONAL_ONLY if first else Parameter.POSITIONAL_OR_KEYWORD
        parameters.append(_parameter(each, kind, place < required))
    if given.vararg:
        parameters.append(_parameter(given.vararg, Parameter.VAR_POSITIONAL, True))
    for each, default in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        parameters.append(_parameter(each, Parameter.KEYWORD_ONLY, default is None))
    if given.kwarg:
        parameters.append(_parameter(given.kwarg, Parameter.VAR_KEYWORD, True))
    if drop and (not parameters or parameters[0].kind is Parameter.VAR_POSITIONAL):
        return None
    return _made(parameters[drop:])


def _of_fields(node: ast.ClassDef) -> Signature | None:
    """A dataclass's. One with options of its own kind of fields cannot be told."""
    parameters = []
    decorator = next(each for each in node.decorator_list if _last_name(each) == "dataclass")
    if isinstance(decorator, ast.Call) and any(
        word.arg in ("init", "kw_only") for word in decorator.keywords
    ):
        return None
    for each in node.body:
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
            shown = ast.unparse(each.annotation)
            if "ClassVar" in shown:
                continue
            if "KW_ONLY" in shown or "InitVar" in shown or "init=" in ast.unparse(each):
                return None
            required = each.value is None or _is_bare_field(each.value)
            kind = Parameter.POSITIONAL_OR_KEYWORD
            parameters.append(_parameter(ast.arg(each.target.id, each.annotation), kind, required))
    return _made(parameters)


def _is_bare_field(value: ast.expr) -> bool:
    """`field()` without a default."""
    return (
        isinstance(value, ast.Call)
        and _last_name(value) == "field"
        and not any((word.arg or "").startswith("default") for word in value.keywords)
    )


def _parameter(given: ast.arg, kind: _ParameterKind, required: bool) -> Parameter:
    default = Parameter.empty if required else None
    return Parameter(given.arg, kind, default=default, annotation=given.annotation)


def _made(parameters: list[Parameter]) -> Signature | None:
    try:
        return Signature(parameters)
    except ValueError:
        return None
