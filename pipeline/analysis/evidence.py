"""A draft → facts that need no model. Pure; running it is `review/draft_evidence.py`.

Evidence comes before opinion: what is found here escalates without asking the judge.
"""

import re
from dataclasses import asdict, dataclass
from typing import Any

from laios.language_table import TABLE
from pipeline.analysis.languages import normal_language
from pipeline.analysis.python_syntax import MAX_PARSED, parse, python_error

UNCHECKED = "unchecked"  # the kind of what is no fact: a check of the text could not be run


@dataclass(frozen=True, slots=True)
class Finding:
    """One fact against a text. `stage` is whose text it is, `kind` one word (`syntax`, `import`,
    `test`, … or a capability's own), `detail` a short phrase."""

    stage: str
    kind: str
    detail: str

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def examine(stage: str, text: str, language: str | None, *, truncated: bool) -> list[Finding]:
    """The facts against a stage's code. Only Python's syntax is known; other languages and very
    long texts are not checked."""
    if not text.strip():
        return [Finding(stage, "empty", f"the {stage}'s answer is empty")]
    if truncated:
        return [Finding(stage, "truncated", "cut off by the token limit")]
    if language == "python" and len(text) <= MAX_PARSED:
        error = python_error(text)
        if error:
            return [Finding(stage, "syntax", error)]
    return []


def language_of(text: str, label: str | None, request: str) -> str | None:
    """The language of a code text: the fence's label where it names one, else what the request
    names, else a cheap guess; None when nothing tells. Small models label anything `python`."""
    known = None if label in _NO_LANGUAGE else label
    if known == "python" and (other := _opened_in(text)) and parse(text) is None:
        known = other
    return known or named_language(request) or _guess(text) or label


_NO_LANGUAGE = {"code", "none", "output", "plain", "plaintext", "text", "txt"}
_NAMES = "|".join(re.escape(word) for row in TABLE for word in row.words.split())
_END = r"(?![\w+#-])"
_KINDS = (
    "app|class|code|command|file|function|method|module|one-liner|page|program|query|script|snippet"
)
# Files in a language of their own, which are often asked for something in another one.
_FILES = "cmakelists|crontab|docker-?compose|dockerfile|jenkinsfile|makefile|nginx|systemd|workflow"
_NAMED = re.compile(
    rf"(?<![\w-])(?:(?:in|using|with|into|to(?!\s+(?-i:go)\b))\s+({_NAMES}){_END}"
    rf"|({_NAMES})\s+(?:{_KINDS})s?\b|({_FILES})\b)",
    re.IGNORECASE,
)
_SHEBANG = re.compile(r"#!.*?\b(python|bash|sh|zsh|node|ruby|perl)[\d.]*\b")
_PYTHON_OPENING = re.compile(
    r"(?:async\s+def|def)\s+\w+\s*\(|class\s+\w+\s*(?:\([^)]*\))?\s*:"
    r"|import\s+[\w.]+(?:\s+as\s+\w+)?(?:\s*,\s*[\w.]+(?:\s+as\s+\w+)?)*\s*(?:#.*)?$"
    r"|from\s+[\w.]+\s+import\b|@[\w.]+(?:\(.*)?$|[rR]?(?:\"{3}|'{3})"
)
# How a text opens that is no Python, however it is labelled.
_OPENINGS = {
    "html": re.compile(r"<(?:!doctype\b|[a-z][a-z\d]*[ />])", re.IGNORECASE),
    "javascript": re.compile(r"import\b.*\bfrom\s+['\"]|(?:const|let|var|export|function)\s"),
    "dockerfile": re.compile(r"(?:FROM|ARG)\s+\S"),
    "sql": re.compile(r"(?:SELECT|CREATE|INSERT|UPDATE|DELETE|ALTER|WITH)\s"),
    "yaml": re.compile(r"---$|(?!(?:try|else|finally):)[\w-]+:(?:[ \t]+[^=]+)?$"),
}


def named_language(request: str) -> str | None:
    """The language that a request asks for, where it says so in a usual way. None also when it
    names several ("port this Python code to Go"): the wrong one would find faults in good code."""
    found = _NAMED.finditer(request[:20_000])
    names = {normal_language(next(filter(None, match.groups()))) for match in found}
    return names.pop() if len(names) == 1 else None


def _guess(text: str) -> str | None:
    shebang = _SHEBANG.match(text)
    if shebang:
        return normal_language(shebang[1])
    is_python = _PYTHON_OPENING.match(_opening(text)) or _is_surely_python(text)
    return "python" if is_python else None


def _opening(text: str) -> str:
    """The first line that is no comment."""
    lines = (line.strip() for line in text.splitlines())
    return next((line for line in lines if line and not line.startswith("#")), "")


def _opened_in(text: str) -> str | None:
    opening = _opening(text)
    return next((name for name, how in _OPENINGS.items() if how.match(opening)), None)


def _is_surely_python(text: str) -> bool:
    """Whether it parses, and has a block or a definition, whatever it opens with: no other language
    writes these so."""
    tree = parse(text)
    return tree is not None and any(hasattr(node, "body") for node in tree.body)
