"""The parameters of a GET, read strictly."""

from collections.abc import Collection

from starlette.datastructures import QueryParams

from pipeline.errors import BadRequest

SHOWN = 100  # characters of a wrong name


def parameters_of(given: QueryParams, known: Collection[str]) -> dict[str, str]:
    """Each once, and none without a value but `q`, with which a form is sent that nobody filled in.
    Raises BadRequest."""
    asked: dict[str, str] = {}
    for name, value in given.multi_items():
        if name not in known:
            raise BadRequest(f"Unknown parameter {name[:SHOWN]!r}. Parameters: {', '.join(known)}.")
        if name in asked:
            raise BadRequest(f'"{name}" is given twice. Send it once.')
        if not value and name != "q":
            raise BadRequest(f'"{name}" is empty. Leave it out, or give it a value.')
        asked[name] = value
    return asked


def limit_of(text: str, most: int) -> int:
    """How many rows are wanted. Raises BadRequest."""
    if not (text.isdecimal() and 1 <= int(text[:9]) <= most):
        raise BadRequest(f'"limit" must be a whole number from 1 to {most}.')
    return int(text[:9])
