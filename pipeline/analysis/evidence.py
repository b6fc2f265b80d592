"""A draft → facts that need no model. Pure; running it is `review/draft_evidence.py`.

Evidence comes before opinion: what is found here escalates without asking the judge.
"""

import json
import re
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from typing import Any

from laios.language_table import TABLE
from pipeline.analysis.languages import NAMES, normal_language
from pipeline.analysis.python_syntax import MAX_PARSED, parse, python_error, top_level
from pipeline.analysis.toml_syntax import read_toml

# The kinds that the answer itself speaks of where it is wrong. Tests that a model wrote may be
# wrong themselves.
NOTED = frozenset(
    [
        "note",
        "language",
        "unchanged",
        "lost",
        "syntax",
        "names",
        "import",
        "compile",
        "crash",
        "example",
        "security",
    ]
)
UNCHECKED = "unchecked"  # the kind of what is no fact: a check of the text could not be run


@dataclass(frozen=True, slots=True)
class Finding:
    """One fact against a text. `stage` is whose text it is, `kind` one word (`syntax`, `import`,
    `test`, … or a capability's own), `detail` a short phrase, `came` what came instead, where that
    is known and not a part of it: two texts may fail the same, each in its way."""

    stage: str
    kind: str
    detail: str
    came: str = field(default="", compare=False)

    @property
    def said(self) -> str:
        """Both, for people."""
        return f"{self.detail}: {self.came}" if self.came else self.detail

    def as_json(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if value or name != "came"}


def examine(stage: str, text: str, language: str | None, *, truncated: bool) -> list[Finding]:
    """The facts against a stage's code. Only Python's syntax is known; other languages and very
    long texts are not checked."""
    if not text.strip():
        return [Finding(stage, "empty", f"the {stage}'s answer is empty")]
    if truncated:
        return [Finding(stage, "truncated", "cut off by the token limit")]
    if language == "python" and len(text) <= MAX_PARSED:
        error = python_error(text)
        if error and not is_notebook(text):
            return [Finding(stage, "syntax", error)]
    return []


def is_notebook(text: str) -> bool:
    """Whether it is Python but for the lines that a notebook alone understands."""
    if len(text) > MAX_PARSED or parse(text) is not None:
        return False
    plain = _OF_NOTEBOOK.sub(r"\1pass", text)
    return plain != text and python_error(plain) is None


def language_of(text: str, label: str | None, request: str) -> str | None:
    """The language of a code text: the fence's label where it names one, else Python where it can
    be nothing else, else what the request names, else a cheap guess; None when nothing tells. Small
    models label anything `python`."""
    known = None if label in _NO_LANGUAGE else label
    asked = named_language(request)
    if _STARTS_PROGRAM.match(_opening(text)):
        return "bash"
    if known == "python":
        return _instead_of_python(text, asked) or known
    if asked in _ALSO_CALLED.get(known or "", ()):
        return asked
    if known == "bash":
        return _other_script(text) or known
    sure = "python" if not known and _is_surely_python(text) else None
    of_python = asked == "python" and not (known or sure or _IN_PYTHON.search(request[:20_000]))
    if of_python and not _may_be_python(text):
        return _guess(text) or label  # "all python files" may be found by another language
    return known or sure or asked or _guess(text) or label


def _may_be_python(text: str) -> bool:
    """Whether it parses, opens as Python may, or has a line as nothing else has."""
    opens = _PYTHON_OPENING.match(_opening(text)) or _PYTHON_LINE.search(text[:20_000])
    return bool(opens) or len(text) > MAX_PARSED or parse(text) is not None


def _other_script(text: str) -> str | None:
    """In what a text is written that is labelled as Bash, where that shows."""
    if shebang := _SHEBANG.match(text):
        return normal_language(shebang[1])
    if _AWK.match(_opening(text)):
        return "awk"
    if _FISH.search(text) and _FISH_END.search(text) and not _BASH.search(text):
        return "fish"
    return opened if (opened := _opened_in(text)) in ("bat", "ini") else None


def _instead_of_python(text: str, asked: str | None) -> str | None:
    """What a text is that is labelled as Python and is none, as far as it shows."""
    if asked == "python":
        asked = None
    elif data := _data_in(text):
        return data
    opens = _PYTHON_OPENING.match(_opening(text))
    if asked and asked not in NAMES and not (opens or _is_surely_python(text)):
        return asked  # a file of names alone parses as well
    if parse(text) is not None:
        return None
    if opens:
        return asked if asked in _OPEN_ALIKE else None
    return asked or _opened_in(text)


_OF_NOTEBOOK = re.compile(r"^([ \t]*)(?:%{1,2}[a-z]|![a-z]|\?\w).*$", re.MULTILINE)
_MOST_READ = 1000  # characters of a line

