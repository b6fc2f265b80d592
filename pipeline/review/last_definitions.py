"""A draft of Python that goes on with a chat's last answer, made as whole as that: small models
leave out functions that they use, and name anew the one that they change. Pure."""

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from keyword import iskeyword

from pipeline.analysis.draft import Draft
from pipeline.analysis.python_syntax import ERRORS, first_line, parse, top_level
from pipeline.analysis.questions import wants_no_code
from pipeline.analysis.renaming import with_name
from pipeline.analysis.undefined_names import undefined_names, words_in
from pipeline.exchange import Exchange
from pipeline.review.edit_intent import keeps_results, wants_another
from pipeline.review.last_answer import python_of
from pipeline.review.lost_definitions import lost_names
from pipeline.testcases.entry_point import needed_parameters

_MOST_READ = 2000  # characters of a request
_ROUNDS = 4  # of definitions that those before use
# What it wants stands beside the last answer, or shows its use.
_APART = re.compile(
    r"\b(?:(?:only|just) (?:the|that|this|show|give)|how (?:do|can|would|to)|usage|import)\b"
    r"|\b(?:use|call|run) (?:it|this|that|them)\b"
    r"|\b(?:new|separate|another|second|own) (?:file|script|program|module)\b",
    re.IGNORECASE,
)
_ANOTHER = re.compile(
    r"\b(?:renam\w*|call(?:ed)? it|nam\w+|identifiers?|shadow\w*|built-?ins?|clash\w*"
    r"|benenn\w*|bezeichn\w*|also|apply|undo|revers\w*|as well|too"
    r"|new|an?other|second|next|inverse|opposite|both"
    r"|one (?:that|which|for|to)|write|create|functions?|methods?|class|variants?|versions?|now for"
    r"|same for|neue?|funktion|eine? (?:die|der|das)|fonction|función|funzione|função)\b",
    re.IGNORECASE,
)
_RENAME = re.compile(
    r"\brename\s+(?:(?:it|this|that)|(?:the\s+)?(?:(?:function|class|method|variable)\s+)?"
    r"[`'\"]?(\w+)[`'\"]?)\s+(?:in)?to\s+[`'\"]?([A-Za-z_]\w*)",
    re.IGNORECASE,
)


def completed(draft: Draft, request: str, talk: tuple[Exchange, ...]) -> Draft:
    """The draft with its function under the name that it had, where the request leaves that alone,
    and with the last answer's definitions that it uses, or that are to stay: where another one is
    added, as they were. As it is where the request wants something else."""
    try:
        return _completed(draft, request[:_MOST_READ], talk)
    except ERRORS:  # a tree that is too deep to be walked
        return draft


def _completed(draft: Draft, said: str, talk: tuple[Exchange, ...]) -> Draft:
    if not talk or draft.findings or draft.language != "python" or wants_no_code(said):
        return draft
    last = re.sub(r"\r\n?", "\n", python_of(talk))  # as Python counts lines
    before = parse(last) if last and not _APART.search(said) else None
    if before is None:
        return draft
    text, renamed = _renamed(draft.text, before, said)
    if not renamed:
        text, renamed = _under_its_name(draft.text, before, said)
    restored: list[str] = []
    if wants_another(said):
        text, restored = _as_they_were(text, last, before)
    lost = [] if _has_methods_alone(text) else lost_names(said, talk, text, "python")
    text, carried = _with_definitions(text, last, before, lost)
    mended = [*renamed, *(f"as before: {name}" for name in restored)]
    mended += [f"put in of the last answer: {name}" for name in carried]
    if not mended:
        return draft
    return replace(draft, text=text, as_said="", mended=(*draft.mended, *mended))


def _renamed(text: str, before: ast.Module, said: str) -> tuple[str, list[str]]:
    """With a name that the request gives in place of the old one, where the draft has that still:
    small models give the code back as it was."""
    asked = _RENAME.search(said)
    names = [name for node in before.body for name in _bound(node)]
    old = (asked[1] or (names[0] if len(names) == 1 else "")) if asked else ""
    words = words_in(text)
    if not (asked and old in words) or asked[2] in words or iskeyword(asked[2]):
        return text, []
    renamed = with_name(text, old, asked[2])
    return renamed, [f"renamed: {old} to {asked[2]}"] if renamed != text else []


