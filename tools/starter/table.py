"""The figures as Markdown tables, which a terminal shows well enough."""

from collections.abc import Callable, Iterable, Sequence

from tools.starter.paths import Figures
from tools.starter.samples import UNKNOWN

KINDS = {
    "correct": "right",
    "mutant": "broken by a small edit",
    "foreign": "code of another task",
    "cut": "cut off",
    "misnamed": "right except for the requested name",
    "language": "right, in another language",
    "refused": "the coder says that it does not know the task",
    "empty": "no draft at all",
    "untrained": "broken by an edit of an untrained kind",
}


def render(figures: Figures) -> str:
    """All tables."""
    parts = [
        ("Targets", targets(figures)),
        ("Known tasks", known(figures)),
        ("Out of scope", unknown(figures)),
        ("Out of scope, by hand, by kind", unknown_kinds(figures)),
        ("Judge, on drafts with a known defect", judge(figures)),
        ("Reviewer, on drafts with a known defect", reviewer(figures)),
        ("By family, worst first", by_family(figures["by_family"].items())),
    ]
    return "\n\n".join(f"### {title}\n\n{text}" for title, text in parts)


def targets(figures: Figures) -> str:
    return _table(
        ("target", "wanted", "measured", ""),
        (
            (each["title"], each["target"], each["value"], "✓" if each["met"] else "✗")
            for each in figures["targets"]
        ),
    )


def known(figures: Figures) -> str:
    """Code executed: the coder alone, and what the caller gets."""
    rows = {**figures["known"], "all": figures["all_known"]}
    return _table(
        (
            "requests", "number", "coder passes", "pipeline passes", "gain",
            "wrong drafts caught", "mended", "right drafts reviewed", "spoilt",
            "called out of scope",
        ),
        ((title, *_known(row)) for title, row in rows.items()),
    )  # fmt: skip


def _known(row: Figures) -> tuple[str, ...]:
    wrong, right = row["wrong_drafts"], row["requests"] - row["wrong_drafts"]
    return (
        str(row["requests"]),
        f"{row['coder_pass']} %",
        f"{row['pipeline_pass']} %",
        f"{row['pipeline_pass'] - row['coder_pass']:+.1f}",
        f"{row['wrong_drafts_escalated']} of {wrong}",
        f"{row['wrong_drafts_mended']} of {wrong}",
        f"{row['right_drafts_escalated']} of {right}",
        f"{row['right_drafts_spoilt']} of {right}",
        f"{row['beyond']} %",
    )


def unknown(figures: Figures) -> str:
    """Requests that should end with low confidence and a note."""
    return _table(
        (
            "requests",
            "number",
            "coder says so",
            "judge doubts",
            "note",
            "doubt and note",
            "runs failed",
        ),
        (
            (
                title,
                str(row["requests"]),
                *(f"{row[key]} %" for key in ("refused", "doubted", "noted", "beyond")),
                str(row["failed"]),
            )
            for title, row in figures["unknown"].items()
        ),
    )


def unknown_kinds(figures: Figures) -> str:
    """Of the requests by hand, worst kind first."""
    kinds = figures["unknown"][UNKNOWN]["by_kind"]
    return _table(
        ("kind of request", "doubt and note"),
        ((kind, f"{row['beyond']} of {row['requests']}") for kind, row in kinds.items()),
    )


def judge(figures: Figures) -> str:
    """Right verdicts by kind of draft."""
    splits: Figures = figures["judge"]
    return _by_kind(
        splits,
        lambda row: f"{row['right']} % of {row['drafts']} right",
        ("false_accepts", "wrong code let through"),
        ("false_rejects", "right code held up"),
        ("unreadable", "unreadable verdicts"),
    )


def reviewer(figures: Figures) -> str:
    """Passing code by kind of draft."""
    return _by_kind(figures["reviewer"], lambda row: f"{row['passes']} % of {row['drafts']} pass")


def by_family(pairs: Iterable[tuple[str, Figures]]) -> str:
    return _table(
        ("family", "requests", "coder passes", "pipeline passes"),
        (
            (name, str(row["requests"]), f"{row['coder_pass']} %", f"{row['pipeline_pass']} %")
            for name, row in pairs
        ),
    )


def _by_kind(splits: Figures, cell: Callable[[Figures], str], *sums: tuple[str, str]) -> str:
    kinds = list(dict.fromkeys(kind for rows in splits.values() for kind in rows))
    lines = [
        (KINDS[kind], *(cell(rows[kind]) if kind in rows else "-" for rows in splits.values()))
        for kind in kinds
    ]
    for key, title in sums:
        totals = (str(sum(row[key] for row in rows.values())) for rows in splits.values())
        lines.append((title, *totals))
    return _table(("draft", *splits), lines)


def _table(head: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """A Markdown table, its columns aligned."""
    rows = [list(head), *map(list, lines)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(head))]
    rows.insert(1, ["-" * width for width in widths])
    return "\n".join(
        f"| {' | '.join(cell.ljust(w) for cell, w in zip(row, widths, strict=True))} |"
        for row in rows
    )
