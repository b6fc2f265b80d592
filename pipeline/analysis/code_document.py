"""Code in several languages as one Markdown document: joined, it would be code in none. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from laios.markdown_text import fenced
from pipeline.analysis.fences import FENCE, Fence, fences, without_fences
from pipeline.analysis.file_types import language_of_path
from pipeline.analysis.python_syntax import MAX_PARSED

_PATH = r"[\w./@+-]*\w"
_NAMES_FILE = re.compile(
    rf"(?:^[#*\d.\s]*(?:file(?:name)?:?\s*)?|^[`~]{{3,}}[\w+#]*[ :]|[`*\"'(])"
    rf"({_PATH})(?=:?(?:[`*\"')]|\s*$))",
    re.IGNORECASE,
)
_ALONE = re.compile(rf"`{_PATH}`:")
_MOST_READ = 300  # characters of a line
_PRINTS = re.compile(
    r"^[#*_ ]*(?:(?:the|an?|example|expected|sample|program|it|this|will|should) )*"
    r"(?:outputs?|prints?|responses?|results?|returns?|Ausgabe|Ergebnis)"
    r"(?: (?:is|of|when|for|if|will|would|looks)\b[^\n]*)?:[*_ ]*$",
    re.IGNORECASE | re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Code:
    """Extracted code and the language that its fence names (None: no fence, or no label). `lead`:
    the words before its block, as far as they tell what is in it. `left_out`: the blocks of its
    reply that are no part of it."""

    text: str
    language: str | None = None
    lead: str = field(default="", compare=False)
    left_out: tuple["Code", ...] = field(default=(), compare=False)

    @property
    def path(self) -> str:
        """The file that it is said to be, "" where nothing says so."""
        for line in reversed(self.lead.splitlines()):
            named: list[str] = [*filter(self._may_be, _NAMES_FILE.findall(line))]
            if len(named) == 1:
                return named[0]
        return ""

    @property
    def is_printed(self) -> bool:
        """Whether it is said to be what a program prints."""
        return bool(_PRINTS.search(self.lead))

    def _may_be(self, name: str) -> bool:
        return language_of_path(name) is not None and name != self.language  # a label of its own


def lead_of(text: str, before: Fence | None, fence: Fence) -> str:
    """The last line before a block, and what stands behind its mark."""
    lines = text[before.end if before else 0 : fence.start].strip().rsplit("\n", 1)
    info = text[fence.start : text.find("\n", fence.start)]
    return f"{lines[-1][-_MOST_READ:]}\n{info[:_MOST_READ]}"


def as_document(blocks: Sequence[Code]) -> Code:
    """Each block in a fence of its own, under its file's name."""
    parts = (_part(block) for block in blocks)
    return Code("\n\n".join(parts) + "\n", "markdown")


def _part(block: Code) -> str:
    name = f"`{block.path}`:\n\n" if block.path else ""
    return name + fenced(block.text, block.language)


def is_code_document(text: str) -> bool:
    """Whether it is blocks, their files' names and notes alone, two blocks at least."""
    if len(text) > MAX_PARSED or FENCE.search(text) is None:
        return False
    words = (line for line in without_fences(text).splitlines() if line.strip())
    is_one = all(_ALONE.fullmatch(line) or "REVIEWER_NOTE:" in line for line in words)
    return is_one and len([*fences(text)]) > 1
