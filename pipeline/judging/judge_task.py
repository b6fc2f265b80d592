"""The task of a judgement."""

from dataclasses import dataclass

from pipeline.task import Task


@dataclass(frozen=True, slots=True)
class JudgeTask(Task):
    """`prompt` is what the code should do, `tests` are Python tests that it has to pass, "" for
    none."""

    code: str = ""
    tests: str = ""

    @property
    def request(self) -> str:
        if not self.tests:
            return self.prompt
        return f"{self.prompt}\n\nTests that it has to pass:\n{self.tests}"

    @property
    def material(self) -> str:
        return f"{self.request}\n{self.code}"
