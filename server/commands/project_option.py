"""`laios run --write DIR`: the patch of a project as files on the disk."""

from pathlib import Path
from typing import NoReturn

from server.terminal.console import RUN_FAILED, USAGE, fail, refuse
from server.terminal.output import print_text


def check_or_exit(directory: Path) -> None:
    """Ends the command before a model is asked, where nothing could be written."""
    from laios.errors import NotWritten
    from laios.project_writer import check_directory

    try:
        check_directory(directory)
    except NotWritten as error:
        fail(str(error), USAGE)


def require_project(prompt: str, mode: str | None) -> None:
    """Ends the command where the prompt's mode writes no files. What is wrong with its tags is
    told where the request is read."""
    import pipeline.capabilities  # noqa: F401  (fills MODES)
    from pipeline.errors import BadRequest
    from pipeline.modes import MODES, read_tags

    try:
        row = MODES[read_tags(prompt, mode).mode]
    except BadRequest:
        return
    if "patch" not in row.formats:
        fail(
            f"--write puts a project's files into a directory, and {row.name} writes none. Start "
            "the prompt with ///files, or add --mode files.",
            USAGE,
        )


def write_or_exit(
    patch: str, directory: Path, run_id: str, *, force: bool, no_log: bool, as_json: bool
) -> list[str]:
    """The paths of the files that were written. What cannot be written is not lost: it goes to
    stdout where it is in no history."""
    from laios.errors import NotWritten
    from laios.git_patch import BadPatch, read_patch
    from laios.project_writer import write_project

    try:
        return [str(path) for path in write_project(read_patch(patch), directory, force=force)]
    except BadPatch as error:
        _not_written(f"The answer cannot be written: {error}.", patch, run_id, no_log, as_json)
    except NotWritten as error:
        _not_written(str(error), patch, run_id, no_log, as_json)


def _not_written(said: str, patch: str, run_id: str, no_log: bool, as_json: bool) -> NoReturn:
    if as_json:
        refuse("not_written", said, RUN_FAILED, as_json=True, id=run_id, output=patch)
    if no_log:
        print_text(patch)
        fail(f"{said} The patch is on stdout.", RUN_FAILED)
    fail(f"{said} The patch is in the history: laios history show {run_id}", RUN_FAILED)
