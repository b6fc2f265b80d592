"""A piece of documentation, as `GET /docs/chunks/{id}` gives it."""

from pydantic import BaseModel, Field


class CitedChunk(BaseModel):
    """What a citation's `chunk_id` leads to."""

    id: str
    content_type: str = Field(description="`CODE`, `API_DOC` or `CONCEPT`")
    title: str
    content: str
    symbols: list[str] = Field(description="Qualified names that it documents or uses")
    path: str = Field(description="A file relative to its source, or a module")
    source: str = Field(description="As `laios docs list` names it")
