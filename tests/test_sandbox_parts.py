"""The parts of the sandbox that need none: the system call filter, the command line, the cgroup."""

import errno
import socket
import struct
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.sandbox import Limits, SandboxUnavailable, cgroup, launch, run
from pipeline.sandbox.bubblewrap import started, words
from pipeline.sandbox.seccomp import DENIED, MACHINES, UNSUPPORTED, program
from pipeline.sandbox.toolchain import Toolchain

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="test_sandbox_macos.py is there")
LIMITS = Limits(wall_s=4, cpu_s=1, memory_mb=64, processes=8, output_bytes=4096, files_mb=4)
ALLOWED, KILLED, DENIED_EPERM = 0x7FFF0000, 0x80000000, 0x00050000 | errno.EPERM
HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}


def verdict(filter_: bytes, number: int, audit: int, *arguments: int) -> int:
    """What the kernel would answer: an interpreter of the few instructions that are used."""
    data = struct.pack("=IIQ6Q", number, audit, 0, *arguments, *[0] * (6 - len(arguments)))
    lines = [struct.unpack_from("=HBBI", filter_, at) for at in range(0, len(filter_), 8)]
    at, loaded = 0, 0
    while True:
        code, if_true, if_false, value = lines[at]
        at += 1
        match code:
            case 0x20:
                (loaded,) = struct.unpack_from("=I", data, value)
            case 0x15:
                at += if_true if loaded == value else if_false
            case 0x35:
                at += if_true if loaded >= value else if_false
            case 0x45:
                at += if_true if loaded & value else if_false
            case 0x06:
                return value
            case _:
                raise AssertionError(f"unknown instruction {code:#x}")


@pytest.mark.parametrize("name", MACHINES)
def test_the_filter_denies_what_is_listed_and_allows_the_rest(name):
    """On both architectures, whichever runs the test."""
    machine, filter_ = MACHINES[name], program(name)
    denied = {numbers[machine.column] for numbers in DENIED.values()} - {None}
    unsupported = {numbers[machine.column] for numbers in UNSUPPORTED.values()}
    special = {machine.clone, machine.socket, machine.socketpair, machine.ioctl, 435}
    for number in range(470):
        if number not in special:
            expected = DENIED_EPERM if number in denied else ALLOWED
            if number in unsupported:
                expected = 0x00050000 | errno.EOPNOTSUPP
            assert verdict(filter_, number, machine.audit) == expected, number


@pytest.mark.parametrize("name", MACHINES)
def test_the_filter_looks_at_arguments(name):
    """Namespaces by clone, unusual sockets, typing into the terminal, memory that nobody counts;
    clone3 is not there."""
    machine, filter_ = MACHINES[name], program(name)

    def ask(number: int, *arguments: int) -> int:
        return verdict(filter_, number, machine.audit, *arguments)

    assert ask(machine.clone, 17) == ALLOWED
    assert ask(machine.clone, 0x3D0F00) == ALLOWED  # a thread of glibc
    for kind in (0x80, 0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 1 << 30):
        assert ask(machine.clone, 17 | kind) == DENIED_EPERM
    assert ask(435) == 0x00050000 | errno.ENOSYS
    for call in (machine.socket, machine.socketpair):
        for family in range(50):
            usual = family in (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6)
            assert ask(call, family) == (ALLOWED if usual else DENIED_EPERM)
    assert ask(machine.ioctl, 0, 0x5413) == ALLOWED
    assert ask(machine.ioctl, 0, 0x5412) == DENIED_EPERM
    assert ask(machine.ioctl, 0, 0xFFFFFFFF_00005412) == DENIED_EPERM  # the upper half is ignored
    assert ask(machine.mmap, 0, 4096, 3, 0x21) == DENIED_EPERM  # shared, without a file
    assert ask(machine.mmap, 0, 4096, 3, 0x23) == DENIED_EPERM
    assert ask(machine.mmap, 0, 4096, 3, 0x122) == DENIED_EPERM  # a stack, which grows downwards
    assert ask(machine.mmap, 0, 4096, 3, 0x22) == ask(machine.mmap, 0, 4096, 3, 0x01) == ALLOWED
    assert ask(machine.setsockopt, 3, socket.SOL_SOCKET, socket.SO_SNDBUF) == DENIED_EPERM
    assert ask(machine.setsockopt, 3, socket.SOL_SOCKET, socket.SO_REUSEADDR) == ALLOWED
    assert ask(machine.setsockopt, 3, socket.IPPROTO_TCP, socket.SO_SNDBUF) == ALLOWED


