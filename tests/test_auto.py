"""`auto`: which of the installed models it stands for."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from fakes import FakeOllama, Pulled, refused_url
from ggufs import chat_model, gguf_bytes

from config import Settings
from pipeline.models.auto import Installed, choose
from pipeline.models.local_library import LocalLibrary, Manifest, ModelPart
from pipeline.models.machine import total_memory
from pipeline.models.ollama_host import OllamaHost
from pipeline.models.providers import Backends
from pipeline.models.registry import Registry
from server.runtime.async_closing import async_closing

pytestmark = pytest.mark.only_when("pipeline/models/", "server/inventory/")

GB = 10**9


def model(
    name: str, size: float = 4.7, parameters: float | None = 7.6e9, **more: object
) -> Installed:
    return Installed(name, int(size * GB), parameters=parameters, **more)  # type: ignore[arg-type]


CODER = model("qwen2.5-coder:7b")
GENERAL = model("llama3.1:8b", 4.9, 8e9)


@pytest.mark.parametrize(
    ("installed", "best"),
    [
        ([GENERAL, CODER], "qwen2.5-coder:7b"),
        ([CODER, model("qwen2.5-coder:14b", 9, 14.8e9)], "qwen2.5-coder:14b"),
        ([CODER, model("qwen3-coder:30b", 19, 30e9)], "qwen3-coder:30b"),
        ([CODER, model("qwen3-coder:480b", 290, 480e9)], "qwen2.5-coder:7b"),
        ([model("qwen2.5-coder:0.5b", 0.4, 0.5e9), GENERAL], "llama3.1:8b"),
        ([model("qwen2.5-coder:0.5b", 0.4, 0.5e9)], "qwen2.5-coder:0.5b"),
        ([model("somebody/unknown:latest")], "somebody/unknown:latest"),
        ([model("unknown-a", 4, None), model("unknown-b", 8, None)], "unknown-b"),
        ([], None),
    ],
)
def test_coders_first_then_size_within_memory(installed: list[Installed], best: str | None) -> None:
    """On 32 GB: the best family, then the most parameters; a tiny coder only for want of better."""
    assert choose(installed, 32 * GB) == best
    assert choose(reversed(installed), 32 * GB) == best


@pytest.mark.parametrize(
    "unfit",
    [
        model("nomic-embed-text:latest", 0.3, 137e6, family="nomic-bert"),
        model("all-minilm", 0.1, 23e6),
        model("bge-m3", 1.2, 567e6),
        model("anything", capabilities=frozenset({"embedding"})),
        model("painter", capabilities=frozenset({"image"})),
        model("codellama:7b-code"),
        model("codegemma:code"),
        model("llama2:13b-text"),
        model("qwen2.5-coder:7b-base"),
        model("starcoder2:7b"),
        model("qwen3-coder:480b-cloud", 0, remote=True),
        model("qwen3-coder:30b", 19, 30e9),
    ],
)
def test_no_embedding_completion_cloud_or_too_large_model(unfit: Installed) -> None:
    """On 16 GB: what cannot chat here is no candidate, even if it is alone."""
    assert choose([unfit], 16 * GB) is None


@pytest.mark.parametrize(
    "name", ["granite-code:8b", "stable-code:3b", "localhost:5000/ibm/granite-code"]
)
def test_a_family_of_code_models_can_chat(name: str) -> None:
    """Only a tag says that a model continues code and does not chat (`codellama:7b-code`)."""
    assert choose([model(name)], 16 * GB) == name


def test_without_knowledge_of_the_memory_size_is_no_hindrance() -> None:
    """A system that does not tell its memory still gets a model."""
    assert choose([model("qwen3-coder:480b", 290, 480e9)], None) == "qwen3-coder:480b"


def test_memory_is_this_machines() -> None:
    """Bytes, of a plausible order."""
    assert 2**28 < (total_memory() or 0) < 2**50


async def best_installed(ollama: str, library: LocalLibrary) -> str | None:
    backends = Backends(Settings(OLLAMA_HOST=ollama, MODELS_DIR=library.directory))
    try:
        return choose(await backends.installed(""), total_memory())
    finally:
        await backends.close()


async def test_best_installed_asks_ollama(tmp_path: Path) -> None:
    """Name, size, capabilities and remoteness are read from the server's list."""
    pulled = (
        Pulled("nomic-embed-text", 10**6, "nomic-bert", "137M", capabilities=("embedding",)),
        Pulled("gpt-oss:120b-cloud", 384, "gptoss", "116.8B", capabilities=("completion",)),
        Pulled("alias", 384, remote_host="https://ollama.com"),
        Pulled("qwen2.5-coder:1.5b", 10**6, parameter_size="1.5B"),
        Pulled("llama3.1:8b", 10**6, "llama", "8.0B"),
    )
    with FakeOllama(models=pulled) as fake:
        host = OllamaHost(fake.url)
        listed = {model.name: model for model in await host.list_models()}
        await host.close()
        assert await best_installed(fake.url, LocalLibrary(tmp_path)) == "ollama/llama3.1:8b"
    assert listed["llama3.1:8b"].parameters == 8e9
    assert listed["nomic-embed-text:latest"].capabilities == {"embedding"}
    assert {name for name, model in listed.items() if model.remote} == {
        "gpt-oss:120b-cloud",
        "alias:latest",
    }


