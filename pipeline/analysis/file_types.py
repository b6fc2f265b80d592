"""What a file's path says about it."""

from pathlib import PurePosixPath
from typing import Literal, get_args

from pipeline.analysis.languages import language_of_ending

FileType = Literal["source", "test", "config", "documentation", "data"]
FILE_TYPES: tuple[FileType, ...] = get_args(FileType)

_NAMES = {"dockerfile": "dockerfile", "makefile": "makefile", "cmakelists.txt": "cmake"}
ECMASCRIPT = ("javascript", "jsx", "typescript", "tsx")
_TESTS = {"test", "tests", "__tests__", "spec"}
_PROSE = {"markdown", "rst", "text"}


def language_of_path(path: str) -> str | None:
    """The language that a file is written in, as a fence's label; None where nothing tells."""
    name = PurePosixPath(path)
    return _NAMES.get(name.name.lower()) or language_of_ending(name.suffix)


def type_of_path(path: str) -> FileType:
    """What a file is for, as far as its path tells."""
    name = PurePosixPath(path)
    stem = name.stem.lower()
    if _TESTS & {part.lower() for part in name.parts[:-1]} or (
        stem.startswith("test_") or stem.endswith(("_test", ".test", ".spec"))
    ):
        return "test"
    language = language_of_path(path)
    if language == "markdown" or name.suffix.lower() in (".rst", ".txt", ""):
        known = language in _NAMES.values() or stem.startswith((".", "requirements"))
        return "config" if known else "documentation"
    if language in ("json", "toml", "yaml") or name.suffix.lower() in (".cfg", ".ini", ".env"):
        return "config"
    if language in ("xml", "diff") or name.suffix.lower() in (".csv", ".tsv"):
        return "data"
    return "source"


def is_prose(path: str) -> bool:
    """Whether Markdown fences belong to the file's own text."""
    suffix = PurePosixPath(path).suffix.lower()
    is_text = language_of_path(path) in _PROSE or suffix in (".rst", ".txt", ".adoc", "")
    return is_text and type_of_path(path) != "config"  # requirements.txt, a Dockerfile
