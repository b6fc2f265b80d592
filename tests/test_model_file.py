"""What a model file says before it is loaded, and the files that are refused at once."""

import struct
from contextlib import suppress
from pathlib import Path

import pytest
from ggufs import chat_model, gguf_bytes, of_another_kind, split
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import ContextTooLong, ModelFailed, ModelNotFound
from pipeline.model import Call
from pipeline.models import gguf, model_file
from pipeline.models.local import Engine, LocalModel
from pipeline.models.starter import DIRECTORY

WEIGHTS = DIRECTORY / "coder.gguf"
ARRAY = struct.pack("<Q1sIIQQ5s", 1, b"a", 9, 8, 1, 5, b"hello")
TENSOR = struct.pack("<Q1sIQQIQ", 1, b"w", 2, 64, 2, 8, 32)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    return tmp_path / "own.gguf"


async def answer(path: Path, window: int = 512) -> None:
    engine = Engine(idle_s=600)
    call = Call("coder", [{"role": "user", "content": "hello"}], window, 4, 0.0)
    try:
        async for _ in LocalModel(f"local/{path}", engine, path).stream(call):
            pass
    finally:
        await engine.close()


def test_a_header_says_what_is_needed_before_a_load() -> None:
    """Architecture, window, quantization, and the memory of a token, of the starter's weights."""
    header = gguf.read_header(WEIGHTS)
    assert (header.architecture, header.context_length) == ("llama", 1024)
    assert (header.quantization, header.has_chat_template) == ("Q8_0", True)
    assert header.cache_bytes == 7 * 2 * (32 + 32) * 2  # layers, heads, keys and values, two bytes


def test_a_sliding_window_has_no_fixed_cost_a_token(own: Path) -> None:
    """Its cache does not grow with the window as others do: nothing is made up."""
    own.write_bytes(chat_model({"llama.attention.sliding_window": 512}))
    assert gguf.read_header(own).cache_bytes is None


@given(data=st.data())
def test_damaged_headers_are_refused_or_read(tmp_path_factory, data) -> None:
    """Whatever bytes are changed, the answer is a header or NotGguf."""
    raw = bytearray(gguf_bytes({"general.architecture": "llama", "llama.context_length": 4096}))
    raw += ARRAY + TENSOR
    raw[8:24] = struct.pack("<QQ", 1, 3)
    for at in data.draw(st.lists(st.integers(0, len(raw) - 1), max_size=6)):
        raw[at] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.mktemp("damaged") / "x.gguf"
    path.write_bytes(raw)
    with suppress(gguf.NotGguf):
        assert gguf.read_header(path).architecture is not None
        assert gguf.weights_end(path) >= 0


@pytest.mark.parametrize("size", [4, 20, 200, 1000, 5000])
def test_a_file_that_ends_within_its_header_is_said_to(own: Path, size: int) -> None:
    """Wherever it was cut off."""
    own.write_bytes(WEIGHTS.read_bytes()[:size])
    with pytest.raises(gguf.NotGguf, match=r"^it ends within its header: it was cut off, or is"):
        gguf.read_header(own)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "it does not start as one"),
        (b"text", "it does not start as one"),
        (gguf_bytes({"a": 1}).replace(b"a\4", b"a\x63"), "its header is damaged"),
        (gguf_bytes({"a": 1}).replace(b"a", b"\xff"), "its header is damaged"),
        (gguf_bytes({"a": "b" * (1 << 20) + "b"}), "its header is damaged"),
        (gguf_bytes({"general.alignment": 0}), "its header is damaged"),
        (struct.pack("<4sIQQ", b"GGUF", 3, 1 << 60, 0), "its header is damaged"),
        (struct.pack("<4sIQQQI", b"GGUF", 3, 1, 0, 0, 1 << 30), "its header is damaged"),
    ],
)
def test_what_is_wrong_with_a_header_is_said_in_words(own: Path, content: bytes, why: str) -> None:
    """Another file, a kind of value that there is not, a key that is no text, a text that is too
    long: no exception's name."""
    own.write_bytes(content)
    with pytest.raises(gguf.NotGguf, match=f"^{why}$"):
        gguf.read_header(own)


