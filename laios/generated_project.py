"""The project that `///files` made."""

from collections.abc import Mapping
from pathlib import Path

from laios.project_writer import write_project
from laios.types.project_files import ProjectFiles
from laios.types.run_details import RunDetails


class Project(ProjectFiles):
    """Its files with what is known of them."""

    details: RunDetails

    @property
    def texts(self) -> Mapping[str, str]:
        """The files' contents by their paths."""
        return {file.path: file.content for file in self.files}

    @property
    def findings(self) -> list[str]:
        """What checks found: names that are not there, calls that do not fit, failing tests."""
        return self.details.findings

    def write(self, directory: str | Path, *, force: bool = False) -> list[Path]:
        """Writes the files below the directory, all of them or none, and gives their paths. A file
        that is there is replaced with `force` alone. Raises NotWritten."""
        return write_project(self.texts, Path(directory), force=force)
