"""--mode of `laios batch`, `bench`, `replay`, `history`: a mode of laios or of an add-on."""

from server.terminal.console import USAGE, fail, say


def mode_or_exit(choice: str | None, *, on_record: bool = False) -> str | None:
    """The mode's name, None without a choice. Loads the add-ons, whose modes count too;
    `on_record`: so do those that only records have."""
    import pipeline.capabilities  # noqa: F401  (fills MODES)
    from pipeline.add_ons import load_add_ons
    from pipeline.errors import BadRequest
    from pipeline.modes import resolve_mode

    for problem in load_add_ons():
        say(problem)
    try:
        return resolve_mode(choice, on_record=on_record) if choice else None
    except BadRequest as error:
        fail(error.message, USAGE)
