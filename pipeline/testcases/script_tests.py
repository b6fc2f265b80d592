"""Tests in JavaScript (`node:test`, plain asserts), run with their program in the sandbox. The
program reports itself: a hint, no proof."""

import re
import secrets

from pipeline import sandbox
from pipeline.sandbox.node_programs import IS_MODULE, NotRunnable, javascript_of
from pipeline.testcases.suite_run import SuiteRun, TestOutcome
from pipeline.testcases.tap import read_tap

# Statements with which tests fetch the program: both are one file here, where its names are known.
_FETCH = re.compile(
    r"""(?:^|(?<=;))[^\S\n]*+(?:import\s*+['"]\.[^'"\n]*+['"]"""
    r"""|import\s++(?P<default>[\w$]++\s*+,?\s*+)?(?P<names>\{[^{}]{0,2000}+\}"""
    r"""|\*\s*+as\s++[\w$]++)?\s*+from\s*+['"]\.[^'"\n]*+['"]"""
    r"""|(?:const|let|var)\b\s*+(?P<taken>\{[^{}=;'"]{0,2000}+\}|[\w$]++)\s*+=\s*+require\("""
    r"""\s*+['"]\.[^'"\n]*+['"]\s*+\)(?P<part>[\w.$]*+))[^\S\n]*+;?""",
    re.MULTILINE,
)
# Modules that both may import under the same name, as `assert`.
_IMPORT = re.compile(
    r"""^[^\S\n]*+(?:import\s([^;'"\n]*+)['"](?:node:)?([\w/]++)['"]"""
    r"""|(?:const|let|var)\s([^=;\n]*+)=\s*+require\(['"](?:node:)?([\w/]++)['"]\)([\w.]*+))"""
    r"""[^\S\n]*+;?+[^\S\n]*+$""",
    re.MULTILINE,
)
_ALIASED = re.compile(r"([\w$]+)(?:\s*:\s*|\s+as\s+)([\w$]+)|([\w$]+)")
_DECLARED = re.compile(r"\b(?:function\b\s*+\*?|class|const|let|var)\s*+([\w$]++)")
# What the program exports, and its other names, under any name of the tests' own for it.
_OFFER = """\
;const {mark}e = new Proxy(typeof module === "object" ? module.exports : {{}}, {{ get(all, name) {{
  if (name in all || typeof name !== "string") return all[name];
  if (name === "default") return all;
  try {{ return eval(name); }} catch {{ return undefined; }}
}} }});
"""
_HEAD = """\
import {{ createRequire as {mark}r }} from "node:module";
var require = {mark}r(import.meta.url), module = {{ exports: {{}} }}, exports = module.exports;
"""
# What is not there although a program need not be wrong: packages, and the globals of test runners.
NOT_HERE = re.compile(
    r"Cannot find (?:module|package) '[^'\n]{1,100}'"
    r"|(?:test|it|describe|expect|jest|vi|beforeEach) is not defined"
)
_ERROR = re.compile(r"^(?:\w*Error\b.*|.*\[ERR_\w+\].*)$", re.MULTILINE)


async def run_script_tests(code: str, tests: str, limits: sandbox.Limits) -> SuiteRun:
    """Raises as `sandbox.run` does."""
    mark = f"laios_{secrets.token_hex(8)}"
    file, text = one_file(code, tests, mark)
    outcome = await sandbox.run({file: text}, ["node", "--test-reporter=tap", file], limits)
    if missing := NOT_HERE.search(f"{outcome.stderr}\n{outcome.stdout}"):
        return SuiteRun(problem=f"The tests could not be run here: {missing[0]}.", whole=False)
    rows = read_tap(outcome.stdout, file)
    done = [_outcome(row.test, row.status, row.error) for row in rows]
    whole = outcome.exit == 0 and mark in outcome.stdout
    why = raised(outcome) or f"they ended the process (status {outcome.exit})"
    return SuiteRun.reported(done, outcome, why, whole=whole, checks="the asserts")


async def run_typescript_tests(code: str, tests: str, limits: sandbox.Limits) -> SuiteRun:
    """Of both without their types. Raises as `sandbox.run` does."""
    try:
        plain = [await javascript_of(each) for each in (code, tests)]
    except NotRunnable as error:
        return SuiteRun(problem=f"The tests could not be run here: {error}.", whole=False)
    return await run_script_tests(plain[0], plain[1], limits)


def one_file(code: str, tests: str, mark: str) -> tuple[str, str]:
    """One file of program and tests, with a line at its end that shows that it was reached."""
    declared = set(_DECLARED.findall(code))
    tests = _FETCH.sub(lambda found: _taken(found, declared, f"{mark}e"), tests)
    own = (found for found in _IMPORT.finditer(code) if not found[0][0].isspace())  # in no function
    known = {_imported(found) for found in own}
    tests = _IMPORT.sub(lambda found: "" if _imported(found) in known else found[0], tests)
    offer = _OFFER.format(mark=mark) if f"{mark}e" in tests else ";"
    body = f'{code}\n{offer}\n{tests}\n;console.log("{mark}");\n'
    if IS_MODULE.search(body):
        return "program.mjs", _HEAD.format(mark=mark) + body
    return "program.cjs", body


def _imported(found: re.Match[str]) -> tuple[str, ...]:
    return tuple("".join((part or "").split()) for part in found.groups())


def _taken(fetch: re.Match[str], declared: set[str], program: str) -> str:
    """In place of a statement that fetches the program: the names in it that the program does not
    declare itself (`calc`, for all that it exports)."""
    lines = []
    for clause in (fetch["default"], fetch["names"], fetch["taken"]):
        said = (clause or "").strip(" \t\n,")
        if said.startswith("{"):
            pairs = ((old or one, new or one) for old, new, one in _ALIASED.findall(said))
            lines += [(local, f"{program}.{name}") for name, local in pairs]
        elif said:
            lines.append((said.split()[-1], f"{program}{fetch['part'] or ''}"))
    return " ".join(f"const {name} = {value};" for name, value in lines if name not in declared)


def _outcome(test: str, status: str, error: str) -> TestOutcome:
    if status == "skipped":
        return TestOutcome(test, "not run", "it is skipped")
    return TestOutcome(test, "passed" if status == "passed" else "failed", error)


def raised(outcome: sandbox.Outcome) -> str:
    """What Node says was raised, "" for nothing."""
    found = _ERROR.search(outcome.stderr)
    return found[0][:300] if found else ""
