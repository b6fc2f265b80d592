"""Repair malformed JSON in a killable subprocess, with json-repair.

A repair guesses. What is built on it has to be checked again by its reader, and a verdict's scores
are never repaired.
"""

import json
from contextlib import suppress

from laios.launcher import command
from pipeline.analysis.code_extraction import drop_thinking
from pipeline.helper_process import answer_of

MAX_BYTES = 8 * 1024
DEADLINE_S = 3.0


async def repaired(text: str) -> str | None:
    """The JSON object that the text was probably meant to be, as JSON; None where there is nothing
    to repair, too much of it, or no answer in time."""
    body = drop_thinking(text).strip().lstrip("\ufeff").strip()
    if "{" not in body or len(body.encode("utf-8", "replace")) > MAX_BYTES:
        return None
    with suppress(ValueError, RecursionError):
        json.loads(body)
        return None
    answered = await answer_of(command("pipeline.json_repair_worker"), body, DEADLINE_S)
    status, out = answered or (1, b"")
    return out.decode() if status == 0 and out.startswith(b"{") else None
