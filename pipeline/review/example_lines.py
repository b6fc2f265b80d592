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
from pipeline.review.called_examples import HOLD
from pipeline.review.script_runs import javascript_text, told_by
from pipeline.run import Run
from pipeline.task import Task
from pipeline.testcases.chance import depends_on_chance
from pipeline.testcases.examples.bug_reports import reports_a_bug
from pipeline.testcases.examples.example_search import find_examples
from pipeline.testcases.examples.stated_examples import shall_go_away
from pipeline.testcases.examples.written_numbers import untold_kinds
from pipeline.testcases.suite import Suite
from pipeline.testcases.typescript_driver import SHOWS

_SHOWN = 120  # characters
_NUMBER = re.compile(r"-?\d{1,15}(?:\.\d{1,15})?")
_ON_OBJECT = re.compile(r"\.(\w+)\((?:[^()]|\([^()]*\))*\)$")
_PUTS = ("append", "enqueue", "insert", "prepend", "push", "unshift")  # and may tell how many
_LACKS = re.compile(r"^ReferenceError: ([\w$]+) is not defined")
_PIECES = re.compile(rf'"(?:[^"\\]|\\.)*"|{_NUMBER.pattern}|[^"\d-]+|.')
_CUT = re.compile(r'("[^\n]{4,})(?:\.\.\.|…)"')  # "2cf24d..."
_ROUNDS = re.compile(r"round|runde|fixed|decimal|digit|cents?\b|nearest|precision", re.IGNORECASE)
_CALLED = re.compile(r"(?<![.\w$])([A-Za-z_$][\w$]*)\s*[(<]")
_DEFINES = r"\b(?:function\*?|class|const|let|var)\s+{0}(?![\w$])"
_NAMELESS = re.compile(
    r"(?:\bexport\s+default|\bmodule\.exports\s*=)\s*(?:async\s+)?"
    r"(?:function\b\s*\*?\s*[(<]|class\s*[{<]|class\s+extends\b|\(|<|[\w$]+\s*=>)"
)
# What it works on may be there where the request comes from, and not here.
_OF_PLACE = re.compile(
    r"\bfetch\(|\baxios\b|[\"'](?:node:)?(?:fs|fs/promises|https?|os|child_process)[\"']"
    r"|\bprocess\.(?:cwd|env|platform)\b|\b__dirname\b"
    r"|\.get(?:Hours|Minutes|Day|Date|Month|FullYear|TimezoneOffset)\(|\.toLocale\w+\("
)
_ARROW = re.compile(  # with a body
    r"\b(?:const|let|var)\s+([\w$]+)\s*=\s*(?:async\s*)?(?:\([^()\n]*\)|[\w$]+)"
    r"(?:\s*:[^=\n]+)?\s*=>[ \t]*(?!\{\s*(?:\}|//|/\*|\.\.\.))\S"
)
# What stays from line to line, and from what the draft itself does at its end.
_STATE = re.compile(
    r"^(?:export\s+)?(?:(?:let|var)\s|const\s+[\w$]+(?:\s*:[^=\n]+)?\s*="
    r"\s*(?:new\b|\[\s*\]|\{\s*\}|[\w$]+\())|\bstatic\s+#?[\w$]+(?:\s*:[^=\n]+)?\s*=",
    re.MULTILINE,
)
_HEAD = re.compile(r"\W*(?:(?:await|new)\s+)*([\w$]+)")
_RESULTS = """
  const laiosPlain = [undefined, Object, Array, Number, String, Boolean];
  const laiosIsPlain = (v, depth) =>
    ["function", "symbol"].includes(typeof v) ||
    (laiosPlain.includes(v?.constructor) &&
      (typeof v !== "object" ||
        depth > 9 ||
        Object.values(v ?? {}).every((each) => laiosIsPlain(each, depth + 1))));
  const laiosGave = (n, v) => {
    laiosTell(n, { shown: laiosShow(v, 0), isPlain: laiosIsPlain(v, 0) });
  };
  const laiosThrown = async (run, name) => {
    try {
      await run();
    } catch (error) {
      if (error instanceof ReferenceError || error?.cause?.syscall || error?.syscall) throw error;
      const names = [error?.name, error?.constructor?.name, error instanceof Error && "Error"];
      return `throws ${names.includes(name) ? name : error?.name}`;
    }
    return "nothing thrown";
  };
  const laiosTell = (n, told) => process.stdout.write(`\\n%s${JSON.stringify({ n, ...told })}\\n`);
  const laiosRun = async (session) => {
    const laiosAt = { n: -1 };
    try {
      await session(laiosAt);
    } catch (error) {
      const isElsewhere = Boolean((error?.cause ?? error)?.syscall);
      const own = laiosIsOwn(error);
      if (!isElsewhere) laiosTell(laiosAt.n, { error: String(error).slice(0, 200), own });
    }
  };
"""
# A request that has its own code may show what goes wrong with it.
_OWN_CODE = re.compile(r"^\s*(?:return\b[^\n]*(?:;|\n\s*\})|this\.\w+\s*[-+]?=)", re.MULTILINE)
_MOST_READ = 20_000  # characters of a request


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
    if len(asked) <= len(suite.cases) or not program or _is_open(task.prompt, draft, lines):
        return draft
    read = await asyncio.to_thread(find_examples, task.prompt)
    kinds = await asyncio.to_thread(untold_kinds, read.cases, task.prompt[:_MOST_READ])
    untold = {each or read.function for each in kinds}
    stated = [(replace(lines[n], code=f"({lines[n].stated})"),) for n in asked]
    with run.step("sandbox", "evidence") as step:
        wanted = await _told(run, "", stated)
        came = await _told(run, program, sessions) if len(wanted) == len(asked) else {}
        pairs = list(zip(asked, wanted.values(), strict=False))
        held = [n for n, each in pairs if n in came and _is_same(came[n], each)]
        near = [n for n, each in pairs if n in came and _is_near(came[n], each)]
        near += [n for n in asked if n in came and _may_be_text(came[n], lines[n], untold)]
        if not _ROUNDS.search(task.prompt):
            held = sorted({*held, *near})
        step.note = f"{len(held)} of {len(asked)} examples hold"
    of = [each for each in sessions for _ in each]
    failed = [
        (lines[n], each)
        for n, each in came.items()
        if n not in {*held, *near} and not _has_state(lines[n], of[n], draft.text)
    ]
    failing = (_finding(source, line, each, draft.text, lines) for line, each in failed)
    findings = tuple(filter(None, failing))
    is_all = len(held) == len(asked) and not any(line.is_unread for line in lines)
    decided = HOLD if is_all else ""
    return replace(draft, findings=findings, decided=decided, facts=f"{step.note}.")


