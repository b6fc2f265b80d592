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

FURTHER_TOKENS = 768  # or twice the first answer's


async def draw_answer(
    run: Run, retrieval: RetrievalContext, brief: Brief
) -> tuple[str, Checked | None]:
    """The text, and for a question about an API what is wrong with its example. Raises what the
    first call raised."""
    began = monotonic()
    first = await write_answer(run, brief)
    if brief.kind != "api":
        return first.text, None
    seen = await _look_at(retrieval, first.text)
    took = monotonic() - began
    is_late = took * 2 >= run.left_s
    if not seen.errors or is_late or run.settings.MAX_DRAFTS < 2:
        return first.text, seen
    try:
        most = max(FURTHER_TOKENS, 2 * first.tokens)
        second = await write_answer(run, brief, round=2, temperature=VARIED, max_tokens=most)
    except (ModelError, ContextTooLong):
        return first.text, seen
    again = await _look_at(retrieval, second.text)
    if again.code and again.score < seen.score:
        first.not_taken()
        return second.text, again
    second.not_taken()
    return first.text, seen


async def _look_at(retrieval: RetrievalContext, text: str) -> Checked:
    """The syntax of the answer's example, and its names against the documentation; it is too little
    to be run."""
    code = await asyncio.to_thread(lambda: program_of(example_in(text)))
    fault = await asyncio.to_thread(error_of_syntax, "python", code)
    return Checked(code, tuple([fault] if fault else await invented(retrieval, code)))
