"""`laios run`"""

import asyncio
import json
import os
import shlex
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from server.commands import complete
from server.commands.common import (
    UNREACHABLE,
    USAGE,
    exit_code,
    fail,
    safe_text,
    say,
    settings_or_exit,
)
from server.commands.project import check_or_exit, fail_if_incomplete, write_or_exit

if TYPE_CHECKING:
    from config import Settings
    from server.progress import Progress


def run(
    prompt: list[str] = typer.Argument(
        None,
        help="The prompt; none: from stdin; a last - adds stdin.",
        autocompletion=complete.examples,
    ),
    example: bool = typer.Option(
        False,
        "--example",
        help="Run a task that the built-in model knows, any or the one of this name: "
        "laios models starter.",
    ),
    mode: str = typer.Option(
        None,
        "--mode",
        "-m",
        help="A mode or its tag's word: raw, ctx, …",
        autocompletion=complete.modes,
    ),
    session: str = typer.Option(
        None, "--session", "-s", help="Session whose history ///ctx reads."
    ),
    write: Path = typer.Option(
        None,
        "--write",
        metavar="DIR",
        file_okay=False,
        help="Put the files of ///files into DIR: all of them, or none.",
    ),
    force: bool = typer.Option(False, "--force", help="With --write: replace files in DIR."),
    no_log: bool = typer.Option(False, "--no-log", help="Keep no texts in the history."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON: id and output, or error."),
    quiet: bool = typer.Option(False, "--quiet", "-q", help="Show no progress."),
) -> None:
    """Run one prompt: on the daemon if it is there, else in this process."""
    text = _example(prompt) if example else _text(prompt)
    settings = settings_or_exit()
    from pipeline.errors import LaiosError
    from pipeline.request import new_id
    from server.client import Refused, Unreachable
    from server.project_progress import ProjectProgress

    if write:
        check_or_exit(write)
    # `timeout` and a closing session end it like Ctrl-C: the run is recorded as cancelled.
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    run_id = new_id()
    body = {"prompt": text, "mode": mode, "session": session, "no_log": no_log}
    if write:
        body["format"] = "patch"
    try:
        with ProjectProgress(enabled=sys.stderr.isatty() and not quiet) as progress:
            output = asyncio.run(_output(settings, body, run_id, progress))
    except Unreachable as error:
        _failed(run_id, "model_unreachable", str(error), as_json)
    except (Refused, LaiosError) as error:
        _failed(run_id, error.code, str(error), as_json)
    except KeyboardInterrupt:
        say("Cancelled.")
        raise typer.Exit(130) from None
    if write:
        written = write_or_exit(output, write, run_id, force=force, no_log=no_log, as_json=as_json)
    if as_json:
        more = {"written": written} if write else {}
        typer.echo(json.dumps({"id": run_id, "output": output} | more))
    elif write:
        _print("".join(f"{path}\n" for path in written))
    else:
        _print(output)
    if write:
        fail_if_incomplete(output)


def _print(output: str) -> None:
    """The code to the letter; a terminal gets it without what it would obey."""
    text = safe_text(output) if sys.stdout.isatty() else output
    typer.echo(text.encode("utf-8", "replace"), nl=not text.endswith("\n"))


def _example(words: list[str] | None) -> str:
    """The example request of the task that the words name, or of any; it is told on stderr."""
    from server.starter_tasks import example

    name = " ".join(words or ())
    try:
        text = example(name)
    except KeyError:
        fail(f"There is no example {name!r}. See: laios models starter.", USAGE)
    say(f"laios run {shlex.quote(text)}")
    return text


def _text(words: list[str] | None) -> str:
    """The prompt: the words, or stdin without any; a last word `-` adds stdin below the others."""
    if not words:
        if sys.stdin.isatty():
            fail('What should it do? laios run "a function that …", or pipe a prompt in.', USAGE)
        return _utf8(sys.stdin.buffer.read())
    given = _utf8(os.fsencode(" ".join(words[:-1] if words[-1] == "-" else words)))
    if words[-1] == "-":
        return "\n\n".join(part for part in (given, _utf8(sys.stdin.buffer.read())) if part)
    return given


def _utf8(text: bytes) -> str:
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError:
        fail("The prompt is not UTF-8 text.", USAGE)


async def _output(
    settings: "Settings", body: dict[str, Any], run_id: str, progress: "Progress"
) -> str:
    from server import client

    if await asyncio.to_thread(client.daemon_is_there, settings):
        return await client.prompt(
            settings, body, run_id, progress.show if progress.enabled else None
        )
    return await _in_process(settings, body, run_id, progress)


async def _in_process(
    settings: "Settings", body: dict[str, Any], run_id: str, progress: "Progress"
) -> str:
    """The same pipeline and the same history, without a daemon."""
    from pipeline.modes import load_third_party_modes
    from pipeline.request import Request
    from server.parts import assemble

    for problem in load_third_party_modes():
        say(problem)
    parts = assemble(settings)
    try:
        run = parts.scheduler.submit(Request(**body, source="cli", id=run_id))
        watcher = asyncio.create_task(_watch(run, progress))
        output = await parts.scheduler.finished(run)
        await watcher
        return output
    finally:
        await parts.scheduler.drain(0)
        await parts.close()


async def _watch(run: Any, progress: "Progress") -> None:
    async for event in run.events():
        progress.show(event)


def _failed(run_id: str, code: str, message: str, as_json: bool) -> None:
    status = UNREACHABLE if code == "model_unreachable" else exit_code(code)
    if as_json:
        typer.echo(json.dumps({"id": run_id, "error": {"code": code, "message": message}}))
        raise typer.Exit(status) from None
    fail(message, status)
