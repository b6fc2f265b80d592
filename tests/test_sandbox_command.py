"""`laios sandbox check`."""

import asyncio
import json
import os
import sys

import pytest
from processes import invoke
from sandboxes import require_sandbox

from pipeline.sandbox import check as checked
from pipeline.sandbox.probes import LIMITS, PROBES, victim
from pipeline.sandbox.runner import attempt

pytestmark = [
    pytest.mark.only_when("server/commands/sandbox.py", "server/terminal/", "pipeline/sandbox/"),
    pytest.mark.skipif(sys.platform != "linux", reason="test_sandbox_macos.py is there"),
]
WITHOUT_FILTER = """#!/bin/bash
words=()
while (($#)); do
  if [[ $1 == --seccomp ]]; then shift 2; else words+=("$1"); shift; fi
done
exec /usr/bin/bwrap "${words[@]}"
"""


def test_it_proves_what_is_held_back():
    """Every probe in a row of its own, with how it was seen; exit code 0."""
    require_sandbox()
    done = invoke("sandbox", "check")
    assert done.returncode == 0, done.stdout
    lines = done.stdout.splitlines()
    assert lines[-1] == "Code can be run safely here."
    rows = [line.split("  ") for line in lines if line.startswith("  ✓ ")]
    assert len(rows) == len(lines) - 2
    seen = {row[1].removeprefix("✓ ") for row in rows}
    assert seen >= {"files", "network", "system calls", "nothing stays", "memory of all together"}


def test_without_bubblewrap_it_says_what_to_install(tmp_path):
    """And so the exit code is 1, also in JSON."""
    done = invoke("sandbox", "check", PATH=str(tmp_path))
    assert done.returncode == 1
    assert "→ apt install bubblewrap" in done.stdout
    assert done.stdout.endswith("Code cannot be run safely here.\n")
    told = json.loads(invoke("sandbox", "check", "--json", PATH=str(tmp_path)).stdout)
    assert told["safe"] is False
    (row,) = told["checks"]
    assert (row["name"], row["enforced"]) == ("sandbox", False)


def test_a_hole_is_found(tmp_path):
    """Here bwrap is one that puts no filter on system calls."""
    require_sandbox()
    (tmp_path / "bwrap").write_text(WITHOUT_FILTER)
    (tmp_path / "bwrap").chmod(0o755)
    done = invoke("sandbox", "check", "--json", PATH=f"{tmp_path}:/usr/bin:/bin")
    assert done.returncode == 1
    told = json.loads(done.stdout)
    assert told["safe"] is False
    holes = [row for row in told["checks"] if not row["enforced"]]
    assert [row["name"] for row in holes] == ["system calls"]
    assert "that you have not read" in holes[0]["fix"]


@pytest.mark.parametrize("words", [["sandbox"], ["sandbox", "--help"]])
def test_its_help_names_the_command(words):
    """`laios sandbox` alone says what can be asked of it, too."""
    done = invoke(*words)
    assert "check" in done.stdout + done.stderr


def test_where_it_is_stopped_nothing_of_it_goes_on(monkeypatch):
    """Ctrl-C: every sandbox is taken down before the command ends, and so without a trace."""
    require_sandbox()
    begun: list[str] = []

    async def probe() -> tuple[bool, str]:
        begun.append("")
        await attempt({}, ("sh", "-c", "sleep 600"), LIMITS)
        return True, ""

    async def stop() -> None:
        task = asyncio.create_task(checked())
        while len(begun) < len(PROBES):
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert asyncio.all_tasks() == {asyncio.current_task()}

    for name in PROBES:
        monkeypatch.setitem(PROBES, name, probe)
    asyncio.run(stop())


async def test_a_process_that_is_to_be_attacked_does_not_get_ctrl_c():
    """A terminal sends it to all of the command's group, and a Python there shows its trace."""
    async with victim() as process:
        assert os.getpgid(process.pid) != os.getpgid(0)