@pytest.mark.parametrize("name", MACHINES)
def test_calls_of_another_architecture_end_the_process(name):
    """Those of i386 and of x32, which number their calls otherwise."""
    machine, filter_ = MACHINES[name], program(name)
    assert verdict(filter_, 39, 0x40000003) == KILLED  # i386
    assert verdict(filter_, 0x40000000 | 39, machine.audit) == KILLED  # x32


@pytest.mark.parametrize("name", MACHINES)
def test_the_numbers_are_the_kernels(name):
    """Read from its headers, where they are installed."""
    if not HEADERS[name].exists():
        pytest.skip(f"{HEADERS[name]} is not installed")
    numbers = {}
    for line in HEADERS[name].read_text().splitlines():
        match line.split():
            case ["#define", name_, number] if name_.startswith("__NR") and number.isdigit():
                numbers[name_.removeprefix("__NR3264").removeprefix("__NR").strip("_")] = int(
                    number
                )
    column = MACHINES[name].column
    for call, row in (DENIED | UNSUPPORTED).items():
        if row[column] is not None and (plain := call.strip("_")) in numbers:
            assert numbers[plain] == row[column], call
    assert len(numbers) > 300


def test_an_unknown_architecture_is_refused():
    """Without numbers of calls there is no filter; the error names the architecture."""
    with pytest.raises(SandboxUnavailable, match="riscv64"):
        program("riscv64")


def test_only_the_system_and_the_interpreter_are_bound_and_never_for_writing():
    """Nothing of the user's, whoever that is."""
    tools = Toolchain(Path("/opt/py/bin/python"), [Path("/opt/py")])
    made = words(tools, {}, LIMITS, {})
    assert "--bind" not in made
    devices = [made[at + 1 : at + 3] for at, word in enumerate(made) if word == "--dev-bind"]
    assert devices == [["/dev/full", "/dev/zero"]]
    bound = {made[at + 1] for at, word in enumerate(made) if word.startswith("--ro-bind")}
    assert bound >= {"/usr", "/opt/py"}
    assert not any(path.startswith(("/home", "/root", "/run", "/var", "/sys")) for path in bound)
    sizes = [made[at - 1] for at, word in enumerate(made) if word == "--tmpfs"]
    assert sizes == ["8000000", "4000000"]  # each one has a size


def test_root_becomes_nobody_without_capabilities_and_others_get_a_namespace():
    """Root drops to a user of its own by setpriv; a user needs a namespace, and no setpriv."""
    tools = Toolchain(Path("/usr/bin/python3"))
    root = started(["python", "x.py"], tools, 1_900_000_000)
    assert root[:2] == ["--cap-drop", "ALL"]
    assert root[root.index("--reuid") + 1] == "1900000000"
    assert root[-2:] == ["/usr/bin/python3", "x.py"]
    user = started(["python", "x.py"], tools, None)
    assert user[0] == "--unshare-user"
    assert "setpriv" not in user


