"""Problems with hidden tests: our own, and files in the formats of HumanEval and MBPP.

HumanEval (Chen et al. 2021, arXiv 2107.03374): `task_id`, `prompt` (the beginning of a program),
`entry_point`, `test` (defines `check(candidate)`). MBPP (Austin et al. 2021, arXiv 2108.07732):
`task_id`, `text` or `prompt`, `code`, `test_list`. Both as lines of JSON or, as MBPP's sanitized
problems come, as one array, gzipped or not. Ours have HumanEval's keys, a prompt in words, and
`area` and `examples`; those in compiled languages `language`, and `test` in that language or `runs`
(`compiled_tests.py`).
"""

import ast
import builtins
import gzip
import json
import random
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

from pipeline.analysis.python_syntax import parse
from pipeline.sandbox import Case
from pipeline.sandbox.compilers import COMPILERS
from pipeline.testcases.examples.example_search import find_examples

BUILTIN = Path(__file__).with_name("problems.jsonl")
NAMED = {"humaneval": "HumanEval", "mbpp": "mbpp"}  # what people call them → in their files' names
_COMPILED = (*COMPILERS, "typescript")  # or run without its types
UNFINISHED = "Complete this function. Give the whole program, with its imports.\n\n"


class ProblemsError(Exception):
    """The file is not there or holds no problems. The message says what to do."""


@dataclass(frozen=True, slots=True)
class Problem:
    """`prompt` is what the model is asked, `test` a source that defines `check(candidate)` and is
    never shown. `entry_point`: the name of what it is given; "" for the program's whole text.
    `language`: that of test and answer. `runs`: what a whole program is given, and prints then.
    Raises ValueError for what cannot be asked or checked."""

    id: str
    prompt: str
    entry_point: str
    test: str
    language: str = "python"
    runs: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        texts = (self.prompt, self.entry_point, self.test, *chain(*self.runs))
        if not all(isinstance(each, str) for each in texts):
            raise ValueError(f"{self.id}: what is asked and what checks it have to be text")
        if not self.prompt.strip():
            raise ValueError(f"{self.id}: nothing is asked")
        if not (self.test.strip() or self.runs):
            raise ValueError(f"{self.id}: nothing checks it")
        "".join((self.id, *texts)).encode()  # half a character can be neither sent nor kept


def read_problems(path: Path) -> list[Problem]:
    """Raises ProblemsError."""
    try:
        data = path.read_bytes()
        text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8-sig")
        problems = [_problem(row) for row in _rows(text)]
    except (OSError, EOFError, zlib.error) as error:
        why = getattr(error, "strerror", None) or error
        raise ProblemsError(f"{path} cannot be read: {why}.") from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        why = f"{error}" or type(error).__name__
        raise ProblemsError(
            f"{path} is not a file of problems ({why:.100}). It has to be in HumanEval's or MBPP's "
            "format: one JSON object per line, or one array of them."
        ) from error
    if not problems:
        raise ProblemsError(f"{path} has no problems in it.")
    return problems


def _rows(text: str) -> list[Any]:
    if text.lstrip().startswith("["):
        return list(json.loads(text))
    return [json.loads(line) for line in text.split("\n") if line.strip()]


def find(name: str, directory: Path) -> Path:
    """The file that a person means: a path, `laios` for ours, or a known set's name for a file in
    `directory`. Raises ProblemsError."""
    if name == "laios":
        return BUILTIN
    if name not in NAMED:
        return Path(name)
    found = sorted(directory.glob(f"*{NAMED[name]}*.json*"))
    if not found:
        raise ProblemsError(
            f"{NAMED[name]}'s problems do not come with laios. Put the file {NAMED[name]}.jsonl "
            f"(or .jsonl.gz) into {directory}, or name it by its path."
        )
    return found[0]


def chosen(problems: Sequence[Problem], limit: int | None, seed: int | None) -> list[Problem]:
    """The first ones; with a seed, as many drawn by it. In their order either way."""
    if limit is None or limit >= len(problems):
        return list(problems)
    if seed is None:
        return list(problems[:limit])
    numbers = random.Random(seed).sample(range(len(problems)), limit)
    return [problems[number] for number in sorted(numbers)]


