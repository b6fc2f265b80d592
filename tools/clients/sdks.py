"""Libraries: the OpenAI and Ollama packages of Python, and the AI SDK of Node."""

import json
import shutil
from importlib.metadata import version
from pathlib import Path
from typing import Any, cast

from tools.clients.client_home import ClientFailed, ClientHome

AI_SDK = Path(__file__).with_name("ai_sdk.mjs")


class _Chat:
    """Keeps the messages, as programs on these libraries do."""

    name = ""
    protocol = ""

    def __init__(self, home: ClientHome) -> None:
        self.home = home
        self.model = ""
        self.messages: list[dict[str, Any]] = []

    def ask(self, model: str, prompt: str) -> str:
        self.model, self.messages = model, []
        return self.go_on(prompt)

    def go_on(self, prompt: str) -> str:
        self.messages.append({"role": "user", "content": prompt})
        said = self.answer()
        self.messages.append({"role": "assistant", "content": said})
        return said

    def answer(self) -> str:
        raise NotImplementedError


class OpenAIPackage(_Chat):
    name = "openai (Python)"
    protocol = "OpenAI, stream"

    def version(self) -> str:
        return version("openai")

    def answer(self) -> str:
        import openai

        try:
            with openai.OpenAI(base_url=f"{self.home.url}/v1", api_key="unused") as client:
                stream = client.chat.completions.create(
                    model=self.model,
                    messages=cast(Any, self.messages),
                    stream=True,
                )
                return "".join(chunk.choices[0].delta.content or "" for chunk in stream)
        except openai.OpenAIError as error:
            raise ClientFailed(str(error)) from None


class OpenAIResponses(OpenAIPackage):
    name = "openai (Python), responses"
    protocol = "OpenAI responses"

    def answer(self) -> str:
        import openai

        try:
            with openai.OpenAI(base_url=f"{self.home.url}/v1", api_key="unused") as client:
                answer = client.responses.create(
                    model=self.model,
                    input=cast(Any, self.messages),
                )
                return answer.output_text
        except openai.OpenAIError as error:
            raise ClientFailed(str(error)) from None


class OllamaPackage(_Chat):
    name = "ollama (Python)"
    protocol = "Ollama, stream"

    def version(self) -> str:
        return version("ollama")

    def answer(self) -> str:
        import ollama

        try:
            with ollama.Client(host=self.home.url) as client:
                parts = client.chat(self.model, self.messages, stream=True)
                return "".join(part.message.content or "" for part in parts)
        except (ollama.ResponseError, ConnectionError) as error:
            raise ClientFailed(str(error)) from None


class AISDK(_Chat):
    """`ai` with `@ai-sdk/openai-compatible`, through a small program of ours."""

    name = "AI SDK"
    protocol = "OpenAI, stream"

    def version(self) -> str:
        packages = ("ai", "@ai-sdk/openai-compatible")
        paths = [
            self.home.program("npm", "node_modules", each, "package.json") for each in packages
        ]
        return ", ".join(str(json.loads(Path(path).read_text())["version"]) for path in paths)

    def answer(self) -> str:
        asked = {"url": self.home.url, "model": self.model, "messages": self.messages}
        parts = ask_ai_sdk(self.home, asked | {"stream": True})
        errors = [part["error"] for part in parts if part["type"] == "error"]
        if errors:
            raise ClientFailed(str(errors[0]))
        return "".join(part["text"] for part in parts if part["type"] == "text-delta")


def ask_ai_sdk(home: ClientHome, asked: dict[str, Any]) -> list[dict[str, Any]]:
    """The parts of an answer, as the SDK hands them out. Raises ClientFailed."""
    node = shutil.which("node")
    if node is None:
        raise ClientFailed("node is not installed")
    modules = home.program("npm", "node_modules")
    said = home.run(node, str(AI_SDK), modules, json.dumps(asked))
    return [json.loads(line) for line in said.splitlines()]
