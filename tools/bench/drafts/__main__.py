"""What choosing among drafts and judging them is worth, on drafts that were executed (the tables of
docs/studies.md); each command goes on where it was stopped:

python -m tools.bench.drafts draw --model FILE.gguf --problems FILE --results drafts.jsonl
python -m tools.bench.drafts tests --drafts drafts.jsonl --results tests.jsonl
python -m tools.bench.drafts choose --drafts drafts.jsonl --tests tests.jsonl
python -m tools.bench.drafts judge --drafts drafts.jsonl --model FILE.gguf --form FORM
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from config import Settings, load_settings
from history.bench_results import ResultFile
from laios.errors import LaiosError
from pipeline.models.llama_cpp import EngineError
from server.benchmark.problems import (
    ProblemsError,
    chosen,
    numbered,
    read_problems,
    without_examples,
)
from server.benchmark.run_settings import with_model
from tools.bench.drafts import choose, judge
from tools.bench.drafts.draw import draw
from tools.bench.drafts.executed import Executed, read_executed, same_length
from tools.bench.drafts.written_tests import ask_tests, read_held
from tools.bench.figures import circumstances

DRAFTS = Path(".cache/bench/drafts/drafts.jsonl")
TESTS = Path(".cache/bench/drafts/tests.jsonl")
JUDGED = Path(".cache/bench/drafts/judged.jsonl")
GGUF = ".gguf"


def main(words: Sequence[str] | None = None) -> None:
    given = _options().parse_args(words)
    print(circumstances(), file=sys.stderr)
    try:
        given.command(given, load_settings())
    except (LaiosError, ProblemsError, EngineError) as error:
        raise SystemExit(str(error)) from error
    except KeyboardInterrupt:
        raise SystemExit("Stopped. The same command goes on.") from None


def _options() -> argparse.ArgumentParser:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = options.add_subparsers(required=True)
    one = commands.add_parser("draw", help="draw drafts and execute each")
    one.add_argument("--model", required=True, help="a GGUF file, or a model's name")
    one.add_argument("--problems", type=Path, required=True, help="as `laios bench` reads them")
    one.add_argument("--without-examples", action="store_true", help="out of the prompts")
    one.add_argument(
        "--varied",
        type=int,
        default=4,
        choices=range(1, 17),
        metavar="N",
        help="beside the greedy one",
    )
    one.add_argument("--limit", type=int, metavar="N", help="the first N problems")
    one.add_argument("--results", type=Path, default=DRAFTS, metavar="FILE")
    one.set_defaults(command=_draw)
    one = commands.add_parser("tests", help="have the model write tests, and run them")
    one.add_argument("--drafts", type=Path, default=DRAFTS, metavar="FILE")
    one.add_argument("--model", help="a GGUF file, or a model's name; else who wrote the drafts")
    one.add_argument("--results", type=Path, default=TESTS, metavar="FILE")
    one.set_defaults(command=_tests)
    one = commands.add_parser("choose", help="replay the rules of choosing; asks no model")
    one.add_argument("--drafts", type=Path, default=DRAFTS, metavar="FILE")
    one.add_argument("--tests", type=Path, metavar="FILE", help="those of the command of that name")
    one.add_argument("--json", action="store_true")
    one.set_defaults(command=_choose)
    one = commands.add_parser("judge", help="ask a judge about each draft")
    one.add_argument("--drafts", type=Path, default=DRAFTS, metavar="FILE")
    one.add_argument("--model", type=Path, metavar="FILE", help="the judge, a GGUF file")
    one.add_argument("--form", choices=judge.FORMS, default="scores")
    one.add_argument("--results", type=Path, default=JUDGED, metavar="FILE")
    one.add_argument("--table", type=Path, metavar="FILE", help="ask nothing, show these results")
    one.add_argument("--json", action="store_true")
    one.set_defaults(command=_judge)
    return options


def _draw(given: argparse.Namespace, settings: Settings) -> None:
    problems = chosen(read_problems(given.problems.expanduser()), given.limit, None)
    if given.without_examples:
        problems = without_examples(problems)
    asked = list(numbered(problems).values())
    asyncio.run(
        draw(
            with_model(settings, _named(given.model)),
            asked,
            given.varied,
            ResultFile(given.results),
        )
    )


def _named(model: str) -> str:
    """A file as the settings name it."""
    return f"local/{Path(model).expanduser().absolute()}" if model.endswith(GGUF) else model


def _tests(given: argparse.Namespace, settings: Settings) -> None:
    for model, problems in _drawn(given.drafts).items():
        by = _named(given.model) if given.model else model
        asyncio.run(ask_tests(with_model(settings, by), problems, ResultFile(given.results)))


def _choose(given: argparse.Namespace, settings: Settings) -> None:
    held = read_held(given.tests) if given.tests else {}
    for model, problems in _drawn(given.drafts).items():
        whole = same_length(problems)
        if len(whole[0]) == 1:
            raise SystemExit(f"{model}: there are no further drafts to choose from.")
        every = asyncio.run(choose.compare_all(settings, whole, held))
        if given.json:
            rows = {"rules": choose.rule_rows(every), "trust": choose.trust_rows(every)}
            print(json.dumps({"model": model, "problems": len(every), **rows}))
            continue
        left_out = (
            f"; {len(problems) - len(whole)} have fewer" if len(whole) < len(problems) else ""
        )
        print(f"{Path(model).name}, {len(whole)} problems, {len(whole[0])} drafts each{left_out}")
        print(f"\n{choose.tables(every)}\n")


def _drawn(path: Path) -> dict[str, list[list[Executed]]]:
    found = read_executed(path)
    if not found:
        raise SystemExit(f"There are no drafts in {path}: draw some first.")
    return found


def _judge(given: argparse.Namespace, settings: Settings) -> None:
    file = ResultFile(given.table or given.results)
    if not given.table:
        if given.model is None:
            raise SystemExit("judge: name the judge with --model, or results with --table")
        problems = [each for of in _drawn(given.drafts).values() for each in of]
        if given.form == judge.WITH_FACTS:
            every = asyncio.run(choose.compare_all(settings, problems))
        else:
            every = [choose.Compared(drafts) for drafts in problems]
        judge.judge(settings, given.model.expanduser(), given.form, every, file)
    rows = judge.judge_rows(file)
    print(json.dumps(rows) if given.json else judge.table(rows))


if __name__ == "__main__":
    main()
