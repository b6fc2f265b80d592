"""Images in a conversation: in every protocol's form, to the models that see them."""

import json
from base64 import b64encode

import pytest
from fake_openai import FakeOpenAI
from fakes import Answer, FakeOllama, Pulled
from test_agents import CHAT, MESSAGES, OLLAMA, RESPONSES, tool

from pipeline.image import read_image
from pipeline.model import Message
from pipeline.models.openai_form import messages_of
from pipeline.tool_calls import ToolCall

PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJg"
    "gg=="
)
URL = f"data:image/png;base64,{PNG}"
ASKED = "what is wrong here?"
SAID = "The button is cut off."


def openai(url=URL):
    parts = [
        {"type": "image_url", "image_url": {"url": url}},
        {"type": "text", "text": ASKED},
    ]
    return {"messages": [{"role": "user", "content": parts}]}


def responses(url=URL):
    parts = [
        {"type": "input_text", "text": ASKED},
        {"type": "input_image", "image_url": url},
    ]
    return {"input": [{"role": "user", "content": parts}]}


def ollama(data=PNG):
    return {"messages": [{"role": "user", "content": ASKED, "images": [data]}]}


def anthropic(data=PNG):
    source = {"type": "base64", "media_type": "image/jpeg", "data": data}
    parts = [{"type": "image", "source": source}, {"type": "text", "text": ASKED}]
    return {"max_tokens": 99, "messages": [{"role": "user", "content": parts}]}


FORMS = {CHAT: openai, RESPONSES: responses, OLLAMA: ollama, MESSAGES: anthropic}


@pytest.fixture
def seeing(daemon_with):
    """`async with seeing() as (fake, daemon, http):` Ollama behind it has a model with vision."""
    from contextlib import asynccontextmanager

    @asynccontextmanager
    async def make(*capabilities, **settings):
        models = (Pulled("eye", capabilities=("completion", *capabilities)),)
        with FakeOllama(Answer(SAID), models=models) as fake:
            roles = {f"{role}_MODEL_NAME": "ollama/eye" for role in ("CODER", "JUDGE", "REVIEWER")}
            options = roles | {"OLLAMA_HOST": fake.url, "MAX_DRAFTS": 1, "EVIDENCE_RUN": "off"}
            async with daemon_with(**options | settings) as (daemon, http):
                yield fake, daemon, http

    return make


async def test_an_image_reaches_the_model_from_every_protocol(seeing):
    """With tools and without, in `laios` and in `laios:raw`; the record has the words alone."""
    async with seeing("vision", "tools") as (fake, daemon, http):
        for path, form in FORMS.items():
            for model, tools in (("laios", [tool("read")]), ("laios:raw", [])):
                body = form() | {"model": model, "tools": tools, "stream": False}
                answer = await http.post(path, json=body)
                assert answer.status_code == 200 and SAID in answer.text, answer.text
                (message,) = fake.requests[-1]["messages"]
                assert (message["content"], message["images"]) == (ASKED, [PNG])
                record = daemon.parts.reader.get(answer.headers["x-laios-run-id"])
                assert record["kind"] == ("agent" if tools else "run")
                assert record["normalized_prompt"] == ASKED and PNG not in json.dumps(record)
                assert record["prompt_is_part"] is True
        generated = {"model": "laios", "prompt": ASKED, "images": [PNG], "stream": False}
        assert (await http.post("/api/generate", json=generated)).json()["response"] == SAID
        assert fake.requests[-1]["messages"][-1]["images"] == [PNG]
        shown = (await http.post("/api/show", json={"model": "laios"})).json()
        assert {"tools", "vision"} <= {*shown["capabilities"]}


def without_words(form):
    """The same request with nothing but its image."""
    (message,) = form["input" if "input" in form else "messages"]
    if isinstance(message["content"], str):
        message["content"] = ""
    else:
        message["content"] = [part for part in message["content"] if "text" not in part]
    return form


