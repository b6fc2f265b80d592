"""Tests in Bash, run with their program in the sandbox: plain checks, and functions named `test…`.
The program reports itself: a hint, no proof."""

import asyncio
import re
import secrets
from collections.abc import Iterator

from pipeline import sandbox
from pipeline.testcases.suite_run import SuiteRun, TestOutcome

_PROGRAM, _TESTS = "program.sh", "tests.sh"
_FILE = re.compile(r"(?<![\w.-])[\w-][\w.-]{0,80}\.(?:sh|bash)\b")
_FUNCTION = re.compile(r"^[^\S\n]*(?:function\s+)?(test\w*)[^\S\n]*\(\)", re.MULTILINE)
_LAST_EXIT = re.compile(r"^exit\b([^\n;]*);?\s*\Z", re.MULTILINE)
_SAID_SO = re.compile(
    r"^[^\w\n]*(?:not ok|fail(?:ed|ure)?)\b(?![^\w\n]{0,9}0\b).*$", re.IGNORECASE | re.MULTILINE
)
_WORD, _COMMENT = re.compile(r"[\w-]+"), re.compile(r"^[^\S\n]*#.*$", re.MULTILINE)
_ELSEWHERE = {
    "bats": r"^[^\S\n]*@test\b|\bbats\b",
    "shunit2": r"\bshunit2\b",
    "shellspec": r"^Describe ",
}
_SHOWN = 200
_MOST_FILES = 20  # each is a copy of the program, and an open file of ours
# A check that fails by itself ends nothing in Bash, so a trap reports it.
_HEAD = """\
exec 9>&1
{mark}() {{ [[ "$1" != *{tests} ]] || printf '{mark} line %s %s\\n' "$2" "${{3//$'\\n'/ }}" >&9; }}
{source}
set -E
trap '{mark} "${{BASH_SOURCE[0]}}" "$LINENO" "$BASH_COMMAND"' ERR
"""
_CHECKS = ("[[", "[", "((", "test", "diff", "cmp", "grep", "false", "assert")
_CALL = "if ( {name} ); then echo '{mark} ok {name}'; else echo '{mark} not ok {name}'; fi"


async def run_bash_tests(code: str, tests: str, limits: sandbox.Limits) -> SuiteRun:
    """Raises as `sandbox.run` does."""
    for tool, sign in _ELSEWHERE.items():
        if re.search(sign, tests, re.MULTILINE):
            problem = f"The tests could not be run here: they need {tool}."
            return SuiteRun(problem=problem, whole=False)
    mark = f"laios_{secrets.token_hex(8)}"
    files = await asyncio.to_thread(files_of, code, tests, mark)
    if len(files) > _MOST_FILES:
        problem = f"The tests could not be run: they name {len(files)} files."
        return SuiteRun(problem=problem, whole=False)
    outcome = await sandbox.run(files, ["bash", _TESTS], limits)
    return await asyncio.to_thread(read_bash, outcome, mark, tests)


def files_of(code: str, tests: str, mark: str) -> dict[str, str]:
    """The program under every name by which the tests call it, and the tests between what reports
    on them; where they call none, its functions are known to them."""
    names = dict.fromkeys(name for name in _FILE.findall(tests) if name != _TESTS)
    source = "" if names else f". ./{_PROGRAM}"
    body = _LAST_EXIT.sub(r"(exit\1)", tests.rstrip())
    head = _HEAD.format(mark=mark, tests=_TESTS, source=source)
    calls = "\n".join(_CALL.format(name=name, mark=mark) for name in _uncalled(tests))
    end = f"{mark}_status=$?\n{calls}\necho '{mark} end'\nexit ${mark}_status\n"
    return dict.fromkeys(names or [_PROGRAM], code) | {_TESTS: f"{head}{body}\n{end}"}


def _uncalled(tests: str) -> list[str]:
    """The test functions, where the tests only define them."""
    names = list(dict.fromkeys(_FUNCTION.findall(tests)))
    words = set(_WORD.findall(_COMMENT.sub("", _FUNCTION.sub("", tests))))
    return [] if words & set(names) else names


def read_bash(outcome: sandbox.Outcome, mark: str, tests: str) -> SuiteRun:
    """What came of the tests, by what was printed. Pure."""
    lines = outcome.stdout.splitlines()
    said = [line.removeprefix(f"{mark} ") for line in lines if line.startswith(f"{mark} ")]
    done = [*_failing_checks(said, tests), *_functions(said)]
    if not done and (told := _SAID_SO.search(outcome.stdout)):
        done = [TestOutcome("the tests", "failed", told[0][:_SHOWN])]
    whole = outcome.exit == 0 and "end" in said
    words = outcome.last_words[:_SHOWN]
    why = f"they ended with status {outcome.exit}{f': {words}' if words else ''}"
    return SuiteRun.reported(done, outcome, why, whole=whole, checks="the checks")


def _failing_checks(said: list[str], tests: str) -> Iterator[TestOutcome]:
    """What failed, where it is a check and stands in the tests: calls may fail that are expected
    to, and of a call Bash names what the program did last."""
    written, ahead = "".join(tests.split()), _HEAD.count("\n")
    for line in said:
        word, _, rest = line.partition(" ")
        number, _, command = rest.partition(" ")
        is_check = command.split(" ")[0].startswith(_CHECKS)
        if (
            word == "line"
            and number.isdecimal()
            and is_check
            and "".join(command.split()) in written
        ):
            place = f"line {int(number) - ahead}"
            yield TestOutcome("the checks", "failed", f"{place}: {command}"[:_SHOWN])


def _functions(said: list[str]) -> Iterator[TestOutcome]:
    for line in said:
        if line.startswith("ok "):
            yield TestOutcome(line.removeprefix("ok "), "passed")
        elif line.startswith("not ok "):
            yield TestOutcome(line.removeprefix("not ok "), "failed", "it fails")
