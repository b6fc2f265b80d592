"""`laios run --write` as people use it, and what chat frontends get of a project."""

import json
import os
import pty
import subprocess

import pytest
from cli import LAIOS, laios
from processes import invoke
from projects import BOTH, CLI, CORE, GOOD, PROMPT, TWO, writes

pytestmark = pytest.mark.only_when(
    "server/commands/run.py",
    "server/commands/project_option.py",
    "server/terminal/",
    "server/protocols/",
    "laios/",
    "pipeline/projects/",
)

HALF = [TWO, writes("core.py", CORE), writes("cli.py", fault="failed"), GOOD]


def names(directory):
    return sorted(path.name for path in directory.iterdir())


def test_write_puts_the_files_into_the_directory(roles, tmp_path):
    """Their paths on stdout, nothing else anywhere; the project runs."""
    roles(TWO, *BOTH, GOOD)
    out = tmp_path / "new" / "calc"
    done = laios("run", PROMPT, "--write", str(out))
    assert (done.stdout, done.stderr, done.returncode) == (f"{out}/core.py\n{out}/cli.py\n", "", 0)
    assert (out / "core.py").read_text() == CORE
    assert names(out) == ["cli.py", "core.py"]
    ran = subprocess.run(["python3", "cli.py"], cwd=out, capture_output=True, text=True)
    assert ran.stdout == "3\n"


def test_write_overwrites_only_when_told_to(roles, tmp_path):
    """All or nothing: one file in the way, and none is written; the answer is not lost."""
    roles(TWO, *BOTH, GOOD)
    (tmp_path / "out").mkdir()
    mine = tmp_path / "out" / "cli.py"
    mine.write_text("mine")
    refused = invoke("run", PROMPT, "--write", str(tmp_path / "out"))
    assert refused.returncode == 1 and refused.stdout == ""
    assert "cli.py" in refused.stderr and "--force" in refused.stderr
    assert names(tmp_path / "out") == ["cli.py"] and mine.read_text() == "mine"
    run_id = refused.stderr.split()[-1]
    assert "+def add(a, b):" in invoke("history", "show", run_id, "--full").stdout
    told = invoke("run", PROMPT, "--write", str(tmp_path / "out"), "--json")
    fault = json.loads(told.stdout)
    assert (told.returncode, fault["error"]["code"]) == (1, "not_written")
    assert "+def add(a, b):" in fault["output"]
    private = invoke("run", PROMPT, "--write", str(tmp_path / "out"), "--no-log")
    assert private.returncode == 1 and "+def add(a, b):" in private.stdout
    forced = invoke("run", PROMPT, "--write", str(tmp_path / "out"), "--force", "--json")
    answer = json.loads(forced.stdout)
    assert len(answer["written"]) == 2 and "diff --git" in answer["output"]
    assert mine.read_text() == CLI


def test_a_project_with_files_missing_is_no_success(roles, tmp_path):
    """What there is is written, what is missing is named, and the exit code says so."""
    roles(*HALF, {"role": "reviewer", "fault": "failed"})
    done = invoke("run", PROMPT, "--write", str(tmp_path / "out"))
    assert (done.returncode, names(tmp_path / "out")) == (1, ["core.py"])
    assert done.stderr.splitlines()[-1].startswith("Known to be wrong: cli.py is missing")


def test_write_is_refused_before_a_model_is_asked(roles, tmp_path):
    """A mode without files, and a directory that cannot be: usage errors, no run on record."""
    roles(TWO, *BOTH, GOOD)
    (tmp_path / "file").write_text("x")
    wrong_mode = invoke("run", "a calculator", "--write", str(tmp_path / "out"))
    assert wrong_mode.returncode == 2 and "prompt with ///files" in wrong_mode.stderr
    for place in ("file", "file/below", "x" * 300):
        done = invoke("run", PROMPT, "--write", str(tmp_path / place))
        assert done.returncode == 2, done.stderr
    assert invoke("history", "--json").stdout == ""
    assert not (tmp_path / "out").exists()


def test_a_terminal_shows_each_file(roles, tmp_path):
    """A bar with its name, and which one failed."""
    roles(*HALF, {"role": "reviewer", "fault": "failed"})
    here, there = pty.openpty()
    done = subprocess.Popen(
        [LAIOS, "run", PROMPT, "--write", str(tmp_path / "out")],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=there,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
    )
    os.close(there)
    seen = b""
    try:
        while piece := os.read(here, 65536):
            seen += piece
    except OSError:  # Linux's way to say that the other end is closed
        pass
    done.communicate(timeout=30)
    os.close(here)
    shown = seen.decode()
    assert "core.py" in shown and "cli.py: failed" in shown and "━" in shown


# --- chat frontends ----------------------------------------------------------------------------


async def test_a_chat_gets_the_project_as_markdown(daemon_with):
    """By the tag, by the model's name, over both protocols: headings and fenced files, not a patch,
    and not one block around all of it."""
    messages = [{"role": "user", "content": PROMPT}]
    named = [{"role": "user", "content": "a calculator"}]
    async with daemon_with(TWO, *BOTH, GOOD) as (_, http):
        tagged = await http.post("/v1/chat/completions", json={"messages": messages})
        chosen = await http.post(
            "/v1/chat/completions", json={"model": "laios:files", "messages": named}
        )
        ollama = await http.post(
            "/api/chat", json={"model": "laios:files", "messages": named, "stream": False}
        )
        native = await http.post("/prompt", json={"prompt": PROMPT})
        asked = await http.post("/prompt", json={"prompt": PROMPT, "format": "markdown"})
    contents = [a.json()["choices"][0]["message"]["content"] for a in (tagged, chosen)]
    contents += [ollama.json()["message"]["content"], asked.json()["output"]]
    assert set(contents) == {contents[0]}
    assert contents[0].startswith(f"# calc\n\n## `core.py`\n\n```python\n{CORE}```\n")
    assert native.json().keys() == {"output"}
    assert native.json()["output"].startswith("# Project calc: 2 of 2 files\n")


async def test_a_project_is_never_on_the_wire_before_it_is_judged(daemon_with):
    """A stream shows the stages as reasoning, and the project in one piece."""
    body = {"messages": [{"role": "user", "content": PROMPT}], "stream": True}
    async with daemon_with(TWO, *BOTH, GOOD) as (_, http):
        answer = await http.post("/v1/chat/completions", json=body)
    lines = [line for line in answer.text.split("\n\n") if line.startswith("data: {")]
    deltas = [json.loads(line[6:])["choices"][0]["delta"] for line in lines]
    texts = [delta["content"] for delta in deltas if delta.get("content")]
    thoughts = "".join(delta.get("reasoning_content") or "" for delta in deltas)
    assert len(texts) == 1 and texts[0].startswith("# calc")
    assert "planning…" in thoughts and "drafting (core.py)" in thoughts
