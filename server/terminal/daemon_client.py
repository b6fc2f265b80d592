"""The command line's client of a running daemon."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import httpx
from httpx_sse import EventSource
from pydantic import BaseModel

from config import Settings, base_url
from laios.connection import Connection
from laios.errors import LaiosError, Unauthorized, error_of
from pipeline.unicode_text import values_without_surrogates
from server.terminal.console import say
from server.terminal.daemon_answers import Health, Ready, Refusal, has_shape

QUICK_S = 5.0  # on a machine whose cores are all taken by a model too
TOKEN_WANTED = (
    "The daemon needs its API_TOKEN: set LAIOS_API_TOKEN, or api_token in config.toml, to the one "
    "that it was started with."
)
READY_S = 15.0  # before it answers, the daemon asks each backend; one may be silent for seconds
CANCEL_S = 15.0  # a cancelled run ends and is recorded within that


class Unreachable(Exception):
    """No daemon answers; the message says where it was looked for and how to start one."""


class Silent(Unreachable):
    """Something listens there, and does not answer in time."""


def http_options(settings: Settings) -> dict[str, Any]:
    """Of an httpx client that calls the daemon which the settings point to."""
    return Connection(base_url(settings), settings.API_TOKEN).http_options


class DaemonClient:
    """Quick questions to the daemon that the settings point to."""

    def __init__(self, settings: Settings) -> None:
        self._address = base_url(settings)
        self._http = httpx.Client(**http_options(settings))

    def __enter__(self) -> "DaemonClient":
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        self._http.close()

    def health(self) -> dict[str, Any]:
        """What /healthz says. Raises Unreachable, also when something else listens there."""
        body = self._ask("GET", "/healthz", QUICK_S)
        if not has_shape(Health, body):
            raise Unreachable(f"What listens on {self._address} is not laios.")
        return body

    def ready(self) -> dict[str, Any]:
        """What /readyz says. Raises Unreachable."""
        try:
            return self._answer("GET", "/readyz", READY_S, Ready)
        except LaiosError as error:
            raise Unreachable(f"{self._address}: {error.message}") from None

    def runs(self) -> list[dict[str, Any]]:
        """Running and queued runs, oldest first. Raises Unreachable or LaiosError."""
        from laios.types.run_list import RunList

        runs: list[dict[str, Any]] = self._answer("GET", "/runs", QUICK_S, RunList)["runs"]
        return runs

    def cancel(self, run_id: str) -> dict[str, Any]:
        """Cancels a run and waits until it is on record: `{id, cancelled, outcome}`. Raises
        Unreachable or LaiosError."""
        from laios.api_call import path_of
        from laios.types.run_list import Cancellation

        return self._answer("DELETE", path_of("/runs", run_id), CANCEL_S, Cancellation)

    def _answer(
        self, method: str, path: str, timeout_s: float, shape: type[BaseModel]
    ) -> dict[str, Any]:
        value: dict[str, Any] = _accepted(self._ask(method, path, timeout_s))
        if not has_shape(shape, value):
            raise Unreachable(
                f"What listens on {self._address} does not answer {method} {path} as a daemon of "
                "this version does."
            )
        return value

    def _ask(self, method: str, path: str, timeout_s: float) -> dict[str, Any]:
        """An answer that is no object of JSON counts as an empty one."""
        try:
            value = self._http.request(method, path, timeout=timeout_s).json()
        except httpx.ReadTimeout:
            raise Silent(
                f"What listens on {self._address} did not answer within {timeout_s:g} s. If it is "
                "laios, it is busy or stuck: its log may say why."
            ) from None
        except httpx.HTTPError:
            raise Unreachable(
                f"No laios daemon answers on {self._address}. Start one: laios serve"
            ) from None
        except ValueError:
            return {}
        return value if isinstance(value, dict) else {}


def daemon_is_there(settings: Settings) -> bool:
    """Whether one answers. Of one that may be there and is silent a line on stderr tells: what is
    done without it takes longer, and does not show among its runs."""
    try:
        with DaemonClient(settings) as client:
            client.health()
    except Silent as error:
        say(f"{error} Going on without it.")
        return False
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
    the way. Raises LaiosError or Unreachable."""
    from laios.transport import RUN_ID

    named = {RUN_ID: run_id}
    body = values_without_surrogates(body)  # of a word that is not UTF-8: JSON carries none
    async with httpx.AsyncClient(**http_options(settings), timeout=None) as http:
        watcher = asyncio.create_task(_watch(http, run_id, on_event)) if on_event else None
        try:
            answer = await http.post(path, json=body, headers=named)
            if RUN_ID not in answer.headers:  # which all answers of the daemon have
                raise Unreachable(f"What listens on {base_url(settings)} is not laios.")
            value: dict[str, Any] = answer.json()
        except (httpx.HTTPError, ValueError) as error:
            raise Unreachable(f"The daemon on {base_url(settings)} went away: {error}") from None
        finally:
            if watcher:
                watcher.cancel()
                await asyncio.gather(watcher, return_exceptions=True)
    if answer.status_code == 200 and isinstance(value, dict):
        return value
    _accepted(value)
    raise Unreachable(
        f"{base_url(settings)} answers {answer.status_code}, which a laios daemon never does."
    )


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


def _accepted(body: Any) -> Any:
    """Raises the daemon's error, in words for who types a command: of headers it knows nothing."""
    if has_shape(Refusal, body):
        error = body["error"]
        wants_token = error["code"] == Unauthorized.code
        raise error_of(error["code"], TOKEN_WANTED if wants_token else error["message"])
    return body