# What code in some languages is labelled as, by those who know them less.
_ALSO_CALLED = {
    "c": ("cpp",),
    "javascript": ("typescript",),
    "bash": ("awk", "fish", "powershell", "zsh"),
}
_NO_LANGUAGE = {"code", "none", "output", "plain", "plaintext", "text", "txt"}
_NAMES = "|".join(re.escape(word) for row in TABLE for word in row.words.split())
_END = r"(?![\w+#-])"
_KINDS = (
    "app|class|code|command|file|function|method|module|one-liner|page|program|query|script|snippet"
)
# Files in a language of their own, which are often asked for something in another one.
_FILES = "cmakelists|crontab|docker-?compose|dockerfile|jenkinsfile|makefile|nginx|systemd|workflow"
_FILES += "|readme|caddyfile|codeowners|editorconfig|(?:docker|git)ignore|htaccess|procfile"
_FILES += r"|(?:requirements|robots)\.txt"
_WRITTEN_IN = {
    **dict.fromkeys(("docker-compose", "dockercompose", "workflow"), "yaml"),
    "readme": "markdown",
    "editorconfig": "ini",
}
# The same in languages that people write: "eine Bash-Zeile", "une fonction Go", "用Python写".
_KINDS_BEHIND = (
    "abfragen?|anwendung|befehle?|dateien?|datei|einzeiler|funktion(?:en)?|functie|klassen?|modul"
    r"|methoden?|programme?|seiten?|skripte?|zeilen?|функци\w+|скрипт\w*|программ\w+|класс\w*"
)
_KINDS_BEFORE = (
    "fonctions?|función|funciones|função|funzione|programm?es?|programm?a|commande|comando|clase"
    "|consulta|requête|código|codice|página|módulo|(?:une?|una|uma?|el|l[aei]|il) "
    "(?:classe|code|module|page|script)"
)
_CJK_BEHIND = "で|の|を使|函数|脚本|程序|代码|语言|関数|スクリプト|로|으로|함수|스크립트"
_NAMED = re.compile(
    r"(?<![\w-])(?:(?:in|using|with|into|to(?!\s+(?-i:go)\b)|en|em|mit|avec|con|usando|на)"
    rf"\s+({_NAMES}){_END}"
    rf"|(?:{_KINDS_BEFORE})\s+(?:d[eo] )?({_NAMES}){_END}"
    rf"|(?!node\s+(?:class|function|method))({_NAMES})[-\s]\s*(?:(?:{_KINDS})s?|{_KINDS_BEHIND})\b|({_FILES})\b)"
    rf"|[用在]\s*({_NAMES})(?![a-z\d+#-])"
    rf"|(?<![a-z\d_-])({_NAMES})\s*(?:{_CJK_BEHIND})",
    re.IGNORECASE,
)
# "a script that converts SQL to Java": that is its work, and no wish for its language.
_CONVERTS = re.compile(
    r"\b(?:class|function|method|parser|program|script|tool)s?\b[^.\n]{0,60}?\b(?:that|which|to|for)"
    r"\s+(?:can\s+)?(?:convert|translat|port|rewrit|migrat)(?:e?s?|ing)\b",
    re.IGNORECASE,
)
_TO_CONVERT = re.compile(
    r"\W*(?:(?:please|now|(?:can|could) you)\W+)*(?:convert|translate|port|rewrite|migrate)\b", re.I
)
# "a temperature in C", "from F to C"
_DEGREES = re.compile(
    r"(?:°|\b(?:fahrenheit|kelvin|temperatures?|degrees?|[FK]|\d+)\b)[^.\n]{0,12}\s(?:in|to|into)\s+C\b",
    re.IGNORECASE,
)
_IN_PYTHON = re.compile(r"\b(?:in|using|with|en|em|mit|auf)\s+python|用\s*python", re.IGNORECASE)
_PYTHON_LINE = re.compile(r"^[ \t]*(?:(?:async )?def \w+\(|assert \w+\(|>>> )", re.MULTILINE)
_SHEBANG = re.compile(r"#!.*?\b(python|bash|sh|zsh|fish|[gm]?awk|node|ruby|perl|php|lua)[\d.]*\b")
# A command that has its program between quotes.
_STARTS_PROGRAM = re.compile(
    r"(?:(?!#).*\| *)?(?:[gm]?awk|jq|lua|node|perl|php|python3?|ruby|sed) +(?:-\w+ +)*['\"-]"
)
_AWK = re.compile(r"(?:BEGIN|END) *\{|/[^/\s].*/ *\{|(?:\$\d+|N[FR]) *(?:[!=<>]=?|~|%).*\{")
_FISH_END = re.compile(r"^[ \t]*end[ \t]*$", re.MULTILINE)
_FISH = re.compile(r"^[ \t]*(?:begin|for|function|if|switch|while)\b", re.MULTILINE)
_BASH = re.compile(r"^\s*(?:fi|done|esac|\})|<<", re.MULTILINE)
_PYTHON_OPENING = re.compile(
    r"(?:async\s+def|def)\s+\w+\s*\(|class\s+\w+\s*(?:\([^)]*\))?\s*:"
    r"|import\s+[\w.]+(?:\s+as\s+\w+)?(?:\s*,\s*[\w.]+(?:\s+as\s+\w+)?)*\s*(?:#.*)?$"
    r"|from\s+[\w.]+\s+import\b|@[\w.]+(?:\(.*)?$|[rR]?(?:\"{3}|'{3})"
)
_OPEN_ALIKE = {"haskell", "java", "kotlin", "ruby", "scala", "swift", "typescript"}  # as Python may
# How a text opens that is no Python, however it is labelled.
_OPENINGS = {
    "bat": re.compile(r"@echo off\b", re.IGNORECASE),
    "html": re.compile(r"<(?:!doctype\b|[a-z][a-z\d]*[ />])", re.IGNORECASE),
    "javascript": re.compile(r"import\b.*\bfrom\s+['\"]|(?:const|let|var|export|function)\s"),
    "diff": re.compile(r"diff --git |--- (?:a/|\S+\.\w+$)"),
    "dockerfile": re.compile(r"(?:FROM|ARG)\s+\S"),
    "sql": re.compile(r"(?:SELECT|CREATE|INSERT|UPDATE|DELETE|ALTER|WITH)\s"),
    "yaml": re.compile(r"---$|(?!(?:try|else|finally):)[\w-]+:(?:[ \t]+[^=]+)?$"),
}
_OPEN_ALONE = ("bat", "html", "diff", "dockerfile", "ini", "sql")  # as nothing else does
_INI = re.compile(
    r"(?:\s|[#;][^\n]*+\n)*+\[[A-Za-z][\w .-]*+\][ \t]*+\n(?:\s|[#;][^\n]*+\n)*+[\w.-]++[ \t]*+="
)
_TABLE = re.compile(r"\[\[?[A-Za-z][\w.-]*\]\]?$")


