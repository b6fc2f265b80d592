"""The pages of replays: which there are, one with its pairs, and a pair's difference."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from dashboard import comparison
from dashboard.diff import chosen_view
from dashboard.page_context import PageContext, context_of
from dashboard.templating import page
from dashboard.timeline_rows import path_part, short_model
from history.ratings import Rating
from history.record_values import as_table, as_text
from history.replay_pairs import Pair, compare
from history.replays import Replay, is_name, replays_of
from laios.tested_json import code_alone

Answer = Mapping[str, Any]
_MOST = 500
"""Pairs on a page: the newest."""


@dataclass(frozen=True, slots=True)
class PairView:
    """A pair as a line: `href` leads to the difference."""

    pair: Pair
    title: str
    href: str
    rating: str | None


async def listing(request: Request) -> Response:
    context = context_of(request)
    return page(request, "replays.html", replays=await asyncio.to_thread(_all, context))


async def show(request: Request) -> Response:
    """The newest pairs, and what all add up to."""
    context = context_of(request)
    await context.index_sync.refresh()
    made = await asyncio.to_thread(_one, context, _named(request))
    return page(request, "replay.html", most=_MOST, **made)


async def difference(request: Request) -> Response:
    """`?view=` of the diff."""
    context, earlier = context_of(request), request.path_params["id"]
    await context.index_sync.refresh()
    replay = _named(request)
    old, new = await asyncio.to_thread(_records, context, replay, earlier)
    made = await asyncio.to_thread(comparison.beside, old, new)
    made |= {"a": "", "b": "", "view": chosen_view(request.query_params), "replay": replay.name}
    return page(request, "compare.html", **made)


def _named(request: Request) -> Replay:
    """Raises HTTPException."""
    name = request.path_params["name"]
    replay = Replay(context_of(request).directory, name)
    if not is_name(name) or not replay.conditions():
        raise HTTPException(404, "There is no such replay in this history.")
    return replay


def _all(context: PageContext) -> list[tuple[str, str, int]]:
    """Their names, with what was asked in words, and how many requests."""
    found = replays_of(context.directory)
    return [(replay.name, _words(replay), len(replay.answers())) for replay in found]


def _words(replay: Replay) -> str:
    conditions = replay.conditions()
    names = as_table(conditions.get("models")).values()
    told = [*dict.fromkeys(short_model(str(name)) for name in names)]
    mode = conditions.get("mode")
    told += [f"mode {mode}"] if mode else []
    told += ["other prompts"] if conditions.get("prompts") else []
    return ", ".join(told)


def _one(context: PageContext, replay: Replay) -> dict[str, Any]:
    answers = replay.answers()
    found = [Pair(old, new) for id, new in answers.items() if (old := context.index.get(id))]
    said = context.ratings.current()
    newest = sorted(found, key=lambda pair: pair.before.id, reverse=True)[:_MOST]
    shown = [_pair_view(replay, pair, said.get(str(pair.old["id"]))) for pair in newest]
    facts = {"replay": replay.name, "asked_with": _words(replay)}
    return {**facts, "found": compare(found), "shown": shown}


def _pair_view(replay: Replay, pair: Pair, rating: Rating | None) -> PairView:
    prompt = as_text(pair.old.get("normalized_prompt")) or ""
    title = prompt.strip().partition("\n")[0][:120]
    href = f"/dashboard/replays/{replay.name}/{path_part(pair.before.id)}"
    return PairView(pair, title, href, rating.rating if rating else None)


def _records(context: PageContext, replay: Replay, earlier: str) -> tuple[Answer, Answer]:
    """Each with its code: tests beside it in a JSON are no difference of the answers."""
    old, new = context.index.get(earlier), replay.answers().get(earlier)
    if old is None or new is None:
        raise HTTPException(404, f"There is no new answer to the run {earlier} in this replay.")
    return code_alone(old), code_alone(new)
