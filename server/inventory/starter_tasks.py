"""What `local/starter` knows: the list of tasks that comes with its weights."""

import json
import random
from dataclasses import dataclass

from pipeline.models.starter import DIRECTORY

TASKS = DIRECTORY / "tasks.json"


@dataclass(frozen=True, slots=True)
class StarterTask:
    """One task: `does` completes "The code …"; `example` is a request that it answered well when
    it was measured, or None."""

    name: str
    does: str
    topic: str
    languages: tuple[str, ...]
    example: str | None

    def mentions(self, word: str) -> bool:
        """Whether a word is anywhere in what is known of the task, in either case."""
        texts = (self.name, self.does, self.topic, *self.languages, self.example or "")
        return word.casefold() in " ".join(texts).casefold()


def load_tasks() -> list[StarterTask]:
    """All tasks, those of a topic together."""
    found = json.loads(TASKS.read_text("utf-8"))
    return [StarterTask(**each | {"languages": tuple(each["languages"])}) for each in found]


def example(name: str = "") -> str:
    """The example request of a task, or of one chosen at random. Raises KeyError for a name that is
    not there, or has no example."""
    examples = {task.name: task.example for task in load_tasks() if task.example}
    return examples[name or random.choice(list(examples))]
