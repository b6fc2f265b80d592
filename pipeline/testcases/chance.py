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
_OF_CLOCK = {("time", name) for name in _CLOCKS}
_OF_SCRIPTS = re.compile(  # JavaScript's, Bash's and SQL's
    r"\bMath\.random\b|\bcrypto\b|\bDate\.now\b|\bDate\(\s*\)|\bnew Date\b(?!\s*\()|\bperformance\b"
    r"|\b(?:math/rand|new Random|random_device|default_random_engine|mt19937|rand::|time\.Now"
    r"|(?:Local\w+|Instant|Utc|Local)(?:\.|::)now|currentTimeMillis|nanoTime|SystemTime)\b"
    r"|\brand::|\btime\((?:NULL|nullptr|0)\)|\bstd::chrono\b"
    r"|\b(?:S?RANDOM|EPOCH(?:REALTIME|SECONDS)|SECONDS|shuf|mktemp)\b|\$\(date\b|/dev/u?random"
    r"|\b(?i:gen_random_uuid|newid|rand|random|uuid)\(\s*\)"
)


def depends_on_chance(code: str, language: str = "python") -> bool:
    """False for Python that does not parse: it gives nothing."""
    if language != "python":
        return bool(_OF_SCRIPTS.search(code))
    if (tree := parse(code)) is None:
        return False
    nodes = [*ast.walk(tree)]
    used = {node.id for node in nodes if isinstance(node, ast.Name)}
    return any(_is_chance(node, used) for node in nodes)


def _is_chance(node: ast.AST, used: set[str]) -> bool:
    """`used`: names that the program uses; an import alone gives nothing."""
    match node:
        case ast.Import(names):
            return any(_module(each.name) in _BY_CHANCE and _bound(each) in used for each in names)
        case ast.ImportFrom(module=str(module), names=names):
            by_chance = _module(module) in _BY_CHANCE
            found = [each for each in names if by_chance or (module, each.name) in _OF_CLOCK]
            return any(_bound(each) in used or each.name == "*" for each in found)
        case ast.Attribute(ast.Name(module), name):
            return (name in _CLOCKS and module == "time") or name in ("urandom", "random")
        case ast.Call(ast.Attribute(_, "now" | "today" | "utcnow")):
            return True
    return False


def _module(name: str) -> str:
    return name.partition(".")[0]


def _bound(name: ast.alias) -> str:
    """What it is called in the program."""
    return name.asname or _module(name.name)
