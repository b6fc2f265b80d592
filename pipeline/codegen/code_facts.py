"""A coder's reply → its code, with the facts against it that need no model. Pure.

What is a fact depends on the request: `debug` that changed nothing, `refactor` that lost a public
name, `analyze` that changed the code. Each kind has a weight (`pipeline/review/confidence.py`), and
some mean that there is no answer at all.
"""

import re
from collections.abc import Iterator

from laios.types.code_generation import MAX_CODE, MAX_TESTS
from pipeline.analysis.code_equality import is_bare, same_code
from pipeline.analysis.code_extraction import extract_code
from pipeline.analysis.definitions import public_names
from pipeline.analysis.draft import Draft, said_alone
from pipeline.analysis.evidence import Finding, examine, language_of
from pipeline.analysis.grammar import syntax_error
from pipeline.analysis.json_wrapped import out_of_json
from pipeline.analysis.languages import KNOWN, same_language
from pipeline.analysis.missing_imports import with_import_lines, with_missing_imports
from pipeline.analysis.prose import reads_as_prose
from pipeline.analysis.python_syntax import python_error
from pipeline.analysis.test_definitions import has_tests
from pipeline.analysis.undefined_names import listed, not_defined, undefined_names, words_in
from pipeline.codegen.code_task import CodeTask

FATAL = {
    "empty",
    "truncated",
    "prose",
    "note",
    "no_tests",
    "language",
    "length",
    "unchanged",
    "behaviour",
    "lost",
    "import",
}
_MOST_SAID = 200  # characters of a note in a finding
_NOTE = re.compile(r"(?:#|//|--|;|%|/\*|<!--) ?REVIEWER_NOTE:")
_COMMENTS = ("#", "//", "--", ";", "%", "/*", "*", "<!--")
_RENAMES = re.compile(r"\b(renam|remov|delet|drop|replac|merg|split|inlin|convert)", re.IGNORECASE)
_MODULE = re.compile(r"\bfrom ([a-z_]\w*) import\b|\b(?!test_)([a-z_]\w*)(?<!_test)\.py\b")
_THIS_PYTHON = (3, 11)  # what the compiler here is sure to know


def read_code(stage: str, task: CodeTask, reply: str, *, truncated: bool = False) -> Draft:
    """The code of a reply and what speaks against it. Imports of Python's standard library that are
    missing are put in, and in tests that of what they are for."""
    code = extract_code(out_of_json(reply), task.spoken)
    text, put_in = code.text, list[str]()
    findings = examine_code(stage, task, text, code.language, truncated=truncated)
    if any(each.kind == "names" for each in findings):
        text, put_in = with_missing_imports(text, undefined_names(task.code))
        findings = examine_code(stage, task, text, code.language)
    if task.kind.is_tests and task.spoken == "python" and not findings:
        text, put_in = _with_tested(task, text)
    as_said = said_alone(reply, text)
    return Draft(text, task.language, tuple(findings), put_in=tuple(put_in), as_said=as_said)


def _with_tested(task: CodeTask, text: str) -> tuple[str, list[str]]:
    """Tests in Python with the imports that they lack: the standard library's, and that of the
    code's names where the request names its module. They are run with these names here, but nowhere
    else."""
    tested = public_names("python", task.code)
    text, put_in = with_missing_imports(text, tested)
    names, home = tested & set(undefined_names(text)), _MODULE.search(task.prompt)
    if not (names and home):
        return text, put_in
    line = f"from {home[1] or home[2]} import {', '.join(sorted(names))}"
    return with_import_lines(text, [line]), [*put_in, line]


def examine_code(
    stage: str, task: CodeTask, text: str, label: str | None, *, truncated: bool = False
) -> list[Finding]:
    """`label` is the language that the reply's fence names."""
    if faults := examine(stage, text, None, truncated=truncated):
        return faults
    most = MAX_TESTS if task.kind.is_tests else MAX_CODE
    if len(text) > most:
        return [Finding(stage, "length", f"it is longer than {most:,} characters")]
    if _is_note(task, text):
        return [Finding(stage, "note", f"the answer is a note and no code: {_said(text)}")]
    other = _other_language(task, text, label)
    if other:
        return [Finding(stage, "language", f"it is written in {other}, not {task.spoken}")]
    error = error_in(task, text)
    if error and reads_as_prose(text):
        return [Finding(stage, "prose", "the answer is prose and no code")]
    if error:
        return [Finding(stage, "syntax", error)]
    return list(_by_type(stage, task, text))


def is_fatal(finding: Finding, task: CodeTask) -> bool:
    """Whether there is no answer with it. A grammar may be wrong about syntax, a compiler not."""
    return finding.kind in FATAL or (finding.kind == "syntax" and _compiles(task))


def error_in(task: CodeTask, text: str) -> str | None:
    """The syntax error in a text of the task's language, as far as one can tell here."""
    if _compiles(task):
        return python_error(text)
    return syntax_error(task.spoken, text)


def _compiles(task: CodeTask) -> bool:
    """Whether Python's own compiler knows the version that the code is for."""
    if task.language != "python":
        return False
    asked = re.match(r"(?:python\s*)?(\d+)\.(\d+)", task.language_version, re.IGNORECASE)
    return asked is None or (3, 0) <= (int(asked[1]), int(asked[2])) <= _THIS_PYTHON


def _other_language(task: CodeTask, text: str, label: str | None) -> str | None:
    """The language that the reply says it is in, or opens like, if it is another one. That it says
    to be in the right one proves nothing."""
    if label and same_language(KNOWN.get(label, label), task.spoken):
        label = None
    spoken = language_of(text, label, "")
    if spoken not in KNOWN or same_language(KNOWN[spoken], task.spoken):
        return None
    # A wrong label on code that is right otherwise: a snippet may be code of both.
    if label is None and task.spoken not in ("bash", "shell") and not error_in(task, text):
        return None
    return spoken


def _by_type(stage: str, task: CodeTask, text: str) -> Iterator[Finding]:
    kind, language = task.kind, task.spoken
    if kind.is_tests and not has_tests(language, text):
        yield Finding(stage, "no_tests", "there is no test in it")
    if kind.changes and same_code(language, task.code, text):
        yield Finding(stage, "unchanged", "the code came back unchanged")
    if kind.keeps_behaviour and not same_code(language, task.code, text):
        yield Finding(stage, "behaviour", "more than comments was changed")
    if kind.keeps_names:
        had = public_names(language, task.code) - _named_to_go(task.prompt)
        lost = sorted(had - public_names(language, text))
        if lost:
            yield Finding(stage, "lost", f"it no longer defines {listed(lost)}")
    if language == "python" and not kind.is_tests:
        known = {*undefined_names(task.code)}  # of a fragment, what stands around it
        unknown = [name for name in undefined_names(text) if name not in known]
        if unknown and not kind.keeps_behaviour:
            yield Finding(stage, "names", not_defined(unknown))


def _is_note(task: CodeTask, text: str) -> bool:
    """Comments alone, in the language's own form or as models write a REVIEWER_NOTE."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if _NOTE.match(lines[0]) and all(line.startswith(_COMMENTS) for line in lines):
        return True
    return is_bare(task.spoken, text)


def _said(text: str) -> str:
    """How a note begins, without the marks of a comment."""
    line = next(filter(None, (line.strip(" \t#/*-;%<!>\"'") for line in text.splitlines())), "")
    return line if len(line) <= _MOST_SAID else f"{line[:_MOST_SAID]}…"


def _named_to_go(instruction: str) -> set[str]:
    """The names in an instruction that asks for names to change."""
    return words_in(instruction) if _RENAMES.search(instruction) else set()
