"""In what language the coder answers: `python -m tools.bench.languages --model FILE.gguf`.

Eighty-nine requests as people write them (`languages.jsonl`), 79 of them for another language or
format than Python; the last 35 were written after the coder's rules had been chosen. The first
tokens of a greedy answer are enough: it begins with a fence, whose label names what follows. An
answer that begins in words has none, and does not count.
"""

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.analysis.languages import normal_language
from pipeline.review.coder import write_prompt
from pipeline.task import Task
from tools.bench.engine_calls import Bare

REQUESTS = Path(__file__).with_name("languages.jsonl")
LABEL_TOKENS = 8
_OF_THE_SAME = {"docker": "dockerfile", "jsx": "javascript", "tsx": "typescript", "conf": "nginx"}


@dataclass(frozen=True, slots=True)
class Wanted:
    """A request, and the labels that an answer to it may have."""

    prompt: str
    languages: Sequence[str]

    @property
    def is_python(self) -> bool:
        return self.languages[0] == "python"


def label_of(answer: str) -> str:
    """What the answer's first fence says that it holds; "" without one."""
    fence, _, _ = answer.strip().partition("\n")
    if not fence.startswith("```"):
        return ""
    label = fence.strip("`").strip().lower()
    return _OF_THE_SAME.get(label) or normal_language(label) or ""


def requests() -> list[Wanted]:
    return [Wanted(**json.loads(line)) for line in REQUESTS.read_text("utf-8").splitlines()]


def main() -> None:
    parser = argparse.ArgumentParser(prog="languages", description=__doc__)
    parser.add_argument("--model", type=Path, required=True, metavar="FILE")
    server = Bare(parser.parse_args().model)
    right = dict.fromkeys((True, False), 0)
    wanted = requests()
    for each in wanted:
        label = label_of(server.ask(write_prompt(Task(each.prompt)), max_tokens=LABEL_TOKENS).text)
        right[each.is_python] += label in each.languages
        if label not in each.languages:
            print(f"{label or 'no fence'} for {each.languages[0]}: {each.prompt}", flush=True)
    for kind, title in ((False, "of other languages"), (True, "of Python")):
        print(f"{title}: {right[kind]} of {sum(each.is_python == kind for each in wanted)}")


if __name__ == "__main__":
    main()
