"""Check the virtual environment whose packages programs in the sandbox may import."""

from collections.abc import Iterator

from config import Settings
from pipeline.errors import SandboxUnavailable
from server.doctor.check_result import CheckResult


def check_sandbox_venv(settings: Settings) -> Iterator[CheckResult]:
    """Whether it is one, and what it has; nothing where none is set."""
    from pipeline.sandbox.toolchain import toolchain

    venv = settings.SANDBOX_VENV
    if venv is None:
        return
    facts = {"directory": str(venv)}
    try:
        toolchain("python", venv)
    except SandboxUnavailable as error:
        fix = f"python3 -m venv {venv} && {venv}/bin/pip install numpy pandas"
        yield CheckResult("sandbox_venv", "problem", f"SANDBOX_VENV: {error.message}", fix, facts)
        return
    packages = len([*venv.glob("lib/python*/site-packages/*.dist-info")])
    seen = f"Python programs in the sandbox can import the {packages} packages of {venv}."
    yield CheckResult("sandbox_venv", "ok", seen, "", {**facts, "packages": packages})
