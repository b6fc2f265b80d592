"""Pictures of the dashboard for the documents: `python -m tools.screenshots [DIRECTORY]`.

Needs Chromium and the development dependencies. The history is the example one.
"""

import asyncio
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from config import load_settings
from server.viewer import Viewer
from tools import example_history
from tools.palette import shrink

if TYPE_CHECKING:
    from playwright.async_api import Browser

CHROMIUM = "/usr/bin/chromium"
CHROMIUM_OPTIONS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-lcd-text",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DOCUMENTS = Path(__file__).parent.parent / "docs" / "screenshots"
RUNS = 420


class Shot(NamedTuple):
    """A picture; `path` may hold `{reviewed}`, the id of the newest run with draft and review."""

    name: str
    path: str
    dark: bool = False
    width: int = 1360
    height: int = 850


SHOTS = [
    Shot("timeline-light", "/dashboard"),
    Shot("timeline-dark", "/dashboard", dark=True),
    Shot("run", "/dashboard/runs/{reviewed}?tab=diff"),
    Shot("numbers", "/dashboard/numbers", height=1000),
    Shot("thresholds", "/dashboard/thresholds?confidence=7&conflict=6", dark=True),
]


async def take(browser: "Browser", address: str, shots: Sequence[Shot], into: Path) -> None:
    """`address` is the dashboard's, without a path."""
    for shot in shots:
        page = await browser.new_page(
            viewport={"width": shot.width, "height": shot.height},
            color_scheme="dark" if shot.dark else "light",
            reduced_motion="reduce",
        )
        await page.goto(address + shot.path)
        await page.wait_for_load_state("load")
        await page.screenshot(path=into / f"{shot.name}.png")
        await page.close()


def reviewed(directory: Path) -> str:
    """The newest run whose review is worth a look."""
    from history.reader import Reader

    records = Reader(directory).page(limit=RUNS)
    found = (r for r in records if r["judge"] and r["reviewer_judge"] and r["reviewer_output"])
    return next(r["id"] for r in found if r["reviewer_output"] != r["coder_output"])


@asynccontextmanager
async def viewer(directory: Path) -> AsyncIterator[str]:
    """The dashboard over a history directory; gives its address without a path."""
    made = Viewer(load_settings(HISTORY_DIR=directory, PORT=0))
    serving = asyncio.create_task(made.run())
    try:
        yield made.address.removesuffix("/dashboard")
    finally:
        made.stop()
        await serving


async def main(into: Path) -> None:
    from playwright.async_api import async_playwright

    with tempfile.TemporaryDirectory() as scratch:
        directory = Path(scratch) / "history"
        example_history.write(directory, RUNS, datetime.now(UTC).replace(hour=17, minute=42))
        id = reviewed(directory)
        shots = [shot._replace(path=shot.path.format(reviewed=id)) for shot in SHOTS]
        async with viewer(directory) as address, async_playwright() as playwright:
            browser = await playwright.chromium.launch(
                executable_path=CHROMIUM, args=CHROMIUM_OPTIONS
            )
            await take(browser, address, shots, into)
            await browser.close()
    for shot in SHOTS:
        shrink(into / f"{shot.name}.png")


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else DOCUMENTS
    target.mkdir(parents=True, exist_ok=True)
    asyncio.run(main(target))
