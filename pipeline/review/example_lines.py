"""The lines of JavaScript and TypeScript that a request shows with the values that they have
(`c.get("a") // 1`), run below a draft.

What is stated never enters the sandbox beside the draft: it is shown by a run of its own."""

import asyncio
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from pipeline.analysis.draft import Draft, DraftSource
from pipeline.analysis.evidence import Finding
from pipeline.analysis.script_lines import ScriptLine, Session, stated_sessions
from pipeline.review.script_runs import javascript_text, told_by
from pipeline.run import Run
from pipeline.task import Task
from pipeline.testcases.chance import depends_on_chance
from pipeline.testcases.examples.bug_reports import reports_a_bug
from pipeline.testcases.suite import Suite
from pipeline.testcases.typescript_driver import SHOWS

HOLD = "the request's examples pass"
_SHOWN = 120  # characters
_NUMBER = re.compile(r"-?\d{1,15}(?:\.\d{1,15})?")
_ON_OBJECT = re.compile(r"\.\w+\([^()]*\)$")
_LACKS = re.compile(r"^ReferenceError: ([\w$]+) is not defined")
_RESULTS = """
  const laiosGave = (n, v) => {
    const isPlain = [undefined, Object, Array, Number, String, Boolean].includes(v?.constructor);
    laiosTell(n, { shown: laiosShow(v, 0), isPlain });
  };
  const laiosTell = (n, told) => process.stdout.write(`\\n%s${JSON.stringify({ n, ...told })}\\n`);
  const laiosRun = async (session) => {
    const at = { n: -1 };
    try {
      await session(at);
    } catch (error) {
      const isElsewhere = Boolean((error?.cause ?? error)?.syscall);
      const own = laiosIsOwn(error);
      if (!isElsewhere) laiosTell(at.n, { error: String(error).slice(0, 200), own });
    }
  };
"""
# A request that has its own code may show what goes wrong with it.
_OWN_CODE = re.compile(r"^\s*(?:return\b[^\n]*;|this\.\w+\s*[-+]?=)", re.MULTILINE)


async def with_example_lines(
    run: Run, task: Task, draft: Draft, source: DraftSource, suite: Suite
) -> Draft:
    """The draft with those of the lines that have other values; decided, where all are as stated.
    As it is, where the request has none but what `suite` holds already, or nothing comes of them.
    Raises SandboxUnavailable."""
    sessions = await asyncio.to_thread(sessions_of, task.prompt)
    lines = [line for each in sessions for line in each]
    asked = [n for n, line in enumerate(lines) if line.stated]
    program = await javascript_text(draft)
    is_by_chance = depends_on_chance(draft.text, draft.language or "")
    if len(asked) <= len(suite.cases) or not program or is_by_chance:
        return draft
    stated = [(replace(lines[n], code=f"({lines[n].stated})"),) for n in asked]
    with run.step("sandbox", "evidence") as step:
        wanted = await _told(run, "", stated)
        came = await _told(run, program, sessions) if len(wanted) == len(asked) else {}
        pairs = zip(asked, wanted.values(), strict=False)
        held = [n for n, each in pairs if n in came and _is_same(came[n], each)]
        step.note = f"{len(held)} of {len(asked)} examples hold"
    failing = (_finding(source, lines[n], each) for n, each in came.items() if n not in held)
    findings = tuple(filter(None, failing))
    decided = HOLD if len(held) == len(asked) else ""
    return replace(draft, findings=findings, decided=decided, facts=f"{step.note}.")


@lru_cache(maxsize=4)  # each draft of a run asks
def sessions_of(prompt: str) -> Sequence[Session]:
    """Those of a request that has no code of its own and reports no bug."""
    if _OWN_CODE.search(prompt) or reports_a_bug(prompt):
        return ()
    return stated_sessions(prompt)


async def _told(run: Run, program: str, sessions: Sequence[Session]) -> dict[int, dict[str, Any]]:
    """What came of the lines, by their numbers: `shown`, or `error`; less, where the time is up or
    the program ends before."""
    mark = secrets.token_hex(8)
    told = await told_by(run, f"{program}\n{_driver(sessions, mark)}", mark)
    return {each["n"]: each for each in told if isinstance(each.get("n"), int)}


def _driver(sessions: Sequence[Session], mark: str) -> str:
    bodies, n = list[str](), 0
    for session in sessions:
        steps = list[str]()
        for line in session:
            shown = f"laiosGave({n}, await ({line.code}))"
            steps.append(f"at.n = {n}; {shown if line.stated else line.code};")
            n += 1
        bodies.append(f"  await laiosRun(async (at) => {{ {' '.join(steps)} }});\n")
    head = "\n;(async () => {\n  const laiosNodes = () => undefined;"
    return f"{head}{SHOWS}{_RESULTS % mark}{''.join(bodies)}  process.exit(0);\n}})();\n"


def _is_same(came: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Nothing is as good as null, and a fraction may be stated with fewer digits."""
    shown = [str(each.get("shown")) for each in (came, wanted)]
    if shown[0] == shown[1] or set(shown) == {"null", "undefined"}:
        return True
    if not all(map(_NUMBER.fullmatch, shown)):
        return False
    digits = len(shown[1].partition(".")[2])
    return digits > 0 and round(float(shown[0]), digits) == float(shown[1])


def _finding(source: DraftSource, line: ScriptLine, came: Mapping[str, Any]) -> Finding | None:
    """None for a name that the request takes for granted, for an error that may be meant in a line
    that states nothing, for an object of a class, whose fields are its own, and for a method that
    gives nothing: what the object holds then may be stated."""
    error = str(came.get("error", ""))
    lacks = _LACKS.match(error)
    if lacks and not re.search(rf"\b{re.escape(lacks[1])}\s*[(.<]", line.code):
        return None
    if not (line.stated or came.get("own")):
        return None
    shown = str(came.get("shown"))
    if not error and (
        not came.get("isPlain") or (shown == "undefined" and _ON_OBJECT.search(line.code))
    ):
        return None
    states = f" → {line.stated}" if line.stated else ""
    said = f"it raised {error}" if error else f"it gave {shown[:_SHOWN]}"
    return Finding(source, "example", f"the example {line.code[:_SHOWN]}{states} fails", said)