def _is_open(prompt: str, draft: Draft, lines: Sequence[ScriptLine]) -> bool:
    """Whether other values may be as right: by chance, of the clock or of a place, or of the code
    that the request has and the draft changes."""
    language = draft.language or ""
    if any(depends_on_chance(each, language) for each in (draft.text, *(n.code for n in lines))):
        return True
    if _OF_PLACE.search(draft.text):
        return True
    return any(
        re.search(_DEFINES.format(re.escape(name)), draft.text)
        for name in _ARROW.findall(prompt[:_MOST_READ])
    )


@lru_cache(maxsize=4)  # each draft of a run asks
def sessions_of(prompt: str) -> Sequence[Session]:
    """Those of a request that has no code of its own, reports no bug and complains of no error."""
    if _OWN_CODE.search(prompt) or reports_a_bug(prompt):
        return ()
    sessions = stated_sessions(prompt)
    throws = any(line.shown for each in sessions for line in each)
    return () if throws and shall_go_away("", prompt[:_MOST_READ]) else sessions


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
            steps.append(f"laiosAt.n = {n}; {shown if line.stated else line.code};")
            n += 1
        bodies.append(f"  await laiosRun(async (laiosAt) => {{ {' '.join(steps)} }});\n")
    head = "\n;(async () => {\n  const laiosNodes = () => undefined;"
    return f"{head}{SHOWS}{_RESULTS % mark}{''.join(bodies)}  process.exit(0);\n}})();\n"


