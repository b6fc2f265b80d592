"""A project as Markdown: a heading for each file and its text in a fence. Pure.

A fence is longer than any run of its mark in the text, so that no text ends its own block. Between
the fence lines stands the text, byte for byte; where it has no newline at its end, the heading
says so.
"""

from collections.abc import Mapping, Sequence

from laios.markdown_text import fenced
from pipeline.analysis.file_types import language_of_path

UNENDED = "(no newline at the end)"


def write_markdown(
    title: str,
    texts: Mapping[str, str],
    setup: str = "",
    missing: Sequence[str] = (),
    dependencies: Sequence[str] = (),
) -> str:
    """The files under their paths. `missing`: a line for each file that could not be had;
    `dependencies`: packages of others."""
    parts = [f"# {title}", *(_section(path, text) for path, text in texts.items())]
    if missing:
        parts.append("\n".join(["## Missing", "", *(f"- {line}" for line in missing)]))
    if dependencies:
        packages = "\n".join(dependencies)
        parts.append(f"## Dependencies\n\n{fenced(packages)}")
    if setup:
        parts.append(f"## Setup\n\n{fenced(setup)}")
    return "\n\n".join(parts) + "\n"


def _section(path: str, text: str) -> str:
    unended = f" {UNENDED}" if text and not text.endswith("\n") else ""
    return f"## `{path}`{unended}\n\n{fenced(text, language_of_path(path))}"
