"""`laios config`: what is set, from where, and changing it."""

import json
import tomllib
from pathlib import Path

import pytest
from processes import invoke, laios, on_a_terminal

from config import ConfigError, Settings, load_settings
from server.runtime import config_file

pytestmark = pytest.mark.only_when(
    "server/commands/config.py", "server/runtime/", "server/terminal/", "laios/durable_file.py"
)


@pytest.fixture
def config(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    path = tmp_path / "settings" / "config.toml"
    path.parent.mkdir()
    monkeypatch.setenv("LAIOS_CONFIG", str(path))
    return path


def editor(tmp_path: Path, *lines: str) -> str:
    """A program that takes the next of the lines, each time it is opened, for the whole file."""
    script = tmp_path / "editor"
    for number, line in enumerate(lines):
        (tmp_path / f"edit-{number}").write_text(line)
    script.write_text(
        f"#!/bin/sh\nn=$(ls {tmp_path}/edited-* 2>/dev/null | wc -l)\n"
        f'cp "$1" {tmp_path}/edited-$n\ncp {tmp_path}/edit-$n "$1"\n'
    )
    script.chmod(0o755)
    return str(script)


def test_show_says_value_kind_and_source_of_every_setting(config: Path) -> None:
    """Environment before file before default; whether a change needs a restart."""
    config.write_text("run_timeout_s = 30\nPORT = 11800\nmax_queued_runs = 3\n")
    given = {"LAIOS_PORT": "11900", "LAIOS_ALLOWED_HOSTS": "a:1,b:2", "OLLAMA_HOST": "box:1"}
    shown = json.loads(laios("config", "show", "--json", **given).stdout)
    assert shown.keys() == Settings.model_fields.keys()
    assert shown["PORT"] == {"value": 11900, "hot": False, "source": "LAIOS_PORT"}
    assert shown["RUN_TIMEOUT_S"] == {"value": 30.0, "hot": True, "source": str(config)}
    assert shown["MAX_QUEUED_RUNS"]["source"] == str(config)
    assert shown["ALLOWED_HOSTS"]["value"] == ["a:1", "b:2"]
    assert shown["OLLAMA_HOST"] == {"value": "http://box:1", "hot": False, "source": "OLLAMA_HOST"}
    assert shown["KEEP_ALIVE"] == {"value": "10m", "hot": True, "source": "default"}
    ours = invoke("config", "show", "--json", **given, LAIOS_OLLAMA_HOST="box:2").stdout
    assert json.loads(ours)["OLLAMA_HOST"]["source"] == "LAIOS_OLLAMA_HOST"


def test_show_for_people(config: Path) -> None:
    """One line a setting; the source on request."""
    lines = invoke("config", "show", LAIOS_PORT="11900").stdout.splitlines()
    assert lines[0].split() == ["SETTING", "VALUE", "CHANGE"]
    found = {line.split()[0]: line.split()[1:] for line in lines}
    assert found["PORT"] == ["11900", "restart"]
    assert found["API_TOKEN"] == ["none", "restart"]
    assert found["JUDGE_REVIEW"] == ["true", "hot"]
    lines = invoke("config", "show", "--sources", LAIOS_PORT="11900").stdout.splitlines()
    assert ["PORT", "11900", "restart", "LAIOS_PORT"] in [line.split() for line in lines]


def test_secrets_are_never_shown(config: Path) -> None:
    """Neither the token nor a password in Ollama's address."""
    config.write_text('api_token = "tell nobody"\n')
    for options in ([], ["--sources"], ["--json"]):
        done = invoke("config", "show", *options, OLLAMA_HOST="http://me:hunter2@box:1")
        assert "tell nobody" not in done.stdout and "hunter2" not in done.stdout
        assert "********" in done.stdout and "@box:1" in done.stdout
    config.write_text('api_token = "tiny"\n')
    for words in (["show"], ["check"], ["check", str(config)]):
        done = invoke("config", *words)
        assert done.returncode == 2 and "API_TOKEN" in done.stderr
        assert "tiny" not in done.stderr


def test_path_is_where_the_file_is_looked_for(config: Path) -> None:
    """Whether it is there or not."""
    assert invoke("config", "path").stdout == f"{config}\n"


def test_check_finds_what_is_wrong_in_force(config: Path) -> None:
    """File and environment together: exit code 2 with each mistake. Whoever mistyped its path
    learns that the defaults hold."""
    none = invoke("config", "check")
    assert (none.returncode, none.stdout.startswith(f"There is no {config}; the defaults")) == (
        0,
        True,
    )
    config.write_text("port = 70000\nmax_output_tokens = 1\n")
    done = invoke("config", "check")
    assert (done.stdout, done.returncode) == ("", 2)
    assert "PORT" in done.stderr and "MAX_OUTPUT_TOKENS" in done.stderr
    config.unlink()
    assert "LAIOS_PORT" in invoke("config", "check", LAIOS_PROT="1").stderr


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("KEEP_ALIVE", "soon", "write a time such as 10m or 90s, -1m for ever, or 0 "),
        ("JUDGE_KEEP_ALIVE", "5", "write a time such as 10m or 90s"),
        ("CODER_MODEL_NAME", "", "name a model, as provider/name, or auto.\n"),
        ("JUDGE_MODEL_NAME", " , ", "name a model, as provider/name, or auto.\n"),
        ("PRELOAD", "perhaps", "write true or false (got 'perhaps').\n"),
    ],
)
def test_check_says_what_to_write(config: Path, name: str, value: str, said: str) -> None:
    """And not what pattern or tuple the value is none of."""
    done = invoke("config", "check", **{f"LAIOS_{name}": value})
    assert done.returncode == 2
    assert f"{name} (LAIOS_{name}): {said}" in done.stderr


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("port = 70000\nkeep_alive = 'long'\n", ["PORT", "70000", "KEEP_ALIVE"]),
        ("prot = 1\n", ["Did you mean PORT"]),
        ("port = \n", ["line 1"]),
        ("host = '0.0.0.0'\n", ["API_TOKEN must be set"]),
    ],
)
def test_check_of_a_file_looks_at_nothing_else(
    config: Path, tmp_path: Path, text: str, words: list[str]
) -> None:
    """What the environment and the real config.toml say does not matter for it."""
    other = tmp_path / "other.toml"
    other.write_text(text)
    config.write_text("nonsense = 1\n")
    done = invoke("config", "check", str(other), LAIOS_API_TOKEN="a long enough one")
    assert done.returncode == 2
    assert all(word in done.stderr for word in [*words])
    other.write_text("port = 11800\n")
    assert invoke("config", "check", str(other), LAIOS_PORT="nonsense").returncode == 0
    assert invoke("config", "check", str(tmp_path / "none.toml")).returncode == 2


