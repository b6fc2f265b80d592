"""A history into which somebody else has written: every line of JSON with an id is a record."""

import asyncio
import json
import os
from typing import Any

import pytest
from dashboards import judged, site
from history_fakes import ids_in, make_record, write_file
from hypothesis import given
from hypothesis import strategies as st
from processes import invoke, on_a_terminal

from history.ratings import Ratings
from history.reader import Reader
from history.record import encode
from history.run_index import Index
from history.segment_files import path_of
from history.store import Store
from laios import AsyncClient
from server.terminal.record_sections import sections

pytestmark = pytest.mark.only_when("history/", "dashboard/", "server/api/", "server/terminal/")

ESCAPES = "\x1b]0;owned\x07\x9b31m"
CONTROLS = ("\x1b", "\x07", "\x9b")
ODD: list[dict[str, Any]] = [
    {},
    {"ts": "0001-01-01T00:00:00Z"},
    {"ts": "9999-12-31T23:59:59-23:59", "duration_ms": "long"},
    {"error": {"code": {"a": 1}}, "judge": [1], "steps": [None, {"stage": 3}]},
    {"error": "no", "judge": {"confidence_score": "high"}, "escalated": 1, "evidence": 7},
    {"kind": "run", "final_output": "x = 1", "error": None},
    {"kind": "run", "final_output": {"a": 1}, "normalized_prompt": 3, "artefact": "x"},
    {"kind": "run", "final_output": "x", "normalized_prompt": "y", "original_prompt": {}},
    {"mode": ESCAPES, "source": ESCAPES, "host": ESCAPES, "normalized_prompt": ESCAPES},
    {"error": {"code": ESCAPES, "message": ESCAPES}, "session": ESCAPES, "escalated": True},
]
LINES = [encode({"id": f"odd-{n}{ESCAPES}", **odd}) for n, odd in enumerate(ODD)]


async def test_the_next_prompt_with_history_passes_over_odd_lines(daemon_with, tmp_path):
    """What lacks a prompt or an output is no context."""
    write_file(tmp_path / "history", 1, make_record("whole"), *LINES)
    async with daemon_with({"role": "coder", "reply": "x = 1\n"}) as (daemon, http):
        answer = await http.post("/prompt", json={"prompt": "///ctx ///raw add"})
        assert answer.status_code == 200
        assert daemon.parts.reader.page(limit=1)[0]["context_ids"] == ["whole"]


async def test_every_page_shows_odd_lines(tmp_path):
    """The timeline, the numbers and each run."""
    async with site(tmp_path / "history", judged("whole"), *LINES) as served:
        for path in ("", "?q=kind:all", "/numbers", "/thresholds", "?view=sessions"):
            await served.opens(f"/dashboard{path}")
        for number in range(len(ODD)):
            await served.opens(f"/dashboard/runs/odd-{number}%1B%5D0;owned%07%C2%9B31m")


async def test_what_nests_too_deep_is_said_in_its_place(tmp_path):
    """The page of such a run opens, and so does its export."""
    deep = b'{"id":"deep","artefact":' + b"[" * 1020 + b"]" * 1020 + b"}\n"
    async with site(tmp_path / "history", judged("whole"), deep) as served:
        for path in ("?tab=artefact", ".json", ".md"):
            shown = await served.opens(f"/dashboard/runs/deep{path}")
            assert ("too deep to be shown" in shown) is (path != ".md")


def test_the_list_and_each_run_are_printed_without_what_a_terminal_obeys(tmp_path, monkeypatch):
    """Ids, modes and codes come from the file like any text."""
    write_file(tmp_path / "history", 1, *LINES)
    monkeypatch.setenv("LAIOS_HISTORY_DIR", str(tmp_path / "history"))
    shown = invoke("history", "--all").stdout
    assert len(shown.splitlines()) == len(ODD)
    for line in LINES:
        shown += invoke("history", "show", json.loads(line)["id"]).stdout
    shown += invoke("history", "-q", "owned", "--all").stdout
    assert "owned" in shown and not any(control in shown for control in CONTROLS)


def test_a_terminal_obeys_nothing_in_records_as_json(tmp_path):
    """A pipe gets them to the letter."""
    write_file(tmp_path / "history", 1, *LINES)
    history = {"LAIOS_HISTORY_DIR": str(tmp_path / "history")}
    shown, _ = on_a_terminal("history", "--all", "--json", **history)
    assert "owned" in shown and "\x9b" not in shown
    assert invoke("history", "--all", "--json", **history).stdout.encode() == b"".join(LINES)


@given(
    st.dictionaries(
        st.sampled_from(list(make_record())),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
            lambda inner: (
                st.lists(inner, max_size=2)
                | st.dictionaries(st.sampled_from(["code", "stage", "error"]), inner)
            ),
            max_leaves=5,
        ),
    )
)
def test_no_record_is_too_strange_to_be_shown(values: dict[str, Any]) -> None:
    """Whatever stands in it, `history show` has its titles and texts."""
    shown = dict(sections(make_record(**(values | {"id": "a"}))))
    assert "prompt" in shown and all(isinstance(text, str) for text in shown.values())


async def test_a_pipe_with_a_file_s_name_holds_up_nobody(tmp_path, caplog):
    """It is left out and named in the log, and where it stands in the way nothing is lost."""
    write_file(tmp_path, 1, make_record("a"))
    os.mkfifo(path_of(tmp_path, 2))
    os.mkfifo(tmp_path / "ratings.jsonl")
    with pytest.raises(OSError, match="not a regular file"):
        Ratings(tmp_path).current()
    assert ids_in(tmp_path) == ["a"]
    assert "file 2 left out: it is not a regular file" in caplog.text
    reader = Reader(tmp_path)
    assert reader.get("b") is None and reader.read_at(2, 0, 9) is None
    index = Index(tmp_path, tmp_path / "cache")
    assert index.catch_up() == 1 and "ratings not read" in caplog.text
    store = Store(tmp_path)
    assert not await store.append(make_record("b"))
    assert "it is not a regular file" in (store.state().error or "")
    path_of(tmp_path, 2).unlink()
    async with asyncio.timeout(10):
        while not store.state().ok:
            await asyncio.sleep(0.02)
    await store.close()
    assert ids_in(tmp_path) == ["a", "b"]


async def test_a_client_reads_odd_lines_with_the_others(daemon_with, tmp_path):
    """What is no value is None or empty; paging goes on behind them, and tools of agents, which
    search by the same client, find the others."""
    write_file(tmp_path / "history", 1, make_record("whole"), *LINES)
    async with daemon_with() as (daemon, _), AsyncClient(daemon.address) as client:
        walked = [each async for each in client.history.iterate(page=2)]
        runs = [each["id"] for each in Reader(tmp_path / "history") if each.get("kind") == "run"]
        assert [each.id for each in walked] == runs[::-1] and len(runs) > 3
        odd = await client.history.get(f"odd-3{ESCAPES}")
        assert (odd.error, odd.judge, odd.mode, odd.steps) == (None, None, "", [])
