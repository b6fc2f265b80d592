"""Real models without Ollama: the first five minutes, over a fake hub."""

import fcntl
import json
import os
import pty
import re
import signal
import subprocess
import tempfile
import termios
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fake_hub import FakeHub, fake_hub
from fakes import FakeOllama, refused_url
from ggufs import chat_model, gguf_bytes, of_another_kind, split
from processes import LAIOS, daemon_here, invoke, laios, on_a_terminal, wait_for

from config import load_settings
from pipeline.errors import BadRequest, ContextTooLong, ModelFailed, ModelNotFound
from pipeline.model import Delta, End, Frame
from pipeline.models import auto_model
from pipeline.models.catalog import CATALOG
from pipeline.models.gguf import read_header
from pipeline.models.local_library import MANIFEST, LocalLibrary, Manifest, ModelPart
from pipeline.models.model_footprint import footprint
from pipeline.models.ollama_library import PullFrame
from pipeline.models.recommendation import recommend, recommended_here
from pipeline.models.registry import Registry
from pipeline.models.starter import DIRECTORY
from pipeline.models.starter_note import FACT, TRAINED, with_command
from server import model_offer
from server.downloads import first_model, found_models
from server.inventory.model_inventory import take_inventory
from server.terminal.pull_progress import bars

pytestmark = pytest.mark.only_when(
    "pipeline/models/",
    "server/downloads/",
    "server/model_offer.py",
    "server/inventory/",
    "server/commands/models.py",
    "server/commands/pull.py",
    "server/commands/import_models.py",
    "server/commands/remove.py",
    "server/terminal/",
)

MODEL = (DIRECTORY / "coder.gguf").read_bytes()
REPOSITORY = "somebody/tiny-GGUF"
PULLED = f"local/hf.co/{REPOSITORY}:Q8_0"
SNAPSHOT = "models--somebody--tiny-GGUF/snapshots/0123"  # of it, in Hugging Face's cache
GB = 2**30


@pytest.fixture(autouse=True)
def no_ollama(monkeypatch: pytest.MonkeyPatch, free_port: int) -> Iterator[None]:
    """Nor a daemon that somebody runs, which would answer in place of these models."""
    monkeypatch.setenv("LAIOS_PORT", str(free_port))
    with refused_url() as nowhere:
        monkeypatch.setenv("OLLAMA_HOST", nowhere)
        yield


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeHub]:
    """For processes, which read HF_ENDPOINT when they begin."""
    with fake_hub(repositories={REPOSITORY: {"tiny-Q8_0.gguf": MODEL}}) as server:
        monkeypatch.setenv("HF_ENDPOINT", server.url)
        monkeypatch.delenv("HF_TOKEN", raising=False)
        yield server


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LocalLibrary:
    monkeypatch.setenv("LAIOS_MODELS_DIR", str(tmp_path / "models"))
    monkeypatch.setenv("OLLAMA_MODELS", str(tmp_path / "home/.ollama/models"))
    return LocalLibrary(tmp_path / "models")


def add(library: LocalLibrary, name: str, content: bytes = MODEL, file: str = "m.gguf") -> None:
    (library.directory_of(name) / file).write_bytes(content)
    part = ModelPart(file=file, size=len(content))
    library.add(name, Manifest(source="a test", parts=[part]))


def test_from_nothing_to_a_real_model(hub: FakeHub, library: LocalLibrary) -> None:
    """Pulled, listed, taken by `auto`, used, shown, removed: and the starter is back."""
    done = laios("models", "pull", f"hf.co/{REPOSITORY}:q8_0")
    assert (done.stdout, done.returncode) == (f"{PULLED}\n", 0)
    assert "licence apache-2.0" in done.stderr and "SHA-256 matches" in done.stderr
    listed = json.loads(invoke("models", "--json").stdout)
    assert {role["model"] for role in listed["roles"].values()} == {PULLED}
    [row] = [each for each in listed["models"] if each["name"] == PULLED]
    assert (row["size"], row["quantization"], row["context_length"]) == (len(MODEL), "Q8_0", 1024)
    manifest = library.directory / PULLED.removeprefix("local/") / "model.json"
    os.utime(manifest, (0, 0))
    done = laios("run", "///raw", "reverse a string")
    assert done.returncode == 0 and done.stdout
    assert manifest.stat().st_mtime > 0  # its last use
    shown = json.loads(invoke("models", "show", PULLED, "--json").stdout)
    assert shown["source"] == f"hf.co/{REPOSITORY}" and len(shown["sha256"][0]) == 64
    assert invoke("models", "remove", PULLED).stdout == f"{PULLED} removed, 2 MB freed\n"
    assert list(library.directory.glob("hf.co")) == []
    listed = json.loads(invoke("models", "--json").stdout)
    assert listed["roles"]["coder"]["model"] == "local/starter"


