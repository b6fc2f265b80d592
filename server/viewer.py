"""The dashboard without a daemon, over any history directory."""

import uvicorn
from starlette.applications import Starlette
from starlette.responses import RedirectResponse
from starlette.routing import Route

from config import Settings, base_url
from dashboard.sessions import Sessions
from server import dashboard_mount
from server.daemon import bind
from server.http.guard import Guard
from server.http.http_connection import uvicorn_config
from server.http.token_check import TokenCheck

STOP_S = 2


class Viewer:
    """The pages over `HISTORY_DIR`: bound when it is made, serving while `run` runs. Raises
    CannotListen."""

    def __init__(self, settings: Settings) -> None:
        self._listener = bind(settings)
        port = self._listener.getsockname()[1]
        self.settings = settings.model_copy(update={"PORT": port})
        self.address = f"{base_url(self.settings)}/dashboard"
        sessions, tokens = Sessions(port), TokenCheck(settings.API_TOKEN)
        pages = dashboard_mount.routes(self.settings, sessions, tokens)
        to_pages = RedirectResponse("/dashboard")
        app = Starlette(routes=[Route("/", to_pages, methods=["GET"]), *pages])
        app.router.redirect_slashes = False
        guarded = Guard(app, self.settings, sessions, tokens)
        self._server = uvicorn.Server(uvicorn_config(guarded, STOP_S))

    async def run(self) -> None:
        """Serves until SIGINT, SIGTERM or `stop`."""
        await self._server.serve(sockets=[self._listener])

    def stop(self) -> None:
        self._server.should_exit = True
