"""The steps of a plan as the final program has them: their code is what repair and review left of
it, with what came in its place. Pure."""

import re
from collections.abc import Sequence

from laios.types.final_result import FinalCode, StepResult
from pipeline.analysis.line_matcher import LineMatcher

_WORD = re.compile(r"\w+")


def steps_of_final(steps: Sequence[StepResult], final: FinalCode) -> list[StepResult]:
    """The steps with the final program's lines: every line of its body is some step's, in order,
    and every import is the step's that uses it."""
    code = _lines_by_step(steps, final.body.split("\n") if final.body else [])
    imports = _imports_by_step(steps, code, [line for line in final.imports.split("\n") if line])
    return [
        step.model_copy(update={"code": own, "imports": lines})
        for step, own, lines in zip(steps, code, imports, strict=True)
    ]


def _lines_by_step(steps: Sequence[StepResult], final: Sequence[str]) -> list[str]:
    """A line that is new belongs where the one was that it replaces, or to the step before."""
    before = [(line, n) for n, step in enumerate(steps) for line in step.code.split("\n")]
    own: list[list[str]] = [[] for _ in steps]
    matcher = LineMatcher([line for line, _ in before], final)
    for kind, i, j, k, m in matcher.get_opcodes():
        for place, line in enumerate(final[k:m]):
            at = i + place if kind == "equal" else min(i + place, max(i, j - 1))
            if kind == "insert":
                at = i - 1
            own[before[max(0, min(at, len(before) - 1))][1]].append(line)
    return ["\n".join(lines).strip("\n") for lines in own]


def _imports_by_step(
    steps: Sequence[StepResult], code: Sequence[str], final: Sequence[str]
) -> list[list[str]]:
    """What a step imported stays its own; a new import is the first one's that names it."""
    there = set(final)
    own = [[line for line in step.imports if line in there] for step in steps]
    known = {line for lines in own for line in lines}
    used = [set(_WORD.findall(text)) for text in code]
    for line in final:
        if line not in known:
            name = (_WORD.findall(line) or [""])[-1]
            own[next((n for n, names in enumerate(used) if name in names), 0)].append(line)
    return own
