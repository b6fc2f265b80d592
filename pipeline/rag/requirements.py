"""What queries ask of the models: more than the ones that only write small functions can."""

from functools import wraps
from typing import Any

from pipeline.errors import RoleNotPlayed
from pipeline.modes import Flow
from pipeline.run import Run
from pipeline.task import Result

ADVICE = (
    "Plans, answers and refinements need a general model in every role: where the models are "
    "`auto`, `laios models pull` is enough; else set CODER_MODEL_NAME, JUDGE_MODEL_NAME "
    "and REVIEWER_MODEL_NAME."
)


def requires_general_models(flow: Flow) -> Flow:
    """A flow whose error for a model that cannot take part says all that has to be done."""

    @wraps(flow)
    async def advised(run: Run, task: Any) -> Result:
        try:
            return await flow(run, task)
        except RoleNotPlayed as error:
            raise RoleNotPlayed(error.fact, ADVICE) from None

    return advised
