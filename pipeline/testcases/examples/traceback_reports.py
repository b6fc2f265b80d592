"""Tracebacks of programs: the calls in them, which shall not raise that any more. Pure."""

import ast
import re

from pipeline.sandbox.testcase import Case, Raises
from pipeline.testcases.examples.example import Found
from pipeline.testcases.examples.stated_examples import asks_for_error
from pipeline.testcases.literals import arguments_of, parse_expression

# A module's frame with its line of source, which newer Pythons underline, and the next one's name.
_CALL = re.compile(
    r'^[ \t>]*File "[^"\n]*", line \d+, in <module>\n[ \t>]*(?P<source>\S[^\n]{0,300})\n'
    r'(?:[ \t>~^]*[~^]\n)?[ \t>]*File "[^"\n]*", line \d+, in (?P<function>\w+)\n',
    re.MULTILINE,
)
_FRAMES = re.compile(r'[ \t>]*(?:File "|[~^ \t]*$)|[ \t>]+\S')
_ERROR = re.compile(r"(?:\w+\.)*([A-Z]\w*)(?::|$)")
_NAME = re.compile(r"\w+ *= *(?!=)")
_MOST = 5  # tracebacks


def find(text: str) -> Found:
    """Errors that the request reports; nothing where it asks for one somewhere."""
    found = Found()
    if "Traceback" not in text or asks_for_error(text):
        return found
    for match in _CALL.finditer(text):
        call = _call(match["source"], match["function"])
        raised = _raised(text[match.end() :])
        if call and raised and len(found.reported) < _MOST:
            try:
                found.reported.append(Case(arguments_of(call), raised, match["function"]))
            except ValueError:
                continue  # its arguments are no literals
    return found


def _call(source: str, function: str) -> ast.Call | None:
    """The one call of the function in the line."""
    tree = parse_expression(_NAME.sub("", source, count=1))
    calls = [node for node in (ast.walk(tree) if tree else ()) if isinstance(node, ast.Call)]
    named = [each for each in calls if isinstance(each.func, ast.Name) and each.func.id == function]
    return named[0] if len(named) == 1 else None


def _raised(behind: str) -> Raises | None:
    """The error below the other frames; None where the last of these raises it on purpose."""
    source = ""
    for line in behind.split("\n", 40)[:40]:
        if error := _ERROR.match(line.lstrip("> \t")):
            return None if source.startswith("raise ") else Raises(error[1])
        if not _FRAMES.match(line):
            break
        source = line.strip("> \t~^") or source
    return None
