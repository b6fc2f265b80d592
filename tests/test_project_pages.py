"""A run of `///files` before people: a tab per file, patches coloured, and folded on a terminal."""

import asyncio

import pytest
from dashboards import judged, site
from processes import invoke
from projects import BOTH, CLI, CORE, GOOD, PROMPT, TWO, writes

from dashboard.project_tabs import project_files
from dashboard.timeline_rows import short_model
from history.record import encode
from history.segment_files import path_of
from laios.model_names import shown_name

ID = "01M7Y3A12KEA6V25JWPDAFFASX"
UNUSED = [TWO, writes("core.py", CORE), writes("cli.py", "import os\n" + CLI), GOOD]
FAILING = [TWO, writes("core.py", CORE), writes("cli.py", fault="failed")]
FAILING.append({"role": "reviewer", "fault": "failed"})


async def record_of(pipeline_with, rules, **request):
    async with pipeline_with(*rules) as run:
        await run(PROMPT, **request)
    return run.record


async def test_each_file_has_its_tab_with_its_findings(pipeline_with, tmp_path):
    """The first file is open, the others a link away: its text in its language's colours, what
    checks found in it with the line, and a missing file with the reason."""
    found = await record_of(pipeline_with, UNUSED)
    missing = await record_of(pipeline_with, FAILING)
    async with site(tmp_path / "history", found, missing) as served:
        first = await served.page(f"/dashboard/runs/{found['id']}")
        tabs = {a.one("code").text: a for a in first.one("nav", "files").all("a")}
        other = await served.page(tabs["cli.py"]["href"].partition("#")[0])
        lost = await served.page(f"/dashboard/runs/{missing['id']}?tab=files&file=cli.py")
        output = await served.page(f"/dashboard/runs/{found['id']}?tab=output")
        await served.page(f"/dashboard/runs/{found['id']}?tab=files&file=../etc/passwd")
    assert list(tabs) == ["core.py", "cli.py"] and tabs["core.py"]["aria-current"] == "page"
    assert tabs["cli.py"].one(of="badge").text == "1"
    assert first.one(id="texts").all(of="hk")[0].text == "def"
    assert "line 1: 'os' imported but unused" in other.one(of="notice").text
    assert "import os" in other.one(id="texts").text
    assert "was told to be failed" in lost.one(id="texts").one(of="notice").text
    assert "+def add(a, b):" in [each.text for each in output.one(id="texts").all(of="ha")]


@pytest.mark.parametrize("form", ["json", "markdown"])
async def test_the_other_forms_of_an_answer(pipeline_with, form):
    """Files are read out of JSON; Markdown cannot be read back: no text then."""
    record = await record_of(pipeline_with, [TWO, *BOTH, GOOD], format=form)
    files = await asyncio.to_thread(project_files, record, "cli.py")
    assert files.path == "cli.py" and [tab.path for tab in files.tabs] == ["core.py", "cli.py"]
    assert (files.code is not None) == (form == "json")


async def test_odd_records_have_no_tab_and_break_nothing(tmp_path):
    """Whatever stands where a project should."""
    odd = [None, {"kind": "project"}, {"kind": "project", "files": [{"path": 3}, 4]}]
    odd.append(
        {"kind": "project", "files": [{"path": "a"}], "faults": [{"path": "a", "line": "x"}]}
    )
    records = [judged(f"{ID[:-1]}{n}", artefact=made) for n, made in enumerate(odd)]
    async with site(tmp_path / "history", *records) as served:
        for record in records:
            await served.page(f"/dashboard/runs/{record['id']}?tab=files")


async def test_history_show_folds_a_patch(pipeline_with, tmp_path):
    """The files' names and sizes; the patch itself by --full and --json."""
    record = await record_of(pipeline_with, [TWO, *BOTH, GOOD])
    path = path_of(tmp_path / "kept", 1)
    path.parent.mkdir()
    path.write_bytes(encode(record))
    kept = {"LAIOS_HISTORY_DIR": str(tmp_path / "kept")}
    folded, whole = (invoke("history", "show", *more, **kept).stdout for more in ((), ("--full",)))
    assert "core.py  2 lines\ncli.py  3 lines\n(a patch; --full prints it)" in folded
    assert "diff --git" not in folded and "diff --git a/core.py b/core.py" in whole


def test_a_model_by_path_has_a_name():
    """People see the file's name, not where somebody keeps it; other names are as they are."""
    assert shown_name("local//home/me/models/qwen.gguf") == "local/qwen.gguf"
    assert shown_name("local//m/qwen.gguf+/a/mine.gguf") == "local/qwen.gguf+mine.gguf"
    assert short_model("local//home/me/models/qwen.gguf") == "qwen.gguf"
    assert shown_name("hosted_vllm/Qwen/Qwen3-8B") == "hosted_vllm/Qwen/Qwen3-8B"
    assert short_model("ollama/qwen3:8b") == "qwen3:8b" and shown_name("auto") == "auto"
