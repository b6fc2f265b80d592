"""The words with which a program asks for its input (`input("Enter n: ")`), where its input comes
from standard input and nobody wants to be asked. Pure.

Small models put them in whatever the request says, and all that the program prints is wrong then
for who reads its output. Taken out is only what does nothing else; in doubt it stays."""

import ast
import re
from collections.abc import Iterator, Sequence

from pipeline.analysis.python_syntax import parse

_MOST_READ = 20_000  # characters of a request
_STANDARD_INPUT = re.compile(
    r"\b(?:stdin|standard input|System\.in|Standardeingabe|entrada est[áa]ndar"
    r"|entr[ée]e standard)\b"
    r"|^[ \t>#*_-]*input\b(?: format)?[ \t*_]*(?::|$)",
    re.IGNORECASE | re.MULTILINE,
)
_ALONE = re.compile(
    r"\b(?:print|output|print out|prints|outputs) (?:only|just|nothing (?:else|but))\b"
    r"|\bnothing else\b",
    re.IGNORECASE,
)
_UNWANTED = re.compile(r"\b(?:no|without(?: any)?) (?:input )?prompts?\b(?! inj)", re.IGNORECASE)
# Somebody is asked, shown or told something; or code is given that may do so.
_ASKED = re.compile(
    r"\bprompt|\bask(?:s|ing)? (?:the |for |me )|\binteractiv|\bmenu\b|\bquiz|\bgames?\b|\bguess"
    r"|\bhangman|\btic[- ]?tac|\badventure|\bATM\b|\blogin|\bpassword|\bsimulat|\bchat"
    r"|\busers?\b|\bperson\b|\bplayers?\b|\bfrom (?:the )?(?:keyboard|console|terminal)\b"
    r"|\bsay(?:s|ing)?\b|\bgreet|\bwelcome|\bmessages?\b|\blabels?\b|\bdisplay|\bshow(?:s|ing)?\b"
    r"|\bquery\b|\bquestions?\b|\benter|\binput\(|```[ \t]*(?:py|c\b|cpp|java|go|rust)"
    r"|\bbenutzer|\bnutzer|\bfrag|\busuario|\bp[ei]d[ae]|\bpregunt|\butilisateur|\bdemand",
    re.IGNORECASE,
)
_LITERAL = r'"(?P<said>(?:[^"\\\n]|\\.){0,200})"'
_ENTER = r"(?:please|bitte|now)?[, ]*(?:enter|input|type|provide|give|gib|geben|ingres\w*|entrez)\b"
_ASKS = re.compile(rf"(?:\\n|\s)*{_ENTER}", re.IGNORECASE)
_ASKS_SHORTLY = re.compile(
    r"\s*(?:please|bitte|enter|input|type|provide|give|gib|geben|ingres\w*|introdu\w*|entrez"
    r"|saisi\w*|number|how many|first|second|the|a|n)\b[^?!]*$",
    re.IGNORECASE,
)
_PRINTS = {
    "c": rf"(?:printf|puts)\s*\(\s*{_LITERAL}\s*\)\s*;",
    "cpp": rf"(?:(?:std::)?cout\s*<<\s*{_LITERAL}(?:\s*<<\s*(?:std::)?(?:endl|flush))?"
    rf"|(?:std::)?printf\s*\(\s*{_LITERAL.replace('said', 'format')}\s*\))\s*;",
    "java": rf"System\.out\.print(?:ln|f)?\s*\(\s*{_LITERAL}\s*\)\s*;",
    "go": rf"fmt\.Print(?:ln|f)?\(\s*{_LITERAL}\s*\);?",
    "rust": rf"print(?:ln)?!\s*\(\s*{_LITERAL}\s*\)\s*;",
}
_STATEMENT = {
    language: re.compile(rf"^(?P<indent>[ \t]*){pattern}[ \t]*(?P<rest>[^\n]*)\n", re.MULTILINE)
    for language, pattern in _PRINTS.items()
}
_READS = re.compile(
    r"\bscanf\s*\(|\bcin\b|\bgets?\s*\(|\bgetline\b|\bgetchar\b|\bfgets\b|\.Scan\w*\(|\.next\w*\("
    r"|\bread_line\b|\breadLine\b|\bReadString\b|\bstdin\b"
)
# What may stand between the words and the reading.
_BETWEEN = re.compile(
    r"\s*(?:(?:std::)?(?:fflush|cout\.flush)\b[^\n]*|[^\n]*\bflush\(\)[^\n]*"
    r"|let mut \w+[^\n]*;|(?:[\w:<>,\[\]]+\s+)+\w+(?:\s*=\s*[^\n;(]*)?;|var [^\n]*)?\s*"
)
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_MOST_BETWEEN, _MOST_BEFORE = 4, 600  # lines; characters
_RAW = ('"""', "`", 'R"', 'r#"')  # of texts of several lines


