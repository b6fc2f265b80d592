"""The sandbox of macOS. Nobody ran it on a Mac before it came to you; so on Linux the run is tested
with a stand-in for `sandbox-exec`, and the probes that have to prove it with one that holds and
with ones that have a hole. On a Mac the same tests run with its own."""

import asyncio
import gc
import re
import secrets
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from seatbelt import can_enforce, executable, stand_in
from typer.testing import CliRunner

from pipeline.sandbox import (
    Check,
    Limits,
    Outcome,
    SandboxUnavailable,
    check,
    macos,
    run,
    self_test,
)
from pipeline.sandbox.probes_macos import MAC_PROBES
from pipeline.sandbox.runner import attempt
from pipeline.sandbox.seatbelt import VisiblePaths, profile
from pipeline.sandbox.self_test import SelfTest
from pipeline.sandbox.toolchain import Toolchain
from pipeline.sandbox.visible_paths import visible_paths
from server.commands.sandbox import app

pytestmark = pytest.mark.only_when("pipeline/sandbox/", "server/commands/sandbox.py")

SMALL = Limits(wall_s=20, cpu_s=1, memory_mb=64, processes=8, output_bytes=4096, files_mb=4)
ON_A_MAC = sys.platform == "darwin"
CAN_ENFORCE = can_enforce()
HOLDS_NOTHING = '#!/bin/bash\n[[ $1 == -p ]] || exit 64\nshift 2\nexec "$@"\n'
WORK = Path("/private/var/folders/x/laios-sandbox-1")
SAMPLE = VisiblePaths(
    trees=frozenset({Path("/opt/py")}),
    files=frozenset({Path("/opt/py/bin/python3.12")}),
    hidden=frozenset({Path("/opt/py/lib/python3.12/site-packages")}),
    passed=frozenset({Path("/opt"), Path("/opt/py")}),
)


def rules(text: str) -> list[tuple[str, set[str], set[str]]]:
    """The profile's rules: allow or deny, what, and where."""
    found = re.findall(r"^\((allow|deny) ([^\n)]+)((?:\n  \(.*\))*)\)$", text, re.MULTILINE)
    return [
        (action, set(what.split()), set(where.split("\n  ")[1:])) for action, what, where in found
    ]


def test_the_profile_allows_one_directory_and_nothing_outside_the_process():
    """What is not allowed is denied: second processes, the network, services, others' signals."""
    text = profile(SAMPLE, WORK)
    assert text.startswith("(version 1)\n(deny default)\n(deny ")
    parsed = rules(text)
    assert text.count("\n(") == len(parsed)
    allowed = {
        what: where for action, whats, where in parsed if action == "allow" for what in whats
    }
    assert set(allowed) == {
        *("process-info*", "signal", "sysctl-read", "process-exec"),
        *("file-read-metadata", "file-read*", "file-map-executable", "file-write*"),
        "file-write-data",
    }
    assert allowed["signal"] == allowed["process-info*"] == {"(target self)"}
    assert allowed["file-write*"] == {f'(subpath "{WORK}")'}
    assert allowed["file-write-data"] == {'(literal "/dev/null")'}
    assert not any("proc" in name and "sysctl.proc_" not in name and "maxfiles" not in name
                   for name in allowed["sysctl-read"])  # fmt: skip
    (denied,) = [what for action, what, where in parsed if action == "deny" and "signal" in what]
    assert denied >= {"process-fork", "network*", "mach-lookup", "file-link", "ipc*"}
    assert denied >= {"process-info*", "sysctl-read", "iokit-get-properties", "nvram*"}


def test_the_profile_shows_the_system_and_the_interpreter_and_hides_its_packages():
    """No home, no /Users, no whole root; what is hidden is denied after it is allowed."""
    parsed = rules(profile(SAMPLE, WORK))
    reading = [(action, where) for action, what, where in parsed if "file-read*" in what]
    assert [action for action, _ in reading] == ["allow", "deny", "allow"]
    (_, read), (_, hidden), (_, work) = reading
    assert {'(subpath "/opt/py")', '(subpath "/usr/lib")', '(literal "/")'} <= read
    assert not {'(subpath "/")', '(subpath "/private")', '(subpath "/private/var")'} & read
    assert not any("/Users" in each or "/home" in each for each in read)
    assert hidden == {'(subpath "/opt/py/lib/python3.12/site-packages")'}
    assert work == {f'(subpath "{WORK}")'}
    executed = next(where for _, what, where in parsed if "process-exec" in what)
    assert executed == {
        *('(subpath "/bin")', '(subpath "/usr/bin")', '(subpath "/opt/py")'),
        '(literal "/opt/py/bin/python3.12")',
    }


