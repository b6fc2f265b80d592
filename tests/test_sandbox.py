"""One command in the sandbox of Linux: what goes in, what comes out, and that nothing stays."""

import asyncio
import errno
import json
import os
import re
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import venv
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from processes import wait_for
from sandboxes import ROOT, SMALL, processes, require_sandbox

from config import Settings
from pipeline.sandbox import (
    INTERPRETERS,
    Limits,
    Outcome,
    SandboxUnavailable,
    bwrap_errors,
    launch,
    linux,
    run,
)
from pipeline.sandbox.linux import LinuxSandbox
from pipeline.sandbox.toolchain import toolchain

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="test_sandbox_macos.py is there")
SLEEPER = "import subprocess, sys, time\nsubprocess.Popen(['sleep', '600'])\ntime.sleep(600)"
NOBODYS = 1 << 22  # no process has such a high number


@pytest.fixture(autouse=True, scope="module")
def a_sandbox():
    require_sandbox()


async def python(code: str, *words: str, limits: Limits = SMALL, **options) -> Outcome:
    return await run({"program.py": code}, ["python", "program.py", *words], limits, **options)


def assert_true_of_its_own(program: str) -> None:
    """That a program prints True, in a process of its own with the tests' modules."""
    path = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=50,
    )
    assert done.stdout == "True\n", done.stderr


def test_limits_above_what_the_user_may_have_are_the_user_s():
    """As `ulimit` or a service gives them: nobody could set higher ones, and code would not run."""
    program = """
import asyncio, resource
from dataclasses import replace
from sandboxes import SMALL
from pipeline.sandbox import run

own = {"NPROC": 90_000, "NOFILE": 100, "FSIZE": 64_000_000, "DATA": 8 << 30, "STACK": 4 << 20}
for name, most in own.items():
    bound = getattr(resource, f"RLIMIT_{name}")
    _, now = resource.getrlimit(bound)
    own[name] = most if now == resource.RLIM_INFINITY else min(most, now)
    resource.setrlimit(bound, (own[name], own[name]))
limits = replace(SMALL, processes=1_000_000, files_mb=100_000, memory_mb=100_000)
shown = "; ".join(f"print(resource.getrlimit(resource.RLIMIT_{name})[1])" for name in own)
command = ["python", "-c", f"import resource; {shown}"]
print([*map(int, asyncio.run(run({}, command, limits)).stdout.split())] == [*own.values()])
"""
    assert_true_of_its_own(program)


async def test_a_program_of_several_files_reads_and_prints():
    """Files in directories, standard input, both outputs, the exit status and the report."""
    code = """
import os, sys
from parts.double import double
print(double(input()), open("data.bin", "rb").read())
print("trouble", file=sys.stderr)
os.write(int(os.environ["REPORT_FD"]), b"told")
sys.exit(3)
"""
    files = {
        "program.py": code,
        "parts/double.py": "def double(text): return 2 * text",
        "data.bin": b"\0\xff",
    }
    outcome = await run(files, ["python", "program.py"], SMALL, stdin="ähm\n".encode())
    assert outcome.stdout == "ähmähm b'\\x00\\xff'\n"
    assert (outcome.stderr, outcome.report) == ("trouble\n", b"told")
    assert (outcome.exit, outcome.ended) == (3, "exited")
    assert 0 < outcome.duration_s < 10


async def test_input_may_be_longer_than_a_pipe_and_need_not_be_read():
    """A megabyte arrives whole, and a program that reads none of it ends."""
    long = b"x" * 1_000_000
    read = await python("import sys; print(len(sys.stdin.read()))", stdin=long)
    assert read.stdout == "1000000\n"
    assert (await python("print('done')", stdin=long)).stdout == "done\n"


async def test_output_is_cut_with_a_mark():
    """The beginning is kept; the mark says how much is missing."""
    outcome = await python("print('x' * 9999, end='')")
    assert outcome.ended == "exited"
    assert outcome.stdout == "x" * 4096 + "\n… 5903 more bytes"


