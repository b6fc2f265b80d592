"""The numbers page shows the measures of the runs of `///files`."""

import json
import re

import pytest
from dashboards import judged, site
from projects import BOTH, CLI, CORE, GOOD, PROMPT, TWO, writes

from dashboard.project_measures import measures
from history.record import decode, encode


def shown(page):
    cells = [
        (row.one("th").text, *(cell.text for cell in row.all("td")))
        for row in page.one(id="projects").one("tbody").all("tr")
    ]
    return {name: (value, target, met) for name, value, target, met in cells}


async def records(pipeline_with, *scripts):
    """The records of runs, each on rules of its own."""
    found = []
    for rules in scripts:
        async with pipeline_with(*rules) as run:
            try:
                await run(PROMPT)
            except Exception as error:
                assert run.record["error"], error
            found.append(decode(encode(run.record)))
    return found


FAILING = [TWO, writes("core.py", CORE), writes("cli.py", fault="failed")]
FAILING.append({"role": "reviewer", "fault": "failed"})
UNUSED = [TWO, writes("core.py", CORE), writes("cli.py", "import os\n" + CLI), GOOD]
MENDED = [TWO | {"reply": f"Here:\n{TWO['reply']}\nBye"}, *BOTH, GOOD]
UNPLANNED = [{"role": "manifest", "reply": "no"}]


async def test_the_seed_s_measures_are_on_the_numbers_page(pipeline_with, tmp_path):
    """Reliability, quality, cost and time, with their targets, over runs that really were.
    What is missing or does not parse has passed neither linter nor judge."""
    scripts = ([TWO, *BOTH, GOOD], FAILING, UNUSED, MENDED, UNPLANNED)
    made = await records(pipeline_with, *scripts)
    other = judged("01M7Y3A12KEA6V25JWPDAFFASX")
    async with site(tmp_path / "history", *made, other) as served:
        table = shown(await served.page("/dashboard/numbers"))
        named = shown(await served.page("/dashboard/numbers?q=mode%3Afiles"))
        filtered = await served.page("/dashboard/numbers?q=mode%3Areviewed")
        without = await served.page("/dashboard/numbers?q=-mode%3Afiles")
    assert named == table
    assert table["Projects that are complete and consistent"] == ("60 % of 5", "≥ 95 %", "no")
    assert table["Plans with unreadable JSON at first"] == ("40 % of 5", "≤ 5.0 %", "no")
    assert table["Files that failed: source"] == ("12 % of 8", "", "")
    assert table["No linter findings"] == ("50 % of 4", "≥ 100 %", "no")
    assert table["Passed by the judge"] == ("75 % of 4", "≥ 80 %", "no")
    assert table["Time per project (median)"][1:] == ("≤ 2 m 00 s", "yes")
    assert table["Time per file (median)"][1:] == ("≤ 15 s", "yes")
    for name in ("project", "file", "line"):
        assert re.fullmatch(r"[1-9][\d\s]*", table[f"Tokens per {name}"][0])
    assert "Speed-up by writing files in parallel" in table
    assert not filtered.all("table", id="projects") + without.all("table", id="projects")


async def test_a_history_without_projects_has_no_such_section(tmp_path):
    """Nothing about a mode that nobody uses."""
    async with site(tmp_path / "history", judged("01M7Y3A12KEA6V25JWPDAFFASX")) as served:
        page = await served.page("/dashboard/numbers")
        assert not page.all("table", id="projects")


ODD = [None, 1, "x", [], {}, {"metrics": 1}, {"metrics": {"files": "x", "lines": 1e400}}]


@pytest.mark.parametrize("artefact", ODD, ids=json.dumps)
def test_records_of_others_do_not_break_the_page(artefact):
    """Readers take any value anywhere."""
    record = {"artefact": artefact, "judge": artefact, "steps": artefact, "duration_ms": artefact}
    assert measures([record])[0].shown.endswith("of 1")
