"""Register `///best` and voting reviewers in the tables; their code is imported at first use."""

from pipeline.first_use import FirstUse
from pipeline.modes import mode
from pipeline.review.stages import after_review

mode(
    "code_best",
    words=("best",),
    help="Several drafts (`///best=8`), chosen by what they do when run.",
    takes_history=True,
    timeout_factor=3.0,
    roles=("coder", "judge", "reviewer"),
    numbers=(2, 32),
)(FirstUse("pipeline.best.flow", "code_best").call)

after_review("votes", on=lambda run: run.settings.REVIEWER_VOTES > 1)(
    FirstUse("pipeline.best.voting_reviewers", "vote").call
)
