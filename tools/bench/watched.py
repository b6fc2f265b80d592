"""The daemon as `laios serve` runs it, which prints the number of its tasks at SIGUSR1."""

import asyncio
import signal
import sys

import uvloop

from config import load_settings
from server.daemon import Daemon
from server.runtime.logs import set_up_logging


async def serve() -> None:
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGUSR1, lambda: print(len(asyncio.all_tasks()), flush=True))
    await Daemon(load_settings(), lambda line: print(line, file=sys.stderr)).run()


if __name__ == "__main__":
    set_up_logging()
    uvloop.run(serve())
