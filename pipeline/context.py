"""Earlier requests and answers → the block that goes before a prompt (seed 002 §7). Pure."""

from collections.abc import Mapping, Sequence
from typing import Any

from pipeline.tokens import estimate


def compact(request: str, answer: str) -> str:
    return f"User request:\n{request}\n\nAssistant code:\n{answer}\n"


def history_block(records: Sequence[Mapping[str, Any]], budget: int) -> tuple[str, list[str]]:
    """The newest records that fit into `budget` tokens, oldest first, and their ids.

    A record is taken whole or not at all, and nothing older than one that did not fit: a gap would
    mislead the model.
    """
    blocks: list[str] = []
    ids: list[str] = []
    for record in reversed(records):
        block = compact(record["normalized_prompt"], record["final_output"])
        budget -= estimate(block)
        if budget < 0:
            break
        blocks.append(block)
        ids.append(record["id"])
    return "\n".join(reversed(blocks)), ids[::-1]