@pytest.mark.parametrize("path", FORMS)
async def test_an_image_alone_is_no_empty_prompt(seeing, path):
    """It is passed on, with a tag as well, and what it shows stands for the conversation's session;
    a text that is code is not judged, for nobody could say against what."""
    code = "```python\ndef add(a, b):\n    return a + b\n```"
    async with seeing("vision", "tools") as (fake, daemon, http):
        fake.answers = [Answer(code)]
        sessions = set()
        for model in ("laios", "laios:raw"):
            body = without_words(FORMS[path]()) | {"model": model, "stream": False}
            answer = await http.post(path, json=body)
            assert answer.status_code == 200 and "return a + b" in answer.text, answer.text
            (message,) = fake.requests[-1]["messages"]
            assert (message["content"], message["images"]) == ("", [PNG])
            record = daemon.parts.reader.get(answer.headers["x-laios-run-id"])
            assert (record["normalized_prompt"], record["judge"]) == ("", None)
            sessions.add(record["session"])
        assert len(fake.requests) == 2 and len(sessions) == 1
    async with seeing("vision") as (fake, daemon, http):
        tagged = json.loads(json.dumps(FORMS[path]()).replace(ASKED, "///raw"))
        answer = await http.post(path, json=tagged | {"model": "laios", "stream": False})
        assert fake.requests[-1]["messages"][0]["content"] == ""
        record = daemon.parts.reader.get(answer.headers["x-laios-run-id"])
        assert record["mode"] == "code_raw"


async def test_an_image_alone_is_enough_to_generate_from(seeing):
    """Also with an empty prompt; of other images another session is made."""
    other = b64encode(b"GIF89a").decode()
    body = {"model": "laios:raw", "stream": False, "prompt": ""}
    async with seeing("vision") as (fake, daemon, http):
        sessions = set()
        for image in (PNG, other):
            answer = await http.post("/api/generate", json=body | {"images": [image]})
            assert answer.json()["response"] == SAID
            assert fake.requests[-1]["messages"][-1]["images"] == [image]
            record = daemon.parts.reader.get(answer.headers["x-laios-run-id"])
            sessions.add(record["session"])
        assert len(sessions) == 2


async def test_a_generated_answer_to_an_image_knows_what_came_before(seeing):
    """`system` and the turns of `context` stand before the image, as they do before a text."""
    async with seeing("vision") as (fake, _, http):
        body = {"model": "laios:raw", "stream": False, "prompt": ASKED, "images": [PNG]}
        first = await http.post("/api/generate", json=body)
        then = {"prompt": "and now?", "system": "be short", "context": first.json()["context"]}
        answer = await http.post("/api/generate", json=body | then)
        assert answer.json()["response"] == SAID
        shown = [(each["role"], each["content"]) for each in fake.requests[-1]["messages"]]
        earlier = [("user", ASKED), ("assistant", SAID)]
        assert shown == [("system", "be short"), *earlier, ("user", "and now?")]
        assert fake.requests[-1]["messages"][-1]["images"] == [PNG]


FORM = {"type": "object", "properties": {"fault": {"type": "string"}}}
FORMATS = {
    CHAT: {"response_format": {"type": "json_schema", "json_schema": {"schema": FORM}}},
    RESPONSES: {"text": {"format": {"type": "json_schema", "name": "x", "schema": FORM}}},
    OLLAMA: {"format": FORM, "stream": False},
    MESSAGES: {"output_config": {"format": {"type": "json_schema", "schema": FORM}}},
}


async def test_what_is_seen_may_be_told_in_a_form(seeing):
    """The image goes along, the model is held to the form, and its text comes back as it is."""
    async with seeing("vision") as (fake, _, http):
        for path, form in FORMS.items():
            fake.answers = [Answer('{"fault": "none"}')]
            answer = await http.post(path, json=form() | {"model": "laios"} | FORMATS[path])
            assert answer.status_code == 200, answer.text
            assert json.dumps('{"fault": "none"}') in answer.text
            assert fake.requests[-1]["format"] == FORM
            assert any("images" in message for message in fake.requests[-1]["messages"])
        refused = await http.post(CHAT, json=openai() | {"model": "laios:test"} | FORMATS[CHAT])
        assert refused.status_code == 400 and "Only laios and laios:raw take images" in refused.text


