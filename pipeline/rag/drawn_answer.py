"""Draw an answer to a question once more where its example is wrong: the prompt has been read
already."""

import asyncio
from time import monotonic

from pipeline.errors import ContextTooLong, ModelError
from pipeline.rag.answerer import Brief, write_answer
from pipeline.rag.program_checks import Checked, error_of_syntax, invented
from pipeline.rag.retrieval_context import RetrievalContext
from pipeline.rag.usage_example import example_in, program_of
from pipeline.run import Run
from pipeline.sampling import VARIED
from pipeline.tokens import estimate

FURTHER_TOKENS = 768  # or twice the first answer's


async def draw_answer(
    run: Run, retrieval: RetrievalContext, brief: Brief
) -> tuple[str, Checked | None]:
    """The text, and for a question about an API what is wrong with its example. Raises what the
    first call raised."""
    began = monotonic()
    text, first = await write_answer(run, brief)
    if brief.kind != "api":
        return text, None
    seen = await _look_at(retrieval, text)
    took = monotonic() - began
    is_late = took * 2 >= run.left_s
    if not seen.errors or is_late or run.settings.MAX_DRAFTS < 2:
        return text, seen
    try:
        most = max(FURTHER_TOKENS, 2 * (first.step.output_tokens or estimate(text)))
        other, second = await write_answer(run, brief, round=2, temperature=VARIED, max_tokens=most)
    except (ModelError, ContextTooLong):
        return text, seen
    again = await _look_at(retrieval, other)
    is_better = again.code and again.score < seen.score
    (first if is_better else second).used_as("")  # the record has that reply nowhere else
    return (other, again) if is_better else (text, seen)


async def _look_at(retrieval: RetrievalContext, text: str) -> Checked:
    """The syntax of the answer's example, and its names against the documentation; it is too little
    to be run."""
    code = await asyncio.to_thread(lambda: program_of(example_in(text)))
    fault = await asyncio.to_thread(error_of_syntax, "python", code)
    return Checked(code, tuple([fault] if fault else await invented(retrieval, code)))
