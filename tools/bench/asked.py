"""How often `///ask` answers with what is needed: `python -m tools.bench.asked --model FILE.gguf
[--results FILE]`.

Thirty questions about nine libraries (`asked.jsonl`), which are indexed as they are installed here.
An answer is right if each of the `needed` patterns is found in its code, none of the `wrong` ones
is, and the code parses. Each is a line of the results: the same command goes on where it was
stopped. What was answered is held against the patterns as they are now.
"""

import json
import re
import statistics
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.analysis.fences import fences
from pipeline.analysis.python_syntax import is_python
from tools.bench.daemon_answers import answers, arguments
from tools.bench.figures import circumstances
from tools.bench.processes import LAIOS, environment

QUESTIONS = Path(__file__).with_name("asked.jsonl")
RESULTS = Path(".cache/bench/asked/results.jsonl")


@dataclass(frozen=True, slots=True)
class Question:
    """One line of the file; its library is what its id begins with."""

    id: str
    prompt: str
    needed: Sequence[str]
    wrong: Sequence[str] = ()

    @property
    def library(self) -> str:
        return self.id.partition("/")[0]

    path = "/prompt"

    @property
    def body(self) -> Mapping[str, object]:
        return {"prompt": self.prompt, "mode": "ask"}

    def faults(self, answer: str) -> list[str]:
        """What makes the answer a wrong one; nothing if it is right."""
        blocks = [fence for fence in fences(answer) if fence.code.strip()]
        code = "\n".join(fence.code for fence in blocks)
        found = [f"lacks {each}" for each in self.needed if not re.search(each, code)]
        found += [f"has {each}" for each in self.wrong if re.search(each, code)]
        if not all(is_python(fence.code) for fence in blocks if fence.language == "python"):
            found.append("code that does not parse")
        return found


def questions() -> list[Question]:
    return [Question(**json.loads(line)) for line in QUESTIONS.read_text("utf-8").splitlines()]


def index(left: Sequence[Question], place: Path) -> Mapping[str, object]:
    """Takes the questions' libraries in, as this environment has them. Raises
    CalledProcessError."""
    documents = place / "docs"
    libraries = sorted({each.library for each in left})
    env = environment(place, DOCS_DIR=documents)
    command = [str(LAIOS), "docs", "add", *libraries, "--python", sys.executable]
    subprocess.run(command, env=env, check=True, stdout=subprocess.DEVNULL)
    return {"DOCS_DIR": documents}


def main() -> None:
    given = arguments(__doc__, RESULTS).parse_args()
    print(circumstances())
    asked = {each.id: each for each in questions()}
    right, seconds = 0, []
    for row in answers(given.model, given.results, list(asked.values()), index):
        faults = asked[row["id"]].faults(row["answer"])
        right += not faults
        seconds.append(row["seconds"])
        print(f"{row['id']}: {'; '.join(faults) or 'right'}, {row['seconds']:.0f} s")
    print(
        f"{right} of {len(seconds)} right, {min(seconds):.0f}–{max(seconds):.0f} s, "
        f"median {statistics.median(seconds):.0f}"
    )


if __name__ == "__main__":
    main()
