"""A piece of the index of documentation."""

from pydantic import BaseModel, Field


class DocumentationPiece(BaseModel):
    """A chunk as it was indexed, whole."""

    id: str = Field(description="Stable from one indexing to the next; citations name it")
    content_type: str = Field(description="`CODE`, `API_DOC` or `CONCEPT`")
    title: str
    content: str
    symbols: list[str] = Field(description="Qualified names that it documents or uses")
    path: str = Field(description="A file relative to its source, or a module")
    source: str = Field(description="As `laios docs list` names it")
