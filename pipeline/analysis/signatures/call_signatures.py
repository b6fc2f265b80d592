"""The functions and the types with methods of a program in a typed language, as one calls them:
names and types of what they take and give, by tree-sitter."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from pipeline.analysis.grammar import parsed
from pipeline.analysis.signatures.c_signatures import c_functions, c_types
from pipeline.analysis.signatures.cpp_signatures import cpp_types
from pipeline.analysis.signatures.go_signatures import go_functions, go_types
from pipeline.analysis.signatures.java_signatures import java_functions, java_types
from pipeline.analysis.signatures.node_types import node_types
from pipeline.analysis.signatures.rust_signatures import rust_functions, rust_types
from pipeline.analysis.signatures.signature import ObjectType, Signature, with_types
from pipeline.analysis.signatures.type_aliases import type_aliases
from pipeline.analysis.signatures.typescript_signatures import (
    typescript_functions,
    typescript_types,
)
from pipeline.analysis.syntax_process import in_syntax_process

if TYPE_CHECKING:
    from tree_sitter import Node

_BESIDE = re.compile(r"main|init|(?:run_?)?[tT]ests?(?:[_A-Z0-9]\w*)?|\w*_tests?")
# Of those that nobody names: they make, show and end what others work on.
_HELPS = re.compile(
    r"print|display|show|dump|output|free|destroy|delete_?list|clean|traverse|push|append"
    r"|(?:in|pre|post)_?order|(?:add|insert|to)_?(?:node|list|tree)",
    re.IGNORECASE,
)
_CALLED = re.compile(r"\b(\w+)\s{0,2}\(")
_ENDS = re.compile(r"free|destroy|delete_?(?:list|tree)|clean", re.IGNORECASE)
_MAKES = re.compile(r"(?:new|create|make|get)_?(?:new_?)?(?:t?node|list|tree)", re.IGNORECASE)
_BETWEEN_WORDS = re.compile(r"[^a-z\d]+")
_MOST = 40  # functions of one program
_MOST_TYPES = 12
_READS = re.compile(r"\w*parse\w*|from_?(?:str|string|text|json|file)\w*", re.IGNORECASE)


@in_syntax_process
def signatures(language: str, text: str) -> list[Signature]:
    """Those that a program calls from outside, in order: not `main`, tests, coroutines, methods of
    objects that have to be made of something, and functions with any number of arguments or type
    parameters that no argument fills. [] for other languages. Raises Unread."""
    tree = parsed(language, text) if language in _READERS else None
    nodes = node_types(language, tree.root_node) if tree else ()
    aliases = type_aliases(language, tree.root_node) if tree else {}
    found: list[Signature] = []
    for each in _READERS[language](tree.root_node) if tree else ():
        if each and not _BESIDE.fullmatch(each.name):
            found.append(replace(with_types(each, aliases), nodes=nodes))
        if len(found) == _MOST:
            break
    return found


_READERS: dict[str, Callable[["Node"], Iterator[Signature | None]]] = {
    "c": c_functions,
    "cpp": c_functions,
    "go": go_functions,
    "java": java_functions,
    "rust": rust_functions,
    "typescript": typescript_functions,
}


_TYPE_READERS: dict[str, Callable[["Node"], Iterator[ObjectType]]] = {
    "c": c_types,
    "cpp": cpp_types,
    "go": go_types,
    "java": java_types,
    "rust": rust_types,
    "typescript": typescript_types,
}


@in_syntax_process
def object_types(language: str, text: str) -> list[ObjectType]:
    """Those whose objects can be made, and have methods, in order; [] for other languages. Raises
    Unread."""
    tree = parsed(language, text) if language in _TYPE_READERS else None
    nodes = node_types(language, tree.root_node) if tree else ()
    kinds = _TYPE_READERS[language](tree.root_node) if tree else ()
    if tree and language == "typescript":
        kinds = map(partial(_with_aliases, type_aliases(language, tree.root_node)), kinds)
    found = map(_plainly_made, kinds)
    asked = (replace(each, nodes=nodes) for each in found if each.makers and each.methods)
    return [*islice(asked, _MOST_TYPES)]


def _with_aliases(aliases: Mapping[str, str], kind: ObjectType) -> ObjectType:
    makers, methods = (
        tuple(with_types(each, aliases) for each in some) for some in (kind.makers, kind.methods)
    )
    return replace(kind, makers=makers, methods=methods)


def _plainly_made(kind: ObjectType) -> ObjectType:
    """Not of a text that it reads, where anything else makes one: most texts are none."""
    makers = tuple(each for each in kind.makers if not _READS.fullmatch(each.name))
    return replace(kind, makers=makers or kind.makers)


def type_among(found: Sequence[ObjectType], named: str, request: str) -> ObjectType | None:
    """The one of that name, else the one whose name the request has as a word, or in its words
    ("linked list"), else the only one; None where there is none."""
    if by_name := next((each for each in found if each.word == named), None):
        return by_name
    words = set(re.findall(r"\w+", request))
    by_word = [each for each in found if each.word in words]
    said = _BETWEEN_WORDS.sub("", request.lower())
    spoken = [each for each in found if each.word.lower() in said]
    if chosen := by_word or spoken:
        return max(chosen, key=lambda each: len(each.methods))
    return found[0] if len(found) == 1 else None


def called_beside(found: Sequence[Signature], entry: Signature, request: str) -> list[Signature]:
    """Others that the request writes as something that is called, and that take something; neither
    those that make and end what they work on, nor one of several by one name."""
    names = set(_CALLED.findall(request))
    count = Counter(each.name for each in found)
    return [
        each
        for each in found
        if each.name in names
        and each.name != entry.name
        and each.parameters
        and count[each.name] == 1
        and not (_MAKES.match(each.name) or is_end(each.name))
    ]


def is_end(name: str) -> bool:
    """Whether a function ends what it works on, whose name this is."""
    return _ENDS.match(name) is not None


def entry_among(found: Sequence[Signature], named: str, request: str) -> Signature | None:
    """The one of that name, else the one whose name the request has as a word, else the last that
    no other one uses and that takes something; None where there is none."""
    if by_name := next((each for each in found if each.name == named), None):
        return by_name
    words = set(re.findall(r"\w+", request))
    used = {name for each in found for name in each.uses - {each.name}}
    spoken = [each for each in found if each.name in words]
    by_word = [each for each in spoken if not _MAKES.match(each.name)] or spoken
    if by_word:  # not `max` in "the max of", where it is a helper
        return next((each for each in by_word if each.name not in used), by_word[0])
    free = [each for each in found if each.name not in used] or [*found]
    taking = [each for each in free if each.parameters] or free
    meant = [each for each in taking if not (_HELPS.match(each.name) or _MAKES.match(each.name))]
    meant = meant or taking
    return meant[-1] if meant else None
