"""Runs in the sandbox: builds a program and gives it away, to be run in another sandbox.

`python -I -S build_program.py COMMANDS` (a list of commands in JSON). The report is the file
`built`; where `classes` were made, an archive of them. If a command fails, its words stand in
standard error, its exit status is this one's, and there is no report.
"""

import json
import os
import shutil
import subprocess
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def main() -> None:
    for words in json.loads(sys.argv[1]):
        if status := _status(words):
            sys.exit(status)
    made = shutil.make_archive("built", "zip", "classes") if os.path.isdir("classes") else "built"  # noqa: PTH112
    with open(made, "rb") as file:  # noqa: PTH123
        content = memoryview(file.read())
    while content:
        content = content[os.write(int(os.environ["REPORT_FD"]), content) :]


def _status(words: "Sequence[str]") -> int:
    """As a shell has it, after a signal, too."""
    ended = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=2, check=False).returncode
    return ended if ended >= 0 else 128 - ended


if __name__ == "__main__":
    main()
