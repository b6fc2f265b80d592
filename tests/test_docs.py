"""Documents that repeat the code are equal to it."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import typer

from config import Settings, hot_settings
from history.record import Record
from pipeline.add_ons import load_add_ons
from pipeline.modes import CONTEXT_WORDS, MODES, Mode, mode
from pipeline.review.coder import run_coder
from pipeline.review.escalation import accept
from pipeline.run import Run
from pipeline.run_record import record_of
from pipeline.sandbox import bubblewrap, linux, macos, memory_watch, pipes, workdir
from pipeline.sandbox.probes import PROBES
from pipeline.sandbox.probes_macos import MAC_PROBES
from pipeline.task import Result, Task
from server.commands.cli import app as command_line
from server.http.errors import STATUS
from server.mcp.tools import TOOLS
from server.routes import ROUTES
from tests.test_layering import ALLOWED

ROOT = Path(__file__).parent.parent
KEYS = {
    "id": "26 characters, sorts by time; also the `X-Laios-Run-Id` of the answer",
    "schema": "number of this format: 1",
    "ts": "when the run was accepted, RFC 3339, UTC",
    "host": "name of the machine that ran it",
    "session": "what scopes `///ctx`, or null",
    "source": "`native`, `openai`, `ollama`, `anthropic`, `cli`, `code`, `query` or `judge`",
    "kind": "`run`, `auxiliary` for a frontend's own calls, or `agent` for a turn with tools",
    "mode": "the mode's name",
    "original_prompt": "as it came",
    "normalized_prompt": "without its tags",
    "coder_output": "the draft's code, or null",
    "reviewer_output": "the review's code, or null",
    "final_output": "what the caller got, or null",
    "language": "of what the caller got, in lower case, or null where it is not known",
    "final_source": "`coder` or `reviewer`: whose text that is",
    "final_reason": "why the draft was returned though it escalated, that examples or drafts "
    "decided without a judge, that only its writer, a small model, said yes, or its drafts of SQL, "
    "classes, decorators or file functions agree (`unconfirmed: …`), or null",
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
    rows += [f"| {_tags(row)} | `{row.name}` | {row.help} |" for row in MODES.values()]
    return "\n".join(rows)


def _tags(row: Mode) -> str:
    """As they are written in a prompt: `///ctx ///raw`."""
    words = CONTEXT_WORDS if row.with_context and not row.words else row.words
    before = "///ctx " if row.with_context and row.words else ""
    return " or ".join(f"`{before}///{word}`" for word in words) or "(none)"


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


_PLACES = {
    "HISTORY_DIR": "state directory",
    "DOCS_DIR": "data directory",
    "MODELS_DIR": "data directory",
}


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
    """The table in docs/settings.md is made from the declarations."""
    assert_holds("docs/settings.md", "settings", settings_table())


COSTS = {
    "generate_code": "two model calls, three to seven where a draft is drawn again or reviewed",
    "review_code": "one model call",
    "judge_code": "one model call, and your tests",
    "test_code": "two model calls and one or two for each revision; runs of the tests",
    "run_code": "no model; at most `SANDBOX_WALL_S` seconds, and as many to compile",
    "make_project": "a model call for the plan and one or more for each file",
    "search_docs": "no model; milliseconds",
    "search_history": "no model; milliseconds",
}


def tools_table() -> str:
    """The tools for agents: what they take, the optional with a question mark, and give."""
    rows = ["| tool | takes | gives | costs |", "|---|---|---|---|"]
    for tool in TOOLS.values():
        takes = [
            f"`{name}`" + ("" if field.is_required() else "?")
            for name, field in tool.takes.model_fields.items()
        ]
        gives = [f"`{name}`" for name in tool.gives.model_fields]
        rows.append(
            f"| `{tool.name}` | {', '.join(takes)} | {', '.join(gives)} | {COSTS[tool.name]} |"
        )
    return "\n".join(rows)


def test_the_table_of_tools_is_the_tools():
    """docs/mcp.md says what each tool takes, gives and costs."""
    assert_holds("docs/mcp.md", "tools", tools_table())


def test_the_map_of_packages_is_the_packages():
    """PIPELINE.md has a line for each package that the layering rules know, and no other; it leads
    to the package's README."""
    text = (ROOT / "PIPELINE.md").read_text().partition("<!-- packages -->\n\n")[2]
    rows = re.findall(r"^\| `([\w/.]+)` \|(.*)", text.partition("\n\n")[0], re.MULTILINE)
    assert sorted(path for path, _ in rows) == sorted(map(_path_of, ALLOWED))
    for path, row in rows:
        assert (ROOT / path / "README.md").exists() == (f"({path}README.md)" in row), path


def _path_of(package: str) -> str:
    path = package.replace(".", "/")
    return f"{path}/" if (ROOT / path).is_dir() else f"{path}.py"


def test_the_import_rule_is_the_layering_test_s():
    """CONTRIBUTING.md says which top-level package imports which others."""
    edges: dict[str, set[str]] = {}
    for package, allowed in ALLOWED.items():
        top = package.partition(".")[0]
        edges.setdefault(top, set()).update(name.partition(".")[0] for name in allowed)
    rows = ["| package | imports |", "|---|---|"]
    for package, imported in edges.items():
        names = ", ".join(f"`{name}`" for name in sorted(imported - {package}))
        rows.append(f"| `{package}` | {names or 'nothing'} |")
    assert_holds("CONTRIBUTING.md", "imports", "\n".join(rows))


