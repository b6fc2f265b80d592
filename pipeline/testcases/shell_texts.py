"""What a script in Bash says in quotation marks and here-documents, and its code without comments
and without what a shell does not read in it, as the programs of awk. Pure.

No grammar: a draft may be any text, and what is not read for certain says nothing."""

import re
from dataclasses import dataclass, field

_MOST_READ = 20_000  # characters of a script
_TOKEN = re.compile(
    r"\\.|<<-?[^\S\n]*(?P<quote>[\"']?)(?P<end>[A-Za-z_]\w*)(?P=quote)|<<<|\$\("
    r"|[()'\"\n]|(?<![^\s;(])#",
    re.DOTALL,
)
_PLAIN = re.compile(r"[^$\n{}()]{0,40}")  # no program of awk


@dataclass(slots=True)
class ShellTexts:
    """`code`: the script with '' in place of each longer text in single quotes, without
    here-documents and comments. `said`: the texts in quotation marks and in here-documents, in
    their order."""

    code: str = ""
    said: list[str] = field(default_factory=list)


def read_shell(script: str) -> ShellTexts:
    """What cannot be closed goes on to the end."""
    script = script[:_MOST_READ]
    read, kept, stack = ShellTexts(), list[str](), list[str]()
    quoted: list[int] = []  # where the open texts begin
    ends: list[str] = []  # of the here-documents of this line
    at = 0
    while found := _TOKEN.search(script, at):
        token, start = found[0], found.start()
        kept.append(script[at:start])
        at = found.end()
        in_text = bool(stack) and stack[-1] == '"'
        if token == '"':
            kept.append(token)
            if in_text:
                stack.pop()
                read.said.append(script[quoted.pop() : start])
            else:
                stack.append(token)
                quoted.append(at)
        elif token == "'" and not in_text:
            close = script.find("'", at)
            close = len(script) if close < 0 else close
            read.said.append(text := script[at:close])
            kept.append(f"'{text}'" if _PLAIN.fullmatch(text) else "''")
            at = close + 1
        elif token == "#" and not in_text:
            close = script.find("\n", at)
            at = len(script) if close < 0 else close
        elif token in ("$(", "("):
            kept.append(token)
            if token == "$(" or not in_text:
                stack.append("(")
        elif token == ")":
            kept.append(token)
            if stack and stack[-1] == "(":
                stack.pop()
        elif token == "\n" and ends:
            at = _without_documents(script, at, ends, read.said)
            kept.append(token)
        else:
            kept.append(token)
            if found["end"] and not in_text:
                ends.append(found["end"])
    kept.append(script[at:])
    read.code = "".join(kept)
    return read


def _without_documents(script: str, at: int, ends: list[str], said: list[str]) -> int:
    """Where the lines behind the documents begin; their texts are put to what is said."""
    for end in ends:
        close = re.compile(rf"^\t{{0,20}}{end}$", re.MULTILINE).search(script, at)
        said.append(script[at : close.start() if close else len(script)])
        at = close.end() if close else len(script)
        at += script[at : at + 1] == "\n"
    ends.clear()
    return at
