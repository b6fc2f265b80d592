"""A draft as a compiler takes it: the part of a file that an answer is becomes a whole one."""

import re
from typing import TYPE_CHECKING

from pipeline.analysis.grammar import parsed, walk
from pipeline.analysis.shown_types import with_shown_types
from pipeline.analysis.syntax_process import in_syntax_process

if TYPE_CHECKING:
    from tree_sitter import Node

_INCLUDE = r"^[ \t]*#[ \t]*include"
_MOST_READ = 30_000  # characters
_PACKAGE = re.compile(r"^package\b", re.MULTILINE)
_GO_MAIN = re.compile(r"^func main\(\)", re.MULTILINE)
_JAVA_IMPORT = re.compile(r"^(?:import|package)\b[^;\n]*;", re.MULTILINE)
# What only another compiler of a language's kin takes, or what is no program.
_OF_KIN = {
    "c": re.compile(
        r"^[ \t]*(?:@\w+|#import)|\b__(?:global|device)__\b|<<<|^void (?:setup|loop)\(",
        re.MULTILINE,
    ),
    "cpp": re.compile(
        r"^[ \t]*(?:@\w+|#import|import\b|export\b|module\b)|\b__(?:global|device)__\b|<<<"
        r"|^void (?:setup|loop)\(",
        re.MULTILINE,
    ),
    "java": re.compile(r"^(?:open )?module[ \t]+[\w.]{1,200}\s{0,9}\{", re.MULTILINE),
}
# What is a statement and is not called so.
_STATEMENTS = frozenset(
    [
        *("for_range_loop", "local_variable_declaration", "short_var_declaration"),
        *("let_declaration", "call_expression", "for_expression", "if_expression"),
        *("switch_expression", "while_expression", "match_expression"),
    ]
)
_CLASSES = frozenset(
    f"{kind}_declaration" for kind in ("annotation_type", "class", "enum", "interface", "record")
)


def wholes(language: str, text: str, request: str) -> list[str]:
    """As `compilable`, and the same with types that the request shows, where it leaves some out:
    the first that compiles is meant. Of TypeScript, which compiles without them, the latter alone.
    [] for none. Raises Unread."""
    whole = with_shown_types(language, text, request)
    texts = dict.fromkeys((whole,) if language == "typescript" else (text, whole))
    return [made for each in texts if (made := compilable(language, each))]


def compilable(language: str, text: str) -> str | None:
    """The text with what makes a file of functions alone, on the lines that are there: Go's
    `package`, the class of Java's methods. None for statements alone, for several files, and for
    what none of the language's usual compilers takes. Raises Unread."""
    kin = _OF_KIN.get(language)
    if len(text) > _MOST_READ or (kin and kin.search(text)):
        return None
    if language == "typescript":
        return text  # statements may stand anywhere
    if len(_PACKAGE.findall(text)) > 1 or has_statements(language, text):
        return None
    if language == "go":
        text = text if _PACKAGE.search(text) else f"package main; {text}"
        is_main = re.search(r"^package main\b", text, re.MULTILINE)
        return text if not is_main or _GO_MAIN.search(text) else f"{text}\nfunc main() {{}}\n"
    if language == "java" and is_of_methods(text):
        head = [*_JAVA_IMPORT.finditer(text)]
        at = head[-1].end() if head else 0
        return f"{text[:at]} class Main {{ {text[at:]}\n}}"
    return text


def is_whole(language: str, text: str) -> bool:
    """Whether it says where its names come from, as a whole file does."""
    mark = {"c": _INCLUDE, "cpp": _INCLUDE, "go": r"^package\b"}.get(language)
    if mark:
        return re.search(mark, text, re.MULTILINE) is not None
    return language != "java" or not is_of_methods(text)


@in_syntax_process
def has_statements(language: str, text: str) -> bool:
    """Whether any stands outside of functions and classes."""
    tree = parsed(language, text)
    kinds = (node.type for node in tree.root_node.children) if tree else ()
    return any(kind in _STATEMENTS or kind.endswith("_statement") for kind in kinds)


@in_syntax_process
def is_of_methods(text: str) -> bool:
    """Whether Java's methods stand outside of a class."""
    tree = parsed("java", text)
    kinds = {node.type for node in tree.root_node.children} if tree else set[str]()
    return "method_declaration" in kinds or bool(tree and not _has_class(tree.root_node))


def _has_class(root: "Node") -> bool:
    return any(node.type in _CLASSES for node in walk(root))