@pytest.mark.parametrize("name", ['/a"b', "/a\\b", "/a\nb", "relative", '/x"))(allow default)'])
def test_a_path_that_could_end_its_quotes_is_refused(name):
    """Wherever it would stand in the profile."""
    for odd in (
        lambda: profile(SAMPLE, Path(name)),
        lambda: profile(replace(SAMPLE, trees=frozenset({Path(name)})), WORK),
        lambda: profile(replace(SAMPLE, passed=frozenset({Path(name)})), WORK),
    ):
        with pytest.raises(SandboxUnavailable, match="cannot be written in a sandbox profile"):
            odd()


def test_an_interpreter_of_homebrews_is_shown_with_its_libraries_by_their_real_paths(tmp_path):
    """It lies in Cellar, is reached by links, and loads libraries by way of `opt`."""
    brew = tmp_path.resolve() / "homebrew"
    version = brew / "Cellar/python@3.12/3.12.4/Frameworks/Python.framework/Versions/3.12"
    (version / "bin").mkdir(parents=True)
    (version / "bin" / "python3.12").touch()
    (brew / "opt").mkdir()
    (brew / "opt/python@3.12").symlink_to("../Cellar/python@3.12/3.12.4")
    prefix = brew / "opt/python@3.12/Frameworks/Python.framework/Versions/3.12"
    packages = version / "lib/site-packages"
    tools = Toolchain(prefix / "bin/python3.12", [prefix], [packages])
    seen = visible_paths(tools, tools, tmp_path.resolve())
    assert {version, brew / "Cellar", brew / "opt", brew / "lib"} <= seen.trees
    assert seen.files == {version / "bin/python3.12"}
    assert seen.hidden == {packages}
    assert {brew / "opt/python@3.12", brew / "Cellar", brew, Path("/")} <= seen.passed
    assert brew not in seen.trees
    (brew / "bin").mkdir()
    (brew / "bin/python3.12").symlink_to(prefix / "bin/python3.12")
    linked = visible_paths(
        Toolchain(brew / "bin/python3.12", [brew, prefix]), tools, tmp_path.resolve()
    )
    assert brew not in linked.trees  # there are databases in its var
    assert (linked.trees, linked.files) == (seen.trees, seen.files)


def test_the_packages_of_an_environment_are_shown_and_laioss_own_are_not(tmp_path):
    """laios' own are hidden, unless the program's environment is where they are."""
    root = tmp_path.resolve()
    own = Toolchain(root / "own/bin/python", [root / "own"], [root / "own/packages"])
    theirs = Toolchain(root / "env/bin/python", [root / "env", root / "own"])
    assert visible_paths(theirs, own, root).hidden == frozenset()
    assert visible_paths(Toolchain(Path("/bin/sh")), own, root).hidden == {root / "own/packages"}


# --- the run ------------------------------------------------------------------------------------


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary directories are made, so that those that stay are seen."""
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    return tmp_path / "temporary"


@pytest.fixture
def on_macos(tmp_path: Path, place: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """macOS, with a `sandbox-exec` that holds nothing back; on a Mac, its own."""
    sysconfig.get_config_vars()  # which are read once, from a file with the platform in its name
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(self_test, "SELF_TEST", SelfTest())
    if not ON_A_MAC:
        pretend(monkeypatch, executable(tmp_path / "sandbox-exec", HOLDS_NOTHING))
    yield
    assert list(place.iterdir()) == []


def pretend(monkeypatch: pytest.MonkeyPatch, sandbox_exec: Path) -> None:
    monkeypatch.setattr(macos, "SANDBOX_EXEC", sandbox_exec)


def processes(tag: str) -> list[int]:
    listed = psutil.process_iter(["cmdline"])
    return [each.pid for each in listed if tag in (each.info["cmdline"] or [])]


async def python(code: str, *words: str, limits: Limits = SMALL, **options) -> Outcome:
    return await attempt({"program.py": code}, ["python", "program.py", *words], limits, **options)


@pytest.mark.usefixtures("on_macos")
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
    outcome = await attempt(files, ["python", "program.py"], SMALL, stdin="ähm\n".encode())
    assert outcome.stdout == "ähmähm b'\\x00\\xff'\n"
    assert (outcome.stderr, outcome.report) == ("trouble\n", b"told")
    assert (outcome.exit, outcome.ended) == (3, "exited")


@pytest.mark.usefixtures("on_macos")
async def test_a_program_gets_its_own_words_and_pipes_and_nothing_else(monkeypatch):
    """An own environment, session and directory, no open file of laios, and the limits on it."""
    monkeypatch.setenv("SECRET", "x")
    code = """