def speaks_of_degrees(request: str) -> bool:
    """Whether its C is Celsius."""
    return bool(_DEGREES.search(request))


def is_of_converter(request: str) -> bool:
    """Whether what is asked for makes something into another language: no wish for its own. Not
    where the request begins with such a wish."""
    return bool(_CONVERTS.search(request)) and not _TO_CONVERT.match(request)


def named_language(request: str) -> str | None:
    """The language that a request asks for, where it says so in a usual way. None also when it
    names several ("port this Python code to Go"): the wrong one would find faults in good code."""
    names = _named_languages(request)
    return next(iter(names)) if len(names) == 1 else None


@lru_cache(maxsize=32)  # every stage of a run asks
def is_about_python(request: str, before: bool = False) -> bool:
    """Whether a request names Python alone, or no language and has lines of Python, or goes on with
    what was about it `before`."""
    names = _named_languages(request)
    goes_on = not names and (before or bool(_PYTHON_LINE.search(request[:20_000])))
    return names == {"python"} or goes_on


def _named_languages(request: str) -> set[str | None]:
    said = request[:20_000]
    found = (match for match in _NAMED.finditer(said) if "SWIFT" not in match[0])  # a bank's code
    if speaks_of_degrees(said):
        found = (match for match in found if match[1] not in ("C", "c"))
    if is_of_converter(said):
        found = (match for match in found if not match[0].lower().startswith(("to ", "into ")))
    words = (next(filter(None, match.groups())).lower() for match in found)
    return {_WRITTEN_IN.get(word) or normal_language(word) for word in words}


def _guess(text: str) -> str | None:
    shebang = _SHEBANG.match(text)
    if shebang:
        return normal_language(shebang[1])
    if _PYTHON_OPENING.match(_opening(text)) or _is_surely_python(text):
        return "python"
    opened = _opened_in(text)
    return _data_in(text) or (opened if opened in _OPEN_ALONE else None)


def _data_in(text: str) -> str | None:
    """JSON and TOML, some of which are Python as well, which does nothing."""
    opening = _opening(text)
    if len(text) > MAX_PARSED or opening[:1] not in ("{", "["):
        return None
    with suppress(ValueError, RecursionError):
        if _TABLE.match(opening) and read_toml(text):
            return "toml"
        value = json.loads(text)
        first = value[0] if isinstance(value, list) and value else value
        return "json" if isinstance(first, dict) else None
    return None


def _opening(text: str) -> str:
    """The first line that is no comment of Python's or SQL's."""
    lines = (line.strip() for line in text.splitlines())
    opening = (line for line in lines if line and not line.startswith(("#", "-- ")))
    return next(opening, "")[:_MOST_READ]


def _opened_in(text: str) -> str | None:
    if _INI.match(text):
        return "ini"
    opening = _opening(text)
    return next((name for name, how in _OPENINGS.items() if how.match(opening)), None)


def _is_surely_python(text: str) -> bool:
    """Whether it parses, and has a block or a definition, whatever it opens with: no other language
    writes these so."""
    return any(hasattr(node, "body") for node in top_level(text))
