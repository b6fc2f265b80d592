"""A record → what laios knows of the run. Pure, and whatever an add-on's mode has put into it."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, Literal

from history.open_questions import open_questions
from history.record_values import as_table, as_tables, as_text, as_texts, judged_valid
from laios.types.run_details import (
    CaseResult,
    DraftReport,
    Evidence,
    FailedFile,
    RunDetails,
    RunFault,
    SuiteReport,
    Tokens,
    Verdict,
)
from pipeline.analysis.evidence import NOTED, UNCHECKED
from pipeline.run import Run
from pipeline.run_record import record_of
from server.runtime.stage_labels import left_out_label

Record = Mapping[str, Any]
State = Literal["queued", "running", "done"]

SHOWN = 5  # findings among the warnings
_OF_TESTS = ("example", "test")  # evidence that a test report counts already
_WRONG = NOTED | {"test"}
_LEFT_OUT = "stage"  # the step of a stage that failed
_NOT_HAD = ("model_unreachable", "model_not_found")


def details_of(record: Record, state: State = "done") -> RunDetails:
    """The record of a run, or of one that goes on, as its caller is told it."""
    tests, failed = _tests(record), list(_failed_files(record))
    evidence, error = _evidence(record), record["error"]
    unchecked = [] if error else [*_unchecked(tests, evidence)]
    warnings = [] if error else [*_wrong(record, tests, failed, evidence), *unchecked]
    fails = any(each.kind == "example" for each in evidence)
    fails = fails or bool(tests and (tests.passed < tests.total or tests.reason))
    return RunDetails(
        id=record["id"],
        state=state,
        mode=record["mode"],
        final_source=record.get("final_source"),
        final_reason=record.get("final_reason"),
        escalation_reason=record["escalation_reason"],
        verdict=_verdict(record),
        evidence=evidence,
        tests=tests,
        findings=[*_findings(record)],
        failed_files=failed,
        passed=state == "done"
        and not (error or failed or fails or unchecked or _is_refused(record)),
        fallbacks=[*_fallbacks(record)],
        warnings=warnings,
        unchecked=unchecked,
        open_questions=open_questions(record),
        drafts=[*_drafts(record)] or _programs(record),
        chosen_because=as_text(_made(record).get("chosen_because")),
        notes=[*_left_out(record), *as_texts(_made(record).get("notes"))],
        tokens=_tokens(record),
        seconds=round(record["duration_ms"] / 1000, 3),
        error=RunFault(**error) if error else None,
    )


def details_if_whole(record: Record) -> RunDetails | None:
    """None for a line of the history that is no record of a run: anybody may have written it."""
    try:
        return details_of(record)
    except (LookupError, TypeError, AttributeError, ValueError):
        return None


def details_of_run(run: Run) -> RunDetails:
    """The same of a run of this process, whatever of it is kept."""
    return details_of(run.record or record_of(run, run.output, run.error), run.state)


def _verdict(record: Record) -> Verdict | None:
    of_review = record.get("final_source") == "reviewer"
    said = record["reviewer_judge" if of_review else "judge"]
    return Verdict.model_validate(said) if said else None


def _evidence(record: Record) -> list[Evidence]:
    """Against the text that was returned; while there is none, all."""
    source = record.get("final_source")
    return [Evidence(**each) for each in record["evidence"] if source in (None, each["stage"])]


def _tokens(record: Record) -> Tokens:
    steps = record["steps"]
    return Tokens(
        prompt=sum(step["prompt_tokens"] or 0 for step in steps),
        output=sum(step["output_tokens"] or 0 for step in steps),
    )


# --- what the modes made -------------------------------------------------------------------------


def _made(record: Record) -> Record:
    return record["artefact"] or {}


def _tests(record: Record) -> SuiteReport | None:
    """`///test` has its tests one by one, or why there are none; `///files` counts them."""
    made = _made(record)
    match made.get("tests"):
        case list() as rows if cases := [_case(row) for row in as_tables(rows) if "status" in row]:
            passed = sum(case.status == "passed" for case in cases)
            return SuiteReport(passed=passed, total=len(cases), cases=cases)
        case {"passed": int(passed), "total": int(total), "reason": str(reason)}:
            if any(file.get("type") == "test" for file in as_tables(made.get("files"))):
                return SuiteReport(passed=passed, total=total, reason=reason)
            return None  # a project without a test file asked for none
    if "fallback" in made:
        return SuiteReport(passed=0, total=0, reason=str(made.get("reason")))
    return _tests_of_code(record)


def _tests_of_code(record: Record) -> SuiteReport | None:
    """Of a code generation: the caller's tests and those that were written, with the attempt that
    is the answer."""
    attempts = as_tables(_made(record).get("attempts"))
    answers = (each for each in attempts if each.get("code") == record.get("final_output"))
    checks = as_tables(next(answers, {}).get("checks"))
    rows = [row for check in checks for row in as_tables(check.get("done")) if "status" in row]
    if not checks:
        return None
    cases = [_case({**row, "name": row.get("test"), "error": row.get("message")}) for row in rows]
    passed = sum(case.status == "passed" for case in cases)
    why = next(filter(None, (as_text(each.get("problem")) for each in checks)), "")
    return SuiteReport(passed=passed, total=len(cases), cases=cases, reason=why)


def _is_refused(record: Record) -> bool:
    """Whether a code generation is no success, or a judgement finds the code not valid."""
    answer = as_table(_made(record).get("answer"))
    return answer.get("success") is False or judged_valid(record) is False


def _drafts(record: Record) -> Iterator[DraftReport]:
    """Those that were compared by evidence."""
    for each in as_tables(_made(record).get("drafts")):
        match each:
            case {"number": int(number), "chosen": bool(chosen)}:
                against = as_texts(each.get("findings"))
                yield DraftReport(number=number, chosen=chosen, against=against)


def _programs(record: Record) -> list[DraftReport]:
    """Those that `///test` tried, the reviewer's among them; none where there was one alone."""
    of_review = record.get("final_source") == "reviewer"
    returned = record.get("reviewer_output" if of_review else "coder_output")
    found, is_known = list[DraftReport](), False
    for each in as_tables(_made(record).get("rounds")):
        match each:
            case {"round": int(n), "passed": int(passed), "tests": int(total), "code": str(code)}:
                chosen = code == returned and not is_known
                is_known = is_known or chosen
                passed, total = max(0, passed), max(0, total)
                found.append(DraftReport(number=n, chosen=chosen, passed=passed, total=total))
    return found if len(found) > 1 else []


