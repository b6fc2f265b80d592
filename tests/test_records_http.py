"""`GET /history`, and `POST /prompt` as a stream, over a real socket."""

import asyncio
import json

import pytest
from projects import BOTH, CORE, GOOD, TWO
from test_server import CODE, RULES, SLOW

from config import cache_dir
from laios import types
from pipeline.request import new_id


async def told(http, body):
    """The events of a streamed prompt: names and data."""
    async with http.stream("POST", "/prompt", json=body) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        lines = [line async for line in answer.aiter_lines()]
    data = [line.removeprefix("data: ") for line in lines if line.startswith("data: ")]
    return [json.loads(each) for each in data]


async def test_a_streamed_prompt_tells_stages_text_and_the_answer(daemon_with):
    """The models' text from its first piece on; the last event has what else the answer would."""
    async with daemon_with(*RULES) as (_, http):
        events = await told(http, {"prompt": "add", "stream": True})
        assert events[-1] == {"event": "answer", "output": CODE}
        coder = [e["text"] for e in events if e["event"] == "delta" and e["stage"] == "coder"]
        assert "".join(coder) == CODE
        assert {"started", "step", "done"} <= {event["event"] for event in events}
        known = (await told(http, {"prompt": "add", "stream": True, "details": True}))[-1]
        assert known["details"]["passed"] is True


async def test_a_streamed_run_that_fails_ends_with_its_error(daemon_with):
    """As an event: the status was sent long before."""
    async with daemon_with({"role": "coder", "fault": "failed"}) as (_, http):
        last = (await told(http, {"prompt": "///raw add", "stream": True}))[-1]
        assert (last["event"], last["error"]["code"]) == ("error", "model_failed")
        refused = await http.post("/prompt", json={"prompt": " ", "stream": True})
        assert refused.status_code == 400


async def test_a_reader_who_goes_away_cancels_the_streamed_run(daemon_with):
    """The run is on record as cancelled."""
    async with daemon_with(*SLOW) as (daemon, http):
        async with http.stream("POST", "/prompt", json={"prompt": "add", "stream": True}) as answer:
            run_id = answer.headers["x-laios-run-id"]
            assert (await anext(answer.aiter_lines())).startswith("event:")
        while not (record := daemon.parts.reader.get(run_id)):
            await asyncio.sleep(0.01)
        assert record["error"]["code"] == "cancelled"


async def test_the_history_is_searched_paged_and_read(daemon_with):
    """Newest first; words, session, mode and time narrow it; pages follow each other."""
    async with daemon_with(*RULES) as (_, http):
        for word in ("alpha", "beta", "gamma"):
            session = {"session": "one"} if word == "beta" else {}
            await http.post("/prompt", json={"prompt": f"///raw {word}", **session})
        await http.post("/prompt", json={"prompt": "alpha again"})

        async def prompts(**query):
            found = (await http.get("/history", params=query)).json()["records"]
            return [types.Record.model_validate(each).normalized_prompt for each in found]

        assert await prompts() == ["alpha again", "gamma", "beta", "alpha"]
        assert await prompts(q="alpha") == ["alpha again", "alpha"]
        assert await prompts(q="alpha", mode="raw", limit=1) == ["alpha"]
        assert await prompts(session="one") == ["beta"]
        assert await prompts(q="-mode:raw") == ["alpha again"]
        assert await prompts(q="mode:raw since:1h", limit=2) == ["gamma", "beta"]
        rated = (await http.get("/history?q=beta")).json()["records"][0]["id"]
        await http.post(f"/runs/{rated}/rating", json={"rating": "up"})
        assert await prompts(q="rating:up") == ["beta"] != await prompts(q="rating:down")
        assert await prompts(since="2099-01-01") == []
        newest = (await http.get("/history?limit=2")).json()["records"]
        assert await prompts(before=newest[-1]["id"]) == ["beta", "alpha"]
        assert await prompts(before=new_id()) == []
        one = await http.get(f"/history/{newest[0]['id']}")
        assert one.json() == newest[0]
        assert (await http.get("/history/nothing")).status_code == 404


async def test_the_history_is_filtered_by_the_mode_of_a_route_of_its_own(daemon_with):
    """Which no prompt can be sent in."""
    async with daemon_with(*RULES) as (_, http):
        await http.post("/prompt", json={"prompt": "///raw alpha"})
        await http.post("/judge", json={"request": "Write add(a, b).", "code": CODE})
        (found,) = (await http.get("/history?mode=code_judged")).json()["records"]
        assert found["mode"] == "code_judged"
        assert (await http.get("/history?mode=code_structured")).json()["records"] == []
        refused = await http.post("/prompt", json={"prompt": "x", "mode": "code_judged"})
        assert refused.json()["error"]["code"] == "unknown_mode"


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("limit=0", '"limit" must be a whole number from 1 to 200.'),
        ("limit=x", '"limit" must be a whole number from 1 to 200.'),
        ("limit=1&limit=2", '"limit" is given twice. Send it once.'),
        ("since=soon", '"since" must be an ISO 8601 date or time, such as 2026-11-20.'),
        ("mode=rav", "There is no mode 'rav'. Did you mean 'raw'?"),
        ("mode=", '"mode" is empty. Leave it out, or give it a value.'),
        ("session=&q=a", '"session" is empty. Leave it out, or give it a value.'),
        ("words=x", "Unknown parameter 'words'. Parameters: q, session, mode, since, before,"),
        ("q=rating:good", "rating can be up, down, yes or no, not 'good'."),
        ("q=a&before=x", '"before" pages through all runs and cannot be combined with a filter.'),
        ("before=foo", '"before" must be the `id` of a run on record.'),
        ("before=", '"before" is empty. Leave it out, or give it a value.'),
    ],
)
async def test_a_bad_question_is_refused(daemon_with, query, said):
    """The one error shape, with what is wrong; nothing is guessed of what is empty or said
    twice."""
    async with daemon_with(*RULES) as (_, http):
        answer = await http.get(f"/history?{query}")
        assert answer.status_code == 400 and said in answer.json()["error"]["message"]
        assert (await http.get("/history?q=")).status_code == 200


async def test_an_index_that_cannot_be_kept_is_told(daemon_with):
    """A full disk, a cache that is none: it is no mistake of laios', and the runs are listed."""
    cache_dir().parent.mkdir(parents=True)
    cache_dir().write_text("")
    async with daemon_with(*RULES) as (_, http):
        await http.post("/prompt", json={"prompt": "///raw alpha"})
        answer = await http.get("/history?q=alpha")
        assert (answer.status_code, answer.json()["error"]["code"]) == (500, "internal")
        assert "index of the history cannot be used" in answer.json()["error"]["message"]
        assert len((await http.get("/history")).json()["records"]) == 1


async def test_a_project_can_come_as_json(daemon_with):
    """Files with type and content, what it depends on, how it is set up."""
    async with daemon_with(TWO, *BOTH, GOOD) as (_, http):
        asked = {"prompt": "///files a calculator", "format": "json"}
        output = (await http.post("/prompt", json=asked)).json()["output"]
    project = types.ProjectFiles.model_validate_json(output)
    assert [(file.path, file.type) for file in project.files] == [
        ("core.py", "source"),
        ("cli.py", "source"),
    ]
    assert project.files[0].content == CORE
    assert (project.setup_instructions, project.missing) == ("python cli.py", [])
