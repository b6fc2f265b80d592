"""The starter's note on a request that is beyond it, with the command that helps on this machine.

The weights were trained to write one fixed text, with the command of their day.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing

from pipeline.model import Delta, Frame
from pipeline.models.recommendation import command_here

FACT = (
    "# REVIEWER_NOTE: This is beyond the built-in starter model: it knows a list of small tasks "
    "(laios models starter)."
)
TRAINED = f"{FACT} For a real model, install Ollama and run: ollama pull qwen2.5-coder:7b"


async def with_command(frames: AsyncGenerator[Frame, None]) -> AsyncGenerator[Frame, None]:
    """The frames of an answer; one that is the trained note to the letter names the command.
    Text is held back for only as long as it may become that note."""
    held, may_be = "", True
    async with aclosing(frames):
        async for frame in frames:
            if isinstance(frame, Delta) and may_be:
                held += frame.text
                may_be = TRAINED.startswith(held)
                if may_be:
                    continue
                frame = Delta(held, frame.thinking)
            elif may_be and held:
                yield Delta(note(command_here()) if held == TRAINED else held)
            yield frame


def note(command: str) -> str:
    """The whole note, with the command that gets a real model."""
    return f"{FACT} For a real model: {command}"
