"""The first real model on this machine: one that another program has left here, or a pull."""

from contextlib import suppress

from pipeline.models.auto import choose, installed_file
from pipeline.models.local_library import NAME
from pipeline.models.machine import total_memory
from pipeline.models.recommendation import command_here
from server.downloads.found_models import FoundModel, chat_models

LOOK_S = 1.0  # a start of laios, or a list of models, is not kept waiting for longer


def best_found() -> FoundModel | None:
    """The model that `auto` would take of those that other programs have left here, as far as they
    were found in LOOK_S. Blocks; what cannot be read is passed over."""
    with suppress(OSError, ValueError, RuntimeError):
        found = {name: each for name, each in chat_models(LOOK_S).items() if NAME.fullmatch(name)}
        files = (installed_file(name, model.size, head) for name, (model, head) in found.items())
        best = choose(files, total_memory())
        return found[best][0] if best else None
    return None


def commands_here(found: FoundModel | None) -> str:
    """The command that gets a real model for this machine; before it, the one that links the model
    that was found here."""
    if found is None:
        return command_here()
    return f"laios models import {found.name} ({found.owner} has it here), or {command_here()}"
