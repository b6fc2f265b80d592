import ast
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from config import load_settings
from pipeline.errors import RoleNotPlayed
from pipeline.exchange import Exchange
from pipeline.model import Call, Delta, End, Frame, Message
from pipeline.models.local import Engine
from pipeline.models.starter import PROFILE, STARTER, StarterModel
from pipeline.review.verdict import VERDICT_SCHEMA, read_verdict
from pipeline.task import Task
from tests.conftest import ROLES_IN_CAPITALS, Pipeline

REQUEST = "Write a function that returns the sum of a list of numbers."
GOOD = """\
def sum_list(numbers):
    total = 0
    for number in numbers:
        total += number
    return total"""
FOREIGN = """\
def product_list(numbers):
    result = 1
    for number in numbers:
        result *= number
    return result"""


class RecordingEngine(Engine):
    """Takes requests and runs nothing."""

    def __init__(self) -> None:
        super().__init__(idle_s=600)
        self.requests: list[tuple[str, dict[str, Any]]] = []

    async def stream(
        self,
        model: Path,
        window: int,
        body: dict[str, Any],
        adapters: Sequence[Path] = (),
        usual: int | None = None,
    ) -> AsyncGenerator[tuple[int, Frame]]:
        self.requests.append((model.name, body))
        yield 0, End("stop")


@pytest.mark.parametrize(
    ("prompt", "shown"),
    [
        ("count vowels: f('hello') == 2, f('x') == 0", "count vowels, called f"),
        ("Write `f` that adds.\n\n>>> f(1)\n2", "Write `f` that adds"),
        ("add a list. assert add_all([1]) == 1", "add a list, called add_all"),
        ("double it\nInput: 1\nOutput: 2", "double it"),
        ("is_even(4) -> True", "is even, called is_even"),
        ("a list of squares of n (n > 0)", "a list of squares of n (n > 0)"),
        ("useEffect(() => { f() }, [])", "useEffect(() => { f() }, [])"),
    ],
)
def test_examples_are_not_shown(prompt: str, shown: str) -> None:
    """The weights have seen none: what stands before them is the request, with the name that they
    call."""
    assert PROFILE.writers["coder"](Task(prompt))[0]["content"] == shown


@pytest.fixture
async def starter() -> AsyncIterator[StarterModel]:
    engine = Engine(idle_s=600)
    yield StarterModel(engine)
    await engine.close()


def call(role: str, messages: list[Message], **options: Any) -> Call:
    return Call(role, messages, **({"context_tokens": 4096, "max_tokens": 200} | options))


def content(messages: list[Message]) -> str:
    (message,) = messages
    return message["content"]


@pytest.fixture
async def reviewed() -> AsyncIterator[Pipeline]:
    """The reviewed pipeline on the starter, with a history of its own."""
    roles = {f"{role}_MODEL_NAME": STARTER for role in ROLES_IN_CAPITALS}
    made = Pipeline(load_settings(**roles))
    yield made
    await made.scheduler.drain(0)
    await made.models.close()


def prompt(role: str, **parts: Any) -> list[Message]:
    return PROFILE.writers[role](task=Task(REQUEST), **parts)


async def answer(model: StarterModel, request: Call) -> str:
    *deltas, end = [frame async for frame in model.stream(request)]
    assert isinstance(end, End) and end.finish_reason == "stop"
    return "".join(delta.text for delta in deltas if isinstance(delta, Delta))


def test_prompts_are_what_the_weights_were_trained_on() -> None:
    """Each role's prompt is one user message of exactly this text."""
    written = [
        prompt("coder"),
        prompt("judge", draft="x = 1"),
        prompt("judge", draft=""),
        prompt("reviewer", draft="x = 1", reason="confidence 2 < 8"),
    ]
    assert written == [
        [{"role": "user", "content": text}]
        for text in (
            REQUEST,
            f"JUDGE\n{REQUEST}\n---\nx = 1",
            f"JUDGE\n{REQUEST}\n---\n",
            f"REVIEW\n{REQUEST}\n---\nconfidence 2 < 8\n---\nx = 1",
        )
    ]


