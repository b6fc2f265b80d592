"""The outcomes as a Markdown table."""

from collections.abc import Sequence

from tools.clients.client_check import STEPS, Outcome

WORDS = {True: "yes", False: "**no**", None: "–"}


def table(outcomes: Sequence[Outcome]) -> str:
    names = [step.name for step in STEPS]
    head = ["client", "version", "over", *names, "own calls", "remark"]
    rows = [f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    for outcome in outcomes:
        steps = [WORDS[outcome.passed.get(name)] for name in names]
        remark = "; ".join(outcome.remarks).replace("|", "\\|")
        first = [outcome.name, outcome.version or "?", outcome.protocol]
        rows.append(f"| {' | '.join([*first, *steps, str(outcome.auxiliary), remark])} |")
    return "\n".join(rows)
