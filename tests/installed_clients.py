"""Clients that are no Python packages of ours: in `.cache/clients`, if somebody has put them there
(`python -m tools.clients.install`). Without them their tests skip; REQUIRE_CLIENTS=1 makes that a
failure."""

import os
import shutil

import pytest

from tools.clients.install import INSTALLED

REQUIRED = os.environ.get("REQUIRE_CLIENTS") == "1"


def needs(client: str, *parts: str, program: str | None = None) -> pytest.MarkDecorator:
    """Skips where a file of the client is missing, or a program on PATH."""
    missing = not INSTALLED.joinpath(*parts).exists()
    missing |= program is not None and shutil.which(program) is None
    reason = f"not installed: python -m tools.clients.install {client}"
    return pytest.mark.skipif(missing and not REQUIRED, reason=reason)
