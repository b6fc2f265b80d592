"""The dashboard's page of `laios bench`: arms side by side, and which problems each has right."""

import json
import time

import pytest
from dashboards import judged, site
from measured import result, write_results

pytestmark = pytest.mark.only_when("dashboard/", "history/", "server/benchmark/")


def cells(page, of):
    """A table's rows as texts."""
    body = page.one("tbody", id=of)
    return [[cell.text for cell in row.all("th") + row.all("td")] for row in body.all("tr")]


MEASURED = [
    result("HumanEval/0", "raw", False, run="not-kept"),
    result("HumanEval/1", "raw", True),
    result("HumanEval/0", "reviewed", True, calls=3, seconds=6.0, drafts=[False, True],
           faulted=[True, False], run="run-1"),
    result("HumanEval/1", "reviewed", True, confidence=9, conflict=1, run=["odd"]),
    result("HumanEval/2", "reviewed", False, draft_passed=True, escalated=True, confidence=2,
           conflict=8, error="model_failed"),
]  # fmt: skip


async def test_arms_stand_side_by_side_and_a_problem_leads_to_its_run(tmp_path):
    """Rates with intervals, gains against raw with p, costs, what the parts did; a run that is in
    the history is a link. Without examples it is another set, with a page of its own."""
    write_results(*MEASURED, result("laios/strings-01-", "raw", True, at="2026-11-23"))
    async with site(tmp_path / "h", judged("run-1")) as shown:
        newest = await shown.page("/dashboard/bench")
        assert newest.one("h1").text == "laios, without examples"
        [[_, _, right], [link, models, _]] = cells(newest, "sheets")
        assert (link, models, right) == ("HumanEval", "m:1", "raw 1/1")
        [href] = [a["href"] for a in newest.one("tbody", id="sheets").all("a") if a.text == link]
        page = await shown.page(href)
        assert [b.text for b in page.one("ul", "arms").all("b")] == ["50 %", "67 %"]
        assert "1/2 9.5 %–91 %" in page.one("ul", "arms").text
        raw, reviewed = cells(page, "costs")
        assert reviewed[1:5] == ["+1", "−0", "1", "1.67"] and reviewed[9:] == ["× 2.00", "1"]
        assert raw[1:5] == ["–", "–", "–", "1.00"]
        assert cells(page, "parts") == [
            ["reviewed", "+1 −0", "+0 −1", "3/3 · 1/1", "1/2 · 0/0", "–"]
        ]
        tally = page.one("section", id="problems")
        states = [[cell["class"] for cell in row.all("td")] for row in tally.all("tr")[1:]]
        assert states == [["wrong", "right"], ["right", "right"], ["none", "wrong"]]
        [run] = tally.one("tbody").all("a")
        assert run["href"] == "/dashboard/runs/run-1" and "right" in run.text
        await shown.page(run["href"])
        different = await shown.page(f"{href}&only=different")
        assert len(different.one("section", id="problems").one("tbody").all("tr")) == 1
        await shown.page("/dashboard/bench?set=none", 404)


async def test_the_page_says_what_ran_the_models(tmp_path):
    """The engine and the quantisation, once for all arms; whatever stands in their places."""
    known = {"engine": "ollama 0.24.0", "quantization": "Q4_K_M"}
    write_results(*(result("x/1", arm, True) | known for arm in ("raw", "best")))
    write_results(result("x/2", "raw", True) | {"engine": ["x"]}, name="results-old.jsonl")
    async with site(tmp_path / "h") as shown:
        page = await shown.page("/dashboard/bench")
        assert page.one("header", "head").text.endswith("m:1 · ollama 0.24.0, Q4_K_M")


async def test_before_anything_is_measured_the_page_says_how(tmp_path):
    """Also where nothing in the file is a result."""
    async with site(tmp_path / "h") as shown:
        assert "laios bench --limit 10" in await shown.opens("/dashboard/bench")
        write_results(b"\xff\xfe", b"[1]", b"{" * 5000)
        assert "Nothing measured yet" in await shown.opens("/dashboard/bench")


async def test_what_is_no_result_counts_as_nothing(tmp_path):
    """A row that is being written, and rows with other things in their places; what is a result is
    shown as text, whatever its names are."""
    script = "<script>alert(1)</script>\u202e\ud800"
    good = result(f"x/{script}", script, True, models={"coder": script}, at=[1], run=script)
    odd = (
        {"models": [1]},
        {"passed": "yes"},
        {"calls": 1e300},
        {"seconds": float("nan")},
        {"problem": ["x"]},
        {"error": {}},
        {"confidence": "9"},
        {"prompt_tokens": None},
    )
    rows = [result("x/1", "raw", True) | each for each in odd]
    for name in ("error", "conflict"):
        rows.append(result("x/1", "raw", True))
        del rows[-1][name]
    torn = json.dumps(good)[:-20].encode()
    write_results(*rows, good, torn)
    write_results(good | {"problem": "x/2", "passed": False}, name="results-laptop.jsonl")
    async with site(tmp_path / "h") as shown:
        page = await shown.page("/dashboard/bench")
        assert "1/2" in page.one("ul", "arms").text
        assert "⟨U+202E⟩⟨U+D800⟩" in page.one("ul", "arms").text


async def test_ten_thousand_results_do_not_hold_up_the_daemon(tmp_path):
    """Reading them and writing the page out takes none of the loop's time; what is too much for a
    page is said to be left out."""
    write_results(*(result(f"x/{n}", arm, True) for n in range(5000) for arm in ("raw", "best")))
    async with site(tmp_path / "h") as shown:
        await shown.opens("/dashboard")  # what the first page loads
        before = time.thread_time()
        text = await shown.opens("/dashboard/bench")
        assert time.thread_time() - before < 0.25
        assert "4\u202f000 more are left out" in text
