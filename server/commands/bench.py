"""`laios bench`: measure how often each mode's answers pass hidden tests."""

import asyncio
from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from server.commands import completion
from server.commands.mode_option import mode_or_exit
from server.commands.model_option import require_model, with_model_or_exit
from server.terminal.console import INTERRUPTED, USAGE, fail, say, settings_or_exit, tell
from server.terminal.counting import counting
from server.terminal.output import columns, print_json, refuse_with

if TYPE_CHECKING:
    from config import Settings
    from history.bench_results import ResultFile, ResultRow
    from history.bench_summary import ArmSummary, Rates
    from server.benchmark.problems import Problem


def bench(
    modes: str = typer.Option(
        "raw,reviewed",
        help="Modes to compare, comma-separated. A blind baseline (resample) is added.",
        autocompletion=completion.bench_modes,
    ),
    no_resample: bool = typer.Option(
        False,
        "--no-resample",
        help="Leave out the baseline, which draws as often as the others but blindly.",
    ),
    problems: str = typer.Option(
        "laios",
        help="laios (ours), humaneval, mbpp, or a file in one of their formats.",
        autocompletion=completion.offer(lambda: ("laios", "humaneval", "mbpp")),
    ),
    models: list[str] = typer.Option(
        [],
        "--model",
        "--models",
        "-m",
        help="Models to compare, comma-separated, each for all roles. Default: yours.",
        autocompletion=completion.model_names,
    ),
    limit: int | None = typer.Option(None, min=1, help="Use at most this many problems."),
    seed: int | None = typer.Option(
        None, help="Pick the problems at random with this seed, not the first ones."
    ),
    no_examples: bool = typer.Option(
        False, "--without-examples", help="Remove the examples from the prompts."
    ),
    output: Path | None = typer.Option(
        None, "--results", help="The results file; what it already has is not measured again."
    ),
    keep: bool = typer.Option(
        False, "--keep-runs", help="Keep each run in the history too; the dashboard links to it."
    ),
    only_show: bool = typer.Option(
        False, "--show", help="Measure nothing; show the results so far."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Measure how often each mode's answers are right, on problems with hidden tests.

    You can stop it at any time: the same command continues from there.
    """
    settings = settings_or_exit(as_json=as_json)
    from config import data_dir
    from history.bench_results import ResultFile
    from history.bench_summary import latest
    from server.benchmark.problems import (
        ProblemsError,
        chosen,
        find,
        numbered,
        read_problems,
        without_examples,
    )

    directory = data_dir() / "bench"
    try:
        asked = chosen(read_problems(find(problems, directory)), limit, seed)
        by_id = numbered(without_examples(asked) if no_examples else asked)
        arms = _arms(modes, resample=not no_resample)
    except (ProblemsError, ValueError) as error:
        fail(str(error), USAGE)
    file = ResultFile(output or directory / "results.jsonl")
    with _usable(file):
        is_another = file.is_another()
    if is_another:
        fail(
            f"{file.path} is not a results file of laios bench. To keep it as it is, name another "
            "one: --results.",
            USAGE,
        )
    if left_out := len(asked) - len(by_id):
        say(f"{left_out} of {len(asked)} problems ask nothing without their examples: left out.")
    measured: list[ResultRow] = []
    if not only_show:
        every = list(by_id.values())
        measured = _measure_all(settings, models, every, arms, file, seed, keep, as_json)
    all_rows = list(file.results())
    rows = [row for row in all_rows if row["problem"] in by_id]
    _print(latest(rows, measured), arms, as_json)
    if only_show and (others := _others(all_rows, by_id, arms)):
        say(f"{file.path} has other results, shown if you ask for them: {others}.")


def _arms(modes: str, *, resample: bool) -> list[str]:
    """Blind resampling among them, unless it is not wanted: what more calls are worth by
    themselves. Ends the command for what is no mode."""
    from server.benchmark.measurement import ARMS, RESAMPLE

    arms = [word for each in modes.split(",") if (word := each.strip()) and word != RESAMPLE]
    if not (arms or RESAMPLE in modes):
        fail("--modes is empty. Leave it out, or name some: raw,best", USAGE)
    for arm in arms:
        mode_or_exit(ARMS.get(arm, arm))
    arms = [*dict.fromkeys(arms)]  # one that is named twice is measured once
    # It draws as often as the others called, so it comes after them.
    return [*arms, RESAMPLE] if resample else arms


@contextmanager
def _usable(file: "ResultFile") -> Iterator[None]:
    try:
        yield
    except OSError as error:
        fail(f"{file.path} cannot be used: {error.strerror}.", USAGE)


def _measure_all(
    settings: "Settings",
    models: Sequence[str],
    problems: "Sequence[Problem]",
    arms: Sequence[str],
    file: "ResultFile",
    seed: int | None,
    keep: bool,
    as_json: bool,
) -> "list[ResultRow]":
    """The results that were asked for, measured now or before."""
    from pipeline.errors import LaiosError

    names = dict.fromkeys(name.strip() for each in models for name in each.split(","))
    chosen = [with_model_or_exit(settings, name) for name in names if name]
    for each in chosen:  # before one is measured for hours
        asyncio.run(require_model(each, as_json=as_json))
    with _usable(file):
        file.create()
    found: list[ResultRow] = []
    for changed in chosen or [settings]:
        try:
            found += asyncio.run(_measure(changed, problems, arms, file, seed, keep))
        except LaiosError as error:
            refuse_with(error, as_json=as_json)
        except KeyboardInterrupt:
            say(f"Stopped. The same command continues; results so far: {file.path}")
            raise typer.Exit(INTERRUPTED) from None
    return found


async def _measure(
    settings: "Settings",
    problems: "Sequence[Problem]",
    arms: Sequence[str],
    file: "ResultFile",
    seed: int | None,
    keep: bool,
) -> "list[ResultRow]":
    """Measures what is not in the file yet, problem by problem, so that the arms stay comparable;
    gives all that it was asked for."""
    import pipeline
    from history.bench_results import key_of
    from pipeline.testcases.case_runner import require_sandbox
    from server.benchmark.measurement import Bench, in_turn
    from server.benchmark.run_settings import prompts_digest, revision, run_settings
    from server.runtime.container import store_of

    await require_sandbox(settings)
    prompts = prompts_digest(settings)
    rows = {key_of(row): row for row in file.results()}
    found: list[ResultRow] = []
    async with Bench(settings, store_of(settings) if keep else None) as bench:
        common = {
            "revision": revision(Path(pipeline.__file__).parent),
            "models": bench.names(),
            "settings": run_settings(settings) | ({"prompts": prompts} if prompts else {}),
            "seed": seed,
        }
        with counting(len(problems) * len(arms)) as advance:
            for number, problem in enumerate(problems):
                calls, asked = 1, False
                for arm in in_turn(arms, number):
                    key = common | {"problem": problem.id, "arm": arm}
                    row = rows.get(key_of(key))
                    if row is None:
                        row = key | await bench.measure(problem, arm, calls=calls)
                        row["first"] = not asked
                        file.append(row)
                        asked = True
                    found.append(row)
                    calls = max(calls, row["calls"])
                    advance(f"{problem.id} {arm}")
    return found


def _others(rows: "Sequence[ResultRow]", problems: Container[str], arms: Container[str]) -> str:
    """Which results of a file are not among the shown, and how to ask for them; "" for none."""
    other_modes = {row["arm"] for row in rows if row["arm"] not in arms}
    other_problems = {row["problem"] for row in rows if row["problem"] not in problems}
    said = []
    if other_modes:
        said.append(f"--modes {','.join(sorted(other_modes))}")
    if other_problems:
        which = "--problems, --limit, --seed, --without-examples"
        said.append(f"{len(other_problems)} other problems such as {min(other_problems)} ({which})")
    return "; ".join(said)


def _print(rows: "Sequence[ResultRow]", arms: Sequence[str], as_json: bool) -> None:
    from history.bench_summary import summarise

    found = [each for each in summarise(rows) if each.arm in arms]
    if as_json:
        print_json([each.as_json() for each in found])
        return
    if not found:
        say("There are no results for these problems and modes yet.")
        return
    for number, models in enumerate(dict.fromkeys(each.models for each in found)):
        if number:
            tell("")
        for line in _report([each for each in found if each.models == models]):
            tell(line)


def _report(found: "Sequence[ArmSummary]") -> Iterator[str]:
    """Of the modes on one set of models: what is right, what it took, and what the parts did."""
    facts = dict.fromkeys(word for each in found for word in (each.engine, each.quantization))
    said = ", ".join(filter(None, facts))
    yield f"{found[0].models}: {said}" if said else found[0].models
    fails = any(each.failed for each in found)
    head = ("MODE", "RIGHT", "95 %", "AGAINST RAW", "DRAWN AGAIN", "REVIEWED", "FAILED")
    rows = [head, *map(_right, found)]
    yield from columns(row if fails else row[:-1] for row in rows)
    yield ""
    head = ("MODE", "CALLS", "READ", "CACHED", "WRITTEN", "SECONDS", "TIME")
    yield from columns([head, *map(_cost, found)])
    for each in found:
        yield from _rate_lines(each)


def _right(each: "ArmSummary") -> tuple[str, ...]:
    against = "" if each.arm == "raw" else f"+{each.gained} -{each.lost} (p {each.p:.2g})"
    return (
        each.arm,
        f"{each.right}/{each.of}",
        f"{each.low:.0%}-{each.high:.0%}",
        against,
        f"+{each.drawn_mended} -{each.drawn_spoilt}",
        f"+{each.mended} -{each.spoilt}",
        str(each.failed),
    )


def _cost(each: "ArmSummary") -> tuple[str, ...]:
    return (
        each.arm,
        f"{each.calls / each.of:.2f}",
        f"{each.prompt_tokens:,}",
        f"{each.cached_tokens:,}",
        f"{each.output_tokens:,}",
        f"{each.seconds:.0f}",
        f"x {each.ratio:.2f}" if each.ratio else "",
    )


def _rate_lines(each: "ArmSummary") -> Iterator[str]:
    for who, rates in (("evidence", each.evidence), ("the judge", each.judged)):
        if rates:
            yield f"{each.arm}: {who} {_rates(rates)}"


def _rates(rates: "Rates") -> str:
    ranked = f", AUROC {rates.auroc:.2f}" if rates.auroc is not None else ""
    return (
        f"accepted {rates.accepted_right} of {rates.right} right drafts "
        f"and rejected {rates.rejected_wrong} of {rates.wrong} wrong ones{ranked}."
    )
