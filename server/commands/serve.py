"""`laios serve`: start the daemon."""

from typing import Any

import typer

from server.terminal.console import UNREACHABLE, USAGE, fail, say, settings_or_exit


def serve(
    host: str = typer.Option(None, help="Address to listen on (HOST)."),
    port: int = typer.Option(None, help="Port to listen on (PORT); 0 picks a free one."),
    history: str = typer.Option(None, help="Directory of the history (HISTORY_DIR)."),
    coder: str = typer.Option(None, help="Model that drafts (CODER_MODEL_NAME)."),
    judge: str = typer.Option(None, help="Model that judges (JUDGE_MODEL_NAME)."),
    reviewer: str = typer.Option(None, help="Model that reviews (REVIEWER_MODEL_NAME)."),
    verbose: bool = typer.Option(False, "--verbose", "-v", help="Log more."),
) -> None:
    """Start the daemon; it runs until Ctrl-C."""
    options: dict[str, Any] = {
        "HOST": host,
        "PORT": port,
        "HISTORY_DIR": history,
        "CODER_MODEL_NAME": coder,
        "JUDGE_MODEL_NAME": judge,
        "REVIEWER_MODEL_NAME": reviewer,
    }
    settings = settings_or_exit(**options)
    import uvloop

    from config import ConfigError
    from server import daemon
    from server.runtime.logs import set_up_logging

    set_up_logging(verbose=verbose)
    try:
        uvloop.run(daemon.Daemon(settings, say, options).run())
    except ConfigError as error:
        fail(str(error), USAGE)
    except daemon.CannotListen as error:
        fail(str(error), UNREACHABLE)
    except KeyboardInterrupt:
        pass
