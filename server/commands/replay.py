"""`laios replay`: ask earlier requests again and compare the answers."""

import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from server.commands import completion
from server.commands.filter_option import HELP, runs_that_fit
from server.commands.mode_option import mode_or_exit
from server.commands.model_option import require_model, with_model_or_exit
from server.terminal.console import (
    INTERRUPTED,
    RUN_FAILED,
    one_line,
    refuse,
    say,
    settings_or_exit,
    tell,
)
from server.terminal.output import columns, print_json, refuse_with

if TYPE_CHECKING:
    from config import Settings
    from history.record import Record
    from history.replay_pairs import Comparison, Pair
    from history.replays import Replay


def replay(
    filter_: list[str] = typer.Argument(None, metavar="FILTER", help=HELP),
    model: str = typer.Option(
        "",
        "--model",
        "-m",
        help="A model for all roles. Default: the models in your settings.",
        autocompletion=completion.model_names,
    ),
    mode: str = typer.Option(
        None,
        "--mode",
        help="A mode for all requests. Default: each request's own.",
        autocompletion=completion.modes,
    ),
    prompts: Path = typer.Option(
        None,
        "--prompts",
        metavar="DIR",
        file_okay=False,
        exists=True,
        help="Directory with coder.txt, judge.txt or reviewer.txt, to replace that role's rules.",
    ),
    limit: int = typer.Option(
        50, "--limit", "-n", min=1, help="At most this many runs, the newest."
    ),
    only_show: bool = typer.Option(False, "--show", help="Run nothing; show the results so far."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON: every pair and the counts."),
) -> None:
    """Run earlier requests again and compare the new answers with the old ones.

    Use it to try other models, prompts or settings (LAIOS_… variables). The answers go into a
    history of their own. You can stop it at any time: the same command continues from there.
    """
    options = {"PROMPTS_DIR": prompts} if prompts else {}
    settings = settings_or_exit(as_json=as_json, **options)
    name = mode_or_exit(mode)
    chosen = name and name + "".join(mode.partition("=")[1:])  # the number of best=8
    from server.benchmark.replayer import can_be_asked_again

    settings = with_model_or_exit(settings, model)
    earlier = runs_that_fit(settings, filter_, limit, can_be_asked_again)
    if not earlier:
        message = "No run in the history matches and can be run again. See: laios history"
        refuse("not_found", message, RUN_FAILED, as_json=as_json)
    if model and not only_show:
        asyncio.run(require_model(settings, as_json=as_json))
    made, refused = _ask_all(settings, chosen, earlier, only_show=only_show, as_json=as_json)
    _print(made, earlier, as_json=as_json)
    for reason, count in refused.items():
        say(f"{count} of {len(earlier)} requests were not answered: {reason}")
    if refused:
        raise typer.Exit(RUN_FAILED)


def _ask_all(
    settings: "Settings",
    mode: str | None,
    earlier: "Sequence[Record]",
    *,
    only_show: bool,
    as_json: bool,
) -> "tuple[Replay, Counter[str]]":
    from pipeline.errors import LaiosError

    try:
        return asyncio.run(_ask(settings, mode, earlier, only_show=only_show))
    except LaiosError as error:
        refuse_with(error, as_json=as_json)
    except OSError as error:
        refuse("internal", f"The replay cannot be kept: {error}.", RUN_FAILED, as_json=as_json)
    except KeyboardInterrupt:
        say("Stopped. The same command continues from there.")
        raise typer.Exit(INTERRUPTED) from None


async def _ask(
    settings: "Settings", mode: str | None, earlier: "Sequence[Record]", *, only_show: bool
) -> "tuple[Replay, Counter[str]]":
    """The replay, and why the model cannot answer some requests, however often it is asked. Raises
    what keeps the backend from answering anything: more of the same would follow."""
    from history.record import PASSING
    from pipeline.errors import BadRequest, RoleNotPlayed
    from server.benchmark.replayer import Replayer
    from server.terminal.counting import counting

    async with Replayer(settings, settings.HISTORY_DIR, mode) as replayer:
        replay = replayer.replay
        refused: Counter[str] = Counter()
        if only_show:
            return replay, refused
        replay.begin(replayer.conditions)
        done = replay.answers()
        left = [record for record in earlier if record["id"] not in done]
        say(f"{replay.name}: {len(left)} of {len(earlier)} requests to ask")
        with counting(len(left)) as advance:
            for record in left:
                try:
                    error = await replayer.ask(record)
                except BadRequest as refusal:
                    error = refusal
                    refused[refusal.message] += 1
                if isinstance(error, RoleNotPlayed):
                    refused[error.message] += 1
                elif error and error.code in PASSING:
                    raise error
                said = f": {error.code}" if error else ""
                advance(one_line(str(record["normalized_prompt"]), 40) + said)
        return replay, refused


def _print(replay: "Replay", earlier: "Sequence[Record]", *, as_json: bool) -> None:
    from history.replay_pairs import compare

    pairs = replay.pairs(earlier)
    found = compare(pairs)
    if as_json:
        about = {"name": replay.name, "directory": str(replay.directory)}
        listed = [pair.as_json() for pair in pairs]
        print_json({**about, **replay.conditions(), **found.as_json(), "pairs": listed})
        return
    if not pairs:
        say("Nothing was run under these conditions yet.")
        return
    for line in _lines(found, pairs):
        tell(line)
    say(f"Compare them: laios dashboard, at /dashboard/replays/{replay.name}")


def _lines(found: "Comparison", pairs: "Sequence[Pair]") -> Iterator[str]:
    yield from columns([("REQUEST", "OLD", "NEW", "LINES", "SECONDS"), *map(_cells, pairs)])
    yield ""
    head = ("", "BOTH", "ONLY OLD", "ONLY NEW", "NEITHER", "P")
    rows = [
        (c.what, str(c.both), str(c.only_old), str(c.only_new), str(c.neither), f"{c.p:.2g}")
        for c in found.counts
    ]
    yield from columns([head, *rows])
    yield (
        f"{found.same} of {found.pairs} answers are the same; "
        f"tokens {found.tokens[0]:,} -> {found.tokens[1]:,}, "
        f"seconds {found.seconds[0]:.0f} -> {found.seconds[1]:.0f}"
    )


def _cells(pair: "Pair") -> tuple[str, ...]:
    old, new = pair.before, pair.after
    return (
        one_line(str(pair.old["normalized_prompt"]), 40),
        old.outcome,
        new.outcome,
        "same" if pair.same else str(pair.changed_lines),
        f"{old.seconds:.1f} -> {new.seconds:.1f}",
    )
