"""Settings: every option of laios, documented where it is declared. The only reader of the
environment.

Precedence: command line > LAIOS_<NAME> in the environment > config.toml > default. An unknown name
is an error that says which one was probably meant.
"""

import difflib
import json
import os
import stat
import tomllib
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, Literal, get_args
from urllib.parse import urlsplit

import platformdirs
from pydantic import (
    Field,
    PrivateAttr,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_settings import BaseSettings, NoDecode, PydanticBaseSettingsSource, SettingsConfigDict

PREFIX = "LAIOS_"
CONFIG_VARIABLE = "LAIOS_CONFIG"
OLLAMA_PORT = 11434
MAX_QUOTED = 200
MAX_LIMIT = 1_000_000_000  # of a sandbox; the system counts no further than 2 ** 63 bytes
MAX_CONFIG_BYTES = 64 * 1024
MAX_CONFIG_LINE = 4096  # characters; a key of n dots costs the parser time and memory by n * n
_EVERYWHERE = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}  # to listen on, not to call
LOOPBACK_HOSTS = ("127.0.0.1", "localhost", "::1")
SECRETS = ("API_TOKEN", "OLLAMA_TOKEN")  # their values are never shown

DURATION = r"^(0|-?\d+(\.\d+)?(ms|s|m|h))$"

Names = Annotated[tuple[str, ...], NoDecode]
# What to write, where pydantic's own words for its kind of error speak of patterns and tuples.
_WAYS = {
    "string_pattern_mismatch": "write a time such as 10m or 90s, -1m for ever, or 0 for not at all",
    "too_short": "name a model, as provider/name, or auto",
    "bool_parsing": "write true or false",
    "finite_number": "write a finite number",
    "path_type": "write a path",
}
_MODEL_NAMES = ("CODER_MODEL_NAME", "JUDGE_MODEL_NAME", "REVIEWER_MODEL_NAME")

# Without HOME a user id that has no entry has no home either, and whoever asks for it an error:
# pathlib and platformdirs raise it. / stands for it, as containers set it for such ids.
if os.path.expanduser("~") == "~":  # noqa: PTH111 - pathlib's own raises
    os.environ["HOME"] = "/"


class ConfigError(Exception):
    """The configuration cannot be used. The message names the setting and the fix."""


def hot(default: Any, description: str, **limits: Any) -> Any:
    """A setting that is read at each run: a change needs no restart."""
    return Field(default, description=description, json_schema_extra={"hot": True}, **limits)


def cold(default: Any, description: str, **limits: Any) -> Any:
    """A setting that is read at start: a change needs a restart."""
    return Field(default, description=description, json_schema_extra={"hot": False}, **limits)


def data_dir() -> Path:
    """Where things live that were fetched or measured and cost time to have again."""
    return platformdirs.user_data_path("laios", appauthor=False)


