"""The results of the tools: their structured content."""

from typing import Any, Self

from pydantic import BaseModel, Field

from laios.types import (
    Answer,
    CitedChunk,
    Evidence,
    FailedFile,
    ProjectFile,
    Record,
    SuiteReport,
    Verdict,
)
from server.mcp.resource_address import chunk_address, run_address

EXCERPT = 400  # characters


class RunResult(BaseModel):
    """What every run is told with."""

    run: str = Field(description="Resource with all that is on record of the run")
    warnings: list[str] = Field(
        description="What is known to be wrong or could not be checked, a line each"
    )
    seconds: float = Field(description="Of the run, waiting for its turn not included")

    @classmethod
    def of(cls, answer: Answer, **made: Any) -> Self:
        """`made`: the other fields."""
        return cls(
            run=run_address(answer.run_id),
            warnings=answer.warnings,
            seconds=answer.details.seconds,
            **made,
        )


class CodeResult(RunResult):
    code: str
    reviewed: bool = Field(description="Whether the reviewer wrote it, in place of the draft")
    verdict: Verdict | None = Field(description="The judge's opinion, where it was asked")
    open_questions: list[str] = Field(
        description="Calls on which its drafts differ and nothing decides: an example would"
    )


class ReviewResult(RunResult):
    code: str
    changed: bool
    diff: str = Field(description="Unified, from the given code; empty where nothing changed")
    evidence: list[Evidence] = Field(description="Facts against the reviewed code")


class TestedResult(RunResult):
    code: str
    passed: bool = Field(description="Whether tests were run and all of them hold")
    tests: SuiteReport | None = Field(description="The tests one by one; null: there are none")


class ProjectResult(RunResult):
    project_id: str
    files: list[ProjectFile] = Field(description="Nothing is written: paths are relative, checked")
    missing: list[FailedFile] = Field(description="Planned files that could not be had")
    dependencies: list[str]
    setup_instructions: str
    passed: bool = Field(description="Whether its checks were run and hold")
    findings: list[str] = Field(description="What checks found")


class FoundPiece(CitedChunk):
    resource: str

    @classmethod
    def of(cls, piece: CitedChunk) -> Self:
        return cls(**piece.model_dump(), resource=chunk_address(piece.id))


class FoundPieces(BaseModel):
    pieces: list[FoundPiece] = Field(description="The best first")


class FoundRun(BaseModel):
    """Texts are cut; the resource has them whole."""

    run: str = Field(description="Resource with all that is on record of the run")
    when: str = Field(description="RFC 3339, UTC")
    mode: str
    session: str | None
    prompt: str | None
    output: str | None
    error: str | None = Field(description="Its code, where the run failed")

    @classmethod
    def of(cls, record: Record) -> Self:
        return cls(
            run=run_address(record.id),
            when=record.ts,
            mode=record.mode,
            session=record.session,
            prompt=_excerpt(record.normalized_prompt),
            output=_excerpt(record.final_output),
            error=record.error.code if record.error else None,
        )


class FoundRuns(BaseModel):
    runs: list[FoundRun] = Field(description="Newest first")


def _excerpt(text: str | None) -> str | None:
    return text if text is None or len(text) <= EXCERPT else f"{text[:EXCERPT]}…"
