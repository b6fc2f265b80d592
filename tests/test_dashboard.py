"""The dashboard's pages over a real socket, read without JavaScript."""

import asyncio
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from subprocess import PIPE
from urllib.parse import unquote_plus

import cli
import httpx
import pages
import pytest
from code_examples import CLEAR, EXPLAINED, GOOD, asked
from dashboards import VERDICT, escalated, ids, judged, link, rows, site, step
from history_fakes import make_record, write_file
from processes import invoke, laios, wait_for

from config import cache_dir
from dashboard import index_sync
from dashboard.app import create_app
from dashboard.assets import contents
from dashboard.display_text import reveal
from history.run_index import Index

pytestmark = pytest.mark.only_when(
    "dashboard/",
    "history/",
    "server/commands/dashboard.py",
    "server/dashboard_mount.py",
    "server/http/",
    "server/viewer.py",
)

ID = "01M7Y3A12KEA6V25JWPDAFFASX"


def run_id(number: int) -> str:
    return f"01M7Y3A12KEA6V25JWPDA{number:05d}"


async def test_the_timeline_shows_runs_newest_first(tmp_path):
    """A row says when, which mode, what was asked, what the judge said, and how long it took."""
    records = [judged(run_id(1), normalized_prompt="add\ntwo"), escalated(run_id(2))]
    async with site(tmp_path / "history", *records) as served:
        page = await served.page("/dashboard")
        assert ids(page) == [run_id(2), run_id(1)]
        newer, older = rows(page)
        assert older.one(of="title").text == "add"
        assert older.one(of="mode").text == "reviewed"
        assert older.one(of="scores")["title"] == "draft: confidence 9 of 10, conflict 1 of 10"
        assert older.one(of="models").text == "qwen2.5-coder:7b, qwen3:8b"
        assert older.one(of="took").text == "3.0 s"
        assert [part["class"] for part in older.all("rect")] == ["queue", "coder", "judge"]
        assert "escalated" in newer.classes
        assert newer.one(of="remark").text == "confidence 6 < 8; conflict 7 > 6"
        assert [scores.text for scores in newer.all(of="scores")] == ["67", "91"]


async def test_unusual_runs_say_what_they_are(tmp_path):
    """Failed, without a verdict for evidence, with an unreadable one, with no text kept."""
    unread = VERDICT | {"confidence_score": None, "conflict_score": None, "error": "cut off"}
    records = [
        make_record(run_id(1), error={"code": "model_timeout", "message": "too slow"}),
        escalated(run_id(2), judge=None, escalation_reason="evidence: syntax error at line 3"),
        escalated(run_id(3), judge=unread, escalation_reason="unparseable verdict: cut off"),
        make_record(run_id(4), original_prompt=None, normalized_prompt=None),
    ]
    async with site(tmp_path / "history", *records) as served:
        silent, unreadable, evident, failed = rows(await served.page("/dashboard"))
        assert silent.one(of="title").text == "text not kept"
        assert unreadable.one(of="badge").text == "unparseable"
        assert evident.one(of="badge").text == "evidence"
        assert "failed" in failed.classes
        assert failed.one(of="remark").text == "model_timeout"


async def test_auxiliary_runs_are_hidden_until_asked_for(tmp_path):
    """What a frontend asks by itself is not what a person wants to see."""
    records = [judged(run_id(1)), make_record(run_id(2), kind="auxiliary")]
    async with site(tmp_path / "history", *records) as served:
        assert ids(await served.page("/dashboard")) == [run_id(1)]
        assert ids(await served.page("/dashboard?q=kind:auxiliary")) == [run_id(2)]


async def test_filters_stand_in_the_address_and_facets_change_them(tmp_path):
    """A facet's link adds its part, shows as many rows as it promised, and takes it off again."""
    records = [judged(run_id(n), mode="code_raw" if n % 3 else "review_only") for n in range(9)]
    async with site(tmp_path / "history", *records) as served:
        page = await served.page("/dashboard")
        [facet] = [a for a in page.all("a") if a.get("title") == "mode:code_raw"]
        assert facet.one(of="value").text == "6"
        narrowed = await served.page(facet["href"])
        assert len(ids(narrowed)) == 6
        assert narrowed.one("input", id="q")["value"] == "mode:code_raw"
        [chosen] = [a for a in narrowed.all("a") if a.get("title") == "mode:code_raw"]
        assert chosen["aria-current"] == "true"
        assert len(ids(await served.page(chosen["href"]))) == 9


async def test_a_bad_filter_is_explained_and_kept(tmp_path):
    """400, the sentence beside the box, the text still in it, and what a filter can say."""
    async with site(tmp_path / "history", judged(ID)) as served:
        for path in ("/dashboard", "/dashboard/numbers", "/dashboard/thresholds"):
            page = await served.page(f"{path}?q=mod:raw", 400)
            assert "mod" in page.one(role="alert").text
            assert page.one("input", name="q")["value"] == "mod:raw"
        examples = (await served.page("/dashboard?q=mod:raw", 400)).one("section", "examples")
        for example in examples.all("a"):
            await served.opens(example["href"])


async def test_pages_lead_through_the_whole_history(tmp_path):
    """Older and newer pages show each run once, in order, also with a filter."""
    records = [judged(run_id(n), mode="code_raw" if n % 2 else "x") for n in range(230)]
    async with site(tmp_path / "history", *records) as served:
        for query, expected in (("", 230), ("?q=mode:code_raw", 115)):
            page, seen = await served.page(f"/dashboard{query}"), []
            while True:
                seen += ids(page)
                if not page.all("a", rel="next"):
                    break
                page = await served.page(page.one("a", rel="next")["href"])
            assert len(seen) == expected
            assert seen == sorted(seen, reverse=True)
        first = seen[:50]
        while newer := [a["href"] for a in page.all("a") if a.text == "← Newer"]:
            page = await served.page(newer[0])
        assert ids(page) == first
        for gone in ("before=gone", "after=gone", "q=mode:x&before=gone"):
            page = await served.page(f"/dashboard?{gone}")
            assert "no longer in this history" in page.one(id="empty").text
            assert len(ids(await served.page(link(page, "The newest runs")))) == 50


async def test_runs_group_by_session(tmp_path):
    """The session with the newest run first; a group leads to all of its runs."""
    names = ["a b", None, '"x"', "a b", "a b", None, '"x"', "a b"] * 2
    records = [judged(run_id(n), session=name) for n, name in enumerate(names)]
    async with site(tmp_path / "history", *records) as served:
        page = await served.page("/dashboard?group=session")
        groups = page.one(id="days").all("section", "day")
        titles = [group.one("h2").text for group in groups]
        one = "As one thread"
        assert titles == [f"a b 8 runs {one}", f'"x" 4 runs {one}', "Without a session 4 runs"]
        assert (await served.page(link(groups[0], one))).one("h1").text == "a b"
        assert len(ids(await served.page(link(page, "All 8 runs of this session")))) == 8


