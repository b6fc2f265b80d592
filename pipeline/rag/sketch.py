"""Sketch in code how a question may be answered, only to look up the names in it: a question in
plain words has few words of its answer's documentation. The sketch begins with an import of the
library, where the model goes on: one that is left alone writes plain Python, or what another
library is known for."""

from collections.abc import Sequence

from pipeline.analysis.code_extraction import drop_thinking
from pipeline.errors import ModelError
from pipeline.model import Message
from pipeline.model_request import ModelRequest
from pipeline.prompts import messages
from pipeline.rag.query_task import QueryTask
from pipeline.rag.registration import EXPLAINER
from pipeline.run import Run

SKETCHED = ("api", "explanation")  # kinds of question
SKETCH_TOKENS = 80

INSTRUCTIONS = """\
You write Python code. Answer with the shortest snippet that does what is asked, with its imports: \
only code, no comments."""


def write_prompt(task: QueryTask) -> list[Message]:
    return messages(INSTRUCTIONS, task.prompt)


async def write_sketch(run: Run, task: QueryTask, modules: Sequence[str]) -> str:
    """`modules`: those that the question names, the first one to be imported. It may be cut off; ""
    where it cannot be had, which costs no answer."""
    question = ModelRequest(
        EXPLAINER,
        write_prompt,
        {"task": task},
        label="sketch",
        max_tokens=SKETCH_TOKENS,
        general=True,
        begun=f"```python\nfrom {modules[0]}",
    )
    try:
        answer = await run.ask(question)
    except ModelError:
        return ""
    text = drop_thinking(answer.text)
    answer.used_as(text)
    return text
