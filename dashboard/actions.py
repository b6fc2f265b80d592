"""The forms that pages post: login, logout, theme, running a prompt again, cancelling and rating a
run."""

import asyncio

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from dashboard.forms import back, read_form
from dashboard.live import Daemon, Refused
from dashboard.page_context import PageContext, context_of
from dashboard.run_detail import text_of_part
from dashboard.run_page import find_record
from dashboard.sessions import LIFETIME_S
from dashboard.templating import THEME_COOKIE, THEMES, page
from dashboard.timeline_rows import path_part
from history.index_row import row_of
from history.ratings import Rating, mark_of
from history.record_values import was_literal
from history.whole_prompt import is_prompt_all

_YEAR_S = 365 * 24 * 3600


async def login(request: Request) -> Response:
    """A token for a cookie, which holds neither the token nor anything made of it."""
    context = context_of(request)
    if request.method == "GET":
        target = back({"next": request.query_params.get("next", "")})
        return page(request, "login.html", next=target, problem="")
    form = await read_form(request)
    try:
        if not context.is_token(form.get("token", "").strip(), request.scope):
            wrong = "Wrong token."
            return page(request, "login.html", 401, next=back(form), problem=wrong)
    except Refused as refused:
        return page(request, "login.html", 503, next=back(form), problem=str(refused))
    answer = RedirectResponse(back(form), 303)
    _set_cookie(answer, context.sessions.cookie_name, context.sessions.open(), LIFETIME_S)
    return answer


async def logout(request: Request) -> Response:
    context = context_of(request)
    await read_form(request)
    context.sessions.close(context.session(request))
    answer = RedirectResponse("/dashboard/login", 303)
    answer.delete_cookie(context.sessions.cookie_name, path="/dashboard")
    return answer


async def theme(request: Request) -> Response:
    form = await read_form(request)
    chosen = form.get("theme", "")
    answer = RedirectResponse(back(form), 303)
    _set_cookie(answer, THEME_COOKIE, chosen if chosen in THEMES else "system", _YEAR_S)
    return answer


async def again(request: Request) -> Response:
    """A run's prompt once more: in its own mode as it came, in another one without its tags. What
    is none there was none before."""
    daemon = _daemon(context_of(request))
    form = await read_form(request)
    record = await find_record(request)
    row = row_of(record)
    mode = form.get("mode") or None
    literal = mode not in (None, row.mode) or was_literal(record)
    prompt = record.get("normalized_prompt") if literal else text_of_part(record, "prompt")
    if not isinstance(prompt, str):
        raise HTTPException(409, "The text of this prompt was not kept, so it cannot run again.")
    if not is_prompt_all(record):
        raise HTTPException(409, "The request was more than its prompt, so it cannot run again.")
    try:
        id = daemon.submit(
            prompt=prompt, literal=literal, mode=mode or row.mode, session=row.session
        )
    except Refused as refused:
        raise HTTPException(409, str(refused)) from None
    return RedirectResponse(f"/dashboard/runs/{path_part(id)}", 303)


async def cancel(request: Request) -> Response:
    daemon = _daemon(context_of(request))
    form = await read_form(request)
    daemon.cancel(request.path_params["id"])
    return RedirectResponse(back(form), 303)


async def rate(request: Request) -> Response:
    """What somebody says of a run's answer."""
    context, form = context_of(request), await read_form(request)
    record = await find_record(request)
    mark = mark_of(form.get("rating"))
    if mark is None:
        raise HTTPException(400, "A rating must be up, down or none.")
    try:
        rating = Rating(str(record["id"]), mark, form.get("note", "").strip() or None, "dashboard")
        await asyncio.to_thread(context.ratings.append, rating)
    except ValueError as error:
        raise HTTPException(400, str(error)) from None
    except OSError as error:
        raise HTTPException(500, f"The rating was not written: {error.strerror}.") from None
    return RedirectResponse(back(form), 303)


def _daemon(context: PageContext) -> Daemon:
    if context.daemon is None:
        raise HTTPException(404, "This page only shows a history: no daemon runs behind it.")
    return context.daemon


def _set_cookie(answer: Response, name: str, value: str, seconds: int) -> None:
    answer.set_cookie(
        name, value, max_age=seconds, path="/dashboard", httponly=True, samesite="strict"
    )
