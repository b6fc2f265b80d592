"""How often a follow-up is answered rightly: `python -m tools.bench.followups --model FILE.gguf
[--mode raw|reviewed] [--results FILE]`.

Forty-six chats (`followups.jsonl`) that end with a wish to change the code of the last answer ("it
should also count uppercase vowels", "now iterative"), asked as a chat app does. Each has a check:
asserts that are run in the sandbox on what was answered, by the names that the last answer has.
Each is a line of the results: the same command goes on where it was stopped.
"""

import asyncio
import json
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pipeline.analysis.code_extraction import extract_code
from tools.bench.daemon_answers import Row, answers, arguments
from tools.bench.figures import circumstances
from tools.bench.programs import LIMITS, PROGRAM, fault_of

REQUESTS = Path(__file__).with_name("followups.jsonl")
RESULTS = Path(".cache/bench/followups/results.jsonl")
MODELS = {"raw": "laios:raw", "reviewed": "laios"}
BRIEF = replace(LIMITS, wall_s=20, cpu_s=3)  # functions: some of those that there were never end
HEAD = f"SOURCE = open({PROGRAM!r}).read()\nexec(compile(SOURCE, {PROGRAM!r}, 'exec'))\n"


@dataclass(frozen=True, slots=True)
class FollowUp:
    """One line of the file, asked in a `mode`. `turns`: request and code in turn, and the wish;
    `solution` is code that the check has to accept."""

    id: str
    turns: Sequence[str]
    check: str
    solution: str
    mode: str = "reviewed"
    path = "/v1/chat/completions"

    @property
    def prompt(self) -> str:
        return self.turns[-1]

    @property
    def body(self) -> Mapping[str, object]:
        messages = [
            {"role": "assistant", "content": f"```python\n{text}\n```"}
            if number % 2
            else {"role": "user", "content": text}
            for number, text in enumerate(self.turns)
        ]
        return {"model": MODELS[self.mode], "messages": messages}

    async def fault(self, code: str) -> str:
        """Why this is no answer; "" if it is one. Raises SandboxUnavailable."""
        return await fault_of({PROGRAM: code}, HEAD + self.check, BRIEF)


def requests(mode: str = "reviewed") -> list[FollowUp]:
    rows = map(json.loads, REQUESTS.read_text("utf-8").splitlines())
    return [FollowUp(**row | {"id": f"{row['id']}/{mode}"}, mode=mode) for row in rows]


def summary(mode: str, rows: Sequence[tuple[Row, str]]) -> str:
    """`rows`: each with its fault."""
    right = sum(not fault for _, fault in rows)
    seconds = [row["seconds"] for row, _ in rows]
    return f"{mode}: {right} of {len(rows)} right, {sum(seconds):.0f} s (median {_median(seconds)})"


def _median(seconds: Sequence[float]) -> str:
    return f"{statistics.median(seconds):.1f}"


def main() -> None:
    options = arguments(__doc__, RESULTS)
    options.add_argument("--mode", choices=tuple(MODELS), help="one of them alone")
    given = options.parse_args()
    print(circumstances())
    for mode in [given.mode] if given.mode else MODELS:
        asked = {each.id: each for each in requests(mode)}
        rows = []
        every = list(asked.values())
        for row in answers(given.model, given.results, every, lambda left, place: {}):
            code = extract_code(row["answer"]).text
            error = (row["error"] or {}).get("code")
            fault = error or asyncio.run(asked[row["id"]].fault(code))
            rows.append((row, fault))
            print(f"{row['id']}: {fault or 'right'}, {row['seconds']:.0f} s", flush=True)
        print(summary(mode, rows))


if __name__ == "__main__":
    main()