def test_the_starter_cannot_be_removed(library: LocalLibrary) -> None:
    """It is in the list, but it is no file of the user's; what is not there is said to be so."""
    for name in ("local/starter", "starter"):
        done = invoke("models", "remove", name)
        assert done.returncode == 1 and "comes with laios and cannot be removed" in done.stderr
    assert "There is no local/nope here" in invoke("models", "remove", "nope").stderr


def test_a_pull_goes_by_a_proxy(
    hub: FakeHub, library: LocalLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    """HTTP_PROXY's and HTTPS_PROXY's, which are asked for a host that there is not."""
    for name in ("NO_PROXY", "no_proxy", "http_proxy", "https_proxy"):
        monkeypatch.delenv(name, raising=False)
    asked = ("models", "pull", f"hf.co/{REPOSITORY}:Q8_0")
    done = laios(*asked, HF_ENDPOINT="http://hub.invalid", HTTP_PROXY=hub.url)
    assert (done.stdout, done.returncode) == (f"{PULLED}\n", 0)
    done = laios(*asked, HF_ENDPOINT="https://hub.invalid", HTTPS_PROXY=hub.url)
    assert done.returncode == 3 and "(HTTPS_PROXY)" in done.stderr
    assert hub.requests[-1][:2] == ("CONNECT", "hub.invalid:443")


def test_status_names_the_command_that_gets_a_real_model(library: LocalLibrary) -> None:
    """While every role is the starter's, with an Ollama that has no model and without one."""
    command = f"A real one: laios models pull {recommended_here().name}\n"
    with FakeOllama(models=()) as ollama:
        for where in ({}, {"OLLAMA_HOST": ollama.url}):
            with daemon_here(**where):
                assert command in invoke("status", **where).stdout


def test_a_pull_on_a_terminal_has_a_bar(hub: FakeHub, library: LocalLibrary) -> None:
    """The file's name and its bytes are drawn."""
    shown, code = on_a_terminal("models", "pull", f"hf.co/{REPOSITORY}:Q8_0")
    assert code == 0
    assert "tiny-Q8_0.gguf" in shown and "1.7/1.7 MB" in shown and PULLED in shown


def test_a_bar_says_how_fast_it_goes_and_what_is_left(capsys: pytest.CaptureFixture[str]) -> None:
    """As soon as it has seen two pieces come."""
    with bars() as report:
        for completed in (0, 1_000_000, 2_000_000):
            report(PullFrame(status="pulling x", digest="x", total=9_000_000, completed=completed))
            time.sleep(0.02)
    assert re.search(r"2\.0/9\.0 MB [\d.]+ MB/s \d:\d\d:\d\d", capsys.readouterr().err)


def test_ctrl_c_keeps_what_has_come(hub: FakeHub, library: LocalLibrary) -> None:
    """It ends without a trace, and the same command takes up what has come."""
    hub.cut, hub.hold = [1_000_000], threading.Event()
    words = [LAIOS, "models", "pull", f"hf.co/{REPOSITORY}:Q8_0"]
    process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
    wait_for(lambda: [path for path in library.directory.glob(".partial/*") if path.stat().st_size])
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=20)[1]
    assert process.returncode == 130 and "continues from here" in said and "Traceback" not in said
    hub.hold.set()
    assert laios(*words[1:]).returncode == 0
    assert (hub.sent()[-1] or "").startswith("bytes=")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["qwen2.5-coder"], 1, "there is qwen2.5-coder:0.5b"),
        (["qwen2.5-coder-1.5b"], 1, "there is qwen2.5-coder:1.5b"),
        (["qwen9:9b"], 1, "laios models catalog"),
        (["x/y.gguf"], 1, "laios models import FILE"),
        (["nomic-embed-text"], 1, "--engine ollama"),
        (["https://h/page.html"], 2, "not the address of a model file"),
        (["https://h/x.gguf", "--engine", "ollama"], 2, "cannot be pulled"),
        (["local/x", "--engine", "ollama"], 2, "cannot be pulled"),
        (["qwen2.5-coder:0.5b"], 3, "cannot be reached"),
    ],
)
def test_what_cannot_be_pulled_is_said(
    library: LocalLibrary, words: list[str], code: int, said: str
) -> None:
    """1 for what is not there, 2 for what cannot be meant, 3 without a connection."""
    done = invoke("models", "pull", *words)
    assert (done.returncode, done.stdout) == (code, "")
    assert said in done.stderr


