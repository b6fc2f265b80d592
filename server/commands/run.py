"""`laios run`: run one prompt, on the daemon or in this process."""

import os
import shlex
import sys
from pathlib import Path
from typing import Any

import typer

from server.commands import completion
from server.commands.project_option import check_or_exit, require_project, write_or_exit
from server.terminal.console import RUN_FAILED, USAGE, fail, one_line, say, settings_or_exit
from server.terminal.output import print_json, print_text

WARNINGS_WIDTH = 1000  # characters: a line for a person, whatever a model wrote into it


def run(
    prompt: list[str] = typer.Argument(
        None,
        metavar="PROMPT",
        help="The prompt. Default: stdin; a final - adds stdin to the words.",
        autocompletion=completion.examples,
    ),
    example: bool = typer.Option(
        False,
        "--example",
        help="Run a task that the built-in model knows: any, or the one named (see laios models "
        "starter).",
    ),
    mode: str = typer.Option(
        None,
        "--mode",
        "-m",
        help="A mode, by its name or tag: raw, ctx, …",
        autocompletion=completion.modes,
    ),
    session: str = typer.Option(
        None, "--session", "-s", help="Session whose history ///ctx reads."
    ),
    write: Path = typer.Option(
        None,
        "--write",
        metavar="DIR",
        file_okay=False,
        help="Write the files of ///files into DIR: all of them or none.",
    ),
    force: bool = typer.Option(
        False, "--force", help="With --write: replace existing files, and write dangerous names."
    ),
    form: str = typer.Option(
        None,
        "--format",
        help="Format of the answer, if the mode offers several: patch, markdown, json.",
        autocompletion=completion.formats,
    ),
    test_max_rounds: int = typer.Option(
        None, "--test-max-rounds", min=1, help="Maximum rounds of ///test; at most TEST_MAX_ROUNDS."
    ),
    min_confidence: float = typer.Option(
        None,
        "--min-confidence",
        min=0,
        max=1,
        help="Review a draft whose confidence is below this; 0.9 is a judge's 9.",
    ),
    sandbox: list[str] = typer.Option(
        None,
        "--sandbox",
        metavar="NAME=NUMBER",
        help="A limit of the sandbox, at most the setting's: wall_s=2. May be repeated.",
        autocompletion=completion.sandbox_limits,
    ),
    no_log: bool = typer.Option(False, "--no-log", help="Keep no texts in the history."),
    as_json: bool = typer.Option(
        False, "--json", help="Print JSON: id, output and details, or error."
    ),
    quiet: bool = typer.Option(False, "--quiet", "-q", help="Show no progress."),
) -> None:
    """Run one prompt, on the daemon if it is running, else in this process."""
    text = _example(prompt) if example else _text(prompt)
    settings = settings_or_exit(as_json=as_json)
    from pipeline.request import new_id
    from server.terminal.project_progress import ProjectProgress
    from server.terminal.request_client import answer_or_exit

    if write:
        if form not in (None, "patch"):
            fail("--write reads a patch: leave --format out.", USAGE)
        require_project(text, mode)
        check_or_exit(write)
    run_id = new_id()
    body: dict[str, Any] = {"prompt": text, "mode": mode, "session": session, "no_log": no_log}
    body["details"] = True
    body["format"] = "patch" if write else form
    body["sandbox"] = _limits(sandbox)
    body |= {"test_max_rounds": test_max_rounds, "min_confidence": min_confidence}
    progress = ProjectProgress(enabled=sys.stderr.isatty() and not quiet)
    answer = answer_or_exit(
        settings, "/prompt", body, run_id, progress, as_json=as_json, named=True
    )
    output, details = answer["output"], answer["details"]
    if write:
        written = write_or_exit(output, write, run_id, force=force, no_log=no_log, as_json=as_json)
    if as_json:
        more = {"written": written} if write else {}
        print_json({"id": run_id, "output": output, "details": details} | more)
    elif write:
        print_text("".join(f"{path}\n" for path in written))
    else:
        print_text(output)
    _end(details)


def _end(details: dict[str, Any]) -> None:
    """What was not checked, what is known to be wrong, and what nobody said, on stderr; checks that
    were asked for and do not hold or could not be run are a failure."""
    unchecked = details.get("unchecked") or ()  # a daemon of an earlier version has no such field
    for each in unchecked:
        say(one_line(f"{each[:1].upper()}{each[1:]}", WARNINGS_WIDTH))
    if wrong := [each for each in details["warnings"] if each not in unchecked]:
        say(f"Known to be wrong: {one_line('; '.join(wrong), WARNINGS_WIDTH)}")
    if asked := details.get("open_questions"):  # likewise
        from history.open_questions import example_decides

        questions = one_line("; ".join(asked), WARNINGS_WIDTH)
        would = " An example in the prompt would decide." if example_decides(asked) else ""
        say(f"Not certain: {questions}.{would}")
    if not details["passed"]:
        raise typer.Exit(RUN_FAILED)


def _limits(given: list[str] | None) -> dict[str, float] | None:
    """`wall_s=2` → {"wall_s": 2}."""
    from pipeline.run_limits import SandboxLimits

    limits: dict[str, float] = {}
    for each in given or ():
        name, _, number = each.partition("=")
        if name not in SandboxLimits.model_fields:
            known = ", ".join(SandboxLimits.model_fields)
            fail(f"--sandbox {each} is not a limit. Limits: {known}. Write it as wall_s=2.", USAGE)
        try:
            limits[name] = float(number) if "." in number else int(number)
        except ValueError:
            fail(f"--sandbox {each} is not a limit. Write it as wall_s=2.", USAGE)
    return limits or None


def _example(words: list[str] | None) -> str:
    """The example request of the task that the words name, or of any; it is told on stderr."""
    from server.inventory.starter_tasks import example

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
