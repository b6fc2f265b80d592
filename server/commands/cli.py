"""`laios`: the command line. Answers go to stdout, everything else to stderr.

Exit codes: 0 ok, 1 the run failed, 2 usage, 3 daemon or backend unreachable. Commands import what
they need inside, so that `laios --help` answers at once.
"""

import errno
import inspect
import io
import os
import sys
from contextlib import suppress
from typing import Any

import typer
from typer.core import TyperGroup

from server.commands import (
    ask,
    batch,
    bench,
    calibrate,
    cancel,
    code,
    config,
    connect,
    dashboard,
    docs,
    doctor,
    export,
    history,
    judge,
    mcp,
    models,
    plan,
    ps,
    refine,
    replay,
    run,
    sandbox,
    serve,
    service,
    status,
)

# Words that newcomers try, and what they look for.
ELSEWHERE = {"runs": "Running: laios ps. Finished: laios history."}


class Commands(TyperGroup):
    """The commands; a word that only looks like one leads to those that are meant."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and args[0] in ELSEWHERE:
            ctx.fail(f"No such command {args[0]!r}. {ELSEWHERE[args[0]]}")
        return super().resolve_command(ctx, args)

    def make_context(self, *args: Any, **named: Any) -> Any:
        with suppress(ImportError, AttributeError):  # Typer's inside, as below
            from server.commands.shell_words import complete_at_first_tab

            complete_at_first_tab()
        return super().make_context(*args, **named)

    def _main_shell_completion(self, *args: Any, **named: Any) -> None:
        with suppress(ImportError):  # Typer's inside: without it the words are completed as it does
            from server.commands.shell_words import complete_whole_words

            complete_whole_words()
        super()._main_shell_completion(*args, **named)


app = typer.Typer(
    cls=Commands,
    name="laios",
    help="Write code with the models on your own machine: they draft it, run it, judge it and "
    "review it. `laios serve` is the daemon that does this for your programs, editors and chat "
    "apps; `laios run` asks one thing.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(serve.serve)
app.command()(run.run)
app.command()(code.code)
app.command()(ask.ask)
app.command()(plan.plan)
app.command()(refine.refine)
app.command()(judge.judge)
app.command()(batch.batch)
app.add_typer(history.app, name="history")
app.command()(ps.ps)
app.command()(cancel.cancel)
app.command()(status.status)
app.command()(doctor.doctor)
app.command()(bench.bench)
app.command()(calibrate.calibrate)
app.command()(replay.replay)
app.command()(export.export)
app.command()(connect.connect)
app.command()(mcp.mcp)
app.command()(dashboard.dashboard)
app.add_typer(models.app, name="models")
app.add_typer(config.app, name="config")
app.add_typer(service.app, name="service")
app.add_typer(docs.app, name="docs")
app.add_typer(sandbox.app, name="sandbox")


def _wrap_paragraphs(commands: typer.Typer) -> None:
    """Typer wraps the first paragraph of a help text; of the others it keeps the line ends that
    they have in the source."""
    for command in commands.registered_commands:
        text = inspect.cleandoc((command.callback and command.callback.__doc__) or "")
        command.help = "\n\n".join(" ".join(part.split()) for part in text.split("\n\n"))
    for group in commands.registered_groups:
        if group.typer_instance:
            _wrap_paragraphs(group.typer_instance)


_wrap_paragraphs(app)


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    version: bool = typer.Option(False, "--version", help="Print the version and exit."),
) -> None:
    from config import wants_colours

    if not wants_colours():
        context.color = False  # of all commands: what a context has not said, its parent says
    if version:
        from importlib.metadata import version as installed

        typer.echo(f"laios {installed('laios')}")
        raise typer.Exit


def main() -> None:
    _open_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal that is not UTF-8 gets a ? instead
            stream.reconfigure(errors="replace")
    try:
        app()
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        # What stdout still holds would be tried again at the end, with a trace.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(f"Error: {error.strerror}")


def _open_closed_streams() -> None:
    """A script or a service manager may start a command with some of them closed (`<&-`), which
    Python calls None: there is nothing to read then, and nobody reads."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode))
