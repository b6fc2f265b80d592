"""Evidence against the files that a turn writes. Each is examined as a draft is, and faults that
the file had before are not the turn's."""

import asyncio
from collections.abc import Iterator

from pipeline.agents.agent_task import AgentTask
from pipeline.agents.writing_tools import FileWrite
from pipeline.analysis import evidence
from pipeline.analysis.draft import Draft
from pipeline.analysis.file_types import ECMASCRIPT, language_of_path
from pipeline.analysis.grammar import syntax_error
from pipeline.analysis.toml_syntax import read_toml
from pipeline.analysis.undefined_names import not_defined, undefined_names, words_in
from pipeline.review.draft_evidence import run_evidence
from pipeline.run import Run
from pipeline.task import Task


async def facts_against(run: Run, task: AgentTask, write: FileWrite) -> list[str]:
    """In words; [] where nothing is known against it, or nobody knows the whole file."""
    if not write.text or not write.text.strip():
        return []
    language = language_of_path(write.path)
    if broken := await asyncio.to_thread(syntax_of, language, write.text):
        before = await asyncio.to_thread(syntax_of, language, write.before or "")
        return [] if before else [broken]
    if language != "python":
        return []
    unknown = await asyncio.to_thread(lambda: list(_names(task, write)))
    return unknown or await _ran(run, write)


def syntax_of(language: str | None, text: str) -> str | None:
    """What its syntax has against a file's text."""
    if language in ECMASCRIPT:
        return syntax_error(language, text)
    if language == "toml":
        return _toml_error(text)
    found = evidence.examine("coder", text, language, truncated=False)
    return next((each.detail for each in found if each.kind == "syntax"), None)


def _toml_error(text: str) -> str | None:
    try:
        read_toml(text)
    except (ValueError, RecursionError) as error:
        return f"it is not valid TOML: {' '.join(str(error).split())[:200]}"
    return None


def _names(task: AgentTask, write: FileWrite) -> Iterator[str]:
    """Names that nothing defines, and that neither the file before nor the person has used."""
    before = set(undefined_names(write.before or ""))
    known = before | words_in(task.prompt)
    new = [name for name in undefined_names(write.text or "") if name not in known]
    if new:
        yield not_defined(new)


async def _ran(run: Run, write: FileWrite) -> list[str]:
    """What came of importing it and of its own last lines, where code may be run here. Its
    neighbours are not in the sandbox: what is missing there is no fact against it."""
    found = await _details(run, write.text or "")
    if not found or write.before is None:
        return found
    return [detail for detail in found if detail not in await _details(run, write.before)]


async def _details(run: Run, text: str) -> list[str]:
    ran = await run_evidence(run, Task(""), Draft(text, "python", ()), "coder")
    return [finding.detail for finding in ran.findings]
