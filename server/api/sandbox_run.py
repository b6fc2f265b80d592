"""`POST /sandbox/run`: one program in the sandbox. No model is asked, and nothing is recorded."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from laios.types.program_outcome import ProgramOutcome
from pipeline import sandbox
from pipeline.analysis.languages import normal_language
from pipeline.errors import BadRequest
from pipeline.validation_messages import nearest, read_as
from server.http.disconnect import unless_gone
from server.http.json_response import json_response
from server.http.request_body import read_object, whole_body
from server.runtime.container import container_of

MAX_CODE = 200_000  # characters, like the other length
MAX_STDIN = 200_000
LANGUAGES = sandbox.RUN_LANGUAGES


class ProgramRequest(BaseModel):
    """A program, and what it reads from its standard input."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    code: str = Field(description="The whole program", min_length=1, max_length=MAX_CODE)
    language: str = Field(
        "python", description=f"One of {', '.join(LANGUAGES)}, or an alias of one"
    )
    stdin: str = Field("", description="What it reads from its input", max_length=MAX_STDIN)


async def post_program(http: HttpRequest) -> Response:
    """A ProgramRequest → a ProgramOutcome. A caller who goes away ends the program."""
    asked = read_program(read_object(await whole_body(http)))
    ended = await unless_gone(http.receive, _outcome(http, asked))
    return json_response(ended.model_dump())


def read_program(value: Mapping[str, Any]) -> ProgramRequest:
    """A caller's JSON object. Raises BadRequest, naming the field and what is wrong with it."""
    asked = read_as(ProgramRequest, value)
    language = normal_language(asked.language.strip())
    if language not in LANGUAGES:
        near = nearest(asked.language[:50], LANGUAGES)
        raise BadRequest(
            f"{asked.language[:50]!r} cannot be run here. {near}Languages: {', '.join(LANGUAGES)}."
        )
    return asked.model_copy(update={"language": language})


async def _outcome(http: HttpRequest, asked: ProgramRequest) -> ProgramOutcome:
    limits = sandbox.Limits.of(container_of(http).scheduler.settings)
    stdin = asked.stdin.encode()
    run = await sandbox.run_program(asked.language, asked.code, limits, stdin=stdin)
    ended = run.outcome
    return ProgramOutcome(
        exit=ended.exit if run.was_built else None,
        ended=ended.ended if run.was_built else "compile_error",
        stdout=ended.stdout,
        stderr=ended.stderr,
        seconds=round(ended.duration_s, 3),
    )