@pytest.mark.parametrize("name", ["../out.py", "/tmp/out.py", "", "a/../../b", "a\0b"])
async def test_a_file_name_that_leads_out_is_refused(name):
    """Names with `..`, absolute, empty or with a NUL are a ValueError."""
    with pytest.raises(ValueError, match="no name for a file"):
        await run({name: ""}, ["sh", "-c", "true"], SMALL)


async def test_the_settings_are_the_limits():
    """Of time and memory, and a program that sleeps beyond them is ended."""
    limits = Limits.of(Settings(SANDBOX_WALL_S=0.3, SANDBOX_MEMORY_MB=50))
    assert (limits.wall_s, limits.memory_mb) == (0.3, 50)
    outcome = await python("import time; time.sleep(60)", limits=limits)
    assert (outcome.ended, outcome.exit) == ("timeout", None)
    assert 0.25 < outcome.duration_s < 10


async def test_the_peak_of_memory_is_told():
    """In megabytes, of what the program held at its most."""
    code = "x = bytearray(40_000_000); import time; time.sleep(0.3)"
    peak = (await python(code)).peak_memory_mb
    assert peak is not None and 40 < peak < 64


TAKES = """
import os, time
os.fork()
with open("/proc/self/comm", "w") as name:
    name.write("lost")
time.sleep(0.2)
x = b"x" * 45_000_000
time.sleep(600)
"""


async def test_memory_is_watched_while_the_event_loop_stands():
    """Other work of the daemon's may hold it up for seconds; the clock goes on as well."""
    command, tag = ["python", "program.py"], secrets.token_hex(8)
    for code, limits, ended in (
        (TAKES, SMALL, "memory"),
        (SLEEPER, replace(SMALL, wall_s=0.2), "timeout"),
    ):
        files = {"program.py": code.encode()}
        box = LinuxSandbox([*command, tag], toolchain("python", None), files, limits, b"")
        try:
            await box.open()
            wait_for(lambda: not processes(tag))  # the loop does not come by meanwhile
            assert (await box.outcome()).ended == ended
        finally:
            await box.end()


async def test_a_process_is_watched_whatever_becomes_of_its_parent(monkeypatch):
    """A look takes time, in which a parent can end: who started a process is then not told."""
    read = Path.read_text
    orphans: set[Path] = set()

    def read_late(path: Path, *words: str) -> str:
        text = read(path, *words)
        if "Name:\tlost\n" in text and path not in orphans:
            orphans.add(path)
            text = re.sub("PPid:.*", f"PPid:\t{NOBODYS}", text)
        return text

    monkeypatch.setattr(Path, "read_text", read_late)
    outcome = await python(TAKES, limits=replace(SMALL, wall_s=5))
    assert orphans
    assert outcome.ended == "memory"


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("python", "print(6 * 7)"),
        ("javascript", "console.log(6 * 7)"),
        ("bash", "[[ 1 ]] && echo $((6 * 7))"),
        ("shell", "echo $((6 * 7))"),
        ("perl", "print 6 * 7, qq(\\n)"),
    ],
)
async def test_programs_of_other_languages_run(language, code):
    """By the command of their row, where the interpreter is installed; else its name is told."""
    row = INTERPRETERS[language]
    limits = replace(SMALL, memory_mb=256, processes=32)
    try:
        outcome = await run({row.file: code}, row.command, limits)
    except SandboxUnavailable as error:
        assert row.command[0] in error.message
        pytest.skip(error.message)
    assert outcome.stdout == "42\n", outcome


async def test_a_missing_interpreter_is_named():
    """It is said which one is not there."""
    with pytest.raises(SandboxUnavailable, match="no 'cobolt'"):
        await run({}, ["cobolt", "x"], SMALL)