import os, resource
names = ("CPU", "FSIZE", "NOFILE", "CORE", "MEMLOCK")
print({name: resource.getrlimit(getattr(resource, f"RLIMIT_{name}")) for name in names})
opened = []
for number in range(4096):  # of a process that has many open, the pipe's is above its own limit
    try: os.fstat(number); opened.append(number)
    except OSError: pass
print(opened == [0, 1, 2, int(os.environ["REPORT_FD"])], os.getsid(0) == os.getpid())
home = os.path.dirname(os.getcwd())
print(sorted(os.environ), os.environ["HOME"] == os.environ["TMPDIR"] == home)
"""
    lines = (await python(code)).stdout.splitlines()
    assert eval(lines[0]) == {
        "CPU": (1, 2),
        "FSIZE": (4_000_000, 4_000_000),
        "NOFILE": (64, 64),
        "CORE": (0, 0),
        "MEMLOCK": (0, 0),
    }
    assert lines[1] == "True True"
    names = lines[2].removesuffix(" True")
    own = {"__CF_USER_TEXT_ENCODING", "LC_CTYPE"}  # macOS and Python put these there themselves
    own |= {"PWD", "SHLVL", "_"}  # the stand-in's shell
    assert set(eval(names)) - own == {"HOME", "LANG", "PATH", "REPORT_FD", "TMPDIR"}


@pytest.mark.usefixtures("on_macos")
@pytest.mark.parametrize(
    ("code", "changes", "ended", "said"),
    [
        ("import time; time.sleep(60)", {"wall_s": 0.3}, "timeout", ""),
        ("while True: pass", {"wall_s": 60}, "cpu", ""),
        ("x = b'x' * 200_000_000; import time; time.sleep(60)", {}, "memory", ""),
        ("while True: print('x' * 10_000)", {}, "output", "more bytes"),
        (
            "for n in range(9): open(str(n), 'wb').write(b'x' * 3_000_000)\nimport time\n"
            "time.sleep(60)",
            *({}, "output", ""),
        ),
        (
            "import os\nwhile True: os.mkdir('a'); os.chdir('a')",
            *({"cpu_s": 20}, "output", ""),
        ),
        ("open('x', 'wb').write(b'x' * 9_000_000)", {}, "exited", "File too large"),
        ("import os; os.kill(os.getpid(), 9)", {}, "signal", ""),
        ("import os, time; os.closerange(0, 64); time.sleep(0.1)", {}, "exited", ""),
    ],
)  # fmt: skip
async def test_each_limit_ends_a_program(code, changes, ended, said):
    """Wall clock, processor, memory, output, all files together, one file; and its directory is
    gone, however deep."""
    outcome = await python(code, limits=replace(SMALL, **changes))
    assert outcome.ended == ended, outcome
    assert said in outcome.stdout + outcome.stderr


@pytest.mark.usefixtures("on_macos")
async def test_the_peak_of_memory_is_told():
    """In megabytes, of what the program held at its most."""
    peak = (await python("x = b'x' * 40_000_000; import time; time.sleep(0.5)")).peak_memory_mb
    assert peak is not None and 40 < peak < 64


@pytest.mark.usefixtures("on_macos")
async def test_input_may_be_longer_than_a_pipe_and_need_not_be_read():
    """A megabyte arrives whole, and a program that reads none of it ends."""
    long = b"x" * 1_000_000
    assert (await python("import sys; print(len(sys.stdin.read()))", stdin=long)).stdout == (
        "1000000\n"
    )
    assert (await python("print('done')", stdin=long)).stdout == "done\n"


@pytest.mark.usefixtures("on_macos")
async def test_a_directory_that_resists_is_removed_and_what_it_points_at_is_not(tmp_path):
    """Without rights, too deep for recursion, with links to outside."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").touch()
    code = """
import os, sys
os.symlink(sys.argv[1], "link")
os.makedirs("closed/inner"); open("closed/inner/file", "w").close(); os.chmod("closed", 0)
for _ in range(1200): os.mkdir("a"); os.chdir("a")
"""
    limits = replace(SMALL, files_mb=64, cpu_s=10)
    outcome = await python(code, str(outside), limits=limits)
    assert outcome.ended in {"exited", "output"}, outcome  # the sum may have been looked at first
    assert (outside / "kept").exists()


