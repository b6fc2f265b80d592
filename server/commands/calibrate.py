"""`laios calibrate`: measure a judge against executed drafts, and which thresholds pay."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from server.commands.completion import model_names
from server.terminal.console import RUN_FAILED, USAGE, fail, refuse, say, settings_or_exit, tell
from server.terminal.output import columns, print_json

if TYPE_CHECKING:
    from config import Settings
    from history.bench_results import ResultRow
    from server.benchmark.calibration import Calibration, Share

NO_BETTER = 0.65  # AUROC below which a judge is said to be no judge


def calibrate(
    model: str = typer.Option(
        "",
        "--model",
        "-m",
        help="The judge. Default: the one in your settings.",
        autocompletion=model_names,
    ),
    cost: float = typer.Option(
        3.0,
        "--cost",
        min=0.1,
        help="Cost of accepting a wrong draft, if reviewing a right one costs 1.",
    ),
    results: Path | None = typer.Option(
        None, "--results", help="The results file of `laios bench`."
    ),
    write: bool = typer.Option(False, "--write", help="Write the thresholds into config.toml."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Measure how reliable your judge is, on the drafts that `laios bench` has executed."""
    settings = settings_or_exit(as_json=as_json)
    judge = model or settings.JUDGE_MODEL_NAME[0]
    found = _calibrated(settings, judge, cost, results, as_json=as_json)
    if as_json:
        print_json(found.as_json())
    else:
        for line in _lines(found, cost):
            tell(line)
    if write:
        _write(found)


def _calibrated(
    settings: "Settings", model: str, cost: float, results: Path | None, *, as_json: bool
) -> "Calibration":
    from config import data_dir
    from history.bench_results import ResultFile
    from server.benchmark.calibration import calibrate as calibration_of
    from server.benchmark.calibration import scored_drafts

    path = results or data_dir() / "bench" / "results.jsonl"
    try:
        rows = [*ResultFile(path).results()]
    except OSError as error:
        message = f"{path} cannot be read: {error.strerror}."
        refuse("bad_request", message, USAGE, as_json=as_json)
    if results and not results.exists():
        message = f"There is no file {path}. `laios bench --results {path}` writes it."
        refuse("not_found", message, USAGE, as_json=as_json)
    if results and not rows and path.stat().st_size:
        message = f"{path} is not a results file of laios bench."
        refuse("bad_request", message, USAGE, as_json=as_json)
    drafts = scored_drafts(rows)
    if model == "auto" and len(drafts) == 1:
        (model,) = drafts
    if model == "auto" and drafts:
        message = f"There are verdicts of several models: {', '.join(drafts)}. Choose one: -m MODEL"
        refuse("bad_request", message, USAGE, as_json=as_json)
    if model not in drafts:
        known = f" There are verdicts of: {', '.join(drafts)}." if drafts else ""
        whose = "" if model == "auto" else f" of {model}"
        message = f"There are no measured verdicts{whose}.{known} {_way_to_some(rows, model)}"
        refuse("not_found", message, USAGE, as_json=as_json)
    thresholds = (settings.ESCALATION_CONFIDENCE_THRESHOLD, settings.ESCALATION_CONFLICT_THRESHOLD)
    return calibration_of(model, drafts[model], thresholds, settings.JUDGE_YES_THRESHOLD, cost)


def _way_to_some(rows: "Sequence[ResultRow]", model: str) -> str:
    """What to measure, and why what was measured is not enough."""
    from server.benchmark.calibration import unjudged

    command = f"LAIOS_JUDGE_WHEN=always laios bench --modes reviewed --no-resample -m {model}"
    answers, rejected = unjudged(rows, model)
    if not answers:
        return f"Measure some first: {command}"
    why = f"facts rejected {rejected} of their drafts, and then no judge is asked"
    if answers > rejected:
        why += f"; {answers - rejected} were decided without it, or it failed"
    return (
        f"{answers} answers were measured without one: {why}. Measure more problems, without the "
        f"examples that facts come from: {command} --without-examples"
    )


def _lines(found: "Calibration", cost: float) -> Iterator[str]:
    from server.runtime.units import counted

    yield f"{found.judge}, {counted(found.drafts, 'draft')} that hidden tests were run on"
    yield f"accepts right drafts   {_share(found.accepted_right)}"
    yield f"rejects wrong drafts   {_share(found.rejected_wrong)}"
    if found.auroc is not None:
        yield (
            f"AUROC                  {found.auroc:.2f} ({found.auroc_low:.2f}-"
            f"{found.auroc_high:.2f}; 0.5 is chance)"
        )
    yield ""
    rows = [(str(level), _share(share)) for level, share in found.reliability.items()]
    yield from columns([("CONFIDENCE", "RIGHT"), *rows])
    yield ""
    yield from _advice(found, cost)


def _advice(found: "Calibration", cost: float) -> Iterator[str]:
    if not found.enough:
        yield "Too few drafts, or too few of one kind, to say more: measure more problems."
        return
    yield (
        f"Cost, if a wrong draft that is accepted costs {cost:g}: by the best thresholds "
        f"{found.cost_of_best:g}, always accepting {found.cost_of_always:g}, always reviewing "
        f"{found.cost_of_never:g}."
    )
    if not found.pays:
        yield "This judge is no better than one that always says the same. Leave the decision to"
        yield "evidence: JUDGE_WHEN = undecided, and give examples."
    else:
        best = ", ".join(f"{name} = {value}" for name, value in _settings_of(found).items())
        yield f"Best thresholds: {best}"
    if found.auroc is not None and found.auroc < NO_BETTER:
        yield f"It can hardly tell right from wrong (AUROC below {NO_BETTER})."


def _settings_of(found: "Calibration") -> dict[str, float]:
    """The best thresholds, by the names of the settings."""
    if not isinstance(found.best, tuple):
        return {"JUDGE_YES_THRESHOLD": found.best}
    confidence, conflict = found.best
    return {
        "ESCALATION_CONFIDENCE_THRESHOLD": confidence,
        "ESCALATION_CONFLICT_THRESHOLD": conflict,
    }


def _share(share: "Share") -> str:
    return f"{share.k} of {share.of} ({share.low:.0%}-{share.high:.0%})"


def _write(found: "Calibration") -> None:
    """Only what is founded: too few drafts or a judge that does not pay change nothing."""
    from config import ConfigError, config_path
    from server.runtime.config_file import write_values

    if not found.enough or not found.pays:
        fail("Nothing was written: see above.", RUN_FAILED)
    try:
        write_values(config_path(), _settings_of(found))
    except (ConfigError, OSError) as error:
        fail(str(error), RUN_FAILED)
    say(f"Written: {config_path()}")
