"""Runs on record and pieces of documentation, as resources."""

import json

from mcp_types import (
    ListResourcesResult,
    ListResourceTemplatesResult,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextResourceContents,
)

from laios import AsyncClient
from laios.errors import NotFound
from laios.types import Record
from pipeline.unicode_text import without_surrogates
from server.mcp.message_content import check_size, plain_values
from server.mcp.resource_address import DOCS, RUNS, parse, run_address

LISTED = 20  # runs; the others are found by search_history
JSON, TEXT = "application/json", "text/markdown"

TEMPLATES = ListResourceTemplatesResult(
    resource_templates=[
        ResourceTemplate(
            uri_template=f"{RUNS}{{id}}",
            name="run",
            title="A run on record",
            description="Prompt, drafts, verdict, steps and times of a run.",
            mime_type=JSON,
        ),
        ResourceTemplate(
            uri_template=f"{DOCS}{{id}}",
            name="documentation",
            title="A piece of documentation",
            description="A piece that search_docs found, or that a citation names.",
            mime_type=TEXT,
        ),
    ]
)


async def list_resources(laios: AsyncClient) -> ListResourcesResult:
    """The newest runs."""
    newest = await laios.history.search(limit=LISTED)
    return ListResourcesResult(resources=[*map(_listed, newest)])


def _listed(record: Record) -> Resource:
    first, *_ = (record.normalized_prompt or "").splitlines() or [""]
    return Resource(
        uri=run_address(record.id),
        name=f"{record.ts[:19]} {record.mode}",
        title=without_surrogates(first[:80] or record.mode),
        mime_type=JSON,
    )


async def read_resource(laios: AsyncClient, address: str) -> ReadResourceResult:
    """Raises NotFound, and LaiosError for one that is too large to hand over."""
    meant = parse(address)
    if meant is None:
        raise NotFound(f"There is no resource {address[:200]!r}. Resources: {RUNS}ID, {DOCS}ID.")
    kind, name = meant
    text, mime = await (_run(laios, name) if kind == "runs" else _piece(laios, name))
    content = TextResourceContents(uri=address, mime_type=mime, text=text)
    result = ReadResourceResult(contents=[content])
    check_size(result, f"See it in a terminal: laios history show {name}")
    return result


async def _run(laios: AsyncClient, run_id: str) -> tuple[str, str]:
    record = await laios.history.get(run_id)
    return json.dumps(plain_values(record), ensure_ascii=False, indent=1), JSON


async def _piece(laios: AsyncClient, chunk_id: str) -> tuple[str, str]:
    piece = await laios.docs.get(chunk_id)
    return f"# {piece.title}\n\n{piece.content}\n", TEXT
