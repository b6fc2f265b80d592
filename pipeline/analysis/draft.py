"""A draft: the code of a coder or reviewer, with the findings against it."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal

from pipeline.analysis.code_document import Code
from pipeline.analysis.code_extraction import drop_thinking, extract_code
from pipeline.analysis.comments import with_first_comment
from pipeline.analysis.evidence import Finding, examine, language_of, named_language
from pipeline.analysis.fences import FENCE
from pipeline.analysis.input_prompts import wants_no_prompts, without_prompts
from pipeline.analysis.missing_imports import with_missing_imports
from pipeline.analysis.prose import reads_as_prose
from pipeline.analysis.questions import asks_for_words, words_beside
from pipeline.analysis.requested_blocks import with_requested
from pipeline.analysis.standard_library_imports import (
    with_library_imports,
    without_unused_imports,
)
from pipeline.analysis.unwanted_comments import wants_no_comments, without_comments

DraftSource = Literal["coder", "reviewer"]  # whose text it is
_HEADING = re.compile(r"^#{1,6} ", re.MULTILINE)
_IN_FENCE = re.compile(r"^(?:`{3,}|~{3,})(?:markdown|md)\s*$", re.MULTILINE)
UNRUNNABLE = ("empty", "truncated", "syntax", "import", "compile")


@dataclass(frozen=True, slots=True)
class Draft:
    """Extracted code of the coder or the reviewer, its language where known, its findings, and what
    a judge is told of how it ran. `put_in`: the import lines that a rule added; `mended`: what else
    one did. `decided`: what speaks for it so that nobody need be asked, "" where nothing does.
    `undecided`: what was tried in vain to decide on it, "" where nothing was. `best_of`: of how
    many drafts it was chosen. `of_sessions`: what decided are drafts that agree in sessions, which
    of a small model says little.
    `as_said`: the reply, where it is this code and nothing else, bare or in a fence, else "".
    `unrun`: why it could not be run where it was tried, though that is no fault, else "".
    `unread`: what the request shows that could not be read as an example for it, else ""."""

    text: str
    language: str | None
    findings: tuple[Finding, ...]
    facts: str = ""
    put_in: tuple[str, ...] = ()
    mended: tuple[str, ...] = ()
    decided: str = ""
    undecided: str = ""
    best_of: int = 1
    as_said: str = ""
    unrun: str = ""
    unread: str = ""
    of_sessions: bool = False

    @property
    def fault(self) -> str | None:
        """The facts as an escalation reason: `evidence: syntax error at line 3`, or None."""
        if not self.findings:
            return None
        return "evidence: " + "; ".join(finding.detail for finding in self.findings)

    @property
    def whole(self) -> bool:
        """Not empty and not cut off: it can be handed to a person."""
        return not any(finding.kind in ("empty", "truncated") for finding in self.findings)

    @property
    def runs(self) -> bool:
        """As far as is known: it parses and imports."""
        return not any(finding.kind in UNRUNNABLE for finding in self.findings)

    @property
    def was_held(self) -> bool:
        """Whether it was held against something that the request shows, or a note says why not."""
        known = self.facts or self.decided or self.unread or self.unrun
        return bool(known) or any(finding.kind == "example" for finding in self.findings)

    def fails_beyond(self, other: "Draft") -> str | None:
        """What this text fails that the other passes, as a phrase, or None. Against a text that
        does not even run, nothing is worse."""
        new = [finding.detail for finding in self.findings_beyond(other)]
        return "; ".join(new) if other.runs and new else None

    def findings_beyond(self, other: "Draft") -> list[Finding]:
        """Those that the other does not have, by their words."""
        known = {finding.detail for finding in other.findings}
        return [finding for finding in self.findings if finding.detail not in known]


Examine = Callable[[Draft, DraftSource], Awaitable[Draft]]
"""Gives a stage's draft back with the facts against it."""


def read_draft(
    stage: str,
    reply: str,
    request: str,
    language: str | None = None,
    *,
    truncated: bool = False,
    complete: bool = False,
    context: str = "",
) -> Draft:
    """Takes the code out of a stage's reply and examines it. As comments it has what an answer to a
    question says beside the code, and the blocks beside it that the request asks for. `language`:
    what the caller knows. `complete`: imports of the standard library that the code forgot are put
    in; what the request does not want is left out: words that ask for the input, and of Python
    comments. `context`: earlier work, which the code may go with."""
    code = _document(reply, request) or extract_code(reply, language)
    spoken = language_of(code.text, code.language or language, request)
    if (asks_for_words(request) or spoken is None) and reads_as_prose(code.text):
        spoken = "markdown"
    findings = examine(stage, code.text, spoken, truncated=truncated)
    text, put_in, mended = code.text, list[str](), tuple[str, ...]()
    if complete and spoken != "python" and not findings:
        text, put_in = with_library_imports(text, spoken, f"{request}\n{context}")
        text, unused = without_unused_imports(text, spoken)
        mended = tuple(f"unused import left out: {path}" for path in unused)
    elif complete and not findings:
        text, put_in = with_missing_imports(text)
        if wants_no_comments(request) and (bare := without_comments(text)) != text:
            text, mended = bare, ("comments left out",)
    if complete and not findings and wants_no_prompts(request):
        text, asked = without_prompts(text, spoken, request)
        mended += tuple(f"prompt left out: {words}" for words in asked)
    as_said = said_alone(reply, text)
    if not as_said and asks_for_words(request) and (words := _words(reply)):
        text = with_first_comment(text, spoken, words)
    if code.left_out:
        text = with_requested(text, spoken, request, code.left_out)
    return Draft(
        text, spoken, tuple(findings), put_in=tuple(put_in), mended=mended, as_said=as_said
    )


def _words(reply: str) -> list[str]:
    """What a reply says beside its blocks; nothing where it has none, and is words alone."""
    said = drop_thinking(reply)
    return words_beside(said) if FENCE.search(said) else []


def _document(reply: str, request: str) -> Code | None:
    """A Markdown document that is asked for and comes without a fence around it: the blocks in it
    are its own."""
    if named_language(request) != "markdown" or not FENCE.search(reply):
        return None
    text = drop_thinking(reply)
    is_one = text.lstrip().startswith(("# ", "---\n")) and len(_HEADING.findall(text)) > 1
    return Code(text, "markdown") if is_one and not _IN_FENCE.search(text) else None


def said_alone(reply: str, code: str) -> str:
    """The reply, where it is the code by itself or between two fence lines, else ""."""
    if reply.strip() == code.strip():
        return reply
    # The code may have fences in its strings, with which a Markdown parser would end the block.
    opening, _, rest = reply.strip().partition("\n")
    is_fenced = opening.startswith("```") and rest.removesuffix("```").strip() == code.strip()
    return reply if is_fenced else ""
