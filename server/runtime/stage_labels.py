"""Short labels for the stages of a run, for people."""

from typing import Any

WORDS = {
    "coder": "drafting",
    "judge": "judging",
    "reviewer": "reviewing",
    "tester": "writing tests",
    "manifest": "planning",
    "checks": "checking",
    "sandbox": "running",
    "intake": "reading the request",
    "security_reviewer": "reviewing security",
    "explainer": "explaining",
    "planner": "planning",
    "documentation": "searching the documentation",
}
_TASKS = {
    ("coder", "tests"): "writing tests",
    ("coder", "examples"): "reading examples",
    ("sandbox", "compile"): "compiling",
    ("sandbox", "tests of drafts"): "running tests",
    ("sandbox", "examples that a model read"): "running examples",
}


def stage_label(event: dict[str, Any]) -> str:
    """A step event of `Run.events`: `drafting`, `judging (review)`, `writing tests`; a stage that
    has no word goes by its name."""
    if task := _TASKS.get((event["stage"], event["label"])):
        return task
    word = WORDS.get(event["stage"], event["stage"])
    return f"{word} ({event['label']})" if event["label"] else word


def drawing_label(event: dict[str, Any]) -> str:
    """A draft event: `draft 2 of 5: the example add(1, 2) → 3 fails`, `drafts 2–5 of 5: …`."""
    why = event["why"].removeprefix("evidence: ")
    first, n = event["number"], event["n"]
    which = f"draft {first}" if n == 1 else f"drafts {first}–{first + n - 1}"
    return f"{which} of {event['of']}: {why}"


def left_out_label(exchanges: int) -> str:
    """Of a chat that is longer than the context may be."""
    many = f"{exchanges} exchanges do" if exchanges > 1 else "exchange does"
    return f"the chat's oldest {many} not fit into the context (HISTORY_CONTEXT_TOKENS)"
