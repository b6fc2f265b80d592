"""Settings: their sources, types and limits."""

import os
import re
from pathlib import Path

import pytest

from config import ConfigError, Settings, base_url, config_path, load_settings


def write_config(text: str) -> Path:
    path = config_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_command_line_beats_environment_beats_file_beats_default(monkeypatch):
    """The order that the contract promises."""
    assert load_settings().PORT == 11711
    write_config("port = 1\nMAX_QUEUED_RUNS = 5\nmodel_timeout_s = 7\n")
    monkeypatch.setenv("LAIOS_PORT", "2")
    monkeypatch.setenv("LAIOS_MAX_QUEUED_RUNS", "6")
    settings = load_settings(PORT=3)
    assert (settings.PORT, settings.MAX_QUEUED_RUNS, settings.MODEL_TIMEOUT_S) == (3, 6, 7)


def test_ollama_host_is_honoured_below_our_own_names(monkeypatch):
    """The plain variable counts, LAIOS_OLLAMA_HOST more, and config.toml stands between."""
    monkeypatch.setenv("OLLAMA_HOST", "box:1")
    assert load_settings().OLLAMA_HOST == "http://box:1"
    write_config('ollama_host = "box:2"')
    assert load_settings().OLLAMA_HOST == "http://box:2"
    monkeypatch.setenv("LAIOS_OLLAMA_HOST", "box:3")
    assert load_settings().OLLAMA_HOST == "http://box:3"


def test_an_unknown_variable_names_the_nearest_setting(monkeypatch):
    """A typing mistake must not be a setting that silently does nothing."""
    monkeypatch.setenv("LAIOS_CODER_MODLE_NAME", "x")
    with pytest.raises(ConfigError, match="Did you mean LAIOS_CODER_MODEL_NAME"):
        load_settings()


def test_a_variable_that_is_like_no_setting_is_not_taken_for_one(monkeypatch):
    """No guess is better than one that leads astray."""
    monkeypatch.setenv("LAIOS_FOO", "x")
    with pytest.raises(ConfigError, match=r"LAIOS_FOO\. No setting has a similar name"):
        load_settings()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("prot = 1", "unknown setting 'prot'. Did you mean PORT?"),
        ("port = ", "cannot be used"),
        ("\udcff", "cannot be used"),
        ("port = 99999", "PORT .*config.toml.* less than or equal to 65535"),
        ("escalation_confidence_threshold = 11", "ESCALATION_CONFIDENCE_THRESHOLD"),
        ('keep_alive = "300"', "KEEP_ALIVE"),
        ("sandbox_memory_mb = 99999999999999999999", "SANDBOX_MEMORY_MB .*less than or equal"),
        ("sandbox_cpu_s = 99999999999999999999", "SANDBOX_CPU_S .*less than or equal"),
        ('port = "x"', "PORT"),
        (
            "coder_model_name = 5",
            r"CODER_MODEL_NAME .*write a string, or a list of strings.*\(got 5\)",
        ),
        ('coder_model_name = ["ollama/a", "qwen"]', "'qwen' is not a model name.* ollama/qwen"),
        ('judge_model_name = "auto, ollama/"', "'ollama/' is not a model name.* ollama/ollama"),
        ("port = true", r"PORT .*write a number \(got True\)"),
        ("max_concurrent_runs = false", "MAX_CONCURRENT_RUNS .*write a number"),
        ("run_timeout_s = true", "RUN_TIMEOUT_S .*write a number"),
        ("run_timeout_s = inf", r"RUN_TIMEOUT_S .*write a finite number \(got inf\)"),
        ("judge_yes_threshold = nan", "JUDGE_YES_THRESHOLD .*write a finite number"),
        ('history_dir = ""', r"HISTORY_DIR .*it is empty; write a path, or leave it out"),
        ('prompts_dir = " "', r"PROMPTS_DIR .*it is empty; write a path, or leave it out"),
        ("models_dir = 5", r"MODELS_DIR .*: write a path \(got 5\)"),
        ('allowed_hosts = ["a", ""]', "ALLOWED_HOSTS .*one of them is empty"),
        (r'models_dir = "/m\u0000x"', r"MODELS_DIR .*zero byte.* \(got '/m\\x00x'\)"),
        (r'coder_model_name = ["auto", "local/a\u0000b"]', "CODER_MODEL_NAME .*zero byte"),
        (r'judge_model_name = "scripted/\u0000.json"', "JUDGE_MODEL_NAME .*zero byte"),
        pytest.param(f"port = {'[' * 60_000}", "cannot be used", id="brackets"),
        pytest.param("[" * 100_000, "larger than 65536 bytes", id="large"),
        pytest.param(f"port = {'9' * 4900}", "cannot be used", id="digits"),
        pytest.param(f"port = 0x{'f' * 4000}", "thousands of digits", id="hex"),
        pytest.param("a." * 30_000 + "a = 1", "longer than 4096", id="dots"),
        pytest.param("a" * 4000 + " = 1", "unknown setting 'a{100,200}….", id="name"),
    ],
)
def test_a_bad_file_is_a_clear_error(text, message):
    """It names the file or the setting, and what is wrong with it."""
    path = write_config("")
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(ConfigError, match=message):
        load_settings()