class Settings(BaseSettings):
    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        case_sensitive=True,
        extra="forbid",
        frozen=True,
        populate_by_name=True,
        allow_inf_nan=False,
    )
    _config_state: tuple[int, ...] | None = PrivateAttr(None)

    @property
    def config_state(self) -> tuple[int, ...] | None:
        """What `config.toml` was when these were read, as `file_state` says it."""
        return self._config_state

    HOST: str = cold("127.0.0.1", "Address to listen on. Anything but loopback needs `API_TOKEN`.")
    PORT: int = cold(11711, "Port to listen on. 0 picks a free one.", ge=0, le=65535)
    API_TOKEN: str | None = cold(
        None, "Callers must send `Authorization: Bearer <token>`.", min_length=8, repr=False
    )
    ALLOWED_HOSTS: Names = cold(
        (), "More values of the Host header that are accepted, as `name:port`, comma-separated."
    )
    ALLOWED_ORIGINS: Names = cold(
        (), "Web origins that may call, as `https://name:port`, comma-separated."
    )
    MAX_BODY_BYTES: int = cold(4 * 1024 * 1024, "Largest request body in bytes.", ge=1024)
    MAX_CONCURRENT_RUNS: int | None = cold(
        None,
        "Runs at the same time. Unset: as many as Ollama here has shown to answer side by side "
        "(OLLAMA_NUM_PARALLEL), 1 with several models or on the embedded engine, else 16. More on "
        "the engine share its window.",
        ge=1,
    )
    MAX_QUEUED_RUNS: int = cold(64, "Runs that may wait; more are answered `busy`.", ge=0)
    RUN_TIMEOUT_S: float = hot(
        600, "Seconds that a run may take, waiting in the queue not counted.", gt=0
    )
    CODER_MODEL_NAME: Names = hot(
        ("auto",),
        "Model that drafts, as `provider/name`, or `auto`. Several, comma-separated: the first "
        "that is available.",
        min_length=1,
    )
    JUDGE_MODEL_NAME: Names = hot(("auto",), "Model that judges, in the same form.", min_length=1)
    REVIEWER_MODEL_NAME: Names = hot(
        ("auto",), "Model that reviews, in the same form.", min_length=1
    )
    COOL_DOWN_S: float = hot(
        15,
        "Seconds to skip a model after it was not available, if there is another.",
        ge=0,
    )
    OLLAMA_HOST: str = cold(
        "http://127.0.0.1:11434",
        "Where Ollama listens. The plain `OLLAMA_HOST` variable counts too.",
    )
    OLLAMA_TOKEN: str | None = cold(
        None,
        "Sent to OLLAMA_HOST, and nowhere else, as `Authorization: Bearer <token>`.",
        min_length=1,
        repr=False,
    )
    ALLOW_CLOUD_MODELS: bool = cold(
        False, "Accept Ollama's `:cloud` models. They send prompts to another machine."
    )
    MODEL_TIMEOUT_S: float = hot(300, "Seconds that one model call may take.", gt=0)
    KEEP_ALIVE: str = hot(
        "10m",
        "How long a model stays loaded after a call: `10m`, `-1m` for ever, `0` not at all.",
        pattern=DURATION,
    )
    CODER_KEEP_ALIVE: str | None = hot(None, "The same for the coder only.", pattern=DURATION)
    JUDGE_KEEP_ALIVE: str | None = hot(None, "The same for the judge only.", pattern=DURATION)
    REVIEWER_KEEP_ALIVE: str | None = hot(None, "The same for the reviewer only.", pattern=DURATION)
    PRELOAD: bool = hot(
        True,
        "Load the next stage's model while the coder writes, if Ollama has shown that both fit; at "
        "start, load a local coder and read its rules, if the machine is idle.",
    )
    ENGINE_IDLE_S: float = cold(
        600, "Seconds without a call after which the embedded engine's process ends.", gt=0
    )
    MAX_CONTEXT_TOKENS: int = hot(
        32768, "Largest context window (prompt and answer) that a model is asked for.", ge=512
    )
    MAX_OUTPUT_TOKENS: int = hot(
        8192, "Longest answer of the coder or reviewer; a small model's draft: 3072.", ge=16
    )
    ESCALATION_CONFIDENCE_THRESHOLD: int = hot(
        8, "A draft that is judged less confident than this is reviewed.", ge=1, le=10
    )
    ESCALATION_CONFLICT_THRESHOLD: int = hot(
        6, "A draft that is judged more conflicting than this is reviewed.", ge=1, le=10
    )
    JUDGE_REVIEW: bool = hot(True, "Judge the reviewer's output as well.")
    FRONTEND_CONTEXT: Literal["conversation", "none"] = hot(
        "conversation",
        "How a chat frontend's earlier turns are used: as context of the request, or not (`none`).",
    )
    FRONTEND_FENCES: bool = hot(
        True, "Chat frontends get code as one fenced Markdown block. Off: the bare code."
    )
    FRONTEND_PROGRESS: bool = hot(
        True, "Chat frontends see the stages (`drafting…`) as reasoning while they wait."
    )
    FRONTEND_WARNINGS: bool = hot(
        True,
        "Below the code, chat frontends see what is known to be wrong with it, and on which calls "
        "its drafts differ.",
    )
    AGENT_REVIEW: Literal["off", "evidence", "judge"] = hot(
        "evidence",
        "What agents' tool calls that write files are checked against before the agent sees them: "
        "facts (`evidence`), the judge too (`judge`), or nothing (`off`).",
    )
    AGENT_FALLBACK: Literal["auto", "error", "chat"] = hot(
        "auto",
        "A request with tools to a model that cannot call any: an `error`, a `chat` without tools, "
        "or an error only if one of the tools writes files (`auto`).",
    )
    JOIN_LINGER_S: float = hot(
        10,
        "Seconds that a chat frontend's run goes on after its caller went away: an identical "
        "request joins it.",
        ge=0,
    )
    SANDBOX_WALL_S: float = hot(10, "Seconds that a program in the sandbox may take.", gt=0)
    SANDBOX_CPU_S: int = hot(5, "Seconds of processor time that it may use.", ge=1, le=MAX_LIMIT)
    SANDBOX_MEMORY_MB: int = hot(512, "Megabytes of memory that it may use.", ge=32, le=MAX_LIMIT)
    SANDBOX_PROCESSES: int = hot(32, "Processes and threads that it may have.", ge=1, le=MAX_LIMIT)
    SANDBOX_OUTPUT_BYTES: int = hot(65536, "Bytes of its output that are kept.", ge=1024)
    SANDBOX_FILES_MB: int = hot(64, "Megabytes of files that it may write.", ge=1, le=MAX_LIMIT)
    SANDBOX_VENV: Path | None = hot(
        None,
        "Virtual environment whose packages a Python program in the sandbox may import, such as "
        "numpy and pandas. Default: none.",
    )
    TEST_MAX_ROUNDS: int = hot(
        5, "Programs that `///test` runs the tests on: drafts, then repairs.", ge=1
    )
    MAX_DRAFTS: int = hot(
        5,
        "Drafts that the coder may write while evidence speaks against them. 1: no second one.",
        ge=1,
    )
    EVIDENCE_RUN: Literal["auto", "off"] = hot(
        "auto",
        "Reviewed modes run drafts (Python, JavaScript, TypeScript, SQL, Bash) "
        "and compile them (C, C++, Go, Java, Rust) before they are judged: if the sandbox works "
        "(`auto`), or never (`off`).",
    )
    COMPARE_DRAFTS: Literal["auto", "off"] = hot(
        "auto",
        "If no rule finds examples in the request, the model copies those that it states in other "
        "words. If there are none, a second draft is written and both are run on the same "
        "calls; if they differ, the model writes four tests, and if no draft passes most of them, "
        "a third is written. For a long draft the tests come first; one that passes them all needs "
        "no second, nor does one that shows nothing when it is run (`auto`). Or the first draft is "
        "used (`off`).",
    )
    JUDGE_WHEN: Literal["always", "undecided"] = hot(
        "undecided",
        "The judge is asked about each draft that no evidence speaks against (`always`), or only "
        "if neither the request's examples nor agreeing drafts nor the tests that a long draft "
        "passes decide (`undecided`); then not about a small model whose own drafts differ either.",
    )
    JUDGE_FORM: Literal["auto", "yes_no", "scores"] = hot(
        "auto",
        "The judge gives two scores and a sentence (`scores`), or says yes or no, which is one "
        "token, and its probability counts (`yes_no`; from the embedded engine or Ollama, else "
        "scores). `auto`: yes or no from small models, scores from others.",
    )
    JUDGE_YES_THRESHOLD: float = hot(
        0.5,
        "The probability of yes from which the judge's word passes; `laios calibrate` measures it.",
        ge=0,
        le=1,
    )
    SECURITY_REVIEW: Literal["auto", "on", "off"] = hot(
        "auto",
        "A model checks code for what an attacker can use: if bandit is installed and finds "
        "something in it (`auto`), always (`on`), or never (`off`).",
    )
    REVIEWER_VOTES: int = hot(
        1, "Reviews to write, of which laios chooses one; several models take turns.", ge=1
    )
    GENERATED_TESTS: bool = hot(
        False, "Write tests of the request before its code, run them, and tell the judge."
    )
    PROMPTS_DIR: Path | None = hot(
        None,
        "Directory with `coder.txt`, `judge.txt` or `reviewer.txt`: they replace that role's "
        "built-in rules (docs/replay.md).",
    )
    MEMORY_MAX_HITS: int = hot(
        3, "Earlier solved requests that `POST /code` shows the coder. 0: none.", ge=0
    )
    MEMORY_TOKENS: int = hot(2048, "Token budget of those examples.", ge=0)
    DOCS_DIR: Path = cold(
        data_dir() / "docs",
        "Where the documentation index is kept. Default: the user's data directory.",
    )
    MODELS_DIR: Path = cold(
        data_dir() / "models",
        "Where `laios models pull` keeps model files. Default: the user's data directory.",
    )
    HISTORY_DIR: Path = cold(
        platformdirs.user_state_path("laios", appauthor=False) / "history",
        "Where the history is kept. Default: the user's state directory.",
    )
    HISTORY_MAX_ENTRIES: int = cold(1000, "Records per history file.", ge=1)
    HISTORY_MAX_FILES: int = cold(
        0, "History files to keep; older ones are deleted. 0 keeps all.", ge=0
    )
    HISTORY_FSYNC: bool = cold(True, "Sync each record to the disk before its answer is sent.")
    HISTORY_CONTEXT_RECORDS: int = hot(5, "Records that `///ctx` puts before the prompt.", ge=0)
    HISTORY_CONTEXT_TOKENS: int = hot(4096, "Token budget of that history block.", ge=0)
    TRACES: Literal["off", "otlp"] = cold(
        "off",
        "Send a trace of each run by OTLP to where OpenTelemetry's own `OTEL_…` variables say; "
        "needs the extra `otel`.",
    )
    OTEL_CAPTURE_TEXT: bool = hot(
        False, "Traces contain the prompts and answers too, except for `no_log` runs."
    )

    @field_validator("*", mode="before")
    @classmethod
    def _without_zero_bytes(cls, value: Any) -> Any:
        """TOML can write one; no file, host or model can have it in its name."""
        texts = value if isinstance(value, list | tuple) else [value]
        if any(isinstance(each, str) and "\0" in each for each in texts):
            raise ValueError("it has a zero byte in it; take it out")
        return value

    @field_validator("*", mode="before")
    @classmethod
    def _of_the_right_type(cls, value: Any, info: ValidationInfo) -> Any:
        """Python takes true for the number 1, and an empty path for the working directory."""
        kind = cls.model_fields[str(info.field_name)].annotation
        kinds = get_args(kind) or (kind,)
        if isinstance(value, bool) and (int in kinds or float in kinds):
            raise ValueError("write a number")
        if isinstance(value, str) and not value.strip() and Path in kinds:
            raise ValueError("it is empty; write a path, or leave it out")
        return value

    @field_validator("ALLOWED_HOSTS", "ALLOWED_ORIGINS", *_MODEL_NAMES, mode="before")
    @classmethod
    def _split_names(cls, value: Any) -> Any:
        """A variable may have the list as config.toml has it."""
        if isinstance(value, str) and value.strip().startswith('["'):
            with suppress(ValueError, RecursionError):
                value = json.loads(value)
        if isinstance(value, str):
            return tuple(name.strip() for name in value.split(",") if name.strip())
        if not (isinstance(value, list | tuple) and all(isinstance(each, str) for each in value)):
            raise ValueError('write a string, or a list of strings: "one, two" or ["one", "two"]')
        if any(not each.strip() for each in value):
            raise ValueError("one of them is empty; take it out")
        return value

    @field_validator(*_MODEL_NAMES)
    @classmethod
    def _have_providers(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        for name in names:
            require_provider(name)
        return names

    @field_validator(*SECRETS)
    @classmethod
    def _fits_a_header(cls, value: str | None) -> str | None:
        if value and not (value.isascii() and value.isprintable() and value == value.strip()):
            raise ValueError("write it in ASCII, without blanks at its ends: it goes into a header")
        return value

    @field_validator("OLLAMA_HOST")
    @classmethod
    def _whole_url(cls, value: str) -> str:
        return ollama_url(value)

    @field_validator("EVIDENCE_RUN", mode="before")
    @classmethod
    def _switch(cls, value: Any) -> Any:
        """It was a switch once, and config.toml files say so."""
        words = {"true": "auto", "1": "auto", "on": "auto", "false": "off", "0": "off"}
        return words.get(str(value).lower(), value)

    @field_validator("HISTORY_DIR", "DOCS_DIR", "MODELS_DIR", "PROMPTS_DIR", "SANDBOX_VENV")
    @classmethod
    def _expand_home(cls, value: Path | None) -> Path | None:
        try:
            return value.expanduser().absolute() if value else None
        except RuntimeError:
            raise ValueError("its ~ is not a home directory here; write the whole path") from None

    @model_validator(mode="after")
    def _token_beyond_loopback(self) -> "Settings":
        if self.HOST not in LOOPBACK_HOSTS and not self.API_TOKEN:
            raise ValueError(
                f"HOST {quoted(self.HOST)} can be reached from other machines, so API_TOKEN must "
                "be set"
            )
        return self

    @model_validator(mode="after")
    def _one_way_to_authorize(self) -> "Settings":
        if self.OLLAMA_TOKEN and "@" in urlsplit(self.OLLAMA_HOST).netloc:
            raise ValueError("OLLAMA_HOST has a password in it, so OLLAMA_TOKEN must not be set")
        return self

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return init_settings, env_settings, _Defaults(settings_cls)


class _Defaults(PydanticBaseSettingsSource):
    """What stands below the environment: config.toml, then Ollama's own variable."""

    def get_field_value(self, field: Any, field_name: str) -> tuple[Any, str, bool]:
        raise NotImplementedError  # pydantic-settings calls __call__ alone on this source

    def __call__(self) -> dict[str, Any]:
        values: dict[str, Any] = {}
        if os.environ.get("OLLAMA_HOST"):
            values["OLLAMA_HOST"] = os.environ["OLLAMA_HOST"]
        return values | read_config_file(config_path())


def require_provider(name: str) -> None:
    """Whether a backend has the model is not known here; without one it is no name at all. Raises
    ValueError."""
    provider, _, model = name.partition("/")
    if name != "auto" and not (provider and model):
        raise ValueError(
            f"{quoted(name)} is not a model name; write provider/name, such as "
            f"{with_provider(name)}"
        )


def with_provider(name: str) -> str:
    """What somebody may have meant who wrote a model's name without a provider: a file, or one of
    Ollama's."""
    if name.endswith(".gguf"):
        return f"local/{name[:MAX_QUOTED]}"
    return f"ollama/{name.strip('/')[:MAX_QUOTED] or 'qwen2.5-coder:7b'}"


def expanded(path: str) -> Path:
    """With the home directory in place of `~`; where there is none of that name, the path as it is,
    at which nothing will be found."""
    return Path(os.path.expanduser(path))  # noqa: PTH111 - pathlib's own raises


def config_path() -> Path:
    """Where config.toml is looked for (`LAIOS_CONFIG` names another file)."""
    override = os.environ.get(CONFIG_VARIABLE)
    if override:
        return expanded(override)
    return platformdirs.user_config_path("laios", appauthor=False) / "config.toml"


def client_variable(name: str) -> str | None:
    """A variable with which a chat client moves its own files, such as `CODEX_HOME`."""
    return os.environ.get(name) or None


def wants_colours() -> bool:
    """Whether a terminal may have colours: NO_COLOR says that it may not, and some know none."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") not in ("dumb", "unknown")


def typed_in_bash() -> str:
    """The words of the command that bash completes, with their quotes."""
    return os.environ.get("COMP_WORDS", "")


def otlp_protocol() -> str | None:
    """How traces are sent, by OpenTelemetry's own variables; None where they say: not at all."""

    def told(name: str) -> str:
        return os.environ.get(f"OTEL_{name}", "").strip().lower()

    if told("TRACES_EXPORTER") == "none" or told("SDK_DISABLED") == "true":
        return None
    own, general = told("EXPORTER_OTLP_TRACES_PROTOCOL"), told("EXPORTER_OTLP_PROTOCOL")
    return own or general or "http/protobuf"


def cache_dir() -> Path:
    """Where things live that can be made again, such as the search index."""
    return platformdirs.user_cache_path("laios", appauthor=False)


def go_packages_dir() -> Path:
    """Where the compiled packages of Go's standard library are kept."""
    return cache_dir() / "go-packages"


def load_settings(**options: Any) -> Settings:
    """The settings in force; `options` are the command line's (None: not given).

    Raises ConfigError, whose message names each wrong setting, where it came from and the fix.
    """
    _refuse_unknown_variables(os.environ)
    given = {name: value for name, value in options.items() if value is not None}
    state = file_state(config_path())
    try:
        settings = Settings(**given)
        settings._config_state = state
        return settings
    except ValidationError as error:
        lines = [explain(each, lambda name: _source_of(name, given)) for each in error.errors()]
        raise ConfigError("\n".join(lines)) from None


def file_state(path: Path) -> tuple[int, ...] | None:
    """A file's device, inode and last change, by which one knows that it is another one now; None
    where there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino, status.st_ctime_ns


def read_config_file(path: Path) -> dict[str, Any]:
    """The values in a config.toml, by upper-case name; {} if there is none.

    Names may be written in either case. Raises ConfigError for what is not a regular file, cannot
    be read or is too large, for broken TOML and unknown names.
    """
    try:
        raw = tomllib.loads(_config_text(path))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise ConfigError(f"{path} cannot be used: {error.strerror}.") from None
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path} cannot be used: {error}.") from None
    for name in raw:
        if name.upper() not in Settings.model_fields:
            raise ConfigError(f"{path}: unknown setting {quoted(name)}. {_nearest(name)}")
    return {name.upper(): value for name, value in raw.items()}


def _config_text(path: Path) -> str:
    """The text of a config file. Raises OSError and ValueError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)  # a pipe without a writer is no wait
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise ValueError("it is not a regular file")
    with os.fdopen(descriptor, "rb") as file:
        data = file.read(MAX_CONFIG_BYTES + 1)
    if len(data) > MAX_CONFIG_BYTES:
        raise ValueError(f"it is larger than {MAX_CONFIG_BYTES} bytes")
    text = data.decode()
    if any(len(line) > MAX_CONFIG_LINE for line in text.split("\n")):
        raise ValueError(f"a line is longer than {MAX_CONFIG_LINE} characters")
    return text


