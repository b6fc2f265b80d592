"""`laios models`: what there is, getting more, and choosing."""

import json
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from fakes import FakeOllama, Pulled, refused_url
from processes import LAIOS, invoke, laios, on_a_terminal, wait_for

from config import load_settings

pytestmark = pytest.mark.only_when(
    "server/commands/models.py",
    "server/commands/pull.py",
    "server/commands/remove.py",
    "server/commands/catalog.py",
    "server/inventory/",
    "server/terminal/",
    "laios/",
)

GENERAL = Pulled("llama3.1:8b", 4_900_000_000, "llama", "8.0B", 131072)


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeOllama]:
    with FakeOllama(models=(Pulled("qwen2.5-coder:7b"), GENERAL)) as server:
        monkeypatch.setenv("OLLAMA_HOST", server.url)
        yield server


@pytest.fixture
def config(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    path = tmp_path / "settings" / "config.toml"
    monkeypatch.setenv("LAIOS_CONFIG", str(path))
    return path


def rows(text: str) -> dict[str, str]:
    return {line.split()[0]: line for line in text.splitlines() if line}


def test_the_list_has_roles_and_models(fake: FakeOllama) -> None:
    """Who plays what and by which setting; size, family, window, and what is loaded now."""
    fake.loaded["qwen2.5-coder:7b"] = 16384
    shown = rows(laios("models").stdout)
    assert shown["coder"].split() == ["coder", "ollama/qwen2.5-coder:7b", "auto"]
    assert "4.7 GB  qwen2   32,768" in shown["ollama/qwen2.5-coder:7b"]
    assert shown["ollama/qwen2.5-coder:7b"].endswith("coder; judge; reviewer; loaded, 4.7 GB")
    assert "131,072" in shown["ollama/llama3.1:8b"]
    assert "local/starter" in shown
    listed = json.loads(invoke("models", "list", "--json").stdout)
    assert listed["roles"]["judge"] == {"setting": "auto", "model": "ollama/qwen2.5-coder:7b"}
    models = {model["name"]: model for model in listed["models"]}
    assert models["ollama/qwen2.5-coder:7b"]["loaded"]["size"] == 4_700_000_000
    assert models["ollama/llama3.1:8b"]["context_length"] == 131072
    assert models["ollama/llama3.1:8b"]["roles"] == []


def test_the_list_without_ollama_has_the_starter(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is no failure: the starter works. Why there is no more stands on stderr."""
    with refused_url() as nowhere:
        monkeypatch.setenv("OLLAMA_HOST", nowhere)
        done = invoke("models")
        listed = json.loads(invoke("models", "--json").stdout)
    assert done.returncode == 0
    assert rows(done.stdout)["coder"].split()[1] == "local/starter"
    assert "ollama serve" in done.stderr and "ollama serve" in listed["ollama"]["error"]


def test_one_model_in_detail(fake: FakeOllama, tmp_path: Path) -> None:
    """Ollama's with or without the provider, the starter, a file; what is not there is 1, and who
    does not answer 3."""
    shown = invoke("models", "show", "llama3.1:8b").stdout
    assert shown == invoke("models", "show", "ollama/llama3.1:8b").stdout
    assert "quantization    Q4_K_M" in shown and "context length  131,072" in shown
    facts = json.loads(invoke("models", "show", "local/starter", "--json").stdout)
    assert facts["context_length"] and facts["size"] > 1_000_000
    for name, code in (("nothing", 1), (f"local/{tmp_path}/none.gguf", 1)):
        assert invoke("models", "show", name).returncode == code, name
    (tmp_path / "text.gguf").write_text("no model")
    assert "not a GGUF model" in invoke("models", "show", f"local/{tmp_path}/text.gguf").stderr
    with refused_url() as nowhere:
        away = invoke("models", "show", "x", OLLAMA_HOST=nowhere)
        assert away.returncode == 3 and "There is no model x here" in away.stderr
        assert "Ollama does not answer" in away.stderr


def test_pull_says_each_step_and_prints_the_name(fake: FakeOllama) -> None:
    """News on stderr, one line a step where there is no terminal."""
    done = laios("models", "pull", "qwen3:4b")
    assert (done.stdout, done.returncode) == ("ollama/qwen3:4b\n", 0)
    steps = ["pulling manifest", "pulling abababababab", "pulling cdcdcdcdcdcd"]
    steps += ["verifying sha256 digest", "writing manifest", "success"]
    assert done.stderr.splitlines() == steps
    assert "qwen3:4b" in fake.models


def test_a_pull_of_what_auto_will_not_take_says_so(
    fake: FakeOllama, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would be passed over in silence for its size, on a machine with so little memory."""
    monkeypatch.setattr("pipeline.models.machine.total_memory", lambda: 5000)
    said = invoke("models", "pull", "qwen3:4b").stderr.splitlines()[-1]
    assert said.startswith("`auto` does not take ollama/qwen3:4b") and "more than 80 %" in said
    assert said.endswith("laios models use coder ollama/qwen3:4b")
    monkeypatch.setattr("pipeline.models.machine.total_memory", lambda: 6000)
    assert invoke("models", "pull", "qwen3:4b").stderr.splitlines()[-1] == "success"


def test_pull_on_a_terminal_has_a_bar_for_each_layer(fake: FakeOllama) -> None:
    """Names and bytes of both layers are drawn."""
    shown, code = on_a_terminal("models", "pull", "qwen3:4b")
    assert code == 0
    assert "abababababab" in shown and "4.0/4.0 kB" in shown
    assert "cdcdcdcdcdcd" in shown and "400/400 bytes" in shown


def test_pull_as_json_is_ollama_s_news(fake: FakeOllama) -> None:
    """One object a line; a failure is the last one."""
    lines = invoke("models", "pull", "ollama/qwen3:4b", "--json").stdout.splitlines()
    news = [json.loads(line) for line in lines]
    assert news[-1] == {"status": "success"}
    assert {"digest", "total", "completed"} < news[2].keys()
    fake.pull_fault = "missing"
    done = invoke("models", "pull", "qwen9", "--json")
    assert json.loads(done.stdout)["error"]["code"] == "model_not_found"
    assert (done.stderr, done.returncode) == ("", 1)


def test_a_pull_that_is_stopped_goes_on_later(fake: FakeOllama) -> None:
    """Ctrl-C ends it without a trace; the same command takes up what has come."""
    fake.pull_fault = "hang"
    process = subprocess.Popen(
        [LAIOS, "models", "pull", "qwen3:4b"], stderr=subprocess.PIPE, text=True
    )
    wait_for(lambda: 2000 in fake.kept.values())
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=20)[1]
    assert process.returncode == 130
    assert said.endswith("The same command continues from here.\n") and "Traceback" not in said
    fake.pull_fault = ""
    lines = invoke("models", "pull", "qwen3:4b", "--json").stdout.splitlines()
    first = next(each for each in map(json.loads, lines) if "digest" in each)
    assert first["completed"] == 2000


@pytest.mark.parametrize(
    ("name", "fault", "code", "words"),
    [
        ("qwen9", "missing", 1, "ollama.com/library"),
        ("qwen3:4b", "disk", 1, "no space left"),
        ("qwen3:4b", "cut", 1, "Try again"),
        ("scripted/x.json", "", 2, "cannot be pulled"),
        ("gpt-oss:120b-cloud", "", 2, "ALLOW_CLOUD_MODELS"),
        ("", "", 2, "The name is empty. Leave it out for the model that fits this machine."),
    ],
)
def test_a_pull_that_fails_says_why(
    fake: FakeOllama, name: str, fault: str, code: int, words: str
) -> None:
    """1 for what Ollama cannot do, 2 for what is nothing to pull."""
    fake.pull_fault = fault
    done = invoke("models", "pull", name)
    assert (done.stdout, done.returncode) == ("", code)
    assert words in done.stderr


def test_a_pull_by_ollama_without_ollama_is_unreachable() -> None:
    """Exit code 3, with the way out."""
    with refused_url() as nowhere:
        done = invoke("models", "pull", "qwen3:4b", "--engine", "ollama", OLLAMA_HOST=nowhere)
    assert done.returncode == 3 and "ollama serve" in done.stderr


def test_use_writes_the_choice_and_keeps_the_rest(fake: FakeOllama, config: Path) -> None:
    """Comments, order, spelling, mode and a link to the file stay; the new value is in force."""
    config.parent.mkdir()
    real = config.with_name("dotfiles.toml")
    text = "# mine\nKEEP_ALIVE = '5m'  # short\njudge_model_name = \"auto\" # later\n\n# end\n"
    real.write_text(text)
    real.chmod(0o640)
    config.symlink_to(real)
    done = laios("models", "use", "judge", "ollama/llama3.1:8b")
    assert (done.stdout, done.stderr, done.returncode) == ("judge: ollama/llama3.1:8b\n", "", 0)
    assert real.read_text() == text.replace('"auto"', '"ollama/llama3.1:8b"')
    assert config.is_symlink() and real.stat().st_mode & 0o777 == 0o640
    assert load_settings().JUDGE_MODEL_NAME == ("ollama/llama3.1:8b",)
    assert sorted(path.name for path in config.parent.iterdir()) == [
        "config.toml",
        "dotfiles.toml",
    ]


def test_use_all_makes_the_file_for_its_owner_alone(fake: FakeOllama, config: Path) -> None:
    """Three settings in a new file with mode 0600; `auto` takes them back."""
    done = invoke("models", "use", "all", "ollama/llama3.1:8b")
    assert done.returncode == 0 and len(done.stdout.splitlines()) == 3
    assert config.stat().st_mode & 0o777 == 0o600
    settings = load_settings()
    assert {settings.CODER_MODEL_NAME, settings.JUDGE_MODEL_NAME, settings.REVIEWER_MODEL_NAME} == {
        ("ollama/llama3.1:8b",)
    }
    invoke("models", "use", "coder", "auto")
    assert load_settings().CODER_MODEL_NAME == ("auto",)
    assert load_settings().JUDGE_MODEL_NAME == ("ollama/llama3.1:8b",)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("ollama/qwen3:4b", "ollama pull qwen3:4b"),
        ("local//nowhere/m.gguf", "No model file"),
    ],
)
def test_use_warns_of_a_model_that_is_not_there(
    fake: FakeOllama, config: Path, name: str, words: str
) -> None:
    """It may come: the choice is written all the same."""
    done = invoke("models", "use", "judge", name)
    assert done.returncode == 0
    assert done.stderr.startswith("Warning: ") and words in done.stderr
    settings = load_settings()
    assert (name,) == settings.JUDGE_MODEL_NAME


