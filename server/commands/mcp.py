"""`laios mcp`: serve the Model Context Protocol on stdin and stdout."""

from contextlib import suppress

from server.terminal.console import USAGE, fail, say, settings_or_exit


def mcp() -> None:
    """Serve the Model Context Protocol on stdin and stdout, for agents and editors.

    The client starts it; set that up with: laios connect CLIENT --mcp --write. Runs go to the
    daemon, or to a process of this command's own if no daemon is running.
    """
    settings = settings_or_exit()
    from server.mcp_mount import NOT_INSTALLED, is_the_package

    try:
        from server.mcp.stdio_program import serve
    except ModuleNotFoundError as error:
        if not is_the_package(error):
            raise
        fail(NOT_INSTALLED, USAGE)
    import asyncio
    import signal
    import sys

    if sys.stdin.isatty():
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # what waits for a line cannot be cancelled
        say("Waiting for a client on stdin. To let a client start this: laios connect CLIENT --mcp")
    with suppress(KeyboardInterrupt):
        asyncio.run(serve(settings))
