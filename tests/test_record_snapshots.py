"""The records that each mode writes, held to the byte: `fixtures/records/<name>.json`.

Identifiers, times and the machine's name are masked. After a change that is meant, write them anew
with `UPDATE_SNAPSHOTS=1` and read the difference.
"""

import json
import os
import re
import shutil
from pathlib import Path

import pytest
from code_examples import CLEAR, EXPLAINED, asked, coder, judge
from projects import BOTH, TWO
from projects import GOOD as APPROVED
from query_scripts import API, OLD, PLAN, QUERY, REFINE

SNAPSHOTS = Path(__file__).parent / "fixtures" / "records"
MASKED = re.compile(r".*_ms|seconds|id|ts|host|task_id|chunk_id|generated_at|.*timestamp")

DRAFT, REVIEW = "def add(a, b):\n    return a - b\n", "def add(a, b):\n    return a + b\n"
BAD = {"role": "judge", "verdict": [3, 8, "It subtracts."], "times": 1}
REVIEWED = [coder(DRAFT), BAD, judge(), {"role": "reviewer", "reply": REVIEW}]
TESTS = {
    "kind": "function",
    "function": "add",
    "signature": "add(a, b)",
    "tests": [{"name": "negative", "input": "-1, -2", "expected": "-3"}],
}
TESTED = [
    {"role": "tester", "reply": json.dumps(TESTS)},
    coder(DRAFT),
    {"role": "reviewer", "reply": REVIEW},
    judge(),
]
CODED = [CLEAR, coder(REVIEW), judge(), EXPLAINED]
CHAT = {"model": "laios", "messages": [{"role": "user", "content": "name it"}], "max_tokens": 8}

SCENARIOS = {
    "reviewed": (REVIEWED, "/prompt", {"prompt": "add two numbers"}),
    "context": (REVIEWED, "/prompt", {"prompt": "///ctx add two numbers"}),
    "raw": (REVIEWED, "/prompt", {"prompt": "///raw add two numbers"}),
    "review-only": (REVIEWED, "/prompt", {"prompt": f"///review-only {DRAFT}"}),
    "tested": (TESTED, "/prompt", {"prompt": "///test Write add. add(1, 2) == 3"}),
    "files": ([TWO, *BOTH, APPROVED], "/prompt", {"prompt": "///files a calculator"}),
    "plan": (PLAN, "/prompt", {"prompt": f"///plan {QUERY}"}),
    "refine": (REFINE, "/prompt", {"prompt": f"///refine square it\n```python\n{OLD}```"}),
    "ask": (API, "/prompt", {"prompt": "///ask what is math.pi?"}),
    "code": (CODED, "/code", asked()),
    "query": (PLAN, "/query", {"query": QUERY}),
    "auxiliary": ([coder("A title")], "/v1/chat/completions", CHAT),
    "failed": ([coder("", fault="unreachable")], "/prompt", {"prompt": "add two numbers"}),
}


@pytest.mark.parametrize("name", SCENARIOS)
async def test_a_mode_s_record_stays_as_it_is(daemon_with, name):
    """Whoever reads a history (the dashboard, a script, a later version) finds the same keys and
    the same words in the same order."""
    rules, path, body = SCENARIOS[name]
    if name in ("tested", "files") and shutil.which("bwrap") is None:
        pytest.skip("the sandbox needs bubblewrap")
    async with daemon_with(*rules) as (daemon, http):
        await http.post(path, json=body)
        records = list(daemon.settings.HISTORY_DIR.glob("*.jsonl"))
        (line,) = records[0].read_text().splitlines()
        directory = daemon.settings.CODER_MODEL_NAME[0].removeprefix("scripted/").rpartition("/")[0]
    record = _masked(json.loads(line.replace(f"{directory}/", "")))
    shown = json.dumps(record, indent=1)
    snapshot = SNAPSHOTS / f"{name}.json"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        SNAPSHOTS.mkdir(exist_ok=True)
        snapshot.write_text(shown + "\n")
    assert shown + "\n" == snapshot.read_text()


def _masked(value: object) -> object:
    """The record without what differs from run to run; what was absent stays absent."""
    if isinstance(value, dict):
        return {
            key: "…" if value[key] is not None and MASKED.fullmatch(key) else _masked(value[key])
            for key in value
        }
    return [_masked(item) for item in value] if isinstance(value, list) else value
