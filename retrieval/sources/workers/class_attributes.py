"""What griffe does not note about a class: attributes that methods set, and how sure it all is."""

import ast
from typing import Any

import griffe

# Decorators that leave a class with the names that its text gives it (dunder methods apart).
_PLAIN = frozenset(
    {"attrs", "dataclass", "define", "deprecated", "final", "frozen", "mutable", "s"}
    | {"runtime_checkable", "total_ordering", "unique", "verify"}
)
_PLAIN_METACLASSES = frozenset({"ABCMeta", "EnumMeta", "EnumType", "type"})
_SETS_UNSEEN = frozenset({"setattr", "vars"})


class Classes(griffe.Extension):
    """Notes in `extra["laios"]` of a class: `stored`, the attributes that its methods set on their
    first argument, and `is_dynamic`: it may have attributes that nothing in its text names."""

    def on_class_instance(self, *, node: Any, cls: griffe.Class, **_: Any) -> None:
        cls.extra["laios"]["stored"] = sorted(_stored(node))
        cls.extra["laios"]["is_dynamic"] = _is_dynamic(node)


def _stored(node: ast.ClassDef) -> set[str]:
    found = set()
    for method in node.body:
        if isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef):
            arguments = [*method.args.posonlyargs, *method.args.args]
            first = arguments[0].arg if arguments else ""
            found |= {
                each.attr
                for each in ast.walk(method)
                if isinstance(each, ast.Attribute)
                and isinstance(each.ctx, ast.Store)
                and isinstance(each.value, ast.Name)
                and each.value.id == first
            }
    return found


def _is_dynamic(node: ast.ClassDef) -> bool:
    if any(_last(decorator) not in _PLAIN for decorator in node.decorator_list):
        return True
    for keyword in node.keywords:
        if keyword.arg == "metaclass" and _last(keyword.value) not in _PLAIN_METACLASSES:
            return True
    return any(_sets_unseen(each) for statement in node.body for each in ast.walk(statement))


def _sets_unseen(node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr in ("__dict__", "__setattr__") and isinstance(node.ctx, ast.Load)
    return isinstance(node, ast.Name) and node.id in _SETS_UNSEEN


def _last(node: ast.expr) -> str:
    """`dataclass` of `@dataclasses.dataclass(slots=True)`."""
    if isinstance(node, ast.Call):
        node = node.func
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
