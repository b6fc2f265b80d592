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
_UNWANTED = re.compile(r"\b(?:no|without(?: any)?) (?:input )?prompts?\b(?! inj)", re.IGNORECASE)
# Somebody is asked, shown or told something; or code is given that may do so.
_ASKED = re.compile(
    r"\bprompt|\bask(?:s|ing)? (?:the |for |me )|\binteractiv|\bmenu\b|\bquiz|\bgames?\b|\bguess"
    r"|\bhangman|\btic[- ]?tac|\badventure|\bATM\b|\blogin|\bpassword|\bsimulat|\bchat"
    r"|\busers?\b|\bperson\b|\bplayers?\b|\bfrom (?:the )?(?:keyboard|console|terminal)\b"
    r"|\bsay(?:s|ing)?\b|\bgreet|\bwelcome|\bmessages?\b|\blabels?\b|\bdisplay|\bshow(?:s|ing)?\b"
    r"|\bquery\b|\bquestions?\b|\benter|\binput\(|```[ \t]*(?:py|c\b|cpp|java|go|rust)"
    r"|\bfriendly|\binstructions?\b|\bwizard|\by/n\b|\bconfirm|\brock\W+paper|\bpoll\b|\bsurvey"
    r"|\bcustomers?\b|\bregistration|\bmad[- ]?libs|\bto-?do\b|\btype[ds] in\b"
    r"|\btext (?:before|in front)"
    r"|\b(?:console|terminal)[- ](?:app|based|program)|\bfor the (?:console|terminal|command)"
    r"|\bbenutzer|\bnutzer|\bfrag|\bhinweis|\busuario|\bp[ei]d[ae]|\bpregunt|\bmensaje"
    r"|\butilisateur|\bdemand|\bavoir affich",
    re.IGNORECASE,
)
_LITERAL = r'"(?P<said>(?:[^"\\\n]|\\.){0,200})"'
_ENTER = (
    r"(?:please|bitte|now)?[, ]{0,3}"
    r"(?:enter|input|type|provide|give|gib|geben|ingres\w*|entrez)\b"
)
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
_ENDS_LINE = re.compile(r"[^\"]*(?:puts|ln!?)\s*\(|[^\n]*<<\s*(?:std::)?endl\b")
_USES_FMT = re.compile(r"\bfmt\.")
_SHOWS = re.compile(r"\b(?:is|are|was|were|has|sum|total|so far)\b", re.IGNORECASE)
_BY_NAME = re.compile(r"\s*(?:the|a|n)\b", re.IGNORECASE)
_PROMPT_LEFT = re.compile(rf'"{_ASKS.pattern}', re.IGNORECASE)
# What may stand between the words and the reading.
_BETWEEN = re.compile(
    r"\s*(?:(?:std::)?(?:fflush|cout\.flush)\b[^\n]*|[^\n]*\bflush\(\)[^\n]*"
    r"|let mut \w+[^\n]*;|(?:[\w:<>,\[\]]+\s+)+\w+(?:\s*=\s*[^\n;(]*)?;|var [^\n]*)?\s*"
)
_COMMENT = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_NO_CODE = re.compile(rf'"(?:[^"\\\n]|\\.)*"?|`[^`]*(?:`|\Z)|{_COMMENT.pattern}', re.DOTALL)
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
    return bool(_STANDARD_INPUT.search(said))


def without_prompts(
    text: str, language: str | None, request: str = ""
) -> tuple[str, tuple[str, ...]]:
    """The program without the words with which it asks, and these words, each once: all of them, or
    none where one of them may be wanted, as what stands in the `request` is."""
    said: list[str] = []
    left = text
    if language == "python":
        left, said = _without_arguments(text, request)
    elif language in _STATEMENT:
        left, said = _without_statements(text, language, request)
    return (left, tuple(dict.fromkeys(said))) if said else (text, ())


