"""Results as `laios bench` writes them."""

import json

from config import data_dir

FACTS = {
    "revision": "a",
    "models": {"coder": "ollama/m:1", "judge": "ollama/m:1", "reviewer": "ollama/m:1"},
    "settings": {},
    "seed": None,
    "at": "2026-11-22T10:00:00+00:00",
    "error": None,
    "escalated": False,
    "confidence": None,
    "conflict": None,
    "calls": 1,
    "prompt_tokens": 100,
    "cached_tokens": 0,
    "output_tokens": 50,
    "seconds": 2.0,
    "evidence": [],
    "drafts": [],
    "faulted": [],
}


def result(problem, arm, passed, **facts):
    mode = {"raw": "code_raw"}.get(arm, f"code_{arm}")
    given = {"problem": problem, "arm": arm, "mode": mode, "passed": passed, "draft_passed": passed}
    return FACTS | given | facts


def write_results(*rows, name="results.jsonl"):
    directory = data_dir() / "bench"
    directory.mkdir(parents=True, exist_ok=True)
    lines = (row if isinstance(row, bytes) else json.dumps(row).encode() for row in rows)
    with (directory / name).open("ab") as file:
        file.write(b"\n".join(lines))
