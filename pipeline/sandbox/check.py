"""`check`: what this machine can enforce, each thing proven by a hostile program."""

import asyncio
import sys
from dataclasses import asdict, dataclass
from typing import Any

from pipeline.errors import SandboxUnavailable
from pipeline.sandbox.cgroup import parent_group
from pipeline.sandbox.probes import LIMITS, PROBES, Probe
from pipeline.sandbox.probes_macos import MAC_PROBES
from pipeline.sandbox.runner import attempt

_FIX = "Do not run code here that you have not read; report this with the output of this command"


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
    on_mac = sys.platform == "darwin"
    command = ("python", "-c", "") if on_mac else ("sh", "-c", "exit 0")
    try:
        outcome = await attempt({}, command, LIMITS)
    except SandboxUnavailable as error:
        seen, _, fix = error.message.partition(": ")
        return [Check("sandbox", False, seen, fix)]
    if outcome.exit != 0:
        said = " ".join(outcome.stderr.split())[-300:]
        return [Check("sandbox", False, f"{command[0]} does not start in it ({said})", _FIX)]
    probes = MAC_PROBES if on_mac else PROBES
    async with asyncio.TaskGroup() as group:  # which waits for all, also when it is cancelled
        rows = [group.create_task(_tried(name, probe)) for name, probe in probes.items()]
    how = Check("sandbox", True, f"a program ran in it, {_how(on_mac)}")
    return [how, *(row.result() for row in rows)]


def _how(on_mac: bool) -> str:
    if on_mac:
        return "by Seatbelt"
    return "in a cgroup of its own" if parent_group() else "without a cgroup"


async def _tried(name: str, probe: Probe) -> Check:
    try:
        held, proof = await probe()
    except Exception as error:  # whatever it is: nothing was proven
        held, proof = False, f"the probe failed ({type(error).__name__}: {error})"
    return Check(name, held, proof, "" if held else _FIX)
