"""`laios batch`: answer a file of requests, on this machine or on a Ray cluster."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from server.commands import completion
from server.commands.mode_option import mode_or_exit
from server.terminal.console import (
    INTERRUPTED,
    RUN_FAILED,
    UNREACHABLE,
    USAGE,
    end_like_ctrl_c,
    fail,
    refuse,
    say,
    settings_or_exit,
)
from server.terminal.output import print_json

if TYPE_CHECKING:
    from config import Settings
    from server.batch.answer_journal import AnswerJournal
    from server.batch.batch_job import BatchCounts
    from server.batch.batch_progress import BatchProgress
    from server.batch.batch_request import BatchRequest
    from server.batch.batch_runner import BatchPolicy
    from server.batch.request_caller import Caller

CONCURRENCY = 8
ACTORS = "1:4"


def batch(
    requests: str = typer.Argument(
        metavar="REQUESTS",
        help="A file of requests: JSON lines, .csv or .parquet; - is stdin (JSON lines).",
    ),
    output: str = typer.Option(
        ...,
        "--output",
        "-o",
        help="The answers (JSON lines). Requests that it already answers are not asked again.",
    ),
    mode: str = typer.Option(
        None,
        "--mode",
        "-m",
        help="The mode for prompts that name none: raw, test, …",
        autocompletion=completion.modes,
    ),
    concurrency: int = typer.Option(
        CONCURRENCY, "--concurrency", "-c", min=1, max=1024, help="Requests at the same time."
    ),
    retries: int = typer.Option(
        2, min=0, max=100, help="Further tries if a model or the daemon does not answer."
    ),
    fail_fast: bool = typer.Option(False, "--fail-fast", help="Stop at the first failure."),
    limit: int = typer.Option(None, min=1, help="Ask at most this many now."),
    where: str = typer.Option(
        None,
        metavar="error|CODE",
        help="Ask those again that failed, or failed with this code, such as model_timeout.",
    ),
    ray: str = typer.Option(
        None,
        metavar="ADDRESS",
        help="Run on this Ray cluster (auto, HOST:PORT); -o is then a directory or bucket that all "
        "its nodes can reach.",
    ),
    actors: str = typer.Option(
        None,
        metavar="MIN:MAX",
        help=f"With --ray: fewest and most pipelines at work. Default: {ACTORS}.",
    ),
    as_json: bool = typer.Option(False, "--json", help="Print the counts as JSON."),
    quiet: bool = typer.Option(False, "--quiet", "-q", help="Show no progress."),
) -> None:
    """Answer each request of a file once, on the daemon if it is running, else in this process.

    You can stop it at any time, even with kill -9: the same command continues from there.
    """
    settings = settings_or_exit(as_json=as_json)
    from config import ConfigError
    from server.batch.answer_journal import JournalError
    from server.batch.batch_job import OtherRequest
    from server.batch.batch_runner import BatchPolicy
    from server.batch.requests_file import RequestsError

    mode_or_exit(mode)
    _check_error(where)
    if actors and not ray:
        message = "--actors needs a Ray cluster: add --ray ADDRESS. Without one, use --concurrency."
        refuse("bad_request", message, USAGE, as_json=as_json)
    if output == "-":
        message = "The answers' file is also the journal: name a file with -o."
        refuse("bad_request", message, USAGE, as_json=as_json)
    policy = BatchPolicy(concurrency, retries, fail_fast)
    end_like_ctrl_c()
    order = _Order(settings, requests, output, mode, where, limit, policy, quiet, as_json)
    try:
        job = _on_cluster(order, ray, _bounds(actors or ACTORS)) if ray else _here(order)
    except (RequestsError, JournalError, OtherRequest) as error:
        refuse("bad_request", str(error), USAGE, as_json=as_json)
    except ConfigError as error:
        refuse("invalid_settings", str(error), USAGE, as_json=as_json)
    _end(*job, output, as_json=as_json)


@dataclass(frozen=True, slots=True)
class _Order:
    """What is to be done, wherever it is done."""

    settings: "Settings"
    source: str
    output: str
    mode: str | None
    where: str | None
    limit: int | None
    policy: "BatchPolicy"
    quiet: bool
    as_json: bool


def _check_error(where: str | None) -> None:
    """Exit 2 for what is no error."""
    from laios.errors import error_codes

    if where not in (None, "error", *error_codes()):
        fail(f"--where {where} is not an error. Errors: error, {', '.join(error_codes())}.", USAGE)


def _here(order: _Order) -> "tuple[BatchCounts, int]":
    """On this machine; what it came to, and the exit status. Raises RequestsError, JournalError,
    OtherRequest and ConfigError."""
    from server.batch.answer_journal import AnswerJournal
    from server.batch.batch_job import BatchCounts, is_wanted
    from server.batch.batch_progress import BatchProgress
    from server.batch.requests_file import read_requests

    asked = read_requests(order.source, order.mode)
    with closing(AnswerJournal(Path(order.output))) as journal:
        known, where = journal.answered, order.where
        wanted = [each for each in asked if is_wanted(each.id, each.digest, known, where)]
        now = wanted[: order.limit]
        counts = BatchCounts.begun([each.id for each in asked], known, [each.id for each in now])
        with BatchProgress(counts, quiet=order.quiet) as progress:
            status = _status(lambda: asyncio.run(_run(order, now, journal, progress)), progress)
        journal.tidy()
    return counts, status


def _on_cluster(order: _Order, address: str, actors: tuple[int, int]) -> "tuple[BatchCounts, int]":
    """The same on the Ray cluster at this address."""
    try:
        from server.batch.ray_job import ClusterError, RayBatch, connected
    except ImportError:
        fail("A cluster needs the extra `ray` of laios: pip install 'laios[ray]'", USAGE)
    from server.batch.batch_progress import BatchProgress

    if order.source == "-":
        fail("A cluster's nodes cannot read this stdin: name a file that they all reach.", USAGE)
    try:
        with connected(address):
            job = RayBatch(order.source, order.output, order.mode)
            chosen = job.select(order.where, order.limit)
            counts = chosen.counts
            with BatchProgress(counts, quiet=order.quiet) as progress:
                outcomes = job.run(order.settings, order.policy, actors, chosen)
                status = _status(lambda: _follow(outcomes, order.policy, progress), progress)
    except ClusterError as error:
        refuse("internal", str(error), UNREACHABLE, as_json=order.as_json)
    return counts, status


def _follow(
    outcomes: "Iterator[tuple[str, str | None]]", policy: "BatchPolicy", progress: "BatchProgress"
) -> None:
    from server.batch.batch_runner import RequestFailed

    for request_id, error in outcomes:
        progress.count(error)
        if error and policy.fail_fast:
            raise RequestFailed(f"{request_id}: {error}")


def _bounds(actors: str) -> tuple[int, int]:
    least, _, most = actors.partition(":")
    try:
        bounds = int(least), int(most or least)
    except ValueError:
        bounds = 0, 0
    if not 1 <= bounds[0] <= bounds[1]:
        fail(f"--actors {actors} is not a range. Write it as 1:4.", USAGE)
    return bounds


def _status(work: Callable[[], None], progress: "BatchProgress") -> int:
    """The exit status of the work; what stopped it is told."""
    from pipeline.errors import LaiosError
    from server.batch.answer_journal import JournalError
    from server.batch.batch_runner import RequestFailed

    try:
        work()
    except RequestFailed as error:
        say(f"Stopped at the first failure. {error}")
        return RUN_FAILED
    except JournalError as error:
        say(f"Stopped: {error}")
        return RUN_FAILED
    except LaiosError as error:
        say(f"Stopped: {error.message}")
        return UNREACHABLE
    except KeyboardInterrupt:
        say("Stopped.")
        return INTERRUPTED
    counts = progress.counts
    return RUN_FAILED if counts.any_failed or counts.to_ask > counts.answered else 0


async def _run(
    order: _Order,
    wanted: "Sequence[BatchRequest]",
    journal: "AnswerJournal",
    progress: "BatchProgress",
) -> None:
    from server.batch.answer_journal import error_code
    from server.batch.batch_runner import run_batch
    from server.batch.group_commit import GroupCommit
    from server.runtime.async_closing import async_closing

    if not wanted:
        return
    async with (
        async_closing(await _caller(order.settings)) as caller,
        GroupCommit(journal.append) as commit,
    ):
        await run_batch(
            wanted,
            caller,
            commit,
            order.policy,
            lambda answer: progress.count(error_code(answer)),
        )


async def _caller(settings: "Settings") -> "Caller":
    from server.batch.request_caller import DaemonCaller, LocalCaller
    from server.runtime.container import require_history
    from server.terminal.daemon_client import daemon_is_there
    from server.terminal.request_client import say_what_does_not_count

    if await asyncio.to_thread(daemon_is_there, settings):
        say_what_does_not_count()
        return DaemonCaller(settings)
    require_history(settings)
    return LocalCaller(settings)


def _end(counts: "BatchCounts", status: int, output: str, *, as_json: bool) -> None:
    from server.batch.batch_progress import summary

    say(summary(counts))
    if counts.to_ask > counts.answered:
        say("The same command continues.")
    elif counts.any_failed:
        codes = ", ".join(f"{number:,} {code}" for code, number in counts.codes.most_common())
        say(f"Failed: {codes}; {output} has the messages. To ask them again, add: --where error")
    if as_json:
        print_json(counts.as_json())
    if status:
        raise typer.Exit(status)
