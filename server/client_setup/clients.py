"""The table of clients: for each one what it has to be told, as a function of the daemon.

What stands in the functions was read in the clients' own sources and documents, and tried with
those that can be installed: aider 0.86, Claude Code 2.1, codex 0.169, Continue's cn 1.5, llm 0.36,
opencode 1.18.
"""

from typing import Any

from server.client_setup import client_paths
from server.client_setup.edit import Edit, ListItem
from server.client_setup.jsonc import Jsonc
from server.client_setup.recipe import (
    ANY_KEY,
    TOKEN,
    ClientEntry,
    ClientFile,
    DaemonProfile,
    Recipe,
)
from server.client_setup.toml_text import Toml
from server.client_setup.yaml_text import Yaml

EXPORT = f"Give it the token where you start it: export {TOKEN}='<your API_TOKEN>'"
ASK = '"write a function that adds up a list of numbers"'
DOCKER = (
    "In Docker, 127.0.0.1 is the container: give it the host's network. Or set HOST, API_TOKEN and "
    "ALLOWED_HOSTS of laios, and use --url here."
)
IDES = ("idea", "pycharm", "webstorm", "goland", "clion", "rustrover", "phpstorm", "rider")


def _with_token(daemon: DaemonProfile, *steps: str) -> tuple[str, ...]:
    return steps if daemon.token else ()


def _shown(model: str) -> str:
    return model.replace(":", " ")


def _key(path: tuple[str | ListItem, ...], daemon: DaemonProfile, placeholder: str) -> Edit:
    """The API key, which does not take the place of one that the user wrote there."""
    return Edit(path, daemon.key(placeholder), over=(ANY_KEY, placeholder))


def aider(daemon: DaemonProfile) -> Recipe:
    """aider has no list of providers: this makes laios its model. `laios:raw`, because aider
    prescribes the form of an answer, which the judged modes do not follow."""
    raw = "openai/laios:raw"
    edits = [
        Edit(("model",), raw),
        Edit(("weak-model",), raw),
        Edit(("openai-api-base",), daemon.openai),
        Edit(("show-model-warnings",), False, over=()),
    ]
    if not daemon.token:  # YAML cannot name a variable, so the token has to come from one
        edits.append(Edit(("openai-api-key",), ANY_KEY, over=()))
    return Recipe(
        file=ClientFile(client_paths.aider(), Yaml(), tuple(edits)),
        steps=_with_token(daemon, f'{EXPORT}; export AIDER_OPENAI_API_KEY="${TOKEN}"'),
        check=f"aider --no-git --chat-mode ask --message {ASK}",
    )


def claude_code(daemon: DaemonProfile) -> Recipe:
    """Settings of their own, so that `claude` alone goes on with the user's account. What it asks
    by itself (titles, summaries) goes to its small model, "haiku"."""
    env = {
        "ANTHROPIC_BASE_URL": daemon.url,
        "ANTHROPIC_MODEL": "laios",
        "ANTHROPIC_DEFAULT_OPUS_MODEL": "laios",
        "ANTHROPIC_DEFAULT_SONNET_MODEL": "laios",
        "ANTHROPIC_DEFAULT_HAIKU_MODEL": "laios:raw",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "CLAUDE_CODE_MAX_OUTPUT_TOKENS": str(daemon.output),
    }
    edits = [Edit(("env",), env)]
    if daemon.token:  # its program for keys: settings cannot name a variable
        edits.append(Edit(("apiKeyHelper",), f"printenv {TOKEN}", over=()))
    else:
        edits.append(Edit(("env", "ANTHROPIC_AUTH_TOKEN"), ANY_KEY, over=()))
    path = client_paths.claude_code_model()
    start = f"claude --settings {path}"
    return Recipe(
        file=ClientFile(path, Jsonc(), tuple(edits)),
        steps=(*_with_token(daemon, EXPORT), f"Start it with: {start}"),
        check=f"{start} -p {ASK}",
    )


def codex(daemon: DaemonProfile) -> Recipe:
    provider = {"name": "laios", "base_url": daemon.openai, "wire_api": "responses"}
    if daemon.token:
        provider["env_key"] = TOKEN
    start = "codex -c model_provider=laios -m laios"
    return Recipe(
        file=ClientFile(
            client_paths.codex(), Toml(), (Edit(("model_providers", "laios"), provider),)
        ),
        steps=(
            *_with_token(daemon, EXPORT),
            f"Start it with: {start}",
            'As the default: model_provider = "laios" and model = "laios" at the head of the file.',
        ),
        check=start.replace("codex", "codex exec --skip-git-repo-check", 1) + f" {ASK}",
    )


