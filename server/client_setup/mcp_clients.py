"""The table of agents and editors that can call laios' tools, and how each is told to start
`laios mcp`.

What stands in the functions was read in the clients' own documents.
"""

from dataclasses import replace
from typing import Any

from server.client_setup import client_paths
from server.client_setup.edit import Edit
from server.client_setup.jsonc import Jsonc
from server.client_setup.recipe import TOKEN, ClientEntry, ClientFile, DaemonProfile, Recipe
from server.client_setup.toml_text import Toml
from server.runtime.installed_command import installed_command

TOOL_TIMEOUT_S = 1800  # local models take their time; Codex gives up after a minute
START_TIMEOUT_MS = 30_000
INHERITS = f"With an API_TOKEN it has to be in config.toml, or in {TOKEN} where the client starts."
ASK = "Ask for: use laios to write and test a function that adds up a list"


def _command() -> str:
    """By its whole path: an editor that is started from a menu has another PATH."""
    return str(installed_command())


def _started() -> dict[str, Any]:
    return {"command": _command(), "args": ["mcp"]}


def _recipe(file: ClientFile, daemon: DaemonProfile, *steps: str) -> Recipe:
    token = (INHERITS,) if daemon.token else ()
    return Recipe(file=file, steps=(*token, *steps), check=ASK)


def claude_code(daemon: DaemonProfile) -> Recipe:
    """The scope "user": for all projects."""
    told = {"type": "stdio", **_started()}
    file = ClientFile(client_paths.claude_code(), Jsonc(), (Edit(("mcpServers", "laios"), told),))
    return _recipe(file, daemon, "Restart Claude Code; /mcp shows laios.")


def codex(daemon: DaemonProfile) -> Recipe:
    """Codex hands on few variables unless it is told their names."""
    server = ("mcp_servers", "laios")
    edits = [
        Edit(server, _started()),
        Edit((*server, "tool_timeout_sec"), TOOL_TIMEOUT_S, over=()),
        Edit((*server, "startup_timeout_sec"), START_TIMEOUT_MS // 1000, over=()),
    ]
    if daemon.token:
        edits.append(Edit((*server, "env_vars"), [TOKEN], over=()))
    file = ClientFile(client_paths.codex(), Toml(), tuple(edits))
    return _recipe(
        file,
        daemon,
        "Restart Codex; /mcp shows laios.",
        "`codex exec` does not wait for tools that still start: -c mcp_servers.laios.required=true",
    )


def cursor(daemon: DaemonProfile) -> Recipe:
    file = ClientFile(client_paths.cursor(), Jsonc(), (Edit(("mcpServers", "laios"), _started()),))
    return _recipe(file, daemon, "Restart Cursor; switch laios on among its MCP servers.")


def opencode(daemon: DaemonProfile) -> Recipe:
    """The form of opencode 1; opencode 2 has `mcp.servers.laios`."""
    server = ("mcp", "laios")
    edits = (
        Edit(("$schema",), "https://opencode.ai/config.json", over=()),
        Edit(server, {"type": "local", "command": [_command(), "mcp"]}),
        Edit((*server, "enabled"), True, over=()),
        Edit((*server, "timeout"), START_TIMEOUT_MS, over=()),
    )
    file = ClientFile(client_paths.opencode(), Jsonc(), edits)
    return _recipe(file, daemon, "Start opencode again.")


def vs_code(daemon: DaemonProfile) -> Recipe:
    told = {"type": "stdio", **_started()}
    file = ClientFile(client_paths.vs_code_mcp(), Jsonc(), (Edit(("servers", "laios"), told),))
    return _recipe(file, daemon, "In VS Code run: MCP: List Servers, laios, Start Server")


def zed(daemon: DaemonProfile) -> Recipe:
    server = ("context_servers", "laios")
    edits = (Edit(server, _started()), Edit((*server, "env"), {}, over=()))
    file = ClientFile(client_paths.zed(), Jsonc(), edits)
    return _recipe(file, daemon, "agent: open settings shows laios with a green dot.")


MCP_CLIENTS = {
    client.name: replace(client, as_tools=True)
    for client in (
        ClientEntry("claude-code", "Claude Code", claude_code, ("claude",)),
        ClientEntry("codex", "Codex", codex, ("codex",)),
        ClientEntry("cursor", "Cursor", cursor, ("cursor",)),
        ClientEntry("opencode", "opencode", opencode, ("opencode",)),
        ClientEntry("vscode", "VS Code", vs_code, ("code",)),
        ClientEntry("zed", "Zed", zed, ("zed", "zeditor")),
    )
}
