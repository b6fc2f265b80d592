"""Starts bwrap with everything that it inherits: pipes, files, its words and the filter."""

import itertools
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO

from pipeline.errors import SandboxUnavailable
from pipeline.sandbox import bubblewrap, seccomp
from pipeline.sandbox.bwrap_errors import INSTALL
from pipeline.sandbox.limits import Limits
from pipeline.sandbox.pipes import Pipes
from pipeline.sandbox.toolchain import Toolchain

# User ids that no system gives away (systemd.io/UIDS-GIDS calls them unused).
_FIRST_USER, _LAST_USER = 0x70000000, 0x7FFFFFEF
_FEW = 1000  # in a container, of the few ids that it has, the last ones
_UID_MAP = Path("/proc/self/uid_map")
_ROOT_ALONE = (
    "In this container root is the only user, so a program could not be given one of its own. Give "
    "the container a range of user ids (/etc/subuid), or run laios as another user than root."
)
_numbers = itertools.count(os.getpid() << 12)


def launch(
    command: Sequence[str],
    tools: Toolchain,
    files: Mapping[str, bytes],
    limits: Limits,
    pipes: Pipes,
) -> subprocess.Popen[bytes]:
    """bwrap, which builds the sandbox, tells about it on `pipes.status` and waits at the gate.

    Its environment is empty and no other descriptor of this process is open in it. Raises
    SandboxUnavailable where there is no bwrap or no filter.
    """
    bwrap = shutil.which("bwrap")
    if not bwrap:
        raise SandboxUnavailable(f"bubblewrap (bwrap) is not installed: {INSTALL}.")
    user = _nobody_else() if os.geteuid() == 0 else None
    variables = {"REPORT_FD": str(pipes.report.theirs)}
    with ExitStack() as stack:

        def inherited(content: bytes) -> int:
            return stack.enter_context(_holding(content)).fileno()

        descriptors = {name: inherited(content) for name, content in files.items()}
        words = bubblewrap.words(tools, descriptors, limits, variables)
        arguments = inherited("\0".join(words).encode())
        rules = inherited(seccomp.program())
        return subprocess.Popen(
            [
                *(bwrap, "--args", str(arguments), "--seccomp", str(rules)),
                *("--json-status-fd", str(pipes.status.theirs)),
                *("--block-fd", str(pipes.gate.theirs)),
                *bubblewrap.started(command, tools, user),
            ],
            stdin=pipes.stdin.theirs,
            stdout=pipes.stdout.theirs,
            stderr=pipes.stderr.theirs,
            env={},
            cwd="/",
            pass_fds=(
                *(*descriptors.values(), arguments, rules),
                *(pipes.report.theirs, pipes.status.theirs, pipes.gate.theirs),
            ),
        )


def _nobody_else() -> int:
    """A user id for one sandbox alone: the kernel counts the processes of a user, and lets a user
    signal its own. Raises SandboxUnavailable where there is none but root."""
    ids = [line.split() for line in _UID_MAP.read_text("ascii").splitlines()]
    end = max(int(first) + int(count) for first, _, count in ids)
    if end < 2:
        raise SandboxUnavailable(_ROOT_ALONE)
    first = _FIRST_USER if end > _LAST_USER else max(1, end - _FEW)
    return first + next(_numbers) % (min(end, _LAST_USER) - first)


def _holding(content: bytes) -> IO[bytes]:
    """In memory: a disk that is full is no reason to run nothing."""
    file = os.fdopen(os.memfd_create("laios"), "w+b")
    file.write(content)
    file.seek(0)
    return file