def quoted(value: object) -> str:
    """A value as an error shows it: on one line, and a long one cut."""
    try:
        text = repr(value)
    except ValueError:
        return "a number of thousands of digits"
    return text if len(text) <= MAX_QUOTED else text[: MAX_QUOTED - 1] + "…"


def base_url(settings: Settings) -> str:
    """Where the daemon with these settings is called, without a slash at the end."""
    host = "127.0.0.1" if settings.HOST in ("", "0.0.0.0", "::") else settings.HOST.lower()
    return f"http://[{host}]:{settings.PORT}" if ":" in host else f"http://{host}:{settings.PORT}"


def ollama_url(address: str) -> str:
    """The URL to call, without a slash at its end, for anything that Ollama takes as OLLAMA_HOST:
    `host`, `host:port`, `:port`, `::1`, `[::1]:port`, a URL with or without a path; an address to
    listen on everywhere means this machine. Raises ValueError."""
    text = address.strip().rstrip("/")
    default_port: int | None = None  # the scheme's own
    if "://" not in text:
        if text.count(":") > 1 and not text.startswith("["):
            text = f"[{text}]"
        text, default_port = f"http://{text}", OLLAMA_PORT
    try:
        parts = urlsplit(text)
        port = parts.port or default_port
    except ValueError:
        parts, port = None, None
    if parts is None or parts.scheme not in ("http", "https") or parts.query or parts.fragment:
        raise ValueError(
            "this is not an address; write http://host:port, such as "
            f"http://127.0.0.1:{OLLAMA_PORT}"
        )
    host = _EVERYWHERE.get(parts.hostname or "", parts.hostname)
    user = f"{parts.netloc.rpartition('@')[0]}@" if "@" in parts.netloc else ""
    host = f"[{host}]" if ":" in str(host) else host
    return f"{parts.scheme}://{user}{host}{f':{port}' if port else ''}{parts.path}"