async def test_without_ollama_there_is_no_best_model(tmp_path: Path) -> None:
    """A server that is away is no error here: `auto` falls to the starter."""
    with refused_url() as url:
        assert await best_installed(url, LocalLibrary(tmp_path)) is None


def add(library: LocalLibrary, name: str, content: bytes) -> Path:
    """Puts a model into the library; its file."""
    file = library.directory_of(name) / "m.gguf"
    file.write_bytes(content)
    part = ModelPart(file=file.name, size=len(content))
    return library.add(name, Manifest(source="a test", parts=[part])).path


async def test_the_library_s_best_model_is_found_without_ollama(tmp_path: Path) -> None:
    """One that cannot chat and one that is damaged are none; the starter is the last resort."""
    library = LocalLibrary(tmp_path)
    add(library, "vectors", gguf_bytes({"general.architecture": "bert"}))
    add(library, "qwen2.5-coder:7b", chat_model()).write_bytes(b"half")
    add(library, "llama3.2:3b", chat_model({"general.size_label": "3B"}))
    add(library, "qwen2.5-coder:1.5b", chat_model({"general.size_label": "1.5B"}))
    with refused_url() as url:
        assert await best_installed(url, library) == "local/llama3.2:3b"
        library.remove("llama3.2:3b")
        assert await best_installed(url, library) == "local/qwen2.5-coder:1.5b"


async def test_the_same_model_is_taken_from_ollama(tmp_path: Path) -> None:
    """Where both have it, a server that may use the graphics card; a better local one wins."""
    library = LocalLibrary(tmp_path)
    add(library, "qwen2.5-coder:7b", chat_model({"general.size_label": "7B"}))
    with FakeOllama(models=(Pulled("qwen2.5-coder:7b", 10**6, parameter_size="7.6B"),)) as fake:
        assert await best_installed(fake.url, library) == "ollama/qwen2.5-coder:7b"
        add(library, "qwen3-coder:30b", chat_model({"general.size_label": "30B"}))
        assert await best_installed(fake.url, library) == "local/qwen3-coder:30b"


async def test_a_file_that_is_named_to_draft_judges_where_it_is_better(tmp_path: Path) -> None:
    """A smaller judge and reviewer would spoil its drafts; a smaller file changes nothing, nor does
    one that is not there."""
    library = LocalLibrary(tmp_path / "my-code")
    add(library, "qwen2.5-coder:1.5b", chat_model({"general.size_label": "1.5B"}))
    for size, wins in (("0.5B", False), ("7B", True), ("", False)):
        file = tmp_path / f"qwen2.5-coder-{size}.gguf"
        if size:
            file.write_bytes(chat_model({"general.size_label": size}))
        named = f"local/{file}"
        with refused_url() as url:
            settings = Settings(
                OLLAMA_HOST=url, MODELS_DIR=library.directory, CODER_MODEL_NAME=(named,)
            )
            async with async_closing(Registry(settings)) as models:
                await models.resolve(settings)
                others = {models.name_for(role, settings) for role in ("judge", "reviewer")}
        assert others == {named if wins else "local/qwen2.5-coder:1.5b"}


@pytest.mark.parametrize("there", [False, True])
def test_where_no_ollama_listens_its_client_is_not_loaded(there: bool) -> None:
    """`auto` asks whether somebody listens before it loads an HTTP client, a seventh of what an
    idle daemon takes."""
    code = (
        "import sys, uvloop\n"
        "from config import load_settings\n"
        "from pipeline.models.registry import Registry\n"
        "settings = load_settings()\n"
        "models = Registry(settings)\n"
        "uvloop.run(models.resolve(settings))\n"
        "print(models.auto, 'aiohttp' in sys.modules)"
    )
    pulled = (Pulled("qwen2.5-coder:1.5b", 10**6, parameter_size="1.5B"),)
    with FakeOllama(models=pulled) as fake, refused_url() as nobody:
        ended = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "OLLAMA_HOST": fake.url if there else nobody},
            cwd=Path(__file__).parent.parent,
            capture_output=True,
            text=True,
            check=True,
        )
    found = "ollama/qwen2.5-coder:1.5b True" if there else "local/starter False"
    assert ended.stdout.strip() == found


async def test_a_coder_elsewhere_is_not_judged_by_a_small_model_here(tmp_path: Path) -> None:
    """Nobody can weigh it, and whoever names one has reason to."""
    library = LocalLibrary(tmp_path / "my-code")
    add(library, "qwen2.5-coder:1.5b", chat_model({"general.size_label": "1.5B"}))
    with refused_url() as url:
        settings = Settings(
            OLLAMA_HOST=url, MODELS_DIR=library.directory, CODER_MODEL_NAME=("hosted_vllm/big",)
        )
        async with async_closing(Registry(settings)) as models:
            await models._auto.look()
            assert models.name_for("judge", settings) == "hosted_vllm/big"