async def test_an_agent_s_session_is_one_thread(tmp_path):
    """Oldest turn first: what the person said, once; what was held back and why, calls, texts. A
    page at a time; whatever stands in the records."""
    write = {"id": "c", "name": "write", "arguments": '{"content": "x = 1 <b>"}'}
    held = {"tool": "write", "files": "a.py", "why": "a.py: no syntax", "arguments": "{}"}
    still = {"stage": "coder", "kind": "write", "detail": "a.py: no names"}
    turn = {"session": "s/1", "kind": "agent", "normalized_prompt": "make a.py"}
    records = [
        judged(
            run_id(0),
            **turn,
            artefact={"tool_calls": [write], "held_back": [held]},
            evidence=[still],
        ),
        judged(run_id(1), **turn, final_output="Done <script>."),
        judged(run_id(2), **turn, artefact={"tool_calls": [7, {"arguments": [1]}]}),
        judged(run_id(3), session="other"),
    ]
    async with site(tmp_path / "history", *records) as served:
        page = await served.page(link(await served.page(f"/dashboard/runs/{run_id(1)}"), "Session"))
        turns = page.all("li")
        assert [turn.get("id") for turn in turns if turn.get("id")] == [run_id(n) for n in range(3)]
        assert page.text.count("make a.py") == 1
        assert "Held back: a.py: no syntax" in page.text and "x = 1 <b>" in page.text
        assert "Remaining findings: a.py: no names" in page.text
        assert "Done <script>." in page.text
        code = "def f():\n    return 1\n"
        served.add(judged(run_id(4), session="older", final_output=code))  # no language on record
        page = await served.page("/dashboard/thread?session=older")
        assert "code" in page.one("p", "said").classes
        answer = await served.http.get("/dashboard/thread?session=none")
        assert answer.status_code == 404 and "No such session" in answer.text
        long = {"session": "s" * 3000}  # longer than a filter may be
        assert (await served.http.get("/dashboard/thread", params=long)).status_code == 404


async def test_a_run_s_page_tells_its_story(tmp_path):
    """Waiting, loading, first token and writing as parts of each lane, in their places."""
    async with site(tmp_path / "history", judged(ID)) as served:
        page = await served.page(f"/dashboard/runs/{ID}")
        lanes = page.all(of="lane")[:-1]
        assert [lane.one(of="who").one("b").text for lane in lanes] == [
            "queue", "coder", "judge", "reviewer"
        ]  # fmt: skip
        coder = [(r["x"], r["width"], r["class"]) for r in lanes[1].all("rect")]
        assert coder == [
            ("14.29%", "11.43%", "coder load"),
            ("25.71%", "14.29%", "coder read"),
            ("40.0%", "31.43%", "coder write"),
        ]
        assert "hollow" in lanes[3].classes
        assert lanes[3].one(of="why").text == "confidence 9, conflict 1; It is right."
        assert [a.text for a in page.one("nav", "tabs").all("a")] == [
            "Output", "Draft", "Prompt", "Verdict"
        ]  # fmt: skip


@pytest.mark.parametrize(("valid", "said"), [(True, "valid"), (False, "not valid")])
async def test_a_judgement_says_whether_the_code_is_valid(tmp_path, valid, said):
    """Whatever its scores are: nothing else would tell that it fails a test."""
    made = {"kind": "judgement", "judgement": {"valid": valid}}
    against = [] if valid else [{"stage": "coder", "kind": "test", "detail": "test_add fails"}]
    record = judged(ID, mode="code_judged", artefact=made, evidence=against)
    async with site(tmp_path / "history", record) as served:
        page = await served.page(f"/dashboard/runs/{ID}")
        assert said in [badge.text for badge in page.one("p", "state").all("span", "badge")]
        assert "no review needed" not in page.text and ("test_add fails" in page.text) is not valid


async def test_a_fact_is_told_once(tmp_path):
    """Also where each of several steps ends with it; one of a kind is one."""
    steps = [step("coder", n, 5, note="it runs", finish_reason="length") for n in range(3)]
    record = judged(ID, steps=steps, context_ids=["x"], artefact={"rows": [{"a": ["b"], "c": []}]})
    async with site(tmp_path / "history", record) as served:
        page = await served.page(f"/dashboard/runs/{ID}?tab=artefact")
        facts = page.one("aside", "facts").text
        assert facts.count("it runs") == 1 == facts.count("length")
        assert "history before the prompt1 run" in facts and "1 runs" not in facts
        assert [cell.text for cell in page.one(id="texts").all("td")] == ["b", ""]


async def test_a_stage_says_what_it_read_and_what_was_cached(tmp_path):
    """Beside its first token; nothing is said where the backend did not say it."""
    record = judged(ID)
    coder, judge = record["steps"]
    record["steps"] = [coder, judge | {"first_token_ms": 300, "cached_tokens": 80}]
    async with site(tmp_path / "history", record) as served:
        page = await served.page(f"/dashboard/runs/{ID}")
        first, second = (lane.text for lane in page.all(of="lane")[1:3])
    assert "first token 300 ms (20 read, 80 cached)" in second
    assert "cached" not in first


async def test_what_nothing_decides_is_shown_as_open(tmp_path):
    """The calls on which drafts differ, and tests that fail with each draft; not where the draft
    was not the answer."""
    differs = {"call": "f(<b>)", "here": "gives 1", "elsewhere": "gives 2"}
    skipped = {
        "path": "t.py",
        "kind": "test",
        "detail": "the test T.x is skipped",
        "serious": False,
    }
    made = {"differences": [differs], "faults": [skipped, skipped | {"serious": True}]}
    runs = [
        judged(run_id(n), artefact=made, final_source=of)
        for n, of in enumerate(("coder", "reviewer"))
    ]
    async with site(tmp_path / "history", *runs) as served:
        pages = [await served.page(f"/dashboard/runs/{run_id(n)}") for n in range(2)]
    told = [each for each in pages[0].all(of="notice") if "Not certain" in each.text]
    assert [line.text for line in told[0].all("code")] == [
        "f(<b>) gives 1, in other drafts it gives 2", "t.py: the test T.x is skipped"
    ]  # fmt: skip
    assert not [each for each in pages[1].all(of="notice") if "Not certain" in each.text]


async def test_an_address_with_a_slash_behind_it_leads_to_the_pages(tmp_path):
    """As people type it; of a proxy's host and scheme nothing is assumed."""
    async with site(tmp_path / "history", judged(ID)) as served:
        for query in ("", "?mode=code_raw", "?q=a%20%26%25b%C3%A9"):
            answer = await served.http.get(f"/dashboard/{query}", follow_redirects=True)
            assert answer.status_code == 200
            (redirect,) = answer.history
            assert redirect.headers["location"] == f"/dashboard{query}"


async def test_every_tab_of_a_run_opens(tmp_path):
    """Each one by its own address, with the text that it names."""
    artefact = {"tests": [{"name": "adds", "status": "failed", "input": [1, 2]}], "seed": 7}
    async with site(tmp_path / "history", escalated(ID, artefact=artefact)) as served:
        page = await served.page(f"/dashboard/runs/{ID}")
        shown = {}
        for tab in page.one("nav", "tabs").all("a"):
            opened = await served.page(tab["href"].partition("#")[0])
            assert opened.one("nav", "tabs").one("a", aria_current="page").text == tab.text
            shown[tab["data-tab"]] = opened.one(id="texts").text
        assert "return a - b" in shown["draft"]
        assert "return a + b" in shown["output"]
        assert "prompt of 01M7" in shown["prompt"]
        assert "It fails." in shown["verdict"] and '{"confidence_score": 9}' in shown["verdict"]
        assert "+1 −1 lines" in shown["diff"]
        assert "addsfailed[1,2]" in shown["artefact"] and "seed7" in shown["artefact"]


