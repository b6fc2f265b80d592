"""One load of a model file before laios takes it: only llama.cpp knows what it can load.

In a process of its own, as in the engine; `main` is that process.
"""

import importlib.util
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

from laios.launcher import command
from pipeline.errors import ModelFailed, ModelNotFound
from pipeline.models.llama_cpp import EngineError, start_server

_WINDOW = 256  # tokens
_REASON = re.compile(r"error loading model: (.{1,300})")


def refuse_unloadable(path: Path, name: str) -> None:
    """Blocks for as long as a load takes (3 s for 0.5 GB); without the engine it tries nothing.

    Raises ModelNotFound with the reason that llama.cpp gives, ModelFailed where its process ended.
    """
    if importlib.util.find_spec("xllamacpp") is None:
        return
    words = command("pipeline.models.trial_load", str(path))
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if done.returncode < 0:
        raise ModelFailed(
            f"The embedded engine crashed when it loaded {name} "
            f"({signal.Signals(-done.returncode).name}). Free some memory and try again, or choose "
            "another model: `laios models catalog`."
        )
    if done.returncode:
        found = _REASON.search(done.stderr.decode(errors="replace"))
        raise ModelNotFound(
            f"llama.cpp cannot load {name}: {found[1] if found else 'it does not say why'}. It is "
            "damaged, or too new for this laios. Choose another model: `laios models catalog`."
        )


def main() -> None:
    try:
        start_server(sys.argv[1], _WINDOW, 1, trial=True)
    except EngineError:
        os._exit(1)
    os._exit(0)  # at once, as the engine's process does
