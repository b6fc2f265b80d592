"""Starting the programs of a project in the sandbox: with nothing given to them, and as the
request shows."""

import asyncio
import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from pipeline import sandbox
from pipeline.projects.entry_points import has_default, named_options, shown_commands
from pipeline.projects.fault import Fault
from pipeline.projects.project import Project
from pipeline.projects.python_module import dotted_names, packages_of
from pipeline.run import Run
from pipeline.sandbox import Limits, Outcome, SandboxUnavailable

# What is wrong whatever a program is given.
_ALWAYS = {"NameError", "UnboundLocalError", "AttributeError", "SyntaxError", "IndentationError"}
# What is wrong where it needs to be given nothing; not what a sandbox may lack.
_OTHERWISE = {"TypeError", "ValueError", "KeyError", "IndexError", "AssertionError"}
_OTHERWISE |= {"ZeroDivisionError", "RecursionError"}
_READS = re.compile(r"\b(?:argv|argparse|stdin|environ|getenv|input)\b")
_FRAME = re.compile(r'^  File "(?:/tmp/program/|\./)?([^"\n]+)", line (\d+)', re.MULTILINE)
_RAISED = re.compile(r"^([A-Za-z_]\w*)(?::.*)?$", re.MULTILINE)


_NUMBER = "12"  # what an option is given; which ones take none is not known
# What argparse says of arguments that a program was not written for, not of their values.
_OTHER_ARGUMENTS = ("unrecognized arguments", "invalid choice", "arguments are required")


async def start_faults(run: Run, request: str, project: Project, round: int) -> list[Fault]:
    """What programs in Python raise at once, those that ask for input though the request says that
    they are given arguments, and those that say how they are used where they are given what the
    request shows. One that waits or serves is right."""
    known = [path for path in project.manifest.programs if path in project.texts]
    programs = [path for path in known if path.endswith(".py")]
    if not programs:
        return []
    found: list[Fault] = []
    with run.step("sandbox", "programs", round) as step:
        for path in programs:
            try:
                found += [*await _of_program(run, request, project, path)][:1]
            except SandboxUnavailable:
                step.note = "not run: there is no sandbox"
                return []
        step.note = f"{len(programs)} started, {len(found)} end with an error"
    return found


async def _of_program(run: Run, request: str, project: Project, path: str) -> list[Fault]:
    given_nothing = await _start(run, project, path, ())
    found = [*_faults(project, path, given_nothing, path in project.manifest.given)]
    if await asyncio.to_thread(has_default, path, request):
        found += _of_usage(path, given_nothing, "")
    if given_nothing.ended != "exited":  # it waits, or serves
        return found
    for option in await asyncio.to_thread(named_options, path, request):
        outcome = await _start(run, project, path, (option, _NUMBER))
        found += _takes_it_for_a_value(path, option, outcome)
    for words in await asyncio.to_thread(shown_commands, path, request):
        outcome = await _start(run, project, path, words)
        found += _faults(project, path, outcome, asks=False)
        found += _of_usage(path, outcome, shlex.join(words))
    return found


async def _start(run: Run, project: Project, path: str, words: Sequence[str]) -> Outcome:
    """As a file, or as a module of the package that it is in."""
    texts = project.texts
    packages = packages_of(texts)
    is_module = str(PurePosixPath(path).parent) in packages
    way = ["-m", dotted_names(path, packages)[0]] if is_module else [path]
    command = ["python", "-B", *way, *words]
    return await sandbox.run(dict(texts), command, Limits.of_calls(run.settings))


def _of_usage(path: str, outcome: Outcome, words: str) -> Iterator[Fault]:
    said = f"{outcome.stdout}\n{outcome.stderr}"
    name = re.escape(path.rpartition("/")[2])
    asks = "" if words else r"|^please (?:enter|give|pass|provide|specify|supply)\b"
    usage = rf"^ {{0,4}}usage\b[^\n]*{name}{asks}"
    is_usage = re.search(usage, said, re.IGNORECASE | re.MULTILINE)
    is_of_value = "error:" in said and not any(each in said for each in _OTHER_ARGUMENTS)
    if outcome.ended == "exited" and is_usage and not is_of_value:
        how = f"with `{words}`" if words else "without arguments, although they have defaults"
        yield Fault(path, "run", f"started {how}, it only prints its usage")


def _takes_it_for_a_value(path: str, option: str, outcome: Outcome) -> Iterator[Fault]:
    """As a program does that looks at nothing but the place of what it is given."""
    said = outcome.stderr.rstrip().rpartition("\n")[2]
    if outcome.ended == "exited" and _RAISED.match(said) and f"'{option}'" in said:
        yield Fault(path, "run", f"started with `{option} {_NUMBER}`, it ends with {said[:200]}")


def _faults(project: Project, path: str, outcome: Outcome, asks: bool) -> Iterator[Fault]:
    """At most one. `asks`: that it asks for input is one."""
    _, traceback, said = outcome.stderr.rpartition("Traceback (most recent call last):\n")
    raised = _RAISED.search(said) if traceback and outcome.ended == "exited" else None
    if not raised:
        return
    reads = any(_READS.search(text) for text in project.texts.values())
    place, line = _place(project, path, said)
    if raised[1] == "EOFError" and asks:
        yield Fault(path, "run", "it asks for input; what it is given stands in sys.argv")
    elif raised[1] in _ALWAYS or (raised[1] in _OTHERWISE and not reads):
        yield Fault(place, "run", f"started, {path} ends with {raised[0][:200]}", line)


def _place(project: Project, path: str, said: str) -> tuple[str, int | None]:
    """The innermost line of the project's on the way to what was raised."""
    frames = [(name, int(line)) for name, line in _FRAME.findall(said)]
    ours = [(name, line) for name, line in frames if name in project.texts]
    return ours[-1] if ours else (path, None)