async def test_tests_and_rounds_of_a_run_are_tables(tmp_path):
    """What failed stands out, results are counted, code is folded up, no JSON is needed."""
    statuses = ["passed", "wrong", "passed", "not run"]
    results = [{"name": f"case {n}", "status": status} for n, status in enumerate(statuses)]
    code = "def f(x):\n" + "    x += 1\n" * 6
    artefact = {
        "function": "f",
        "tests": [each | {"anchor": True} for each in results],
        "rounds": [{"round": 1, "code": code, "results": results}],
        "decisions": [],
        "stopped": None,
        "notes": ["one", "two"],
    }
    async with site(tmp_path / "history", judged(ID, artefact=artefact)) as served:
        texts = (await served.page(f"/dashboard/runs/{ID}?tab=artefact")).one(id="texts")
        assert [badge.text for badge in texts.all(of="bad")] == ["wrong"]
        assert [badge.text for badge in texts.all(of="good")] == ["passed", "passed"]
        cells = [cell.text for cell in texts.all("td")]
        assert cells[:3] == ["case 0", "passed", "yes"]
        assert cells[-1] == "2 passed, 1 wrong, 1 not run"
        assert texts.one("details").one("summary").text == "7 lines"
        assert texts.one("details").one("pre").text == " ".join(code.split())
        assert [fact.text for fact in texts.one("dl").all("dd")] == ["f", "one two"]


async def test_any_id_has_a_page(tmp_path):
    """Whatever a line of a history calls its run, its row leads there."""
    strange = ["a/b", "../../x", "a b", "%2e", "\u202e", 'a"b', "?q=x", "#x", "é"]
    async with site(tmp_path / "history", *map(judged, strange)) as served:
        timeline = await served.page("/dashboard")
        for row, id in zip(rows(timeline), reversed(strange), strict=True):
            page = await served.page(row.one("a")["href"])
            assert page.one("h1").text == f"prompt of {reveal(id)}"


async def test_a_diff_of_any_id_can_be_shown_in_both_ways(tmp_path):
    """What an id holds does not end the address of the other view."""
    strange = ["a/b", "%2e", "?q=x", "a#x", "é"]
    async with site(tmp_path / "history", *map(escalated, strange)) as served:
        for row in rows(await served.page("/dashboard")):
            page = await served.page(f"{row.one('a')['href']}?tab=diff")
            inline = await served.page(link(page, "Inline"))
            assert inline.one("h1").text == page.one("h1").text
            assert inline.all("div", "inline") and not inline.all("div", "side")


async def test_what_the_model_really_said_is_there(tmp_path):
    """Beside the code that was made of it, with how the answer ended."""
    said = step("coder", 0, 5, raw="Sure! <b>Here</b>", finish_reason="length", note="half of it")
    async with site(tmp_path / "history", judged(ID, steps=[said])) as served:
        page = await served.page(f"/dashboard/runs/{ID}?tab=draft")
        assert page.one("details", "reply").one("pre").text == "Sure! <b>Here</b>"
        facts = page.one("aside", "facts").text
        assert "finish reason of the coderlength" in facts and "half of it" in facts
        assert not (await served.page(f"/dashboard/runs/{ID}?tab=output")).all("details")


async def test_a_diff_marks_what_changed(tmp_path):
    """Side by side or inline; the changed sign is marked within its line."""
    async with site(tmp_path / "history", escalated(ID)) as served:
        side = await served.page(f"/dashboard/runs/{ID}?tab=diff&view=side")
        assert [mark.text for mark in side.all("mark")] == ["-", "+"]
        assert not side.all(of="inline")
        inline = await served.page(f"/dashboard/runs/{ID}?tab=diff&view=inline")
        signs = [row.one(of="sign").text for row in inline.one(of="inline").one("tbody").all("tr")]
        assert signs == ["", "−", "+"]


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("x = 1\n", "x = 1\n", "equal, character for character"),
        ("x = 1\ny = 2\n", "x = 1\r\ny = 2\n", "differ only in line ends"),
        ("x = 1", "x = 1\n", "differ only in line ends"),
    ],
)
async def test_texts_of_equal_lines_are_not_called_equal(tmp_path, before, after, said):
    """Where the characters at the ends of their lines differ; two compared runs say it, too."""
    first = escalated(run_id(1), coder_output=before, reviewer_output=after, final_output=before)
    records = [first, judged(run_id(2), final_output=after)]
    async with site(tmp_path / "history", *records) as served:
        assert said in (await served.page(f"/dashboard/runs/{run_id(1)}?tab=diff")).text
        page = await served.page(f"/dashboard/compare?a={run_id(1)}&b={run_id(2)}")
        [*_, output] = page.all("section", "texts")
        assert ("but in line ends" in output.text) == (before != after)


async def test_newer_and_older_stay_within_the_filter(tmp_path):
    """The neighbours are those of the list that one came from."""
    records = [judged(run_id(n), mode="code_raw" if n % 2 else "x") for n in range(5)]
    async with site(tmp_path / "history", *records) as served:
        row = rows(await served.page("/dashboard?q=mode:code_raw"))[0]
        page = await served.page(row.one("a")["href"])
        older = await served.page(link(page, "↓ Older"))
        assert older.one("aside", "facts").all("code")[0].text == run_id(1)
        assert [span.text for span in older.one("nav", "way").all("span")] == ["", "↓ Older"]


async def test_a_run_is_taken_away_exactly(tmp_path):
    """The record as JSON, the texts byte for byte, and Markdown whose fences nothing closes."""
    code = "a = '\u202e'\r\n```\n````\n\tb  \n\n"
    record = escalated(ID, final_output=code, unknown={"x": [1]}, original_prompt="\ud800 <b>")
    async with site(tmp_path / "history", record) as served:
        answer = await served.http.get(f"/dashboard/runs/{ID}.json")
        assert json.loads(answer.content) == record
        answer = await served.http.get(f"/dashboard/runs/{ID}/text/output")
        assert answer.content == code.encode()
        assert answer.headers["content-type"] == "text/plain; charset=utf-8"
        assert (await served.http.get(f"/dashboard/runs/{ID}/text/prompt")).content == (
            b"\\ud800 <b>"
        )
        answer = await served.http.get(f"/dashboard/runs/{ID}.md")
        assert f"`````\n{code}\n`````" in answer.content.decode()
        await served.page(f"/dashboard/runs/{ID}/text/nothing", 404)


