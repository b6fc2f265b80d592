"""`laios` as a process, for the tests of the command line."""

import os
import subprocess
import sys
from pathlib import Path

LAIOS = str(Path(sys.executable).with_name("laios"))
CODE = "def add(a, b):\n    return a + b\n"
RULES = [{"role": "coder", "reply": CODE}, {"role": "judge", "verdict": [9, 1, "It is right."]}]


def laios(*words: str, stdin: str | None = None, **environment: str):
    return subprocess.run(
        [LAIOS, *words],
        env={**os.environ, **environment},
        input=stdin,
        stdin=None if stdin is not None else subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=50,
    )
