"""Writing the files of a project: in the order of what they use, side by side where they can be."""

import asyncio
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from pipeline.analysis.missing_imports import with_missing_imports
from pipeline.errors import (
    ContextTooLong,
    LaiosError,
    ModelError,
    ModelNotFound,
    ModelUnreachable,
    RunTimeout,
)
from pipeline.model_answer import Answer
from pipeline.projects.fault import Fault, fault_lines
from pipeline.projects.file_brief import FileBrief
from pipeline.projects.file_content import file_text, syntax_error
from pipeline.projects.file_writer import file_question
from pipeline.projects.manifest import Manifest, PlannedFile
from pipeline.projects.own_imports import own_imports, with_own_imports
from pipeline.projects.package_file import package_text
from pipeline.projects.project import Project
from pipeline.projects.reply_end import before_next_file, whole_tests
from pipeline.projects.signatures import signatures
from pipeline.projects.write_order import in_turn, waits_for
from pipeline.run import Run
from pipeline.small_models import is_small
from pipeline.task import Task

ATTEMPTS = 2  # at a file in a round
MAX_OFFERED = 24_000  # characters of signatures in a prompt
_EMPTY = {"__init__.py", "py.typed", ".gitkeep", ".keep", ".nojekyll"}
_HOPELESS = (ModelUnreachable, ModelNotFound, RunTimeout)  # for every further file as well


@dataclass(frozen=True, slots=True)
class _Written:
    """A file's text, or None; `fault` is what is wrong with it, "" for nothing that is known.
    `too_long`: the prompt for it was."""

    text: str | None
    fault: str = ""
    too_long: bool = False