def test_a_variable_without_a_value_does_not_move_the_history_here(monkeypatch):
    """As `LAIOS_HISTORY_DIR=$NOT_SET laios run …` has it: records would lie in the working
    directory."""
    monkeypatch.setenv("LAIOS_HISTORY_DIR", "")
    with pytest.raises(ConfigError, match=r"HISTORY_DIR \(LAIOS_HISTORY_DIR\): it is empty"):
        load_settings()


def test_a_wrong_address_is_where_it_was_given(monkeypatch):
    """Ollama's own variable is no line of a config.toml, which there may not be."""
    monkeypatch.setenv("OLLAMA_HOST", "ftp://box")
    with pytest.raises(ConfigError, match=r"^OLLAMA_HOST \(OLLAMA_HOST in the environment\): "):
        load_settings()
    path = write_config('ollama_host = "ftp://box"')
    with pytest.raises(ConfigError, match=rf"^OLLAMA_HOST \({re.escape(str(path))}\): "):
        load_settings()
    monkeypatch.setenv("LAIOS_OLLAMA_HOST", "ftp://box")
    with pytest.raises(ConfigError, match=r"^OLLAMA_HOST \(LAIOS_OLLAMA_HOST\): "):
        load_settings()


def test_a_host_that_is_no_text_is_a_clear_error(monkeypatch):
    """A byte in the environment that is not UTF-8."""
    monkeypatch.setitem(os.environb, b"LAIOS_HOST", b"\xff")
    with pytest.raises(ConfigError, match=r"HOST '\\udcff' can be reached"):
        load_settings()


def test_a_home_that_nobody_has_is_a_clear_error():
    """Of a user who is not there, or in a container that has no home for its user."""
    with pytest.raises(ConfigError, match=r"HISTORY_DIR .*not a home directory"):
        load_settings(HISTORY_DIR=Path("~nobody-of-this-name/history"))


def test_a_config_file_that_is_a_directory_is_told_so():
    """In words, not with a number of the system's."""
    config_path().mkdir(parents=True)
    with pytest.raises(
        ConfigError, match=r"config\.toml cannot be used: it is not a regular file\.$"
    ):
        load_settings()


def test_a_config_file_that_is_a_pipe_is_an_error_at_once():
    """Nobody waits for somebody to write into it."""
    path = write_config("")
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(ConfigError, match="not a regular file"):
        load_settings()


def test_beyond_loopback_a_token_is_required():
    """Any other bind address without a token is refused."""
    for host in ("0.0.0.0", "::", "192.168.1.5", "box"):
        with pytest.raises(ConfigError, match="API_TOKEN"):
            load_settings(HOST=host)
        assert host == load_settings(HOST=host, API_TOKEN="long enough").HOST