@pytest.mark.parametrize("size", [50_000, 863_424, 1_726_840])
def test_a_file_that_ends_within_its_weights_is_refused(own: Path, size: int) -> None:
    """Its header says where they end: also where only the last few bytes are missing."""
    own.write_bytes(WEIGHTS.read_bytes()[:size])
    with pytest.raises(ModelNotFound, match=rf"own\.gguf is cut off: it has {size:,} of at least"):
        model_file.read_header(own)
    assert model_file.read_header(own, half=True).architecture == "llama"
    assert gguf.weights_end(WEIGHTS) == WEIGHTS.stat().st_size


@pytest.mark.parametrize("name", ["m-00001-of-00002.gguf", "m.gguf"])
def test_a_part_without_the_others_is_no_model(own: Path, name: str) -> None:
    """By its name, and by its header where it was given another; together, each part is checked."""
    first, second = split(WEIGHTS.read_bytes())
    path = own.with_name(name)
    path.write_bytes(first)
    with pytest.raises(ModelNotFound, match="is one of 2 parts of a model, with 0 of the others"):
        model_file.read_header(path)
    other = own.with_name("m-00002-of-00002.gguf")
    for content in (second, second[:-32]):
        other.write_bytes(content)
        with suppress(ModelNotFound):
            model_file.read_header(path)
            assert (name, content) == ("m-00001-of-00002.gguf", second)


def test_a_later_part_is_refused_with_the_first_one_s_name(own: Path) -> None:
    """It has no header of its own, be it whole and beside the others."""
    for number, content in enumerate(split(WEIGHTS.read_bytes()), 1):
        own.with_name(f"m-0000{number}-of-00002.gguf").write_bytes(content)
    first, later = sorted(own.parent.glob("m-*"))
    with pytest.raises(ModelNotFound) as refused:
        model_file.read_chat_header(later)
    told = f"{later.name} is a later part of a model. Name the first: {first}"
    assert refused.value.message == told
    assert model_file.read_header(first).architecture == "llama"


async def test_a_base_model_answers_where_a_person_names_it(own: Path) -> None:
    """Its facts say that no system message reaches it, so its rules go into the first turn."""
    key = b"tokenizer.chat_template"
    own.write_bytes(WEIGHTS.read_bytes().replace(key, key[:-1] + b"x"))
    facts = await LocalModel("local/own", Engine(idle_s=600), own).facts()
    assert (facts.has_chat_template, facts.context_length) == (False, 1024)
    await answer(own)


def test_a_base_model_is_no_model_for_chat(own: Path) -> None:
    """It is not fetched, imported or taken by `auto`."""
    own.write_bytes(gguf_bytes({"general.architecture": "llama"}))
    with pytest.raises(ModelNotFound, match=r"own\.gguf has no chat template.*-instruct"):
        model_file.read_chat_header(own)


async def test_a_model_that_writes_no_text_is_refused_before_it_is_loaded(own: Path) -> None:
    """Embedding models and the like, by their architecture."""
    own.write_bytes(gguf_bytes({"general.architecture": "nomic-bert"}))
    with pytest.raises(ModelNotFound, match=r"own\.gguf writes no text.*nomic-bert"):
        await answer(own)


async def test_an_unknown_architecture_is_named(own: Path) -> None:
    """llama.cpp says no more than that it cannot load it."""
    own.write_bytes(of_another_kind(WEIGHTS.read_bytes()))
    with pytest.raises(ModelFailed, match="Its architecture is odder"):
        await answer(own)


async def test_a_model_larger_than_memory_is_refused_before_it_is_loaded(
    own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its parts count together."""
    first = own.with_name("m-00001-of-00002.gguf")
    first.write_bytes(WEIGHTS.read_bytes())
    with first.with_name("m-00002-of-00002.gguf").open("wb") as file:
        file.write(chat_model())
        file.truncate(1 << 30)
    monkeypatch.setattr(model_file, "total_memory", lambda: 600_000_000)
    with pytest.raises(ModelNotFound, match=r"needs 1\.6 GB of memory and this machine has 0\.6"):
        await answer(first)


async def test_a_window_that_does_not_fit_is_refused_before_it_is_made(
    own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says how much is needed; a smaller window of the same model is had."""
    own.write_bytes(
        WEIGHTS.read_bytes().replace(struct.pack("<II", 4, 1024), struct.pack("<II", 4, 1 << 30), 1)
    )
    monkeypatch.setattr(model_file, "total_memory", lambda: 600_000_000)
    await answer(own, window=512)
    with pytest.raises(ContextTooLong, match="with a window of 65,536 tokens"):
        await answer(own, window=65_536)
