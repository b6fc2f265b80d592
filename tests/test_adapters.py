"""LoRA adapters behind the name of a local model."""

from pathlib import Path

import pytest
from ggufs import chat_model, gguf_bytes, lora

from config import load_settings
from pipeline.errors import ModelNotFound
from pipeline.model import Call, Delta
from pipeline.models.adapter import split_adapters
from pipeline.models.local import Engine, LocalModel
from pipeline.models.providers import PROVIDERS, Backends
from pipeline.models.starter import DIRECTORY

pytestmark = pytest.mark.only_when(
    "pipeline/models/", "pipeline/model.py", "pipeline/model_call.py"
)

WEIGHTS = DIRECTORY / "coder.gguf"
MATRIX = "blk.0.ffn_up.weight"


@pytest.mark.parametrize(
    ("rest", "parts"),
    [
        ("/m/model.gguf+adapter.gguf", ["/m/model.gguf", "adapter.gguf"]),
        ("m.gguf+a.gguf+/b/b.gguf", ["m.gguf", "a.gguf", "/b/b.gguf"]),
        ("qwen2.5-coder:0.5b+/a/x.gguf", ["qwen2.5-coder:0.5b", "/a/x.gguf"]),
        ("qwen:0.5b+~/x.gguf+./y.gguf", ["qwen:0.5b", "~/x.gguf", "./y.gguf"]),
        ("/c++/model.gguf", ["/c++/model.gguf"]),
        ("c++/model.gguf", ["c++/model.gguf"]),
        ("mine+more:1b", ["mine+more:1b"]),
    ],
)
def test_what_stands_behind_a_plus_is_an_adapter(rest, parts):
    """Where it ends a file's path, or begins one behind a name; a + in a name or directory is
    none."""
    base, adapters = split_adapters(rest)
    assert [base, *adapters] == parts


async def text_of(engine: Engine, name: str) -> str:
    model = PROVIDERS["local"](_backends(engine), name, load_settings())
    call = Call("coder", [{"role": "user", "content": "add two numbers"}], 512, 12, 0.0)
    frames = [frame async for frame in model.stream(call)]
    return "".join(frame.text for frame in frames if isinstance(frame, Delta))


def _backends(engine: Engine) -> Backends:
    backends = Backends(load_settings())
    backends.__dict__["engine"] = engine
    return backends


async def test_the_engine_writes_with_the_adapter_that_the_name_has(tmp_path):
    """One that adds nothing changes nothing, another one does; both beside the model alone, in one
    process."""
    (tmp_path / "none.gguf").write_bytes(lora(MATRIX, 128, 384, 0.0))
    (tmp_path / "strong.gguf").write_bytes(lora(MATRIX, 128, 384, 5.0))
    model = tmp_path / "model.gguf"
    model.symlink_to(WEIGHTS)
    engine = Engine(idle_s=600)
    try:
        plain = await text_of(engine, f"local/{model}")
        pid = engine._child.pid
        assert await text_of(engine, f"local/{model}+none.gguf") == plain
        assert await text_of(engine, f"local/{model}+{tmp_path}/strong.gguf") != plain
        assert await text_of(engine, f"local/{model}") == plain
        assert engine._child.pid == pid
    finally:
        await engine.close()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (None, "No adapter at"),
        (b"x", "not a GGUF adapter"),
        (chat_model(), "is a model, not an adapter"),
        (gguf_bytes({"general.architecture": "bert", "general.type": "adapter"}), "architecture"),
    ],
)
async def test_what_is_no_adapter_for_the_model_is_refused_with_the_reason(tmp_path, data, said):
    """llama.cpp would only say that it cannot load the model."""
    path = tmp_path / "a.gguf"
    if data:
        path.write_bytes(data)
    model = LocalModel("local/x", Engine(idle_s=1), WEIGHTS, [str(path)])
    with pytest.raises(ModelNotFound, match=said):
        await model.facts()


async def test_an_adapter_in_the_place_of_a_model_is_told_how_to_be_named(tmp_path: Path):
    """Behind its model."""
    path = tmp_path / "a.gguf"
    path.write_bytes(lora(MATRIX, 1, 1, 0.0))
    with pytest.raises(ModelNotFound, match=r"local/MODEL.gguf\+a.gguf"):
        await LocalModel("local/x", Engine(idle_s=1), path).facts()


def test_the_starter_with_an_adapter_is_refused_for_that(tmp_path: Path):
    """It is here: nobody is sent to pull it."""
    settings = load_settings()
    backends = Backends(settings)
    with pytest.raises(ModelNotFound, match="local/starter takes no adapter"):
        PROVIDERS["local"](backends, f"local/starter+{tmp_path}/a.gguf", settings)
