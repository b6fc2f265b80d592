"""`check`: what this machine can enforce, each thing proven by a hostile program."""

import asyncio
from dataclasses import asdict, dataclass
from typing import Any

from pipeline.errors import SandboxUnavailable
from pipeline.sandbox.cgroup import place
from pipeline.sandbox.probes import LIMITS, PROBES, Probe
from pipeline.sandbox.runner import run

_FIX = "Do not run code that you have not read here; report it with the output of this command"


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that a sandbox has to hold back: whether it does, how that was seen, what helps
    where it does not."""

    name: str
    enforced: bool
    proof: str
    fix: str = ""

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


async def check() -> list[Check]:
    """Runs all probes, which takes a second or two. Where no sandbox can be built there is one
    row, which says why."""
    try:
        await run({}, ("sh", "-c", "exit 0"), LIMITS)
    except SandboxUnavailable as error:
        seen, _, fix = error.message.partition(": ")
        return [Check("sandbox", False, seen, fix)]
    rows = await asyncio.gather(*(_tried(name, probe) for name, probe in PROBES.items()))
    how = "in a cgroup of its own" if place() else "without a cgroup"
    return [Check("sandbox", True, f"a program ran in one, {how}"), *rows]


async def _tried(name: str, probe: Probe) -> Check:
    held, proof = await probe()
    return Check(name, held, proof, "" if held else _FIX)