def continue_(daemon: DaemonProfile) -> Recipe:
    secret = f"${{{{ secrets.{TOKEN} }}}}"
    edits = [
        Edit(("name",), "My config", over=()),
        Edit(("version",), "1.0.0", over=()),
        Edit(("schema",), "v1", over=()),
    ]
    for model in daemon.models:
        row = ("models", ListItem("name", _shown(model)))
        told = {"provider": "openai", "model": model, "apiBase": daemon.openai}
        edits.append(Edit(row, told))
        edits.append(_key((*row, "apiKey"), daemon, secret))
        edits.append(Edit((*row, "roles"), ["chat", "edit"], over=()))
        if model in daemon.agents:  # of a model that it does not know Continue offers no tools
            edits.append(Edit((*row, "capabilities"), ["tool_use"], over=()))
    home = client_paths.continue_home()
    return Recipe(
        file=ClientFile(home / "config.yaml", Yaml(), tuple(edits)),
        steps=(
            *_with_token(daemon, f"Put the token into {home / '.env'}: {TOKEN}=<your API_TOKEN>"),
            "Choose laios in the list of models. Autocompletion is better left to another model.",
        ),
        check=f"cn --config {home / 'config.yaml'} -p {ASK} (with --auto it changes files)",
    )


def copilot(daemon: DaemonProfile) -> Recipe:
    """The provider `customendpoint`: VS Code's own one for Ollama is deprecated, and with it the
    setting `github.copilot.chat.byok.ollamaEndpoint`. A model that is not said to call tools is
    not offered."""
    group = (ListItem("name", "laios"),)
    edits = [Edit(group, {"vendor": "customendpoint", "apiType": "chat-completions"})]
    if not daemon.token:
        edits.append(Edit((*group, "apiKey"), ANY_KEY, over=()))
    for model in daemon.models:
        told = {
            "name": _shown(model),
            "url": f"{daemon.openai}/chat/completions",
            "toolCalling": True,
            "vision": False,
            "maxInputTokens": max(1, daemon.context - daemon.output),
            "maxOutputTokens": daemon.output,
        }
        edits.append(Edit((*group, "models", ListItem("id", model)), told))
    return Recipe(
        file=ClientFile(client_paths.vs_code(), Jsonc(), tuple(edits)),
        steps=(
            "In a current VS Code, run: Chat: Manage Language Models",
            *_with_token(daemon, "The gear beside laios: enter your API_TOKEN as its API key."),
            "Choose a laios model in the chat's list of models; restart VS Code if there is none.",
        ),
        check="Ask it in the chat; `laios history` shows the run.",
    )


def jetbrains(daemon: DaemonProfile) -> Recipe:
    provider: tuple[str, ...]
    if daemon.token:
        provider = (
            f"Provider: OpenAI-compatible. URL: {daemon.openai} API key: your API_TOKEN",
            "Tool calling: on, if your coder's model calls tools, else off.",
        )
    else:
        provider = (f"Provider: Ollama. URL: {daemon.url}",)
    return Recipe(
        steps=(
            "Settings | Tools | AI Assistant | Providers & API keys, Third-party AI providers",
            *provider,
            "Test Connection, Apply; choose a laios model in the chat's list of models.",
        ),
        check="Test Connection says Connected; `laios history` shows what you ask.",
    )


def librechat(daemon: DaemonProfile) -> Recipe:
    row = ("endpoints", "custom", ListItem("name", "laios"))
    edits = (
        Edit(("version",), "1.3.17", over=()),
        Edit(row, {"baseURL": daemon.openai}),
        _key((*row, "apiKey"), daemon, f"${{{TOKEN}}}"),
        Edit((*row, "models"), {"default": [*daemon.models], "fetch": True}, over=()),
        Edit((*row, "titleConvo"), True, over=()),
        Edit((*row, "titleModel"), "laios:raw", over=()),
        Edit((*row, "modelDisplayLabel"), "laios", over=()),
    )
    return Recipe(
        file=ClientFile(client_paths.librechat(), Yaml(), edits),
        steps=(
            *_with_token(daemon, f"Put the token into LibreChat's .env: {TOKEN}=<your API_TOKEN>"),
            DOCKER,
            "Restart LibreChat.",
        ),
        check="Choose laios among the endpoints and ask; `laios history` shows the run.",
    )


