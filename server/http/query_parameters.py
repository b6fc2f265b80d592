"""The parameters of a GET, read strictly."""

from collections.abc import Collection, Mapping

from pipeline.errors import BadRequest


def refuse_unknown(asked: Mapping[str, str], known: Collection[str]) -> None:
    """Raises BadRequest."""
    unknown = sorted(asked.keys() - set(known))
    if unknown:
        raise BadRequest(f"Unknown parameter {unknown[0]!r}. Parameters: {', '.join(known)}.")


def limit_of(text: str, most: int) -> int:
    """How many rows are wanted. Raises BadRequest."""
    if not (text.isdecimal() and 1 <= int(text[:9]) <= most):
        raise BadRequest(f'"limit" must be a whole number from 1 to {most}.')
    return int(text[:9])