async def test_a_virtual_environment_is_there_read_only(tmp_path):
    """Its interpreter and its packages, wherever it lies; without it the packages are not there."""
    venv.create(tmp_path / "env", symlinks=True, with_pip=False)
    (packages,) = (tmp_path / "env").glob("lib/python*/site-packages")
    (packages / "of_the_user.py").write_text("answer = 42")
    code = """
import sys, of_the_user
print(of_the_user.answer, sys.prefix)
try:
    open(of_the_user.__file__, "w")
except OSError as error:
    print(type(error).__name__)
"""
    outcome = await python(code, environment=tmp_path / "env")
    assert outcome.stdout.split("\n")[0] == f"42 {tmp_path / 'env'}", outcome
    assert outcome.stdout.split("\n")[1] in {"OSError", "PermissionError"}
    assert (packages / "of_the_user.py").read_text() == "answer = 42"
    assert "ModuleNotFoundError" in (await python(code)).stderr
    with pytest.raises(SandboxUnavailable, match="no virtual environment"):
        await python(code, environment=tmp_path)


async def test_an_interpreter_among_the_users_files_is_refused(tmp_path, monkeypatch):
    """To show it would show them."""
    home = tmp_path / "home"
    (home / "bin").mkdir(parents=True)
    (home / "bin" / "mine").symlink_to("/bin/sh")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("PATH", f"{home / 'bin'}:/usr/bin:/bin")
    with pytest.raises(SandboxUnavailable, match="the user's own files"):
        await run({}, ["mine", "-c", "true"], SMALL)


@pytest.mark.parametrize("after", [0, 0.002, 0.01, 0.3])
async def test_a_cancellation_leaves_nothing(after):
    """Whenever it comes, also twice: when it is through, every process and descriptor is gone."""
    tag = secrets.token_hex(8)
    await python("pass")
    before = psutil.Process().num_fds()
    task = asyncio.create_task(python(SLEEPER, tag))
    await asyncio.sleep(after)
    task.cancel()
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert processes(tag) == []
    assert psutil.Process().num_fds() <= before


async def test_a_cancellation_while_a_sandbox_is_taken_down_leaves_nothing(monkeypatch):
    """The program is over, and what is left of it is being waited for."""
    await python("pass")
    before = psutil.Process().num_fds()
    take_down, boxes = LinuxSandbox.end, []

    async def end(box: LinuxSandbox) -> None:
        boxes.append(box)
        task.cancel()
        await take_down(box)

    monkeypatch.setattr(LinuxSandbox, "end", end)
    task = asyncio.create_task(python("pass"))
    with pytest.raises(asyncio.CancelledError):
        await task
    assert boxes and psutil.Process().num_fds() <= before


async def test_many_runs_leave_no_descriptor():
    """Twelve at a time leave no more open than there were before."""
    await python("pass")
    before = psutil.Process().num_fds()
    await asyncio.gather(*(python("pass") for _ in range(12)))
    assert psutil.Process().num_fds() <= before


async def test_runs_wait_for_a_free_core_and_their_time_does_not_pass():
    """Many at once are no more processes at once than there are cores."""
    limits = replace(SMALL, wall_s=2)
    count = 3 * (os.cpu_count() or 1)
    code = "import time; time.sleep(0.5)"
    begun = time.monotonic()
    outcomes = await asyncio.gather(*(python(code, limits=limits) for _ in range(count)))
    assert {outcome.ended for outcome in outcomes} == {"exited"}
    assert time.monotonic() - begun > 1.4


def test_a_sandbox_dies_with_the_process_that_started_it():
    """Also when that one had no time to do anything about it."""
    tag = secrets.token_hex(8)
    code = (
        "import asyncio, sys; from pipeline.sandbox import *;"
        f"asyncio.run(run({{'program.py': {SLEEPER!r}}}, ['python', 'program.py', sys.argv[1]],"
        " Limits(60, 5, 64, 8, 4096, 4)))"
    )
    daemon = subprocess.Popen([sys.executable, "-c", code, tag], cwd=ROOT)
    try:
        # itself, bwrap and its first process, the program
        wait_for(lambda: len(processes(tag)) >= 4)
    finally:
        daemon.send_signal(signal.SIGKILL)
        daemon.wait()
    wait_for(lambda: not processes(tag))


