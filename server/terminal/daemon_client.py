"""The command line's client of a running daemon."""

import asyncio
import json
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import httpx
from httpx_sse import EventSource

from config import Settings, base_url

QUICK_S = 2.0
CANCEL_S = 15.0  # a cancelled run ends and is recorded within that
# No proxy between us and our own daemon. It speaks plain HTTP: loading certificates for it would
# take longer than most commands.
_PLAIN: dict[str, Any] = {"trust_env": False, "verify": False}


class Unreachable(Exception):
    """No daemon answers; the message says where it was looked for and how to start one."""


class Refused(Exception):
    """The daemon answered with an error."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Client:
    """Quick questions to the daemon that the settings point to."""

    def __init__(self, settings: Settings) -> None:
        self._address = base_url(settings)
        self._http = httpx.Client(
            base_url=self._address, headers=_headers(settings), timeout=QUICK_S, **_PLAIN
        )

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        self._http.close()

    def health(self) -> dict[str, Any]:
        """What /healthz says. Raises Unreachable, also when something else listens there."""
        body = self._get("/healthz")
        if body.get("name") != "laios":
            raise Unreachable(f"What listens on {self._address} is not laios.")
        return body

    def ready(self) -> dict[str, Any]:
        """What /readyz says. Raises Unreachable or Refused."""
        body = self._get("/readyz")
        if "error" in body:
            raise Unreachable(f"{self._address}: {body['error']['message']}")
        return body

    def runs(self) -> list[dict[str, Any]]:
        """Running and queued runs, oldest first. Raises Unreachable or Refused."""
        runs: list[dict[str, Any]] = _accepted(self._get("/runs"))["runs"]
        return runs

    def cancel(self, run_id: str) -> dict[str, Any]:
        """Cancels a run and waits until it is on record: `{id, cancelled, outcome}`. Raises
        Unreachable or Refused."""
        return _accepted(self._ask("DELETE", f"/runs/{quote(run_id, safe='')}", CANCEL_S))

    def _get(self, path: str) -> dict[str, Any]:
        return self._ask("GET", path, QUICK_S)

    def _ask(self, method: str, path: str, timeout_s: float) -> dict[str, Any]:
        try:
            value = self._http.request(method, path, timeout=timeout_s).json()
        except (httpx.HTTPError, ValueError):
            raise Unreachable(
                f"No laios daemon answers on {self._address}. Start one: laios serve"
            ) from None
        return value if isinstance(value, dict) else {}


def daemon_is_there(settings: Settings) -> bool:
    try:
        with Client(settings) as client:
            client.health()
    except Unreachable:
        return False
    return True


async def post(
    settings: Settings,
    path: str,
    body: dict[str, Any],
    run_id: str,
    on_event: Callable[[dict[str, Any]], None] | None,
) -> dict[str, Any]:
    """Posts a request that makes a run and returns its answer; `on_event` gets the run's events on
    the way. Raises Refused or Unreachable."""
    address = base_url(settings)
    headers = _headers(settings) | {"X-Laios-Run-Id": run_id}
    async with httpx.AsyncClient(base_url=address, headers=headers, timeout=None, **_PLAIN) as http:
        watcher = asyncio.create_task(_watch(http, run_id, on_event)) if on_event else None
        try:
            answer = await http.post(path, json=body)
            value = answer.json()
        except (httpx.HTTPError, ValueError) as error:
            raise Unreachable(f"The daemon on {address} went away: {error}") from None
        finally:
            if watcher:
                watcher.cancel()
                await asyncio.gather(watcher, return_exceptions=True)
    if answer.status_code != 200:
        raise Refused(value["error"]["code"], value["error"]["message"])
    whole: dict[str, Any] = value
    return whole


async def _watch(
    http: httpx.AsyncClient, run_id: str, on_event: Callable[[dict[str, Any]], None]
) -> None:
    """Follows the run. It can be asked for a moment before the prompt has arrived."""
    path = f"/runs/{run_id}/events"
    for _ in range(20):
        async with http.stream("GET", path) as response:
            if response.status_code == 200:
                async for event in EventSource(response).aiter_sse():
                    on_event(json.loads(event.data))
                return
        await asyncio.sleep(0.05)


def _accepted(body: dict[str, Any]) -> dict[str, Any]:
    if "error" in body:
        raise Refused(body["error"]["code"], body["error"]["message"])
    return body


def _headers(settings: Settings) -> dict[str, str]:
    return {"Authorization": f"Bearer {settings.API_TOKEN}"} if settings.API_TOKEN else {}