def test_contributing_tells_the_workers_and_the_time_of_training():
    """As the Makefile and the starter's card have them."""
    text = " ".join((ROOT / "CONTRIBUTING.md").read_text().split())
    [workers] = re.findall(r"pytest -n (\d+)", (ROOT / "Makefile").read_text())
    assert f"make test # the whole suite, {workers} processes" in text
    card = (ROOT / "pipeline" / "models" / "starter" / "CARD.md").read_text()
    [hours] = re.findall(r"about ([\d.]+ hours of CPU time in two processes)", card)
    assert hours in text


@pytest.mark.parametrize(("document", "most"), [("README.md", 200), ("PIPELINE.md", 250)])
def test_a_document_for_people_in_a_hurry_stays_short(document, most):
    """What does not fit goes to a page of its own."""
    assert len((ROOT / document).read_text().splitlines()) <= most


async def test_a_run_reports_exactly_the_record_s_keys(pipeline_with):
    """What the pipeline hands over is what the history declares, but for `schema`."""
    async with pipeline_with({"role": "coder", "reply": "x"}) as run:
        accepted = run.submit("///raw x")
        await run.scheduler.finished(accepted)
        made = record_of(accepted, "x", None)
    assert made.keys() | {"schema"} == Record.__annotations__.keys()
    assert {"stage", "model", "raw", "error"} <= made["steps"][0].keys()


def test_every_error_code_of_the_api_is_documented():
    """docs/http-api.md names each code with its status."""
    text = (ROOT / "docs" / "http-api.md").read_text()
    for code, status in STATUS.items():
        assert re.search(rf"`{code}`[^|\n]*\b{status}\b|\b{status}\b[^\n]*`{code}`", text), code


def test_every_route_of_the_native_api_is_documented():
    """docs/http-api.md names each path; of the other protocols it names a few."""
    text = (ROOT / "docs" / "http-api.md").read_text()
    for path in (route.path for route in ROUTES):
        assert path == "/" or path.startswith(("/v1/", "/api/")) or f"{path}`" in text, path


def test_every_command_is_documented():
    """docs/command-line.md names each command, and a document names no other."""
    commands = typer.main.get_command(command_line).commands
    line = (ROOT / "docs" / "command-line.md").read_text()
    for name in commands:
        assert re.search(rf"^(?:.*\| )?laios {name}\b", line, re.MULTILINE), name
    for document in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")):
        text = document.read_text()
        named = set(re.findall(r"(?:`|\$ )laios ([a-z]+)\b", text))
        assert named <= commands.keys(), f"{document}: {named - commands.keys()}"


def test_the_sandbox_s_page_has_its_limits_and_probes():
    """docs/sandbox.md: settings with their defaults, other numbers, and the rows of the check on
    both systems."""
    page = (ROOT / "docs/sandbox.md").read_text()
    linux_page, mac_page = page.split("## macOS")
    defaults = {
        name: f"{field.default:g}"
        for name, field in Settings.model_fields.items()
        if name.startswith("SANDBOX_") and field.default is not None
    }
    defaults["SANDBOX_OUTPUT_BYTES"] = f"{Settings().SANDBOX_OUTPUT_BYTES >> 10} KiB"
    for said in (
        *(f"`{name}` {value} " for name, value in defaults.items()),
        f"a look every {linux._LOOK_S * 1000:g} ms",
        f"{linux._ADDRESSES >> 30} GiB and its memory",
        f"at most {linux._OPEN_FILES} open files",
        f"(+ {bubblewrap._SHARED_MEMORY_MB} in /dev/shm)",
        f"{memory_watch._NAME_BYTES >> 10} KiB each",
        f"{pipes._FLOOD} times as much ends the program",
    ):
        assert said in linux_page, said
    for said in (
        f"a look every {macos._LOOK_S * 1000:g} ms",
        f"at most {macos._OPEN_FILES} of them",
        f"counts as {workdir._BLOCK >> 10} KiB at least",
        "it runs twelve hostile ones",
    ):
        assert said in mac_page, said
    assert _probes_in(linux_page) == [*PROBES] and len(MAC_PROBES) == 12
    assert sorted(_probes_in(mac_page)) == sorted(MAC_PROBES)


def _probes_in(page: str) -> list[str]:
    """The rows of the check that is shown, but for the first: that a program ran at all."""
    rows = re.findall(r"^  ✓ (\S+(?: \S+)*)  ", page, re.MULTILINE)
    return [row for row in rows if row != "sandbox"]


async def test_the_example_mode_works_as_it_stands(pipeline_with):
    """PIPELINE.md's mode, pasted into a file, is a mode."""
    text = (ROOT / "PIPELINE.md").read_text()
    example, *_ = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
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
        [problem] = load_add_ons()
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


def test_the_readme_tells_what_the_starter_knows():
    """In the numbers of its table of tasks."""
    tasks = json.loads((ROOT / "pipeline" / "models" / "starter" / "tasks.json").read_text())
    known = Counter(language for task in tasks for language in task["languages"])
    python, script, bash = (known[each] for each in ("python", "javascript", "bash"))
    languages = f"{python} in Python, {script} in JavaScript, {bash} in Bash"
    said = f"{len(tasks)} small tasks ({languages})"
    assert said in (ROOT / "README.md").read_text()


def test_the_readme_s_figures_are_those_of_the_page_on_quality():
    """Each `k of n` of its table: the page has k in a cell, and n problems."""
    page = (ROOT / "docs" / "quality.md").read_text()
    readme = (ROOT / "README.md").read_text()
    table = readme[readme.index("How often it is right") :].split("\n\n")[1]
    figures = re.findall(r"(\d+) of (\d+)", table)
    assert len(figures) > 5
    for right, problems in figures:
        assert re.search(rf"\| {right}\b", page), right
        assert re.search(rf"\| {problems} \||\b{problems} problems", page), problems