def test_where_app_armor_is_in_the_way_its_profile_is_named(tmp_path, monkeypatch):
    """Ubuntu restricts user namespaces by it; where it does not, they are off."""
    switch = tmp_path / "restrict"
    monkeypatch.setattr(bwrap_errors, "_APPARMOR", switch)
    for said, advice in (("1\n", "apparmor-profiles"), ("0\n", "user namespaces are off")):
        switch.write_text(said)
        assert advice in bwrap_errors.explained("bwrap: setting up uid map: Permission denied")


@pytest.mark.parametrize("prompt", ["write add(a, b), add(1, 2) == 3", "///plan print the time"])
async def test_where_there_is_no_sandbox_no_mode_runs_what_a_model_wrote(
    pipeline_with, prompt, tmp_path, monkeypatch
):
    """Neither as evidence nor as a plan's program: it is handed out unrun."""
    monkeypatch.setenv("PATH", str(tmp_path))
    mark = tmp_path / "it-ran"
    program = f"open({str(mark)!r}, 'w')\n\n\ndef add(a: int, b: int) -> int:\n    return a + b\n"
    plan = {
        "understanding": "",
        "requires_visualization": False,
        "libraries_needed": [],
        "data_files": [],
        "steps": [
            {"step_number": n, "description": "d", "search_query": "", "focus": ""}
            for n in (1, 2, 3)
        ],
    }
    rules = [
        {"role": "intake", "reply": '{"type": "code"}'},
        {"role": "planner", "reply": json.dumps(plan)},
        {"role": "explainer", "reply": "-"},
        {"role": "judge", "verdict": [9, 1, "It is right."]},
        {"role": "coder", "reply": program},
    ]
    async with pipeline_with(*rules, EVIDENCE_RUN="auto", COMPARE_DRAFTS="auto") as run:
        assert "def add" in await run(prompt)
    assert not mark.exists()


@pytest.mark.parametrize(
    ("script", "advice"),
    [
        (None, "apt install bubblewrap"),
        ("bwrap: Unknown option --size", "0.8 or newer"),
        ("bwrap: setting up uid map: Permission denied", "user namespaces are off"),
        ("bwrap: Can't mount proc on /newroot/proc: Operation not permitted", "hides parts of"),
    ],
)
async def test_without_a_sandbox_nothing_runs(script, advice, tmp_path, monkeypatch):
    """It is refused with what helps."""
    monkeypatch.setattr(bwrap_errors, "_APPARMOR", tmp_path / "none")
    if script:
        fake = tmp_path / "bwrap"
        fake.write_text(f'#!/bin/sh\necho "{script}" >&2\nexit 1\n')
        fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    mark = Path(f"/tmp/{secrets.token_hex(8)}")
    before = psutil.Process().num_fds()
    with pytest.raises(SandboxUnavailable, match=advice) as refused:
        await python(f"open({str(mark)!r}, 'w')")
    assert refused.value.code == "sandbox_unavailable"
    assert not mark.exists()
    while psutil.Process().num_fds() > before:  # the pipes close when the loop comes by
        await asyncio.sleep(0.01)


async def test_a_full_disk_is_no_reason_to_run_nothing(monkeypatch):
    """What goes into a sandbox is held in memory; here no file can be made at all."""
    monkeypatch.setattr(tempfile, "tempdir", "/nowhere")
    assert (await python("print(1)")).stdout == "1\n"


async def test_where_no_process_can_be_started_the_draft_is_handed_out_unrun(
    pipeline_with, monkeypatch
):
    """Of processes, memory and descriptors there may be none left: that is no mistake of laios'."""

    def none_left(*words, **options):
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))

    rules = [{"role": "coder", "reply": "x = 1\n"}, {"role": "judge", "verdict": [9, 1, ""]}]
    async with pipeline_with(*rules, EVIDENCE_RUN="auto") as run:
        monkeypatch.setattr(launch.subprocess, "Popen", none_left)
        assert await run("write one") == "x = 1\n"
        with pytest.raises(SandboxUnavailable, match="No sandbox can be built now"):
            await run("///test write one")