@pytest.mark.usefixtures("on_macos")
@pytest.mark.parametrize("after", [0, 0.02, 0.3])
async def test_a_cancellation_leaves_nothing(after):
    """Whenever it comes, also twice: process, descriptors and directory are gone."""
    tag = secrets.token_hex(8)
    await python("pass")
    before = psutil.Process().num_fds()
    task = asyncio.create_task(python("import time; time.sleep(600)", tag))
    await asyncio.sleep(after)
    task.cancel()
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert processes(tag) == []
    assert psutil.Process().num_fds() <= before


# --- without a sandbox nothing runs ---------------------------------------------------------------


@pytest.mark.usefixtures("on_macos")
@pytest.mark.skipif(ON_A_MAC, reason="the stand-ins are for Linux")
@pytest.mark.parametrize(
    ("script", "advice"),
    [
        (None, "There is no .*: it is part of macOS"),
        ("echo 'sandbox-exec: unbound variable: ipc*' >&2; exit 65", "unbound variable.*Report it"),
        ("echo 'sandbox_apply: Operation not permitted' >&2; exit 71", "start it outside"),
        ("exec sleep 600", "did not build a sandbox within"),
    ],
)
async def test_a_sandbox_that_cannot_be_built_is_refused(script, advice, tmp_path, monkeypatch):
    """With what is wrong, and what helps; and nothing is left."""
    monkeypatch.setattr(macos, "_START_S", 0.3 if script and "sleep" in script else 10)
    pretend(monkeypatch, tmp_path / "other")
    if script:
        executable(tmp_path / "other", f"#!/bin/bash\n{script}\n")
    gc.collect()  # what an earlier test left open is not counted
    before = psutil.Process().num_fds()
    for runs in (attempt, run):
        with pytest.raises(SandboxUnavailable, match=advice):
            await runs({}, ["python", "-c", "pass"], SMALL)
    assert psutil.Process().num_fds() <= before


@pytest.mark.usefixtures("on_macos")
async def test_an_interpreter_that_does_not_start_is_refused(tmp_path):
    """It is no failure of the program."""
    (tmp_path / "env/bin").mkdir(parents=True)
    (tmp_path / "env/bin/python").touch()
    with pytest.raises(SandboxUnavailable, match="env/bin/python cannot be started in a sandbox"):
        await python("pass", environment=tmp_path / "env")


async def test_on_another_system_nothing_runs(monkeypatch):
    """The error says where programs can be run."""
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(SandboxUnavailable, match="only run on Linux and macOS"):
        await run({}, ["python", "-c", "pass"], SMALL)


# --- the self test --------------------------------------------------------------------------------


