"""What the default mode does with requests as people write them: `python -m tools.bench.everyday
--model FILE.gguf [--results FILE]`.

A hundred and twenty-three (`everyday.jsonl`): scripts, pages, games, plots, queries, files, fixes,
questions, in seven languages that people speak and twenty that machines do. Nothing says which
answers are right: this counts drafts, calls, tokens and seconds, and what the answers say of
themselves. Each is a line of the results: the same command goes on where it was stopped.
"""

import json
import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from history.reader import Reader
from tools.bench.daemon_answers import answers, arguments
from tools.bench.figures import circumstances

REQUESTS = Path(__file__).with_name("everyday.jsonl")
RESULTS = Path(".cache/bench/everyday/results.jsonl")


@dataclass(frozen=True, slots=True)
class Everyday:
    """One line of the file."""

    id: str
    prompt: str
    path = "/prompt"

    @property
    def body(self) -> Mapping[str, object]:
        return {"prompt": self.prompt}


def requests() -> list[Everyday]:
    return [Everyday(**json.loads(line)) for line in REQUESTS.read_text("utf-8").splitlines()]


def drafts_of(record: Mapping[str, Any]) -> int:
    """How many the coder wrote."""
    labels = [step["label"] for step in record["steps"] if step["stage"] == "coder"]
    return sum(not label or label.startswith("draft ") for label in labels)


def ending_of(record: Mapping[str, Any]) -> str:
    """In a word: `error`, `wrong` (it is known to be), `open`, `decided`, `judged`."""
    if record["error"]:
        return "error"
    if record["evidence"]:
        return "wrong"
    if record["escalated"]:
        return "open"
    return "decided" if (record["final_reason"] or "").startswith("not judged: ") else "judged"


def figures(records: Sequence[Mapping[str, Any]], seconds: Sequence[float]) -> list[str]:
    drafts = [drafts_of(each) for each in records]
    calls = [[step for step in each["steps"] if step["model"]] for each in records]
    tokens = sum(step["output_tokens"] or 0 for each in calls for step in each)
    endings = Counter(map(ending_of, records))
    return [
        f"{len(records)} requests, {sum(drafts)} drafts ({drafts.count(1)} of one), "
        f"{sum(map(len, calls))} calls, {tokens:,} tokens written",
        f"{sum(seconds):,.0f} s, median {statistics.median(seconds):.1f}, "
        f"longest {max(seconds):.0f}",
        ", ".join(f"{n} {ending}" for ending, n in endings.most_common()),
    ]


def main() -> None:
    given = arguments(__doc__, RESULTS).parse_args()
    print(circumstances())
    rows = []
    for row in answers(given.model, given.results, requests(), lambda left, place: {}):
        rows.append(row)
        print(f"{row['id']}: {row['seconds']:.0f} s", flush=True)
    known = {record["id"]: record for record in Reader(given.results.parent / "history")}
    print("\n".join(figures([known[row["run"]] for row in rows], [row["seconds"] for row in rows])))


if __name__ == "__main__":
    main()
