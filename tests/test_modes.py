"""The tag grammar."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pipeline.capabilities  # noqa: F401  (fills MODES)
from pipeline.codegen.registration import CODE_STRUCTURED
from pipeline.errors import BadRequest, ConflictingTags, EmptyPrompt, UnknownMode, UnknownTag
from pipeline.judging.registration import CODE_JUDGED
from pipeline.modes import (
    MODES,
    OF_ROUTES,
    extract_mode_and_prompt,
    mode,
    read_tags,
    resolve_mode,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("add two numbers", ("code_reviewed", "add two numbers")),
        ("///raw add", ("code_raw", "add")),
        ("  \n///RAW\tadd", ("code_raw", "add")),
        ("///review-only def f(): pass", ("review_only", "def f(): pass")),
        ("///ctx add", ("code_reviewed_ctx", "add")),
        ("///continue add", ("code_reviewed_ctx", "add")),
        ("///ctx ///raw add", ("code_raw_ctx", "add")),
        ("///raw ///ctx ///raw add", ("code_raw_ctx", "add")),
        ("///raw\nadd", ("code_raw", "add")),
        ("add\n///raw", ("code_raw", "add")),
        ("add\n\n  ///ctx ///raw  \n", ("code_raw_ctx", "add")),
        ("///ctx add\n///raw", ("code_raw_ctx", "add")),
        ('"///raw say hi"', ("code_raw", "say hi")),
        ("“///raw say hi”", ("code_raw", "say hi")),
        ('"say hi"', ("code_reviewed", '"say hi"')),
        ('"///raw say" and "hi"', ("code_raw", 'say" and "hi')),
        ("///raw ///Returns the sum.", ("code_raw", "///Returns the sum.")),
        ("/// a doc comment", ("code_reviewed", "/// a doc comment")),
        ("////raw x", ("code_reviewed", "////raw x")),
        ("///raw: x", ("code_reviewed", "///raw: x")),
        ("///v2 x", ("code_reviewed", "///v2 x")),
        ("say ///raw twice", ("code_reviewed", "say ///raw twice")),
        ("one\n///raw\nthree", ("code_reviewed", "one\n///raw\nthree")),
        ("add\n///summary", ("code_reviewed", "add\n///summary")),
        ("add\nthen ///raw", ("code_reviewed", "add\nthen ///raw")),
        ("```\ncode\n///raw", ("code_reviewed", "```\ncode\n///raw")),
        ("~~~\n```\n///raw", ("code_reviewed", "~~~\n```\n///raw")),
        ("```py\ncode\n```\n///raw", ("code_raw", "```py\ncode\n```")),
        (r"\///raw is a tag", ("code_reviewed", "///raw is a tag")),
        (r"\///raw", ("code_reviewed", "///raw")),
        (r"\///nonsense is text", ("code_reviewed", "///nonsense is text")),
        ("\\///raw is a tag\n///raw", ("code_raw", "///raw is a tag")),
        (
            "<attached_files>\n///ctx\n</attached_files>\n\n///raw add",
            ("code_raw", "<attached_files>\n///ctx\n</attached_files>\n\nadd"),
        ),
        (
            "<attached_files>a</attached_files> add",
            ("code_reviewed", "<attached_files>a</attached_files> add"),
        ),
    ],
)
def test_tags_pick_the_mode_and_leave_the_rest_of_the_prompt(text, expected):
    """Tags at the head, or alone on the first or last line, choose; everything else is text."""
    assert extract_mode_and_prompt(text) == expected


@pytest.mark.parametrize("text", ["", "  \n", "///raw", "///ctx ///raw \n", '"///raw"'])
def test_a_prompt_of_nothing_but_tags_is_empty(text):
    """What is left after the tags must say something."""
    with pytest.raises(EmptyPrompt):
        extract_mode_and_prompt(text)


@pytest.mark.parametrize(
    "text", ["///raw ///review-only x", "///ctx ///review-only x", "///raw x\n///review-only"]
)
def test_tags_of_two_modes_conflict(text):
    """Two modes at once, or history for a mode that takes none, is an error and not a guess."""
    with pytest.raises(ConflictingTags):
        extract_mode_and_prompt(text)


def test_an_unknown_tag_names_the_nearest_one_and_the_escape():
    """A mistyped tag must not be taken for text, nor text for a tag without a way out."""
    with pytest.raises(UnknownTag) as caught:
        extract_mode_and_prompt("///rwa add")
    assert "Did you mean ///raw?" in caught.value.message
    assert r"\///rwa" in caught.value.message


@pytest.mark.parametrize("word", ["nosuch", "x", "zzz", "python"])
def test_what_resembles_nothing_is_not_likened_to_anything(word):
    """A far-fetched guess is worse than the list of what there is: tags, or what is typed to choose
    a mode."""
    with pytest.raises(UnknownTag) as tag:
        extract_mode_and_prompt(f"///{word} add")
    assert tag.value.message.startswith(f"There is no tag ///{word}. Tags: ///ctx, ///continue,")
    with pytest.raises(UnknownMode) as mode:
        resolve_mode(word)
    head, _, modes = mode.value.message.removesuffix(".").partition(" Modes: ")
    assert head == f"There is no mode '{word}'."
    assert [resolve_mode(each) for each in modes.split(", ")] == list(MODES)
    assert {"raw", "ctx", "test_ctx"} <= set(modes.split(", "))


def test_a_tag_in_the_text_replaces_the_choice_beside_it():
    """The prompt's own words are the last word."""
    assert extract_mode_and_prompt("add", "raw") == ("code_raw", "add")
    assert extract_mode_and_prompt("///review-only x", "raw") == ("review_only", "x")
    assert extract_mode_and_prompt("///ctx x", "raw") == ("code_reviewed_ctx", "x")


