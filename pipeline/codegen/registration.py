"""Register the mode of `POST /code`; its code is imported at first use."""

from pipeline.first_use import FirstUse
from pipeline.modes import Mode, mode_of_route
from pipeline.run_record import own_words

CODE_STRUCTURED = mode_of_route(
    Mode(
        "code_structured",
        FirstUse("pipeline.codegen.flow", "code_structured").call,
        "Code generation, with explanation, confidence, warnings and tests.",
        timeout_factor=3.0,
        roles=("intake", "coder", "judge", "explainer"),
        takes_memory=True,
    )
)

own_words(r"the review is worth less: [\d.]+ < [\d.]+", "not judged: the request's tests pass")
