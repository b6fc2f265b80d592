"""The outcome of a program that was run in the sandbox."""

from typing import Literal

from pydantic import BaseModel, Field


class ProgramOutcome(BaseModel):
    """The program wrote every byte of its output and chose its exit status: a hint, no proof."""

    exit: int | None = Field(
        description="Exit status, 128 + n after signal n; null when a limit ended it, "
        "or when it could not be built"
    )
    ended: Literal["exited", "signal", "timeout", "cpu", "memory", "output", "compile_error"] = (
        Field(
            description="How it ended: by itself, or which limit ended it; `compile_error`: it was "
            "not run, and stderr is the compiler's"
        )
    )
    stdout: str = Field(description="Cut at SANDBOX_OUTPUT_BYTES, with a mark")
    stderr: str = Field(description="Cut at SANDBOX_OUTPUT_BYTES, with a mark")
    seconds: float = Field(ge=0)
