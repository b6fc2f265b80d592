"""Browser authentication where a token is set: by session cookie, or over the login page."""

from html import escape
from urllib.parse import quote

from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import Scope

LOGIN = "/dashboard/login"
_OPEN = "/dashboard/static/"


def is_dashboard(path: str) -> bool:
    return path == "/dashboard" or path.startswith("/dashboard/")


def is_open(path: str) -> bool:
    """What the login page needs is there before anybody came in."""
    return path == LOGIN or path.startswith(_OPEN)


def wants_page(scope: Scope) -> bool:
    """A person is to be shown something, not a program to be answered."""
    accepts = b"".join(value for name, value in scope["headers"] if name == b"accept")
    return (
        scope["method"] in ("GET", "POST")
        and is_dashboard(scope["path"])
        and accepts.startswith(b"text/html")
    )


def to_login(scope: Scope, *, from_elsewhere: bool) -> Response:
    """The way to the login page and back; of a form, which is no page, back to the one above it.

    To a link on another web site the browser adds no SameSite=Strict cookie, so who comes by one
    looks like a stranger. The page that it gets opens itself once more, from here.
    """
    query = scope["query_string"].decode("latin-1")
    path = scope["path"].rpartition("/")[0] if scope["method"] == "POST" else scope["path"]
    here = quote(path) + (f"?{query}" if query else "")
    if from_elsewhere:
        return HTMLResponse(f'<meta http-equiv="refresh" content="0;url={escape(here)}">')
    return RedirectResponse(f"{LOGIN}?next={quote(here, safe='')}", 303)