def test_of_a_history_the_newest_exchange_goes_along() -> None:
    """Every role sees it before the request, in the words of the history block; older ones, and a
    newest one that is longer than any that it was trained on, are left out."""
    exchanges = tuple(Exchange(f"request {n}", f"answer {n}") for n in (1, 2))
    task = Task("now in bash", exchanges=exchanges)
    before = "User request:\nrequest 2\n\nAssistant code:\nanswer 2\n---\nnow in bash"
    writers = PROFILE.writers
    assert content(writers["coder"](task=task)) == before
    assert content(writers["judge"](task=task, draft="x")) == f"JUDGE\n{before}\n---\nx"
    review = writers["reviewer"](task=task, draft="x", reason="why")
    assert content(review) == f"REVIEW\n{before}\n---\nwhy\n---\nx"
    long = Task("now in bash", exchanges=(exchanges[0], Exchange("long", "x = 1\n" * 400)))
    assert content(writers["coder"](task=long)) == "now in bash"


@pytest.mark.parametrize(
    ("role", "file"),
    [("coder", "coder.gguf"), ("judge", "critic.gguf"), ("reviewer", "critic.gguf")],
)
async def test_each_role_has_its_weights(role: str, file: str) -> None:
    """The critic judges and reviews, so that no weights judge their own work."""
    engine = RecordingEngine()
    await answer(StarterModel(engine), call(role, prompt("coder")))
    assert [name for name, _ in engine.requests] == [file]


async def test_it_is_greedy_unless_told_otherwise() -> None:
    """Without a temperature the likeliest token is taken; a given one is kept."""
    engine = RecordingEngine()
    for temperature in (None, 0.7):
        await answer(StarterModel(engine), call("coder", [], temperature=temperature))
    assert [body["temperature"] for _, body in engine.requests] == [0.0, 0.7]


async def test_a_role_that_it_does_not_play_is_refused(starter: StarterModel) -> None:
    """The error says what gets a model that can."""
    with pytest.raises(RoleNotPlayed, match=r"cannot do this.*`laios models pull`"):
        await answer(starter, call("planner", []))
    assert starter.roles == frozenset({"coder", "judge", "reviewer"})


async def test_its_window_is_known(starter: StarterModel) -> None:
    """It holds for every role."""
    length = (await starter.facts()).context_length
    assert length and length >= 256


async def test_it_writes_code_that_works(starter: StarterModel) -> None:
    """A task that it knows, end to end: the code runs and gives the right results."""
    assert adds_up(await answer(starter, call("coder", prompt("coder"))))


async def test_its_verdict_fits_the_schema_and_tells_right_from_wrong(
    starter: StarterModel,
) -> None:
    """Code for another task is rated below the right one, and as more in conflict."""
    scores = []
    for draft in (GOOD, FOREIGN):
        request = call("judge", prompt("judge", draft=draft), schema=VERDICT_SCHEMA)
        verdict = read_verdict(await answer(starter, request))
        assert verdict.confidence_score and verdict.conflict_score
        scores.append((verdict.confidence_score, verdict.conflict_score))
    (good_confidence, good_conflict), (confidence, conflict) = scores
    assert good_confidence > confidence
    assert good_conflict < conflict


async def test_it_mends_wrong_code(starter: StarterModel) -> None:
    """The reviewer turns code for another task into code for this one."""
    messages = prompt("reviewer", draft=FOREIGN, reason="confidence 1 < 8; conflict 10 > 6")
    assert adds_up(await answer(starter, call("reviewer", messages)))


async def test_a_follow_up_changes_the_name(reviewed: Pipeline) -> None:
    """With the history before it, "rename it" is about the code of the run before."""
    await reviewed(REQUEST)
    code = await reviewed("///ctx rename it to add_all")
    assert code.startswith("def add_all(") and adds_up(code)


@pytest.mark.parametrize(
    "asked",
    [
        "Write a React component with a sortable table",
        "what is the capital of Peru?",
        "My docker container keeps restarting, how can I find out why?",
    ],
)
async def test_what_it_does_not_know_ends_in_a_note(reviewed: Pipeline, asked: str) -> None:
    """The judge's confidence is low, and the answer says what the starter is and how to get a
    real model."""
    output = await reviewed(asked)
    assert reviewed.record["judge"]["confidence_score"] < 8
    assert output.startswith("# REVIEWER_NOTE: ")
    assert "laios models starter" in output and "laios models pull qwen" in output


def adds_up(code: str) -> bool:
    scope: dict[str, Any] = {}
    exec(code, scope)
    (name,) = [node.name for node in ast.parse(code).body if isinstance(node, ast.FunctionDef)]
    return [scope[name](numbers) for numbers in ([1, 2, 3], [-4, 10, 5], [7])] == [6, 11, 7]
