"""Documents that repeat the code are equal to it."""

import re
from pathlib import Path
from typing import Any

from config import Settings, hot_settings
from history import Record
from pipeline.flows.reviewed import accept
from pipeline.modes import MODES, load_third_party_modes, mode
from pipeline.report import report
from pipeline.run import Run
from pipeline.stages.coder import run_coder
from pipeline.task import Result, Task
from server.errors import STATUS

ROOT = Path(__file__).parent.parent
KEYS = {
    "id": "26 characters, sorts by time; also the `X-Laios-Run-Id` of the answer",
    "schema": "number of this format: 1",
    "ts": "when the run was accepted, RFC 3339, UTC",
    "host": "name of the machine that ran it",
    "session": "what scopes `///ctx`, or null",
    "source": "`native`, `openai`, `ollama`, `cli`, `code` or `query`",
    "kind": "`run`, or `auxiliary` for calls that a frontend makes by itself",
    "mode": "the mode's name",
    "original_prompt": "as it came",
    "normalized_prompt": "without its tags",
    "coder_output": "the draft's code, or null",
    "reviewer_output": "the review's code, or null",
    "final_output": "what the caller got, or null",
    "final_source": "`coder` or `reviewer`: whose text that is",
    "final_reason": "why the draft was returned though it escalated, or null",
    "escalated": "whether the reviewer was called for",
    "escalation_reason": "why, or null",
    "judge": "the verdict on the draft (two scores, summary, raw response, error), or null",
    "reviewer_judge": "the verdict on the review, or null",
    "evidence": "findings: `{stage, kind, detail}`",
    "thresholds": "those in force: `{confidence, conflict}`",
    "context_ids": "the records that went in as history",
    "steps": "each model call with its model, times (ms), token counts, finish reason, error, "
    "and the raw reply where something else was made of it",
    "artefact": "what a mode made beyond its text, or null",
    "error": "`{code, message}`, or null",
    "duration_ms": "of the run; waiting in the queue is the first step's `queue_ms`",
}


def modes_table() -> str:
    rows = ["| tags | mode | what it does |", "|---|---|---|"]
    rows += [f"| {_tags(row.tags)} | `{row.name}` | {row.help} |" for row in MODES.values()]
    return "\n".join(rows)


def _tags(tags: str) -> str:
    return re.sub(r"///[\w-]+(?: ///[\w-]+)*", lambda m: f"`{m[0]}`", tags) or "(none)"


def record_table() -> str:
    rows = ["| key | what it is |", "|---|---|"]
    return "\n".join(rows + [f"| `{key}` | {text} |" for key, text in KEYS.items()])


def settings_table() -> str:
    """The settings as a Markdown table."""
    rows = ["| setting | default | hot | what it is |", "|---|---|---|---|"]
    for name, field in Settings.model_fields.items():
        rows.append(
            f"| `{name}` | {_shown_default(name, field.default)} "
            f"| {'yes' if name in hot_settings() else 'no'} "
            f"| {field.description} |"
        )
    return "\n".join(rows)


_PLACES = {"HISTORY_DIR": "state directory", "DOCS_DIR": "data directory"}


def _shown_default(name: str, default: Any) -> str:
    if name in _PLACES:
        return _PLACES[name]
    if default in (None, ()):
        return "none"
    if isinstance(default, tuple):
        return f"`{','.join(default)}`"
    return f"`{str(default).lower() if isinstance(default, bool) else default}`"


def assert_holds(document: str, mark: str, table: str) -> None:
    """The table stands behind its mark; if not, the message is what to put there."""
    text = (ROOT / document).read_text()
    assert f"<!-- {mark} -->\n\n{table}\n" in text, f"{document}, behind <!-- {mark} -->:\n{table}"


def test_the_modes_table_is_the_modes():
    """PIPELINE.md and README.md list every mode with its tags and its help."""
    for document in ("PIPELINE.md", "README.md"):
        assert_holds(document, "modes", modes_table())


def test_the_record_table_is_the_record():
    """Every key of the record is explained, and no other."""
    assert list(KEYS) == list(Record.__annotations__)
    assert_holds("PIPELINE.md", "record", record_table())


def test_the_settings_table_is_the_settings():
    """README.md's table is made from the declarations."""
    assert_holds("README.md", "settings", settings_table())


async def test_a_run_reports_exactly_the_record_s_keys(pipeline_with):
    """What the pipeline hands over is what the history declares, but for `schema`."""
    async with pipeline_with({"role": "coder", "reply": "x"}) as run:
        accepted = run.submit("///raw x")
        await run.scheduler.finished(accepted)
        made = report(accepted, "x", None)
    assert made.keys() | {"schema"} == Record.__annotations__.keys()
    assert {"stage", "model", "raw", "error"} <= made["steps"][0].keys()


def test_every_error_code_of_the_api_is_documented():
    """README.md names each code with its status."""
    text = (ROOT / "README.md").read_text()
    for code, status in STATUS.items():
        assert re.search(rf"`{code}`[^|\n]*\b{status}\b|\b{status}\b[^\n]*`{code}`", text), code


async def test_the_example_mode_works_as_it_stands(pipeline_with):
    """PIPELINE.md's mode, pasted into a file, is a mode."""
    [example] = re.findall(r"```python\n(.*?)```", (ROOT / "PIPELINE.md").read_text(), re.DOTALL)
    names = {"mode": mode, "Run": Run, "Task": Task, "Result": Result}
    before = dict(MODES)
    try:
        exec(example, names | {"run_coder": run_coder, "accept": accept})
        replies = ["x = 1", "x = 1 + 1"]
        async with pipeline_with({"role": "coder", "reply": replies}) as run:
            assert await run("///twice add") == "x = 1 + 1"
            assert run.record["mode"] == "code_twice"
            assert "code_twice_ctx" in MODES
    finally:
        MODES.clear()
        MODES.update(before)


async def test_an_installed_package_can_bring_a_mode(pipeline_with, tmp_path, monkeypatch):
    """Through the entry-point group; one that breaks is named and left out."""
    (tmp_path / "shouting.py").write_text(SHOUTING)
    about = tmp_path / "shouting-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Name: shouting\nVersion: 1\n")
    (about / "entry_points.txt").write_text("[laios.modes]\nloud = shouting\nbroken = nowhere\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    before = dict(MODES)
    try:
        [problem] = load_third_party_modes()
        assert "'broken'" in problem and "nowhere" in problem
        async with pipeline_with({"role": "coder", "reply": "x"}) as run:
            assert await run("///loud hello") == "HELLO"
    finally:
        MODES.clear()
        MODES.update(before)


SHOUTING = """
from pipeline.modes import mode
from pipeline.task import Result

@mode("shout", words=("loud",), help="Shout.")
async def shout(run, task):
    return Result(task.prompt.upper())
"""
