"""What becomes of an agent's instructions, 13 kB of them: read once a session, by no judge and no
reviewer."""

import json

import pytest
from fakes import Answer, FakeOllama, Pulled
from ggufs import TOOL_TEMPLATE, with_template, with_window
from recorded import record_of
from test_agents import CHAT, GOOD, MESSAGES, OLLAMA, RESPONSES, ask, message_of
from test_agents_hostile import ASKED, body

from pipeline.models.starter import DIRECTORY
from tools.bench.agent_session import FILE, KB, PROTOCOLS, instructions

RULES = instructions(KB)


@pytest.fixture
def long_window(tmp_path):
    """The starter's weights in a file whose template has tools and whose window holds 13 kB."""
    path = tmp_path / "m.gguf"
    weights = with_template((DIRECTORY / "coder.gguf").read_bytes(), TOOL_TEMPLATE)
    path.write_bytes(with_window(weights, 16384))
    return f"local/{path}"


@pytest.mark.only_when("pipeline/models/", "pipeline/agents/", "server/protocols/")
@pytest.mark.timeout(300)
@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_they_are_read_once_a_session(daemon_with, long_window, protocol):
    """By the embedded engine: each turn's prompt is in its cache but for what is new (a tool's
    result, too), although another agent's request came in between; and a second session has the
    instructions and the tools from there."""
    make = PROTOCOLS[protocol]
    few = {"model": "laios:raw", "max_tokens": 8, "temperature": 0}
    async with daemon_with({"reply": "x"}, CODER_MODEL_NAME=long_window) as (daemon, http):

        async def turn(talk):
            answer = await http.post(talk.path, json=talk.body() | few, timeout=300)
            assert answer.status_code == 200, answer.text
            talk.heard(answer.json())
            (step,) = record_of(daemon, answer)["steps"]
            return step["prompt_tokens"], step["cached_tokens"]

        one, two = make(RULES), make(RULES)
        one.says("add two numbers")
        first, cached = await turn(one)
        assert not cached and first > 2000
        assert message_of(await http.post(CHAT, json=ask() | few, timeout=300))
        one.says("subtract them")
        second, cached = await turn(one)
        assert second > cached >= first
        one.says("look into one.py")
        one.reads("/home/me/one.py", FILE)
        third, cached = await turn(one)
        assert third > cached >= second
        two.says("multiply them")
        assert (await turn(two))[1] > first * 0.9


def with_rules(path, said):
    """The protocol's own place for instructions, beside a request of the person."""
    given = body(path) | {"input" if path == RESPONSES else "messages": [ASKED | {"content": said}]}
    if path == RESPONSES:
        return given | {"instructions": RULES}
    if path == MESSAGES:
        return given | {"system": RULES}
    return given | {"messages": [{"role": "system", "content": RULES}, *given["messages"]]}


ROLES = ("coder", "judge", "reviewer")
ANSWER = f"```python\n{GOOD}```"
REJECTS = {"confidence_score": 2, "conflict_score": 9, "judgement_summary": "It is wrong."}
WRITES = {"name": "write", "arguments": {"path": "calc.py", "content": GOOD}}


@pytest.fixture
def fake():
    """A model for each role; the judge rejects, and one file is written."""
    answers = [
        Answer(json.dumps(REJECTS), model="judge", structured=True),
        Answer("", calls=[WRITES], prompt="write it", times=1),
        Answer(ANSWER),
    ]
    with FakeOllama(*answers, models=tuple(map(Pulled, ROLES))) as server:
        yield server


def sent_to(fake, role):
    """All that the role's model was sent since the last time."""
    said = [json.dumps(each) for each in fake.requests if each["model"].startswith(role)]
    return "\n".join(said)


@pytest.mark.parametrize(
    ("model", "said"), [("laios", "look"), ("laios", "write it"), ("laios:ctx", "look")]
)
async def test_no_judge_and_no_reviewer_is_sent_them(daemon_with, fake, model, said):
    """In all four protocols, as Ollama gets the calls: not a line of them, be it that the answer is
    judged and reviewed, that a file that it writes is judged, or that the mode takes no tools. The
    coder has them whole."""
    settings = {f"{role.upper()}_MODEL_NAME": f"ollama/{role}" for role in ROLES}
    settings |= {"OLLAMA_HOST": fake.url, "MAX_DRAFTS": 1, "EVIDENCE_RUN": "off"}
    settings |= {"JUDGE_WHEN": "always", "AGENT_REVIEW": "judge"}
    async with daemon_with(**settings) as (_, http):
        for path in (CHAT, RESPONSES, MESSAGES, OLLAMA):
            fake.requests.clear()
            for answer in fake.answers:
                answer.used = 0
            answer = await http.post(path, json=with_rules(path, said) | {"model": model})
            assert answer.status_code == 200, answer.text
            assert all(line in sent_to(fake, "coder") for line in RULES.splitlines())
            others = sent_to(fake, "judge") + sent_to(fake, "reviewer")
            assert others and not any(line in others for line in RULES.splitlines())