def wants_no_prompts(request: str) -> bool:
    """Whether a request is for a program that reads standard input, and speaks of nobody who is to
    be asked for it."""
    said = request[:_MOST_READ]
    if _UNWANTED.search(said):
        return True
    if _ASKED.search(said):
        return False
    return bool(_STANDARD_INPUT.search(said) or _ALONE.search(said))


def without_prompts(text: str, language: str | None) -> tuple[str, tuple[str, ...]]:
    """The program without the words with which it asks, and these words, each once."""
    said: list[str] = []
    if language == "python":
        text, said = _without_arguments(text)
    elif pattern := _STATEMENT.get(language or ""):
        text = _without_statements(text, language or "", pattern, said)
    return text, tuple(dict.fromkeys(said))


def _without_arguments(text: str) -> tuple[str, list[str]]:
    """Of Python's `input(…)`; nothing where the code has a function of that name."""
    tree = parse(text)
    if tree is None or any(map(_names_input, ast.walk(tree))):
        return text, []
    given = sorted(_arguments(tree), key=lambda each: (each.lineno, each.col_offset))
    if not all(map(_only_asks, given)):
        return text, []  # some of what it says may be wanted
    lines = [line.encode() for line in text.split("\n")]
    for node in reversed(given):
        line = lines[node.lineno - 1]
        lines[node.lineno - 1] = line[: node.col_offset] + line[node.end_col_offset :]
    bare = b"\n".join(lines).decode(errors="replace")
    return (bare, [ast.unparse(node) for node in given]) if parse(bare) else (text, [])


def _names_input(node: ast.AST) -> bool:
    """Whether it gives the name another meaning."""
    match node:
        case ast.Name("input", ast.Store()) | ast.arg("input"):
            return True
        case ast.FunctionDef("input") | ast.AsyncFunctionDef("input") | ast.ClassDef("input"):
            return True
        case ast.alias(name, asname):
            return "input" in (name, asname)
    return False


def _arguments(tree: ast.Module) -> Iterator[ast.expr]:
    """Of each call that is given something."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(ast.Name("input"), [given, *_]):
                yield given


def _only_asks(given: ast.expr) -> bool:
    """Whether it is a text in one line that does nothing by itself."""
    if not isinstance(given, ast.Constant | ast.JoinedStr) or given.lineno != given.end_lineno:
        return False
    parts: Sequence[ast.expr] = given.values if isinstance(given, ast.JoinedStr) else [given]
    words = "".join(str(each.value) for each in parts if isinstance(each, ast.Constant))
    does = any(isinstance(each, ast.Call | ast.NamedExpr) for each in ast.walk(given))
    return not does and bool(_ASKS_SHORTLY.match(words))


def _without_statements(text: str, language: str, pattern: re.Pattern[str], said: list[str]) -> str:
    """Between two statements of a block, where reading is the next of them."""

    def left(found: re.Match[str]) -> str:
        words = found["said"] or (found["format"] if language == "cpp" else "") or ""
        is_plain = not ("%" in words or "{" in words)
        if not (is_plain and _ASKS.match(words) and _is_read(text, found)):
            return found[0]
        if not _ends_statement(text[: found.start()], language):
            return found[0]
        if language == "go" and len(re.findall(r"\bfmt\.\w+\(", _COMMENT.sub("", text))) < 2:
            return found[0]  # what is imported has to be used
        said.append(f'"{words}"')
        return f"{found['indent']}{found['rest']}\n" if found["rest"].strip() else ""

    return pattern.sub(left, text)


def _ends_statement(before: str, language: str) -> bool:
    """Whether a new statement may begin behind it, and not within a text."""
    if any(before.count(mark) % 2 for mark in _RAW):
        return False
    ended = _COMMENT.sub("", before[-_MOST_BEFORE:]).rstrip()
    return ended.endswith((";", "{", "}")) or (language == "go" and bool(ended))


def _is_read(text: str, statement: re.Match[str]) -> bool:
    """Whether it reads next."""
    if statement["rest"].strip():
        return bool(_READS.search(statement["rest"]))
    for line in text[statement.end() : statement.end() + 1000].split("\n")[:_MOST_BETWEEN]:
        if _READS.search(line):
            return not line.lstrip().startswith(("while", "}", "for"))
        if not _BETWEEN.fullmatch(line):
            return False
    return False
