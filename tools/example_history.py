"""A believable history of some days, for screenshots and for trying the dashboard:
`python -m tools.example_history DIRECTORY [RUNS]`. The same every time but for its dates."""

import random
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from history.record import encode
from history.segment_files import path_of
from tools.example_tasks import TASKS, Task

MODELS = {"coder": "ollama/qwen2.5-coder:7b", "judge": "ollama/qwen3:8b"}
REVIEWER = "ollama/qwen2.5-coder:14b"
OTHER_CODER = "ollama/deepseek-coder-v2:16b"
SPEED = {"coder": 42.0, "judge": 55.0, "reviewer": 19.0}  # tokens a second
_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
SESSIONS = [None, None, None, "billing-api", "billing-api", "notebook", "side project"]


def records(runs: int, end: datetime, seed: int = 7) -> list[dict[str, Any]]:
    """So many runs, oldest first, the last one shortly before `end`: more by day than by night."""
    dice = random.Random(seed)
    moments: list[datetime] = []
    at = end - timedelta(minutes=2)
    while len(moments) < runs:
        moments.append(at)
        at -= timedelta(minutes=dice.expovariate(1 / 24))
        if at.hour < 7:
            at -= timedelta(hours=at.hour + dice.uniform(0.5, 2.5))
    return [_record(dice, moment) for moment in reversed(moments)]


