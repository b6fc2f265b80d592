"""What is known at a run's end → the answer of the contract. Pure."""

from collections.abc import Iterable, Sequence

from laios.types.code_generation import (
    MAX_CODE,
    MAX_EXPLANATION,
    MAX_TESTS,
    MIN_EXPLANATION,
    CodeGeneration,
    CodeMetadata,
)
from pipeline.analysis.languages import title
from pipeline.codegen.candidate import Candidate
from pipeline.codegen.code_task import CodeTask
from pipeline.codegen.explainer import Explanation
from pipeline.codegen.triage import Refusal
from pipeline.errors import LaiosError
from pipeline.review.confidence import REFUSED
from pipeline.step import Step
from pipeline.structured_output import Structured
from pipeline.testcases.suite_run import IDLE
from pipeline.unicode_text import without_surrogates

MAX_WARNINGS = 20
HIGH = 0.85  # from here on the judge has nothing to complain of


def refused(task: CodeTask, refusal: Refusal, metadata: CodeMetadata) -> CodeGeneration:
    """Nothing was tried."""
    is_vague = refusal.verdict == "vague"
    why = "is too vague" if is_vague else "cannot be carried out"
    said = f"Unable to {task.request_type} code: the instruction {why}. {refusal.reason}"
    warnings = [f"Instruction {why}", *(f"Missing: {each}" for each in refusal.missing)]
    return _unsuccessful(task, said, REFUSED if is_vague else 0.0, warnings, metadata)


def failed(task: CodeTask, error: LaiosError, metadata: CodeMetadata) -> CodeGeneration:
    """For one language of several: the others have answers."""
    said = f"Unable to {task.request_type} {title(task.spoken)} code: {error.message}"
    return _unsuccessful(task, said, 0.0, [f"The run ended with {error.code}."], metadata)


def _unsuccessful(
    task: CodeTask, said: str, confidence: float, warnings: list[str], metadata: CodeMetadata
) -> CodeGeneration:
    return CodeGeneration(
        success=False,
        code="",
        explanation=fitted(said),
        language=task.spoken,
        tests=None,
        confidence=confidence,
        warnings=warnings,
        metadata=metadata,
    )


def answered(
    best: Candidate,
    said: Structured[Explanation] | None,
    tests: str,
    warnings: Iterable[str],
    metadata: CodeMetadata,
) -> CodeGeneration:
    """`said` is the explainer's word on a success; facts go before opinions in the warnings."""
    task = best.task
    code = without_surrogates(best.draft.text) if len(best.draft.text) <= MAX_CODE else ""
    tests = code if task.kind.is_tests else without_surrogates(tests)
    explained = said.value if said else None
    if said is None:
        explanation = _unable(best)
    else:
        explanation = explained.text if explained else _unexplained(best, said.error)
    return CodeGeneration(
        success=best.success,
        code=code,
        explanation=fitted(explanation),
        language=task.spoken,
        tests=tests if best.success and 0 < len(tests) <= MAX_TESTS else None,
        confidence=best.confidence.value,
        warnings=_warnings(best, warnings, explained),
        metadata=metadata,
    )


def fitted(text: str) -> str:
    """An explanation of a length that the contract allows."""
    text = without_surrogates(text).strip()
    if len(text) > MAX_EXPLANATION:
        return text[: MAX_EXPLANATION - 1].rstrip() + "…"
    return (
        text
        if len(text) >= MIN_EXPLANATION
        else f"{text} (That is all that is known.)".ljust(MIN_EXPLANATION, ".")
    )


def _unable(best: Candidate) -> str:
    return (
        f"Unable to {best.task.request_type} {title(best.task.spoken)} code: "
        f"{'; '.join(best.faults)}. The model's answer cannot be used as it is; try again, say "
        "more precisely what is wanted, or use a more capable model."
    )


def _unexplained(best: Candidate, why: str | None) -> str:
    """The explanation where no model has given one: what is known."""
    writer = (
        "the coder's, put right by the reviewer" if best.source == "reviewer" else "the coder's"
    )
    return (
        f"This answer is {writer}. No model explained it: {why}. What is known of it: "
        f"{'; '.join(best.confidence.made_of)}."
    )


def _warnings(best: Candidate, warnings: Iterable[str], explained: Explanation | None) -> list[str]:
    facts = [_sentence(finding.detail) for finding in best.draft.findings]
    if best.draft.undecided:
        facts += best.draft.facts.splitlines()
    for run in best.checks:
        facts += [f"Test {each.test} fails: {each.message}" for each in run.failed]
        facts += [run.problem] if run.problem else []
        facts += [_sentence(IDLE)] if run.idle else []
    if best.verdict and best.verdict.error:
        facts.append("It was not judged.")
    summary = best.verdict.judgement_summary if best.verdict else None
    if summary and best.confidence.value < HIGH:
        facts.append(f"Judge: {summary}")
    wanted = best.task.wanted_confidence
    if best.task.attempts > 1 and best.confidence.value < wanted:
        facts.append(f"The confidence is below the {wanted:.2f} that was wanted.")
    opinions = explained.warnings if explained else ()
    said = dict.fromkeys([*facts, *warnings, *opinions])
    return [without_surrogates(each) for each in said][:MAX_WARNINGS]


def _sentence(phrase: str) -> str:
    return f"{phrase[:1].upper()}{phrase[1:]}."


def measured(
    task: CodeTask, steps: Sequence[Step], memory_hits: int, duration_ms: float
) -> CodeMetadata:
    coders = [step.model for step in steps if step.model and step.stage == "coder"]
    models = coders or [step.model for step in steps if step.model]
    tokens = sum((step.prompt_tokens or 0) + (step.output_tokens or 0) for step in steps)
    return CodeMetadata(
        model=models[-1] if models else "",
        tokens_used=tokens,
        memory_hits=memory_hits,
        episodic_memory_used=memory_hits > 0,
        request_type=task.request_type,
        duration_ms=round(duration_ms, 1),
        language_version=task.language_version or None,
        framework=task.framework or None,
    )
