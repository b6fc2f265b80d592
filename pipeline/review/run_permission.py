"""Whether a run may run code: where the settings allow it, and as long as its sandbox holds."""

from weakref import WeakKeyDictionary

from pipeline.errors import SandboxUnavailable
from pipeline.run import Run
from pipeline.testcases.case_runner import require_sandbox

_SANDBOXED: WeakKeyDictionary[Run, bool] = WeakKeyDictionary()


async def may_run(run: Run) -> bool:
    """Whether code can be run safely here and the settings allow it. It takes a process to find
    out, so once in a run."""
    if run.settings.EVIDENCE_RUN == "off":
        return False
    if run not in _SANDBOXED:
        try:
            await require_sandbox(run.settings)
            _SANDBOXED[run] = True
        except SandboxUnavailable:
            _SANDBOXED[run] = False
    return _SANDBOXED[run]


def run_no_more(run: Run) -> None:
    """Has `may_run` say no from now on: the sandbox has failed, which may take seconds."""
    _SANDBOXED[run] = False