def llm(daemon: DaemonProfile) -> Recipe:
    edits = []
    for model in daemon.models:
        told = {"model_name": model, "api_base": daemon.openai}
        if daemon.token:
            told["api_key_name"] = "laios"
        edits.append(Edit((ListItem("model_id", model),), told))
    return Recipe(
        file=ClientFile(client_paths.llm(), Yaml(), tuple(edits)),
        steps=_with_token(daemon, "Give it your API_TOKEN once: llm keys set laios"),
        check=f"llm -m laios {ASK}",
    )


def open_webui(daemon: DaemonProfile) -> Recipe:
    key = daemon.key("your API_TOKEN")
    shell = daemon.key(f'"${TOKEN}"')
    return Recipe(
        steps=(
            "Admin Panel | Settings | Connections | OpenAI API: + (add a connection)",
            f"URL: {daemon.openai} Key: {key}",
            "Or, before its very first start (later its database wins): "
            f"OPENAI_API_BASE_URLS={daemon.openai} OPENAI_API_KEYS={shell} open-webui serve",
            DOCKER,
        ),
        check="Choose laios in the list of models and ask; `laios history` shows the run.",
    )


def opencode(daemon: DaemonProfile) -> Recipe:
    limit = {"context": daemon.context, "output": daemon.output}
    provider = ("provider", "laios")
    told = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "laios",
        "options": {"baseURL": daemon.openai},
        "models": {model: {"name": _shown(model), "limit": limit} for model in daemon.models},
    }
    edits = (
        Edit(("$schema",), "https://opencode.ai/config.json", over=()),
        Edit(provider, told),
        _key((*provider, "options", "apiKey"), daemon, f"{{env:{TOKEN}}}"),
    )
    return Recipe(
        file=ClientFile(client_paths.opencode(), Jsonc(), edits),
        steps=(
            *_with_token(daemon, EXPORT),
            "Start it with: opencode -m laios/laios (or choose it with /models)",
        ),
        check=f"opencode run -m laios/laios {ASK}",
    )


def zed(daemon: DaemonProfile) -> Recipe:
    """Zed makes the variable of the key from the provider's name; it must not start with LAIOS_,
    because laios refuses settings that it does not know."""
    provider = ("language_models", "openai_compatible", "Local laios")
    variable = "LOCAL_LAIOS_API_KEY"
    names = ("images", "parallel_tool_calls", "prompt_cache_key")
    edits = [Edit((*provider, "api_url"), daemon.openai)]
    for model in daemon.models:
        row = (*provider, "available_models", ListItem("name", model))
        told: dict[str, Any] = {
            "display_name": _shown(model),
            "max_tokens": daemon.context,
            "max_output_tokens": daemon.output,
        }
        able = {"tools": model in daemon.agents, **dict.fromkeys(names, False)}
        edits += [Edit(row, told), Edit((*row, "capabilities"), able, over=())]
    key = daemon.key("your API_TOKEN")
    return Recipe(
        file=ClientFile(client_paths.zed(), Jsonc(), tuple(edits)),
        steps=(
            f"Zed wants a key: agent: open settings, LLM Providers, Local laios, enter: {key}",
            f"Or start it with: {variable}={daemon.key(f'${TOKEN}')} zed",
        ),
        check="Choose laios in the agent panel and ask; `laios history` shows the run.",
    )


CLIENTS = {
    client.name: client
    for client in (
        ClientEntry("aider", "aider", aider, ("aider",)),
        ClientEntry("claude-code", "Claude Code", claude_code, ("claude",)),
        ClientEntry("codex", "Codex", codex, ("codex",)),
        ClientEntry("continue", "Continue", continue_, ("cn",)),
        ClientEntry("copilot", "GitHub Copilot in VS Code", copilot, ("code",)),
        ClientEntry("jetbrains", "JetBrains AI Assistant", jetbrains, IDES),
        ClientEntry("librechat", "LibreChat", librechat),
        ClientEntry("llm", "llm", llm, ("llm",)),
        ClientEntry("open-webui", "Open WebUI", open_webui, ("open-webui",)),
        ClientEntry("opencode", "opencode", opencode, ("opencode",)),
        ClientEntry("zed", "Zed", zed, ("zed", "zeditor")),
    )
}