@pytest.mark.parametrize("text", ["///raw add", "\\///raw add", " /// doc\n", "add\n///files"])
def test_in_a_literal_text_nothing_is_a_tag(text):
    """The choice beside it counts, with its number; the text is as it came."""
    assert read_tags(text, "best=8", literal=True) == ("code_best", 8, text)
    assert read_tags(text, literal=True).mode == "code_reviewed"


@pytest.mark.parametrize(
    ("choice", "name"),
    [
        (None, "code_reviewed"),
        ("", "code_reviewed"),
        ("raw", "code_raw"),
        ("CODE_RAW", "code_raw"),
        ("ctx", "code_reviewed_ctx"),
        ("continue", "code_reviewed_ctx"),
        ("raw_ctx", "code_raw_ctx"),
        ("code_raw_ctx", "code_raw_ctx"),
        ("review-only", "review_only"),
        ("review_only", "review_only"),
    ],
)
def test_a_mode_is_chosen_by_its_name_or_its_word(choice, name):
    """Field and option take both, in any case."""
    assert resolve_mode(choice) == name


def test_an_unknown_mode_lists_the_modes():
    """The message is enough to repair the call."""
    with pytest.raises(UnknownMode) as caught:
        resolve_mode("rav")
    assert "'raw'" in caught.value.message
    assert all(row.word in caught.value.message for row in MODES.values())


def test_a_model_in_the_place_of_a_mode_is_told_where_models_are_chosen():
    """`-m` of `laios bench` is a model, of `laios run` a mode."""
    with pytest.raises(UnknownMode, match=r"'ollama/x'\. A model is chosen by: laios models use"):
        resolve_mode("ollama/x")


def test_the_modes_of_routes_of_their_own_are_known_where_records_are_meant():
    """Nobody can choose one; a wrong name is told of them there."""
    assert [*OF_ROUTES.values()] == [CODE_STRUCTURED, CODE_JUDGED]
    for name in OF_ROUTES:
        assert resolve_mode(name.upper(), on_record=True) == name
        with pytest.raises(UnknownMode):
            resolve_mode(name)
        with pytest.raises(BadRequest):
            resolve_mode(f"{name}=3", on_record=True)
    with pytest.raises(UnknownMode, match=r"Did you mean 'code_judged'.*, code_judged"):
        resolve_mode("code_judge", on_record=True)


def test_two_modes_cannot_share_a_name_or_a_tag():
    """An add-on that would take over an existing mode is refused at once."""
    with pytest.raises(ValueError, match="exists already"):
        mode("other", help="", words=("raw",))(lambda run, task: None)
    with pytest.raises(ValueError, match="exists already"):
        mode("code_raw", help="")(lambda run, task: None)
    assert "other" not in MODES


@given(st.text())
def test_any_text_ends_in_a_mode_or_a_typed_error(text):
    """No input breaks the parser, and what comes back is trimmed text of the input."""
    try:
        name, prompt = extract_mode_and_prompt(text)
    except (EmptyPrompt, UnknownTag, ConflictingTags):
        return
    assert name in MODES
    assert prompt == prompt.strip()
    assert prompt.replace("\n", "") and prompt in text


@given(st.text(alphabet="/\\rawctx \n`\"'", max_size=60))
def test_escaping_any_text_sends_it_unchanged(text):
    """With the escape in front, a tag at the head is literal."""
    prompt = "///raw " + text.strip()
    if text.strip() and not text.strip().splitlines()[-1].strip().startswith("///"):
        assert extract_mode_and_prompt("\\" + prompt)[1] == prompt


def test_a_large_hostile_prompt_is_read_in_bounded_time():
    """Four megabytes of openings of everything: no quadratic search."""
    import time

    started = time.process_time()
    extract_mode_and_prompt("<files>" * 300_000)
    extract_mode_and_prompt("```\n" * 500_000 + "///raw")
    extract_mode_and_prompt('"' * 1_000_000)
    extract_mode_and_prompt("<files></files>\n" * 250_000 + "x")
    extract_mode_and_prompt("///ctx " * 500_000 + "x")
    assert time.process_time() - started < 5
