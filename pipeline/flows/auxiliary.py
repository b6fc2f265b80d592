"""What chat frontends ask for by themselves: one plain model call, no judge, no tags, no context.

No row of the MODES table: nobody chooses it, the frontends' requests are recognised by their shape.
"""

from pipeline.code import drop_thinking
from pipeline.modes import Mode
from pipeline.run import Run
from pipeline.stages.plain import run_plain
from pipeline.task import Result, Task


async def auxiliary(run: Run, task: Task) -> Result:
    text = drop_thinking(await run_plain(run))
    return Result(text, format="text")


AUXILIARY = Mode(
    "auxiliary", auxiliary, "A frontend's own question.", formats=("text",), verbatim=True
)
