"""`laios connect`: show how a chat frontend or editor is connected to the daemon, or write it into
its settings."""

import difflib
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from server.commands import completion
from server.terminal.console import (
    RUN_FAILED,
    USAGE,
    fail,
    refuse,
    safe_text,
    say,
    settings_or_exit,
    tell,
)
from server.terminal.output import print_json, print_table

if TYPE_CHECKING:
    from server.client_setup.recipe import ClientEntry, ClientFile, DaemonProfile, Recipe

    Clients = dict[str, ClientEntry]


@completion.offer
def _names() -> Iterable[str]:
    return sorted(_table(False) | _table(True))


def connect(
    name: str = typer.Argument(
        None,
        metavar="CLIENT",
        help="The client. Default: list them.",
        autocompletion=_names,
    ),
    mcp: bool = typer.Option(
        False,
        "--mcp",
        help="Connect laios as tools for the client's own agent (MCP), not as a model.",
    ),
    write: bool = typer.Option(
        False, "--write", "-w", help="Write it into the client's own file, and keep a backup."
    ),
    dry_run: bool = typer.Option(False, "--dry-run", help="Show what --write would change."),
    file: Path = typer.Option(
        None, "--file", help="The client's file, if it is not in the usual place."
    ),
    url: str = typer.Option(
        None, "--url", help="The daemon's address, if the client reaches it at a different one."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Connect a chat frontend or an editor to laios: show what to set, or set it."""
    settings = settings_or_exit(as_json=as_json)
    from server.client_setup.recipe import daemon

    if mcp and url:
        fail("With --mcp the client starts `laios mcp`, which finds the daemon itself.", USAGE)
    if url is not None:
        _require_address(url, as_json)
    clients = _table(mcp)

    target = daemon(settings, url)
    if not name:
        if write or dry_run or file:
            fail("Say which client, such as: laios connect codex --write", USAGE)
        _list(clients, target, as_json)
        return
    client = _client(clients, name, as_json)
    recipe = client.recipe(target)
    if recipe.file is None and (write or dry_run or file):
        no_file = f"{client.title} has no file that laios can write. What to set: {client.how}"
        refuse("bad_request", no_file, USAGE, as_json=as_json)
    recipe = _moved(recipe, file)
    if write or dry_run:
        _write(client, recipe, dry_run, as_json)
    else:
        _explain(client, recipe, as_json)
    if mcp:
        _warn_without_package()


def _require_address(url: str, as_json: bool) -> None:
    """Exits for what no client could call."""
    from laios.connection import Connection, checked
    from laios.errors import InvalidSettings

    try:
        checked(Connection(url))
    except InvalidSettings as error:
        refuse("bad_request", f"--url {error}", USAGE, as_json=as_json)


def _table(mcp: bool) -> "Clients":
    from server.client_setup.clients import CLIENTS
    from server.client_setup.mcp_clients import MCP_CLIENTS

    return MCP_CLIENTS if mcp else CLIENTS


def _warn_without_package() -> None:
    from importlib.util import find_spec

    if find_spec("mcp") is None:
        from server.mcp_mount import NOT_INSTALLED

        say(NOT_INSTALLED)


def _client(clients: "Clients", name: str, as_json: bool) -> "ClientEntry":
    found = clients.get(name.lower())
    if found is None:
        near = difflib.get_close_matches(name.lower(), clients, n=1)
        hint = f"Did you mean {near[0]}? " if near else ""
        if other := (_table(False) | _table(True)).get(name.lower()):
            hint = f"Try: {other.how}. "
        message = f"There is no client {name!r}. {hint}Clients: {', '.join(clients)}."
        refuse("not_found", message, USAGE, as_json=as_json)
    return found


def _moved(recipe: "Recipe", file: Path | None) -> "Recipe":
    from dataclasses import replace

    from config import expanded

    if file is None or recipe.file is None:
        return recipe
    return replace(recipe, file=replace(recipe.file, path=expanded(str(file)).absolute()))


def _list(clients: "Clients", target: "DaemonProfile", as_json: bool) -> None:
    rows = [_row(client, client.recipe(target).file) for client in clients.values()]
    if as_json:
        print_json({"url": target.url, "clients": rows})
        return
    print_table(("CLIENT", "INSTALLED", "CONNECTED", "FILE"), map(_line, rows))
    first = next(iter(clients.values()))
    say(f"To see what to set: {first.how.replace(first.name, 'CLIENT')}")


def _row(client: "ClientEntry", file: "ClientFile | None") -> dict[str, Any]:
    from server.client_setup.recipe import is_connected

    return {
        "client": client.name,
        "title": client.title,
        "installed": client.installed(),
        "connected": is_connected(file) if file else None,
        "file": str(file.path) if file else None,
    }


def _line(row: dict[str, Any]) -> tuple[str, ...]:
    connected = {True: "yes", False: "no", None: "?"}[row["connected"]]
    file = _short(Path(row["file"])) if row["file"] else "(set in its own settings)"
    return row["client"], "yes" if row["installed"] else "not seen", connected, file


def _explain(client: "ClientEntry", recipe: "Recipe", as_json: bool) -> None:
    file = recipe.file
    if as_json:
        print_json(_as_json(client, recipe))
        return
    from server.client_setup.recipe import is_connected

    if file and is_connected(file):
        tell(f"{client.title} is connected: {_short(file.path)}\n")
    elif file:
        tell(
            f"{client.title}: put this into {_short(file.path)}\n"
            f"(or run: {client.how} --write)\n\n{file.snippet()}"
        )
    else:
        tell(f"{client.title}:\n")
    _say_steps(recipe)


def _as_json(client: "ClientEntry", recipe: "Recipe") -> dict[str, Any]:
    return _row(client, recipe.file) | {
        "snippet": recipe.file.snippet() if recipe.file else None,
        "steps": [*recipe.steps],
        "check": recipe.check,
    }


def _say_steps(recipe: "Recipe") -> None:
    for number, step in enumerate(recipe.steps, 1):
        tell(f"{number}. {step}")
    tell(f"Check: {recipe.check}")


def _write(client: "ClientEntry", recipe: "Recipe", dry_run: bool, as_json: bool) -> None:
    file = recipe.file
    assert file
    old, new = _edited(client, file, as_json)
    backup = None if dry_run or old == new else _put(file, old, new, as_json)
    if as_json:
        diff = "".join(_diff(file.path, old, new))
        done = {"changed": old != new, "written": old != new and not dry_run, "diff": diff}
        print_json(_as_json(client, recipe) | done | {"backup": str(backup) if backup else None})
        return
    if old == new:
        tell(f"Already there: {_short(file.path)}")
    elif dry_run:
        typer.echo(safe_text("".join(_diff(file.path, old, new))), nl=False)
        return
    else:
        tell(f"Written: {_short(file.path.resolve())}")
        for where, what in file.replaced(old, new):
            tell(f"Was:     {where} = {what!r}")
        if backup:
            tell(f"Backup:  {_short(backup)}")
    _say_steps(recipe)


def _edited(client: "ClientEntry", file: "ClientFile", as_json: bool) -> tuple[str, str]:
    """The file's text as it is and as it has to be."""
    from server.client_setup.edit import EditError
    from server.client_setup.settings_file import read

    try:
        old = read(file.path)
        return old, file.edited(old)
    except EditError as error:
        message = f"{file.path} was left as it is: {error}.\nWhat it needs: {client.how}"
        refuse("client_file", message, RUN_FAILED, as_json=as_json)


def _put(file: "ClientFile", old: str, new: str, as_json: bool) -> Path | None:
    """Writes the file; the backup of the old one."""
    from server.client_setup.edit import EditError
    from server.client_setup.settings_file import write

    try:
        return write(file.path, old, new)
    except EditError as error:
        message = f"{file.path} was left as it is: {error}."
        refuse("client_file", message, RUN_FAILED, as_json=as_json)


def _diff(path: Path, old: str, new: str) -> Iterable[str]:
    lines = difflib.unified_diff(
        old.splitlines(keepends=True), new.splitlines(keepends=True), str(path), str(path)
    )
    for line in lines:
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _short(path: Path) -> str:
    """The path with ~ for the home directory."""
    home = Path.home()
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)
