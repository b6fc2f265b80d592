"""Calls of functions in JavaScript and Bash: the program with what makes the call at its end.

What comes back is compared outside, as with Python. Neither language has all of Python's values, so
what comes back is read as one of the kind that is expected: a list where a tuple is, the text that
a Bash function prints as a number. What is raised has no class to compare.
"""

import json
import re
import secrets
import shlex
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

from pipeline.sandbox.limits import Limits
from pipeline.sandbox.outcome import Outcome
from pipeline.sandbox.plain_json import as_json
from pipeline.sandbox.runner import run
from pipeline.sandbox.test_result import Result
from pipeline.sandbox.testcase import Case, Raises

IS_MODULE = re.compile(r"^[^\S\n]*(?:import|export)\b", re.MULTILINE)
_NAME = re.compile(r"[A-Za-z_$][\w$]{0,99}")
_SHOWN = 300
_CALL = """
;(async () => {{
  let said;
  if (typeof {name} !== "function") said = {{ missing: "it does not define {name}" }};
  else
    try {{
      said = {{ value: (await {name}(...{arguments})) ?? null }};
    }} catch (error) {{
      said = {{ raised: String(error) }};
    }}
  console.log("\\n{mark}" + JSON.stringify(said));
}})();
"""


async def call_javascript(program: str, case: Case, limits: Limits, name: str) -> Result:
    """Raises as `run` does."""
    mark = f"laios_{secrets.token_hex(8)}"
    arguments = json.dumps([as_json(each) for each in case.arguments.args])
    file = "program.mjs" if IS_MODULE.search(program) else "program.cjs"
    text = program + _CALL.format(name=name, arguments=arguments, mark=mark)
    outcome = await run({file: text}, ["node", file], limits)
    said = next((e for e in outcome.stdout.splitlines() if e.startswith(mark)), None)
    try:
        told = json.loads(said.removeprefix(mark)) if said else {}
    except (ValueError, RecursionError):
        told = {}
    if "value" in told:
        value = _like(told["value"], case.expected)
        return Result(case, "returned", value, duration_ms=_ms(outcome))
    if "raised" in told:
        return _raised(case, str(told["raised"])[:_SHOWN], outcome)
    if "missing" in told:
        return Result(case, "unusable", error=str(told["missing"]), duration_ms=_ms(outcome))
    return _ended(case, outcome)


async def call_bash(program: str, case: Case, limits: Limits, name: str) -> Result:
    """What the function prints is its value; a truth is its status. Raises as `run` does."""
    words = shlex.join(word for each in case.arguments.args for word in _words(each))
    files = {"program.sh": program, "call.sh": f". ./program.sh\n{name} {words}\n"}
    outcome = await run(files, ["bash", "call.sh"], limits)
    printed = outcome.stdout.rstrip("\n")
    if outcome.ended != "exited" or outcome.exit == 127:
        return _ended(case, outcome)
    if isinstance(case.expected, bool) and not printed:
        return Result(case, "returned", outcome.exit == 0, duration_ms=_ms(outcome))
    if outcome.exit:
        return _raised(case, f"status {outcome.exit}", outcome)
    return Result(case, "returned", _read(printed, case.expected), duration_ms=_ms(outcome))


CALLS: dict[str, Callable[[str, Case, Limits, str], Awaitable[Result]]] = {
    "javascript": call_javascript,
    "bash": call_bash,
}


async def call_script(program: str, case: Case, limits: Limits, name: str, language: str) -> Result:
    """Raises as `run` does."""
    if not _NAME.fullmatch(name) or case.arguments.kwargs:
        return Result(case, "unusable", error="its arguments have to be given by their places")
    return await CALLS[language](program, case, limits, name)


def _like(value: Any, expected: Any) -> Any:
    """A value of JSON as the kind that is expected."""
    if isinstance(value, list) and isinstance(expected, list | tuple):
        kinds = [*expected, *[None] * len(value)]
        return type(expected)(_like(each, kind) for each, kind in zip(value, kinds, strict=False))
    if isinstance(value, dict) and isinstance(expected, dict):
        names = {str(key): key for key in expected}
        return {
            names.get(key, key): _like(each, expected.get(names.get(key, key)))
            for key, each in value.items()
        }
    return value


def _read(printed: str, expected: Any) -> Any:
    """What Bash printed as the kind that is expected."""
    if isinstance(expected, bool):
        return {"true": True, "false": False}.get(printed.strip().lower(), printed)
    if isinstance(expected, int | float):
        try:
            return type(expected)(printed)
        except ValueError:
            return printed
    if isinstance(expected, list | tuple):
        parts = printed.splitlines() if "\n" in printed else printed.split()
        kinds = [*expected, *[""] * len(parts)]
        return type(expected)(_read(each, kind) for each, kind in zip(parts, kinds, strict=False))
    return None if expected is None and not printed else printed


def _words(value: Any) -> Iterator[str]:
    """A value as arguments; the items of a list are one each."""
    if isinstance(value, list | tuple):
        for each in value:
            yield from _words(each)
    elif isinstance(value, bool):
        yield str(value).lower()
    else:
        yield "" if value is None else str(value)


def _raised(case: Case, error: str, outcome: Outcome) -> Result:
    """An exception that was expected has the name that was expected."""
    wanted = (case.expected.name,) if isinstance(case.expected, Raises) else ()
    return Result(case, "raised", error=error, raised=wanted, duration_ms=_ms(outcome))


def _ended(case: Case, outcome: Outcome) -> Result:
    if outcome.ended == "exited" or outcome.ended == "signal":
        said = (outcome.stderr.strip().splitlines() or [""])[-1][:_SHOWN]
        error = f"ended with status {outcome.exit} and without a result: {said}".rstrip(": ")
        return Result(case, "died", error=error, duration_ms=_ms(outcome))
    error = f"ended for its {outcome.ended} limit"
    return Result(case, outcome.ended, error=error, duration_ms=_ms(outcome))


def _ms(outcome: Outcome) -> float:
    return round(outcome.duration_s * 1000, 1)
