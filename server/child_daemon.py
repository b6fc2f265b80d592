"""The daemon of one Python program (`laios.Client.local()`): it says on stdout where it listens and
ends when its stdin does."""

import asyncio
import json
import secrets
import sys
import threading

from config import ConfigError, load_settings
from server.daemon import Daemon


def main() -> None:
    token = secrets.token_urlsafe()
    options = {"HOST": "127.0.0.1", "PORT": 0, "API_TOKEN": token}
    try:
        daemon = Daemon(load_settings(**options), lambda line: None, options)
    except ConfigError as error:
        _tell({"error": str(error)})
        return
    asyncio.run(_serve(daemon, token))


async def _serve(daemon: Daemon, token: str) -> None:
    _tell({"address": daemon.address, "token": token})
    threading.Thread(target=_stop_with_stdin, args=(daemon,), daemon=True).start()
    await daemon.run()


def _stop_with_stdin(daemon: Daemon) -> None:
    sys.stdin.read()
    daemon.stop()


def _tell(said: dict[str, str]) -> None:
    print(json.dumps(said), flush=True)  # noqa: T201  (its parent reads it)
