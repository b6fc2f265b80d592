"""`laios dashboard`: open the daemon's dashboard, or serve one over a history directory."""

from contextlib import suppress
from pathlib import Path
from threading import Thread

import typer

from server.terminal.console import UNREACHABLE, USAGE, fail, say, settings_or_exit, tell

PORT = 11712


def dashboard(
    history: Path | None = typer.Option(
        None, help="A history directory to show; no daemon is needed."
    ),
    port: int = typer.Option(PORT, help="Port to serve it on; 0 picks a free one."),
    open_: bool = typer.Option(False, "--open", help="Open it in the browser."),
) -> None:
    """Show the history as web pages.

    A running daemon already serves these pages; then this command prints their address. With
    --history, or without a daemon, it serves them itself until Ctrl-C.
    """
    own = settings_or_exit()
    from config import base_url
    from server.terminal.daemon_client import daemon_is_there

    if history is None and daemon_is_there(own):
        address = f"{base_url(own)}/dashboard"
        tell(address)
        if open_:
            _open(address)
        return
    if history is not None and not history.is_dir():
        fail(f"There is no directory {history}.", USAGE)
    import uvloop

    from server.daemon import CannotListen
    from server.runtime.logs import set_up_logging
    from server.viewer import Viewer

    set_up_logging()
    try:
        viewer = Viewer(settings_or_exit(HISTORY_DIR=history, PORT=port))
    except CannotListen as error:
        fail(str(error).replace("serve --port 11712", "dashboard --port 0"), UNREACHABLE)
    say(f"The history in {viewer.settings.HISTORY_DIR}, until Ctrl-C:")
    tell(viewer.address)
    if open_:  # what shows it may end only after it has an answer
        Thread(target=_open, args=(viewer.address,), daemon=True).start()
    with suppress(KeyboardInterrupt):
        uvloop.run(viewer.run())


def _open(address: str) -> None:
    import webbrowser

    webbrowser.open(address)
