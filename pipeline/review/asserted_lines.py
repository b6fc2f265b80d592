"""The assertions of a request in C, C++ and Rust, run as they stand below a draft: each by itself,
so that one that fails hides no other, and all in their order."""

import asyncio
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from pipeline.analysis.compilable import wholes
from pipeline.analysis.draft import Draft, DraftSource
from pipeline.analysis.evidence import Finding
from pipeline.analysis.syntax_process import Unread
from pipeline.review.called_examples import HOLD, with_called_examples
from pipeline.review.compiled_calls import runs_of_driver
from pipeline.run import Run
from pipeline.sandbox import ANY_VALUE, Arguments, Case, CaseResult
from pipeline.task import Task
from pipeline.testcases.chance import depends_on_chance
from pipeline.testcases.driver_parts import MARK, switch
from pipeline.testcases.examples.assert_statements import (
    AssertBlock,
    AssertStatement,
    assert_blocks,
    count_asserts,
)
from pipeline.testcases.examples.braced_definitions import defines
from pipeline.testcases.rust_driver import rust_program
from pipeline.testcases.suite import Suite
from pipeline.testcases.surroundings import is_of_surroundings

_SHOWN = 120  # characters
_KIND = r"\b(?:struct|enum|trait|class|macro_rules!|#[ \t]*define)\s+{0}\b"
_GIVES_TEXT = re.compile(r"\bchar\b[ \t]*(?:const[ \t]*)?\*|\bauto[ \t]+\w+\(")
_NO_END = "it does not end"
_PLACE = re.compile(r"^\w+: (?:panicked at \S+ |\S+: \S+:\d+: .*?: (?=Assertion))?")
_OF_RUST = """::std::panic::set_hook(::std::boxed::Box::new(|laios| {
  ::std::eprintln!("{}", laios.to_string().replace('\\n', " "));
}));
"""
_ENDS = """::std::println!("\\x02");
if ::std::env::args().count() > 1 { ::std::process::exit(0); }
"""
_MACRO = re.compile(r"^(?=assert)", re.MULTILINE)
_ASSERT = re.compile(r"^(?:std::)?assert(\(.*?\));$", re.MULTILINE | re.DOTALL)
_OF_C = """
#undef NDEBUG
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
"""


@dataclass(frozen=True, slots=True)
class _Run:
    """The assertion that ends it, None for all that are exact in their order; all that is done;
    and what would come then, by which Rust knows the types."""

    asked: AssertStatement | None
    code: str
    rest: str = ""

    @property
    def decides(self) -> bool:
        """Whether it tells more than those that run in their order."""
        return self.asked is None or not self.asked.is_exact


async def with_compiled_examples(
    run: Run, task: Task, draft: Draft, source: DraftSource, suite: Suite
) -> Draft:
    """The draft with what came of the request's assertions, and of its other examples where these
    do not fail. Raises SandboxUnavailable."""
    draft = await _with_asserted_lines(run, task, draft, source)
    count = count_asserts(draft.language or "", task.prompt)
    if draft.fault or (draft.decided and len(suite.cases) <= count):
        return draft  # the cases are the same ones
    return await with_called_examples(run, task, draft, source, suite)


async def _with_asserted_lines(run: Run, task: Task, draft: Draft, source: DraftSource) -> Draft:
    """The draft with those of the request's assertions that fail; decided, where all hold. As it
    is, where the request has none, or they are not for what it defines. Raises
    SandboxUnavailable."""
    language = draft.language or ""
    blocks = await asyncio.to_thread(assert_blocks, language, task.prompt)
    asked = [each for each in blocks if await asyncio.to_thread(_is_asked_of, each, draft)]
    if not asked or depends_on_chance(draft.text, language):
        return draft
    with run.step("sandbox", "evidence") as step:
        told = await _told(run, task, draft, asked)
        failed = [each for block, came in told for each in _failing(block, came, draft)]
        is_all = len(told) == len(blocks) and all(
            not block.is_unread and _all_hold(block, came) for block, came in told
        )
        step.note = f"{len(failed)} of the request's assertions fail"
    if failed:
        findings = tuple(
            Finding(source, "example", f"the example {code[:_SHOWN]} fails", said)
            for code, said in failed
        )
        return replace(draft, findings=findings)
    return replace(draft, decided=HOLD) if is_all else draft


