"""Starting the programs of a project in the sandbox, with nothing given to them."""

import asyncio
import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from pipeline import sandbox
from pipeline.projects.fault import Fault
from pipeline.projects.project import Project
from pipeline.projects.project_runner import python_needs
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


async def start_faults(run: Run, project: Project, round: int) -> list[Fault]:
    """What programs in Python raise at once, and those that ask for input though the request says
    that they are given arguments. One that waits, serves, or says how it is used is right."""
    known = [path for path in project.manifest.programs if path in project.texts]
    programs = [path for path in known if path.endswith(".py")]
    lacks = await asyncio.to_thread(python_needs, project) if programs else ""
    if not programs or lacks:
        return []
    found: list[Fault] = []
    with run.step("sandbox", "programs", round) as step:
        for path in programs:
            try:
                found += _faults(project, path, await _start(run, project, path))
            except SandboxUnavailable:
                step.note = "not run: there is no sandbox"
                return []
        step.note = f"{len(programs)} started, {len(found)} end with an error"
    return found


async def _start(run: Run, project: Project, path: str) -> Outcome:
    """As a file, or as a module of the package that it is in."""
    texts = project.texts
    packages = packages_of(texts)
    is_module = str(PurePosixPath(path).parent) in packages
    way = ["-m", dotted_names(path, packages)[0]] if is_module else [path]
    return await sandbox.run(dict(texts), ["python", "-B", *way], Limits.of_calls(run.settings))


def _faults(project: Project, path: str, outcome: Outcome) -> Iterator[Fault]:
    """At most one."""
    _, traceback, said = outcome.stderr.rpartition("Traceback (most recent call last):\n")
    raised = _RAISED.search(said) if traceback and outcome.ended == "exited" else None
    if not raised:
        return
    reads = any(_READS.search(text) for text in project.texts.values())
    place, line = _place(project, path, said)
    if raised[1] == "EOFError" and path in project.manifest.given:
        yield Fault(path, "run", "it asks for input; what it is given stands in sys.argv")
    elif raised[1] in _ALWAYS or (raised[1] in _OTHERWISE and not reads):
        yield Fault(place, "run", f"started, {path} ends with {raised[0][:200]}", line)


def _place(project: Project, path: str, said: str) -> tuple[str, int | None]:
    """The innermost line of the project's on the way to what was raised."""
    frames = [(name, int(line)) for name, line in _FRAME.findall(said)]
    ours = [(name, line) for name, line in frames if name in project.texts]
    return ours[-1] if ours else (path, None)
