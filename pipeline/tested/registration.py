"""Register `///test` and the test generator in the tables; their code is imported at first use."""

from operator import attrgetter

from pipeline.first_use import FirstUse
from pipeline.modes import mode
from pipeline.review.stages import after_draft, before_coder
from pipeline.task import CODE

JSON = "json"

mode(
    "code_tested",
    words=("test",),
    help="Tests, then code, run in a sandbox and revised until they pass.",
    takes_history=True,
    timeout_factor=3.0,
    formats=(CODE, JSON),
    roles=("tester", "coder", "reviewer", "judge"),
)(FirstUse("pipeline.tested.flow", "code_tested").call)

_is_on = attrgetter("settings.GENERATED_TESTS")  # of the run
before_coder("tests", on=_is_on)(FirstUse("pipeline.tested.test_generator", "write_suite").call)
after_draft("tests", on=_is_on)(FirstUse("pipeline.tested.test_generator", "run_suite").call)
