"""Register the mode of `POST /judge`; its code is imported at first use."""

from pipeline.first_use import FirstUse
from pipeline.modes import Mode, mode_of_route

CODE_JUDGED = mode_of_route(
    Mode(
        "code_judged",
        FirstUse("pipeline.judging.flow", "code_judged").call,
        "A judgement of given code, with the evidence.",
        roles=("judge",),
    )
)
