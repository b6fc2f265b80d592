"""What the benchmarks give: figures with their targets, and the table of them."""

import os
import platform
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

HEAD = "| figure | measured | target | met |\n|---|---|---|---|"
PACKAGES = ("aiohttp", "orjson", "pydantic", "starlette", "uvicorn", "uvloop")


@dataclass(frozen=True, slots=True)
class Figure:
    """One row of the table. `met`: None for a figure that stands there for orientation."""

    name: str
    measured: str
    target: str = ""
    met: bool | None = None


def at_most(name: str, value: float, limit: float, form: str) -> Figure:
    """A figure that must not exceed `limit`; `form` writes both: `"{:.2f} s"`."""
    return Figure(name, form.format(value), f"≤ {form.format(limit)}", value <= limit)


def at_least(name: str, value: float, limit: float, form: str) -> Figure:
    return Figure(name, form.format(value), f"≥ {form.format(limit)}", value >= limit)


def table(figures: Sequence[Figure]) -> str:
    """The figures in Markdown."""
    return "\n".join([HEAD, *map(row, figures)])


def row(figure: Figure) -> str:
    """Its line in the table."""
    met = {True: "yes", False: "**no**", None: ""}[figure.met]
    return f"| {figure.name} | {figure.measured} | {figure.target} | {met} |"


def circumstances() -> str:
    """When and on what the figures were measured."""
    packages = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    return (
        f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC, {platform.system()} {platform.machine()}, "
        f"{os.cpu_count()} cores ({_processor()}), load before {os.getloadavg()[0]:.1f}, "
        f"Python {sys.version.split()[0]}, {packages}."
    )


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if "model name" in line]
    return names[0] if names else platform.processor() or "unknown"
