"""Examples as `unittest` and pytest state them: `self.assertEqual(f(1), 2)`, and what has to raise,
`with pytest.raises(ValueError): f(0)`."""

import ast
import re
from itertools import islice

from pipeline.sandbox.testcase import Case, Raises
from pipeline.testcases.examples.assert_examples import call_case
from pipeline.testcases.examples.example import Found
from pipeline.testcases.literals import matching, parenthesised, parse_expression, value_of

_MOST = 500
_METHOD = re.compile(
    r"(?<![\w.])self\.(assert(?:Equals?|True|False|IsNone|Is|Raises|(?:List|Dict|Set|Tuple)Equal))"
    r"(?=\()"
)
_RAISING = re.compile(r"(?<![\w.])with[ \t]+(?:self\.assertRaises|pytest\.raises)(?=\()")
_BLOCK = re.compile(r"[ \t]*(?:as[ \t]+\w+[ \t]*)?:[ \t]*\n?[ \t>]*([A-Za-z_]\w*)(?=\()")


def find(text: str) -> Found:
    """Assertions about a call with literals; others say nothing that could be run here."""
    checks = (_checked(text, each) for each in islice(_METHOD.finditer(text), _MOST))
    blocks = (_raising(text, each.end()) for each in islice(_RAISING.finditer(text), _MOST))
    return Found([example for example in (*checks, *blocks) if example])


def _checked(text: str, method: re.Match[str]) -> Case | None:
    said = parenthesised(text, method.end())
    try:
        return _read(method[1], said[0]) if said else None
    except ValueError:
        return None


def _read(method: str, said: ast.Call) -> Case | None:
    """Raises ValueError for what is no literal."""
    match method, said.args:
        case "assertRaises", [error, ast.Name(name), *given]:
            call = ast.Call(ast.Name(name), given, said.keywords)
            return call_case(call, Raises(ast.unparse(error).rpartition(".")[2]))
        case "assertTrue" | "assertFalse", [call, *_]:
            return call_case(call, method == "assertTrue", truth=True)
        case "assertIsNone", [call, *_]:
            return call_case(call, None)
        case _, [call, expected, *_] if isinstance(call, ast.Call):
            return call_case(call, value_of(expected))
        case _, [expected, call, *_]:
            return call_case(call, value_of(expected))
    return None


def _raising(text: str, start: int) -> Case | None:
    """What a block that has to raise begins with."""
    error = parenthesised(text, start)
    call = _BLOCK.match(text, error[1]) if error and error[0].args else None
    stop = matching(text, call.end()) if call else None
    if not error or not call or not stop:
        return None
    try:
        expression = parse_expression(text[call.start(1) : stop])
        name = ast.unparse(error[0].args[0]).rpartition(".")[2]
        return call_case(expression, Raises(name)) if expression else None
    except ValueError:
        return None
