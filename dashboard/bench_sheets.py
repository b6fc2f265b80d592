"""Results of `laios bench` → what its page shows: the arms of one problem set and its models side
by side, and which problems each has right. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property

from dashboard.templating import url
from dashboard.timeline_rows import path_part, short_model
from history.bench_results import ResultRow
from history.bench_summary import BASE, ArmSummary, latest, models_of, summarise

MOST_PROBLEMS = 1000  # on a page
MOST_ARMS, MOST_SHEETS = 12, 40
_LONGEST = 80  # characters of a name
_WITHOUT = "-"  # at the end of a problem's id: its examples were taken out


@dataclass(frozen=True, slots=True)
class ProblemCell:
    """One problem in one arm: `state` is right, wrong or none; `href` leads to the run."""

    state: str
    href: str
    title: str


@dataclass(frozen=True, slots=True)
class ProblemRow:
    name: str
    cells: list[ProblemCell]

    @property
    def differs(self) -> bool:
        return {"right", "wrong"} <= {cell.state for cell in self.cells}


@dataclass(frozen=True)
class Sheet:
    """The results of one problem set with one set of models: `rows` are the newest ones of each
    arm, `left_out` says how many older ones, of other code or settings, there are."""

    problems: str
    models: str
    rows: Sequence[ResultRow]
    left_out: int

    @cached_property
    def arms(self) -> list[ArmSummary]:
        """Raw first: the others are held against it."""
        return sorted(summarise(self.rows), key=lambda each: each.arm != BASE)[:MOST_ARMS]

    @property
    def title(self) -> str:
        return self.problems[:_LONGEST]

    @property
    def model(self) -> str:
        """The models as short as they are told apart."""
        names = self.models.split(", ")
        return ", ".join(dict.fromkeys(short_model(name)[-_LONGEST:] for name in names))

    @property
    def engine(self) -> str:
        """What ran them and how they are quantised, as far as the results say it."""
        said = [each for arm in self.arms for each in (arm.engine, arm.quantization)]
        return ", ".join(dict.fromkeys(filter(None, said)))[:_LONGEST]

    @property
    def href(self) -> str:
        return url("/dashboard/bench", set=self.problems, models=self.models)

    @property
    def measured(self) -> str:
        """The newest day, "" where none is said."""
        return max((str(row.get("at", ""))[:10] for row in self.rows), default="")

    @property
    def runs(self) -> set[str]:
        """The ids of the runs, as far as they are on record."""
        return {run for row in self.rows if isinstance(run := row.get("run"), str)}


def sheets_of(rows: Iterable[ResultRow]) -> list[Sheet]:
    """That with the newest result first, however many there are."""
    groups: dict[tuple[str, str], list[ResultRow]] = {}
    for row in rows:
        key = set_of(row["problem"]), models_of(row)
        found = groups.pop(key, [])  # put back at the end: the newest is the last
        groups[key] = found
        found.append(row)
    made = []
    for (problems, models), found in reversed(groups.items()):
        newest = latest(found)
        made.append(Sheet(problems, models, newest, len(found) - len(newest)))
    return made


def set_of(problem: str) -> str:
    """`HumanEval/3` → `HumanEval`; those whose examples were taken out are a set of their own."""
    name = problem.partition("/")[0] if "/" in problem else "problems without a set"
    return f"{name}, without examples" if problem.endswith(_WITHOUT) else name


def problem_rows(sheet: Sheet, known: AbstractSet[str]) -> list[ProblemRow]:
    """A row for each problem, in the order in which they were measured; `known` are the ids of the
    runs that are in the history."""
    found: dict[str, dict[str, ResultRow]] = {}
    for row in sheet.rows:
        found.setdefault(row["problem"], {})[row["arm"]] = row
    names = [each.arm for each in sheet.arms]
    return [
        ProblemRow(
            (problem.partition("/")[2] or problem).removesuffix(_WITHOUT)[:_LONGEST],
            [_cell(problem, arm, by_arm.get(arm), known) for arm in names],
        )
        for problem, by_arm in found.items()
    ]


def _cell(problem: str, arm: str, row: ResultRow | None, known: AbstractSet[str]) -> ProblemCell:
    if row is None:
        return ProblemCell("none", "", f"{problem[:_LONGEST]}, {arm[:_LONGEST]}: not run")
    state = "right" if row["passed"] else "wrong"
    return ProblemCell(state, _run_href(row, known), _words(problem, arm, row, state))


def _run_href(row: Mapping[str, object], known: AbstractSet[str]) -> str:
    run = row.get("run")
    return f"/dashboard/runs/{path_part(run)}" if isinstance(run, str) and run in known else ""


def _words(problem: str, arm: str, row: ResultRow, state: str) -> str:
    told = [state, f"{row['calls']:g} calls", f"{row['seconds']:.1f} s"]
    told += [row["error"][:_LONGEST]] if row["error"] else []
    return f"{problem[:_LONGEST]}, {arm[:_LONGEST]}: {', '.join(told)}"
