"""A small project: what `///files` answers as `json`."""

from pydantic import BaseModel, Field

from laios.types.run_details import FailedFile


class ProjectFile(BaseModel):
    """`path` is relative, with `/`; `type` is source, test, config, documentation or data."""

    path: str
    type: str
    content: str


class ProjectFiles(BaseModel):
    """`dependencies` are packages of others, as a requirements file names them."""

    project_id: str
    passed: bool = Field(
        description="Whether no file is missing or broken, and its tests were run and hold, none "
        "of them skipped by laios"
    )
    files: list[ProjectFile]
    missing: list[FailedFile] = Field(description="Files that were planned and could not be had")
    dependencies: list[str]
    setup_instructions: str
