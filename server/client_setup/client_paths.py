"""Where the clients keep their files, moved by the same variables as they do themselves."""

import sys
from contextlib import suppress
from pathlib import Path

import platformdirs

from config import client_variable, expanded


def aider() -> Path:
    """aider reads the one in the home directory, then the repository's, then this directory's."""
    return Path.home() / ".aider.conf.yml"


def claude_code() -> Path:
    return _moved("CLAUDE_CONFIG_DIR", Path.home()) / ".claude.json"


def claude_code_model() -> Path:
    """A file of our own beside its settings, which only `claude --settings FILE` reads."""
    return _moved("CLAUDE_CONFIG_DIR", Path.home() / ".claude") / "laios.json"


def codex() -> Path:
    return _moved("CODEX_HOME", Path.home() / ".codex") / "config.toml"


def continue_home() -> Path:
    return _moved("CONTINUE_GLOBAL_DIR", Path.home() / ".continue")


def cursor() -> Path:
    return Path.home() / ".cursor/mcp.json"


def librechat() -> Path:
    """In LibreChat's own directory, so in this one, if CONFIG_PATH does not name it."""
    moved = client_variable("CONFIG_PATH")
    local = moved if moved and "://" not in moved else "librechat.yaml"
    return Path(local).absolute()


def llm() -> Path:
    """llm asks click for its directory, which platformdirs names alike on Linux and macOS."""
    usual = platformdirs.user_config_path("io.datasette.llm", appauthor=False)
    return _moved("LLM_USER_PATH", usual) / "extra-openai-models.yaml"


def opencode() -> Path:
    """The file that opencode itself would write to: the first that is there."""
    if named := client_variable("OPENCODE_CONFIG"):
        return expanded(named)
    home = _xdg_config() / "opencode"
    names = ("opencode.jsonc", "opencode.json", "config.json")
    return next((home / name for name in names if is_there(home / name)), home / names[1])


def zed() -> Path:
    """Zed is at home in ~/.config on macOS as well."""
    if sys.platform == "darwin":
        return Path.home() / ".config/zed/settings.json"
    return _moved("FLATPAK_XDG_CONFIG_HOME", _xdg_config()) / "zed/settings.json"


def vs_code() -> Path:
    return platformdirs.user_config_path() / "Code/User/chatLanguageModels.json"


def vs_code_mcp() -> Path:
    """What `MCP: Open User Configuration` opens."""
    return vs_code().with_name("mcp.json")


def traces() -> dict[str, tuple[Path, ...]]:
    """What each client leaves behind that this command does not make, by its name."""
    vs_code_home = (Path.home() / ".vscode",)
    return {
        "continue": (continue_home() / "index", continue_home() / "sessions"),
        "copilot": vs_code_home,
        "cursor": (Path.home() / ".cursor",),
        "jetbrains": (platformdirs.user_config_path() / "JetBrains",),
        "librechat": (librechat().with_name("librechat.example.yaml"),),
        "vscode": vs_code_home,
        "zed": (platformdirs.user_data_path() / "zed",),
    }


def is_there(path: Path) -> bool:
    """As far as one may look."""
    with suppress(OSError):
        return path.exists()
    return False


def _moved(variable: str, usual: Path) -> Path:
    given = client_variable(variable)
    return expanded(given) if given else usual


def _xdg_config() -> Path:
    return _moved("XDG_CONFIG_HOME", Path.home() / ".config")