async def test_a_model_that_sees_none_is_a_typed_error(seeing):
    """In each protocol's own form, naming one that does; where it stands in an earlier turn, a mark
    is left."""
    async with seeing("tools") as (fake, _, http):
        for path, form in FORMS.items():
            answer = await http.post(path, json=form() | {"model": "laios", "stream": False})
            assert answer.status_code in (404, 502), answer.text
            assert "ollama/eye cannot see images. Set CODER_MODEL_NAME" in answer.text
        alone = openai()
        alone["messages"][0]["content"].pop()  # its words: what is left is no empty prompt
        assert "cannot see images" in (await http.post(CHAT, json=alone)).text
        assert not fake.requests
        later = [{"role": "assistant", "content": "x"}, {"role": "user", "content": "go on"}]
        body = {"model": "laios", "messages": [*openai()["messages"], *later]}
        answer = await http.post(CHAT, json=body | {"tools": [tool("read")]})
        assert answer.status_code == 200
        assert fake.requests[-1]["messages"][0]["content"].startswith("[image_url left out]")


@pytest.mark.parametrize("bad", ["AAAA", "http://127.0.0.1:9/x.png", "data:text/html,<b>", "", 7])
async def test_what_is_no_image_is_refused(seeing, bad):
    """Nothing is fetched, and nothing is passed on under a false name."""
    async with seeing("vision", "tools") as (fake, _, http):
        for path, form in FORMS.items():
            answer = await http.post(path, json=form(bad) | {"model": "laios", "stream": False})
            assert answer.status_code == 400 and "cannot be read" in answer.text, answer.text
        assert not fake.requests


async def test_modes_that_read_text_say_so(seeing):
    """And JSON that has to fit a schema is no conversation."""
    async with seeing("vision") as (_, _, http):
        answer = await http.post(CHAT, json=openai() | {"model": "laios:best"})
        assert answer.status_code == 400 and "Only laios and laios:raw take images" in answer.text


@pytest.mark.parametrize(("form", "kind"), [(b"WEBP", "image/webp"), (b"WAVE", None)])
def test_a_picture_is_known_by_its_first_bytes(form, kind):
    """RIFF files are pictures where they say so."""
    image = read_image(b64encode(b"RIFF\x0a\x00\x00\x00" + form).decode())
    assert (image and image.media_type) == kind


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_picture_in_lines_is_one_without(end):
    """As Python's `encodebytes` and MIME write it; backends are given one line."""
    image = read_image(end.join((PNG[:40], PNG[40:], "")))
    assert image and image.data == PNG


def test_a_tool_s_picture_stands_behind_all_results():
    """In the form of OpenAI a result is a text, and results stand together."""
    image = read_image(PNG)
    assert image
    call = ToolCall("c1", "view_image", "{}")
    talk: list[Message] = [
        {"role": "assistant", "content": "", "calls": [call]},
        {"role": "tool", "content": "", "result_of": call, "images": [image]},
        {"role": "tool", "content": "x", "result_of": call},
        {"role": "user", "content": "so?", "images": [image]},
    ]
    _, first, second, shown, asked = messages_of(talk)
    assert (first["role"], second["role"], shown["role"]) == ("tool", "tool", "user")
    picture = {"type": "image_url", "image_url": {"url": URL}}
    assert shown["content"][1:] == [picture] and first["content"] == ""
    assert asked["content"] == [{"type": "text", "text": "so?"}, picture]


@pytest.mark.xdist_group("litellm")
@pytest.mark.only_when("pipeline/models/", "server/protocols/")
@pytest.mark.filterwarnings("ignore")
async def test_litellm_is_given_images_in_openai_s_form(daemon_with, monkeypatch):
    """Whether a model behind it sees, nobody says: it is asked."""
    pytest.importorskip("litellm")
    with FakeOpenAI(Answer(SAID)) as fake:
        monkeypatch.setenv("HOSTED_VLLM_API_BASE", f"{fake.url}/v1")
        roles = {f"{role}_MODEL_NAME": "hosted_vllm/x" for role in ("CODER", "JUDGE", "REVIEWER")}
        async with daemon_with(**roles) as (_, http):
            answer = await http.post(CHAT, json=openai() | {"model": "laios:raw"})
            assert answer.status_code == 200 and SAID in answer.text, answer.text
        _, picture = fake.requests[-1]["messages"][-1]["content"]
        assert picture["image_url"]["url"] == URL
