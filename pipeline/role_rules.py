"""Rules of coder, judge and reviewer in a person's own words: files of `PROMPTS_DIR`.

`coder.txt`, `judge.txt` and `reviewer.txt` each stand in place of what `pipeline/review` tells that
role; a role without a file keeps the built-in rules. Request, draft and findings are put beside
them as ever, and a verdict has its schema whatever the judge is told.
"""

from dataclasses import dataclass
from pathlib import Path

from pipeline.errors import BadRequest
from pipeline.roles import ROLES

MAX_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class RoleRules:
    """ "" where the built-in rules hold."""

    coder: str = ""
    judge: str = ""
    reviewer: str = ""


BUILT_IN = RoleRules()


def read_rules(directory: Path | None) -> RoleRules:
    """Raises BadRequest for a directory without any, and for what is no text."""
    if directory is None:
        return BUILT_IN
    files = {role: directory / f"{role}.txt" for role in ROLES}
    try:
        rules = {role: _text(path) for role, path in files.items() if path.is_file()}
    except OSError as error:
        raise BadRequest(f"The prompts in {directory} cannot be read: {error.strerror}.") from None
    if not rules:
        names = ", ".join(path.name for path in files.values())
        raise BadRequest(f"There are no prompts in {directory}. Put one of {names} there.")
    return RoleRules(**rules)


def _text(path: Path) -> str:
    """Raises OSError, BadRequest."""
    with path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    try:
        text = data.decode("utf-8").strip()
    except UnicodeDecodeError:
        raise BadRequest(f"{path} is not UTF-8 text.") from None
    if not text or len(data) > MAX_BYTES:
        raise BadRequest(f"{path} has to hold 1 to {MAX_BYTES} bytes of text.")
    return text
