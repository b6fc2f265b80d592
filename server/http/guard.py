"""The guard: what every request has to pass before any route sees it.

Decisions rest on `scope["path"]` and the raw headers, never on `request.url`, which a Host header
can bend. After DNS rebinding a web page is same-origin and its GETs carry no Origin, so only Host
still names the attacker; forms are sent without a preflight, so the content type has to be JSON.
"""

from collections.abc import Sequence

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from config import Settings, base_url
from dashboard.sessions import Sessions
from pipeline.errors import BadRequest, LaiosError
from pipeline.request import is_fresh, is_id, new_id
from server.http.body_limit import BodyLimit, LimitedBody
from server.http.errors import HttpError, error_response
from server.http.sign_in import is_dashboard, is_open, to_login, wants_page
from server.http.token_check import TokenCheck, caller_address

RUN_ID_HEADER = b"x-laios-run-id"
OPEN_PATHS = ("/healthz",)  # answered without a token: a service manager's probe
BODY_METHODS = ("POST",)  # no route reads the body of another: they are answered 405
JSON = "application/json"
FORM = "application/x-www-form-urlencoded"  # with a CSRF token, which the dashboard looks at
MAX_COOKIE_BYTES = 16 * 1024

SECURITY_HEADERS = (
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        b"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-store"),
    (b"cross-origin-resource-policy", b"same-origin"),
)


class Guard:
    """Checks, in this order: Host, Origin, Fetch-Metadata, cookies, token, content type, body size.
    Gives every answer its run id and the security headers."""

    def __init__(
        self, app: ASGIApp, settings: Settings, sessions: Sessions, tokens: TokenCheck
    ) -> None:
        self._app = app
        self._sessions = sessions
        self._tokens = tokens
        self._hosts = _own_hosts(settings)
        self._origins = _own_origins(settings)
        self._asks_for_token = bool(settings.API_TOKEN)
        self._limit = BodyLimit(settings.MAX_BODY_BYTES)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        run_id = _run_id(scope)
        scope.setdefault("state", {})["run_id"] = run_id
        body = LimitedBody(receive, self._limit)
        answer = body.answering(_marking(send, run_id))
        try:
            self._check(scope, body)
        except LaiosError as error:
            await self._refusal(error, scope)(scope, receive, answer)
            return
        try:
            await self._app(scope, body, answer)
        finally:
            body.release()

    def _refusal(self, error: LaiosError, scope: Scope) -> ASGIApp:
        if error.code == "unauthorized" and wants_page(scope):
            return to_login(scope, from_elsewhere=_is_from_elsewhere(scope))
        return error_response(error, scope["path"])

    def _check(self, scope: Scope, body: LimitedBody) -> None:
        host = _header(scope, b"host")
        if len(host) != 1 or host[0].lower() not in self._hosts:
            raise HttpError(
                "forbidden_host",
                "The Host header does not name this daemon. Use its own address, or add the name "
                "to ALLOWED_HOSTS.",
            )
        self._check_origin(scope)
        self._check_cookies(scope)
        open_ = scope["path"] in OPEN_PATHS
        if self._asks_for_token and not open_ and not self._is_signed_in(scope):
            self._check_token(scope)
        if scope["method"] in BODY_METHODS:
            self._check_body(scope, body)

    def _check_origin(self, scope: Scope) -> None:
        origins = [origin.lower() for origin in _header(scope, b"origin")]
        strange = any(origin not in self._origins for origin in origins) or len(origins) > 1
        if strange or (is_dashboard(scope["path"]) and not _is_at_home(scope, origins)):
            raise HttpError(
                "forbidden_origin",
                "This web page may not call laios. Add its origin to ALLOWED_ORIGINS if you trust "
                "it; the dashboard only answers its own pages.",
            )
        if not origins and _is_from_elsewhere(scope) and not _is_plain_navigation(scope):
            raise HttpError("forbidden_origin", "Another web site may not call laios.")

    def _check_cookies(self, scope: Scope) -> None:
        """Ours take 200 bytes; the others are those of this machine's other ports."""
        if sum(map(len, _header(scope, b"cookie"))) > MAX_COOKIE_BYTES:
            raise BadRequest(
                f"The cookies are larger than {MAX_COOKIE_BYTES} bytes. Clear the cookies of this "
                "host."
            )

    def _is_signed_in(self, scope: Scope) -> bool:
        """A session counts on the dashboard alone: the API asks for the token itself."""
        path = scope["path"]
        if not is_dashboard(path):
            return False
        return is_open(path) or bool(self._sessions.find(_header(scope, b"cookie")))

    def _check_token(self, scope: Scope) -> None:
        token = _token(scope)
        if token is None or not self._tokens.is_right(token, caller_address(scope)):
            raise HttpError(
                "unauthorized",
                "Send the daemon's API_TOKEN as `Authorization: Bearer <token>`.",
                {"WWW-Authenticate": "Bearer"},
            )

    def _check_body(self, scope: Scope, body: LimitedBody) -> None:
        wanted = FORM if is_dashboard(scope["path"]) else JSON
        kind = _header(scope, b"content-type")
        if len(kind) != 1 or kind[0].partition(";")[0].strip().lower() != wanted:
            raise HttpError("unsupported_media_type", f"Send `Content-Type: {wanted}`.")
        if _header(scope, b"content-encoding") not in ([], ["identity"]):
            raise HttpError("unsupported_media_type", "Send the body uncompressed.")
        for length in _header(scope, b"content-length"):
            body.check_length(length)


