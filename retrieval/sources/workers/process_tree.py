"""Runs a command, and ends with it whatever it has started, in a session of its own as well.

Its arguments are the command, the last of them the descriptor of its report. Linux alone: what has
lost its parent becomes a child of this process (PR_SET_CHILD_SUBREAPER, prctl(2)). It is told to
end by SIGTERM, which it also gets when its own parent ends.
"""

import ctypes
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36


def main() -> None:
    signal.signal(signal.SIGTERM, _end)
    library = ctypes.CDLL(None)
    library.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    library.prctl(_PR_SET_CHILD_SUBREAPER, 1)
    words = sys.argv[1:]
    report = int(words[-1])
    child = subprocess.Popen(words, pass_fds=(report,))
    os.close(report)
    status = child.wait()
    _kill_children()
    if status < 0:  # whoever waits for us is to see how it ended
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    sys.exit(status)


def _end(number: int, frame: object) -> NoReturn:
    _kill_children()
    os._exit(128 + number)


def _kill_children() -> None:
    """Until there is none: those of a child that was killed are ours then."""
    while children := _children():
        for pid in children:
            os.kill(pid, signal.SIGKILL)
        with suppress(ChildProcessError):
            os.waitpid(-1, 0)


def _children() -> list[int]:
    pid = os.getpid()
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
