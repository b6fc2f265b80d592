"""Every error code of the native API, over a real socket, with its exact body."""

import asyncio

import pytest

from pipeline.review.coder import write_prompt
from pipeline.sandbox.bwrap_errors import INSTALL
from pipeline.task import Task
from pipeline.tokens import estimate_messages
from server.http.errors import STATUS

CODE = "def add(a, b):\n    return a + b\n"
RULES = [{"role": "coder", "reply": CODE}, {"role": "judge", "verdict": [9, 1, "It is right."]}]
CODER_FAULT = {"role": "coder", "reply": "x"}
JSON = {"Content-Type": "application/json"}


def post(content, **headers):
    return {"method": "POST", "url": "/prompt", "content": content, "headers": {**JSON, **headers}}


def get(url, **headers):
    return {"method": "GET", "url": url, "headers": headers}


REFUSALS = {
    "bad_request": (
        post('{"prompt": 1}'),
        'The field "prompt" must be a string.',
    ),
    "empty_prompt": (
        post('{"prompt": "///raw"}'),
        "The prompt is empty. Say what the code should do.",
    ),
    "unknown_tag": (
        post('{"prompt": "///rav x"}'),
        "There is no tag ///rav. Did you mean ///raw? Tags: ///ctx, ///continue, ///raw, "
        "///review-only, ///best, ///test, ///secure, ///files, ///plan, ///refine, ///ask. To "
        "send it as text, write \\///rav.",
    ),
    "conflicting_tags": (
        post('{"prompt": "///raw ///review-only x"}'),
        "///raw and ///review-only name different modes. Keep one of them.",
    ),
    "unknown_mode": (
        post('{"prompt": "x", "mode": "rav"}'),
        "There is no mode 'rav'. Did you mean 'raw'? Modes: code_reviewed, ctx, raw, raw_ctx, "
        "review-only, best, best_ctx, test, test_ctx, secure, secure_ctx, files, files_ctx, plan, "
        "refine, refine_ctx, ask.",
    ),
    "forbidden_host": (
        get("/runs", Host="evil.example"),
        "The Host header does not name this daemon. Use its own address, or add the name to "
        "ALLOWED_HOSTS.",
    ),
    "forbidden_origin": (
        get("/runs", Origin="https://evil.example"),
        "This web page may not call laios. Add its origin to ALLOWED_ORIGINS if you trust it; "
        "the dashboard only answers its own pages.",
    ),
    "not_found": (get("/nothing"), "There is nothing at /nothing."),
    "method_not_allowed": (get("/prompt"), "GET does not work on /prompt. Use POST."),
    "payload_too_large": (
        post(b" " * 2049),
        "The body is larger than 2048 bytes (MAX_BODY_BYTES).",
    ),
    "unsupported_media_type": (
        post("x", **{"Content-Type": "text/plain"}),
        "Send `Content-Type: application/json`.",
    ),
}


@pytest.mark.parametrize("code", REFUSALS)
async def test_a_request_that_is_refused_at_the_door(daemon_with, code):
    """Nothing is run, and the body is this and nothing else."""
    request, message = REFUSALS[code]
    async with daemon_with(*RULES, MAX_BODY_BYTES=2048) as (_, http):
        answer = await http.request(**request)
    assert answer.status_code == STATUS[code]
    assert answer.json() == {"error": {"code": code, "message": message}}


async def test_unauthorized(daemon_with):
    """Without the token, or with another."""
    async with daemon_with(*RULES, API_TOKEN="correct horse") as (_, http):
        answer = await http.get("/runs")
    message = "Send the daemon's API_TOKEN as `Authorization: Bearer <token>`."
    assert answer.status_code == 401
    assert answer.json() == {"error": {"code": "unauthorized", "message": message}}