def _without_arguments(text: str, request: str) -> tuple[str, list[str]]:
    """Of Python's `input(…)`; nothing where the code has a function of that name."""
    tree = parse(text)
    if tree is None or any(_names_input(each) or _prints_prompt(each) for each in ast.walk(tree)):
        return text, []
    given = sorted(_arguments(tree), key=lambda each: (each.lineno, each.col_offset))
    if not given or not all(_only_asks(each, request) for each in given):
        return text, []
    lines = [line.encode() for line in text.split("\n")]
    for node in reversed(given):
        line = lines[node.lineno - 1]
        lines[node.lineno - 1] = line[: node.col_offset] + line[node.end_col_offset :]
    bare = b"\n".join(lines).decode(errors="replace")
    without = parse(bare)
    if without is None or any(_arguments(without)):  # `input(())`
        return text, []
    return bare, [ast.unparse(node) for node in given]


def _prints_prompt(node: ast.AST) -> bool:
    match node:
        case ast.Call(ast.Name("print"), [ast.Constant(str(words)), *_]):
            return bool(_ASKS.match(words))
    return False


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


def _only_asks(given: ast.expr, request: str) -> bool:
    """Whether it is a text in one line that does nothing by itself, and tells no result."""
    if not isinstance(given, ast.Constant | ast.JoinedStr) or given.lineno != given.end_lineno:
        return False
    parts: Sequence[ast.expr] = given.values if isinstance(given, ast.JoinedStr) else [given]
    said = [str(each.value) for each in parts if isinstance(each, ast.Constant)]
    words = "".join(said)
    if any(isinstance(each, ast.Call | ast.NamedExpr) for each in ast.walk(given)):
        return False
    if len(said) < len(parts) and (_BY_NAME.match(words) or _SHOWS.search(words)):
        return False
    is_asked = bool(_ASKS_SHORTLY.match(words)) and not _may_be_output(words)
    return is_asked and not _is_in(max(said, key=len), request)


def _may_be_output(words: str) -> bool:
    """A heading, say, of which the next line is read."""
    return words.endswith("\n") and not words.rstrip().endswith((":", "?"))


def _is_in(words: str, request: str) -> bool:
    """Whether a request shows it, or asks for it."""
    return bool(words.strip()) and words.strip() in request


def _without_statements(text: str, language: str, request: str) -> tuple[str, list[str]]:
    """Between two statements of a block, where reading is the next of them."""
    kept, said = list[str](), list[str]()
    seen = at = 0
    inside = dict.fromkeys(_RAW, 0)
    for found in _STATEMENT[language].finditer(text):
        for mark in _RAW:
            inside[mark] += text.count(mark, seen, found.start())
        seen = found.start()
        words = (found["said"] or found.groupdict().get("format") or "").replace("\\n", "\n")
        asks, is_read = _ASKS.match(words), _is_read(text, found)
        if not asks and not (is_read and words.rstrip().endswith((":", "?"))):
            continue
        is_plain = not ("%" in words or "{" in words or any(n % 2 for n in inside.values()))
        line = f"{words}\n" if _ENDS_LINE.match(found[0]) else words
        is_wanted = _may_be_output(line) or _is_in(words, request)
        if not (asks and is_plain and is_read) or is_wanted or not _ends(text, seen, language):
            return text, []
        said.append(f'"{found["said"] or found["format"]}"')
        rest = f"{found['indent']}{found['rest']}\n" if found["rest"].strip() else ""
        kept += text[at:seen], rest
        at = found.end()
    left = "".join((*kept, text[at:]))
    if not said or _PROMPT_LEFT.search(left):
        return text, []
    is_unused = language == "go" and not _USES_FMT.search(_NO_CODE.sub("", left))
    return (text, []) if is_unused else (left, said)


def _ends(text: str, at: int, language: str) -> bool:
    """Whether a new statement may begin there."""
    ended = _COMMENT.sub("", text[max(0, at - _MOST_BEFORE) : at]).rstrip()
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
