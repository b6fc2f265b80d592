"""`laios models`: list the models, and show or change which one plays which role."""

from dataclasses import asdict
from itertools import groupby
from operator import attrgetter
from typing import Any

import typer

from server.commands.catalog import catalog
from server.commands.completion import ROLES, model_names, roles, task_names
from server.commands.import_models import import_models
from server.commands.pull import pull
from server.commands.remove import remove
from server.runtime.units import in_bytes
from server.terminal.console import RUN_FAILED, USAGE, fail, refuse, say, settings_or_exit, tell
from server.terminal.interruptible import run_interruptible
from server.terminal.output import (
    columns,
    print_json,
    print_table,
    refuse_options_before,
    refuse_with,
)

app = typer.Typer(help="List, download and choose models.", invoke_without_command=True)
app.command()(pull)
app.command()(catalog)
app.command("import")(import_models)
app.command()(remove)


@app.callback()
def models(
    context: typer.Context,
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """List, get and choose models; without a command: list them."""
    if context.invoked_subcommand:
        refuse_options_before(context, "models")
    else:
        list_models(as_json)


@app.command("list")
def list_models(as_json: bool = typer.Option(False, "--json", help="Print JSON.")) -> None:
    """List the model of each role, and the installed models."""
    settings = settings_or_exit(as_json=as_json)
    from pipeline.models.starter import STARTER
    from server.downloads.first_model import best_found, commands_here
    from server.inventory.model_inventory import take_inventory

    found = run_interruptible(take_inventory(settings))
    if as_json:
        chosen = {role: {"setting": s, "model": m} for role, (s, m) in found.roles.items()}
        ollama = {"url": settings.OLLAMA_HOST, "error": found.error or None}
        print_json({"roles": chosen, "models": found.rows(), "ollama": ollama})
        return
    parts = ((role, model, setting) for role, (setting, model) in found.roles.items())
    print_table(("ROLE", "MODEL", "SETTING"), parts)
    typer.echo()
    titles = ("NAME", "SIZE", "FAMILY", "CONTEXT", "QUANT", "LAST USE", "NOW")
    print_table(titles, map(_row, found.rows()))
    if found.error:
        say(found.error)
    if all(model == STARTER for _, model in found.roles.values()):
        say(f"A real model for this machine: {commands_here(best_found())}")


def _row(model: dict[str, Any]) -> tuple[str, ...]:
    now = [*model["roles"], *(["cloud"] if model["cloud"] else [])]
    if model["loaded"]:
        now.append(f"loaded, {in_bytes(model['loaded']['size'])}")
    if not model["chat_template"]:
        now.append("no chat template")
    if model.get("fault"):
        now.append(f"damaged: {model['fault']}")
    length = f"{model['context_length']:,}" if model["context_length"] else "?"
    size = "-" if model["cloud"] else in_bytes(model["size"])
    facts = model["name"], size, model["family"] or "?", length, model["quantization"] or "?"
    return *facts, (model["used_at"] or "-")[:10], "; ".join(now)


@app.command()
def show(
    name: str = typer.Argument(
        metavar="NAME", help="A model's name, as in the list.", autocompletion=model_names
    ),
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Show one model in detail."""
    settings = settings_or_exit(as_json=as_json)
    from pipeline.errors import LaiosError
    from server.inventory.model_inventory import describe

    try:
        facts = run_interruptible(describe(settings, name))
    except LaiosError as error:
        refuse_with(error, as_json=as_json)
    if as_json:
        print_json(facts)
        return
    for line in columns([(key.replace("_", " "), _shown(key, facts[key])) for key in facts]):
        tell(line)


def _shown(key: str, value: Any) -> str:
    if key == "size" and value:
        return in_bytes(value)
    if key == "loaded" and value:
        return f"{in_bytes(value['size'])}, {in_bytes(value['vram'])} of it on the GPU"
    if isinstance(value, list):
        return ", ".join(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    return "; ".join(" ".join(line.split()) for line in str(value or "-").strip().splitlines())


STARTER_LINES = """\
local/starter comes with laios: it knows {these}{count} small tasks in English, and nothing else.
For a real model on this machine: {command}"""


@app.command()
def starter(
    word: str = typer.Argument(
        "",
        metavar="WORD",
        help="Only tasks that mention this word.",
        autocompletion=task_names,
        show_default=False,
    ),
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """List what the built-in model knows, with an example for each task."""
    from server.downloads.first_model import best_found, commands_here
    from server.inventory.starter_tasks import load_tasks

    tasks = load_tasks()
    found = [task for task in tasks if task.mentions(word)]
    if not found:
        message = f"No task of local/starter mentions {word!r}. All tasks: laios models starter."
        refuse("not_found", message, RUN_FAILED, as_json=as_json)
    if as_json:
        print_json([asdict(task) for task in found])
        return
    these, command = "" if word else "these ", commands_here(best_found())
    tell(STARTER_LINES.format(these=these, count=len(tasks), command=command))
    if word:
        tell(f"Those that mention {word!r}: {len(found)} of {len(tasks)}.")
    lines = columns((f"  {task.name}", task.example or task.does) for task in found)
    for topic, members in groupby(found, attrgetter("topic")):
        tell(f"\n{topic}")
        for _, line in zip(members, lines, strict=False):
            tell(line)
    tell("\nTry one: laios run --example [NAME]")


@app.command()
def use(
    role: str = typer.Argument(
        metavar="ROLE", help="coder, judge, reviewer or all.", autocompletion=roles
    ),
    name: str = typer.Argument(
        metavar="MODEL", help="provider/name, or auto.", autocompletion=model_names
    ),
) -> None:
    """Choose a role's model and write it into config.toml."""
    if role not in ROLES:
        fail(f"{role!r} is not a role. Roles: {', '.join(ROLES)}.", USAGE)
    settings = settings_or_exit()
    from config import ConfigError, config_path
    from pipeline.errors import LaiosError
    from server.inventory.role_assignment import RoleAssignment, overridden
    from server.runtime.config_file import write_values

    choice = RoleAssignment(role, name)
    try:
        warnings = run_interruptible(choice.check(settings))
        write_values(config_path(), choice.values())
    except (ConfigError, LaiosError) as error:
        fail(str(error), USAGE)
    for each in choice.roles:
        tell(f"{each}: {','.join(choice.names)}")
    for warning in [*warnings, *overridden(choice.values())]:
        say(f"Warning: {warning}")
