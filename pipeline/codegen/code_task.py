"""What a code generation takes: a task in one language."""

import re
from dataclasses import dataclass, replace
from typing import Any

from laios.types.code_generation import RequestType
from pipeline.analysis.languages import title
from pipeline.codegen.contract import CodeRequest
from pipeline.codegen.request_types import KINDS, RequestKind
from pipeline.exchange import Exchange
from pipeline.review.original_comparison import Original
from pipeline.task import Task

_TESTS = re.compile(r"\b(unit ?|unit-)?tests?\b", re.IGNORECASE)
# What is wanted begins another clause: "no globals, with tests", "do not recurse and add tests".
_WANTED = (
    r"(?:,|\band|\bbut|\bplus|[-–:]) *(?:(?:also|please|then|instead) )?"
    r"(?:with|add|write|include|provide|create|generate|give|have)\b"
)
_NO_TESTS = re.compile(
    rf"\b(no|not|without|never|don.?t)\b(?:(?!{_WANTED})[^.;\n])*\btests?\b", re.IGNORECASE
)

CODER = """\
You are the coder of an automated pipeline. Your answer is saved to a file and used as it is.
Output ONLY {language} code: no explanations, no greeting, no Markdown fences.
{rules}
Do what the request asks and nothing beyond it. If it names a function, class or file, use exactly \
that. Say what has to be said to the reader in short comments inside the code."""
_RESEMBLING = (
    "Requests that were solved before and resemble this one; take from them what fits and nothing "
    "else:"
)


@dataclass(frozen=True, slots=True)
class CodeTask(Task):
    """A code generation in one language. `prompt` is its instruction alone, `context` the earlier
    solved requests that resemble it. `most_drafts`: where the caller allows fewer than the
    settings."""

    request_type: RequestType = "generate"
    code: str = ""
    tests: str = ""
    constraints: tuple[str, ...] = ()
    language_version: str = ""
    framework: str = ""
    attempts: int = 1
    most_drafts: int | None = None
    wanted_confidence: float = 0.0

    @property
    def kind(self) -> RequestKind:
        return KINDS[self.request_type]

    @property
    def spoken(self) -> str:
        """The language's name, never None here."""
        return self.language or "python"

    @property
    def original(self) -> Original:
        language = "bash" if self.spoken == "shell" else self.spoken
        return Original(self.code, language, self.prompt)

    @property
    def request(self) -> str:
        language = f"{title(self.spoken)} {self.language_version}".strip()
        parts = [
            self.prompt,
            f"What is wanted: {self.kind.goal}",
            f"Language: {language}",
            f"Framework: {self.framework}" if self.framework else "",
            "\n".join(["Constraints:", *(f"- {each}" for each in self.constraints)])
            if self.constraints
            else "",
            f"The code:\n{self.code}" if self.code else "",
            f"Tests that it has to pass:\n{self.tests}" if self.tests else "",
        ]
        return "\n\n".join(part for part in parts if part)

    @property
    def talk(self) -> tuple[Exchange, ...]:
        return ()  # requests that resemble this one

    @property
    def asked(self) -> str:
        if not self.context:
            return self.request
        return f"{_RESEMBLING}\n\n{self.context}\n\nThe request:\n{self.request}"

    @property
    def coder_rules(self) -> str:
        return CODER.format(language=title(self.spoken), rules=self.kind.rules)

    @property
    def wants_tests(self) -> bool:
        """Whether tests are to be written besides the code: new code, and a constraint asks."""
        return self.request_type == "generate" and any(
            _TESTS.search(each) and not _NO_TESTS.search(each) for each in self.constraints
        )

    @property
    def wants_opinion(self) -> bool:
        """Whether running the code cannot tell all that is asked for: constraints, and how good
        comments, tests and a new structure are."""
        kind = self.kind
        return bool(self.constraints) or kind.keeps_results or not kind.writes_program

    def for_tests(self) -> "CodeTask":
        """The same as a request for tests alone."""
        return replace(self, request_type="test")

    @property
    def rubric(self) -> str:
        return self.kind.rubric

    def as_json(self) -> dict[str, Any]:
        """What was asked for, by the contract's names; the instruction is the record's prompt."""
        fields: dict[str, Any] = {
            "request_type": self.request_type,
            "language": self.language,
            "code": self.code,
            "tests": self.tests,
            "constraints": list(self.constraints),
            "language_version": self.language_version,
            "framework": self.framework,
        }
        if self.attempts > 1:
            fields |= {"max_attempts": self.attempts, "min_confidence": self.wanted_confidence}
        return {name: value for name, value in fields.items() if value}


def task_of(asked: CodeRequest, language: str) -> CodeTask:
    return CodeTask(
        prompt=asked.instruction,
        language=language,
        request_type=asked.request_type,
        code=asked.code or "",
        tests=asked.tests or "",
        constraints=asked.constraints,
        language_version=asked.language_version or "",
        framework=asked.framework or "",
        attempts=asked.attempts,
        most_drafts=asked.max_attempts,
        wanted_confidence=asked.wanted_confidence,
    )
