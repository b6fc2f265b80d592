"""`laios connect`: what clients are told, and writing it into their files."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from processes import LAIOS, invoke, laios
from selection import examples

from server.client_setup import settings_file
from server.client_setup.clients import CLIENTS
from server.client_setup.edit import (
    Edit,
    EditError,
    ListItem,
    Unreadable,
    WrongShape,
    apply,
    look,
    merged,
)
from server.client_setup.jsonc import Jsonc
from server.client_setup.toml_text import Toml
from server.client_setup.yaml_text import Yaml

pytestmark = pytest.mark.only_when(
    "server/client_setup/",
    "server/commands/connect.py",
    "server/mcp_mount.py",
    "server/terminal/",
    "laios/durable_file.py",
)

URL = "http://127.0.0.1:11711"
FILES = {
    "aider": ".aider.conf.yml",
    "claude-code": ".claude/laios.json",
    "codex": ".codex/config.toml",
    "continue": ".continue/config.yaml",
    "copilot": ".config/Code/User/chatLanguageModels.json",
    "librechat": "librechat.yaml",
    "llm": ".config/io.datasette.llm/extra-openai-models.yaml",
    "opencode": ".config/opencode/opencode.json",
    "zed": ".config/zed/settings.json",
}
LOADERS = {".yml": yaml.safe_load, ".yaml": yaml.safe_load, ".toml": tomllib.loads}

# Files as people have them: the layout and every comment are theirs.
OWN = {
    "aider": "# mine\ndark-mode: true   # at night\nread: [CONVENTIONS.md]\n",
    "claude-code": '{\n  "theme": "dark", // late\n}\n',
    "codex": (
        'model = "gpt-5"   # my usual one\napproval_policy = "on-request"\n\n'
        '[model_providers.other]\nname = "Other"\nbase_url = "https://other.example/v1"\n\n'
        '# servers\n[mcp_servers.docs]\ncommand = "docs"\n'
    ),
    "continue": (
        "name: Mine\nversion: 2.1.0\nschema: v1\nmodels:\n"
        "  # the big one\n  - name: Big\n    provider: anthropic\n    model: big   # costs\n"
        "\n# what it may read\ncontext:\n  - provider: code\n"
    ),
    "copilot": '[\n\t{"name": "Azure", "vendor": "azure", "models": []}, // work\n]\n',
    "librechat": (
        "version: 1.2.8\nendpoints:\n  custom:\n  - name: groq # fast\n    apiKey: '${GROQ}'\n"
        "    models: {default: [a, b]}\n\n  # agents\n  agents:\n    recursionLimit: 5\n"
        "interface:\n  text: |\n    # not a comment\n\n    end\n"
    ),
    "llm": "- model_id: mine\n  model_name: mine\n  api_base: http://127.0.0.1:8080\n# the end\n",
    "opencode": (
        '{\n  // colours\n  "theme": "system",\n  "provider": {\n    "ollama": {"name": "x"}, // '
        "old\n  },\n}\n"
    ),
    "zed": (
        '// Zed settings\n{\n    /* fonts */\n    "buffer_font_size": 15, // big\n'
        '    "language_models": { "ollama": { "api_url": "http://127.0.0.1:11434" } },\n'
        '    "theme": "One" // the last one has no comma\n}\n'
    ),
}


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A home directory of one's own, which is the current directory too."""
    for name in (
        *("XDG_CONFIG_HOME", "CODEX_HOME", "LLM_USER_PATH", "CONTINUE_GLOBAL_DIR", "CONFIG_PATH"),
        *(
            "OPENCODE_CONFIG",
            "CLAUDE_CONFIG_DIR",
            "FLATPAK_XDG_CONFIG_HOME",
            "LAIOS_API_TOKEN",
            "LAIOS_PORT",
        ),
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("LAIOS_CONFIG", str(tmp_path / "none.toml"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def load(path: Path) -> Any:
    return LOADERS.get(path.suffix, Jsonc().load)(path.read_text())


def beside(path: Path) -> list[str]:
    return sorted(each.name for each in path.parent.iterdir() if each.is_file())


def own(home: Path, name: str) -> Path:
    """The client's file as its user has it."""
    path = home / FILES[name]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(OWN[name])
    return path


# --- the command ---------------------------------------------------------------------------------


def test_the_list_says_what_is_there_and_what_is_connected(home: Path) -> None:
    """One line a client; what has no file is not judged."""
    (home / "bin").mkdir()
    (home / "bin" / "codex").write_text("#!/bin/sh\n")
    (home / "bin" / "codex").chmod(0o755)
    invoke("connect", "codex", "--write")
    path = f"{home / 'bin'}:/usr/bin"
    done = invoke("connect", PATH=path)
    rows = {line.split()[0]: line for line in done.stdout.splitlines()}
    assert rows.keys() == {"CLIENT", *CLIENTS}
    assert rows["codex"].split() == ["codex", "yes", "yes", "~/.codex/config.toml"]
    assert rows["aider"].split() == ["aider", "not", "seen", "no", "~/.aider.conf.yml"]
    told = json.loads(invoke("connect", "--json", PATH=path).stdout)
    assert told["url"] == URL
    found = {row["client"]: row for row in told["clients"]}
    assert found["codex"]["connected"] is True and found["codex"]["installed"] is True
    assert found["zed"]["connected"] is False and found["open-webui"]["connected"] is None
    (home / FILES["zed"]).parent.mkdir(parents=True)
    (home / FILES["zed"]).write_text("{ broken")
    assert "?" in next(
        line for line in invoke("connect").stdout.splitlines() if line.startswith("zed")
    )


@pytest.mark.parametrize("name", CLIENTS)
def test_every_client_is_told_the_address_and_how_to_check(name: str) -> None:
    """The same for people and for programs; a token is asked for, and never shown."""
    said = []
    for token in ({}, {"LAIOS_API_TOKEN": "tell nobody!"}):
        done = invoke("connect", name, LAIOS_PORT="11999", **token)
        assert done.returncode == 0 and "http://127.0.0.1:11999" in done.stdout
        assert "Check: " in done.stdout and "tell nobody!" not in done.stdout
        told = json.loads(invoke("connect", name, "--json", LAIOS_PORT="11999", **token).stdout)
        assert told["check"] in done.stdout and (told["snippet"] or "") in done.stdout
        assert all(step in done.stdout for step in told["steps"])
        said.append(done.stdout.count("API_TOKEN"))
    assert said[1] > said[0]


def test_an_unknown_client_is_answered_with_the_nearest() -> None:
    """Exit code 2; the list of those that there are."""
    done = invoke("connect", "open-code")
    assert (done.returncode, done.stdout) == (2, "")
    assert "Did you mean opencode?" in done.stderr and "jetbrains" in done.stderr
    told = json.loads(invoke("connect", "open-code", "--json").stdout)
    assert told["error"]["code"] == "not_found"
    assert invoke("connect", "--write").returncode == 2


@pytest.mark.parametrize("name", ["open-webui", "jetbrains"])
def test_what_has_no_file_cannot_be_written(name: str) -> None:
    """Exit code 2 instead of a silent nothing."""
    for option in (["--write"], ["--dry-run"], ["--file", "x"]):
        done = invoke("connect", name, *option)
        assert done.returncode == 2 and f"laios connect {name}" in done.stderr


@pytest.mark.parametrize("name", FILES)
def test_written_once_then_already_there(home: Path, name: str) -> None:
    """A new file holds what was shown and is private; the second time nothing happens."""
    path = home / FILES[name]
    shown = json.loads(invoke("connect", name, "--json").stdout)
    assert shown["file"] == str(path) and not path.exists()
    done = invoke("connect", name, "--write")
    assert done.returncode == 0 and done.stdout.startswith("Written: ~/")
    assert path.read_text() == shown["snippet"] and path.stat().st_mode & 0o777 == 0o600
    address = URL if name == "claude-code" else f"{URL}/v1"  # its protocol's paths begin with /v1
    assert address in path.read_text() and "laios" in path.read_text()
    assert load(path)
    before = path.stat()
    again = invoke("connect", name, "--write")
    assert again.stdout.startswith("Already there: ") and path.stat() == before
    assert beside(path) == [path.name]
    assert "is connected" in invoke("connect", name).stdout


@pytest.mark.parametrize("name", FILES)
def test_what_the_user_wrote_stays(home: Path, name: str) -> None:
    """Every line of theirs is still there, in order, comments too; the old file is beside it."""
    path = own(home, name)
    path.chmod(0o640)
    before = load(path)
    assert invoke("connect", name, "--write").returncode == 0
    left = iter(line.rstrip(",") for line in path.read_text().splitlines())
    for line in OWN[name].splitlines():
        bare = line.replace('", //', '" //').rstrip(",")
        if "ollama" in line and name == "zed":  # this line gets one more member
            continue
        assert any(now.replace('", //', '" //') == bare or now == line for now in left), line
    after = load(path)
    assert contains(after, before) and path.stat().st_mode & 0o777 == 0o640
    backup = path.with_name(f"{path.name}.laios-backup-1")
    assert backup.read_text() == OWN[name] and backup.stat().st_mode & 0o777 == 0o640
    assert beside(path) == sorted([path.name, backup.name])
    assert invoke("connect", name, "--write").stdout.startswith("Already there: ")
    assert beside(path) == sorted([path.name, backup.name])


AS_TOOLS = {
    "claude-code": ".claude.json",
    "codex": ".codex/config.toml",
    "cursor": ".cursor/mcp.json",
    "opencode": ".config/opencode/opencode.json",
    "vscode": ".config/Code/User/mcp.json",
    "zed": ".config/zed/settings.json",
}


@pytest.mark.parametrize("name", AS_TOOLS)
def test_an_agent_is_told_to_start_laios_mcp(home: Path, name: str) -> None:
    """By its whole path, in its own file, once; what the user has there stays, and the entries as
    a model stand beside it."""
    path = home / AS_TOOLS[name]
    if name in OWN:
        own(home, name)
        invoke("connect", name, "--write")
    before = load(path) if path.exists() else {}
    told = json.loads(invoke("connect", name, "--mcp", "--json").stdout)
    assert told["file"] == str(path) and told["connected"] is False
    done = invoke("connect", name, "--mcp", "--write")
    assert done.returncode == 0 and done.stdout.startswith("Written: ~/"), done.stderr
    after = load(path)
    assert contains(after, before)
    entry = next(value["laios"] for key, value in after.items() if key in MCP_TABLES)
    command = entry["command"]
    words = command if isinstance(command, list) else [command, *entry["args"]]
    assert words == [LAIOS, "mcp"]
    again = invoke("connect", name, "--mcp", "--write")
    assert again.stdout.startswith("Already there: ")


MCP_TABLES = ("mcpServers", "mcp_servers", "mcp", "servers", "context_servers")


def test_the_tools_have_clients_of_their_own(home: Path) -> None:
    """The list, the nearest name, what goes with them and what does not; no token is shown."""
    rows = invoke("connect", "--mcp").stdout.splitlines()
    assert [row.split()[0] for row in rows] == ["CLIENT", *AS_TOOLS]
    for words in (["cursor"], ["cursr", "--mcp"], ["aider", "--mcp"]):
        done = invoke("connect", *words)
        assert done.returncode == 2
    assert "laios connect cursor --mcp" in invoke("connect", "cursor").stderr
    assert "laios connect aider." in invoke("connect", "aider", "--mcp").stderr
    assert "Did you mean cursor?" in invoke("connect", "cursr", "--mcp").stderr
    assert invoke("connect", "zed", "--mcp", "--url", "http://x").returncode == 2
    done = invoke("connect", "codex", "--mcp", "--write", LAIOS_API_TOKEN="tell nobody!")
    text = (home / AS_TOOLS["codex"]).read_text()
    assert "LAIOS_API_TOKEN" in done.stdout and 'env_vars = ["LAIOS_API_TOKEN"]' in text
    assert "tell nobody!" not in done.stdout + text
    (home / AS_TOOLS["zed"]).parent.mkdir(parents=True)
    (home / AS_TOOLS["zed"]).write_text("{ broken")
    assert "laios connect zed --mcp" in invoke("connect", "zed", "--mcp", "--write").stderr


def contains(after: Any, before: Any) -> bool:
    """Whether nothing of the data has gone."""
    if isinstance(before, dict):
        return all(key in after and contains(after[key], before[key]) for key in before)
    if isinstance(before, list):
        return all(contains(now, old) for now, old in zip(after, before, strict=False))
    return bool(after == before)


def test_a_new_address_changes_only_the_address(home: Path) -> None:
    """Each change has its own backup; what the user set at our entries stays theirs."""
    path = home / FILES["continue"]
    invoke("connect", "continue", "--write")
    text = path.read_text().replace("[chat, edit]", "[chat]  # no edits", 1)
    path.write_text(text.replace("apiKey: laios", "apiKey: my own", 1))
    invoke("connect", "continue", "--write", LAIOS_PORT="11999")
    rows = load(path)["models"]
    assert {row["apiBase"] for row in rows} == {"http://127.0.0.1:11999/v1"}
    assert rows[0]["roles"] == ["chat"] and rows[0]["apiKey"] == "my own"
    assert "# no edits" in path.read_text()
    invoke("connect", "continue", "--write", "--url", "http://box:1/")
    assert {row["apiBase"] for row in load(path)["models"]} == {"http://box:1/v1"}
    assert beside(path) == [path.name, *(f"{path.name}.laios-backup-{n}" for n in (1, 2))]


def test_what_had_to_be_replaced_is_said(home: Path) -> None:
    """aider has one model only; which it was stands in the answer and in the backup."""
    path = home / FILES["aider"]
    path.write_text("model: gpt-5 # my usual one\nopenai-api-key: mine\n")
    done = invoke("connect", "aider", "--write")
    assert [line for line in done.stdout.splitlines() if line.startswith("Was:")] == [
        "Was:     model = 'gpt-5'"
    ]
    told = load(path)
    assert told["model"] == "openai/laios:raw" and told["openai-api-key"] == "mine"
    own(home, "zed")
    assert "Was:" not in invoke("connect", "zed", "--write").stdout


@pytest.mark.parametrize("name", FILES)
def test_the_token_is_read_by_the_client_never_written(home: Path, name: str) -> None:
    """Also where the file stood there before the daemon had a token."""
    path = home / FILES[name]
    invoke("connect", name, "--write")
    done = invoke("connect", name, "--write", LAIOS_API_TOKEN="tell nobody!")
    assert "tell nobody!" not in path.read_text() + done.stdout + done.stderr
    text = path.read_text()
    if name in ("claude-code", "codex", "continue", "librechat", "opencode"):
        assert "LAIOS_API_TOKEN" in text and "apiKey: laios\n" not in text
        assert '"apiKey": "laios"' not in text
    if name == "llm":
        assert text.count("api_key_name: laios\n") == len(load(path))


def test_dry_run_shows_the_change_and_makes_none(home: Path) -> None:
    """A diff that says what --write then does."""
    path = own(home, "zed")
    done = invoke("connect", "zed", "--dry-run")
    assert path.read_text() == OWN["zed"] and beside(path) == [path.name]
    assert done.stdout.startswith("--- ")
    assert '"Local laios"' in done.stdout
    told = json.loads(invoke("connect", "zed", "--dry-run", "--json").stdout)
    assert told["diff"] == done.stdout and told["changed"] and not told["written"]
    told = json.loads(invoke("connect", "zed", "--write", "--json").stdout)
    assert told["written"] and Path(told["backup"]).read_text() == OWN["zed"]
    assert told["diff"] == done.stdout
    assert not json.loads(invoke("connect", "zed", "--write", "--json").stdout)["changed"]


BROKEN = {
    "aider": "model: [open\n",
    "codex": "model = \n",
    "continue": "models: {a: 1}\n",
    "copilot": '{"name": "a map, where a list belongs"}',
    "librechat": "endpoints: none\n",
    "llm": "- a\n--- \n- b\n",
    "opencode": '{"provider": }',
    "zed": '{"language_models": {} /* no end',
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_file_that_cannot_be_used_is_left_alone(home: Path, name: str) -> None:
    """Exit code 1 with the place and what to do by hand; not a byte changes."""
    path = own(home, name)
    path.write_text(BROKEN[name])
    done = invoke("connect", name, "--write")
    assert done.returncode == 1 and str(path) in done.stderr
    assert f"laios connect {name}" in done.stderr
    assert path.read_text() == BROKEN[name] and beside(path) == [path.name]
    told = json.loads(invoke("connect", name, "--write", "--json").stdout)
    assert told["error"]["code"] == "client_file"


@pytest.mark.parametrize(
    ("variable", "value", "name", "where"),
    [
        ("CODEX_HOME", "c", "codex", "c/config.toml"),
        ("LLM_USER_PATH", "l", "llm", "l/extra-openai-models.yaml"),
        ("CONTINUE_GLOBAL_DIR", "c", "continue", "c/config.yaml"),
        ("CONFIG_PATH", "chat.yaml", "librechat", "chat.yaml"),
        ("OPENCODE_CONFIG", "o.json", "opencode", "o.json"),
        ("XDG_CONFIG_HOME", "x", "opencode", "x/opencode/opencode.json"),
        ("XDG_CONFIG_HOME", "x", "zed", "x/zed/settings.json"),
        ("XDG_CONFIG_HOME", "x", "llm", "x/io.datasette.llm/extra-openai-models.yaml"),
    ],
)
def test_the_clients_own_variables_count(
    home: Path, variable: str, value: str, name: str, where: str
) -> None:
    """Its file is where the client looks for it."""
    told = json.loads(invoke("connect", name, "--json", **{variable: str(home / value)}).stdout)
    assert told["file"] == str(home / where)


def test_the_file_can_be_named(home: Path) -> None:
    """For one that lies where nobody would look; opencode's other name is found by itself."""
    invoke("connect", "librechat", "--write", "--file", str(home / "a" / "l.yaml"))
    assert load(home / "a" / "l.yaml")["endpoints"]["custom"][0]["name"] == "laios"
    other = home / ".config/opencode/opencode.jsonc"
    other.parent.mkdir(parents=True)
    other.write_text("// empty\n")
    invoke("connect", "opencode", "--write")
    assert other.read_text().startswith("// empty\n{") and beside(other)[0] == other.name
    assert not (home / FILES["opencode"]).exists()


def test_clients_are_completed() -> None:
    """At the tab key, as the shell asks for it."""
    asked = {"_LAIOS_COMPLETE": "complete_bash", "COMP_WORDS": "laios connect o", "COMP_CWORD": "2"}
    assert laios(**asked).stdout.split() == ["open-webui", "opencode"]


# --- the disk ----------------------------------------------------------------------------------


def test_a_place_that_cannot_be_looked_at_is_listed(home: Path) -> None:
    """Such as one that its user may not enter, or with too long a name: nothing is seen there."""
    done = invoke("connect", CONTINUE_GLOBAL_DIR=f"/{'n' * 300}")
    [row] = [line.split() for line in done.stdout.splitlines() if line.startswith("continue ")]
    assert row[1:4] == ["not", "seen", "?"] and done.returncode == 0


def test_a_link_stays_a_link(home: Path) -> None:
    """What it points to is written, with the backup there: dotfiles in a repository stay so."""
    real = home / "dotfiles" / "aider.yml"
    real.parent.mkdir()
    real.write_text(OWN["aider"])
    (home / FILES["aider"]).symlink_to(real)
    done = invoke("connect", "aider", "--write")
    assert (home / FILES["aider"]).is_symlink() and "dotfiles/aider.yml" in done.stdout
    assert load(real)["model"] == "openai/laios:raw"
    assert beside(real) == ["aider.yml", "aider.yml.laios-backup-1"]


def test_a_loop_of_links_and_a_directory_are_refused(home: Path) -> None:
    """With a word, without a trace."""
    (home / FILES["aider"]).symlink_to(home / FILES["aider"])
    (home / "librechat.yaml").mkdir()
    for name in ("aider", "librechat"):
        done = invoke("connect", name, "--write")
        assert done.returncode == 1 and "left as it is" in done.stderr


def test_a_file_that_changes_meanwhile_is_not_overwritten(home: Path) -> None:
    """The editor may be writing its settings at the same moment."""
    path = own(home, "zed")
    with pytest.raises(EditError, match="meanwhile"):
        settings_file.write(path, "{}", "{ }")
    assert path.read_text() == OWN["zed"] and beside(path) == [path.name]


def test_a_full_disk_leaves_the_old_file(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And nothing half-written beside it but the backup."""
    path = own(home, "zed")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("laios.durable_file.sync", full)
    done = invoke("connect", "zed", "--write")
    assert done.returncode == 1 and "No space left" in done.stderr
    assert path.read_text() == OWN["zed"]
    assert beside(path) == [path.name, f"{path.name}.laios-backup-1"]


def test_line_ends_stay(home: Path) -> None:
    """A file with CRLF gets its new lines with CRLF."""
    for name in ("zed", "continue", "codex"):
        path = own(home, name)
        path.write_bytes(OWN[name].replace("\n", "\r\n").encode())
        invoke("connect", name, "--write")
        assert path.read_bytes().count(b"\n") == path.read_bytes().count(b"\r\n")


def test_mixed_line_ends_stay_as_they_are() -> None:
    """Each line has the end that it had, also in TOML."""
    text = 'a = 1\r\nb = """x\r\ny\nz"""\n[c]\n'
    new = apply(Toml(), text, [Edit(("servers", "laios"), {"url": URL})])
    assert new.startswith(text) and URL in new


def test_an_address_that_no_client_could_call_is_not_written(home: Path) -> None:
    """Exit code 2 with a whole one; --json says it too."""
    for url in ("127.0.0.1:11711", "docker", "", "ftp://a", "http://", "http://a:x", "http://a b"):
        refused = invoke("connect", "codex", "--write", "--url", url)
        assert refused.returncode == 2 and "such as http://127.0.0.1:11711" in refused.stderr, url
        told = json.loads(invoke("connect", "codex", "--json", "--url", url).stdout)
        assert told["error"]["code"] == "bad_request"
    assert not (home / FILES["codex"]).exists()


def test_not_utf_8_is_refused(home: Path) -> None:
    """Guessing an encoding would change what others wrote."""
    path = own(home, "aider")
    path.write_bytes(b"# caf\xe9\n")
    assert invoke("connect", "aider", "--write").returncode == 1
    assert path.read_bytes() == b"# caf\xe9\n"


# --- the formats ----------------------------------------------------------------------------------

KEYS = st.from_regex(r"[abcxyz][abcxyz_$0-]{0,3}", fullmatch=True)
SCALARS = (
    st.none() | st.booleans() | st.integers(-99, 99) | st.text('ab "\\/*#:,{}[]ü\n', max_size=6)
)
DATA = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=10,
)
TABLES = st.dictionaries(KEYS, DATA, max_size=4)
BLANKS = st.sampled_from(["", " ", "\n", "\n\t", ' // a "note\n', "/* { */", "/* [\n */ "])
NEW = {"address": URL, "more": {"deep": [1, "two"]}}


@st.composite
def jsonc(draw: st.DrawFn, data: Any) -> str:
    """The data as somebody might have written it, with comments wherever they may stand."""

    def gap() -> str:
        return draw(BLANKS)

    def written(value: Any) -> str:
        if isinstance(value, dict):
            parts = [
                f"{gap()}{json.dumps(key)}{gap()}:{gap()}{written(each)}{gap()}"
                for key, each in value.items()
            ]
            return "{" + ",".join(parts) + draw(last(parts)) + gap() + "}"
        if isinstance(value, list):
            parts = [f"{gap()}{written(each)}{gap()}" for each in value]
            return "[" + ",".join(parts) + draw(last(parts)) + gap() + "]"
        return json.dumps(value, ensure_ascii=draw(st.booleans()))

    def last(parts: list[str]) -> st.SearchStrategy[str]:
        return st.sampled_from(["", ","]) if parts else st.just("")

    return gap() + written(data) + gap()


def comments(text: str) -> int:
    return sum(text.count(note) for note in ('// a "note\n', "/* { */", "/* [\n */"))


@settings(max_examples=examples(300), deadline=None)
@given(st.data(), TABLES, st.lists(KEYS, min_size=1, max_size=3))
def test_json_with_comments_takes_any_change(
    data: st.DataObject, table: dict[str, Any], path: list[str]
) -> None:
    """The data is the old with the one change, every comment is still there, and again is
    nothing. What is of the wrong shape is refused."""
    text = data.draw(jsonc(table))
    kind = Jsonc()
    assert kind.load(text) == table
    edit = Edit(tuple(path), NEW)
    try:
        wanted = merged(table, edit.path, NEW)
    except WrongShape:
        with pytest.raises(WrongShape):
            apply(kind, text, [edit])
        return
    new = apply(kind, text, [edit])
    assert kind.load(new) == wanted and look(wanted, edit.path)["address"] == URL
    assert comments(new) == comments(text)
    assert apply(kind, new, [edit]) == new


@settings(max_examples=examples(200), deadline=None)
@given(
    TABLES,
    st.lists(KEYS, min_size=1, max_size=3),
    st.sampled_from([None, False, True]),
    st.integers(2, 4),
)
def test_yaml_takes_any_change(
    table: dict[str, Any], path: list[str], flow: bool | None, indent: int
) -> None:
    """In block and flow style: the data is the old with the one change, and again is nothing."""
    text = yaml.safe_dump(table, default_flow_style=flow, indent=indent, allow_unicode=True)
    kind = Yaml()
    edit = Edit(tuple(path), NEW)
    try:
        wanted = merged(table, edit.path, NEW)
    except WrongShape:
        return
    new = apply(kind, text, [edit])
    assert kind.load(new) == wanted
    assert apply(kind, new, [edit]) == new


@settings(max_examples=examples(200), deadline=None)
@given(st.text('{}[],:"/*#-\\\n ax1', max_size=30))
def test_no_text_breaks_a_reader(text: str) -> None:
    """Whatever stands in a file: the change is made, or refused with an EditError."""
    for kind in (Jsonc(), Yaml(), Toml()):
        try:
            new = apply(kind, text, [Edit(("x", "y"), {"z": 1})])
        except EditError:
            continue
        assert look(kind.load(new), ("x", "y", "z")) == 1


def test_json_comments_stay_with_their_values() -> None:
    """The new member comes after the comment of the last one, in the layout of the others."""
    text = '{\n\t"a": 1, // one\n\t"b": 2 // two\n\t// the end\n}\n'
    new = apply(Jsonc(), text, [Edit(("c",), 3)])
    assert new == '{\n\t"a": 1, // one\n\t"b": 2, // two\n\t"c": 3\n\t// the end\n}\n'
    text = '{\n  "a": [1, 2,], /* x */ // y\n}'
    assert apply(Jsonc(), text, [Edit(("c",), 3)]) == (
        '{\n  "a": [1, 2,], /* x */ // y\n  "c": 3,\n}'
    )


def test_yaml_comments_stay_with_what_they_are_about() -> None:
    """A new item stands after the last one, before the comment of the next section."""
    text = "list:\n- a: 1  # one\n\n# about b\nb: 2\n"
    new = apply(Yaml(), text, [Edit(("list", ListItem("a", "x")), {"c": 3})])
    assert new == "list:\n- a: 1  # one\n- a: x\n  c: 3\n\n# about b\nb: 2\n"
    text = "none: # nothing yet\nb: 2"
    assert apply(Yaml(), text, [Edit(("none", "a"), 1), Edit(("c",), 3)]) == (
        "none: # nothing yet\n  a: 1\nb: 2\nc: 3\n"
    )


# What a round trip through ruamel.yaml would write anew: indentation, blanks, quotes, nulls, folds.
BY_HAND = """\
# what the team uses
version:   1.2
cache: true   # kept
endpoints:
    custom:
        - name: "old"      # the first
          baseURL: 'http://127.0.0.1:1/v1'
          models: { default: [ a,  b ], fetch: ~ }

interface:
    greeting: as long as no line of a file should be, and so one that writers of YAML like to fold
    roles: [ "user",'admin' ]
"""


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_yaml_written_by_hand_keeps_every_other_line(end: str) -> None:
    """That is why it is changed where it stands: no byte differs but those of the new item."""
    text, last = BY_HAND.replace("\n", end), "fetch: ~ }" + end
    edits = [Edit(("endpoints", "custom", ListItem("name", "laios")), {"baseURL": URL})]
    item = f"        - name: laios{end}          baseURL: {URL}{end}"
    assert apply(Yaml(), text, edits) == text.replace(last, last + item)
    assert apply(Yaml(), text, [Edit(("cache",), False)]) == text.replace("true", "false")


def test_yaml_that_cannot_be_changed_safely_is_refused() -> None:
    """An anchor that is used elsewhere: the other place would change as well."""
    text = "base: &b\n  url: x\nmine: *b\n"
    with pytest.raises(WrongShape):
        apply(Yaml(), text, [Edit(("mine", "url"), "y")])


def aliases(first: str, row: str) -> str:
    """Each of nine lines names the one before it nine times: a billion values in all."""
    rows = [f"a{n}: &a{n} {row % ', '.join([f'*a{n - 1}'] * 9)}" for n in range(1, 10)]
    return "\n".join([f"a0: &a0 {first}", *rows, ""])


@pytest.mark.parametrize(
    "text",
    [aliases("[x]", "[%s]"), aliases("{x: 1}", "{<<: [%s]}"), "a: &a [*a]\n", "&a\nb: *a\n"],
    ids=["lists", "merged", "loop", "loop of maps"],
)
def test_aliases_without_an_end_are_refused_at_once(home: Path, text: str) -> None:
    """Such a file in the current directory holds nothing up: its client is listed with a ?."""
    with pytest.raises(Unreadable, match="aliases"):
        Yaml().load(text)
    (home / "librechat.yaml").write_text(text)
    rows = [line.split() for line in invoke("connect").stdout.splitlines()]
    assert ["librechat", "not", "seen", "?", "~/librechat.yaml"] in rows


@pytest.mark.parametrize(
    "text",
    ["name: mine\0\nmodels: []\n", 'a: !!int ""', "a: !!bool x", "a: !!timestamp x"],
    ids=["control character", "int", "bool", "timestamp"],
)
def test_yaml_that_its_reader_stumbles_over_is_left_as_it_is(home: Path, text: str) -> None:
    """PyYAML raises all kinds of errors: the list has a ? for that client, --write says why."""
    (path := home / "librechat.yaml").write_text(text)
    rows = [line.split() for line in invoke("connect").stdout.splitlines()]
    assert ["librechat", "not", "seen", "?", "~/librechat.yaml"] in rows
    done = invoke("connect", "librechat", "--write")
    assert done.returncode == 1 and "was left as it is: " in done.stderr
    assert path.read_text() == text


def test_toml_in_every_way_to_write_a_table() -> None:
    """Headers, dotted keys, inline tables: the data is what it was, and ours."""
    edit = Edit(("servers", "laios"), {"url": URL})
    for text in (
        '# x\n[servers.a]\nurl = "a"  # y\n\n[z]\nb = 1\n',
        'servers.a.url = "a"\n[z]\nb = 1\n',
        'servers = {a = {url = "a"}}\n[z]\nb = 1\n',
    ):
        new = apply(Toml(), text, [edit])
        assert tomllib.loads(new) == merged(tomllib.loads(text), edit.path, edit.value)
        assert new.count("#") == text.count("#") and apply(Toml(), new, [edit]) == new


def test_toml_that_says_it_already_stays_as_it_is_written() -> None:
    """Beside a value that has to change, too."""
    text = "[servers.laios]\nname = 'laios' # mine\nurl = 'old' # there\n"
    new = apply(Toml(), text, [Edit(("servers", "laios"), {"name": "laios", "url": URL})])
    assert new == text.replace("'old'", f'"{URL}"')


def test_a_key_of_the_users_own_is_not_replaced() -> None:
    """`over` names what may be replaced; everything else stays."""
    edit = Edit(("key",), "new", over=("old",))
    assert apply(Jsonc(), '{"key": "old"}', [edit]) == '{"key": "new"}'
    assert apply(Jsonc(), '{"key": "mine"}', [edit]) == '{"key": "mine"}'
    assert apply(Toml(), 'key = "mine" # x\n', [edit]) == 'key = "mine" # x\n'