@pytest.fixture
def groups(tmp_path, monkeypatch) -> Iterator[Path]:
    """The group that laios runs in, `user/app/laios`, in a directory that looks like cgroup v2."""
    above = tmp_path / "user" / "app"
    (above / "laios").mkdir(parents=True)
    (above / "cgroup.procs").touch()
    (above / "cgroup.subtree_control").write_text("cpu memory pids\n")
    own = tmp_path / "own"
    own.write_text("3:cpu:/\n0::/user/app/laios\n")
    monkeypatch.setattr(cgroup, "_ROOT", tmp_path)
    monkeypatch.setattr(cgroup, "_OWN", own)
    cgroup._found_parent.cache_clear()
    yield above
    cgroup._found_parent.cache_clear()


def test_a_sandbox_gets_a_group_beside_that_of_laios(groups):
    """With its bounds before the process is in it; what the kernel counted comes back."""
    group = cgroup.Cgroup.make(LIMITS, 4711)
    assert group
    (made,) = groups.glob("laios-sandbox-*")
    assert {path.name: path.read_text() for path in made.iterdir()} == {
        "memory.max": "68000000",
        "memory.oom.group": "1",
        "memory.swap.max": "0",
        "pids.max": "9",
        "cgroup.procs": "4711",
    }
    (made / "memory.events").write_text("low 0\nmax 7\noom 1\noom_kill 2\n")
    (made / "memory.peak").write_text("50000000\n")
    assert group.remove() == cgroup.MemoryUsage(ran_out=True, peak_mb=50)


@pytest.mark.parametrize("own", ["0::/\n", "0::/elsewhere/laios\n", "3:memory:/x\n", ""])
def test_where_the_groups_are_not_ours_there_is_none(own, groups, tmp_path):
    """Where laios' own group is the root, is not there, is of the old kind or is not told."""
    (tmp_path / "own").write_text(own)
    assert cgroup.parent_group() is None
    assert cgroup.Cgroup.make(LIMITS, 4711) is None


def test_a_group_that_cannot_be_looked_for_once_is_found_later(groups, tmp_path, monkeypatch):
    """As without a free descriptor: not for as long as the daemon runs."""
    monkeypatch.setattr(cgroup, "_OWN", tmp_path)  # a directory, which nobody can read as a file
    assert cgroup.parent_group() is None
    monkeypatch.setattr(cgroup, "_OWN", tmp_path / "own")
    assert cgroup.parent_group() == groups


async def test_a_real_group_counts_what_no_process_has():
    """Buffers of sockets, which only the kernel can bound."""
    if cgroup.parent_group() is None:
        pytest.skip("laios's cgroup is not one that groups can be made beside (cgroup v2)")
    code = """
import os, socket, time
for _ in range(6): os.fork()
kept = [socket.socketpair() for _ in range(50)]
for one, other in kept:
    one.setblocking(False)
    try:
        while True: one.send(b"x" * 4096)
    except OSError: pass
time.sleep(60)
"""
    outcome = await run({"program.py": code}, ["python", "program.py"], LIMITS)
    assert outcome.ended == "memory"


@pytest.mark.parametrize(
    ("ids", "least", "most"),
    [
        ("0 0 4294967295\n", 0x70000000, 0x7FFFFFEF),
        ("0 1000 1\n1 100000 65536\n", 64537, 65536),
    ],
)
def test_each_sandbox_of_root_has_a_user_of_its_own(ids, least, most, tmp_path, monkeypatch):
    """One that nobody else is, also in a container that has few."""
    (tmp_path / "uid_map").write_text(ids)
    monkeypatch.setattr(launch, "_UID_MAP", tmp_path / "uid_map")
    users = [launch._nobody_else() for _ in range(50)]
    assert len(set(users)) == 50
    assert all(least <= user <= most for user in users)


def test_where_root_is_the_only_user_there_is_no_sandbox(tmp_path, monkeypatch):
    """As in a container of a user without subordinate ids: what helps is said, and drafts are not
    run."""
    (tmp_path / "uid_map").write_text("         0       1000          1\n")
    monkeypatch.setattr(launch, "_UID_MAP", tmp_path / "uid_map")
    with pytest.raises(SandboxUnavailable, match="only user"):
        launch._nobody_else()