def _token(scope: Scope) -> str | None:
    """What a caller sends as its token: `Authorization: Bearer`, or `x-api-key` as Anthropic's
    clients do, where there is no other."""
    given, keys = _header(scope, b"authorization"), _header(scope, b"x-api-key")
    if not given and len(keys) == 1:
        return keys[0].strip()
    scheme, _, token = (given[0] if len(given) == 1 else "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


_HOST_NAMES = ("127.0.0.1", "localhost", "[::1]")


def _own_hosts(settings: Settings) -> set[str]:
    own = {f"{host}:{settings.PORT}" for host in _HOST_NAMES}
    if settings.PORT == 80:
        own |= set(_HOST_NAMES)
    own.add(base_url(settings).removeprefix("http://"))
    return own | {host.lower() for host in settings.ALLOWED_HOSTS}


def _own_origins(settings: Settings) -> set[str]:
    own = {f"http://{host}:{settings.PORT}" for host in _HOST_NAMES} | {base_url(settings)}
    return own | {origin.lower().rstrip("/") for origin in settings.ALLOWED_ORIGINS}


def _header(scope: Scope, name: bytes) -> Sequence[str]:
    return [value.decode("latin-1") for key, value in scope["headers"] if key == name]


def _is_at_home(scope: Scope, origins: Sequence[str]) -> bool:
    """ALLOWED_ORIGINS are let in to the API; the dashboard's pages are for its own alone."""
    hosts = {host.lower() for host in _header(scope, b"host")}
    return all(origin.partition("://")[2] in hosts for origin in origins)


def _is_from_elsewhere(scope: Scope) -> bool:
    """Another web site's page is what asks."""
    return "cross-site" in _header(scope, b"sec-fetch-site")


def _is_plain_navigation(scope: Scope) -> bool:
    """A link from elsewhere may open a dashboard page, nothing more."""
    return (
        scope["method"] == "GET"
        and is_dashboard(scope["path"])
        and "navigate" in _header(scope, b"sec-fetch-mode")
        and "document" in _header(scope, b"sec-fetch-dest")
    )


def _run_id(scope: Scope) -> str:
    """The caller's own id for the run, if it is a well-formed one: so a client can follow its run
    before the answer is there."""
    given = _header(scope, RUN_ID_HEADER)
    return given[0] if len(given) == 1 and is_id(given[0]) and is_fresh(given[0]) else new_id()


def _marking(send: Send, run_id: str) -> Send:
    extra = (*SECURITY_HEADERS, (RUN_ID_HEADER, run_id.encode("ascii")))

    async def marked(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = list(message.get("headers", []))
            names = {name.lower() for name, _ in headers}
            headers += [pair for pair in extra if pair[0] not in names]
            message = {**message, "headers": headers}
        await send(message)

    return marked
