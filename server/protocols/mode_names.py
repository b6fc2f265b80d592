"""Modes as model names: `laios`, `laios:raw`, `laios:ctx`, … from the MODES table."""

from pipeline.errors import UnknownMode
from pipeline.modes import DEFAULT_MODE, MODES, Mode, resolve_mode
from server.http.errors import HttpError

NAME = "laios"
LONGEST = 128  # characters; no mode has such a name, and an error need not repeat all of it
LATEST = "latest"  # what Ollama's clients add to a name without a tag


def model_names() -> list[str]:
    """Every mode as a model's name, in the table's order: `laios` first."""
    return [model_name(row) for row in MODES.values()]


def agents_names() -> list[str]:
    """Those of the modes that pass an agent's tools on."""
    from pipeline.agents.flow import TAKING_TOOLS

    return [model_name(MODES[mode]) for mode in TAKING_TOOLS]


def model_name(row: Mode) -> str:
    """`laios:raw` for `code_raw`."""
    return NAME if row.name == DEFAULT_MODE else f"{NAME}:{row.word}"


def choice_of(model: str | None) -> str:
    """What a model's name says after its colon, as `Request.mode` takes it: `best=8`. Raises as
    `mode_of`."""
    mode_of(model)
    return _word(model)


def mode_of(model: str | None) -> str:
    """The mode's name for a model's: `laios`, `laios:latest` and nothing at all are the default.

    Raises HttpError (`not_found`) for other names, also for those of other people's models.
    """
    try:
        return resolve_mode(_word(model))
    except UnknownMode:
        raise HttpError(
            "not_found",
            f"There is no model {(model or NAME)[:LONGEST]!r}. Models: {', '.join(model_names())}.",
        ) from None


def _word(model: str | None) -> str:
    name, _, word = (model or NAME).partition(":")
    if name != NAME or len(word) > LONGEST:
        raise UnknownMode
    return "" if word == LATEST else word
