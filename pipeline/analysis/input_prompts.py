"""The words with which a program asks for its input (`input("Enter n: ")`), where its input comes
from standard input and nobody wants to be asked. Pure.

Small models put them in whatever the request says, and all that the program prints is wrong then
for who reads its output."""

import ast
import re
from collections.abc import Iterator

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
_UNWANTED = re.compile(r"\b(?:no|without|not? [\w ]{0,12}) ?(?:input )?prompts?\b", re.IGNORECASE)
_ASKED = re.compile(
    r"\bprompts?\b|\bask(?:s|ing)? (?:the |for |me )|\binteractiv|\bmenu\b"
    r"|\b(?:user|person|player|somebody|someone) (?:can |should |must |may |has to )?"
    r"(?:enter|typ|input)"
    r"|\bfrom (?:the )?(?:user|keyboard|console|terminal)\b|\bsay(?:s|ing)?\b|\bgreet|\bwelcome"
    r"|\bmessages?\b|\btell(?:s|ing)? the user",
    re.IGNORECASE,
)
_LITERAL = r'"(?P<said>(?:[^"\\\n]|\\.){0,200})"'
_ASKS = re.compile(
    r"(?:\\n|\s)*(?:(?:please|bitte|now|first)[, ]+)?(?:enter|input|type|provide|give|insert"
    r"|introduc\w*|ingres\w*|entrez|entrer|saisi\w*|gib|geben|how many|what is|number|value)\b",
    re.IGNORECASE,
)
_PRINTS = {
    "python": rf"print\({_LITERAL}(?:, *end *= *(?:\"\"|'')|, *flush *= *True)*\)",
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
    r"|\bread_line\b|\breadLine\b|\bReadString\b|\binput\s*\(|\bstdin\b"
)
# What may stand between the words and the reading.
_BETWEEN = re.compile(
    r"\s*(?://[^\n]*|#[^\n]*|(?:std::)?(?:fflush|cout\.flush)\b[^\n]*|[^\n]*\bflush\(\)[^\n]*"
    r"|let mut \w+[^\n]*;|(?:[\w:<>,\[\]]+\s+)+\w+(?:\s*=\s*[^\n;(]*)?;|var [^\n]*)?\s*"
)
_BRACELESS = re.compile(r"\b(?:if|else|for|while)\b[^{;\n]*$")
_MOST_BETWEEN = 4  # lines


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
    if pattern := _STATEMENT.get(language or ""):
        text = _without_statements(text, language or "", pattern, said)
    return text, tuple(dict.fromkeys(said))


def _without_arguments(text: str) -> tuple[str, list[str]]:
    """Of Python's `input(…)`: what is computed beside it (a number, a name) is lost for nobody."""
    tree = parse(text)
    given = [*_arguments(tree)] if tree else []
    lines = [line.encode() for line in text.split("\n")]
    for node in sorted(given, key=lambda each: -each.lineno):
        line = lines[node.lineno - 1]
        lines[node.lineno - 1] = line[: node.col_offset] + line[node.end_col_offset :]
    return b"\n".join(lines).decode(), [ast.unparse(node) for node in given]


def _arguments(tree: ast.Module) -> Iterator[ast.expr]:
    """The only one of a call, in one line, that does nothing by itself."""
    lines: set[int] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Call(ast.Name("input"), [(ast.Constant() | ast.JoinedStr()) as given], []):
                does = any(isinstance(each, ast.Call) for each in ast.walk(given))
                if not does and given.lineno == given.end_lineno and given.lineno not in lines:
                    lines.add(given.lineno)
                    yield given


def _without_statements(text: str, language: str, pattern: re.Pattern[str], said: list[str]) -> str:
    def left(found: re.Match[str]) -> str:
        words = found["said"] or (found["format"] if language == "cpp" else "") or ""
        before = text[: found.start()].rstrip()
        if not _ASKS.match(words) or "%" in words.replace("%%", "") or "{" in words:
            return found[0]
        if _BRACELESS.search(before.rpartition("\n")[2]) or not _is_read(text, found):
            return found[0]
        if language == "go" and text.count("fmt.") < 2:
            return found[0]  # what is imported has to be used
        said.append(f'"{words}"')
        return f"{found['indent']}{found['rest']}\n" if found["rest"].strip() else ""

    return pattern.sub(left, text)


def _is_read(text: str, statement: re.Match[str]) -> bool:
    """Whether it reads next."""
    if statement["rest"].strip():
        return bool(_READS.search(statement["rest"]))
    for line in text[statement.end() : statement.end() + 1000].split("\n")[:_MOST_BETWEEN]:
        if _READS.search(line):
            return True
        if not _BETWEEN.fullmatch(line):
            return False
    return False
