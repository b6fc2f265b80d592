"""The request of `POST /prompt`, read strictly."""

from collections.abc import Mapping
from typing import Any

from pydantic import Field

from pipeline.modes import read_tags
from pipeline.request import Request
from pipeline.run_limits import RunLimits
from pipeline.validation_messages import read_as

MAX_SESSION = 256  # characters


class PromptRequest(RunLimits):
    """A prompt, and how it is run."""

    prompt: str = Field(description="What the code should do; tags such as ///raw pick a mode.")
    mode: str | None = None
    literal: bool = Field(False, description="Do not read tags in the prompt.")
    session: str | None = Field(None, max_length=MAX_SESSION)
    format: str | None = None
    no_log: bool = Field(False, description="Keep no texts in the history.")
    stream: bool = Field(False, description="Answer as server-sent events.")
    details: bool = Field(False, description="Add details of the run to the answer.")


def read_request(value: Mapping[str, Any], run_id: str) -> Request:
    """The body of POST /prompt. Raises BadRequest, naming the field and what is wrong with it."""
    asked = read_as(PromptRequest, value)
    if asked.literal:  # nothing but its mode can be wrong, which a batch knows before it begins
        import pipeline.capabilities  # noqa: F401  (fills MODES)

        read_tags(asked.prompt, asked.mode, literal=True)
    return Request(
        prompt=asked.prompt,
        mode=asked.mode,
        literal=asked.literal,
        session=asked.session or None,
        format=asked.format,
        no_log=asked.no_log,
        streams=asked.stream,
        limits=RunLimits.read(value),
        id=run_id,
    )
