"""Clients of the terminal, each set up by `laios connect`."""

from tools.clients.client_home import ClientHome
from tools.clients.script import FILE


class _Program:
    """`connects_as`: its name for `laios connect`."""

    name = ""
    protocol = "OpenAI, stream"
    connects_as = ""
    program: tuple[str, ...] = ()

    def __init__(self, home: ClientHome) -> None:
        self.home = home
        self.connected = False

    def version(self) -> str:
        return self.run("--version").split()[-1]

    def run(self, *words: str) -> str:
        program = self.home.program(*self.program)
        if not self.connected:
            self.home.connect(self.connects_as)
            self.connected = True
        return self.home.run(program, *words)


def _node(name: str) -> tuple[str, ...]:
    return ("npm", "node_modules", ".bin", name)


class Llm(_Program):
    name = "llm"
    connects_as = "llm"
    program = ("llm", "bin", "llm")

    def ask(self, model: str, prompt: str) -> str:
        return self.run("-m", model, prompt)

    def go_on(self, prompt: str) -> str:
        return self.run("-c", prompt)


class Opencode(_Program):
    name = "opencode"
    connects_as = "opencode"
    program = _node("opencode")

    def ask(self, model: str, prompt: str) -> str:
        return self.run("run", "-m", f"laios/{model}", prompt)

    def go_on(self, prompt: str) -> str:
        return self.run("run", "--continue", "-m", "laios/laios", prompt)


class Codex(_Program):
    name = "Codex"
    protocol = "OpenAI responses, stream"
    connects_as = "codex"
    program = _node("codex")

    def ask(self, model: str, prompt: str) -> str:
        return self._exec(model, prompt)

    def go_on(self, prompt: str) -> str:
        return self._exec("laios", "resume", "--last", prompt)

    def _exec(self, model: str, *words: str) -> str:
        chosen = ("-c", "model_provider=laios", "-m", model)
        return self.run("exec", "--skip-git-repo-check", *chosen, *words)


_CONTINUE = ".continue/config.yaml"  # in its home, which is where it runs


class ContinueCli(_Program):
    """It takes the first model of its file and has no option for another one."""

    name = "Continue (cn)"
    connects_as = "continue"
    program = _node("cn")

    def ask(self, model: str, prompt: str) -> str:
        if model == "laios":
            return self.run("--config", _CONTINUE, "-p", prompt)
        self.home.write(
            "raw.yaml",
            "name: raw\nversion: 0.0.1\nschema: v1\nmodels:\n"
            f"  - name: {model}\n    provider: openai\n    model: {model}\n"
            f"    apiBase: {self.home.url}/v1\n    apiKey: unused\n",
        )
        return self.run("--config", "raw.yaml", "-p", prompt)

    def go_on(self, prompt: str) -> str:
        return self.run("--config", _CONTINUE, "--resume", "-p", prompt)


class Aider(_Program):
    """`laios:raw` is asked to change files, in aider's own format; the judged modes, which answer
    with code alone, are asked questions."""

    name = "aider"
    connects_as = "aider"
    program = ("aider", "bin", "aider")

    def ask(self, model: str, prompt: str) -> str:
        (self.home.directory / ".aider.chat.history.md").unlink(missing_ok=True)
        if model == "laios":
            return self.say("--model", "openai/laios", "--chat-mode", "ask", "--message", prompt)
        said = self.say(FILE, "--message", f"{prompt} in {FILE}")
        return said + (self.home.directory / FILE).read_text()

    def go_on(self, prompt: str) -> str:
        history = ("--restore-chat-history", "--chat-mode", "ask")
        return self.say("--model", "openai/laios", *history, "--message", prompt)

    def say(self, *words: str) -> str:
        quiet = ("--no-git", "--no-check-update", "--no-show-release-notes", "--no-pretty")
        return self.run("--analytics-disable", "--yes-always", "--no-auto-lint", *quiet, *words)
