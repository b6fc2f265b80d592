"""How often `///files`, `///plan`, `///refine` and `POST /code` end with what can be used: `python
-m tools.bench.programs --model FILE.gguf [--mode files|plan|refine|code] [--results FILE]
[--limit N]`.

Thirty-two small projects, thirty-one programs, twenty changes and twenty-one requests of `POST
/code` (`programs.jsonl`); the first twenty of each and all of the last were there before any was
asked, the others are in other people's words. Each has a
check: asserts that are run in the sandbox beside what was written (`check_helpers.py` is what they
are written with). An answer is usable if its check holds, and in time if it took three minutes at
most: by the clock, or on a busy machine by the time of one core, which is more than two idle ones
need. Each is a line of the results: the same command goes on where it was stopped. What was
answered is held against the checks as they are now.
"""

import asyncio
import json
import secrets
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pipeline import sandbox
from tools.bench.daemon_answers import Row, answers, arguments
from tools.bench.figures import circumstances

REQUESTS = Path(__file__).with_name("programs.jsonl")
RESULTS = Path(".cache/bench/programs/results.jsonl")
MODES = ("files", "plan", "refine", "code")
IN_TIME_S = 180.0
RUN_TIMEOUT_S = 1800.0  # an answer that is late is judged too
HELPERS = Path(__file__).with_name("check_helpers.py")
CHECK = "check_of_the_answer.py"  # no name that a request speaks of
HEAD = "from check_helpers import *\nsys.path[:0] = folders()\n"
PROGRAM = "program.py"
# A dozen programs, on a busy machine.
LIMITS = sandbox.Limits(
    wall_s=60, cpu_s=30, memory_mb=512, processes=32, output_bytes=65536, files_mb=64
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """One line of the file; its mode is what its id begins with. `request`: of `POST /code`, all
    but its instruction."""

    id: str
    prompt: str
    check: str
    solution: Mapping[str, str]  # files by their path, which the check has to accept
    request: Mapping[str, object] = field(default_factory=dict)

    @property
    def mode(self) -> str:
        return self.id.partition("/")[0]

    @property
    def path(self) -> str:
        return "/code" if self.mode == "code" else "/prompt"

    @property
    def body(self) -> Mapping[str, object]:
        if self.mode == "code":
            return {"instruction": self.prompt, **self.request}
        asked = {"prompt": self.prompt, "mode": self.mode}
        return asked | ({"format": "json"} if self.mode == "files" else {})

    def files(self, answer: str) -> dict[str, str]:
        """What the answer is on a disk."""
        if self.mode != "files" or not answer:
            return {PROGRAM: answer}
        return {file["path"]: file["content"] for file in json.loads(answer)["files"]}

    async def fault(self, written: Mapping[str, str]) -> str:
        """Why these files cannot be used; "" if they can. Raises SandboxUnavailable."""
        helpers = await asyncio.to_thread(HELPERS.read_text, "utf-8")
        return await fault_of({**written, HELPERS.name: helpers}, HEAD + self.check)


async def fault_of(files: Mapping[str, str], check: str, limits: sandbox.Limits = LIMITS) -> str:
    """Why the check does not come to its end beside these files; "" if it does. Raises
    SandboxUnavailable."""
    held = secrets.token_hex(8)  # a program that ends by itself does not pass
    files = {**files, CHECK: f"{check}print({held!r})\n"}
    outcome = await sandbox.run(files, ["python", "-B", CHECK], limits)
    if outcome.exit == 0 and outcome.stdout.endswith(f"{held}\n"):
        return ""
    said = outcome.stderr.strip().splitlines() or [f"the check did not end: {outcome.ended}"]
    line = next((line.strip() for line in said if line.startswith("    ")), "")
    return f"{said[-1]} ({line})" if line else said[-1]


def requests() -> list[Wanted]:
    return [Wanted(**json.loads(line)) for line in REQUESTS.read_text("utf-8").splitlines()]


def prepare(left: Sequence[Wanted], place: Path) -> Mapping[str, object]:
    return {"RUN_TIMEOUT_S": RUN_TIMEOUT_S, "MODEL_TIMEOUT_S": RUN_TIMEOUT_S}


def summary(mode: str, rows: Sequence[tuple[Row, str]]) -> str:
    """`rows`: each with its fault."""
    usable = [row for row, fault in rows if not fault]
    said = [not fault for row, fault in rows if row.get("success")]
    early = sum(min(row["seconds"], row["cpu_s"]) <= IN_TIME_S for row in usable)
    clock, core = (_spread([row[name] for row, _ in rows]) for name in ("seconds", "cpu_s"))
    claimed = f"; of {len(said)} said to be a success {sum(said)} are" if said else ""
    return (
        f"{mode}: {len(usable)} of {len(rows)} usable, {early} of them within "
        f"{IN_TIME_S:.0f} s{claimed}; {clock} by the clock, {core} of one core"
    )


def _spread(seconds: Sequence[float]) -> str:
    return f"{min(seconds):.0f}–{max(seconds):.0f} s (median {statistics.median(seconds):.0f})"


def main() -> None:
    options = arguments(__doc__, RESULTS)
    options.add_argument("--mode", choices=MODES, help="one of them alone")
    options.add_argument("--limit", type=int, metavar="N", help="the first N of each mode")
    given = options.parse_args()
    print(circumstances())
    for mode in [given.mode] if given.mode else MODES:
        asked = {each.id: each for each in [r for r in requests() if r.mode == mode][: given.limit]}
        rows = []
        for row in answers(given.model, given.results, list(asked.values()), prepare):
            wanted = asked[row["id"]]
            error = (row["error"] or {}).get("code")
            fault = error or asyncio.run(wanted.fault(wanted.files(row["answer"])))
            rows.append((row, fault))
            print(f"{row['id']}: {fault or 'usable'}, {row['seconds']:.0f} s", end=", ")
            print(f"{row['cpu_s']:.0f} of one core", flush=True)
        print(summary(mode, rows))


if __name__ == "__main__":
    main()