@pytest.mark.parametrize("host", ["", "0.0.0.0", "::"])
def test_a_daemon_that_listens_everywhere_is_called_over_loopback(host):
    """No address of its own can be called that way."""
    settings = load_settings(HOST=host, API_TOKEN="long enough", PORT=4000)
    assert base_url(settings) == "http://127.0.0.1:4000"


def test_a_token_never_shows(monkeypatch):
    """Neither in a settings dump nor in an error about it."""
    assert "swordfish" not in repr(load_settings(API_TOKEN="swordfish"))
    monkeypatch.setenv("LAIOS_API_TOKEN", "swordf")
    with pytest.raises(ConfigError) as caught:
        load_settings()
    assert "swordf" not in str(caught.value)


@pytest.mark.parametrize("token", ["pässwörter", "long enough\n", " long enough", "long\x00enough"])
def test_a_token_that_fits_no_header_is_refused(token):
    """At start, and not with a trace at the first call."""
    with pytest.raises(ConfigError, match=r"API_TOKEN .*(header|zero byte)"):
        load_settings(API_TOKEN=token)


def test_lists_are_written_with_commas(monkeypatch):
    """In the environment, or there as a TOML file has them; an address in brackets is no list."""
    for hosts in ("a:1, b:2,", '["a:1", "b:2"]'):
        monkeypatch.setenv("LAIOS_ALLOWED_HOSTS", hosts)
        assert load_settings().ALLOWED_HOSTS == ("a:1", "b:2")
    monkeypatch.setenv("LAIOS_ALLOWED_HOSTS", "[::1]:1,[::2]:1")
    assert load_settings().ALLOWED_HOSTS == ("[::1]:1", "[::2]:1")
    for wrong in ('["a", 1]', r'["a\u0000"]'):
        monkeypatch.setenv("LAIOS_ALLOWED_HOSTS", wrong)
        with pytest.raises(ConfigError, match="LAIOS_ALLOWED_HOSTS"):
            load_settings()
    monkeypatch.delenv("LAIOS_ALLOWED_HOSTS")
    write_config('allowed_origins = ["https://x"]')
    assert load_settings().ALLOWED_ORIGINS == ("https://x",)


def test_every_setting_is_documented_and_says_whether_it_is_hot():
    """Documentation stands where the setting is declared."""
    for name, field in Settings.model_fields.items():
        assert name.isupper()
        assert field.description and field.description.endswith("."), name
        assert isinstance(field.json_schema_extra, dict) and "hot" in field.json_schema_extra


@pytest.mark.parametrize(
    ("address", "url"),
    [
        ("", "http://127.0.0.1:11434"),
        ("127.0.0.1", "http://127.0.0.1:11434"),
        ("gpu-box:8080", "http://gpu-box:8080"),
        (":8080", "http://127.0.0.1:8080"),
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("0.0.0.0:8080", "http://127.0.0.1:8080"),
        ("http://0.0.0.0:8080/", "http://127.0.0.1:8080"),
        ("::1", "http://[::1]:11434"),
        ("[::]:8080", "http://[::1]:8080"),
        ("[::1]", "http://[::1]:11434"),
        (" http://localhost:11434/ ", "http://localhost:11434"),
        ("http://gpu-box", "http://gpu-box"),
        ("https://gpu-box/ollama/", "https://gpu-box/ollama"),
        ("gpu-box/ollama", "http://gpu-box:11434/ollama"),
        ("https://me:secret@gpu-box:8443", "https://me:secret@gpu-box:8443"),
    ],
)
def test_ollama_host_is_read_as_ollama_reads_it(address: str, url: str) -> None:
    """Scheme, port and path are optional; an address to listen on becomes one to call."""
    assert url == load_settings(OLLAMA_HOST=address).OLLAMA_HOST


@pytest.mark.parametrize(
    "address", ["host:port", "host:99999", "ftp://host", "http://host?x=1", "[::1", "unix:///x"]
)
def test_an_unusable_ollama_host_is_a_configuration_error(address: str) -> None:
    """The message shows what was given and how it is written."""
    with pytest.raises(ConfigError, match="OLLAMA_HOST"):
        load_settings(OLLAMA_HOST=address)