def write(directory: Path, runs: int, end: datetime | None = None) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    lines = [encode(record) for record in records(runs, end or datetime.now(UTC))]
    for start in range(0, len(lines), 1000):
        path = path_of(directory, 1 + start // 1000)
        path.write_bytes(b"".join(lines[start : start + 1000]))


def _record(dice: random.Random, at: datetime) -> dict[str, Any]:
    task = dice.choice(TASKS)
    kind = dice.choices(
        ["reviewed", "raw", "ctx", "review_only", "failed", "evidence", "unreadable", "auxiliary"],
        [58, 14, 10, 4, 4, 3, 3, 4],
    )[0]
    run = _Run(dice, task, at)
    getattr(run, f"_{kind}")()
    return run.finished()


class _Run:
    """A record in the making: its clock goes on with every step."""

    def __init__(self, dice: random.Random, task: Task, at: datetime) -> None:
        self.dice, self.task, self.at = dice, task, at
        self.clock = 0.0
        self.loaded: str | None = dice.choice([MODELS["coder"], REVIEWER, None])
        self.coder = dice.choices([MODELS["coder"], OTHER_CODER], [4, 1])[0]
        self.values: dict[str, Any] = {"mode": "code_reviewed", "tags": ""}
        self.steps: list[dict[str, Any]] = []

    def _reviewed(self) -> None:
        self._draft()
        flawed = bool(self.task.blame) and self.dice.random() < 0.62
        confidence, conflict = self._scores(flawed)
        self._judge("judge", confidence, conflict, self.task.blame if flawed else self.task.praise)
        reasons = [f"confidence {confidence} < 8"] if confidence < 8 else []
        reasons += [f"conflict {conflict} > 6"] if conflict > 6 else []
        if reasons:
            self._review("; ".join(reasons))

    def _ctx(self) -> None:
        self.values["mode"], self.values["tags"] = "code_reviewed_ctx", "///ctx "
        self._reviewed()

    def _raw(self) -> None:
        self.values["mode"], self.values["tags"] = "code_raw", "///raw "
        self._draft()

    def _review_only(self) -> None:
        self.values["mode"], self.values["tags"] = "review_only", "///review-only "
        review = self.task.review or self.task.draft
        self._step("reviewer", REVIEWER, len(review) // 3)
        self.values |= {"reviewer_output": review, "final_output": review}
        self.values["final_source"] = "reviewer"

    def _failed(self) -> None:
        code, message = self.dice.choice([
            ("model_timeout", "ollama/qwen2.5-coder:7b did not finish within 300 seconds."),
            ("model_unreachable", "Ollama does not answer at http://127.0.0.1:11434."),
            ("cancelled", "The run was cancelled."),
        ])  # fmt: skip
        self._step("coder", self.coder, 40, error={"code": code, "message": message})
        self.values["error"] = {"code": code, "message": message}

    def _evidence(self) -> None:
        self._draft(self.task.draft[: int(len(self.task.draft) * 0.7)])
        finding = {"stage": "coder", "kind": "truncated", "detail": "cut off by the token limit"}
        self.values["evidence"] = [finding]
        self._review("evidence: cut off by the token limit")

    def _unreadable(self) -> None:
        self._draft()
        raw = '{"confidence_score": 9, "conflict_score": 2, "judgement_summary": "The code is'
        self._step("judge", MODELS["judge"], 60)
        self._step("judge", MODELS["judge"], 60)
        self.values["judge"] = {
            "confidence_score": None,
            "conflict_score": None,
            "judgement_summary": None,
            "raw_response": raw,
            "error": "unparseable verdict: the answer was cut off",
        }
        self._review("unparseable verdict: the answer was cut off")

    def _auxiliary(self) -> None:
        self.values |= {"kind": "auxiliary", "source": "openai", "mode": "code_raw"}
        title = "Interval merging"
        self._step("coder", self.coder, 6)
        self.values |= {"coder_output": title, "final_output": title, "final_source": "coder"}

    # --- steps ---------------------------------------------------------------------------------

    def _draft(self, text: str | None = None) -> None:
        text = self.task.draft if text is None else text
        self._step("coder", self.coder, len(text) // 3)
        self.values |= {"coder_output": text, "final_output": text, "final_source": "coder"}

    def _scores(self, flawed: bool) -> tuple[int, int]:
        if not flawed:
            return self.dice.choices([8, 9, 10], [3, 5, 2])[0], self.dice.choice([1, 1, 2, 2, 3])
        return self.dice.choices([3, 4, 5, 6, 7], [1, 2, 4, 6, 6])[0], self.dice.randint(2, 8)

    def _judge(self, key: str, confidence: int, conflict: int, summary: str) -> None:
        self._step("judge", MODELS["judge"], 55, label="review" if key != "judge" else None)
        raw = (
            f'{{"confidence_score": {confidence}, "conflict_score": {conflict}, '
            f'"judgement_summary": "{summary}"}}'
        )
        self.values[key] = {
            "confidence_score": confidence,
            "conflict_score": conflict,
            "judgement_summary": summary,
            "raw_response": raw,
            "error": None,
        }

    def _review(self, reason: str) -> None:
        self.values |= {"escalated": True, "escalation_reason": reason}
        review = self.task.review or self.task.draft
        self._step("reviewer", REVIEWER, len(review) // 3)
        self.values["reviewer_output"] = review
        self._judge(
            "reviewer_judge", self.dice.choice([8, 9, 9, 10]), self.dice.choice([1, 2, 2, 3]),
            self.task.praise,
        )  # fmt: skip
        self.values |= {"final_output": review, "final_source": "reviewer"}

    def _step(
        self,
        stage: str,
        model: str,
        tokens: int,
        label: str | None = None,
        error: dict[str, str] | None = None,
    ) -> None:
        load = 0.0 if model == self.loaded else self.dice.uniform(900, 3800)
        self.loaded = model
        first = load + self.dice.uniform(120, 900)
        writing = tokens / (SPEED[stage] * self.dice.uniform(0.85, 1.15)) * 1000
        queue = self.dice.choice([0.4, 0.6, 0.5, 1400.0, 6200.0]) if not self.steps else None
        took = first + writing
        self.steps.append({
            "stage": stage, "label": label, "round": 1, "model": model,
            "started_ms": round(self.clock, 1), "duration_ms": round(took, 1), "queue_ms": queue,
            "load_ms": round(load, 1), "first_token_ms": None if error else round(first, 1),
            "prompt_tokens": self.dice.randint(140, 900),
            "output_tokens": None if error else tokens,
            "finish_reason": None if error else "stop", "raw": None, "error": error, "note": None,
        })  # fmt: skip
        self.clock += took + self.dice.uniform(1, 6)

    def finished(self) -> dict[str, Any]:
        tags = self.values.pop("tags")
        empty = dict.fromkeys((
            "coder_output", "reviewer_output", "final_output", "final_source", "final_reason",
            "escalation_reason", "judge", "reviewer_judge", "artefact", "error",
        ))  # fmt: skip
        return empty | {
            "id": _id(self.dice, self.at),
            "schema": 1,
            "ts": self.at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "host": "workstation",
            "session": self.dice.choice(SESSIONS),
            "source": self.dice.choices(["native", "cli", "openai", "ollama"], [4, 4, 3, 1])[0],
            "kind": "run",
            "original_prompt": tags + self.task.prompt,
            "normalized_prompt": self.task.prompt,
            "escalated": False,
            "evidence": [],
            "thresholds": {"confidence": 8, "conflict": 6},
            "context_ids": [],
            "steps": self.steps,
            "duration_ms": round(self.clock, 1),
        } | self.values  # fmt: skip


def _id(dice: random.Random, at: datetime) -> str:
    value = int(at.timestamp() * 1000) << 80 | dice.getrandbits(80)
    return "".join(_ALPHABET[value >> shift & 31] for shift in range(125, -1, -5))


if __name__ == "__main__":
    write(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 240)
