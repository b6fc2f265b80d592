"""The dashboard served over a history of made-up runs."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pages
import pytest
from history_fakes import make_record, write_file

from config import load_settings
from history.record import Record
from server.viewer import Viewer

TIMEOUT_S = 30
VERDICT = {
    "confidence_score": 9,
    "conflict_score": 1,
    "judgement_summary": "It is right.",
    "raw_response": '{"confidence_score": 9}',
    "error": None,
}


def step(stage: str, started_ms: float, duration_ms: float, **values: Any) -> dict[str, Any]:
    return {
        "stage": stage, "label": None, "round": 1, "model": "ollama/qwen2.5-coder:7b",
        "started_ms": started_ms, "duration_ms": duration_ms, "queue_ms": None, "load_ms": None,
        "first_token_ms": None, "prompt_tokens": 100, "output_tokens": 50,
        "finish_reason": "stop", "raw": None, "error": None,
    } | values  # fmt: skip


def judged(id: str, **values: Any) -> Record:
    """A run whose draft passed."""
    steps = [
        step("coder", 0, 2000, queue_ms=500, load_ms=400, first_token_ms=900),
        step("judge", 2000, 1000, model="ollama/qwen3:8b"),
    ]
    given = {"judge": VERDICT, "steps": steps, "duration_ms": 3000.0, "coder_output": "x = 1\n"}
    return make_record(id, **({"final_output": "x = 1\n"} | given | values))


def escalated(id: str, **values: Any) -> Record:
    """A run whose draft was reviewed, with reason."""
    low = VERDICT | {"confidence_score": 6, "conflict_score": 7, "judgement_summary": "It fails."}
    given = {
        "judge": low,
        "reviewer_judge": VERDICT,
        "escalated": True,
        "escalation_reason": "confidence 6 < 8; conflict 7 > 6",
        "coder_output": "def add(a, b):\n    return a - b\n",
        "reviewer_output": "def add(a, b):\n    return a + b\n",
        "final_output": "def add(a, b):\n    return a + b\n",
        "final_source": "reviewer",
        "steps": [step("coder", 0, 2000), step("judge", 2000, 500), step("reviewer", 2500, 4000)],
        "duration_ms": 6500.0,
    }
    return make_record(id, **(given | values))


class Site:
    """A served dashboard and a browser that knows no JavaScript."""

    def __init__(self, http: httpx.AsyncClient, viewer: Viewer) -> None:
        self.http = http
        self.directory = viewer.settings.HISTORY_DIR
        self.stop = viewer.stop

    async def page(self, path: str, status: int = 200) -> pages.Element:
        answer = await self.http.get(path)
        assert answer.status_code == status, (answer.status_code, answer.text[:300])
        assert answer.headers["content-type"].startswith("text/html")
        return pages.read(answer.text)

    async def opens(self, path: str) -> str:
        """The page's text, where nobody asks for its elements: those take long to read."""
        answer = await self.http.get(path)
        assert answer.status_code == 200, (path, answer.status_code, answer.text[:300])
        return answer.text

    async def send(self, form: pages.Element, **fields: str) -> httpx.Response:
        """Sends a form of a page, with its hidden fields."""
        hidden = {field["name"]: field["value"] for field in form.all("input", type="hidden")}
        return await self.http.post(form["action"], data=hidden | fields)

    def add(self, *records: Record) -> None:
        with (self.directory / "history-000001.jsonl").open("ab") as file:
            from history.record import encode

            file.writelines(encode(record) for record in records)


@asynccontextmanager
async def site(directory: Path, *records: Record | bytes, **settings: Any) -> AsyncIterator[Site]:
    """`async with site(tmp_path / "history", record, …, SETTING=…) as site:`; a page waits for the
    index, however busy the machine is, instead of saying that it is being made."""
    if records:
        write_file(directory, 1, *records)
    viewer = Viewer(load_settings(HISTORY_DIR=directory, PORT=0, **settings))
    serving = asyncio.create_task(viewer.run())
    address = viewer.address.removesuffix("/dashboard")
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("dashboard.index_sync.PATIENCE_S", TIMEOUT_S)
            async with httpx.AsyncClient(base_url=address, timeout=TIMEOUT_S, verify=False) as http:
                yield Site(http, viewer)
    finally:
        viewer.stop()
        await serving


def rows(page: pages.Element) -> list[pages.Element]:
    return page.one(id="days").all("li", "row")


def ids(page: pages.Element) -> list[str]:
    return [row["data-id"] for row in rows(page)]


def link(page: pages.Element, text: str) -> str:
    """Where the link with this text leads."""
    found = {each["href"] for each in page.all("a") if each.text == text}
    assert len(found) == 1, (text, found)
    return found.pop()