def _under_its_name(text: str, before: ast.Module, said: str) -> tuple[str, list[str]]:
    """What only defines a function that takes what the only one of the last answer takes, has that
    one's name again. The new name has to hold the old one, unless nothing but how it is written
    was to change."""
    old, after = _functions(before), parse(text)
    if len(old) != 1 or after is None or _ANOTHER.search(said):
        return text, []
    name, function = next(iter(old.items()))
    own = _functions(after)
    called = {each.id for each in ast.walk(after) if isinstance(each, ast.Name)}
    roots = [each for each in own if each not in called] or [*own][-1:]
    if len(roots) != 1 or name in words_in(text) or roots[0] in words_in(said):
        return text, []
    new = roots[0]
    takes, took = ([a.arg for a in needed_parameters(f)] for f in (own[new], function))
    holds = f"_{name}_" in f"_{new}_"  # `find_first`, and not `compress` of `decompress`
    if takes != took or not (holds or keeps_results(said)):
        return text, []
    renamed = with_name(text, new, name)
    return renamed, [f"named as before: {name}, not {new}"] if renamed != text else []


def _functions(tree: ast.Module) -> dict[str, ast.FunctionDef]:
    """The public functions at its top; none where there are classes, too."""
    if any(isinstance(node, ast.ClassDef) for node in tree.body):
        return {}
    found = (node for node in tree.body if isinstance(node, ast.FunctionDef))
    return {node.name: node for node in found if not node.name.startswith("_")}


def _with_definitions(
    text: str, last: str, before: ast.Module, lost: list[str]
) -> tuple[str, list[str]]:
    """Those that are `lost`, or that it uses and lacks, stand in front of what it defines, in their
    order; and their names."""
    own = {name for node in top_level(text) for name in _bound(node)}
    places = {name: at for at, node in enumerate(before.body) for name in {*_bound(node)} - own}
    taken: dict[str, int] = {}
    whole = text
    for _ in range(_ROUNDS):
        missing = [*undefined_names(whole), *lost]
        lacks = [name for name in missing if name in places and name not in taken]
        if not lacks:
            break
        taken |= {name: places[name] for name in lacks}
        parts = [_source(last, before.body[at]) for at in sorted({*taken.values()})]
        whole = _behind_imports(text, list(dict.fromkeys(parts)))
    return whole, [*taken]


def _as_they_were(text: str, last: str, before: ast.Module) -> tuple[str, list[str]]:
    """The functions that both have and that take the same, as the last answer has them; and the
    names of those that were not."""
    tree = parse(text)
    old, now = _functions(before), _functions(tree) if tree else {}
    if not now.keys() - old.keys():
        return text, []
    changed = [
        node
        for name, node in now.items()
        if name in old
        and ast.dump(node.args) == ast.dump(old[name].args)
        and ast.dump(node) != ast.dump(old[name])
        and _words_of(node) <= _words_of(old[name])
    ]
    lines = text.split("\n")
    for node in reversed(changed):
        start = first_line(node) - 1
        lines[start : node.end_lineno] = _source(last, old[node.name]).split("\n")
    return "\n".join(lines), [node.name for node in changed]


def _words_of(function: ast.FunctionDef) -> set[object]:
    """Its names, attributes and texts: one that has more than before was changed on purpose."""
    found = set[object]()
    for node in ast.walk(function):
        match node:
            case ast.Name(word) | ast.Attribute(_, word) | ast.Constant(str(word)):
                found.add(word)
    return found


def _has_methods_alone(text: str) -> bool:
    """Whether a function at its top takes what methods take: it is a part of a class."""
    found = (node.args.args for node in top_level(text) if isinstance(node, ast.FunctionDef))
    return any(each and each[0].arg in ("self", "cls") for each in found)


def _bound(node: ast.stmt) -> Iterator[str]:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            yield node.name
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            yield name
        case ast.Import() | ast.ImportFrom():
            yield from (each.asname or each.name.partition(".")[0] for each in node.names)


def _source(code: str, node: ast.stmt) -> str:
    """With its decorators."""
    return "\n".join(code.split("\n")[first_line(node) - 1 : node.end_lineno])


def _behind_imports(text: str, parts: list[str]) -> str:
    """And behind what they need of the text where they stand: `app = Flask(__name__)` before what
    `@app.route` decorates."""
    lines = text.split("\n")
    needed = set[str]().union(*map(_needed_at_once, parts))
    last, is_head = 0, True
    for node in top_level(text):
        is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        is_head = is_head and (isinstance(node, ast.Import | ast.ImportFrom) or is_docstring)
        if is_head or needed & {*_bound(node)}:
            last = node.end_lineno or last
    own = "\n".join(lines[last:]).strip("\n")
    head = ["\n".join(lines[:last])] if last else []
    return "\n\n\n".join([*head, *parts, own])


def _needed_at_once(part: str) -> set[str]:
    """The names that a definition needs before anybody calls it."""
    found = set[str]()
    for node in top_level(part):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                asked: list[ast.AST] = [*node.decorator_list, node.args]
            case ast.ClassDef():
                asked = [*node.decorator_list, *node.bases, *node.keywords]
            case _:
                asked = [node]
        walked = (each for root in asked for each in ast.walk(root))
        found |= {each.id for each in walked if isinstance(each, ast.Name)}
    return found
