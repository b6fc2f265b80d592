"""What the pages share: the history, its index, sign-in, and the daemon if there is one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from starlette.requests import Request
from starlette.types import Scope

from dashboard.index_sync import IndexSync
from dashboard.live import Daemon, LiveRun
from dashboard.sessions import Sessions
from history.ratings import Ratings
from history.reader import Reader
from history.run_index import Index


@dataclass(frozen=True, slots=True)
class PageContext:
    """`bench_dir` is where `laios bench` puts its results. `is_token` says whether a text is the
    token that signs in, for the request with this scope; it raises Refused where too many were
    not."""

    directory: Path
    bench_dir: Path
    index: Index
    reader: Reader
    ratings: Ratings
    index_sync: IndexSync
    sessions: Sessions
    is_token: Callable[[str, Scope], bool]
    daemon: Daemon | None

    def session(self, request: Request) -> str:
        return self.sessions.find(request.headers.getlist("cookie"))

    def running(self) -> Sequence[LiveRun]:
        """The daemon's runs, if there is one."""
        return self.daemon.runs() if self.daemon else ()

    def csrf(self, request: Request) -> str:
        return self.sessions.csrf(self.session(request))


def context_of(request: Request) -> PageContext:
    return cast(PageContext, request.app.state.context)
