"""Open WebUI without a browser: its own server, and the calls that its page makes."""

import json
import subprocess
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from tools.bench.processes import free_port
from tools.clients.client_home import ClientFailed, ClientHome, end_group, last_words

START_S = 180.0
ANSWER_S = 60.0
TASKS = ("title_generation", "tags_generation", "follow_up_generation")

Json = dict[str, Any]


class OpenWebUI:
    """With laios as its OpenAI connection. The server runs until `close`."""

    name = "Open WebUI"
    protocol = "OpenAI, stream"
    default = "laios"  # as it lists it

    def __init__(self, home: ClientHome) -> None:
        self.home = home
        self._server: subprocess.Popen[str] | None = None
        self._http = httpx.Client(timeout=ANSWER_S, trust_env=False)
        self._chat: Json = {}

    def connections(self) -> dict[str, str]:
        return {
            "OPENAI_API_BASE_URL": f"{self.home.url}/v1",
            "OPENAI_API_KEY": "unused",
            "ENABLE_OLLAMA_API": "false",
        }

    def version(self) -> str:
        self._start()
        return str(self._call("GET", "/api/version")["version"])

    def ask(self, model: str, prompt: str) -> str:
        self._chat = {"model": self.default if model == "laios" else model}
        self._chat |= {"id": "", "messages": {}, "last": None}
        return self.go_on(prompt)

    def go_on(self, prompt: str) -> str:
        """Adds two messages to the chat, the second one empty, and lets the server fill it."""
        chat = self._chat
        question, answer = self._add("user", prompt), self._add("assistant", "")
        if chat["id"]:
            self._call("POST", f"/api/v1/chats/{chat['id']}", {"chat": self._stored()})
        else:
            chat["id"] = self._call("POST", "/api/v1/chats/new", {"chat": self._stored()})["id"]
        said = [message for message in chat["messages"].values() if message["content"]]
        self._call(
            "POST",
            "/api/chat/completions",
            {
                "stream": True,
                "model": chat["model"],
                "messages": [{"role": each["role"], "content": each["content"]} for each in said],
                "chat_id": chat["id"],
                "id": answer["id"],
                "parent_id": question["id"],
                "user_message": question,
                "session_id": str(uuid.uuid4()),
                "background_tasks": dict.fromkeys(TASKS, len(said) == 1) | {TASKS[2]: True},
            },
        )
        answer["content"] = self._answer_to(chat["id"], answer["id"])
        return str(answer["content"])

    def close(self) -> None:
        self._http.close()
        if self._server:
            end_group(self._server)

    def _add(self, role: str, content: str) -> Json:
        chat = self._chat
        message: Json = {"id": str(uuid.uuid4()), "parentId": chat["last"], "childrenIds": []}
        message |= {"role": role, "content": content, "timestamp": int(time.time())}
        message |= {"model": chat["model"], "models": [chat["model"]]}
        if chat["last"]:
            chat["messages"][chat["last"]]["childrenIds"].append(message["id"])
        chat["messages"][message["id"]] = message
        chat["last"] = message["id"]
        return message

    def _stored(self) -> Json:
        chat = self._chat
        history = {"messages": chat["messages"], "currentId": chat["last"]}
        return {"title": "New Chat", "models": [chat["model"]], "history": history}

    def _answer_to(self, chat: str, message: str) -> str:
        """Waits for the answer and for the suggestions that follow it."""
        for stored in self._polled(f"/api/v1/chats/{chat}", ANSWER_S):
            found = stored["chat"]["history"]["messages"].get(message, {})
            if found.get("error"):
                raise ClientFailed(json.dumps(found["error"])[:200])
            if found.get("done") and "followUps" in found:
                return str(found["content"])
        raise ClientFailed(f"no answer within {ANSWER_S:g} s")

    def _polled(self, path: str, limit_s: float) -> Iterator[Json]:
        until = time.monotonic() + limit_s
        while time.monotonic() < until:
            yield self._call("GET", path)
            time.sleep(0.3)

    def _call(self, method: str, path: str, body: Json | None = None) -> Json:
        try:
            answer = self._http.request(method, path, json=body)
            answer.raise_for_status()
            value: Json = answer.json()
        except httpx.HTTPStatusError as error:
            raise ClientFailed(f"{path}: {error.response.text[:200]}") from None
        except (httpx.HTTPError, ValueError) as error:
            raise ClientFailed(f"{path}: {error!r}") from None
        return value

    def _start(self) -> None:
        """Starts the server and signs in, as the page does when nobody has to log in."""
        program = self.home.program("open-webui", "bin", "open-webui")
        port = free_port()
        log = self.home.write("log", "").open("w")
        environment = self.home.environment(
            DATA_DIR=str(self.home.directory / "data"),
            WEBUI_AUTH="False",
            WEBUI_SECRET_KEY="unused",
            ENABLE_PERSISTENT_CONFIG="False",
            ENABLE_VERSION_UPDATE_CHECK="false",
            ENABLE_FORWARD_USER_INFO_HEADERS="true",
            RAG_EMBEDDING_ENGINE="openai",  # else it loads a model of its own
            OMP_NUM_THREADS="1",
            **self.connections(),
        )
        self._server = subprocess.Popen(
            [program, "serve", "--host", "127.0.0.1", "--port", str(port)],
            cwd=self.home.directory,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            text=True,
            start_new_session=True,
        )
        log.close()
        self._http.base_url = httpx.URL(f"http://127.0.0.1:{port}")
        self._wait_until_up()
        token = self._call("POST", "/api/v1/auths/signin", {"email": "", "password": ""})["token"]
        self._http.headers["Authorization"] = f"Bearer {token}"
        listed = {model["id"] for model in self._call("GET", "/api/models")["data"]}
        missing = {self.default, "laios:raw"} - listed
        if missing:
            raise ClientFailed(f"does not list {sorted(missing)[0]}, but {sorted(listed)}")

    def _wait_until_up(self) -> None:
        assert self._server
        until = time.monotonic() + START_S
        while time.monotonic() < until and self._server.poll() is None:
            try:
                self._call("GET", "/health")
            except ClientFailed:
                time.sleep(0.3)
            else:
                return
        raise ClientFailed(
            f"did not start: {last_words((self.home.directory / 'log').read_text())}"
        )


class OpenWebUIOllama(OpenWebUI):
    """With laios as its Ollama."""

    name = "Open WebUI"
    protocol = "Ollama, stream"
    default = "laios:latest"

    def connections(self) -> dict[str, str]:
        return {"OLLAMA_BASE_URL": self.home.url, "ENABLE_OPENAI_API": "false"}


@contextmanager
def closing(client: object) -> Iterator[None]:
    """Ends what the client has started, if it starts anything."""
    try:
        yield
    finally:
        if isinstance(client, OpenWebUI):
            client.close()
