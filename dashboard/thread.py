"""A session's runs as one thread: what the person said, what the model said and called, and what
was held back and why."""

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import Response

from dashboard.display_text import Clipped, clip
from dashboard.filters import with_term
from dashboard.json_values import as_json, as_plain
from dashboard.page_context import PageContext, context_of
from dashboard.run_detail import language_of
from dashboard.templating import page
from dashboard.timeline_rows import RowView, row_view
from history.index_query import Match, RunQuery
from history.index_row import row_of
from history.record_values import as_table, as_tables, as_text

TURNS = 50
_TEXT, _ARGUMENTS, _SHORT = 4000, 4000, 100
_MOST_CALLS = 32


@dataclass(frozen=True, slots=True)
class CallView:
    """A call of one of the agent's tools. `why` speaks against one that was held back."""

    name: str
    short: str
    arguments: Clipped
    why: str


@dataclass(frozen=True, slots=True)
class ThreadTurn:
    """`prompt` is empty where the person has said nothing since the turn before; `against` speaks
    against the calls that were passed on."""

    view: RowView
    prompt: Clipped | None
    said: Clipped | None
    is_code: bool
    calls: list[CallView]
    held_back: list[CallView]
    against: list[str]
    error: str


async def show(request: Request) -> Response:
    """`?session=`, `?before=` for the turns before these."""
    context, asked = context_of(request), request.query_params
    session = asked.get("session", "")
    await context.index_sync.refresh()
    turns, older = await asyncio.to_thread(_find, context, session, asked.get("before") or None)
    return page(
        request,
        "thread.html",
        200 if turns else 404,
        session=session,
        turns=turns,
        older=older,
        q=with_term("", "session", session) if session else "",
    )


def _find(
    context: PageContext, session: str, before: str | None
) -> tuple[list[ThreadTurn], str | None]:
    """The session's newest turns, oldest first, and where those before them end."""
    if not session:
        return [], None
    wanted = RunQuery(matches=(Match("session", (session,)),))
    found = context.index.page(wanted, before=before, limit=TURNS)
    records = (context.index.get(row.id) for row in reversed(found.rows))
    return [*turns_of(record for record in records if record)], found.older


def turns_of(records: Iterable[Mapping[str, Any]]) -> Iterator[ThreadTurn]:
    """Records of one session, oldest first, whatever is in them."""
    last = None
    for record in records:
        prompt = as_text(record.get("normalized_prompt")) or as_text(record.get("original_prompt"))
        artefact = as_table(record.get("artefact"))
        said = as_text(record.get("final_output"))
        yield ThreadTurn(
            row_view(row_of(record)),
            clip(prompt, _TEXT) if prompt and prompt != last else None,
            clip(said, _TEXT) if said else None,
            said is not None and language_of(record, said) not in (None, "", "markdown"),
            [_call(call, "name") for call in as_tables(artefact.get("tool_calls"))[:_MOST_CALLS]],
            [_call(call, "tool") for call in as_tables(artefact.get("held_back"))[:_MOST_CALLS]],
            [*_against(record)],
            as_text(as_table(record.get("error")).get("message")) or "",
        )
        last = prompt


def _against(record: Mapping[str, Any]) -> Iterator[str]:
    for finding in as_tables(record.get("evidence"))[:_MOST_CALLS]:
        if finding.get("kind") == "write" and (detail := as_text(finding.get("detail"))):
            yield detail


def _call(call: Mapping[str, Any], name: str) -> CallView:
    given = call.get("arguments")
    arguments = as_text(given) or ("" if given is None else as_json(given))
    short = " ".join(arguments[: 4 * _SHORT].split())
    short = short if len(short) <= _SHORT else f"{short[:_SHORT]}…"
    whole = clip(_written_out(arguments), _ARGUMENTS)
    why = as_text(call.get("why")) or ""
    return CallView(as_text(call.get(name)) or "?", short, whole, why)


def _written_out(arguments: str) -> str:
    """Each argument under its name, texts with their own lines; what is no object as it is."""
    try:
        values = orjson.loads(arguments)
    except ValueError:
        return arguments
    if not isinstance(values, dict):
        return arguments
    return "\n".join(f"{name}: {_below(as_plain(value))}" for name, value in values.items())


def _below(text: str) -> str:
    return f"\n{text.rstrip()}" if "\n" in text else text