def test_the_list_says_what_is_damaged_and_what_a_real_model_takes(library: LocalLibrary) -> None:
    """A damaged model plays no role; the command for this machine stands below the list."""
    add(library, "qwen2.5-coder:7b", chat_model())
    library.get("qwen2.5-coder:7b").path.write_bytes(b"half")
    done = invoke("models")
    [row] = [line for line in done.stdout.splitlines() if "qwen2.5-coder:7b" in line]
    assert "damaged" in row
    assert done.stderr.endswith(f"laios models pull {recommended_here().name}\n")
    done = invoke("run", "///raw x", LAIOS_CODER_MODEL_NAME="local/qwen2.5-coder:7b")
    assert done.returncode == 1 and "is damaged" in done.stderr


async def test_a_model_that_may_not_be_looked_at_is_damaged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A link into a directory that another user alone may enter: it is named in the list and
    refused as any other damaged model, after which the role's next one is asked."""
    with tempfile.TemporaryDirectory() as directory:
        (top := Path(directory)).chmod(0o755)
        (others := top / "others").mkdir()
        (others / "mine.gguf").write_bytes(MODEL)
        monkeypatch.setenv("LAIOS_MODELS_DIR", str(top / "models"))
        library = LocalLibrary(top / "models")
        found_models.link(library, found_models.model_at(others / "mine.gguf"))
        inventory = await take_inventory(load_settings())
        others.chmod(0o000)
        with as_nobody():
            faults = {row["name"]: row.get("fault") for row in inventory.rows()}
            with pytest.raises(ModelNotFound, match=r"mine is damaged.+denied"):
                library.get("mine")
        others.chmod(0o755)
    assert "mine.gguf cannot be read: permission denied" in faults["local/mine"]


def test_a_model_that_is_not_there_names_its_pull(library: LocalLibrary) -> None:
    """As a role's model it is missing, not misspelt."""
    done = invoke("run", "///raw x", LAIOS_CODER_MODEL_NAME="local/qwen2.5-coder:7b")
    assert done.returncode == 1 and "laios models pull qwen2.5-coder:7b" in done.stderr
    done = invoke("models", "remove", "qwen2.5-coder:7b")
    assert done.returncode == 1 and "no local/qwen2.5-coder:7b" in done.stderr