@pytest.mark.parametrize(
    ("rule", "settings", "code", "message"),
    [
        (
            {"fault": "cut"},
            {},
            "model_failed",
            "{model}: the stream ended before its last frame. The answer is incomplete and was not "
            "used; look into the backend's log.",
        ),
        (
            {"fault": "not_found"},
            {},
            "model_not_found",
            "{model} was told to be not_found.",
        ),
        (
            {"fault": "unreachable"},
            {},
            "model_unreachable",
            "{model} was told to be unreachable.",
        ),
        (
            {"fault": "hang"},
            {"RUN_TIMEOUT_S": 0.2},
            "model_timeout",
            "The run's 0.2 seconds are used up. Raise RUN_TIMEOUT_S, or use a faster model.",
        ),
        (
            {},
            {"MAX_CONTEXT_TOKENS": 512, "MAX_OUTPUT_TOKENS": 64},
            "context_too_long",
            "The prompt is about {tokens} tokens long, and {model} takes 512 including the answer. "
            "Shorten it, raise MAX_CONTEXT_TOKENS or use a model with a longer window. Nothing was "
            "cut.",
        ),
    ],
)
async def test_a_model_that_does_not_do_its_part(daemon_with, rule, settings, code, message):
    """The message names the model and what helps."""
    long = "x" * 2158 if code == "context_too_long" else "x"
    async with daemon_with(CODER_FAULT | rule, **settings) as (daemon, http):
        [model] = daemon.settings.CODER_MODEL_NAME
        answer = await http.post("/prompt", json={"prompt": long})
    assert answer.status_code == STATUS[code]
    tokens = estimate_messages(write_prompt(Task(long)))
    expected = message.format(model=model, tokens=tokens)
    assert answer.json() == {"error": {"code": code, "message": expected}}


async def test_busy_and_cancelled(daemon_with):
    """The queue is full; the run that waited is cancelled."""
    slow = {"role": "coder", "reply": "x", "delay_ms": 60_000}
    options = {"MAX_CONCURRENT_RUNS": 1, "MAX_QUEUED_RUNS": 0}
    async with daemon_with(slow, **options) as (daemon, http):
        first = asyncio.create_task(http.post("/prompt", json={"prompt": "x"}))
        async with asyncio.timeout(10):
            while not daemon.parts.scheduler.runs():
                await asyncio.sleep(0.01)
        busy = await http.post("/prompt", json={"prompt": "x"})
        [run] = daemon.parts.scheduler.runs()
        await http.delete(f"/runs/{run.id}")
        cancelled = await first
    message = "The queue is full: 1 running or waiting. Try again later, or raise MAX_QUEUED_RUNS."
    assert busy.status_code == 503
    assert busy.json() == {"error": {"code": "busy", "message": message}}
    assert cancelled.status_code == 409
    message = "The run was cancelled."
    assert cancelled.json() == {"error": {"code": "cancelled", "message": message}}


async def test_internal(daemon_with, monkeypatch):
    """A bug of ours: no trace, no detail."""
    async with daemon_with(*RULES) as (_, http):
        monkeypatch.setattr("server.api.prompt.read_request", lambda *a: 1 / 0)
        answer = await http.post("/prompt", json={"prompt": "x"})
    message = "Internal error in laios. The log has the details."
    assert answer.status_code == 500
    assert answer.json() == {"error": {"code": "internal", "message": message}}


async def test_no_sandbox(daemon_with, monkeypatch, tmp_path):
    """Code is never run bare; the message has the fix."""
    monkeypatch.setenv("PATH", str(tmp_path))
    async with daemon_with(*RULES) as (_, http):
        answer = await http.post("/prompt", json={"prompt": "///test add(1, 2) == 3"})
    message = f"bubblewrap (bwrap) is not installed: {INSTALL}."
    assert answer.status_code == 501
    assert answer.json() == {"error": {"code": "sandbox_unavailable", "message": message}}


def test_no_code_is_left_out():
    """What is promised in the table of codes is shown here."""
    shown = set(REFUSALS) | {"unauthorized", "busy", "cancelled", "internal", "context_too_long"}
    shown |= {"model_failed", "model_not_found", "model_unreachable", "model_timeout"}
    shown |= {"sandbox_unavailable"}
    assert shown == set(STATUS)
