"""Check a program without a model: syntax, names that nothing defines, names that a library does
not have, and the errors it meets when it is run."""

import ast
import asyncio
import builtins
import re
from collections.abc import Iterable
from dataclasses import dataclass

from laios.types.validation import ValidationError
from pipeline.analysis.draft import Draft
from pipeline.analysis.evidence import Finding
from pipeline.analysis.grammar import syntax_error
from pipeline.analysis.python_syntax import MAX_PARSED, parse, syntax_fault
from pipeline.analysis.undefined_names import undefined_names
from pipeline.rag.preservation import Preservation
from pipeline.rag.program_runner import error_at, run_program
from pipeline.rag.retrieval_context import RetrievalContext
from pipeline.run import Run

MOST = 20  # errors of one kind
_UNPARSED = 1000  # what a syntax error weighs: nothing else can be seen behind it


@dataclass(frozen=True, slots=True)
class Checked:
    """A program with what is wrong with it. `trial` says in a few words how it ran, "" where it
    was not to be run. Of code that was changed: `losses` is what should have stayed and has not,
    `remarks` are what else a judge should see."""

    code: str
    errors: tuple[ValidationError, ...] = ()
    trial: str = ""
    losses: tuple[str, ...] = ()
    remarks: tuple[ValidationError, ...] = ()

    @property
    def score(self) -> int:
        """The less the better."""
        broken = any(error.type == "SyntaxError" for error in self.errors)
        return len(self.errors) + len(self.losses) + (_UNPARSED if broken else 0)

    @property
    def facts(self) -> str:
        """For a judge; "" where there are none."""
        lines = [*map(str, self.errors), *self.losses, *map(str, self.remarks)]
        return "\n".join(filter(None, [*lines, f"In the sandbox: {self.trial}" * bool(self.trial)]))


@dataclass(slots=True)
class Checks:
    """The checks of one run's programs; of code that was changed, against the `original`."""

    run: Run
    retrieval: RetrievalContext
    language: str
    original: Preservation | None = None
    _rounds: int = 0

    async def look(self, code: str) -> Checked:
        """Runs the program only where nothing is wrong with it otherwise."""
        found = await self._static(code)
        errors, trial = self._new(found), ""
        if not errors and code.strip() and self.language == "python":
            self._rounds += 1
            tried = await run_program(self.run, self.retrieval, code, self._rounds)
            found += [tried.error] if tried.error else []
            errors, trial = self._new(found), tried.note
        if self.original is None:
            return Checked(code, tuple(errors), trial)
        losses = await asyncio.to_thread(self.original.losses, code)
        remarks = await asyncio.to_thread(self.original.remarks, code, found)
        return Checked(code, tuple(errors), trial, tuple(losses), tuple(remarks))

    async def _static(self, code: str) -> list[ValidationError]:
        error = await asyncio.to_thread(error_of_syntax, self.language, code)
        if error:
            return [error]
        if self.language != "python":
            return []
        undefined = await asyncio.to_thread(names_undefined, code)
        found = [*undefined, *await invented(self.retrieval, code)]
        return sorted(found, key=lambda each: each.line)

    def _new(self, errors: Iterable[ValidationError]) -> list[ValidationError]:
        known = self.original.known if self.original else ()
        return [each for each in errors if each.brief not in known]


async def invented(retrieval: RetrievalContext, code: str) -> list[ValidationError]:
    """The names of Python code that its libraries do not have."""
    return [
        ValidationError(
            type=each.kind, message=each.message, line=each.line, context=each.context.strip()
        )
        for each in (await retrieval.invented_names(code))[:MOST]
    ]


def error_of_syntax(language: str, code: str) -> ValidationError | None:
    if language != "python":
        said = syntax_error(language, code)
        line = re.search(r"\d+", said or "")
        text = "it does not parse" if line else "it takes too long to parse"
        return error_at(code, "SyntaxError", text, int(line[0]) if line else 1) if said else None
    fault = syntax_fault(code) if len(code) <= MAX_PARSED else None
    return error_at(code, "SyntaxError", fault.message, fault.line or 1) if fault else None


def names_undefined(code: str) -> list[ValidationError]:
    """Each name once, where it is first used."""
    names = [name for name in undefined_names(code) if not hasattr(builtins, name)][:MOST]
    tree = parse(code) if names else None
    lines: dict[str, int] = {}
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.Name) and node.lineno < lines.get(node.id, 10**9):
            lines[node.id] = node.lineno
    return [
        error_at(code, "NameError", f"name '{name}' is not defined", lines.get(name, 1))
        for name in names
    ]


_KINDS: dict[str, str] = {"SyntaxError": "syntax", "NameError": "names"}


def draft_of(stage: str, checked: Checked, language: str, more: Iterable[Finding] = ()) -> Draft:
    """The program as a draft with its findings."""
    findings = list(more)
    if not checked.code.strip():
        findings.append(Finding(stage, "empty", f"the {stage}'s answer is empty"))
    for error in checked.errors:
        # What it ran into is a fault of the program that was run: it does not get to its end.
        kind = _KINDS.get(error.type, "import" if checked.trial else "names")
        findings.append(Finding(stage, kind, error.brief))
    findings += [Finding(stage, "lost", loss) for loss in checked.losses]
    return Draft(checked.code, language, tuple(findings), checked.facts)
