"""The programs of a project: files that a text shows as a command. Pure."""

import ast
import re
import shlex
from collections.abc import Iterable, Iterator
from itertools import islice

from pipeline.analysis.python_syntax import Definition
from pipeline.projects.fault import Fault
from pipeline.projects.python_module import PythonModule

_CALLED_ONE = ("main.py", "cli.py", "__main__.py")
_COMMAND = r"(?:python3?|node) (?:[\w./-]{1,200}/)?"
# "notes.py add 'text' saves a note, notes.py list shows every note"
_SUBCOMMAND = (
    r" ([a-z]+)(?: (?:[A-Z]+|\"[^\"\n]*\"|'[^'\n]*'|<[^>\n]*>|\[[^\]\n]*\])){0,3}"
    r" (?:(?:sav|writ|stor|delet|remov)es|(?:show|print|add|list|display|mark|find)s|searches)"
)
_MOST_COMMANDS, _MOST_NAMED = 3, 20
_HOLDS_PLACE = re.compile(
    r"^-*[A-Z][A-Z_]*$|^[A-Za-z]$"
    r"|^(?:file ?name|file|path|name|text|word|num(?:ber)?|value|id|item|task"
    r"|city|url|query|key|title|message)(?:s|\d)?$|^(?:amount|index|from|to|args|arguments|options)$"
    r"|^--?h(?:elp)?$|[<>\[\]{}|&;$*]|\.\.\.|…|\w\.[A-Za-z]\w*$|/"
)
_REFUSED = re.compile(
    r"\b(?:usage|help|errors?|invalid|unknown|wrong|fails|refus\w+|reject\w*"
    r"|no such|non-?zero|exits? with|not)\b",
    re.I,
)
_AROUND = 80  # characters before and behind a command that say what becomes of it
_DEFAULT = (
    r"\b(?:if (?:it is|they are) not given|if (?:none|nothing) is given|by default|defaults? to)\b"
)
_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]*[a-z0-9]")
_NEEDED = (
    r"\b(?:takes|arguments?|command line|named?|(?:sub)?commands?|CLI|files?|paths?|folders?)\b"
)


def is_program(path: str, said: str) -> bool:
    """Whether the text says how the file is started (`python todo.py`, or between backticks with
    what it is given), or that the file itself prints something."""
    name = re.escape(path.rpartition("/")[2])
    ways = (
        rf"\b{_COMMAND}{name}(?![\w.])",
        rf"`(?:\./)?{name} [^`\n]+`",
        rf"(?<![\w.]){name}\b(?:(?!\b(?:function|class|method)\b)[^.;(\n]){{1,120}}?\bprints\b",
    )
    return any(re.search(way, said) for way in ways) or _has_subcommands(name, said)


def is_called_one(path: str) -> bool:
    """Whether the name says that it is a program. It may be one that another file starts."""
    return path.rpartition("/")[2] in _CALLED_ONE


def takes_arguments(path: str, said: str) -> bool:
    """Whether the text says that the program is given something when it is started: as a command
    with words behind it, or in so many words."""
    name = re.escape(path.rpartition("/")[2])
    ways = (
        rf"`(?:{_COMMAND}|\./)?{name} [^`\n]+`",
        rf"^[ \t$>]*{_COMMAND}{name} [^\s#|>&]",
        rf"(?<![\w.]){name}\b[^.;\n]{{0,99}}?(?:\barguments?\b|\bcommand line\b|(?<!\w)--\w)",
        rf"(?<![\w.]){name}\b takes (?:the |an? |one |two ){{0,2}}(?:name|path|file|argument)s?\b",
    )
    given = any(re.search(way, said, re.MULTILINE) for way in ways)
    return given or _has_subcommands(name, said)


def _has_subcommands(name: str, said: str) -> bool:
    """Whether the text says what the program does, given one word or another."""
    found = islice(re.finditer(rf"(?<![\w.]){name}{_SUBCOMMAND}\b", said), _MOST_NAMED)
    return len({each[1] for each in found}) > 1


def shown_commands(path: str, said: str) -> list[list[str]]:
    """What the text shows the program being given, between backticks behind its name: none of it a
    placeholder (TEXT, <text>, n, name) or the name of a file, and not where it is to be refused."""
    name = re.escape(path.rpartition("/")[2])
    found = re.finditer(rf"`(?:{_COMMAND}|\./)?{name} ([^`\n]{{1,200}})`", said)
    shown = [match for match in found if not _is_refused(match, said)][:_MOST_COMMANDS]
    commands = [_words(match[1]) for match in shown]
    return [words for words in commands if words and not any(map(_HOLDS_PLACE.search, words))]


def _is_refused(command: re.Match[str], said: str) -> bool:
    before = re.split(r"[.;\n]", said[max(0, command.start() - _AROUND) : command.start()])[-1]
    behind = re.split(r"[.;\n]", said[command.end() : command.end() + _AROUND])[0]
    return bool(_REFUSED.search(f"{before} {behind}"))


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:
        return []


def has_default(path: str, said: str) -> bool:
    """Whether the text says what the program does where it is given nothing: of an option, and of
    nothing else that it is given."""
    behind = _behind_name(path, said)
    clauses = [re.split(r"[.;\n]", each)[0] for each in behind]
    is_given = any(re.match(r" [^-`\n][^`\n]*`", each) for each in behind)
    needs = is_given or any(re.search(_NEEDED, each, re.I) for each in clauses)
    return not needs and any(re.search(_DEFAULT, each) for each in clauses)


def named_options(path: str, said: str) -> list[str]:
    """The long options (`--length`) that the text has in the sentence that says what the program
    does."""
    sentences = (re.split(r"[.;\n](?:\s|$)", each)[0] for each in _behind_name(path, said))
    found = (option for each in sentences for option in _OPTION.findall(each))
    return [*dict.fromkeys(found)][:_MOST_COMMANDS]


def _behind_name(path: str, said: str) -> list[str]:
    """What stands behind the program's name, wherever it is named."""
    name = re.compile(rf"(?<![\w.]){re.escape(path.rpartition('/')[2])}\b")
    return [said[at.end() : at.end() + 200] for at in islice(name.finditer(said), _MOST_NAMED)]


def start_faults(modules: Iterable[PythonModule]) -> Iterator[Fault]:
    """Programs in Python that do nothing when they are started."""
    for module in modules:
        if _only_defines(module.tree):
            yield Fault(module.path, "start", "it is a program, but nothing in it is run")


def _only_defines(tree: ast.Module) -> bool:
    defined = any(isinstance(node, Definition) for node in tree.body)
    return defined and all(map(_is_passive, tree.body))


def _is_passive(node: ast.stmt) -> bool:
    if isinstance(node, ast.Assign | ast.AnnAssign | ast.Expr):
        return not any(isinstance(each, ast.Call) for each in ast.walk(node))
    return isinstance(node, Definition | ast.Import | ast.ImportFrom)
