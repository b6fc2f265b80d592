"""What testing is worth: problems with hidden tests in the modes raw, reviewed and tested.

`python -m tools.bench.tested [--problems FILE-OR-DIRECTORY] [--model NAME] [--modes raw,…]`

Problems are lines of JSON in HumanEval's format: `task_id`, `prompt`, `entry_point`, and `test`,
which defines `check(candidate)`. Each is asked once a mode, in this process, with the settings in
force and no history; the hidden tests run in the sandbox and are never shown to a model.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from config import Settings, load_settings
from pipeline.errors import LaiosError
from pipeline.models.registry import Registry
from pipeline.request import Request
from pipeline.sandbox import Arguments, Case, Limits, run_case
from pipeline.scheduler import Scheduler
from tools.bench.figures import circumstances

PROBLEMS = Path(__file__).with_name("problems.jsonl")
MODES = {"raw": "code_raw", "reviewed": "code_reviewed", "tested": "code_tested"}
WHOLE = "Complete this function. Give the whole program, with its imports.\n\n"
HIDDEN = """

{test}

def laios_hidden_tests():
    check({entry_point})
    return True
"""


@dataclass(frozen=True, slots=True)
class Problem:
    task_id: str
    prompt: str
    entry_point: str
    test: str

    @property
    def request(self) -> str:
        """HumanEval's prompts are the beginning of a program."""
        unfinished = f"def {self.entry_point}(" in self.prompt
        return WHOLE + self.prompt if unfinished else self.prompt


@dataclass(frozen=True, slots=True)
class Outcome:
    """One problem in one mode. `first` is whether the draft passes, before anything is done to it;
    `rounds` how often its tests were run (0 in the other modes, and where there were none)."""

    task_id: str
    mode: str
    passed: bool
    first: bool
    rounds: int
    stopped: str | None
    seconds: float
    error: str | None


class NoHistory:
    """Keeps the last record alone."""

    def __init__(self) -> None:
        self.last: Mapping[str, Any] = {}

    async def append(self, record: Mapping[str, Any]) -> bool:
        self.last = record
        return True

    def load_recent_records(
        self, n: int, session: str | None = None
    ) -> Sequence[Mapping[str, Any]]:
        return ()


def read_problems(path: Path) -> list[Problem]:
    """The problems of a file, or of all .jsonl files in a directory."""
    files = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
    lines = [line for file in files for line in file.read_text("utf-8").splitlines() if line]
    names = ("task_id", "prompt", "entry_point", "test")
    return [Problem(*(json.loads(line)[name] for name in names)) for line in lines]


async def passes(problem: Problem, code: str | None, settings: Settings) -> bool:
    """Whether the hidden tests hold, in the sandbox."""
    if not code:
        return False
    hidden = HIDDEN.format(test=problem.test, entry_point=problem.entry_point)
    case = Case(Arguments(), True, "laios_hidden_tests")
    return (await run_case(code + hidden, case, Limits.of(settings))).passed


async def measure(
    problems: Sequence[Problem], modes: Iterable[str], settings: Settings
) -> list[Outcome]:
    """Every problem in every mode, one after the other."""
    history, models = NoHistory(), Registry(settings)
    scheduler = Scheduler(settings, models, history, history)
    found = []
    try:
        for problem in problems:
            for mode in modes:
                found.append(await _measure(problem, mode, scheduler, history))
                print(_line(found[-1]), file=sys.stderr)
    finally:
        await scheduler.drain(0)
        await models.close()
    return found


async def _measure(
    problem: Problem, mode: str, scheduler: Scheduler, history: NoHistory
) -> Outcome:
    output, error = None, None
    try:
        run = scheduler.submit(Request(problem.request, MODES[mode]))
        output = await scheduler.finished(run)
    except LaiosError as failure:
        error = failure.code
    record = history.last
    artefact = record["artefact"] or {}
    tried = artefact.get("rounds", [])
    draft = tried[0]["code"] if tried else record["coder_output"]
    return Outcome(
        problem.task_id,
        mode,
        passed=await passes(problem, output, scheduler.settings),
        first=await passes(problem, draft, scheduler.settings),
        rounds=sum(each["label"] == "tests" for each in tried),
        stopped=artefact.get("stopped") or artefact.get("reason"),
        seconds=record["duration_ms"] / 1000,
        error=error,
    )


def _line(outcome: Outcome) -> str:
    word = "pass" if outcome.passed else f"fail {outcome.error or ''}".rstrip()
    rounds = f", {outcome.rounds} rounds ({outcome.stopped})" if outcome.stopped else ""
    return f"{outcome.task_id} {outcome.mode}: {word}, {outcome.seconds:.1f} s{rounds}"


def table(outcomes: Sequence[Outcome]) -> str:
    """A row for each mode. `mended` and `spoilt` compare what was returned with the draft."""
    rows = [
        "| mode | pass@1 | passed | draft passed | mended | spoilt | rounds | seconds |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for mode in dict.fromkeys(outcome.mode for outcome in outcomes):
        mine = [outcome for outcome in outcomes if outcome.mode == mode]
        passed = sum(outcome.passed for outcome in mine)
        cells = (
            mode,
            f"{passed / len(mine):.1%}",
            f"{passed} of {len(mine)}",
            sum(outcome.first for outcome in mine),
            sum(outcome.passed > outcome.first for outcome in mine),
            sum(outcome.passed < outcome.first for outcome in mine),
            f"{sum(outcome.rounds for outcome in mine) / len(mine):.1f}",
            f"{sum(outcome.seconds for outcome in mine) / len(mine):.2f}",
        )
        rows.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(rows)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--problems", type=Path, default=PROBLEMS)
    options.add_argument("--model", help="for every role; default: those of the settings")
    options.add_argument("--modes", default=",".join(MODES), help=f"of {', '.join(MODES)}")
    options.add_argument("--limit", type=int, help="the first so many problems alone")
    arguments = options.parse_args()
    roles = ("CODER", "JUDGE", "REVIEWER")
    given = {f"{role}_MODEL_NAME": arguments.model for role in roles if arguments.model}
    settings = load_settings(**given)
    problems = read_problems(arguments.problems)[: arguments.limit]
    begun = circumstances()
    outcomes = asyncio.run(measure(problems, arguments.modes.split(","), settings))
    names = {getattr(settings, f"{role}_MODEL_NAME") for role in roles}
    model = ", ".join(sorted(name for each in names for name in each))
    print(f"{begun}\n{len(problems)} problems, model {model}.\n\n{table(outcomes)}")


if __name__ == "__main__":
    main()
