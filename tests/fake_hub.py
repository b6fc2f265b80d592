"""A server that speaks as much of Hugging Face's protocol as fetching a model takes."""

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote, urlsplit

COMMIT = "0123456789abcdef0123456789abcdef01234567"


@dataclass
class FakeHub:
    """`repositories` are files by repository; `others` are files by path, without any metadata.

    `cut` ends an answer after so many bytes, once each; `gated` ones want a token, and `expired` is
    one that opens nothing; `lies` have a checksum that is not theirs; `no_ranges` sends whole files
    whatever is asked for, `other_ranges` another part than is asked for; `more` comes behind each
    file, whatever its size is said to be, and `unsaid` does not say the length of what is sent;
    `etags` are stated for `others`, and `moved` says at which address a path is found now; `page`
    is the answer to everything, as of a network that wants a log-in first; `store` is where the
    files are, the hub itself or another address of its server.
    """

    repositories: dict[str, dict[str, bytes]] = field(default_factory=dict)
    others: dict[str, bytes] = field(default_factory=dict)
    cut: list[int] = field(default_factory=list)
    gated: set[str] = field(default_factory=set)
    expired: str = ""
    lies: bool = False
    no_ranges: bool = False
    other_ranges: bool = False
    more: bytes = b""
    unsaid: bool = False
    etags: bool = False
    moved: dict[str, str] = field(default_factory=dict)
    page: bytes = b""
    store: str = ""
    hold: threading.Event | None = None  # waited for where an answer is cut
    requests: list[tuple[str, str, str | None]] = field(default_factory=list)
    tokens: list[str | None] = field(default_factory=list)  # of each request
    url: str = ""

    def sent(self) -> list[str | None]:
        """The ranges that were asked for, one for each file that was sent."""
        return [
            wanted for method, path, wanted in self.requests if method == "GET" and "/cdn/" in path
        ]


@contextmanager
def fake_hub(**options: Any) -> Iterator[FakeHub]:
    hub = FakeHub(**options)

    class Handler(_Handler):
        fake = hub

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    hub.url = f"http://127.0.0.1:{server.server_address[1]}"
    serving = threading.Thread(target=server.serve_forever, args=(0.01,))
    serving.start()
    try:
        yield hub
    finally:
        if hub.hold:
            hub.hold.set()
        server.shutdown()
        serving.join()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    fake: FakeHub
    protocol_version = "HTTP/1.1"

    def log_message(self, *args: object) -> None: ...

    def do_HEAD(self) -> None:
        self._route()

    def do_GET(self) -> None:
        self._route()

    def do_CONNECT(self) -> None:
        """As of a proxy, which leads nowhere."""
        self.fake.requests.append((self.command, self.path, None))
        self._error(502)

    def _route(self) -> None:
        path = unquote(urlsplit(self.path).path)
        self.fake.requests.append((self.command, path, self.headers.get("Range")))
        self.fake.tokens.append(self.headers.get("Authorization"))
        if self.fake.expired and self.headers.get("Authorization") == f"Bearer {self.fake.expired}":
            said = "Invalid credentials in Authorization header"
            self._send(401, b"", **{"X-Error-Message": said})
        elif self.fake.page:
            self._send(200, self.fake.page)
        elif path.startswith("/api/models/"):
            self._tell_repository("/".join(path.split("/")[3:5]))
        elif path in self.fake.moved:
            self._send(302, b"", Location=self.fake.moved[path])
        elif "/resolve/" in path:
            repository, _, rest = path[1:].partition("/resolve/")
            self._redirect(repository, rest.partition("/")[2])
        else:
            content = self.fake.others.get(path.removeprefix("/cdn"))
            self._error(404) if content is None else self._send_file(content)

    def _tell_repository(self, repository: str) -> None:
        files = self.fake.repositories.get(repository)
        if files is None or not self._may(repository):
            self._error(401 if files is None else 403)
            return
        siblings = [
            {
                "rfilename": name,
                "size": len(content),
                "lfs": {"sha256": self._checksum(content), "size": len(content), "pointerSize": 1},
            }
            for name, content in files.items()
        ]
        about = {"id": repository, "sha": COMMIT, "siblings": siblings, "tags": []}
        self._send(200, json.dumps(about | {"cardData": {"license": "apache-2.0"}}).encode())

    def _redirect(self, repository: str, name: str) -> None:
        content = self.fake.repositories.get(repository, {}).get(name)
        if content is None or not self._may(repository):
            self._error(404 if content is None else 403)
            return
        path = f"/{repository}/{name}"
        self.fake.others[path] = content
        checksum = self._checksum(content)
        here = self.fake.url if self.command == "HEAD" else ""
        self._send(
            302,
            b"",
            Location=f"{self.fake.store or here}/cdn{path}",
            **{"X-Linked-ETag": f'"{checksum}"', "X-Linked-Size": str(len(content))},
            **{"X-Repo-Commit": COMMIT},
        )

    def _send_file(self, content: bytes) -> None:
        wanted = self.headers.get("Range")
        start = int(wanted[6:-1]) if wanted and not self.fake.no_ranges else 0
        start += self.fake.other_ranges and start > 0
        if start >= len(content):
            self._error(416)
            return
        body = content[start:] + (self.fake.more if self.command == "GET" else b"")
        headers = {"ETag": f'"{hash(content)}"'} if self.fake.etags else {}
        if start:
            headers["Content-Range"] = f"bytes {start}-{len(content) - 1}/{len(content)}"
        self._send(206 if start else 200, body, **headers)

    def _send(self, status: int, body: bytes, **headers: str) -> None:
        sends = self.command == "GET"
        cut = self.fake.cut.pop(0) if sends and self.fake.cut and "/cdn/" in self.path else None
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if self.fake.unsaid and sends and "/cdn/" in self.path:
            self.send_header("Connection", "close")
        else:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        try:
            self.wfile.write(body[:cut] if sends else b"")
        except ConnectionError:  # nobody waits for the rest of it
            self.close_connection = True
        if cut is not None:
            if self.fake.hold:
                self.fake.hold.wait(30)
            self.close_connection = True

    def _error(self, status: int) -> None:
        codes = {401: "RepoNotFound", 403: "GatedRepo", 404: "EntryNotFound"}
        code = {"X-Error-Code": codes[status]} if status in codes else {}
        self._send(status, b'{"error":"no"}', **code)

    def _may(self, repository: str) -> bool:
        return repository not in self.fake.gated or self.headers.get("Authorization") is not None

    def _checksum(self, content: bytes) -> str:
        return "0" * 64 if self.fake.lies else hashlib.sha256(content).hexdigest()
