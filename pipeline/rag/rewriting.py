"""Write the changed code from the instruction alone: `///refine` where the planner is a small
model, whose plan misleads. Qwen2.5-Coder 1.5B changed 18 of 20 programs rightly so, and 14 of 20
others with its plan (docs/studies/projects.md)."""

from functools import partial
from time import monotonic

from laios.types.refinement import ModificationDecompositionOutput, ModificationStep
from pipeline.code_output import ask_code
from pipeline.errors import ContextTooLong, ModelError
from pipeline.rag.modifier import ChangeBrief, change_request, drawn_anew
from pipeline.rag.preservation import names_stay
from pipeline.rag.program_checks import Checked, Checks
from pipeline.rag.reply_reading import read_changed
from pipeline.run import Run

_SHOWN = 400  # characters of the wish, as a plan's step has at most


def plan_of_wish(wish: str) -> ModificationDecompositionOutput:
    """One step, which is the wish."""
    step = ModificationStep(step_number=1, description=wish[:_SHOWN], requires_retrieval=False)
    return ModificationDecompositionOutput(
        understanding=wish[:_SHOWN],
        modification_steps=[step],
        preserved_elements=["functions and classes"] if names_stay(wish) else [],
    )


async def rewrite(run: Run, brief: ChangeBrief, checks: Checks) -> Checked:
    """The first answer that the checks find nothing against, else the one with the least of at most
    MAX_DRAFTS: a small model that is shown its mistake repeats it, one that starts afresh often
    does not. Its code is "" where there is none. Raises what the backend raised for the first."""
    question, before = change_request(brief), brief.task.code
    read = partial(read_changed, language=checks.language, before=before)
    began = monotonic()
    best = await checks.look(await ask_code(run, question, read, retries=1))
    longest, number = monotonic() - began, 1
    while (not best.code or best.score > 0) and number < run.settings.MAX_DRAFTS:
        number, started = number + 1, monotonic()
        if longest * 3 >= run.left_s:  # judge and summary need time as well
            break
        try:
            tried = await checks.look(await ask_code(run, drawn_anew(question, number), read))
        except (ModelError, ContextTooLong):
            break
        longest = max(longest, monotonic() - started)
        best = min(best, tried, key=lambda each: _rank(each, before))
    return best


def _rank(checked: Checked, before: str) -> tuple[bool, bool, int]:
    """Smaller is better: code, changed code, little against it."""
    return not checked.code, checked.code.strip() == before.strip(), checked.score