class Counted:
    """The probes, and how often they were run."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.times = 0
        monkeypatch.setattr(self_test, "check", self)

    async def __call__(self) -> list[Check]:
        self.times += 1
        return await check()


@pytest.mark.usefixtures("on_macos")
@pytest.mark.skipif(ON_A_MAC, reason="the stand-ins are for Linux")
async def test_a_sandbox_that_holds_nothing_back_is_found_out_and_nothing_runs(
    tmp_path, monkeypatch
):
    """The probes run in it first; those that got what they wanted are named; and again they are
    not run."""
    counted, mark = Counted(monkeypatch), tmp_path / "mark"
    for _ in range(2):
        with pytest.raises(SandboxUnavailable, match="does not hold on this machine") as refused:
            await run({}, ["python", "-c", f"open({str(mark)!r}, 'w')"], SMALL)
        for name in {*MAC_PROBES} - {"time", "processor", "memory", "disk", "output"}:
            assert f"{name}: not held" in refused.value.message
        assert "laios sandbox check" in refused.value.message
    assert counted.times == 1
    assert not mark.exists()


@pytest.fixture
def holding(tmp_path: Path, on_macos: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """macOS, with a `sandbox-exec` that enforces what its profile says."""
    if not ON_A_MAC:
        if not CAN_ENFORCE:
            pytest.skip("the stand-in needs Landlock with signals (Linux 6.12)")
        pretend(monkeypatch, stand_in(tmp_path / "holds"))


@pytest.mark.usefixtures("holding")
async def test_the_probes_are_run_once_for_all_programs(monkeypatch):
    """Also for those that come at the same time; one that is cancelled leaves them to the rest."""
    counted = Counted(monkeypatch)
    runs = [
        asyncio.create_task(run({}, ["python", "-c", f"print({number})"], SMALL))
        for number in range(4)
    ]
    while not counted.times:
        await asyncio.sleep(0.01)
    runs[0].cancel()
    outcomes = await asyncio.gather(*runs[1:])
    assert [outcome.stdout for outcome in outcomes] == ["1\n", "2\n", "3\n"]
    assert counted.times == 1


@pytest.mark.usefixtures("holding")
def test_sandbox_check_shows_the_table():
    """Every probe in a row of its own, with how it was seen; exit code 0."""
    done = CliRunner().invoke(app, ["check"])
    assert done.exit_code == 0, done.stdout
    assert done.stdout.endswith("Code can be run safely here.\n")
    for name in ("sandbox", *MAC_PROBES):
        assert f"✓ {name} " in done.stdout


@pytest.mark.usefixtures("on_macos")
@pytest.mark.skipif(not CAN_ENFORCE, reason="the stand-ins are for Linux 6.12")
@pytest.mark.parametrize(
    ("hole", "found"),
    [
        ("files", ("files", "system")),
        ("signals", ("other processes",)),
        ("processes", ("processes",)),
        ("sockets", ("network",)),
        ("memory", ("services",)),
    ],
)
async def test_each_hole_is_found(hole, found, tmp_path, monkeypatch):
    """By the probe that is there for it; the others are content."""
    pretend(monkeypatch, stand_in(tmp_path / "holey", hole=hole))
    for name in found:
        held, told = await MAC_PROBES[name]()
        assert not held and "not held" in told
    others = {"files", "network", "other processes", "processes"} - set(found)
    assert [told for held, told in [await MAC_PROBES[name]() for name in others] if not held] == []


# --- on a Mac -------------------------------------------------------------------------------------

AS_ANOTHER = """
import os, sys
try:
    os.execv(sys.argv[1], sys.argv[1:])
except OSError:
    sys.exit(1)
"""


@pytest.mark.usefixtures("holding")
@pytest.mark.skipif(not ON_A_MAC, reason="these programs are macOS's")
@pytest.mark.parametrize(
    "words",
    [
        ["/usr/bin/security", "list-keychains"],
        ["/usr/bin/osascript", "-e", 'tell application "Finder" to get name of home'],
        ["/usr/bin/open", "-g", "/System/Applications/Calculator.app"],
        ["/bin/launchctl", "list"],
        ["/usr/bin/pbpaste"],
        ["/usr/bin/defaults", "read"],
        ["/usr/sbin/system_profiler", "SPHardwareDataType"],
        ["/bin/ps", "-axww"],
        ["/usr/bin/crontab", "-l"],
        ["/bin/ls", str(Path.home())],
    ],
)
async def test_a_program_of_the_systems_reaches_no_more_than_any_other(words):
    """Though one may become it: it keeps the profile."""
    outcome = await python(AS_ANOTHER, *words)
    assert outcome.exit != 0 or not outcome.stdout.strip(), outcome


def test_a_program_whose_laios_was_killed_is_ended_by_its_alarm() -> None:
    """Nobody else ends it then: the alarm outlives the exchange of the process for the program."""
    script = Path(__file__).parent.parent / "pipeline/sandbox/sandbox_scripts/limit_process.py"
    limits = ["2", "1", "60", "1000000", "64"]  # the status goes to stderr
    command = [sys.executable, "-I", "-S", str(script), *limits, shutil.which("sleep"), "60"]
    ended = subprocess.run(command, stderr=subprocess.PIPE, timeout=30, check=False)
    assert ended.returncode == -signal.SIGALRM
