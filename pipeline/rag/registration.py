"""Register `///plan`, `///refine` and `///ask` in the tables of modes and roles; their code is
imported at first use."""

from pipeline.first_use import FirstUse
from pipeline.modes import mode
from pipeline.roles import register_role

CLASSIFIER = register_role("intake", played_by="judge")
EXPLAINER = register_role("explainer", played_by="coder")
TEXT = "text"

mode(
    "code_planned",
    words=("plan",),
    help="A plan, each step written with documentation, put together and checked.",
    timeout_factor=5.0,
    roles=(CLASSIFIER, "planner", "coder", EXPLAINER, "reviewer", "judge"),
)(FirstUse("pipeline.rag.flow", "code_planned").call)

mode(
    "code_refined",
    words=("refine",),
    help="Given code changed as far as is asked: planned, checked, with the difference.",
    takes_history=True,
    timeout_factor=3.0,
    roles=("planner", "coder", "reviewer", "judge", EXPLAINER),
)(FirstUse("pipeline.rag.flow", "code_refined").call)

mode(
    "answer",
    words=("ask",),
    help="An answer about an API, a concept, data or code, with its sources.",
    timeout_factor=3.0,
    formats=(TEXT,),
    roles=(CLASSIFIER, EXPLAINER, "coder", "reviewer"),
)(FirstUse("pipeline.rag.flow", "answer").call)
