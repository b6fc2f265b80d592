"""Bandit on Python code, in a process that can be ended: what it finds of medium severity and
confidence at least. It is an extra of the installation."""

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import Any

from pipeline.helper_process import answer_of
from pipeline.run import Run
from pipeline.security.weakness import Weakness

NOT_INSTALLED = (
    "bandit is not installed: in the repository uv tool install '.[security]', or install bandit "
    "into laios' own environment"
)
MOST = 20  # weaknesses of one text
_DEADLINE_S = 20.0  # it takes a fifth of a second
_LONGEST = 200_000  # characters
_DETAIL = 200
_UNREAD = "bandit could not read the code"
# A comment in the code (`# nosec`) does not silence it, and no file of a directory configures it.
_OPTIONS = ("-m", "bandit", "-f", "json", "-q", "-ll", "-ii", "--ignore-nosec", "-")
# What its rules of that severity need, one of them at least: a process is not started for a draft
# that only calculates.
_HAS_WORK = re.compile(
    r"\bimport\b|\b__import__\b|\b(?:eval|exec)\b|0\.0\.0\.0|/tmp|/dev/shm"
    r"|(?i:\b(?:select|insert|replace|update|delete|with)\b)|[^\x00-\x7f]"
)


@dataclass(frozen=True, slots=True)
class Scan:
    """`problem`: why nothing is known of the code, or ""."""

    found: tuple[Weakness, ...] = ()
    problem: str = ""


@cache
def is_installed() -> bool:
    return find_spec("bandit") is not None


async def scan(run: Run, code: str) -> Scan:
    """What bandit says of Python code; a step of the record, where there is anything to look at."""
    if not is_installed():
        return Scan(problem=NOT_INSTALLED)
    if not _HAS_WORK.search(code):
        return Scan()
    with run.step("bandit") as step:
        found = await _report(code) if len(code) <= _LONGEST else Scan(problem=_UNREAD)
        step.note = found.problem or f"{len(found.found)} findings"
    return found


async def _report(code: str) -> Scan:
    command = (sys.executable, "-P", *_OPTIONS)
    _, said = await answer_of(command, code, _DEADLINE_S, cwd="/") or (0, b"")
    return read_report(said) if said else Scan(problem=_UNREAD)


def read_report(said: bytes) -> Scan:
    """Bandit's report as JSON. Pure."""
    try:
        report = json.loads(said)
        if report["errors"]:
            return Scan(problem=f"bandit: {str(report['errors'][0]['reason'])[:_DETAIL]}")
        return Scan(tuple(_weaknesses(report["results"][:MOST])))
    except (ValueError, LookupError, TypeError, RecursionError):
        return Scan(problem="bandit's report cannot be read")


def _weaknesses(results: list[dict[str, Any]]) -> Iterator[Weakness]:
    for each in results:
        detail = " ".join(str(each["issue_text"]).split())[:_DETAIL]
        yield Weakness(f"bandit {each['test_id']}", detail.rstrip("."), int(each["line_number"]))
