"""Starting the programs of a project in the sandbox, with nothing given to them."""

import asyncio
import re
from collections.abc import Iterator

from pipeline import sandbox
from pipeline.projects.fault import Fault
from pipeline.projects.project import Project
from pipeline.projects.project_runner import python_needs
from pipeline.run import Run
from pipeline.sandbox import Limits, Outcome, SandboxUnavailable

# What is wrong whatever a program is given.
_ALWAYS = {"NameError", "UnboundLocalError", "AttributeError", "SyntaxError", "IndentationError"}
# What is wrong where it needs to be given nothing; not what a sandbox may lack.
_OTHERWISE = {"TypeError", "ValueError", "KeyError", "IndexError", "AssertionError"}
_OTHERWISE |= {"ZeroDivisionError", "RecursionError", "ImportError"}
_FRAME = re.compile(r'^  File "(?:/tmp/program/|\./)?([^"]+)", line (\d+)', re.MULTILINE)
_RAISED = re.compile(r"^([A-Za-z_][\w.]*)(?:: (.*))?$")


async def start_faults(run: Run, project: Project, round: int) -> list[Fault]:
    """What programs in Python raise at once, and those that ask for input though the request says
    that they are given arguments. One that waits or serves is right."""
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
    limits = Limits.of_calls(run.settings)
    return await sandbox.run(dict(project.texts), ["python", "-B", path], limits)


def _faults(project: Project, path: str, outcome: Outcome) -> Iterator[Fault]:
    """At most one."""
    if outcome.ended != "exited" or not outcome.exit:
        return
    said = outcome.stderr.strip().splitlines() or [outcome.stdout.strip()]
    raised = _RAISED.match(said[-1]) if "Traceback" in outcome.stderr else None
    given = path in project.manifest.given
    kind = raised[1] if raised else ""
    place, line = _place(project, path, outcome)
    if kind == "EOFError" and given:
        yield Fault(path, "start", "it asks for input; what it is given stands in sys.argv", line)
    elif kind in _ALWAYS or (kind in _OTHERWISE and not given):
        yield Fault(place, "start", f"started, {path} ends with {said[-1][:200]}", line)
    elif not raised and not given:
        yield Fault(path, "start", f"started without arguments it ends with: {said[-1][:200]}")


def _place(project: Project, path: str, outcome: Outcome) -> tuple[str, int | None]:
    """The innermost line of the project's on the way to what was raised."""
    frames = [(name, int(line)) for name, line in _FRAME.findall(outcome.stderr)]
    ours = [(name, line) for name, line in frames if name in project.texts]
    return ours[-1] if ours else (path, None)