def test_use_takes_several_models_to_fall_back_on(fake: FakeOllama, config: Path) -> None:
    """Comma-separated; each one is checked."""
    done = invoke("models", "use", "coder", "ollama/llama3.1:8b,ollama/qwen3:4b,local/starter")
    assert done.returncode == 0 and "ollama pull qwen3:4b" in done.stderr
    names = ("ollama/llama3.1:8b", "ollama/qwen3:4b", "local/starter")
    assert names == load_settings().CODER_MODEL_NAME


def test_use_writes_a_file_s_whole_path(
    fake: FakeOllama, config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The daemon may start in another directory; an adapter without one stands beside its model."""
    monkeypatch.chdir(tmp_path)
    written = {
        "local/x.gguf": f"local/{tmp_path}/x.gguf",
        "local/./x y.gguf+a.gguf": f"local/{tmp_path}/x y.gguf+a.gguf",
        "local/name+./a.gguf": f"local/name+{tmp_path}/a.gguf",
        "local/~/x.gguf": "local/~/x.gguf",
        "local//x.gguf": "local//x.gguf",
    }
    for name, whole in written.items():
        done = invoke("models", "use", "coder", name)
        assert (done.returncode, done.stdout) == (0, f"coder: {whole}\n")
        assert f'coder_model_name = "{whole}"' in config.read_text()


def test_use_says_that_the_environment_wins(
    fake: FakeOllama, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise the change would seem to do nothing."""
    monkeypatch.setenv("LAIOS_JUDGE_MODEL_NAME", "local/starter")
    done = invoke("models", "use", "judge", "ollama/llama3.1:8b")
    assert "LAIOS_JUDGE_MODEL_NAME=local/starter in the environment overrides" in done.stderr


@pytest.mark.parametrize(
    ("role", "name", "words"),
    [
        ("tester", "auto", "Roles: coder, judge, reviewer, all"),
        ("judge", "qwen3", "such as ollama/qwen3"),
        ("judge", "ollama/", "such as"),
        ("judge", "x.gguf", "such as local/x.gguf"),
        ("judge", "/models/x.gguf", "such as local//models/x.gguf"),
        ("judge", "ollama/kimi:cloud", "ALLOW_CLOUD_MODELS"),
        ("judge", "ollama@127.0.0.1:9/kimi:cloud", "ALLOW_CLOUD_MODELS"),
        ("judge", "local/\udcff.gguf", "not UTF-8"),
    ],
)
def test_use_refuses_what_cannot_be_meant(
    fake: FakeOllama, config: Path, role: str, name: str, words: str
) -> None:
    """A usage error, and nothing is written; a cloud model is one at whatever address."""
    done = invoke("models", "use", role, name)
    assert done.returncode == 2 and words in done.stderr
    assert not config.exists()


def test_use_leaves_a_broken_file_alone(fake: FakeOllama, config: Path) -> None:
    """What cannot be read is not overwritten; a file that cannot be written is said to be so."""
    config.parent.mkdir()
    config.write_text("coder_model_name = \n")
    assert invoke("models", "use", "judge", "auto").returncode == 2
    assert config.read_text() == "coder_model_name = \n"
    config.write_text("port = 70000\n")
    assert invoke("models", "use", "judge", "auto").returncode == 2
    config.unlink()
    config.parent.rmdir()
    config.parent.write_text("a file where a directory should be")
    assert invoke("models", "use", "judge", "auto").returncode == 2


def test_names_from_outside_cannot_write_on_the_terminal(fake: FakeOllama) -> None:
    """A model's name is shown as text."""
    fake.models["evil\x1b]0;x\x07:1"] = Pulled("evil\x1b]0;x\x07:1")
    assert "\x1b" not in invoke("models").stdout