def _all_hold(block: AssertBlock, came: Sequence[CaseResult]) -> bool:
    pairs = zip(_runs(block), came, strict=True)
    return all(_holds(result) for each, result in pairs if each.decides or block.is_session)


def _is_asked_of(block: AssertBlock, draft: Draft) -> bool:
    """Whether the draft defines something that stands in it; and no texts are compared by where
    they are, nor is a part of what goes together unknown."""
    if block.is_session and block.is_unread:
        return False
    is_of_c = draft.language == "c" or (draft.language == "cpp" and _GIVES_TEXT.search(draft.text))
    if is_of_c and any(each.compares_texts for each in block.statements):
        return False
    return any(
        defines(name, draft.text) or re.search(_KIND.format(re.escape(name)), draft.text)
        for name in block.names
    )


async def _told(
    run: Run, task: Task, draft: Draft, blocks: Sequence[AssertBlock]
) -> list[tuple[AssertBlock, Sequence[CaseResult]]]:
    """What came of each block's runs; [] where they cannot be built below the draft."""
    language = draft.language or ""
    runs = [each for block in blocks for each in _runs(block)]
    cases = [Case(Arguments(), ANY_VALUE, name=f"assertion {n}") for n in range(len(runs))]
    with suppress(TimeoutError, Unread):
        async with asyncio.timeout_at(run.deadline):
            for text in await asyncio.to_thread(wholes, language, draft.text, task.prompt):
                made = (text, _driver(language, runs))
                came = await runs_of_driver(run, language, made, cases)
                if not any(each.came == "unusable" for each in came):
                    results = iter(came)
                    return [(each, [next(results) for _ in _runs(each)]) for each in blocks]
    return []


def _runs(block: AssertBlock) -> Iterator[_Run]:
    """Of a session the statements up to each assertion; else each by itself, and those that are
    exact one after another, as the code may count how often it is called."""
    codes = [each.code for each in block.statements]
    for n, each in enumerate(block.statements, 1):
        if block.is_session and each.is_assert:
            yield _Run(each, "\n".join(codes[:n]), "\n".join(codes[n:]))
        elif each.is_assert:
            yield _Run(each, each.code)
    if not block.is_session:
        yield _Run(None, "\n".join(each.code for each in block.statements if each.is_exact))


def _driver(language: str, runs: Sequence[_Run]) -> str:
    """Prints MARK where it comes to its end."""
    if language == "rust":
        codes = (f"{each.code}\n{_ENDS}{each.rest}" for each in runs)
        return rust_program("", [f"{_OF_RUST}{_MACRO.sub('::std::', code)}" for code in codes])
    codes = (_ASSERT.sub(r"assert(\1);", each.code) for each in runs)
    arms = switch((f'{code}\nputs("\\002");' for code in codes), "switch (atoi(laios[1]))")
    return f"{_OF_C}int main(int count, char **laios) {{\n{arms}\nreturn 0;\n}}\n"


def _failing(
    block: AssertBlock, came: Sequence[CaseResult], draft: Draft
) -> Iterator[tuple[str, str]]:
    """The assertions that fail, with what was said."""
    pairs = list(zip(_runs(block), came, strict=True))
    failed = [(each, result) for each, result in pairs if not _holds(result)]
    if block.is_session:
        failed = failed[:1]  # what comes later may follow from it
    elif not failed or failed[-1][0].asked:
        return  # in their order they hold
    elif len(failed) > 1:
        failed = failed[:-1]
    for each, result in failed:
        is_known = each.asked is None or each.asked.is_exact
        if is_known and _fails(result, draft):
            code = " ".join((each.asked.code if each.asked else each.code).split())
            said = _PLACE.sub("", result.error)
            yield code, "it does not hold" if said.startswith("Assertion") else said


def _holds(result: CaseResult) -> bool:
    return result.came == "printed" and MARK in str(result.value) and not result.ended


def _fails(result: CaseResult, draft: Draft) -> bool:
    """Not of what takes long, and of what a sandbox lacks."""
    if result.came != "raised" or _NO_END in result.error:
        return False
    return not is_of_surroundings(set(result.raised), result.error, draft.text)
