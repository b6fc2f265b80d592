"""What a file's path says about it."""

from pathlib import PurePosixPath
from typing import Literal, get_args

FileType = Literal["source", "test", "config", "documentation", "data"]
FILE_TYPES: tuple[FileType, ...] = get_args(FileType)

_LANGUAGES = {
    ".bash": "bash",
    ".c": "c",
    ".cc": "cpp",
    ".cjs": "javascript",
    ".cpp": "cpp",
    ".cs": "csharp",
    ".css": "css",
    ".cts": "typescript",
    ".diff": "diff",
    ".go": "go",
    ".h": "c",
    ".hpp": "cpp",
    ".html": "html",
    ".java": "java",
    ".js": "javascript",
    ".json": "json",
    ".jsx": "jsx",
    ".kt": "kotlin",
    ".lua": "lua",
    ".md": "markdown",
    ".mjs": "javascript",
    ".mts": "typescript",
    ".patch": "diff",
    ".php": "php",
    ".py": "python",
    ".pyi": "python",
    ".rb": "ruby",
    ".rs": "rust",
    ".scss": "scss",
    ".sh": "bash",
    ".sql": "sql",
    ".svelte": "svelte",
    ".swift": "swift",
    ".toml": "toml",
    ".ts": "typescript",
    ".tsx": "tsx",
    ".vue": "vue",
    ".xml": "xml",
    ".yaml": "yaml",
    ".yml": "yaml",
}
_NAMES = {"dockerfile": "dockerfile", "makefile": "makefile", "cmakelists.txt": "cmake"}
ECMASCRIPT = ("javascript", "jsx", "typescript", "tsx")
_TESTS = {"test", "tests", "__tests__", "spec"}
_PROSE = {"markdown", "rst", "text"}


def language_of_path(path: str) -> str | None:
    """The language that a file is written in, as a fence's label; None where nothing tells."""
    name = PurePosixPath(path)
    return _NAMES.get(name.name.lower()) or _LANGUAGES.get(name.suffix.lower())


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
    return language_of_path(path) in _PROSE or suffix in (".rst", ".txt", ".adoc", "")
