"""`context` of `/api/generate`: what a caller sends back, so that its next prompt goes on there.

Ollama's is the conversation as the model's own tokens; clients keep it and never look inside. Ours
is the conversation as text: a mark, then the bytes of its turns as JSON. Nothing is kept here.
"""

from collections.abc import Sequence
from contextlib import suppress
from itertools import accumulate

from pydantic import TypeAdapter

from pipeline.errors import BadRequest
from pipeline.request import Turn

MARK = (108, 97, 105, 111, 115, 1)  # "laios", version 1; no tokenizer begins a prompt like this
MAX_BYTES = 64 * 1024  # of text; far more than a model is shown of earlier turns
_TURNS = TypeAdapter(tuple[Turn, ...])


def context_of(turns: Sequence[Turn]) -> list[int]:
    """The turns for the way to the caller and back, the newest as far as they are not too long."""
    sizes = list(accumulate(len(turn.text.encode("utf-8", "replace")) for turn in turns[::-1]))
    fit = sum(size <= MAX_BYTES for size in sizes)
    kept = tuple(Turn(turn.role, _whole(turn.text)) for turn in turns[len(turns) - fit :])
    return [*MARK, *_TURNS.dump_json(kept)]


def turns_of(context: object) -> tuple[Turn, ...]:
    """The turns of what a caller sent back; none where it sent nothing. Raises BadRequest for what
    laios has not given: another server's tokens would be left out in silence."""
    if context is None or context == []:
        return ()
    if isinstance(context, list) and tuple(context[: len(MARK)]) == MARK:
        with suppress(ValueError, TypeError):
            return _TURNS.validate_json(bytes(context[len(MARK) :]))
    raise BadRequest('The field "context" did not come from laios. Leave it out to start again.')


def _whole(text: str) -> str:
    """Without half surrogate pairs, which JSON cannot carry."""
    return text.encode("utf-8", "replace").decode()