def _problem(row: Mapping[str, Any]) -> Problem:
    if "test_list" in row:
        return _mbpp(row)
    if (language := row.get("language") or "python") != "python":
        if language not in _COMPILED:
            raise ValueError(f"tests in {language!r} cannot be run")
        runs = tuple((given, printed) for given, printed in row.get("runs", ()))
        test = row.get("test", "") if runs else row["test"]
        return Problem(str(row["task_id"]), row["prompt"], "", test, language, runs)
    prompt, name, test = row["prompt"], row["entry_point"], row["test"]
    if "check" not in test:
        raise ValueError(f"{row['task_id']}: its test defines no check(candidate)")
    if f"def {name}(" in prompt:
        prompt = UNFINISHED + prompt
    return Problem(str(row["task_id"]), prompt, name, test)


def _mbpp(row: Mapping[str, Any]) -> Problem:
    """Its prompt names no function, so the first test is shown, as is usual; the others are
    hidden."""
    first, *hidden = row["test_list"]
    name = _tested_name(first, row.get("code") or "")
    text = row.get("text") or row["prompt"]
    body = "\n".join([*row.get("test_imports", ()), row.get("test_setup_code", ""), first, *hidden])
    # Not indented: a string in it may have lines of its own.
    test = f"def check(candidate):\n    exec({body!r}, {{**globals()}})\n"
    return Problem(f"mbpp/{row['task_id']}", "\n\n".join((text, first)), name, test)


def _tested_name(test: str, solution: str) -> str:
    """The function that an assert calls and that the solution defines, which may have a builtin's
    name; without a solution the outermost one that is no builtin. Raises ValueError for none."""
    tree = parse(test)
    called = [
        node.func.id
        for node in (ast.walk(tree) if tree else ())
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    ]
    own = [name for name in called if f"def {name}" in solution]
    own += [name for name in called if not hasattr(builtins, name) and name != "isclose"]
    if not own:
        raise ValueError(f"no function is called in {test!r}")
    return own[0]


_SESSION = re.compile(r"^\s*>>>")
_PROGRAM = re.compile(r"\bdef |\"\"\"|'''")
_SIGN = "==|=>|->|➞|→"
_GIVES = re.compile(
    rf"{_SIGN}|\breturns?\b|\bshould\b|\bgives?\b|\bis [\[({{\"'\d-]", re.IGNORECASE
)
_HEADING = re.compile(
    r"^\s*(for )?(some )?examples?\b.*:?\s*$|^\s*(it must be )?e\.?g\.?:?\s*$", re.IGNORECASE
)


def without_examples(problems: Iterable[Problem]) -> list[Problem]:
    """The problems with their examples taken out of the prompt; those are left out of which nothing
    would be asked then."""
    prompts = ((each, _without_examples(each)) for each in problems)
    return [replace(each, id=f"{each.id}-", prompt=left) for each, left in prompts if left.strip()]


def _without_examples(problem: Problem) -> str:
    """Without sessions with what they print, lines that give a call its result, headings over them;
    and what examples are left with the paragraph in which they stand, in a docstring with their
    lines."""
    prompt = _without_example_lines(problem)
    between = "\n" if _PROGRAM.search(prompt) else "\n\n"
    parts = prompt.split(between)
    for number in range(len(parts) - 1, 0, -1):
        left = [*parts[:number], *parts[number + 1 :]]
        fewer = len(_examples(between.join(left))) < len(_examples(between.join(parts)))
        if fewer and not _PROGRAM.search(parts[number]):
            parts = left
    return between.join(parts)


def _examples(prompt: str) -> Sequence[Case]:
    """What is to be for an empty list is part of what is asked."""
    return [case for case in find_examples(prompt).cases if not case.is_of_nothing]


def _without_example_lines(problem: Problem) -> str:
    name = re.escape(problem.entry_point)
    with_literals = re.compile(rf"{name}\((?=[\"'\[({{\d.+-]|(?:True|False|None)\b)")
    with_words = re.compile(rf"{name}\(\w+\)\s*(?:{_SIGN})\s*(?:True|False|None)\b")
    kept, in_session = [], False
    for line in problem.prompt.split("\n"):
        if _SESSION.match(line):
            in_session = True
            continue
        if in_session and line.strip() and '"""' not in line and "'''" not in line:
            continue
        in_session = False
        stated = with_words.search(line) or (with_literals.search(line) and _GIVES.search(line))
        checked = line.startswith("assert ") and f"{problem.entry_point}(" in line
        if _HEADING.match(line) or checked or (stated and "def " not in line):
            continue
        kept.append(line)
    return "\n".join(kept)


def numbered(problems: Iterable[Problem]) -> dict[str, Problem]:
    """By id. Raises ProblemsError for one that stands twice."""
    found: dict[str, Problem] = {}
    for problem in problems:
        if problem.id in found:
            raise ProblemsError(f"The problem {problem.id} appears twice.")
        found[problem.id] = problem
    return found
