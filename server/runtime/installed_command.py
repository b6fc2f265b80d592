"""The command that other programs start."""

import sys
from pathlib import Path


def installed_command() -> Path:
    """The installed `laios`: the script beside this Python, or the one that is running."""
    beside = Path(sys.executable).with_name("laios")
    return beside if beside.exists() else Path(sys.argv[0]).absolute()
