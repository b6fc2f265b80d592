"""Sphinx's directives and roles, as far as their text goes, for docutils."""

import re
from collections.abc import Callable
from typing import Any

from docutils import nodes
from docutils.parsers.rst import Directive, directives, roles

_CODE = ("code", "code-block", "sourcecode", "ipython", "testcode", "doctest", "prompt", "plot")
_DEFINITIONS = frozenset(
    {"attribute", "class", "classmethod", "data", "decorator", "exception", "function", "method"}
    | {"module", "property", "staticmethod"}
)
_SILENT = frozenset(
    {"contents", "currentmodule", "figure", "graphviz", "highlight", "image", "include", "index"}
    | {"literalinclude", "math", "meta", "raw", "sectionauthor", "tabularcolumns", "testsetup"}
    | {"testcleanup", "toctree", "title", "header", "footer", "csv-table", "role", "default-role"}
)
# What these show is wanted as it is.
_DOCUTILS = frozenset(
    {"compound", "container", "date", "emphasis", "epigraph", "highlights", "line-block"}
    | {"list-table", "parsed-literal", "pull-quote", "replace", "rubric", "strong", "sub"}
    | {"subscript", "sup", "superscript", "table", "title-reference", "topic", "unicode"}
)
_DIRECTIVE = re.compile(r"^[ \t]*\.\. ([A-Za-z][\w:.+-]{0,60})::", re.MULTILINE)
_ROLE = re.compile(r":([A-Za-z][\w:.+-]{0,60}):`")
_TITLED = re.compile(r"^(.*?)\s*<([^<>]*)>$", re.DOTALL)


class api(nodes.General, nodes.Element):
    """The definition of a name: `signatures`, and what is said below them."""


class _Anything(dict[str, Callable[[str], str]]):
    """An option specification that takes every option."""

    def __missing__(self, key: str) -> Callable[[str], str]:
        return directives.unchanged

    def __bool__(self) -> bool:
        return True


class _Tolerant(Directive):
    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec = _Anything()

    def _below(self, *before: str) -> list[nodes.Node]:
        """Arguments as paragraphs, then the content."""
        found: list[nodes.Node] = [nodes.paragraph(text, text) for text in before if text]
        holder = nodes.container()
        self.state.nested_parse(self.content, self.content_offset, holder)
        return [*found, *holder.children]


class _Text(_Tolerant):
    def run(self) -> list[nodes.Node]:
        name = self.name.rpartition(":")[2].replace("-", " ")
        said = " ".join(" ".join(self.arguments).split())
        return self._below(f"{name.capitalize()}: {said}" if said else "")


class _Code(_Tolerant):
    def run(self) -> list[nodes.Node]:
        text = "\n".join(self.content)
        language = " ".join(self.arguments) if self.name in _CODE[:3] else "python"
        return [nodes.literal_block(text, text, language=language)]


class _Definition(_Tolerant):
    def run(self) -> list[nodes.Node]:
        signatures = [line.strip() for line in "\n".join(self.arguments).split("\n")]
        node = api("", *self._below(), signatures=[line for line in signatures if line])
        return [node]


class _Nothing(_Tolerant):
    def run(self) -> list[nodes.Node]:
        return []


def register_for(text: str) -> None:
    """Makes the directives and roles of a text known, but for those that docutils does well."""
    for name in {match.lower() for match in _DIRECTIVE.findall(text)} - _DOCUTILS:
        directives.register_directive(name, _directive(name))
    for name in {match.lower() for match in _ROLE.findall(text)} - _DOCUTILS:
        roles.register_local_role(name, _role)


def _directive(name: str) -> type[Directive]:
    last = name.rpartition(":")[2]
    if name in _CODE:
        return _Code
    if last in _DEFINITIONS and (":" in name or last != "class"):
        return _Definition
    return _Nothing if name in _SILENT or name.startswith("auto") else _Text


def _role(
    name: str, rawtext: str, text: str, lineno: int, inliner: Any, *_: Any
) -> tuple[list[Any], list[Any]]:
    """A name of an API as a literal; what points to a text as its title."""
    titled = _TITLED.match(text)
    if titled:
        return [nodes.inline(rawtext, titled[1])], []
    if name.rpartition(":")[2] in ("doc", "ref", "term", "abbr", "guilabel", "menuselection"):
        return [nodes.inline(rawtext, text)], []
    shown = text[1:] if text.startswith(("~", "!")) else text
    return [nodes.literal(rawtext, shown)], []