def _case(row: Mapping[str, Any]) -> CaseResult:
    got = f"it gave {row['got']}" if row.get("got") and row["status"] != "passed" else None
    name, status = str(row.get("name", "")), str(row["status"])
    return CaseResult(name=name, status=status, error=row.get("error") or got)


def _failed_files(record: Record) -> Iterator[FailedFile]:
    for path, why in as_table(_made(record).get("failed")).items():
        yield FailedFile(path=path, why=f"it is missing: {why}")
    for fault in _faults(record):
        if fault.get("kind") == "syntax":
            yield FailedFile(path=str(fault["path"]), why=f"it does not parse: {fault['detail']}")


def _faults(record: Record) -> list[Mapping[str, Any]]:
    """Of a project's files."""
    faults = as_tables(_made(record).get("faults"))
    return [each for each in faults if {"path", "detail"} <= set(each)]


def _findings(record: Record) -> Iterator[str]:
    yield from map(_fault, _faults(record))
    yield from _errors(record)


def _errors(record: Record) -> Iterator[str]:
    """What is wrong with a plan's code."""
    for each in as_tables(_made(record).get("findings")):
        if {"type", "message"} <= set(each):
            where = f" at line {each['line']}" if each.get("line") else ""
            yield f"{each['type']}{where}: {each['message']}"


def _fault(fault: Mapping[str, Any]) -> str:
    where = f"{fault['path']} line {fault['line']}" if fault.get("line") else str(fault["path"])
    return f"{where}: {fault['detail']}" if where else str(fault["detail"])


def _fallbacks(record: Record) -> Iterator[str]:
    made = _made(record)
    if "fallback" in made:
        yield f"{made['fallback']} instead of {record['mode']}: {made.get('reason')}"
    if str(record.get("final_reason")).startswith("unreviewed"):
        yield f"the draft, {record['final_reason']}"
    if "security_note" in made:
        yield f"only a model reviewed the security: {made['security_note']}"
    steps = record["steps"]
    for step in steps:
        if step["stage"] == _LEFT_OUT:
            yield f"the stage {step['label']} was left out ({(step['error'] or {}).get('code')})"
    for step, then in pairwise(steps):
        code = (step["error"] or {}).get("code")
        if code in _NOT_HAD and step["stage"] == then["stage"] and step["model"] != then["model"]:
            yield f"{step['stage']}: {then['model']} instead of {step['model']} ({code})"


def _left_out(record: Record) -> Iterator[str]:
    match record.get("context_left_out"):
        case int(exchanges):
            yield left_out_label(exchanges)


# --- what is known to be wrong, and what nobody knows ---------------------------------------------


def _unchecked(tests: SuiteReport | None, evidence: list[Evidence]) -> Iterator[str]:
    if tests and tests.reason:
        yield f"not tested: {tests.reason}"
    yield from (each.detail for each in evidence if each.kind == UNCHECKED)


def _wrong(
    record: Record,
    tests: SuiteReport | None,
    failed: list[FailedFile],
    evidence: list[Evidence],
) -> Iterator[str]:
    for file in failed:
        yield f"{file.path} {file.why.removeprefix('it ').partition(':')[0]}"
    if tests and tests.total > tests.passed:
        yield f"{tests.total - tests.passed} of {tests.total} tests fail"
    wrong = [*_against_code(record, tests, evidence), *_serious(record), *_errors(record)]
    answer = as_table(_made(record).get("answer"))
    if answer.get("success") is False and not (wrong or tests):
        yield as_text(answer.get("explanation")) or "there is no answer"
    yield from wrong[:SHOWN]
    if len(wrong) > SHOWN:
        yield f"and {len(wrong) - SHOWN} more findings"


def _against_code(
    record: Record, tests: SuiteReport | None, evidence: list[Evidence]
) -> Iterator[str]:
    """The evidence against one text; that against a project stands among its faults."""
    if _made(record).get("kind") == "project":
        return
    for each in evidence:
        if each.kind in _WRONG and not (tests and each.kind in _OF_TESTS):
            yield f"it does not parse: {each.detail}" if each.kind == "syntax" else each.said


def _serious(record: Record) -> Iterator[str]:
    for fault in _faults(record):
        if fault.get("serious") and fault.get("kind") not in ("syntax", "test"):
            yield _fault(fault)
