"""Runs in the sandbox: builds a program with its compiler and runs it with words and input, each
time in a folder of its own.

`python -I build_and_run.py`, with `build.data` beside it (marshal: {"build": [commands], "command":
words, "seconds": of the processor for one run, "runs": [{"words", "stdin", "files"}, …], "shell":
whether it is a script of a shell, "modes": whether the modes of its files are told}). The report
has a line of JSON for each run, as `call_function.py` writes it: `{"said": what it printed,
"ended": status, "" as usual}`, with `"wrote"` where files were written, or `{"error": ["Crash"],
"message", …}`, `["Exception"]` for one that may be meant, of a script `["Endless"]` or
`["CommandNotFound"]`; of a program that cannot be built the compiler's words, `"stage": "import"`.
"""

import contextlib
import json
import marshal
import os
import resource
import signal
import subprocess
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType
    from typing import Any

_HERE = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120
_SHOWN = 2_000  # characters of what a run prints
_SIGNALS = (4, 7, 8, 10, 11)  # illegal, bus error, division by zero, no such memory
_READ = 100_000  # bytes of it
_LARGEST = 1_000_000  # bytes of a file; what prints more hardly ends
_ENDLESS = 4  # runs, after which no more are made
_NO_END = "it does not end"
_WAITS_S = 2.0  # for a run that does not get them: it sleeps, or others take them all
_CRASHES = (
    *(b"panic: ", b"fatal error: ", b"Exception in thread ", b"Error: Could not find or load"),
    *(b"Uncaught: ", b"runtime error: "),  # of drivers for Node
)
_RUST_PANIC = 101  # its exit status
# What ends a program by its own mistake; anything else that it raises may be meant.
_MISTAKES = (
    *(b"runtime error", b"fatal error: ", b"index out of bounds", b"out of range for slice"),
    *(b"byte index", b"attempt to ", b"already borrowed", b"Assertion", b"stack overflow"),
    *(b"IndexOutOfBounds", b"NullPointer", b"NegativeArraySize", b"ClassCast", b"StackOverflow"),
    *(b"OutOfMemory", b"ConcurrentModification", b"basic_string::_M_construct null"),
)


def main() -> None:
    sys.path.insert(0, _HERE)
    from scratch_folder import ScratchFolder  # type: ignore[import-not-found]

    with open(f"{_HERE}/build.data", "rb") as file:  # noqa: PTH123
        asked = marshal.load(file)
    error = _built(asked["build"])
    resource.setrlimit(resource.RLIMIT_FSIZE, (_LARGEST, _LARGEST))  # of what each run writes
    endless = 0
    shell: ModuleType | None = None
    if asked.get("shell"):
        import shell_surroundings as shell  # type: ignore[import-not-found,no-redef]
    for number, run in enumerate(asked["runs"]):
        if error or endless == _ENDLESS:
            _send(_failed(error or _NO_END, "import" if error else "call"))
            continue
        words, files = [*asked["command"], *run["words"]], run["files"] or ()
        content = shell.packed(files) if shell else files
        try:
            with ScratchFolder(path := f"/tmp/run{number}", content) as folder:
                if shell:
                    shell.make_ready(files)
                report = _ran(words, run["stdin"], asked["seconds"], shell)
            wrote = folder.changes() if run["files"] is not None else {}
            if shell:
                wrote = shell.seen_closely(path, wrote, modes=asked["modes"])
        except Exception as refused:
            report, wrote = _failed(str(refused), "value"), {}
        endless += report.get("message") == _NO_END
        # As `value_json.py` writes it, which this interpreter need not load.
        told = {"wrote": {"dict": [[*pair] for pair in wrote.items()]}} if wrote else {}
        _send({**report, **told})


def _built(commands: "Sequence[Sequence[str]]") -> str:
    """What the compiler says where it fails, else ""."""
    for words in commands:
        came = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        if came.returncode:
            said = came.stderr + came.stdout
            return said.decode(errors="replace")[-_SHOWN:] or f"status {came.returncode}"
    return ""


def _ran(
    words: "Sequence[str]", given: str, seconds: float, shell: "ModuleType | None"
) -> "dict[str, Any]":
    with (
        open("/tmp/in", "w+b") as asked,  # noqa: PTH123
        open("/tmp/out", "w+b") as out,  # noqa: PTH123
        open("/tmp/err", "w+b") as err,  # noqa: PTH123
    ):
        asked.write(given.encode("utf-8", "surrogatepass"))
        asked.seek(0)
        around = shell.environment() if shell else None
        with subprocess.Popen(
            words, stdin=asked, stdout=out, stderr=err, env=around, start_new_session=True
        ) as program:
            is_over = _ended(program, seconds)
            with contextlib.suppress(ProcessLookupError):  # what it has started may go on
                os.killpg(program.pid, signal.SIGKILL)
            if not is_over:
                return _failed(_NO_END, "call", "Endless" if shell else "Crash")
        out.seek(0)
        err.seek(0)
        said, complaint = out.read(_READ), err.read(_READ)
    if shell and (lack := shell.lacking(complaint)):
        return _failed(lack, "call", "CommandNotFound")
    status = program.returncode
    if status < 0 or status == _RUST_PANIC or (status and any(m in complaint for m in _CRASHES)):
        lines = complaint.decode(errors="replace").strip().splitlines() or [f"signal {-status}"]
        is_own = any(m in complaint for m in _MISTAKES) or -status in _SIGNALS
        return _failed(" ".join(lines[:2]), "call", "Crash" if is_own else "Exception")
    text = said.decode(errors="replace").replace("\r\n", "\n")[:_SHOWN]
    return {"said": text, "ended": str(status) if status else ""}


def _ended(program: "subprocess.Popen[bytes]", seconds: float) -> bool:
    """Whether it does before it has had the processor for so long: on a busy machine, a run of
    0.1 s takes one. What it had is looked at seldom, since usual runs end at once."""
    last = time.monotonic() + _WAITS_S
    while True:
        try:
            program.wait(seconds / 2)
        except subprocess.TimeoutExpired:
            if time.monotonic() > last or _processor_s(program.pid) >= seconds:
                return False
        else:
            return True


def _processor_s(pid: int) -> float:
    """Of the process with all its threads; its clock's number is made as clock_getcpuclockid(3)
    of the GNU C library makes it."""
    return time.clock_gettime((~pid << 3) | 2)


def _failed(message: str, stage: str, kind: str = "Crash") -> "dict[str, Any]":
    return {"error": [kind], "message": message[:_SHOWN], "line": None, "stage": stage}


def _send(report: "dict[str, Any]") -> None:
    line = (json.dumps(report) + "\n").encode("ascii")
    descriptor = int(os.environ["REPORT_FD"])
    while line:
        line = line[os.write(descriptor, line) :]


if __name__ == "__main__":
    main()
