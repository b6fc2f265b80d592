"""`laios`: the command line. Answers go to stdout, everything else to stderr.

Exit codes: 0 ok, 1 the run failed, 2 usage, 3 daemon or backend unreachable. Commands import what
they need inside, so that `laios --help` answers at once.
"""

import typer

from server.commands import history, run, serve, status

app = typer.Typer(
    name="laios",
    help="A local AI operating-system daemon: local models draft code, judge it and review it.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(serve.serve)
app.command()(run.run)
app.add_typer(history.app, name="history")
app.command()(status.status)


@app.callback(invoke_without_command=True)
def _root(
    version: bool = typer.Option(False, "--version", help="Print the version and exit."),
) -> None:
    if version:
        from importlib.metadata import version as installed

        typer.echo(f"laios {installed('laios')}")
        raise typer.Exit


def main() -> None:
    app()
