"""`laios service`: install, start and stop laios as a service of this user."""

import os
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import typer

from server.terminal.console import RUN_FAILED, UNREACHABLE, fail, say, settings_or_exit, tell
from server.terminal.output import print_json

if TYPE_CHECKING:
    from server.service.service_manager import Manager

app = typer.Typer(help="Run laios as a user service.", no_args_is_help=True)


@app.command()
def install(
    print_only: bool = typer.Option(
        False, "--print", help="Print the service file; write nothing."
    ),
    sandbox: bool | None = typer.Option(
        None,
        help="Make the file system read-only for the service. Default: if the kernel allows it.",
    ),
) -> None:
    """Install the service with the current settings; start it now and at each login."""
    settings = settings_or_exit()
    from server.service.service_definition import describe, left_out
    from server.service.service_manager import ServiceError, manager, namespaces_work
    from server.terminal.daemon_client import daemon_is_there

    service_manager = manager()
    if sandbox is None:
        sandbox = namespaces_work()
    service = describe(settings, sandbox=sandbox)
    text = service_manager.text(service)
    for name in left_out(settings):
        say(f"{name} is not written into the service. Put it into config.toml.")
    if print_only:
        typer.echo(text, nl=False)
        return
    if not _is_active(service_manager) and daemon_is_there(settings):
        fail("A daemon is running already. Stop it (Ctrl-C), then install again.", RUN_FAILED)
    _write(service_manager, text, service.writable)
    for name, value in service.environment.items():
        say(f"  with {name}={value}")
    try:
        service_manager.start()
    except ServiceError as error:
        fail(f"{service_manager.file} was written, but: {error}", RUN_FAILED)
    say("laios is running as a user service. See: laios service status, laios service logs -f")
    for hint in service_manager.hints():
        say(hint)


def _is_active(service_manager: "Manager") -> bool:
    from server.service.service_manager import ServiceError

    try:
        return service_manager.state().active
    except ServiceError:
        return False


def _write(service_manager: "Manager", text: str, writable: tuple[Path, ...]) -> None:
    """The text, and the directories that it names: systemd starts nothing without them. And that of
    config.toml, which the daemon watches, and may not make itself there."""
    from config import config_path

    file = service_manager.file
    new = file.with_name(f".{file.name}.new")
    try:
        for directory in (*writable, config_path().parent):
            directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        file.parent.mkdir(parents=True, exist_ok=True)
        new.write_text(text, "utf-8")
        new.replace(file)
    except UnicodeEncodeError:
        _give_up(new, f"{file} cannot be written: a path in it is not UTF-8.")
    except OSError as error:  # of a write it has no name
        _give_up(new, f"{error.filename or file} cannot be written: {error.strerror}.")
    tell(str(file))


def _give_up(new: Path, why: str) -> NoReturn:
    with suppress(OSError):
        new.unlink()
    fail(why, RUN_FAILED)


@app.command()
def uninstall() -> None:
    """Stop the service and remove it. History and settings stay."""
    from server.service.service_manager import NoManager, ServiceError, manager

    service_manager = manager()
    if not service_manager.file.exists():
        say("The service is not installed.")
        return
    trouble = ""
    try:
        service_manager.stop()
    except NoManager:
        pass
    except ServiceError as error:  # the file goes all the same
        trouble = str(error)
    try:
        service_manager.file.unlink(missing_ok=True)
    except OSError as error:
        fail(f"{service_manager.file} cannot be removed: {error.strerror}.", RUN_FAILED)
    tell(str(service_manager.file))
    if trouble:
        fail(f"The file was removed, but: {trouble}", RUN_FAILED)
    with suppress(ServiceError):
        service_manager.forget()
    say("The service was removed.")


@app.command()
def status(as_json: bool = typer.Option(False, "--json", help="Print JSON.")) -> None:
    """Show whether the service is installed and running. Exit code 3 if it is not."""
    from server.service.service_manager import ServiceError, State, manager

    service_manager = manager()
    installed = service_manager.file.exists()
    try:
        state = service_manager.state() if installed else State(False, False, None, "not installed")
    except ServiceError as error:
        state = State(False, False, None, str(error))
    if as_json:
        print_json({"installed": installed, "file": str(service_manager.file), **asdict(state)})
    else:
        pid = f", pid {state.pid}" if state.pid else ""
        tell(f"laios service: {state.detail}{pid}")
        if installed:
            at_login = "starts at login" if state.enabled else "does not start at login"
            tell(f"  {service_manager.file}, {at_login}")
        else:
            say("Install it: laios service install")
    raise typer.Exit(0 if state.active else UNREACHABLE)


@app.command()
def logs(
    number: int = typer.Option(100, "-n", min=1, help="How many lines."),
    follow: bool = typer.Option(
        False, "-f", "--follow", help="Keep showing new lines until Ctrl-C."
    ),
) -> None:
    """Show the service's log."""
    from server.service.service_manager import manager

    service_manager = manager()
    if not service_manager.file.exists():
        fail("The service is not installed: laios service install", UNREACHABLE)
    command = service_manager.logs(number, follow)
    try:
        os.execvp(command[0], [*command])  # Ctrl-C and the pager's manners are its own
    except OSError as error:
        fail(f"{command[0]} cannot be run: {error.strerror}.", RUN_FAILED)
