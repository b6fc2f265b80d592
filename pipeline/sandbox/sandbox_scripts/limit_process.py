"""Runs in the sandbox of macOS before the program, puts limits on its own process, and becomes it.

`python -I -S -c SOURCE STATUS ALARM_S CPU_S FILE_BYTES OPEN_FILES EXECUTABLE [WORD …]`. STATUS is a
descriptor that closes when the program begins: "begun" and nothing else says that it did; nothing
at all, that there was no sandbox; a second line, why the program could not be started.
"""

import os
import resource
import signal
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


def main(
    command: "list[str]", status: int, alarm_s: int, cpu_s: int, file_bytes: int, open_files: int
) -> "NoReturn":
    os.set_inheritable(status, False)
    for bound, soft, hard in (
        (resource.RLIMIT_CPU, cpu_s, cpu_s + 1),
        (resource.RLIMIT_FSIZE, file_bytes, file_bytes),
        (resource.RLIMIT_NOFILE, open_files, open_files),
        (resource.RLIMIT_MEMLOCK, 0, 0),
        (resource.RLIMIT_CORE, 0, 0),
    ):
        resource.setrlimit(bound, (soft, hard))
    for number in (signal.SIGPIPE, signal.SIGXFSZ):  # which Python ignores, for the next one too
        signal.signal(number, signal.SIG_DFL)
    signal.alarm(alarm_s)  # ends what laios, ended itself, cannot end any more
    os.write(status, b"begun\n")
    try:
        os.execv(command[0], command)
    except OSError as error:
        os.write(status, str(error).encode())
        sys.exit(1)


if __name__ == "__main__":
    main(sys.argv[6:], *map(int, sys.argv[1:6]))
