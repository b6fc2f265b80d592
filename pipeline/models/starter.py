"""The model that ships with laios: `local/starter`, trained from scratch on its own templates.

It knows a documented list of small tasks (see the model card beside the weights) and nothing else:
it is there so that laios works before a real model is installed, and for tests.
"""

import re
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

from pipeline.errors import GeneralModelNeeded
from pipeline.model import Call, Facts, Frame, Message, Profile
from pipeline.model_residence import LoadedModel, StoredModel
from pipeline.models.local import Engine, LocalModel
from pipeline.models.starter_note import with_command
from pipeline.task import Task

STARTER = "local/starter"
DIRECTORY = Path(__file__).with_name("starter")
WEIGHTS = {"coder": "coder.gguf", "judge": "critic.gguf", "reviewer": "critic.gguf"}

SEARCHED = 20_000  # characters of a prompt: no example that matters stands behind them
LONGEST_EXCHANGE = 1000  # characters; the weights have seen none that is longer

_EXAMPLE = re.compile(
    r"(?P<name>(?<![\w.])[A-Za-z_]\w*)\([^\n]{0,200}?\) *(?:==|->|→|returns?\b)"
    r"|(?:>>>|\bassert) *(?P<checked>[A-Za-z_]\w*)?|\bInput *:|^\|",
    re.MULTILINE,
)
_JOINTS = " \t\n,.:;-–("
_NAMED = re.compile(r"\b(?:called|named?|call it|def)\b|`", re.IGNORECASE)


def write_coder(task: Task) -> list[Message]:
    return [_user(_asked(task))]


def write_judge(task: Task, draft: str) -> list[Message]:
    return [_user(f"JUDGE\n{_asked(task)}\n---\n{draft}")]


def write_reviewer(task: Task, draft: str, reason: str) -> list[Message]:
    return [_user(f"REVIEW\n{_asked(task)}\n---\n{reason}\n---\n{draft}")]


def _asked(task: Task) -> str:
    """The request, after the newest of the exchanges before it: "call it add_all"."""
    request = _without_examples(task.prompt)
    before = str(task.exchanges[-1]).rstrip() if task.exchanges else ""
    if not 0 < len(before) <= LONGEST_EXCHANGE:
        return request
    return f"{before}\n---\n{request}"


def _without_examples(prompt: str) -> str:
    """What stands before the first example (else the words of the name that it calls), and that
    name. The weights have seen examples, but short ones and few: without any they pass more of
    `tools/bench/problems.jsonl` (20 of 32, not 16)."""
    example = _EXAMPLE.search(prompt, 0, SEARCHED)
    if not example:
        return prompt
    name = example["name"] or example["checked"] or ""
    words = prompt[: example.start()].rstrip(_JOINTS) or name.replace("_", " ")
    if not words:
        return prompt
    return f"{words}, called {name}" if name and not _NAMED.search(words) else words


def _user(content: str) -> Message:
    return {"role": "user", "content": content}


# The weights are trained on exactly these strings: a change here needs a new training.
PROFILE = Profile(
    writers={"coder": write_coder, "judge": write_judge, "reviewer": write_reviewer},
    instruction_tokens=160,
)


class StarterModel:
    """One name with different weights for different roles."""

    name = STARTER
    profile: Profile = PROFILE
    roles: frozenset[str] | None = frozenset(WEIGHTS)
    shares_memory = True

    def __init__(self, engine: Engine) -> None:
        files = {file: LocalModel(STARTER, engine, DIRECTORY / file) for file in WEIGHTS.values()}
        self._models = {role: files[file] for role, file in WEIGHTS.items()}

    async def stream(self, call: Call) -> AsyncGenerator[Frame, None]:
        """Greedy unless the call says otherwise: sampling makes a model this small worse."""
        model = self._models.get(call.role)
        if model is None:
            raise GeneralModelNeeded(STARTER)
        answer = with_command(model.stream(replace(call, temperature=call.temperature or 0.0)))
        async with aclosing(answer):
            async for frame in answer:
                yield frame

    async def facts(self) -> Facts:
        """The window is that of the weights with the shorter one."""
        facts = [await model.facts() for model in self._models.values()]
        shortest = min((f.context_length for f in facts if f.context_length), default=None)
        return Facts(shortest, takes_tools=False, takes_images=False)

    async def stored(self) -> StoredModel | None:
        """All of its weights."""
        found = [each for model in set(self._models.values()) if (each := await model.stored())]
        newest = max((each.modified_at for each in found), default=None)
        return StoredModel(sum(each.size for each in found), newest) if newest else None

    async def loaded(self) -> dict[str, LoadedModel]:
        """As many of its weights as are loaded, as one model."""
        rows = [
            row for model in set(self._models.values()) for row in (await model.loaded()).values()
        ]
        if not rows:
            return {}
        windows = [row.context for row in rows if row.context]
        size, until = sum(row.size for row in rows), rows[0].expires_at
        return {STARTER: LoadedModel(STARTER, size, 0, max(windows, default=None), until)}
