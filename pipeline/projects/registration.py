"""Register `///files` in the table of modes; its code is imported at first use."""

from pipeline.first_use import FirstUse
from pipeline.modes import mode
from pipeline.run_record import own_words

PATCH, MARKDOWN, JSON = "patch", "markdown", "json"

mode(
    "code_files",
    words=("files",),
    help="A small project as a patch: a plan, each file by itself, checked together.",
    takes_history=True,
    timeout_factor=5.0,
    formats=(PATCH, MARKDOWN, JSON),
    roles=("manifest", "coder", "judge", "reviewer"),
)(FirstUse("pipeline.projects.flow", "code_files").call)

own_words(
    r"the review changed nothing|the review has more faults: \d+ instead of \d+",
    r"unreviewed: \S+ is a small model and wrote it itself",
    r"undecided: (?:(?:1 test fails|\d+ tests fail) with every draft|drafts of \d+ files differ)",
)
