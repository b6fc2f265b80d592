"""The self-test that must pass before code is run on macOS: the hostile probes have to fail in the
sandbox first, because laios's authors never ran it on a Mac."""

import asyncio

from pipeline.errors import SandboxUnavailable
from pipeline.sandbox.check import Check, check


class SelfTest:
    """Made once, however many ask for it at the same time, and kept."""

    def __init__(self) -> None:
        self._rows: list[Check] | None = None
        self._task: asyncio.Task[list[Check]] | None = None

    async def require(self) -> None:
        """Returns when all is held back. Raises SandboxUnavailable, which says what is not."""
        if self._rows is None:
            # A caller that is cancelled leaves the proof to the others.
            self._rows = await asyncio.shield(self._under_way())
        missing = [row for row in self._rows if not row.enforced]
        if missing and missing[0].name == "sandbox":
            raise SandboxUnavailable(f"{missing[0].proof}: {missing[0].fix}")
        if missing:
            seen = "; ".join(f"{row.name}: {row.proof}" for row in missing)
            raise SandboxUnavailable(
                f"The sandbox does not hold on this machine ({seen}), so no code is run. Report it "
                "with the output of laios sandbox check; laios checks again when it is restarted."
            )

    def _under_way(self) -> asyncio.Task[list[Check]]:
        loop = asyncio.get_running_loop()
        task = self._task
        if task is None or task.cancelled() or task.get_loop() is not loop:
            task = self._task = loop.create_task(check())
        return task


SELF_TEST = SelfTest()
