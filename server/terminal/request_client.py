"""A request from the command line: to the daemon, or carried out in this process."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import typer

from config import ConfigError, Settings, hot_variables
from pipeline.errors import LaiosError
from server.terminal import daemon_client
from server.terminal.console import INTERRUPTED, UNREACHABLE, USAGE, end_like_ctrl_c, refuse, say
from server.terminal.daemon_client import Unreachable
from server.terminal.output import refuse_with

if TYPE_CHECKING:
    from pipeline.request import Request
    from pipeline.run import Run
    from pipeline.scheduler import Scheduler
    from server.terminal.progress import Progress

Answer = dict[str, Any]
Start = Callable[["Scheduler"], tuple["Run", Awaitable[Answer]]]
"""Submits a request; gives the run to watch, and the answer to wait for."""


def answer_or_exit(
    settings: Settings,
    path: str,
    asked: dict[str, Any],
    run_id: str,
    progress: "Progress",
    *,
    as_json: bool,
    named: bool = False,
) -> Answer:
    """What a POST to this path of the API answers, or the end of the command. `named`: an error as
    JSON has the run's id."""
    more = {"id": run_id} if named else {}
    end_like_ctrl_c()
    try:
        with progress:
            return asyncio.run(_ask(settings, path, asked, run_id, progress))
    except Unreachable as error:
        refuse("model_unreachable", str(error), UNREACHABLE, as_json=as_json, **more)
    except LaiosError as error:
        refuse_with(error, as_json=as_json, **more)
    except ConfigError as error:
        refuse("invalid_settings", str(error), USAGE, as_json=as_json, **more)
    except KeyboardInterrupt:
        say("Cancelled.")
        raise typer.Exit(INTERRUPTED) from None


def say_what_does_not_count() -> None:
    """Names the settings of this environment that would change an answer of this process, where
    the daemon gives it: nobody who sets one expects the answer of another model."""
    names = hot_variables()
    if not names:
        return
    does, it = ("does", "it") if len(names) == 1 else ("do", "they")
    say(
        f"The daemon uses its own settings: {', '.join(names)} in this environment {does} not "
        f"count. In config.toml {it} would: laios config edit"
    )


async def _ask(
    settings: Settings, path: str, asked: dict[str, Any], run_id: str, progress: "Progress"
) -> Answer:
    start = _STARTS[path](asked, run_id)
    if await asyncio.to_thread(daemon_client.daemon_is_there, settings):
        say_what_does_not_count()
        show = progress.show if progress.enabled else None
        return await daemon_client.post(settings, path, asked, run_id, show)
    from server.runtime.container import assemble, require_history

    require_history(settings)
    parts = assemble(settings)
    try:
        run, answer = start(parts.scheduler)
        watcher = asyncio.create_task(_watch(run, progress))
        found = await answer
        await watcher
        return found
    finally:
        await parts.scheduler.drain(0)
        await parts.close()


async def _watch(run: "Run", progress: "Progress") -> None:
    async for event in run.events():
        progress.show(event)


# --- the routes: each reads what is asked (BadRequest) before it gives a Start -------------------


def _prompt(asked: dict[str, Any], run_id: str) -> Start:
    from server.api.prompt_request import read_request

    request = replace(read_request(asked, run_id), source="cli")

    def start(scheduler: "Scheduler") -> tuple["Run", Awaitable[Answer]]:
        from pipeline.add_ons import load_add_ons
        from server.api.prompt import answer_of

        for problem in load_add_ons():
            say(problem)
        return _submitted(scheduler, request, partial(answer_of, details=asked["details"]))

    return start


def _code(asked: dict[str, Any], run_id: str) -> Start:
    from pipeline.codegen.contract import read_code_request

    request = read_code_request(asked)

    def start(scheduler: "Scheduler") -> tuple["Run", Awaitable[Answer]]:
        from server.api.code import finished, submit

        runs = submit(scheduler, request, run_id)
        return runs[0], finished(scheduler, request, runs)

    return start


def _query(asked: dict[str, Any], run_id: str) -> Start:
    from server.api.query_request import read_query

    query = read_query(asked)

    def start(scheduler: "Scheduler") -> tuple["Run", Awaitable[Answer]]:
        from server.api.query import answer_of, request_of

        return _submitted(scheduler, request_of(query, run_id), answer_of)

    return start


def _judge(asked: dict[str, Any], run_id: str) -> Start:
    from server.api.judge_request import read_judge_request

    request = read_judge_request(asked)

    def start(scheduler: "Scheduler") -> tuple["Run", Awaitable[Answer]]:
        from server.api.judging import answer_of, request_of

        return _submitted(scheduler, request_of(request, run_id), answer_of)

    return start


def _submitted(
    scheduler: "Scheduler", request: "Request", answer_of: Callable[["Run"], Answer]
) -> tuple["Run", Awaitable[Answer]]:
    run = scheduler.submit(request)

    async def answer() -> Answer:
        await scheduler.finished(run)
        return answer_of(run)

    return run, answer()


_STARTS: dict[str, Callable[[dict[str, Any], str], Start]] = {
    "/prompt": _prompt,
    "/code": _code,
    "/query": _query,
    "/judge": _judge,
}
