"""`GET /metrics` and the log."""

import asyncio
import io
import json
import logging

import pytest
from prometheus_client.parser import text_string_to_metric_families

from pipeline.run import RUN_ID
from server.runtime.logs import formatter

CODE = "def add(a, b):\n    return a + b\n"


async def samples(http):
    """Every sample as {(name, labels): value}."""
    answer = await http.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


async def test_metrics_count_what_happened(daemon_with):
    """Runs by mode and outcome, escalations by reason, stages, tokens, queue, history."""
    rules = [
        {"role": "coder", "prompt": "^broken$", "reply": "def f(:"},
        {"role": "coder", "prompt": "^fails$", "fault": "failed"},
        {"role": "coder", "reply": CODE},
        {"role": "judge", "prompt": "low", "verdict": [2, 1, ""]},
        {"role": "judge", "prompt": "torn", "verdict": [9, 9, ""]},
        {"role": "judge", "prompt": "prose", "reply": "fine!"},
        {"role": "judge", "verdict": [9, 1, ""]},
        {"role": "reviewer", "reply": CODE},
    ]
    async with daemon_with(*rules) as (_, http):
        for prompt in ("good", "low", "torn", "prose", "broken", "fails", "///raw good"):
            await http.post("/prompt", json={"prompt": prompt})
        found = await samples(http)

    def value(name, **labels):
        return found[f"laios_{name}", tuple(sorted(labels.items()))]

    assert value("runs_total", mode="code_reviewed", outcome="ok") == 5
    assert value("runs_total", mode="code_reviewed", outcome="model_failed") == 1
    assert value("runs_total", mode="code_raw", outcome="ok") == 1
    for reason in ("confidence", "conflict", "judge", "evidence"):
        assert value("escalations_total", reason=reason) == 1
    [model] = {dict(labels)["model"] for name, labels in found if name == "laios_tokens_total"}
    assert value("tokens_total", model=model, kind="output") > 0
    assert value("stage_seconds_count", stage="reviewer", model=model) == 4
    assert value("run_seconds_count", mode="code_raw") == 1
    assert value("queue_wait_seconds_count") == 7
    assert value("queued_runs") == value("running_runs") == 0
    assert value("history_ok") == 1 and value("history_written_records") == 7


async def test_metrics_show_the_queue_of_this_moment(daemon_with):
    """Gauges are read at the scrape."""
    slow = {"reply": "x", "delay_ms": 60_000}
    async with daemon_with(slow, MAX_CONCURRENT_RUNS=1) as (daemon, http):
        posts = [asyncio.create_task(http.post("/prompt", json={"prompt": "x"})) for _ in range(3)]
        async with asyncio.timeout(10):
            while len(daemon.parts.scheduler.queue) < 2:
                await asyncio.sleep(0.01)
        found = await samples(http)
        assert (found["laios_running_runs", ()], found["laios_queued_runs", ()]) == (1, 2)
        for run in daemon.parts.scheduler.runs():
            daemon.parts.scheduler.cancel(run.id)
        await asyncio.gather(*posts)


def render(pretty, log):
    """What `log(logger)` writes."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(formatter(pretty=pretty))
    logger = logging.getLogger("laios.test")
    logger.propagate = False
    logger.handlers = [handler]
    logger.setLevel(logging.INFO)
    log(logger)
    return stream.getvalue()


def hostile(log):
    token = RUN_ID.set("01ARZ3NDEKTSV4RRFFQ69G5FAV")
    try:
        raise ValueError("first\nsecond \x1b[31m \u2028 third")
    except ValueError:
        log.exception("it\nbroke", extra={"model": "evil\x1b]0;x\x07\r\nname"})
    finally:
        RUN_ID.reset(token)


@pytest.mark.parametrize("pretty", [True, False])
def test_one_event_is_one_line_and_nothing_in_it_is_obeyed(pretty):
    """Line ends and terminal controls from outside are escaped, in values and traces."""
    line = render(pretty, hostile)
    assert line.count("\n") == 1 and line.endswith("\n")
    assert "\x1b]0" not in line and "\x07" not in line and "\u2028" not in line
    assert "01ARZ3NDEKTSV4RRFFQ69G5FAV" in line


def test_beyond_a_terminal_a_line_is_json_with_the_run_s_id():
    """For journald and friends."""
    event = json.loads(render(False, hostile))
    assert event["event"] == "it\\nbroke"
    assert event["run"] == "01ARZ3NDEKTSV4RRFFQ69G5FAV"
    assert event["level"] == "error" and event["logger"] == "laios.test"
    assert "ValueError" in event["trace"]


def test_a_name_that_is_no_valid_unicode_is_logged_all_the_same():
    """A log line must not be what breaks."""
    line = render(False, lambda log: log.info("x", extra={"model": "a\ud800", "n": 1}))
    assert json.loads(line)["model"] == "a\ud800"


async def test_no_prompt_and_no_output_is_ever_logged(daemon_with, caplog):
    """Whatever happens to a run, at any level."""
    caplog.set_level(logging.DEBUG)
    secret = "swordfish"
    rules = [
        {"role": "coder", "prompt": "fails", "fault": "failed"},
        {"role": "coder", "reply": f"{secret} = 1"},
        {"role": "judge", "reply": secret},
        {"role": "reviewer", "fault": "failed"},
    ]
    async with daemon_with(*rules, API_TOKEN="hunter2hunter2") as (_, http):
        headers = {"Authorization": "Bearer hunter2hunter2"}
        for prompt in (f"{secret}", f"{secret} fails", f"///{secret} x", ""):
            await http.post("/prompt", json={"prompt": prompt}, headers=headers)
    ours = [r for r in caplog.records if r.name.startswith(("laios", "pipeline", "server"))]
    text = "\n".join(f"{record.getMessage()} {record.__dict__}" for record in ours)
    assert "run finished" in text
    assert secret not in text and "hunter2" not in text