def _is_same(came: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Nothing is as good as null."""
    shown = [str(each.get("shown")) for each in (came, wanted)]
    return shown[0] == shown[1] or set(shown) == {"null", "undefined"}


def _is_near(came: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Whether fractions are stated with fewer digits, or a string with its beginning alone."""
    shown, states = (str(each.get("shown")) for each in (came, wanted))
    cut = _CUT.fullmatch(states)
    if cut:
        return shown.startswith(cut[1])
    pieces, stated = (_PIECES.findall(each) for each in (shown, states))
    return len(pieces) == len(stated) and all(map(_is_rounded, pieces, stated))


def _may_be_text(came: Mapping[str, Any], line: ScriptLine, untold: set[str]) -> bool:
    """Whether it gave the stated number as a text, and nothing tells which of them is meant."""
    name = _HEAD.match(line.code)
    return bool(name and name[1] in untold) and came.get("shown") == f'"{line.stated}"'


def _is_rounded(piece: str, stated: str) -> bool:
    if piece == stated:
        return True
    if not all(map(_NUMBER.fullmatch, (piece, stated))):
        return False
    digits = len(stated.partition(".")[2])
    return digits > 0 and round(float(piece), digits) == float(stated)


def _is_lacking(name: str, line: ScriptLine, program: str, lines: Sequence[ScriptLine]) -> bool:
    """Whether the draft should have it: the line begins with it, the draft has a name for what it
    gives, and nothing else of it is asked, so that this is not of the surroundings."""
    head = rf"(?:\w+ [\w$]+\s*=\s*)?(?:await\s+)?(?:new\s+)?{re.escape(name)}"
    if not re.match(rf"{head}\s*[(.<]" if name[0].isupper() else rf"{head}\s*[(<]", line.code):
        return False
    called = {each for n in lines for each in _CALLED.findall(n.code)}
    return not _NAMELESS.search(program) and not any(
        re.search(_DEFINES.format(re.escape(each)), program) for each in called
    )


def _has_state(line: ScriptLine, session: Session, program: str) -> bool:
    """Whether it is asked of what the draft keeps, and not of what the session has made."""
    head = _HEAD.match(line.code)
    if not head or not _STATE.search(program):
        return False
    made = rf"(?:const|let|var)\s[^=]*\b{re.escape(head[1])}\b"
    return not any(re.match(made, each.code) for each in session)


def _may_state_the_object(shown: str, line: ScriptLine) -> bool:
    """Of a method that gives nothing, a number where it puts something into the object, or what
    differs in its kind from what is stated, neither of them nothing."""
    method = _ON_OBJECT.search(line.code)
    if not method:
        return False
    if shown == "undefined" or (method[1] in _PUTS and _kind(shown) == "number"):
        return True
    return not {shown, line.stated} & {"null", "undefined"} and _kind(shown) != _kind(line.stated)


def _kind(shown: str) -> str:
    """Of a value as JavaScript shows it, or as it is stated."""
    first = shown.strip()[:1]
    if first.isdigit() or first == "-":
        return "number"
    if shown in ("true", "false"):
        return "boolean"
    return "string" if first in ("'", '"') else first


def _finding(
    source: DraftSource,
    line: ScriptLine,
    came: Mapping[str, Any],
    program: str,
    lines: Sequence[ScriptLine],
) -> Finding | None:
    """None for a name that the request takes for granted, for an error that may be meant in a line
    that states nothing, for an object of a class, whose fields are its own, and for a method that
    gives nothing or what is of another kind: what the object holds then may be stated."""
    error = str(came.get("error", ""))
    lacks = _LACKS.match(error)
    if lacks and not _is_lacking(lacks[1], line, program, lines):
        return None
    if not (line.stated or came.get("own")):
        return None
    shown = str(came.get("shown"))
    if not error and (not came.get("isPlain") or _may_state_the_object(shown, line)):
        return None
    states = f" → {line.stated}" if line.stated else ""
    said = f"it raised {error}" if error else f"it gave {shown[:_SHOWN]}"
    return Finding(source, "example", f"the example {line.said[:_SHOWN]}{states} fails", said)