async def test_two_runs_compare(tmp_path):
    """What differs stands out, texts have their diff, and the times have one scale."""
    records = [judged(run_id(1), session="s"), escalated(run_id(2), session="s")]
    async with site(tmp_path / "history", *records) as served:
        page = await served.page(f"/dashboard/compare?a={run_id(1)}&b={run_id(2)}")
        facts = {row.one("th").text: row for row in page.one("table", "facts-pair").all("tr")[1:]}
        assert "same" in facts["session"].classes
        assert [cell.text for cell in facts["took"].all("td")] == ["3.0 s", "6.5 s"]
        assert "same" not in facts["took"].classes
        titles = [section.one("h2").text for section in page.all("section", "texts")]
        assert titles == ["Prompt", "Draft", "Output"]
        first, second = page.all("figure", "fall")
        assert [tick.text for tick in first.all("text")] == [
            tick.text for tick in second.all("text")
        ]
        side = await served.page(link(page, "Side by side"))  # on a narrow screen too
        assert side.all("div", "side") and not side.all("div", "inline")
        choose = await served.page(f"/dashboard/compare?a={run_id(1)}")
        assert choose.all("li", "row")[0].one("a")["href"].endswith(f"b={run_id(2)}")


async def test_compared_runs_show_each_of_the_stages_with_one_name(tmp_path):
    """A stage that came twice is no stage less."""
    steps = [step("coder", 0, 1000), step("coder", 1000, 2000), step("judge", 3000, 500)]
    records = [judged(run_id(1)), judged(run_id(2), steps=steps)]
    async with site(tmp_path / "history", *records) as served:
        page = await served.page(f"/dashboard/compare?a={run_id(1)}&b={run_id(2)}")
        cells = [
            [cell.text.split(", ")[1:2] for cell in row.all("td")]
            for row in page.one("table", "facts-pair").all("tr")[1:]
            if row.one("th").text.startswith("coder")
        ]
        assert cells == [[["2.0 s"], ["1.0 s"]], [[], ["2.0 s"]]]


async def test_numbers_lead_to_the_runs_behind_them(tmp_path):
    """Each number's link shows as many runs as the number says."""
    records = [judged(run_id(n)) for n in range(12)] + [escalated(run_id(n)) for n in range(20, 25)]
    records += [make_record(run_id(n), error={"code": "model_failed"}) for n in range(30, 33)]
    async with site(tmp_path / "history", *records) as served:
        page = await served.page("/dashboard/numbers")
        counted = 0
        for column in page.all("svg", "columns"):
            for bar in column.all("a"):
                runs = int(re.search(r"\d+(?= runs)", bar["aria-label"])[0])
                if runs:
                    assert len(ids(await served.page(bar["href"]))) == runs
                    counted += 1
        assert counted == 5
        for item in page.all("ul", "spans")[2:]:
            for bar in item.all("a"):
                assert len(ids(await served.page(bar["href"]))) == int(bar.one(of="value").text)
        figures = page.one("dl", "figures").text
        assert "20" in figures and "29 %" in figures.replace("\u202f", " ")


async def test_a_day_s_column_adds_up(tmp_path):
    """A run that escalated and failed stands among the failed ones alone; a day without runs leads
    nowhere."""
    records = [judged(run_id(1)), escalated(run_id(2), error={"code": "model_failed"})]
    async with site(tmp_path / "history", *records) as served:
        *empty, day = (await served.page("/dashboard/numbers")).one("svg", "tall").all("a")
        assert day["aria-label"].endswith(": 2 runs, 0 escalated, 1 failed")
        assert [part.classes for part in day.all("rect")[1:]] == [{"usual"}, {"failed"}]
        assert empty and not any(each.get("href") for each in empty)


async def test_numbers_under_a_bad_filter_are_of_all_runs_and_say_so(tmp_path):
    """Their links lead to those runs; the filter stays in its box to be put right."""
    async with site(tmp_path / "history", *(judged(run_id(n)) for n in range(3))) as served:
        page = pages.read((await served.http.get("/dashboard/numbers?q=moed:raw")).text)
        assert "in this history" in page.one("dl", "figures").text
        page = pages.read((await served.http.get("/dashboard/thresholds?q=moed:raw")).text)
        assert page.one("input", name="q")["value"] == "moed:raw"
        assert len(ids(await served.page(page.one("table", "heat").one("a")["href"]))) == 3


@pytest.mark.parametrize("words", ["a " * 50, "a" * 2000], ids=["parts", "characters"])
async def test_the_longest_filters_have_their_numbers(tmp_path, words):
    """What the page adds to them counts against no limit."""
    async with site(tmp_path / "history", judged(run_id(1))) as served:
        assert (await served.http.get("/dashboard/numbers", params={"q": words})).status_code == 200


@pytest.mark.parametrize(("ts", "days"), [("0001-01-03", 3), ("9999-12-31", 14)])
async def test_the_first_and_the_last_days_of_all_have_their_numbers(tmp_path, ts, days):
    """There are no days before the first."""
    async with site(tmp_path / "history", judged(run_id(1), ts=f"{ts}T10:00:00Z")) as served:
        page = await served.page("/dashboard/numbers")
        assert len(page.one("svg", "tall").all("a")) == days


async def test_scores_have_no_charts_where_nothing_was_judged(tmp_path):
    """Empty axes say nothing."""
    async with site(tmp_path / "history", make_record(run_id(1))) as served:
        charts = (await served.page("/dashboard/numbers")).all("svg", "columns")
        assert [each["aria-label"] for each in charts] == ["Runs per day"]
    async with site(tmp_path / "judged", judged(run_id(1))) as served:
        assert len((await served.page("/dashboard/numbers")).all("svg", "columns")) == 3


async def test_other_thresholds_are_counted_from_the_verdicts(tmp_path):
    """The sentence's number is the number of runs behind its link."""
    records = [judged(run_id(n)) for n in range(4)] + [escalated(run_id(n)) for n in range(7, 10)]
    async with site(tmp_path / "history", *records) as served:
        page = await served.page("/dashboard/thresholds?confidence=6&conflict=7")
        assert "3 runs would not have escalated" in page.one("p", "say").text
        assert len(ids(await served.page(link(page, "3 runs")))) == 3
        page = await served.page("/dashboard/thresholds?confidence=10&conflict=6")
        assert "4 more would have (4 for low confidence)" in page.one("p", "say").text
        squares = {a["title"]: a["href"] for a in page.one("table", "heat").all("a")}
        assert len(ids(await served.page(squares["confidence 9, conflict 1: 4 runs"]))) == 4
        for wrong in ("0", "11", "x", ""):
            await served.page(f"/dashboard/thresholds?confidence={wrong}&conflict={wrong}")


async def test_one_of_something_is_not_several(tmp_path):
    """Numbers stand before the noun that fits them."""
    async with site(tmp_path / "history", escalated(ID)) as served:
        text = (await served.page("/dashboard/thresholds?confidence=9&conflict=7")).text
        assert "1 of 1 verdict" in text and "1 verdict" in text and "1 verdicts" not in text
        assert "of 1 draft and its review." in (await served.page("/dashboard/numbers")).text


async def test_nothing_there_is_said_in_words(tmp_path):
    """No directory, no runs, nothing that fits, no such run, no such page."""
    async with site(tmp_path / "history") as served:
        assert "No runs yet" in (await served.page("/dashboard")).text
        for path in ("numbers", "thresholds", "compare", "compare?a=x"):
            await served.page(f"/dashboard/{path}")
        served.directory.mkdir()
        served.add(judged(ID))
        assert "Nothing matches" in (await served.page("/dashboard?q=zebra")).text
        assert "no run nobody" in (await served.page("/dashboard/runs/nobody", 404)).text
        assert "nothing here" in (await served.page("/dashboard/what", 404)).text
        await served.page(f"/dashboard/compare?a={ID}&b=nobody", 404)


