"""Runs in the sandbox: imports a program, calls its functions, and reports what came of each call.

`python -I call_function.py`, with the calls in `call.data` beside it (marshal: [{"function",
"args", "kwargs", "files"}, …]; `files`, where they are not None, are put into a folder of the
call's own) and the program in the current directory. It knows the arguments and not what is
expected: that never enters the sandbox, and is compared outside. So there is nothing here to be
forged: a program that takes this file's place still has to come up with the right value. Calls that
are {"words", "stdin", "files"} run the whole program.

The report, a line of JSON for each call: `{"value": …}`, where that is None with `"printed": str`
and `"left": [arguments afterwards]`, of a program `{"said": what it printed, "ended": str}`, either
with `"wrote": {file: text}` where files were written; or `{"error": [names of the exception's
classes], "message": str, "line": int or null, "stage": "import" | "lookup" | "call" | "value"}`. Of
a program that cannot be imported, that comes of each call.
"""

import builtins
import marshal
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from types import ModuleType, TracebackType
    from typing import Any, TextIO

_LIMIT = 250_000
_PRINTED = 2_000  # characters of a call that are reported
_PROGRAM = "program.py"
_HERE = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120


def main() -> None:
    sys.path.insert(0, _HERE)
    from value_json import encode  # type: ignore[import-not-found]

    with open(f"{_HERE}/call.data", "rb") as file:  # noqa: PTH123
        calls = marshal.load(file)
    if any(call["files"] is not None or "stdin" in call for call in calls):
        import run_program  # type: ignore[import-not-found]  # noqa: F401
        import scratch_folder  # type: ignore[import-not-found]  # noqa: F401
    sys.path[0] = os.getcwd()  # noqa: PTH109
    sys.argv = [_PROGRAM]
    for name in ("exit", "quit"):  # as `site` does, which is not always there
        setattr(builtins, name, sys.exit)
    most = _LIMIT // len(calls)
    try:
        program = _source() if "stdin" in calls[0] else _imported()
    except BaseException as error:
        failed = _failed(error, "import", encode)
        for _ in calls:
            _send(failed)
    else:
        for number, call in enumerate(calls):
            _send(_come_of(program, call, number, most, encode))
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            continue
    os._exit(0)  # the program's threads are not waited for: the calls have returned


def _come_of(
    program: "ModuleType | str",
    call: "dict[str, Any]",
    number: int,
    most: int,
    encode: "Callable[[Any], str]",
) -> str:
    """What came of one call, as JSON, with the files that it wrote."""

    def made() -> str:
        if isinstance(program, str):
            return _ran(program, call, most, encode)
        return _called(program, call, most, encode)

    if call["files"] is None:
        return made()
    from scratch_folder import ScratchFolder

    try:
        with ScratchFolder(f"{_HERE}/scratch{number}", call["files"]) as folder:
            report = made()
        wrote = folder.changes()
    except Exception as error:  # what the program left there cannot be read
        return _failed(error, "value", encode)
    return f'{report[:-1]},"wrote":{encode(wrote)}}}' if wrote else report


def _ran(source: str, call: "dict[str, Any]", most: int, encode: "Callable[[Any], str]") -> str:
    """What came of running the whole program, as JSON."""
    from run_program import run_program

    try:
        said, ended = run_program(source, [_PROGRAM, *call["words"]], call["stdin"])
    except BaseException as error:
        return _failed(error, "call", encode)
    return f'{{"said":{encode(said[: most // 2])},"ended":{encode(ended)}}}'


def _called(
    program: "ModuleType", call: "dict[str, Any]", most: int, encode: "Callable[[Any], str]"
) -> str:
    """What came of one call, as JSON of at most so many characters."""
    stage, output = "lookup", sys.stdout
    try:
        function = _found(program, call["function"])
        stage = "call"
        sys.stdout = copied = _Copied(output)
        value = function(*call["args"], **call["kwargs"])
        if hasattr(value, "__await__"):
            import asyncio

            value = asyncio.run(_awaited(value))
        stage = "value"
        report = f'{{"value":{encode(value)}}}'
        if value is None:
            return f'{{"value":null{_effect(call["args"], copied.text, most, encode)}}}'
        if len(report) > most:
            raise OverflowError(f"the value takes {len(report)} bytes")
        return report
    except BaseException as error:
        return _failed(error, stage, encode)
    finally:
        sys.stdout = output


class _Copied:
    """The standard output, and the first of what a call prints to it."""

    def __init__(self, output: "TextIO") -> None:
        self._output, self.text = output, ""

    def write(self, text: str) -> int:
        self.text += text[: _PRINTED - len(self.text)]
        return self._output.write(text)

    def __getattr__(self, name: str) -> "Any":
        return getattr(self._output, name)


def _effect(args: "list[Any]", printed: str, most: int, encode: "Callable[[Any], str]") -> str:
    """What a call that gave None did instead, as fields of its report; "" for more than fits."""
    try:
        effect = f',"printed":{encode(printed)},"left":{encode(args)}'
    except Exception:
        return ""
    return effect if len(effect) <= most else ""


def _failed(error: BaseException, stage: str, encode: "Callable[[Any], str]") -> str:
    try:
        message = str(error)[:300]
    except Exception:
        message = ""
    if isinstance(error, SyntaxError) and stage == "import":
        line = error.lineno
    else:
        line = _line(error.__traceback__)
    names = [kind.__name__ for kind in type(error).__mro__]
    facts = {"error": names, "message": message, "line": line, "stage": stage}
    return "{" + ",".join(f"{encode(key)}:{encode(fact)}" for key, fact in facts.items()) + "}"


def _source() -> str:
    with open(_PROGRAM, encoding="utf-8") as file:  # noqa: PTH123
        return file.read()


def _imported() -> "ModuleType":
    module = type(sys)("program")
    module.__file__ = f"{os.getcwd()}/{_PROGRAM}"  # noqa: PTH109
    sys.modules["program"] = module
    with open(_PROGRAM, "rb") as file:  # noqa: PTH123
        exec(compile(file.read(), _PROGRAM, "exec", dont_inherit=True), module.__dict__)
    return module


def _found(program: "ModuleType", name: str) -> "Any":
    """A function by its name; a method by `Class.method`, on an instance made without arguments.
    A plain name that the program does not define is looked for in its class `Solution`."""
    owner, _, attribute = name.rpartition(".")
    if not owner and not hasattr(program, name) and hasattr(program, "Solution"):
        owner = "Solution"
    holder = getattr(program, owner) if owner else program
    found = getattr(holder() if isinstance(holder, type) else holder, attribute)
    if not callable(found):
        raise TypeError(f"{name} is no function but {type(found).__name__}")
    return found


async def _awaited(value: "Awaitable[Any]") -> "Any":
    return await value


def _line(trace: "TracebackType | None") -> "int | None":
    """The program's line that an exception came from."""
    line = None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == _PROGRAM:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def _send(line: str) -> None:
    descriptor, report = int(os.environ["REPORT_FD"]), (line + "\n").encode("ascii")
    while report:
        report = report[os.write(descriptor, report) :]


if __name__ == "__main__":
    main()
