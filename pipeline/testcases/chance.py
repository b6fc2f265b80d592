"""Whether what a program gives depends on chance or on the clock: no two runs of it need be alike.
Pure."""

import ast
import re

from pipeline.analysis.python_syntax import parse

_BY_CHANCE = {"random", "secrets", "uuid"}  # modules
_CLOCKS = {  # of the module `time`
    *("time", "time_ns", "ctime", "localtime", "gmtime", "strftime", "process_time"),
    *("monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns"),
}
_OF_SCRIPTS = re.compile(  # JavaScript's and Bash's
    r"\bMath\.random\b|\bcrypto\b|\bDate\b|\bperformance\b"
    r"|\b(?:S?RANDOM|EPOCH(?:REALTIME|SECONDS)|SECONDS|shuf|mktemp)\b|\$\(date\b|/dev/u?random"
)


def depends_on_chance(code: str, language: str = "python") -> bool:
    """False for Python that does not parse: it gives nothing."""
    if language != "python":
        return bool(_OF_SCRIPTS.search(code))
    tree = parse(code)
    return tree is not None and any(map(_is_chance, ast.walk(tree)))


def _is_chance(node: ast.AST) -> bool:
    match node:
        case ast.Import(names):
            return any(each.name.partition(".")[0] in _BY_CHANCE for each in names)
        case ast.ImportFrom(module=str(module), names=names):
            has_clock = module == "time" and any(each.name in _CLOCKS for each in names)
            return has_clock or module.partition(".")[0] in _BY_CHANCE
        case ast.Attribute(ast.Name(module), name):
            return (name in _CLOCKS and module == "time") or name in ("urandom", "random")
        case ast.Call(ast.Attribute(_, "now" | "today" | "utcnow")):
            return True
    return False