def test_the_template_is_every_setting_with_its_default(tmp_path: Path) -> None:
    """As it stands it changes nothing; with every # taken away it is valid, and all but the
    settings that have no default still have theirs."""
    text = config_file.template()
    assert tomllib.loads(text) == {}
    lines = [line.removeprefix("# ") for line in text.splitlines() if " = " in line]
    path = tmp_path / "all.toml"
    path.write_text("\n".join(lines))
    values = {name.upper(): value for name, value in tomllib.loads(path.read_text()).items()}
    assert values.keys() == Settings.model_fields.keys()
    assert config_file.problems(path) == []
    for name, field in Settings.model_fields.items():
        if name not in config_file.EXAMPLES:
            assert getattr(load_settings(**{name: values[name]}), name) == field.default


def test_edit_makes_the_file_and_opens_it(config: Path, tmp_path: Path) -> None:
    """A new file has the template and is its owner's alone; what is saved is checked."""
    done = laios("config", "edit", EDITOR=editor(tmp_path, "port = 11800\n"), VISUAL="")
    assert (done.stdout, done.returncode) == (f"{config}: ok\n", 0)
    assert (tmp_path / "edited-0").read_text().startswith(config_file.HEAD)
    assert config.stat().st_mode & 0o777 == 0o600
    assert load_settings().PORT == 11800


def test_edit_offers_to_repair_what_is_wrong(config: Path, tmp_path: Path) -> None:
    """The mistakes, a question, and the editor again; nobody there to answer means no."""
    config.write_text("# mine\n")
    editing = editor(tmp_path, "port = 0x\n", "port = 70000\n", "port = 11800\n")
    shown, code = on_a_terminal("config", "edit", answers=b"y\ny\n", EDITOR=editing, VISUAL="")
    assert code == 0 and load_settings().PORT == 11800
    assert (tmp_path / "edited-1").read_text() == "port = 0x\n"
    assert "line 1" in shown and "70000" in shown and shown.count("Edit it again?") == 2
    for old in tmp_path.glob("edited-*"):
        old.unlink()
    done = laios("config", "edit", EDITOR=editing, VISUAL="")
    assert done.returncode == 2 and "line 1" in done.stderr
    assert config.read_text() == "port = 0x\n"  # what was typed is not thrown away


def test_edit_without_an_editor_says_what_to_set(config: Path) -> None:
    """No trace, exit code 1."""
    done = invoke("config", "edit", EDITOR="/nowhere/editor", VISUAL="")
    assert done.returncode == 1 and "EDITOR" in done.stderr


def test_an_editor_that_gives_up_is_no_missing_editor(config: Path) -> None:
    """As vim ends after `:cq`: nobody is told to install one."""
    done = invoke("config", "edit", EDITOR="false", VISUAL="")
    assert done.returncode == 1 and "The file is as the editor left it." in done.stderr


def test_writing_a_value_is_all_or_nothing(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A value that is not valid, and a disk that refuses, leave the file as it was, and nothing
    beside it."""
    config.write_text("port = 11800\n")
    with pytest.raises(ConfigError, match="KEEP_ALIVE"):
        config_file.write_values(config, {"KEEP_ALIVE": "long"})

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("laios.durable_file.sync", full)
    with pytest.raises(ConfigError, match="No space left"):
        config_file.write_values(config, {"KEEP_ALIVE": "5m"})
    assert config.read_text() == "port = 11800\n"
    assert list(config.parent.iterdir()) == [config]


def test_line_ends_and_layout_stay(config: Path) -> None:
    """CRLF, blanks and comments are the user's."""
    config.write_bytes(b"# a\r\nport   = 11800   # b\r\n\r\n")
    config_file.write_values(config, {"PORT": 11900})
    assert config.read_bytes() == b"# a\r\nport   = 11900   # b\r\n\r\n"