async def test_a_window_beyond_the_memory_is_refused_to_its_own_run_alone(
    pipeline_with: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Short requests after it do not ask for that window: they come as far as the engine, which
    cannot load this file."""
    path = tmp_path / "m.gguf"
    path.write_bytes(chat_model({"llama.context_length": 32_768}))
    each = read_header(path).cache_bytes
    assert each
    memory = footprint(path.stat().st_size, each, 8192)
    monkeypatch.setattr("pipeline.models.model_file.total_memory", lambda: memory)
    settings = {"CODER_MODEL_NAME": f"local/{path}", "MAX_OUTPUT_TOKENS": 512}
    async with pipeline_with({"reply": "x"}, **settings) as run:
        with pytest.raises(ContextTooLong, match="GB of memory with a window of 32,768"):
            await run("///raw Write it well: " + "add " * 12_000)
        with pytest.raises(ModelFailed, match="cannot load it"):
            await run("///raw add")


async def test_a_model_that_came_again_under_another_file_name_is_there(
    library: LocalLibrary,
) -> None:
    """Pulled once, removed, imported from another program's files: the daemon that runs has it."""
    names = {f"{role}_MODEL_NAME": "local/a:1b" for role in ("CODER", "JUDGE", "REVIEWER")}
    settings = load_settings(**names)
    models = Registry(settings)
    add(library, "a:1b")
    assert await models.problems(settings) == []
    library.remove("a:1b")
    assert [each.code for each in await models.problems(settings)] == ["model_not_found"]
    add(library, "a:1b", file="other.gguf")
    assert await models.problems(settings) == []
    assert (await models.stored_models(settings, ["coder"]))["local/a:1b"].size == len(MODEL)
    await models.close()


def test_names_within_names_are_removed_one_by_one(library: LocalLibrary) -> None:
    """What lies below the same directory stays."""
    add(library, "a")
    add(library, "a/b")
    invoke("models", "remove", "local/a")
    assert [entry.name for entry in library.entries()] == ["a/b"]


@pytest.mark.parametrize("name", ["../x", "/x", ".x", "a//b", "starter", "x.gguf", "a b", "a:b:c"])
def test_a_name_never_leads_out_of_the_library(library: LocalLibrary, name: str) -> None:
    """It is refused as a place, and never found."""
    with pytest.raises(BadRequest):
        library.directory_of(name)
    assert library.find(name) is None


def ollama_model(home: Path, tag: str, content: bytes) -> None:
    models = home / ".ollama" / "models"
    blob = models / "blobs" / f"sha256-{tag}"
    manifest = models / "manifests" / "registry.ollama.ai" / "library" / "tiny" / tag
    for path in (blob, manifest):
        path.parent.mkdir(parents=True, exist_ok=True)
    blob.write_bytes(content)
    layer = {"mediaType": "application/vnd.ollama.image.model", "digest": f"sha256:{tag}"}
    manifest.write_text(json.dumps({"layers": [layer]}))
    for stray in (models / "manifests", models / "manifests" / "registry.ollama.ai"):
        (stray / "backup").write_bytes(manifest.read_bytes())  # where Ollama looks for none


def test_other_programs_models_are_found_and_linked(library: LocalLibrary, tmp_path: Path) -> None:
    """Hugging Face's cache, LM Studio's directory and Ollama's blobs: listed, linked, used; the
    removal leaves the files."""
    home = tmp_path / "home"
    snapshot = Path(os.environ["XDG_CACHE_HOME"]) / "huggingface/hub" / SNAPSHOT
    studio = home / ".lmstudio/models/another/small-GGUF"
    for directory in (snapshot, studio):
        directory.mkdir(parents=True)
    (snapshot / "tiny-q8.gguf").write_bytes(MODEL)
    for number, part in enumerate(split(MODEL), 1):
        (studio / f"small-0000{number}-of-00002.gguf").write_bytes(part)
    (studio / "lone-00001-of-00003.gguf").write_bytes(MODEL)
    (studio / "mmproj-small.gguf").write_bytes(chat_model())
    (studio / "broken.gguf").write_bytes(b"half")
    ollama_model(home, "1b", MODEL)
    listed = invoke("models", "import").stdout.splitlines()
    names = [line.split()[0] for line in listed[1:4]]
    assert names == ["hf.co/another/small-GGUF:Q8_0", f"hf.co/{REPOSITORY}:Q8_0", "tiny:1b"]
    for name in names:
        assert invoke("models", "import", name).stdout == f"local/{name}\n"
    assert len(library.get(names[0]).manifest.parts) == 2
    link = library.get("tiny:1b").path
    assert link.is_symlink() and link.read_bytes() == MODEL
    assert (
        "def "
        in laios("run", "///raw", "reverse a string", LAIOS_CODER_MODEL_NAME="local/tiny:1b").stdout
    )
    assert "0 B freed" in invoke("models", "remove", "tiny:1b").stdout
    assert (home / ".ollama/models/blobs/sha256-1b").read_bytes() == MODEL


@pytest.mark.parametrize(
    ("variables", "place"),
    [
        ({}, "home/.cache/huggingface/hub"),
        ({"XDG_CACHE_HOME": "{}/xdg"}, "xdg/huggingface/hub"),
        ({"HF_HOME": "~/hf", "XDG_CACHE_HOME": "{}/xdg"}, "home/hf/hub"),
        ({"HF_HOME": "$HOME/hf"}, "home/hf/hub"),
        ({"HF_HOME": "hf"}, "hf/hub"),
        ({"HUGGINGFACE_HUB_CACHE": "{}/old", "HF_HOME": "{}/hf"}, "old"),
        ({"HF_HUB_CACHE": "~/new", "HUGGINGFACE_HUB_CACHE": "{}/old"}, "home/new"),
    ],
)
def test_hugging_face_s_cache_is_where_its_own_tools_have_it(
    variables: dict[str, str],
    place: str,
    library: LocalLibrary,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By the variables that they read; from a relative one, too, a link leads to the file."""
    for name in ("XDG_CACHE_HOME", "HF_HOME", "HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    for name, value in variables.items():
        monkeypatch.setenv(name, value.format(tmp_path))
    snapshot = tmp_path / place / SNAPSHOT
    snapshot.mkdir(parents=True)
    (snapshot / "tiny-q8.gguf").write_bytes(MODEL)
    [model] = found_models.find_models()
    assert model.path == snapshot / "tiny-q8.gguf"
    assert found_models.link(library, model).fault() == ""


@contextmanager
def as_nobody() -> Iterator[None]:
    """Root may read everything; anybody else is not root already."""
    if os.geteuid():
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_ollama_s_models_are_found_where_its_service_has_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside those of one's own server; OLLAMA_MODELS names another place for all."""
    service, own = tmp_path / "service", tmp_path / "home"
    monkeypatch.setattr(found_models, "OLLAMA_SERVICE", service / ".ollama/models")
    monkeypatch.setenv("HOME", str(own))
    monkeypatch.delenv("OLLAMA_MODELS", raising=False)
    ollama_model(service, "1b", MODEL)
    ollama_model(own, "3b", MODEL)
    assert [each.name for each in found_models.find_models()] == ["tiny:1b", "tiny:3b"]
    monkeypatch.setenv("OLLAMA_MODELS", str(own / ".ollama/models"))
    assert [each.name for each in found_models.find_models()] == ["tiny:3b"]


@pytest.mark.parametrize(
    ("closed", "mode"),
    [("models/manifests", 0o000), ("models/manifests", 0o644), (".", 0o000)],
)
def test_models_that_may_not_be_read_are_not_there(
    closed: str, mode: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A directory that may not be listed, or listed and not entered, as another user's Ollama may
    have it, is passed over; so is all that lies below one."""
    with tempfile.TemporaryDirectory() as directory:
        home = Path(directory)
        ollama_model(home, "1b", MODEL)
        home.chmod(0o755)
        monkeypatch.setenv("HOME", directory)
        monkeypatch.setenv("OLLAMA_MODELS", str(home / ".ollama/models"))
        with as_nobody():
            assert [each.name for each in found_models.find_models()] == ["tiny:1b"]
        shut = home / ".ollama" / closed
        shut.chmod(mode)
        with as_nobody():
            assert found_models.find_models() == []
        shut.chmod(0o755)


UNNAMED = {"general.architecture": "llama", "tokenizer.chat_template": "{{ messages }}"}
STUDIO = "hf.co/another/small-coder-GGUF:Q8_0"
HERE = f"laios models import {STUDIO} (LM Studio has it here), or laios models pull "


@pytest.fixture
def studio(tmp_path: Path) -> Path:
    """LM Studio's directory of a model that it has fetched, smaller ones beside it."""
    directory = tmp_path / "home/.lmstudio/models/another/small-coder-GGUF"
    plain = directory.parent.parent / "x/small-chat-GGUF"
    for each in (directory, plain):
        each.mkdir(parents=True)
    (directory / "small-coder-q8.gguf").write_bytes(MODEL)
    (plain / "small-chat.gguf").write_bytes(chat_model())
    (plain / "no name to type.gguf").write_bytes(gguf_bytes(UNNAMED))
    return directory


def test_a_model_that_is_here_is_named_before_the_one_to_fetch(
    library: LocalLibrary, studio: Path
) -> None:
    """By the list of models, doctor and the starter's list; once it is used, by none of them."""
    assert HERE + recommended_here().name in invoke("models").stderr
    assert HERE + recommended_here().name in invoke("models", "starter").stdout
    findings = json.loads(invoke("doctor", "--no-probe", "--json").stdout)["findings"]
    assert any(HERE in finding["fix"] for finding in findings)
    assert invoke("models", "import", STUDIO).returncode == 0
    done = invoke("models")
    assert STUDIO in done.stdout and "laios models import" not in done.stderr


def test_a_model_that_is_here_and_too_large_is_not_named(
    library: LocalLibrary, studio: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor is anything where what is here cannot be read; the next best one is."""
    with (studio / "small-coder-q8.gguf").open("ab") as file:
        file.truncate(1 << 30)
    monkeypatch.setattr(first_model, "total_memory", lambda: 1 << 30)
    found = first_model.best_found()
    assert found and found.name == "hf.co/x/small-chat-GGUF:Q4_K_M"
    monkeypatch.setattr(first_model, "LOOK_S", -1.0)
    assert first_model.best_found() is None
    assert first_model.commands_here(None) == f"laios models pull {recommended_here().name}"


def test_a_file_of_one_s_own_is_imported_by_its_path(library: LocalLibrary, tmp_path: Path) -> None:
    """Under its own name; one that is no chat model, not all of one, or that llama.cpp cannot load
    is refused with the reason."""
    (tmp_path / "mine.gguf").write_bytes(MODEL)
    assert invoke("models", "import", str(tmp_path / "mine.gguf")).stdout == "local/mine\n"
    (tmp_path / "bad.gguf").write_bytes(b"text")
    (tmp_path / "half.gguf").write_bytes(MODEL[:-1000])
    (tmp_path / "m-00001-of-00003.gguf").write_bytes(MODEL)
    (tmp_path / "odd.gguf").write_bytes(of_another_kind(MODEL))
    for file, why in (
        ("bad", "is not a GGUF model"),
        ("half", "half.gguf is cut off"),
        ("m-00001-of-00003", "one of 3 parts of a model, with 0 of the others beside it"),
        ("odd", "unknown model architecture: 'odder'. It is damaged, or too new"),
        ("nothing", "No model file at"),
    ):
        done = invoke("models", "import", str(tmp_path / f"{file}.gguf"))
        assert done.returncode == 1 and why in done.stderr
    assert [entry.name for entry in library.entries()] == ["mine"]


def test_a_file_in_parts_is_as_large_as_all_of_them(tmp_path: Path) -> None:
    """Shown by its path, and weighed where a role names it."""
    parts = split(MODEL)
    for number, part in enumerate(parts, 1):
        (tmp_path / f"m-0000{number}-of-00002.gguf").write_bytes(part)
    name = f"local/{tmp_path}/m-00001-of-00002.gguf"
    shown = json.loads(invoke("models", "show", name, "--json").stdout)
    weighed = auto_model._file_of(name)
    assert weighed and weighed.size == shown["size"] == sum(map(len, parts))


def test_an_imported_file_has_a_name_even_where_its_own_has_blanks(
    library: LocalLibrary, tmp_path: Path
) -> None:
    """It is shown with its provider and without. Another file that gets its name says so; once the
    file is gone, what is said is where it was, for it cannot be pulled."""
    file = tmp_path / "my model (Q8).gguf"
    file.write_bytes(MODEL)
    assert invoke("models", "import", str(file)).stdout == "local/my-model-Q8\n"
    shown = invoke("models", "show", "my-model-Q8").stdout
    assert str(file) in shown and shown == invoke("models", "show", "local/my-model-Q8").stdout
    done = invoke("models", "use", "coder", "my-model-Q8")
    assert done.returncode == 2 and "such as local/my-model-Q8." in done.stderr
    other = tmp_path / "my-model-Q8.gguf"
    other.write_bytes(MODEL)
    assert f"It takes the place of {file}" in invoke("models", "import", str(other)).stderr
    links = {path.name for path in library.get("my-model-Q8").path.parent.iterdir()}
    assert links == {other.name, MANIFEST} and file.exists()
    own = library.get("my-model-Q8").path.with_name("my model-Q8.gguf")
    own.write_bytes(MODEL)  # no link: put there by hand
    invoke("models", "import", str(own))
    invoke("models", "import", str(other))
    assert own.exists() and library.get("my-model-Q8").path.name == other.name
    own.unlink()
    assert invoke("models", "import", str(other)).stderr == ""
    invoke("models", "import", str(file))
    file.unlink()
    done = invoke("run", "///raw x", LAIOS_CODER_MODEL_NAME="local/my-model-Q8")
    assert f"It was imported from {file}: put the file back" in done.stderr
    assert "models pull" not in done.stderr


def test_an_import_of_what_auto_will_not_take_says_so(
    library: LocalLibrary, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is imported, and can be named."""
    (tmp_path / "mine.gguf").write_bytes(MODEL)
    monkeypatch.setattr("pipeline.models.machine.total_memory", lambda: len(MODEL))
    done = invoke("models", "import", str(tmp_path / "mine.gguf"))
    assert (done.stdout, done.returncode) == ("local/mine\n", 0)
    assert "laios models use coder local/mine" in done.stderr


def test_what_cannot_be_imported_is_told_with_what_can(
    library: LocalLibrary, tmp_path: Path
) -> None:
    """What there is to import, and, as a file gives the model its name, what a name may be."""
    for name in ("nothing:1b", "n" * 300):
        done = invoke("models", "import", name)
        assert ", or the path of a .gguf file" in done.stderr and done.returncode == 1
    (tmp_path / "模型.gguf").write_bytes(MODEL)
    done = invoke("models", "import", str(tmp_path / "模型.gguf"))
    assert "'模型' is not a valid model name" in done.stderr and done.returncode == 2
    assert "ASCII letters, digits and . _ + -" in done.stderr and library.entries() == []


def test_a_file_that_lies_in_its_place_already_is_imported_and_stays(library: LocalLibrary) -> None:
    """Somebody has put it into the library by hand; what else is there is no part of the model."""
    place = library.directory / "mine"
    place.mkdir(parents=True)
    (place / "mine.gguf").write_bytes(MODEL)
    (place / "adapter.gguf").write_bytes(b"another file")
    for _ in range(2):
        assert invoke("models", "import", str(place / "mine.gguf")).stdout == "local/mine\n"
        assert (place / "mine.gguf").read_bytes() == MODEL
        assert [part.file for part in library.get("mine").manifest.parts] == ["mine.gguf"]


@pytest.mark.parametrize(
    ("memory", "cores", "name"),
    [
        (1 * GB, 1, "qwen2.5-coder:0.5b"),
        (8 * GB, 2, "qwen2.5-coder:1.5b"),
        (16 * GB, 4, "qwen2.5-coder:1.5b"),
        (16 * GB, 8, "qwen2.5-coder:7b"),
        (32 * GB, 8, "qwen3-coder:30b"),
        (None, 2, "qwen2.5-coder:1.5b"),
    ],
)
def test_the_model_for_a_machine_goes_by_memory_and_cores(
    memory: int | None, cores: int, name: str
) -> None:
    """The largest that it can hold with its window and that it can run briskly; never one whose
    licence forbids work."""
    assert recommend(memory, cores).name == name


def test_the_catalogue_is_listed_with_the_one_that_fits() -> None:
    """All of it, with what it takes; the command stands below."""
    done = invoke("models", "catalog")
    assert all(model.name in done.stdout for model in CATALOG)
    best = recommended_here().name
    assert f"*  {best}" in done.stdout and f"laios models pull {best}\n" in done.stdout
    rows = json.loads(invoke("models", "catalog", "--json").stdout)
    assert [row["name"] for row in rows if row["fits_best"]] == [best]
    assert all(row["need"] > row["size"] for row in rows)


async def frames(*texts: str) -> list[Frame]:
    async def said():
        for text in texts:
            yield Delta(text)
        yield End("stop", 1, 1)

    return [frame async for frame in with_command(said())]


async def test_the_starter_s_note_names_the_command_for_this_machine() -> None:
    """In whatever pieces it comes; other text passes as it is, and what only begins like the note
    is not lost."""
    best = f"{FACT} For a real model: laios models pull {recommended_here().name}"
    for pieces in ([TRAINED], list(TRAINED), ["", TRAINED[:50], TRAINED[50:]]):
        assert await frames(*pieces) == [Delta(best), End("stop", 1, 1)]
    for pieces in (["# RE", "ST of it"], ["x = 1", "\n"], [TRAINED, " And more."], ["# REVIEWER"]):
        found = await frames(*pieces)
        assert "".join(each.text for each in found if isinstance(each, Delta)) == "".join(pieces)
    assert await frames() == [End("stop", 1, 1)]


def take_terminal() -> None:
    """In a new process: the terminal on its stdin becomes its own, as a shell would give it."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def serve_on_a_terminal(answer: bytes, until: str) -> str:
    """What `laios serve` shows on a terminal up to `until`, with an answer typed to its question;
    then it is stopped."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [LAIOS, "serve", "--port", "0"],
        env={**os.environ, "TERM": "dumb", "COLUMNS": "200"},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        preexec_fn=take_terminal,
    )
    os.close(theirs)
    shown = b""
    try:
        while until.encode() not in shown:
            shown += os.read(ours, 65536)
            if b"[y/N]" in shown and answer:
                os.write(ours, answer)
                answer = b""
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(20)
        os.close(ours)
    return shown.decode()


def test_no_is_remembered(library: LocalLibrary) -> None:
    """laios names the model for this machine with its size and asks; after a no, never again."""
    shown = serve_on_a_terminal(b"\n", until="will not be asked again")
    best = recommended_here()
    assert f"Download {best.name} (" in shown and "laios keeps running meanwhile. [y/N]" in shown
    assert f"laios models pull {best.name}" in shown
    assert "[y/N]" not in serve_on_a_terminal(b"", until='"prompt"')


def test_what_is_here_is_offered_instead_of_a_fetch(library: LocalLibrary, studio: Path) -> None:
    """At first use: named by the banner, asked for, linked after a yes."""
    shown = serve_on_a_terminal(b"y\n", until="is ready: the next request uses it.")
    assert shown.index(HERE) < shown.index(f"Use {STUDIO} (LM Studio, ") < shown.index("[y/N]")
    assert "Fetch" not in shown
    assert library.get(STUDIO).path.is_symlink()


def test_no_to_what_is_here_is_remembered(library: LocalLibrary, studio: Path) -> None:
    """With the command for later."""
    shown = serve_on_a_terminal(
        b"n\n", until="will not be asked again. To do it later: laios models im"
    )
    assert library.entries() == [] and HERE in shown
    assert "[y/N]" not in serve_on_a_terminal(b"", until='"prompt"')


def test_yes_that_fails_leaves_the_daemon_serving(hub: FakeHub, library: LocalLibrary) -> None:
    """The hub is asked for the model and nothing else; what it says stands on the terminal."""
    shown = serve_on_a_terminal(b"y\n", until="Error: ")
    assert shown.index("laios listens") < shown.index("[y/N]") < shown.index("Error: ")
    asked = [path for _, path, _ in hub.requests]
    assert asked and all(recommended_here().repository in path for path in asked)


async def test_yes_fetches_the_model(
    hub: FakeHub, library: LocalLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is in the library then, and somebody is told."""

    async def yes() -> str:
        return "y"

    tiny = replace(CATALOG[0], name=PULLED.removeprefix("local/"))
    monkeypatch.setattr(model_offer, "recommended_here", lambda: tiny)
    monkeypatch.setattr(model_offer, "_line", yes)
    told: list[str] = []
    await model_offer.ModelOffer(library.directory, told.append).make()
    assert library.get(tiny.name).path.read_bytes() == MODEL
    assert told[-1].endswith("is ready: the next request uses it.")


def test_without_a_terminal_nobody_is_asked(library: LocalLibrary) -> None:
    """The command is printed, and laios goes on."""
    words = [LAIOS, "serve", "--port", "0"]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr
        said = ""
        for line in process.stderr:
            said += line
            if line.startswith("    -d "):
                break
        process.terminate()
    assert f"laios models pull {recommended_here().name}" in said and "[y/N]" not in said
