"""One plain answer of the coder's model: to what a frontend asks for by itself (titles, tags, …),
and to greetings and thanks."""

from functools import partial

from pipeline.analysis.code_extraction import drop_thinking
from pipeline.model import Message
from pipeline.model_request import ModelRequest
from pipeline.request import Request
from pipeline.run import Run
from pipeline.task import Result, Task

WANTS_NO_CODE = "not judged: it wants no code"


def write_prompt(task: Task, request: Request) -> list[Message]:
    """The frontend's own messages as they came: none of our instructions."""
    messages: list[Message] = []
    if request.preferences:
        messages.append({"role": "system", "content": request.preferences})
    messages += [{"role": turn.role, "content": turn.text} for turn in request.conversation]
    return [*messages, {"role": "user", "content": request.prompt}]


async def run_plain(run: Run, task: Task, *, general: bool, label: str = "auxiliary") -> Result:
    """The model's text: no judge, no tags, no context. Raises ModelError or ContextTooLong.
    `general`: a model that writes code and nothing else, as the starter, cannot answer it."""
    request = run.request
    answer = await run.ask(
        ModelRequest(
            "coder",
            partial(write_prompt, request=request),
            {"task": task},
            label=label,
            max_tokens=request.max_tokens,
            temperature=request.temperature,
            stop=request.stop,
            schema=request.schema,
            think=False,
            general=general,
        )
    )
    return Result(drop_thinking(answer.text), format="text")


async def answer_small_talk(run: Run, task: Task) -> Result:
    """An answer in words, with the reason why nobody judged it. Raises as `run_plain` does."""
    run.keep(final_source="coder", final_reason=WANTS_NO_CODE)
    return await run_plain(run, task, general=True, label="small talk")
