"""Code and its tests as JSON, for programs. Pure."""

import json
from typing import Any

from laios.types.tested_code import TestedCase, TestedCode
from pipeline.sandbox import CaseResult, Raises, as_json
from pipeline.testcases.suite import Suite
from pipeline.testcases.tested_draft import TestedDraft
from pipeline.unicode_text import without_surrogates


def write_json(code: str, final: TestedDraft, suite: Suite, rounds: int) -> str:
    """`code` is what is returned: the final draft's, with a note where it is known to be wrong."""
    tested = TestedCode(
        code=code,
        language=final.draft.language,
        passed=bool(suite.cases) and final.green(suite),
        tests=[_case(suite, result) for result in final.results(suite)],
        rounds=rounds,
    )
    return _text(tested)


def write_untested(code: str, language: str | None, reason: str) -> str:
    """The same where there was nothing to run."""
    return _text(
        TestedCode(code=code, language=language, passed=False, reason=reason, tests=[], rounds=0)
    )


def _case(suite: Suite, result: CaseResult) -> TestedCase:
    case = result.case
    is_call = case.kind == "call"
    expected = case.expected
    said = result.as_json()
    return TestedCase(
        name=case.name,
        test=suite.described(case),
        given=case.anchor,
        function=(case.function or suite.function or None) if is_call else None,
        arguments=as_json(case.arguments.args) if is_call else [],
        keywords={name: as_json(value) for name, value in case.arguments.kwargs},
        stdin=case.stdin,
        expected=None if isinstance(expected, Raises) else as_json(expected),
        raises=expected.name if isinstance(expected, Raises) else None,
        status=said["status"],
        got=as_json(result.value) if result.gave and not result.passed else None,
        error=said["error"],
    )


def _text(tested: TestedCode) -> str:
    value: dict[str, Any] = tested.model_dump()
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return without_surrogates(text)
