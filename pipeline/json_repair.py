"""Repair malformed JSON in a killable subprocess, with json-repair.

A repair guesses. What is built on it has to be checked again by its reader, and a verdict's scores
are never repaired (DESIGN A5).
"""

import asyncio
import json
from asyncio.subprocess import DEVNULL, PIPE

from laios.launcher import command
from pipeline.analysis.code_extraction import drop_thinking

MAX_BYTES = 8 * 1024
DEADLINE_S = 3.0


async def repaired(text: str) -> str | None:
    """The JSON object that the text was probably meant to be, as JSON; None where there is nothing
    to repair, too much of it, or no answer in time."""
    body = drop_thinking(text).strip().lstrip("\ufeff").strip()
    if "{" not in body or len(body.encode("utf-8", "replace")) > MAX_BYTES or _is_json(body):
        return None
    try:
        process = await asyncio.create_subprocess_exec(
            *command("pipeline.json_repair_worker"),
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
        )
    except OSError:
        return None
    try:
        async with asyncio.timeout(DEADLINE_S):
            out, _ = await process.communicate(body.encode("utf-8", "replace"))
    except TimeoutError:
        return None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return out.decode() if process.returncode == 0 and out.startswith(b"{") else None


def _is_json(body: str) -> bool:
    try:
        json.loads(body)
    except (ValueError, RecursionError):
        return False
    return True
