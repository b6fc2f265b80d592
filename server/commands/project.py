"""`laios run --write DIR`: the patch of a project as files on the disk."""

from pathlib import Path

from server.commands.common import RUN_FAILED, USAGE, fail, safe_text

MISSING = "# MISSING "


def check_or_exit(directory: Path) -> None:
    """Ends the command before a model is asked, where nothing could be written."""
    from server.project_writer import NotWritten, check_directory

    try:
        check_directory(directory)
    except NotWritten as error:
        fail(str(error), USAGE)


def write_or_exit(patch: str, directory: Path, run_id: str, *, force: bool) -> list[str]:
    """The paths of the files that were written."""
    from pipeline.project.patch import BadPatch, read_patch
    from server.project_writer import NotWritten, write_project

    try:
        return [str(path) for path in write_project(read_patch(patch), directory, force=force)]
    except BadPatch as error:
        fail(f"The answer cannot be written: {error}.", RUN_FAILED)
    except NotWritten as error:
        found = f"The patch is in the history: laios history show {run_id}"
        fail(f"{safe_text(str(error))} {found}", RUN_FAILED)


def fail_if_incomplete(patch: str) -> None:
    """A project with files missing is written, and is no success."""
    head = patch.partition("diff --git ")[0]
    missing = [line.removeprefix(MISSING) for line in head.splitlines() if line.startswith(MISSING)]
    if missing:
        fail("Missing files:\n" + "\n".join(map(safe_text, missing)), RUN_FAILED)