def _refuse_unknown_variables(environment: Mapping[str, str]) -> None:
    for variable in sorted(environment):
        name = variable.removeprefix(PREFIX)
        ours = variable.startswith(PREFIX) and variable != CONFIG_VARIABLE
        if ours and name not in Settings.model_fields:
            raise ConfigError(f"Unknown environment variable {variable}. {_nearest(name, PREFIX)}")


def _nearest(name: str, prefix: str = "") -> str:
    near = difflib.get_close_matches(name[:MAX_QUOTED].upper(), Settings.model_fields, n=1)
    if near:
        return f"Did you mean {prefix}{near[0]}?"
    return "No setting has a similar name; docs/settings.md lists them all."


def explain(error: Any, source_of: Callable[[str], str] = lambda name: "") -> str:
    """One line for one wrong value, with where it stands. A secret's value is never shown."""
    text: str = _WAYS.get(error["type"]) or error["msg"].removeprefix("Value error, ")
    if not error["loc"]:
        return f"{text}."
    name = str(error["loc"][0])
    source = source_of(name)
    shows_nothing = name in SECRETS or error["input"] == ()
    shown = "" if shows_nothing else f" (got {quoted(error['input'])})"
    return f"{name}{f' ({source})' if source else ''}: {text}{shown}."


def _source_of(name: str, given: Mapping[str, Any]) -> str:
    if name in given:
        return "command line"
    if PREFIX + name in os.environ:
        return f"{PREFIX}{name}"
    in_file = name in read_config_file(config_path())
    return str(config_path()) if in_file else f"{name} in the environment"  # Ollama's own variable


def hot_settings() -> frozenset[str]:
    """The names of the settings that are read at each run."""
    extras = {name: field.json_schema_extra for name, field in Settings.model_fields.items()}
    return frozenset(
        name for name, extra in extras.items() if isinstance(extra, dict) and extra["hot"]
    )


def hot_variables() -> list[str]:
    """The names of those that a `LAIOS_<NAME>` variable of this process sets."""
    hot = hot_settings()
    return [name for name in Settings.model_fields if name in hot and PREFIX + name in os.environ]
