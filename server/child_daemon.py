"""The daemon of one Python program (`laios.Client.local()`): it says on stdout where it listens and
ends when its stdin does. Whatever else is printed goes to stderr: of stdout one line is read."""

import asyncio
import json
import os
import secrets
import sys
import threading

from config import ConfigError, load_settings
from server.daemon import Daemon


def main() -> None:
    wire = os.dup(1)
    os.dup2(2, 1)
    token = secrets.token_urlsafe()
    options = {"HOST": "127.0.0.1", "PORT": 0, "API_TOKEN": token}
    try:
        daemon = Daemon(load_settings(**options), lambda line: None, options)
    except ConfigError as error:
        _tell(wire, {"error": str(error)})
        return
    _tell(wire, {"address": daemon.address, "token": token})
    asyncio.run(_serve(daemon))


async def _serve(daemon: Daemon) -> None:
    threading.Thread(target=_stop_with_stdin, args=(daemon,), daemon=True).start()
    await daemon.run()


def _stop_with_stdin(daemon: Daemon) -> None:
    sys.stdin.read()
    daemon.stop()


def _tell(wire: int, said: dict[str, str]) -> None:
    with os.fdopen(wire, "w") as file:
        file.write(f"{json.dumps(said)}\n")
