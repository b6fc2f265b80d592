"""What chat frontends are told of an answer that is known to be wrong."""

import re
import shutil

import pytest
from markdown_it import MarkdownIt
from projects import CORE, GOOD, PROMPT, TWO, writes
from test_frontend_openai import BLOCK, CHAT, CODE, RULES, ask, deltas

BROKEN = "def add(a, b:\n    return a + b\n"
WRONG = [{"role": "coder", "reply": BROKEN}, {"role": "reviewer", "reply": BROKEN}]
FOOTER = "\n\n**Known to be wrong:** `it does not parse: "


async def content(http, text="add", model="laios"):
    answer = await http.post(CHAT, json=ask(text, model))
    return answer.json()["choices"][0]["message"]["content"]


async def test_what_is_known_to_be_wrong_stands_below_the_block(daemon_with):
    """One line outside the fence, in a stream and in one piece, over each protocol."""
    async with daemon_with(*WRONG) as (_, http):
        block, mark, rest = (await content(http)).partition(FOOTER)
        assert block.startswith("```python\n# REVIEWER_NOTE") and block.endswith("\n```")
        assert mark and "\n" not in rest
        streamed = (await http.post(CHAT, json=ask("add", stream=True))).text
        assert "".join(deltas(streamed, "content")) == block + mark + rest
        told = await http.post("/api/generate", json={"prompt": "add", "stream": False})
        assert told.json()["response"] == block + mark + rest


async def test_a_right_answer_has_no_footer(daemon_with):
    """Also one that a judge rates low: an opinion is no knowledge."""
    low = [{"role": "judge", "verdict": [1, 9, "No."]}, {"role": "reviewer", "reply": CODE}]
    async with daemon_with(*RULES) as (_, http):
        assert await content(http) == BLOCK
    async with daemon_with(RULES[0], *low) as (_, http):
        assert await content(http) == BLOCK


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap")
async def test_calls_on_which_the_drafts_differ_stand_below_the_block(daemon_with, script):
    """One line, and only where nothing decides between the drafts."""
    adds, takes = (f"def add(a: int, b: int) -> int:\n    return a {sign} b\n" for sign in "+-")
    mine = {"MAX_DRAFTS": 3, "EVIDENCE_RUN": "auto", "COMPARE_DRAFTS": "auto"}
    for drafts, differ in (([adds, takes, adds], True), ([adds, adds], False)):
        small = script({"role": "coder", "reply": drafts}, name="x-1.5b")
        names = {f"{role}_MODEL_NAME": small for role in ("CODER", "JUDGE", "REVIEWER")}
        async with daemon_with(**mine, **names) as (_, http):
            _, mark, rest = (await content(http, "a function add")).partition("**Not certain:** ")
        assert bool(mark) == differ
        assert not differ or re.fullmatch(
            r"(`add\(-?\d+, -?\d+\) gives -?\d+, in other drafts it gives -?\d+`(; )?){3}", rest
        )


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap")
async def test_what_a_draft_gives_is_no_markdown_below_the_block(daemon_with, script):
    """No image that a frontend fetches, whatever backticks are in it."""
    image = "`` ![x](http://127.0.0.1/a.png) `"
    drafts = [f"def f(n: int) -> str:\n    return {each!r}\n" for each in (image, "b", "c")]
    small = script({"role": "coder", "reply": drafts}, name="x-1.5b")
    names = {f"{role}_MODEL_NAME": small for role in ("CODER", "JUDGE", "REVIEWER")}
    mine = {"MAX_DRAFTS": 3, "EVIDENCE_RUN": "auto", "COMPARE_DRAFTS": "auto"}
    async with daemon_with(**mine, **names) as (_, http):
        text = await content(http, "a function f(n: int)")
    assert f"gives {image!r}" in text
    inline = [
        each for token in MarkdownIt("commonmark").parse(text) for each in token.children or ()
    ]
    assert not [each for each in inline if each.type in ("image", "link_open", "html_inline")]
    spans = [each.content for each in inline if each.type == "code_inline"]
    assert len(spans) == 3 and all(image in span for span in spans)