DOUBLES = (
    "def double(x):\n    return 2 * x\n",
    "def double(x):\n    return x + x\n",
    "def double(x):\n    return x * 3\n",
)
DRAFTS = ({"role": "coder", "reply": list(DOUBLES)}, {"role": "judge", "verdict": [9, 1, ""]})
TWICE = "Write a Python function double(x)."


def failing_after(starts: int, folder: Path, monkeypatch) -> None:
    """Has bwrap build so many sandboxes and no more."""
    fake = folder / "bwrap"
    left = f'exec {shutil.which("bwrap")} "$@"'
    used = "".join(f"mkdir {folder}/{n} 2>/dev/null && {left}\n" for n in range(starts))
    fake.write_text(f"#!/bin/sh\n{used}echo bwrap: no more >&2\nexit 1\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")


async def test_a_draft_whose_sandbox_fails_is_handed_out_unrun(
    pipeline_with, tmp_path, monkeypatch
):
    """It is in hand already; the record says why it was not run, and nothing else is tried."""
    failing_after(1, tmp_path, monkeypatch)
    async with pipeline_with(*DRAFTS, EVIDENCE_RUN="auto", MAX_DRAFTS=3) as run:
        assert await run(f"{TWICE}\n\n>>> double(2)\n4") == DOUBLES[0]
    (note,) = run.record["artefact"]["notes"]
    assert note.startswith("not run here: ") and "no more" in note
    assert [each["stage"] for each in run.record["steps"]] == ["coder", "sandbox", "judge"]


@pytest.mark.parametrize("starts", range(1, 8))
@pytest.mark.parametrize("tag", ["", "///best=3 "])
async def test_a_sandbox_that_fails_at_any_time_costs_no_draft(
    pipeline_with, tmp_path, monkeypatch, tag, starts
):
    """Whether it fails for a first draft, for a further one or where they are compared."""
    failing_after(starts, tmp_path, monkeypatch)
    settings = {"EVIDENCE_RUN": "auto", "COMPARE_DRAFTS": "auto", "MAX_DRAFTS": 3}
    async with pipeline_with(*DRAFTS, **settings) as run:
        assert "def double(x)" in await run(f"{tag}{TWICE}")


def test_too_few_descriptors_leave_nothing_behind():
    """Wherever they run out, on the way to a program that has begun or not: neither descriptors nor
    processes."""
    program = """
import asyncio, os, resource
import psutil
from sandboxes import SMALL
from pipeline.sandbox import SandboxUnavailable, linux, run

async def main():
    await run({}, ["sh", "-c", "exit 0"], SMALL)
    own, bound = psutil.Process(), resource.RLIMIT_NOFILE
    before, most, ran = own.num_fds(), resource.getrlimit(bound), 0
    make = linux.ProcessHandle

    def fails_at(handle):
        left = [handle]
        def made(pid):
            left[0] -= 1
            if left[0] <= 0:
                raise OSError(24, "Too many open files")
            return make(pid)
        return made

    for more, handle in [*((n, 99) for n in range(40)), (40, 1), (40, 2)]:
        linux.ProcessHandle = fails_at(handle)
        resource.setrlimit(bound, (before + more, most[1]))
        try:
            ran += (await run({}, ["sh", "-c", "exit 0"], SMALL)).exit == 0
        except SandboxUnavailable:
            pass
        resource.setrlimit(bound, most)
        while own.num_fds() > before:
            await asyncio.sleep(0.01)
        assert not own.children(recursive=True), own.children(recursive=True)
    return ran

print(0 < asyncio.run(main()) < 40)
"""
    assert_true_of_its_own(program)


async def test_a_program_does_not_begin_without_its_limits(tmp_path, monkeypatch):
    """A bwrap that does not say what it does is ended."""
    tag = secrets.token_hex(8)
    fake = tmp_path / "bwrap"
    fake.write_text(f"#!/bin/bash\nexec -a {tag} /bin/sleep 600\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(linux, "_START_S", 0.2)
    with pytest.raises(SandboxUnavailable, match="did not build a sandbox"):
        await python("pass")
    assert processes(tag) == []
