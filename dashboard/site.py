"""What the pages have in common: the history, who may come in, and the daemon if there is one."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from starlette.requests import Request

from dashboard.feed import Feed
from dashboard.live import Daemon
from dashboard.session import Sessions
from history.index import Index
from history.reader import Reader


@dataclass(frozen=True, slots=True)
class Site:
    """`is_token` says whether a text is the token that signs in."""

    directory: Path
    index: Index
    reader: Reader
    feed: Feed
    sessions: Sessions
    is_token: Callable[[str], bool]
    daemon: Daemon | None

    def session(self, request: Request) -> str:
        return self.sessions.find(request.headers.getlist("cookie"))

    def csrf(self, request: Request) -> str:
        return self.sessions.csrf(self.session(request))


def site_of(request: Request) -> Site:
    return cast(Site, request.app.state.site)
