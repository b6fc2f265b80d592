"""Agents of the terminal, set up by `laios connect` and told to go on without asking."""

from pathlib import Path
from typing import ClassVar

from tools.clients.agent_script import (
    AFTER,
    BROKEN,
    GOOD,
    NEW,
    NEW_FILE,
    OLD,
    OLD_FILE,
    ONE_FILE,
    Speech,
    call,
    says,
)
from tools.clients.client_home import ClientHome

REQUEST = {"request": "a function answer"}


class Agent:
    """`connects_as`: its name for `laios connect`. It works in its home."""

    name = ""
    protocol = "OpenAI, stream"
    connects_as = ""
    has_mcp = False
    program: ClassVar[tuple[str, ...]] = ()

    def __init__(self, home: ClientHome) -> None:
        self.home = home

    def version(self) -> str:
        """Raises ClientFailed where it is not installed."""
        words = self.run("--version").split()
        return next(word for word in words if word[:1].isdigit())

    def run(self, *words: str) -> str:
        return self.home.run(self.home.program(*self.program), *words)

    def speech(self) -> Speech:
        raise NotImplementedError

    def change(self, prompt: str) -> str:
        """One task, done in its home. What it said; raises ClientFailed."""
        raise NotImplementedError

    def file(self, name: str) -> str:
        return str(self.home.directory / name)


class Opencode(Agent):
    name = "opencode"
    connects_as = "opencode"
    has_mcp = True
    program = ("npm", "node_modules", ".bin", "opencode")

    def speech(self) -> Speech:
        new, old = self.file(NEW_FILE), self.file(OLD_FILE)
        return Speech(
            write=call("write", filePath=new, content=BROKEN),
            write_again=call("write", filePath=new, content=GOOD),
            read=call("read", filePath=old),
            edit=call("edit", filePath=old, oldString=OLD, newString=NEW),
            asks_laios=call("laios_generate_code", **REQUEST),
        )

    def change(self, prompt: str) -> str:
        return self.run("run", "-m", "laios/laios", prompt)


def _cat(name: str, text: str) -> str:
    return f"cat > {name} <<'EOF'\n{text}EOF\n"


class Codex(Agent):
    name = "Codex"
    protocol = "OpenAI responses, stream"
    connects_as = "codex"
    has_mcp = True
    program = ("npm", "node_modules", ".bin", "codex")

    def speech(self) -> Speech:
        hunk = f"*** Update File: {OLD_FILE}\n@@\n def total(values):\n-    {OLD}\n+    {NEW}\n"
        patch = f"apply_patch <<'EOF'\n*** Begin Patch\n{hunk}*** End Patch\nEOF\n"
        return Speech(
            write=call("exec_command", cmd=_cat(NEW_FILE, BROKEN)),
            write_again=call("exec_command", cmd=_cat(NEW_FILE, GOOD)),
            read=call("exec_command", cmd=f"cat {OLD_FILE}"),
            edit=call("exec_command", cmd=patch),
            asks_laios=call("mcp__laios__generate_code", **REQUEST),
        )

    def change(self, prompt: str) -> str:
        """Without its own sandbox, which wants rights that not every machine gives; what it may
        run stands in the script."""
        free = "--dangerously-bypass-approvals-and-sandbox"
        chosen = ["-c", "model_provider=laios", "-m", "laios"]
        if "mcp_servers" in (self.home.directory / ".codex/config.toml").read_text():
            chosen += ["-c", "mcp_servers.laios.required=true"]
        return self.run("exec", "--skip-git-repo-check", free, *chosen, prompt)


class ClaudeCode(Agent):
    name = "Claude Code"
    protocol = "Anthropic, stream"
    connects_as = "claude-code"
    has_mcp = True
    program = ("npm", "node_modules", ".bin", "claude")

    def speech(self) -> Speech:
        new, old = self.file(NEW_FILE), self.file(OLD_FILE)
        return Speech(
            write=call("Write", file_path=new, content=BROKEN),
            write_again=call("Write", file_path=new, content=GOOD),
            read=call("Read", file_path=old),
            edit=call("Edit", file_path=old, old_string=OLD, new_string=NEW),
            asks_laios=call("mcp__laios__generate_code", **REQUEST),
        )

    def change(self, prompt: str) -> str:
        settings = str(self.home.directory / ".claude" / "laios.json")
        may = ("--permission-mode", "acceptEdits", "--allowedTools", "mcp__laios")
        program = self.home.program(*self.program)
        words = ("--settings", settings, "-p", prompt, *may)
        # Else it asks its model before its tools are there.
        return self.home.run(program, *words, MCP_CONNECTION_NONBLOCKING="false")


class ContinueCli(Agent):
    name = "Continue (cn)"
    connects_as = "continue"
    program = ("npm", "node_modules", ".bin", "cn")

    def speech(self) -> Speech:
        new, old = self.file(NEW_FILE), self.file(OLD_FILE)
        return Speech(
            write=call("Write", filepath=new, content=BROKEN),
            write_again=call("Write", filepath=new, content=GOOD),
            read=call("Read", filepath=old),
            edit=call("Edit", file_path=old, old_string=OLD, new_string=NEW),
        )

    def change(self, prompt: str) -> str:
        return self.run("--config", ".continue/config.yaml", "--auto", "-p", prompt)


def _listing(name: str, text: str) -> str:
    return f"{name}\n```python\n{text}```\n"


class Aider(Agent):
    """It has no tools: its model writes whole files, which aider itself carries out."""

    name = "aider"
    connects_as = "aider"
    program = ("aider", "bin", "aider")

    def speech(self) -> Speech:
        written = says(_listing(NEW_FILE, GOOD))
        return Speech(written, written, None, says(_listing(OLD_FILE, AFTER)))

    def change(self, prompt: str) -> str:
        quiet = ("--no-git", "--no-check-update", "--no-show-release-notes", "--no-pretty")
        files = [name for name in (NEW_FILE, OLD_FILE, ONE_FILE) if name in prompt]
        agreed = ("--analytics-disable", "--yes-always", "--no-auto-lint")
        return self.run(*files, *agreed, *quiet, "--message", prompt)


AGENTS: dict[str, type[Agent]] = {
    "opencode": Opencode,
    "codex": Codex,
    "claude-code": ClaudeCode,
    "cn": ContinueCli,
    "aider": Aider,
}


def use_daemon(home: ClientHome) -> None:
    """Tells `laios mcp`, which the agent starts with few variables, where the daemon is."""
    port = home.url.rpartition(":")[2]
    Path(home.directory, "config").mkdir(exist_ok=True)
    home.directory.joinpath(".config").symlink_to("config")
    home.write("config/laios/config.toml", f"PORT = {port}\n")
