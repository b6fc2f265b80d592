"""Greetings and thanks in a chat: they are answered in words, by one call, without a judge."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.analysis.small_talk import is_small_talk

HELLO = "Hello! What shall I write for you?"
RULES = (
    {"role": "coder", "prompt": "hello, write", "reply": "def add(a, b):\n    return a + b\n"},
    {"role": "coder", "reply": HELLO},
    {"role": "judge", "verdict": [9, 1, "It is right."]},
)


@pytest.mark.parametrize(
    "said",
    [
        *("hello", "Hi there!", "Hello, can you help me?", "good morning", "Hey laios", "ping"),
        *("Thanks!", "thank you so much", "thanks, that works!", "ok great, thanks", "👍 thanks"),
        *("who are you?", "What can you do?", "Hi! How are you today?", "bye", "That works now."),
        *("Guten Tag", "Vielen Dank!", "merci beaucoup", "Hola", "你好", "wer bist du?"),
    ],
)
def test_small_talk(said):
    """Nothing but a greeting, thanks, or a question about the one who answers."""
    assert is_small_talk(said)


@pytest.mark.parametrize(
    "said",
    [
        *("hello world", "print hello", "test this function", "sort a list", "ping a host", "yes"),
        *("thanks, now add a docstring", "great, but it fails for empty lists", "go on", ""),
        *("help me write a sort", "what can you do with yield", "that works but is slow"),
        *("ok now in java", "hello\nprint(1)", "thanks " * 20),
    ],
)
def test_what_asks_for_something_is_none(said):
    """However it begins."""
    assert not is_small_talk(said)


@given(st.text(max_size=120))
def test_any_text_can_be_asked(text):
    """At once, whatever it is."""
    assert is_small_talk(text) in (True, False)


async def test_it_is_answered_in_words_without_a_judge(pipeline_with):
    """One call, what was said before with it, the reply as it is; the record says why."""
    async with pipeline_with(*RULES) as run:
        assert await run("hello") == HELLO
        assert [step["label"] for step in run.record["steps"]] == ["small talk"]
        assert run.record["final_reason"] == "not judged: it wants no code"
        assert await run("hello, write add(a, b)") != HELLO
        assert await run("///raw thanks!") == HELLO


async def test_a_chat_hears_words_and_nothing_below_them(daemon_with):
    """Neither code nor a line of laios' own."""
    async with daemon_with(*RULES) as (_, http):
        messages = [
            {"role": "user", "content": "write add"},
            {"role": "assistant", "content": "```python\ndef add(a, b):\n    return a + b\n```"},
            {"role": "user", "content": "thanks, that works!"},
        ]
        asked = {"model": "laios", "messages": messages}
        answer = (await http.post("/v1/chat/completions", json=asked)).json()
    assert answer["choices"][0]["message"]["content"] == HELLO
