"""Templates → pages. Whatever a template writes is escaped, and its invisible characters shown."""

from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse

from dashboard import assets, formatting
from dashboard.cookies import cookie_values
from dashboard.display_text import reveal
from dashboard.page_context import context_of
from dashboard.timeline_rows import mode_word, path_part, short_model

THEMES = ("system", "light", "dark")
THEME_COOKIE = "laios_theme"
# Not "no-referrer": with that a browser sends its own forms with `Origin: null`.
HEADERS = {"Referrer-Policy": "same-origin"}


def page(request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """A whole page. `values` go to the template, beside what every page has."""
    theme = next(cookie_values(request.headers.getlist("cookie"), THEME_COOKIE), "")
    context = context_of(request)
    shared = {
        "theme": theme if theme in THEMES else "system",
        "themes": THEMES,
        "csrf": context.csrf(request),
        "here": here(request),
        "path": _path(request),
        "live": context.daemon is not None,
        "signed_in": bool(context.session(request)),
    }
    text = _environment().get_template(template).render(**shared, **values)
    return HTMLResponse(text, status, HEADERS)


def part(macro: str, value: object) -> str:
    """A piece of a page: what a macro of `parts.html` makes of a value."""
    parts: Any = _environment().get_template("parts.html").module
    return str(getattr(parts, macro)(value))


def here(request: Request) -> str:
    """The address of this page, from the slash on."""
    query = request.scope["query_string"].decode("latin-1")
    return f"{_path(request)}?{query}" if query else _path(request)


def _path(request: Request) -> str:
    """As it stands in an address: an id may hold whatever means something there."""
    return quote(request.scope["path"], errors="replace")


def url(path: str, **parameters: object) -> str:
    """An address with a query; parameters without a value are left out."""
    given = {name: value for name, value in parameters.items() if value not in (None, "")}
    return f"{path}?{urlencode(given, errors='replace')}" if given else path


@cache
def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        finalize=_finalize,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals |= {"asset": assets.url, "url": url}
    made.filters |= {
        "duration": formatting.duration,
        "count": formatting.count,
        "percent": formatting.percent,
        "change": formatting.change,
        "mode_word": mode_word,
        "short_model": short_model,
        "path_part": path_part,
    }
    return made


def _finalize(value: object) -> object:
    """Every text that is no HTML of ours: nothing in it stays invisible."""
    return reveal(value) if type(value) is str else value