class Construction:
    """The files of one plan, as far as models write them. `first_error` is what a backend raised
    first."""

    def __init__(self, run: Run, task: Task, manifest: Manifest) -> None:
        self._run, self._task, self._manifest = run, task, manifest
        self._order = in_turn(manifest) if is_small(run.model_name("coder")) else ()
        before = {path: self._order[:place] for place, path in enumerate(self._order)}
        self._waits = before or waits_for(manifest)
        promised = (name for plan in manifest.files for name in plan.promised)
        modules = (word for path in manifest.paths for word in re.split(r"[/.]", path))
        self._own_names = frozenset([*promised, *modules])
        self._turn = asyncio.Semaphore(run.calls_at_a_time)
        self._hopeless: LaiosError | None = None
        self.first_error: LaiosError | None = None

    async def write(self) -> Project:
        """Writes every file once. A file that cannot be had does not keep the others from being
        written: those that use it see the plan alone."""
        done: dict[str, asyncio.Task[None]] = {}
        texts: dict[str, str] = {}
        failed: dict[str, str] = {}

        async def one(plan: PlannedFile) -> None:
            before = [done[path] for path in self._waits[plan.path]]
            if before:
                await asyncio.wait(before)
            written = await self._write(await self._brief(plan, texts), 1, texts)
            if written.text is None:
                failed[plan.path] = written.fault
            else:
                texts[plan.path] = written.text

        async with asyncio.TaskGroup() as group:
            # A task begins after this loop, so that those that it waits for are all there.
            for plan in self._manifest.files:
                done[plan.path] = group.create_task(one(plan))
        return await self._linked(Project(self._manifest, {}, failed).with_texts(texts))

    async def revise(self, project: Project, faults: Sequence[Fault], round: int) -> Project:
        """Gives its faults back to each file; those that become no better stay as they are."""
        lines = fault_lines(faults, project.texts)
        complaints = {path: "\n".join(found) for path, found in lines.items()}
        return await self._rewrite(project, complaints, round)

    async def draw(self, project: Project, paths: Iterable[str], round: int) -> Project:
        """Has files written again, varied, without a look at them and their faults."""
        return await self._rewrite(project, dict.fromkeys(paths, ""), round)

    async def review(self, project: Project, complaints: Mapping[str, str], whole: str) -> Project:
        """Has the reviewer go over files, each with the `whole` before it. Raises what a backend
        raised if it had none of them."""
        self._hopeless = None
        reviewed = await self._rewrite(project, complaints, 1, whole=whole)
        if self.first_error and reviewed.texts == project.texts:
            raise self.first_error
        return reviewed

    async def _rewrite(
        self, project: Project, complaints: Mapping[str, str], round: int, *, whole: str = ""
    ) -> Project:
        """With a `whole` it is the reviewer who writes."""
        fresh: dict[str, str] = {}
        self.first_error = None

        async def one(path: str, complaint: str) -> None:
            plan, texts = self._manifest[path], {**project.texts, **fresh}
            if whole:
                brief = FileBrief(self._task, self._manifest, plan, whole=whole, review=True)
            else:
                brief = await self._brief(plan, texts, complaint)
            shown = bool(complaint or whole)
            before = project.texts.get(path) if shown else None
            brief = replace(brief, before=before, complaint=complaint, varied=not shown)
            written = await self._write(brief, round, texts)
            known = project.texts.get(path, "")
            broken = written.fault and not await asyncio.to_thread(syntax_error, known, path)
            if written.text is not None and not (broken and path in project.texts):
                fresh[path] = written.text

        if self._order and not whole:  # each sees what became of those before it
            for path in sorted(complaints, key=self._order.index):
                await one(path, complaints[path])
        else:
            async with asyncio.TaskGroup() as group:
                for path, complaint in complaints.items():
                    group.create_task(one(path, complaint))
        return await self._linked(project.with_texts(fresh))

    async def _brief(
        self, plan: PlannedFile, texts: Mapping[str, str], complaint: str = ""
    ) -> FileBrief:
        """What is known of the files that it uses: all of those before it, or the signatures of
        those that the plan or a complaint names."""
        waits = self._waits[plan.path]
        if self._order:
            earlier = {path: texts[path] for path in waits if texts.get(path)}
            return FileBrief(self._task, self._manifest, plan, order=self._order, earlier=earlier)
        named = [path for path in texts if path in complaint and path not in (plan.path, *waits)]
        near = [path for path in (*waits, *named) if path in texts]
        return FileBrief(self._task, self._manifest, plan, await self._offered(texts, near))

    async def _shortened(self, brief: FileBrief) -> FileBrief:
        """The same file, asked for with the signatures of the earlier ones in place of these."""
        offered = await self._offered(brief.earlier, brief.earlier)
        return replace(brief, order=(), earlier={}, offered=offered)

    async def _linked(self, project: Project) -> Project:
        """With the imports of its own files that were forgotten; the record says which."""
        lines = await asyncio.to_thread(own_imports, project.texts)
        if not lines:
            return project
        with self._run.step("checks", "imports put in") as step:
            step.note = "; ".join(f"{path}: {', '.join(lines[path])}" for path in lines)
        return project.with_texts(await asyncio.to_thread(with_own_imports, project.texts, lines))

    async def _offered(self, texts: Mapping[str, str], paths: Iterable[str]) -> str:
        return (await asyncio.to_thread(signatures, texts, paths))[:MAX_OFFERED]

    # --- one file ------------------------------------------------------------------------------

    async def _write(self, brief: FileBrief, round: int, texts: Mapping[str, str]) -> _Written:
        path = brief.plan.path
        if brief.before is None and _born_empty(brief.plan):
            return _Written("")
        if path.endswith("__init__.py") and not brief.complaint:
            text = await asyncio.to_thread(package_text, brief.plan, texts)
            if text:
                return _Written(text)
        async with self._turn:
            self._tell(path, "started", round)
            written = await self._attempts(brief, round)
        self._tell(path, "failed" if written.text is None else "done", round)
        return written

    async def _attempts(self, brief: FileBrief, round: int) -> _Written:
        """The best of two attempts: the second is told what is wrong with the first, or where files
        are asked for in turn, varied or shortened. Not by `ask_code`, which only tells, and drops
        a text that has a fault."""
        best = _Written(None, "it was not asked for")
        told = brief
        for _ in range(ATTEMPTS):
            if self._hopeless:
                return best if best.text else _Written(None, self._hopeless.message)
            written = await self._attempt(told, round)
            if not written.fault:
                return written
            if best.text is None or written.text is not None:
                best = written
            if brief.order:
                short = written.too_long and await self._shortened(brief)
                told = short or replace(brief, varied=True)
                continue
            complaint = f"{brief.complaint}\nThe last answer could not be used: {written.fault}"
            before = written.text or brief.before
            told = replace(brief, complaint=complaint.strip(), before=before)
            if written.too_long:
                told = replace(told, offered="", whole="")
        return best

    async def _attempt(self, brief: FileBrief, round: int) -> _Written:
        path = brief.plan.path
        number = self._manifest.paths.index(path) + 1
        label = f"file {number}" if self._run.request.no_log else path
        try:
            most = self._run.settings.MAX_OUTPUT_TOKENS
            answer = await self._run.ask(file_question(brief, label, round, most))
        except (ModelError, ContextTooLong) as error:
            self.first_error = self.first_error or error
            if isinstance(error, _HOPELESS):
                self._hopeless = error
            return _Written(None, error.message, isinstance(error, ContextTooLong))
        text, put_in, fault = await asyncio.to_thread(
            self._read, answer.text, path, tests_alone=answer.truncated
        )
        if answer.truncated:
            if not (text and brief.plan.file_type == "test" and path.endswith(".py")):
                return _unusable(answer, "it was cut off by the token limit")
            answer.used_as(text)
            answer.step.note = "cut off: the tests before that are kept"
            return _Written(text)
        if not text.strip() and path.rpartition("/")[2] not in _EMPTY:
            return _unusable(answer, "it is empty")
        answer.used_as(text, put_in)
        return _Written(text, fault)

    def _read(self, reply: str, path: str, *, tests_alone: bool) -> tuple[str, list[str], str]:
        """The file's text, with the imports of the standard library that it forgot; these; and what
        its syntax has against it. A long one takes its time. `tests_alone`: the tests in it that
        are whole."""
        text, put_in = file_text(reply, path, self._manifest.paths), list[str]()
        text = before_next_file(text, path, self._manifest.paths)
        text = whole_tests(text) if tests_alone else text
        if path.endswith(".py"):
            text, put_in = with_missing_imports(text, self._own_names)
        return text, put_in, syntax_error(text, path) or ""

    def _tell(self, path: str, state: str, round: int) -> None:
        self._run.emit("file", path=path, state=state, round=round, total=len(self._manifest.files))


def _unusable(answer: Answer, fault: str) -> _Written:
    answer.unusable(fault, "unusable")
    return _Written(None, fault)


def _born_empty(plan: PlannedFile) -> bool:
    """Files that mark a directory: nothing is in them, so that no model is asked."""
    return plan.path.rpartition("/")[2] in _EMPTY and not (plan.exports or plan.depends_on)