@pytest.mark.parametrize("setting", ["FRONTEND_WARNINGS", "FRONTEND_FENCES"])
async def test_the_footer_can_be_switched_off_and_never_spoils_bare_code(daemon_with, setting):
    """Behind code without a fence it would be a syntax error of its own."""
    async with daemon_with(*WRONG, **{setting: False}) as (_, http):
        assert "Known to be wrong" not in await content(http)


async def test_a_reply_that_is_passed_on_as_it_came_stays_so(daemon_with):
    """`laios:raw` passes on bare code."""
    async with daemon_with(*WRONG) as (_, http):
        text = await content(http, model="laios:raw")
        assert text.endswith(BROKEN)


async def test_a_project_names_the_file_that_does_not_parse(daemon_with):
    """Below its last heading, and its files stay whole."""
    reviewed = writes("cli.py", BROKEN) | {"role": "reviewer"}
    rules = [TWO, writes("core.py", CORE), writes("cli.py", BROKEN), reviewed, GOOD]
    async with daemon_with(*rules) as (_, http):
        text = await content(http, PROMPT, "laios:files")
    assert text.endswith("\n\n**Known to be wrong:** `cli.py does not parse`")
    blocks = [t.content for t in MarkdownIt("commonmark").parse(text) if t.type == "fence"]
    assert {CORE, BROKEN} <= set(blocks)


async def test_a_footer_is_no_part_of_the_conversation(daemon_with):
    """A frontend sends it back with its next request; the coder sees the code alone."""
    async with daemon_with(*WRONG) as (_, http):
        before = await content(http)
    known = {"role": "coder", "prompt": r"assistant: # REVIEWER_NOTE[^`*]+$", "reply": CODE}
    turns = [("user", "add"), ("assistant", before), ("user", "again")]
    messages = [{"role": role, "content": text} for role, text in turns]
    async with daemon_with(known, RULES[1]) as (_, http):
        asked = {"model": "laios", "messages": messages}
        answer = (await http.post(CHAT, json=asked)).json()
        assert answer["choices"][0]["message"]["content"] == BLOCK


@pytest.mark.parametrize(
    "footer", ["**Not certain:** `x`", "**Known to be wrong:** `x`\n\n**Not checked:** `y`"]
)
async def test_a_footer_below_words_is_none_of_their_model_s_either(daemon_with, footer):
    """A model that reads it as its own words writes such lines itself. A person may quote it."""
    said, asked = "A set is unordered.", f"what is a set?\n\n{footer}"
    seen = rf"user: what is a set\?\n\n{re.escape(footer)}\s+assistant: {said}\s+user: why"
    rules = [{"role": "coder", "prompt": seen, "reply": CODE}, RULES[1]]
    turns = [("user", asked), ("assistant", f"{said}\n\n{footer}\n"), ("user", "why")]
    messages = [{"role": role, "content": text} for role, text in turns]
    async with daemon_with(*rules) as (_, http):
        answer = await http.post(CHAT, json={"model": "laios", "messages": messages})
    assert answer.json()["choices"][0]["message"]["content"] == BLOCK


@pytest.mark.parametrize(
    ("request_", "reply", "is_fenced"),
    [
        ("what is its time complexity?", "It is linear in the length of the list.", False),
        ("pop should raise an error", "The code raises an error already when it is empty.", False),
        ("what is that?", "It is this picture that you see.\n![x](http://127.0.0.1/a.png)", True),
        ("write a README for it", "This adds two numbers and gives their sum.", True),
    ],
)
async def test_words_are_no_code_block(daemon_with, request_, reply, is_fenced):
    """An answer in words is read as it is, but for a document that is asked for, and what would
    have a frontend load something."""
    async with daemon_with({"role": "coder", "reply": reply}, RULES[1]) as (_, http):
        text = await content(http, request_)
    assert text == (f"```markdown\n{reply}\n```" if is_fenced else reply)
