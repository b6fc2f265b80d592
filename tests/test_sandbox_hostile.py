"""Hostile programs in the sandbox, as root and as an ordinary user. What they did is seen from
outside; what they say counts only against them."""

import os
import secrets
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
from hostile import ALL, HARMLESS, PRELUDE, REFUSED, Hostile
from sandboxes import SMALL, Here, Worker, World, processes, require_sandbox, worker, world

from pipeline.sandbox import Limits, Outcome

pytestmark = [
    pytest.mark.only_when(
        "pipeline/sandbox/", "tests/hostile.py", "tests/sandboxes.py", "tests/sandbox_worker.py"
    ),
    pytest.mark.skipif(sys.platform != "linux", reason="test_sandbox_macos.py is there"),
]
IMPATIENT = replace(SMALL, wall_s=0.7)


@pytest.fixture(scope="module")
def outside() -> Iterator[World]:
    require_sandbox()
    with world() as made:
        yield made


@pytest.fixture(scope="module", params=["root", "user"])
def sandbox(request: pytest.FixtureRequest, outside: World) -> Iterator[Here | Worker]:
    """Starts sandboxes as root, and as a user without any right."""
    is_root = os.geteuid() == 0
    if request.param == "root" and not is_root:
        pytest.skip("the tests do not run as root")
    if request.param == "user" and is_root:
        with worker(outside.place) as made:
            yield made
    else:
        yield Here()


async def started(
    sandbox: Here | Worker, outside: World, code: str, tag: str, limits: Limits
) -> Outcome:
    command = ["python", "program.py", tag, *outside.words]
    return await sandbox.run({"program.py": PRELUDE + code}, command, limits)


def limits_for(hostile: Hostile) -> Limits:
    """Programs that have to be stopped by the clock are not waited for long."""
    return IMPATIENT if "timeout" in hostile.ends else SMALL


@pytest.mark.parametrize("hostile", ALL, ids=lambda hostile: hostile.name.replace(" ", "-"))
async def test_a_hostile_program_does_no_harm(
    hostile: Hostile, sandbox: Here | Worker, outside: World
):
    """It ends as it has to, and outside nothing was read, written, reached, ended or left."""
    tag = secrets.token_hex(8)
    outcome = await started(sandbox, outside, hostile.code, tag, limits_for(hostile))
    assert outside.harm(tag, outcome) == []
    assert ends(outcome) & set(hostile.ends), outcome


def ends(outcome: Outcome) -> set[str]:
    """The words for how a program ended."""
    lines = outcome.stdout.splitlines()
    tried = [line for line in lines if line.startswith(("did ", "refused "))]
    ended = outcome.ended
    words = {"died" if ended == "signal" else ended}
    if ended == "exited" and outcome.exit == 0:
        words.add(HARMLESS)
        if tried and not any(line.startswith("did ") for line in tried):
            words.add(REFUSED)
    return words


@contextmanager
def counting(tag: str) -> Iterator[list[int]]:
    """Counts the processes with a tag all the while."""
    counts: list[int] = []
    over = threading.Event()

    def count() -> None:
        while not over.wait(0.005):
            counts.append(len(processes(tag)))

    thread = threading.Thread(target=count)
    thread.start()
    try:
        yield counts
    finally:
        over.set()
        thread.join()


async def test_a_fork_bomb_has_no_more_processes_than_it_may(
    sandbox: Here | Worker, outside: World
):
    """Counted from outside, while it goes on."""
    tag = secrets.token_hex(8)
    bomb = "while True:\n    try: os.fork()\n    except OSError: pass"
    with counting(tag) as counts:
        await started(sandbox, outside, bomb, tag, IMPATIENT)
    # The commands that build the sandbox (bwrap twice, setpriv) carry the tag as well.
    assert 4 < max(counts) <= SMALL.processes + 3
