"""`laios doctor`: check the installation, its settings, models and storage."""

import textwrap
from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING

import typer

from server.runtime.units import counted
from server.terminal.console import RUN_FAILED, one_line, safe_text
from server.terminal.interruptible import run_interruptible
from server.terminal.output import print_json

if TYPE_CHECKING:
    from rich.console import Console

    from server.doctor.check_result import CheckResult

MARKS = {"ok": ("✓", "green"), "warning": ("!", "yellow"), "problem": ("✗", "bold red")}
_PLAIN = str.maketrans({"✓": "+", "✗": "x", "→": ">"})  # for outputs that are not Unicode


def doctor(
    probe: bool = typer.Option(
        True, help="Read pulled models' files (1-2 s per GB), and ask each model for a verdict."
    ),
    timeout: float = typer.Option(
        120.0, min=1.0, help="Seconds that each model may take for its verdict."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Check everything that laios needs; say what is wrong and how to fix it.

    Exit code 1 if there is a problem; warnings do not count.
    """
    levels = Counter(run_interruptible(_examine(timeout if probe else None, as_json)))
    raise typer.Exit(RUN_FAILED if levels["problem"] else 0)


async def _examine(probe_s: float | None, as_json: bool) -> list[str]:
    """The levels of the findings, which are printed as they come."""
    from rich.console import Console
    from rich.text import Text

    from server.doctor.check_result import CheckResult
    from server.doctor.examination import examine

    out = Console(highlight=False)
    told: list[tuple[str, CheckResult]] = []
    err = Console(stderr=True, highlight=False)
    status = err.status("")

    def doing(what: str) -> None:
        if err.is_terminal:
            status.update(Text(one_line(what, err.width - 4)))
            status.start()

    try:
        async for group, finding in examine(probe_s, doing):
            status.stop()  # it would draw over the line
            if not as_json:
                _print(out, group if not told or told[-1][0] != group else None, finding)
            told.append((group, finding))
    finally:
        status.stop()
    levels: list[str] = [finding.level for _, finding in told]
    if as_json:
        worst = next((level for level in ("problem", "warning") if level in levels), "ok")
        rows = [{"group": group, **asdict(finding)} for group, finding in told]
        print_json({"status": worst, "findings": rows})
    else:
        out.print(_summary(levels), soft_wrap=True)
    return levels


def _print(out: "Console", group: str | None, finding: "CheckResult") -> None:
    from rich.text import Text

    if group:
        out.print(Text(group.capitalize(), style="bold"))
    mark, style = MARKS[finding.level]
    shown = Text(_wrapped(out, f"  {mark} ", finding.seen))
    shown.stylize(style, 2, 3)
    out.print(shown, soft_wrap=True)
    if finding.fix:
        out.print(Text(_wrapped(out, "    → ", finding.fix), style="dim"), soft_wrap=True)


def _wrapped(out: "Console", indent: str, text: str) -> str:
    """With a hanging indent on a terminal; one line each for what reads a pipe."""
    text = " ".join(safe_text(text).split())
    if not out.encoding.startswith("utf"):
        indent = indent.translate(_PLAIN)
    if not out.is_terminal:
        return indent + text
    width = max(40, out.width - 1)
    return textwrap.fill(
        text, width, initial_indent=indent, subsequent_indent=" " * len(indent),
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip


def _summary(levels: list[str]) -> str:
    count = Counter(levels)
    if not count["problem"] and not count["warning"]:
        return "\nAll is well."
    parts = [counted(count[level], level) for level in ("problem", "warning") if count[level]]
    return f"\n{' and '.join(parts)}."
