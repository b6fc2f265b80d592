"""Runs in the sandbox: a whole program with words as its arguments and a text as its input, as
often as is wanted in one process. `call_function.py` uses it.
"""

import builtins
import io
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_LONGEST = 100_000  # bytes; what prints more hardly ends
_SHOWN = 2_000  # characters that are reported


def run_program(source: str, words: "Sequence[str]", given: str) -> "tuple[str, str]":
    """The beginning of what the program printed, and what it ended with: "" as usual, else the
    status, or `EOFError` where it wanted more input. It does not sleep. Raises what the program
    raised."""
    kept = sys.argv, sys.stdin, sys.stdout, sys.stderr, sys.modules["__main__"]
    asks, sleeps = builtins.input, time.sleep
    printed = _Output()
    module = sys.modules["__main__"] = type(sys)("__main__")
    module.__file__ = words[0]
    sys.argv, sys.stdin = [*words], io.TextIOWrapper(io.BytesIO(given.encode()))
    sys.stdout = io.TextIOWrapper(printed, write_through=True)
    sys.stderr = io.TextIOWrapper(_Output(), write_through=True)
    builtins.input, time.sleep = _read_line, _do_not_wait
    ended = ""
    try:
        exec(compile(source, words[0], "exec", dont_inherit=True), module.__dict__)
    except SystemExit as end:
        ended = _status(end.code)
    except EOFError:
        ended = "EOFError"
    finally:
        sys.argv, sys.stdin, sys.stdout, sys.stderr, sys.modules["__main__"] = kept
        builtins.input, time.sleep = asks, sleeps
    return printed.getvalue().decode(errors="replace")[:_SHOWN], ended


class _Output(io.BytesIO):
    def close(self) -> None:
        """What was printed is read afterwards."""

    def write(self, content: "bytes", /) -> int:  # type: ignore[override]
        if self.tell() > _LONGEST:
            raise OverflowError("it prints without end")
        return super().write(content)


def _read_line(prompt: object = "") -> str:
    """As `input`, but what it asks for is not printed: each program asks in its own words."""
    line = sys.stdin.readline()
    if not line:
        raise EOFError("EOF when reading a line")
    return line.rstrip("\n")


def _do_not_wait(seconds: object, /) -> None:
    pass


def _status(code: object) -> str:
    if code is None or code == 0:
        return ""
    return str(code) if isinstance(code, int) else "1"
