"""Exports of a run: its record as JSON, a Markdown page, and each text exactly as it is stored."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from dashboard import json_values, run_detail
from dashboard.run_page import find_record
from laios.markdown_text import fenced


async def as_json(request: Request) -> Response:
    record = await find_record(request)
    return _file(json_values.as_json(record), "application/json", record, "json")


async def as_markdown(request: Request) -> Response:
    record = await find_record(request)
    return _file("\n".join(markdown(record)), "text/markdown", record, "md")


async def as_text(request: Request) -> Response:
    """One text, whole and unchanged but for what UTF-8 cannot carry."""
    record = await find_record(request)
    text = run_detail.text_of_part(record, request.path_params["part"])
    if text is None:
        raise HTTPException(404, "This run has no such text.")
    return Response(text.encode("utf-8", "backslashreplace"), media_type="text/plain")


def markdown(record: Mapping[str, Any]) -> Iterator[str]:
    """The run as a document: its facts, then its texts in fences that nothing in them can close."""
    run = run_detail.detail(record)
    yield f"# Run {run.view.id}\n"
    for fact in run.facts:
        yield f"- {fact.name}: {_flat(fact.value)}"
    yield f"- took: {run.view.took}"
    if run.error:
        yield f"- error: {_flat(run.error)}"
    if run.row.escalated:
        yield f"- escalated: {_flat(run.row.escalation_reason or 'yes')}"
    for judged in run.verdicts:
        yield f"\n## Verdict on {judged.title[0].lower()}{judged.title[1:]}\n"
        yield judged.scores.title if judged.scores else f"No scores: {_flat(judged.error or '')}"
        if judged.summary:
            yield f"\n> {_flat(judged.summary)}"
    for part in ("prompt", "draft", "review", "output"):
        text = run.text(part)
        if text is not None:
            label = None if part == "prompt" else run_detail.language_of(record, text)
            block = fenced(f"{text}\n", label)  # also where it ends with a line's end: it is exact
            yield f"\n## {part.capitalize()}\n\n{block}"


def _flat(text: str) -> str:
    return " ".join(text.split())


def _file(body: str, media_type: str, record: Mapping[str, Any], ending: str) -> Response:
    name = re.sub(r"[^\w-]", "_", str(record["id"]), flags=re.ASCII)[:80]
    return Response(
        body.encode("utf-8", "backslashreplace"),
        media_type=media_type,
        headers={"Content-Disposition": f'inline; filename="laios-{name}.{ending}"'},
    )