async def test_damaged_lines_cost_only_themselves(tmp_path):
    """The runs around them are there, and the page says how many lines are not."""
    lines = [judged(run_id(1)), b"{half a li\n", b"\xff\x00\n", b"[]\n", judged(run_id(2))]
    async with site(tmp_path / "history", *lines) as served:
        page = await served.page("/dashboard")
        assert ids(page) == [run_id(2), run_id(1)]
        assert "3 damaged lines left out" in page.one(of="count").text
        served.directory.joinpath("history-000002.jsonl").write_bytes(b"x\n")
        assert "4 damaged lines" in (await served.page("/dashboard")).one(of="count").text


async def test_a_history_that_is_being_read_shows_how_far_it_is(tmp_path, monkeypatch):
    """While another process makes the index: what is in it, the rest of the way, each run by its
    address; then all of it, by itself."""
    async with site(tmp_path / "history", judged(run_id(1))) as served:
        await served.page("/dashboard")
        monkeypatch.setattr("dashboard.index_sync.PATIENCE_S", 0.05)
        served.add(*(judged(run_id(n)) for n in range(2, 5)))
        index = Index(served.directory, cache_dir()).path
        with closing(sqlite3.connect(index, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            page = await served.page("/dashboard")
            assert ids(page) == [run_id(1)]
            bar = page.one(id="indexing").one("progress")
            assert 0 < int(bar["value"]) < int(bar["max"])
            await served.page(f"/dashboard/runs/{run_id(3)}")
            async with Stream(served, "/dashboard/events") as stream:
                assert 0 < int((await stream.next("index"))["data"]) < 100
                other.execute("ROLLBACK")
                assert (await stream.next("index"))["data"] == "100"
        page = await served.page("/dashboard")
        assert len(ids(page)) == 4 and not page.all(id="indexing")


async def test_an_index_that_cannot_be_kept_is_explained(tmp_path):
    """The page says what is wrong and that the history is whole; it is no trace."""
    (tmp_path / "xdg_cache_home").write_text("not a directory")
    async with site(tmp_path / "history", judged(ID)) as served:
        page = await served.page("/dashboard", 500)
        assert "index" in page.one("main").text and "untouched" in page.one("main").text


HOSTILE = [None, True, -1, 1e300, "", "\ud800", "x" * 300_000, [], [[]], {}, {"a": {"b": []}}]


@pytest.mark.parametrize("value", HOSTILE, ids=range(len(HOSTILE)))
async def test_a_record_may_hold_anything(tmp_path, value):
    """Whatever stands where, every page answers."""
    records = [dict.fromkeys(escalated(ID), value) | {"id": ID}]
    records += [escalated(run_id(n)) | {key: value} for n, key in enumerate(escalated(ID)) if n]
    part = {"stage": "coder"} | dict.fromkeys(step("coder", 0, 0), value)
    records.append(escalated("parts", steps=[part, value], evidence=[value], judge=part))
    async with site(tmp_path / "history", *[r | {"id": r["id"] or ID} for r in records]) as served:
        for path in ("", "?group=session", "/numbers", "/thresholds", f"/compare?a={ID}&b=parts"):
            await served.opens(f"/dashboard{path}")
        for name, tabs in ((ID, ("output", "diff")), ("parts", ("verdict", "artefact"))):
            for rest in (".md", ".json", *(f"?tab={tab}" for tab in tabs)):
                await served.opens(f"/dashboard/runs/{name}{rest}")


async def test_what_nobody_would_see_is_shown(tmp_path):
    """Bidirectional and control characters, zero widths, letters without a shape and lone
    surrogates have names; an emoji is written with a selector, and stays one."""
    record = judged(
        ID,
        normalized_prompt="a\u202eb\x1b[31m\u1160\u115f\U0001d173 \u2764\ufe0f",
        session="s\u200b",
        final_output="x = '\u2066'\x00",
    )
    async with site(tmp_path / "history", record) as served:
        row = rows(await served.page("/dashboard"))[0]
        shown = "a⟨U+202E⟩b⟨U+001B⟩[31m⟨U+1160⟩⟨U+115F⟩⟨U+1D173⟩ \u2764\ufe0f"
        assert row.one(of="title").text == shown
        assert row.one(of="session").text == "s⟨U+200B⟩"
        page = await served.page(f"/dashboard/runs/{ID}")
        marks = [(mark.text, mark["title"]) for mark in page.all(of="ctl")]
        assert marks == [("U+2066", "left-to-right isolate"), ("U+0000", "control character")]


@pytest.mark.parametrize("pattern", ["x", "\n", "ab\n\tc(", "\u202e", "<b>'\""])
async def test_a_megabyte_is_cut_and_answered_soon(tmp_path, pattern):
    """What is shown of a huge text is bounded, says so, and leads to all of it."""
    text = "import os\n" + pattern * (1_000_000 // len(pattern))
    other = text.replace("x", "y").replace("a", "b").replace("(", ")")
    record = escalated(ID, final_output=text, coder_output=text, reviewer_output=other)
    async with site(tmp_path / "history", record) as served:
        begun = time.monotonic()
        page = await served.opens(f"/dashboard/runs/{ID}")
        [whole] = re.findall(r'<a href="([^"]*)">The whole text</a>', page)
        assert await served.opens(whole) == text
        diff = await served.opens(f"/dashboard/runs/{ID}?tab=diff")
        assert "only their beginnings are compared" in diff
        await served.opens(f"/dashboard/compare?a={ID}&b={ID}")
        assert time.monotonic() - begun < 15


async def test_pages_carry_the_headers_and_load_nothing_from_elsewhere(tmp_path):
    """Strict CSP on every answer; assets are ours, small, and may be kept for ever."""
    async with site(tmp_path / "history", escalated(ID)) as served:
        loaded = set()
        for path in ("", f"/runs/{ID}", "/numbers", "/thresholds", "/compare", "/login", "/no"):
            answer = await served.http.get(f"/dashboard{path}")
            policy = answer.headers["content-security-policy"]
            assert "script-src 'self'" in policy and "unsafe" not in policy
            assert answer.headers["cache-control"] == "no-store"
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert "http" not in answer.text.replace("http-equiv", "")
            loaded |= set(re.findall(r"/dashboard/static/[^\"]+", answer.text))
        assert len(loaded) == 3
        folder = loaded.pop().rpartition("/")[0]
        size = 0
        for name in contents():
            answer = await served.http.get(f"{folder}/{name}")
            assert answer.status_code == 200
            assert "immutable" in answer.headers["cache-control"]
            assert "content-security-policy" in answer.headers
            size += len(answer.content)
        assert size < 120 * 1024
        await served.page("/dashboard/static/0/laios.css", 404)


def test_nobody_pays_for_pages_that_nobody_opens():
    """The daemon's modules load neither templates nor colours before the first request."""
    code = "import sys, server.daemon; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"jinja2", "pygments", "dashboard.app"} & set(done.stdout.split())


# --- live ----------------------------------------------------------------------------------------


class Stream:
    """Server-sent events as they come."""

    def __init__(self, served, path: str, **headers: str) -> None:
        self._request = served.http.stream("GET", path, headers=headers)

    async def __aenter__(self):
        self._lines = (await self._request.__aenter__()).aiter_lines()
        return self

    async def __aexit__(self, *error):
        await self._request.__aexit__(*error)

    async def next(self, kind: str) -> dict[str, str]:
        """The next event of this kind."""
        event: dict[str, str] = {}
        async for line in self._lines:
            name, _, value = line.partition(": ")
            event[name] = f"{event[name]}\n{value}" if name in event else value
            if not line:
                if event.get("event") == kind:
                    return event
                event = {}
        raise AssertionError("the stream ended")


async def test_a_new_run_comes_at_once(tmp_path):
    """As the row that a reload would show, if it fits the filter: nobody waits for the next sign of
    life."""
    async with site(tmp_path / "history", judged(run_id(1))) as served:
        path = f"/dashboard/events?q=mode:code_raw&after={run_id(1)}"
        async with Stream(served, path) as stream:
            await stream.next("index")
            served.add(judged(run_id(2)), judged(run_id(3), mode="code_raw"))
            begun = time.monotonic()
            event = await stream.next("run")
            assert time.monotonic() - begun < 10
        assert event["id"] == run_id(3)
        row = json.loads(event["data"])
        assert row["id"] == run_id(3)
        assert f'data-id="{run_id(3)}"' in row["html"]


async def test_a_broken_stream_goes_on_where_it_was(tmp_path):
    """Last-Event-ID counts more than the address; an unknown one means from now on."""
    records = [judged(run_id(n)) for n in range(1, 5)]
    async with site(tmp_path / "history", *records) as served:
        path = f"/dashboard/events?after={run_id(1)}"
        async with Stream(served, path, **{"Last-Event-ID": run_id(2)}) as stream:
            assert [(await stream.next("run"))["id"] for _ in range(2)] == [run_id(3), run_id(4)]
        async with Stream(served, "/dashboard/events?after=unknown") as stream:
            await stream.next("index")
            served.add(judged(run_id(5)))
            assert (await stream.next("run"))["id"] == run_id(5)


async def test_the_first_run_of_all_comes_too(tmp_path):
    """The page was opened before there was a history."""
    async with site(tmp_path / "history") as served:
        page = await served.page("/dashboard")
        async with Stream(served, page.one("body")["data-live"]) as stream:
            await stream.next("index")
            served.directory.mkdir()
            served.add(judged(ID))
            assert (await stream.next("run"))["id"] == ID


async def test_a_run_that_is_not_in_the_index_yet_is_new(tmp_path):
    """It was written when the stream began, and the index was not level with the history."""
    async with site(tmp_path / "history", judged(run_id(1))) as served:
        await served.page("/dashboard")
        index = Index(served.directory, cache_dir()).path
        with closing(sqlite3.connect(index, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            served.add(judged(run_id(2)))
            async with Stream(served, f"/dashboard/events?after={run_id(1)}") as stream:
                assert (await stream.next("index"))["data"] != "100"
                other.execute("ROLLBACK")
                assert (await stream.next("run"))["id"] == run_id(2)


async def test_a_page_over_a_replaced_history_is_loaded_again(tmp_path, monkeypatch):
    """What it shows is of the old one; the stream goes on with the new one."""
    monkeypatch.setattr(index_sync, "LOOK_S", 0.1)
    records, path = [judged(run_id(n)) for n in range(3)], f"/dashboard/events?after={run_id(2)}"
    async with site(tmp_path / "h", *records) as served, Stream(served, path) as stream:
        assert (await stream.next("index"))["data"] == "100"
        write_file(served.directory, 1, judged(run_id(7)))
        assert (await stream.next("gone"))["data"] == run_id(7)
        served.add(judged(run_id(8)))
        assert (await stream.next("run"))["id"] == run_id(8)


@pytest.mark.parametrize("known", [0, 1])
async def test_a_page_that_has_missed_too_many_runs_is_loaded_again(tmp_path, known):
    """The newest are never left out, whether or not the page knows a run; the stream goes on."""
    records = [judged(run_id(n)) for n in range(300)]
    async with site(tmp_path / "history", *records[:known]) as served:
        path = (await served.page("/dashboard")).one("body")["data-live"]
        served.directory.mkdir(exist_ok=True)
        served.add(*records[known:])
        await served.page("/dashboard")  # all of them are in the index now
        async with Stream(served, path) as stream:
            assert (await stream.next("gone"))["data"] == run_id(299)
            served.add(judged(run_id(300)))
            assert (await stream.next("run"))["id"] == run_id(300)


async def test_a_busy_history_is_not_called_unread(tmp_path, monkeypatch):
    """Lines that come while a page is made are no history that is still to be read."""
    async with site(tmp_path / "history", judged(run_id(1))) as served:
        await served.page("/dashboard")
        state = Index.state

        def busy(index):
            served.add(judged(run_id(2)))
            return state(index)

        monkeypatch.setattr(Index, "state", busy)
        assert not (await served.page("/dashboard")).all(id="indexing")
        async with Stream(served, "/dashboard/events") as stream:
            assert (await stream.next("index"))["data"] == "100"


async def test_a_stopping_server_ends_its_streams_in_order(tmp_path, caplog):
    """Whole, so that neither the browser nor the log speaks of a broken one."""
    history = tmp_path / "history"
    async with site(history) as served, Stream(served, "/dashboard/events") as stream:
        await stream.next("index")
        served.stop()
        with pytest.raises(AssertionError, match="the stream ended"):
            await stream.next("never")
    assert "without completing" not in caplog.text


async def test_a_running_run_ticks_through_its_stages(daemon_with):
    """Rows of runs that go on come with the stage that they are in, and go when they are over."""
    rules = [
        {"role": "coder", "reply": "x = 1", "delay_ms": 700},
        {"role": "judge", "verdict": [9, 1, "Right."], "delay_ms": 700},
    ]
    async with daemon_with(*rules) as (_, http):
        served = type("Served", (), {"http": http})()
        async with Stream(served, "/dashboard/events") as stream:
            running = asyncio.create_task(http.post("/prompt", json={"prompt": "<i>add"}))
            seen = ""
            while "judge now" not in seen:
                seen = (await stream.next("running"))["data"]
                assert "<i>" not in seen.replace("<i></i>", "")
            assert (await running).status_code == 200
            assert "&lt;i&gt;add" in (await stream.next("run"))["data"]


# --- forms ---------------------------------------------------------------------------------------


async def test_a_theme_is_kept(tmp_path):
    """The form leads back to its page, which then is dark."""
    async with site(tmp_path / "history", judged(ID)) as served:
        page = await served.page("/dashboard?q=x")
        answer = await served.send(page.one("form", "themes"), theme="dark")
        assert (answer.status_code, answer.headers["location"]) == (303, "/dashboard?q=x")
        assert (await served.page("/dashboard")).one("html")["data-theme"] == "dark"


async def test_forms_lead_nowhere_else(tmp_path):
    """Whatever a link put into the form, the answer leads to the dashboard."""
    elsewhere = (
        "https://evil.example",
        "//evil.example",
        "/prompt",
        "/dashboard\\@x",
        "/dashboardx",
    )
    async with site(tmp_path / "history") as served:
        form = (await served.page("/dashboard")).one("form", "themes")
        for target in elsewhere:
            answer = await served.send(form, theme="dark", next=target)
            assert answer.headers["location"] == "/dashboard", target


async def test_first_requests_that_come_together_make_the_pages_once(daemon_with, monkeypatch):
    """Twice would be two that bring the same index up to date, one of them for nobody."""
    made = []

    def slowly(*given):
        time.sleep(0.1)
        made.append(create_app(*given))
        return made[-1]

    monkeypatch.setattr("dashboard.app.create_app", slowly)
    async with daemon_with({"reply": "x"}) as (_, http):
        answers = await asyncio.gather(*(http.get("/dashboard") for _ in range(5)))
    assert [answer.status_code for answer in answers] == [200] * 5
    assert len(made) == 1


async def test_forms_of_others_are_refused(daemon_with):
    """Without our CSRF token, from another origin, or as JSON; and no form works on the API."""
    async with daemon_with({"role": "coder", "reply": "x"}) as (_, http):
        answer = await http.post("/dashboard/theme", data={"theme": "dark", "csrf": "0" * 64})
        assert answer.status_code == 403 and "reload" in answer.text
        answer = await http.post("/dashboard/theme", json={"theme": "dark"})
        assert answer.status_code == 415
        origin = {"Origin": "http://127.0.0.1:1"}
        answer = await http.post("/dashboard/theme", data={"theme": "dark"}, headers=origin)
        assert answer.json()["error"]["code"] == "forbidden_origin"
        answer = await http.post("/prompt", data={"prompt": "x"})
        assert answer.status_code == 415
        answer = await http.post("/dashboard/theme", data={"theme": "x" * 100_000})
        assert answer.status_code == 413


async def test_an_origin_that_may_use_the_api_has_no_part_in_the_pages(daemon_with):
    """It could read the history there, and with it the token of the forms."""
    frontend = {"Origin": "http://frontend.example"}
    settings = {"ALLOWED_ORIGINS": [frontend["Origin"]]}
    async with daemon_with({"role": "coder", "reply": "x"}, **settings) as (_, http):
        assert (await http.get("/runs", headers=frontend)).status_code == 200
        for path in ("/dashboard", "/dashboard/events", f"/dashboard/runs/{ID}.json"):
            answer = await http.get(path, headers=frontend)
            assert answer.json()["error"]["code"] == "forbidden_origin"
        own = {"Origin": str(http.base_url).rstrip("/")}
        assert (await http.get("/dashboard", headers=own)).status_code == 200


async def test_a_run_runs_again_in_its_mode_or_another(daemon_with):
    """The same tags and session; in another mode without its tags, and a tag that was text stays
    text."""
    async with daemon_with({"role": "coder", "reply": "x"}) as (daemon, http):
        body = {"prompt": "///raw \\///wow", "session": "s"}
        first = (await http.post("/prompt", json=body)).headers["x-laios-run-id"]
        page = await _page(http, f"/dashboard/runs/{first}")
        form = next(form for form in page.all("form") if "data-again" in form.attributes)
        assert {option["value"] for option in form.all("option")} >= {"code_raw", "review_only"}
        hidden = {field["name"]: field["value"] for field in form.all("input", type="hidden")}
        made = []
        for mode in ("code_raw", "code_raw_ctx"):
            answer = await http.post(form["action"], data=hidden | {"mode": mode})
            assert answer.status_code == 303
            made.append(answer.headers["location"].rpartition("/")[2])
            while daemon.parts.scheduler.get(made[-1]):
                await asyncio.sleep(0.02)
        same, other = (daemon.parts.reader.get(id) for id in made)
        assert (same["mode"], same["original_prompt"], same["session"]) == (
            "code_raw", body["prompt"], "s"
        )  # fmt: skip
        assert (other["mode"], other["normalized_prompt"]) == (
            "code_raw_ctx", same["normalized_prompt"]
        )  # fmt: skip


async def test_what_was_no_tag_is_none_when_it_runs_again(daemon_with):
    """In its own mode or another, at the head and in the last line of a literal prompt."""
    async with daemon_with({"role": "coder", "reply": "x"}) as (daemon, http):
        body = {"prompt": "///best is a comment.\n///files", "mode": "raw", "literal": True}
        first = (await http.post("/prompt", json=body)).headers["x-laios-run-id"]
        page = await _page(http, f"/dashboard/runs/{first}")
        form = next(form for form in page.all("form") if "data-again" in form.attributes)
        hidden = {field["name"]: field["value"] for field in form.all("input", type="hidden")}
        for mode in ("code_raw", "code_raw_ctx"):
            answer = await http.post(form["action"], data=hidden | {"mode": mode})
            assert answer.status_code == 303
            id = answer.headers["location"].rpartition("/")[2]
            while daemon.parts.scheduler.get(id):
                await asyncio.sleep(0.02)
            record = daemon.parts.reader.get(id)
            assert (record["mode"], record["normalized_prompt"]) == (mode, body["prompt"])


async def test_a_request_with_more_than_its_prompt_does_not_run_again(daemon_with):
    """Of a repair the prompt says what is wrong, and not of which code, and of a chat it is the
    last turn; new code in Python is asked for by its prompt alone."""
    rules = [CLEAR, {"role": "coder", "reply": "def f():\n    return 1\n"}, GOOD, EXPLAINED]
    talk = [("user", "add two numbers"), ("assistant", "x = 1"), ("user", "now in Rust")]
    turns = [{"role": role, "content": text} for role, text in talk]
    chat, code = "/v1/chat/completions", "/code"
    async with daemon_with(*rules) as (_, http):
        for path, body, may in (
            (code, asked(), True),
            (code, asked(request_type="debug", code="x = (1"), False),
            (chat, {"messages": turns[:1]}, True),
            (chat, {"messages": turns}, False),
        ):
            answer = await http.post(path, json=body)
            id = answer.headers["x-laios-run-id"]
            forms = (await _page(http, f"/dashboard/runs/{id}")).all("form")
            assert any("data-again" in form.attributes for form in forms) is may
            rated = next(each for each in forms if "rating" in each.attributes.get("class", ""))
            hidden = {each["name"]: each["value"] for each in rated.all("input", type="hidden")}
            hidden["mode"] = "code_reviewed"
            again = await http.post(f"/dashboard/runs/{id}/again", data=hidden)
            assert again.status_code == (303 if may else 409)
            assert may or "more than its prompt" in again.text


async def test_a_history_alone_runs_nothing(tmp_path):
    """There is no form for it, and no address either."""
    async with site(tmp_path / "history", judged(ID)) as served:
        page = await served.page(f"/dashboard/runs/{ID}")
        assert not [form for form in page.all("form") if "data-again" in form.attributes]
        form = page.one("form", "themes")
        form.attributes["action"] = f"/dashboard/runs/{ID}/again"
        assert (await served.send(form)).status_code == 404


async def _page(http, path):
    return pages.read((await http.get(path)).text)


# --- signing in ----------------------------------------------------------------------------------

TOKEN = "correct horse battery"
HTML = {"Accept": "text/html,*/*"}


async def test_a_token_opens_the_pages_by_a_cookie(tmp_path):
    """A stranger is led to the login page and back; the cookie is HttpOnly and Strict."""
    async with site(tmp_path / "history", judged(ID), API_TOKEN=TOKEN) as served:
        answer = await served.http.get("/dashboard?q=mode:raw", headers=HTML)
        assert answer.status_code == 303
        login = await served.page(answer.headers["location"])
        form = login.one("form", "login")
        answer = await served.send(form, token="wrong")
        assert answer.status_code == 401 and "Wrong token" in answer.text
        answer = await served.send(form, token=TOKEN)
        assert unquote_plus(answer.headers["location"]) == "/dashboard?q=mode:raw"
        cookie = answer.headers["set-cookie"]
        assert "HttpOnly" in cookie and "SameSite=strict" in cookie and "Path=/dashboard" in cookie
        assert TOKEN not in unquote_plus(cookie)
        page = await served.page("/dashboard")
        assert ids(page) == [ID]
        out = next(form for form in page.all("form") if form["action"] == "/dashboard/logout")
        await served.send(out)
        assert (await served.http.get("/dashboard", headers=HTML)).status_code == 303


async def test_a_session_opens_the_pages_alone(daemon_with):
    """The API asks for the token itself, events and texts ask for one of both."""
    async with daemon_with({"role": "coder", "reply": "x"}, API_TOKEN=TOKEN) as (_, http):
        form = (await _page(http, "/dashboard/login")).one("form", "login")
        hidden = {field["name"]: field["value"] for field in form.all("input", type="hidden")}
        for path in ("/dashboard/events", f"/dashboard/runs/{ID}.json", "/dashboard/numbers"):
            assert (await http.get(path)).json()["error"]["code"] == "unauthorized"
        await http.post("/dashboard/login", data=hidden | {"token": TOKEN})
        assert (await http.get("/dashboard/numbers")).status_code == 200
        assert (await http.post("/prompt", json={"prompt": "x"})).status_code == 401
        http.cookies.clear()
        bearer = {"Authorization": f"Bearer {TOKEN}"}
        assert (await http.get("/dashboard/numbers", headers=bearer)).status_code == 200


async def test_a_form_belongs_to_the_session_that_it_was_made_for(tmp_path):
    """Another session's CSRF token does not count."""
    async with site(tmp_path / "history", judged(ID), API_TOKEN=TOKEN) as served:
        form = (await served.page("/dashboard/login")).one("form", "login")
        await served.send(form, token=TOKEN)
        answer = await served.send(form, token=TOKEN)
        assert answer.status_code == 403


@pytest.mark.parametrize(
    ("path", "page"),
    [
        (f"/dashboard/runs/{ID}/rating", f"/dashboard/runs/{ID}"),
        ("/dashboard/runs/a%2Fb%3Fc/again", "/dashboard/runs/a/b%3Fc"),
        ("/dashboard/theme", "/dashboard"),
    ],
)
async def test_a_form_of_an_ended_session_leads_over_the_login_to_its_page(tmp_path, path, page):
    """Nothing is done; a script is told in JSON."""
    async with site(tmp_path / "history", judged(ID), API_TOKEN=TOKEN) as served:
        answer = await served.http.post(path, data={"rating": "up"}, headers=HTML)
        assert answer.status_code == 303
        login = await served.page(answer.headers["location"])
        answer = await served.send(login.one("form", "login"), token=TOKEN)
        assert answer.headers["location"] == page
        served.http.cookies.clear()
        answer = await served.http.post(path, data={"rating": "up"})
        assert answer.json()["error"]["code"] == "unauthorized"


async def test_a_link_from_elsewhere_opens_a_page_and_nothing_more(tmp_path):
    """Who comes by one is let in at the second attempt, which comes from here."""
    elsewhere = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    async with site(tmp_path / "history", judged(ID), API_TOKEN=TOKEN) as served:
        headers = HTML | elsewhere | {"Sec-Fetch-Dest": "document"}
        answer = await served.http.get('/dashboard?q="><script>', headers=headers)
        assert answer.status_code == 200
        assert 'http-equiv="refresh"' in answer.text and "<script" not in answer.text
        for dest in ("iframe", "image", "empty"):
            answer = await served.http.get(
                "/dashboard", headers=HTML | elsewhere | {"Sec-Fetch-Dest": dest}
            )
            assert answer.json()["error"]["code"] == "forbidden_origin"


# --- the command ---------------------------------------------------------------------------------


async def test_the_command_serves_any_history_until_it_is_stopped(tmp_path):
    """It says where, without a daemon; and ends in order."""
    write_file(tmp_path / "h", 1, judged(ID))
    words = [cli.LAIOS, "dashboard", "--history", str(tmp_path / "h"), "--port", "0"]
    process = await asyncio.create_subprocess_exec(*words, stdout=PIPE, stderr=PIPE)
    address = (await process.stdout.readline()).decode().strip()
    async with httpx.AsyncClient(timeout=30) as http:
        assert (await http.get(address.removesuffix("/dashboard"))).headers["location"]
        while not (found := ids(pages.read((await http.get(address)).text))):
            await asyncio.sleep(0.05)  # its index is being made
        assert found == [ID]
    process.send_signal(signal.SIGINT)
    _, said = await process.communicate()
    assert process.returncode == 0 and b"Traceback" not in said
    assert b"until Ctrl-C" in said


def test_what_is_opened_has_its_page_while_the_command_waits_for_it(tmp_path):
    """A browser in the terminal ends only when its reader does."""
    browser, page = tmp_path / "browser.py", tmp_path / "page"
    browser.write_text(
        "import sys, urllib.request\n"
        "page = urllib.request.urlopen(sys.argv[1], timeout=30).read()\n"
        f"open({str(page)!r}, 'wb').write(page)\n"
    )
    write_file(tmp_path / "h", 1, judged(ID))
    words = [cli.LAIOS, "dashboard", "--history", str(tmp_path / "h"), "--port", "0", "--open"]
    env = {**os.environ, "BROWSER": f"{sys.executable} {browser} %s"}
    process = subprocess.Popen(words, env=env, stdout=PIPE, stderr=PIPE)
    try:
        wait_for(lambda: page.exists() and b"</html>" in page.read_bytes())
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
    assert process.returncode == 0


async def test_the_command_names_a_running_daemon_s_pages(daemon_with):
    """There is nothing to serve then."""
    async with daemon_with() as (daemon, _):
        port = str(daemon.settings.PORT)
        done = await asyncio.to_thread(laios, "dashboard", LAIOS_PORT=port)
        assert (done.returncode, done.stdout) == (0, f"{daemon.address}/dashboard\n")


def test_the_command_refuses_what_is_no_directory(tmp_path):
    """A mistyped path is no empty history."""
    done = invoke("dashboard", "--history", str(tmp_path / "nowhere"))
    assert done.returncode == 2 and "nowhere" in done.stderr
