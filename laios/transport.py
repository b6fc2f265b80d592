"""What `Client` and `AsyncClient` have in common: where they call, how long they wait, and what an
answer or its absence means."""

import json
from collections.abc import Mapping
from typing import Any, Self, TypeVar

import httpx

from laios.api_call import QUICK_S, ApiCall
from laios.connection import Connection, checked, configured
from laios.errors import (
    Busy,
    DaemonUnreachable,
    InvalidSettings,
    LaiosError,
    TimedOut,
    error_of,
)
from laios.local_daemon import LocalDaemon

CONNECT_S = 2.0
MAX_TIMEOUT_S = 1_000_000_000  # a socket counts no further than the system's clock
RUN_ID = "X-Laios-Run-Id"

T = TypeVar("T")


def _checked_timeout(timeout_s: float | None) -> float | None:
    is_number = isinstance(timeout_s, int | float) and not isinstance(timeout_s, bool)
    if timeout_s is None or (is_number and 0 < timeout_s <= MAX_TIMEOUT_S):
        return timeout_s
    raise InvalidSettings(
        f"timeout_s must be a number of seconds above 0, up to {MAX_TIMEOUT_S:,}, not "
        f"{timeout_s!r}. Leave it out to wait as long as a run may take."
    )


def _address(given: str) -> str:
    """Without a slash at its end. Raises InvalidSettings for an empty one, as of a variable that is
    not set: the configured daemon is another one."""
    if address := given.rstrip("/"):
        return address
    raise InvalidSettings("The address is empty. Leave it out to call the configured daemon.")


class Transport:
    """A connection that is looked up at its first use."""

    def __init__(
        self,
        address: str | None = None,
        *,
        token: str | None = None,
        timeout_s: float | None = None,
    ) -> None:
        """`address` is the daemon's, such as `http://127.0.0.1:11711`, with its `token`; without
        one both are those of the settings (LAIOS_* variables, config.toml). `timeout_s`: how many
        seconds a run is waited for, or a stream may be silent; without it, as long as the daemon
        lets a run take (RUN_TIMEOUT_S, and the wait for its turn). Raises InvalidSettings."""
        self._given = None if address is None else Connection(_address(address), token)
        self._token = token
        self._timeout_s = _checked_timeout(timeout_s)
        self._local: LocalDaemon | None = None
        self._is_closed = False

    @classmethod
    def local(cls, *, timeout_s: float | None = None) -> Self:
        """A client that needs no daemon: a child process of this program runs the pipeline, with
        the settings and the history of the command line, and ends when the client is closed."""
        client = cls(timeout_s=timeout_s)
        client._local = LocalDaemon()
        return client

    def has_ended(self) -> bool:
        """Whether the process of a local client is gone: another client is needed then."""
        return self._local is not None and self._local.has_ended()

    def _connection(self) -> Connection:
        self._refuse_closed()
        if self._local:
            return self._local.connection()
        found = self._given or configured()
        return checked(Connection(found.address, self._token or found.token))

    def _request(self, call: ApiCall[T]) -> dict[str, Any]:
        """Of an httpx request."""
        self._refuse_closed()
        limit = self._timeout_s if call.is_run else QUICK_S
        return {
            "method": call.method,
            "url": call.path,
            "params": call.query,
            # Not httpx's own: it has no words for what JSON cannot carry, and the daemon has.
            "content": None if call.body is None else json.dumps(call.body).encode(),
            "headers": {} if call.body is None else {"Content-Type": "application/json"},
            "timeout": httpx.Timeout(limit, connect=CONNECT_S),
        }

    def _fault(self, error: httpx.HTTPError, call: ApiCall[T]) -> LaiosError:
        """Why there is no answer."""
        if self.has_ended():
            return DaemonUnreachable("This client's own process has ended. Make another client.")
        return no_answer(error, call)

    def _refuse_closed(self) -> None:
        if self._is_closed:
            raise DaemonUnreachable("This client is closed. Make another one.")

    def _end(self) -> None:
        self._is_closed = True
        if self._local:
            self._local.close()


def answer_of(call: ApiCall[T], response: httpx.Response) -> T:
    """What was read. Raises the LaiosError that the daemon answered with."""
    refuse_strangers(response)
    value = _json(response)
    if response.is_error and "error" in value:
        raise fault_of(value, response)
    return call.read(value)


def fault_of(value: Mapping[str, Any], response: httpx.Response) -> LaiosError:
    error = error_of(value["error"]["code"], value["error"]["message"], response.headers[RUN_ID])
    if isinstance(error, Busy):
        error.retry_after_s = int(response.headers.get("Retry-After", error.retry_after_s))
    return error


def refuse_strangers(response: httpx.Response) -> None:
    """Raises DaemonUnreachable for an answer of another program's: the daemon's all have an id."""
    if RUN_ID not in response.headers:
        raise _stranger(response)


def _json(response: httpx.Response) -> Any:
    try:
        return response.json()
    except ValueError:
        raise _stranger(response) from None


def _stranger(response: httpx.Response) -> DaemonUnreachable:
    where = response.url.copy_with(raw_path=b"/")
    return DaemonUnreachable(f"What listens on {where} is not laios.")


def no_answer(error: httpx.HTTPError, call: ApiCall[T]) -> LaiosError:
    """Why there is no answer."""
    where = error.request.url.copy_with(raw_path=b"/")
    if isinstance(error, httpx.ReadTimeout):
        waited = "a run was cancelled for that" if call.is_run else "it is busy or stuck"
        return TimedOut(f"The daemon on {where} did not answer in time: {waited}.")
    if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout):
        return DaemonUnreachable(
            f"No laios daemon answers on {where}. Start one (laios serve), or run the pipeline "
            "without: laios.Client.local()."
        )
    return DaemonUnreachable(f"The daemon on {where} went away: {error}")
