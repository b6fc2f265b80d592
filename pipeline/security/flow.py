"""The default mode with the security reviewer on, whatever the settings say of it."""

import pipeline.security.security_stages  # noqa: F401  (hooks in)
from pipeline.modes import mode
from pipeline.review.flow import code_reviewed
from pipeline.run import Run
from pipeline.security.security_reviewer import ROLE
from pipeline.task import Result, Task


@mode(
    "code_secure",
    words=("secure",),
    help="As without a tag, with a security review of what is returned.",
    takes_history=True,
    roles=("coder", "judge", ROLE, "reviewer"),
)
async def code_secure(run: Run, task: Task) -> Result:
    run.settings = run.settings.model_copy(update={"SECURITY_REVIEW": "on"})
    return await code_reviewed(run, task)
