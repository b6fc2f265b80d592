"""A model that answers from a file: the whole daemon without a model, for trying out and testing.

`scripted/replies.json` names a file with a list of rules; the first that fits a call answers it:

    [{"role": "coder", "prompt": "add", "reply": "def add(a, b):\\n    return a + b"},
     {"role": "judge", "verdict": [9, 1, "It is right."]},
     {"role": "judge", "fault": "unreachable"},
     {"reply": "pass", "delay_ms": 50, "chunk": 4, "finish_reason": "length"}]

role, prompt   the call's role, and a regular expression searched in each of its messages and in the
               whole conversation ("user: …", "assistant: …"); none: any
reply          the text, or a list of texts: one a call, the last one for good
verdict        short for a judge's JSON: confidence, conflict, summary
yes            short for a judge's word: the probability of yes, 0 to 1; the rest is that of no
thinking       text that arrives as thinking before the reply
delay_ms       before the first piece, and pause_ms between pieces of `chunk` characters
calls          tool calls: {"name", "arguments"}, the arguments an object or any text
times          how often the rule can be used; none: always
finish_reason  stop (default) or length
fault          unreachable, busy, not_found, failed, too_long, hang, cut (no last frame)
"""

import asyncio
import json
import re
from collections.abc import AsyncGenerator, Sequence
from math import log
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from pipeline.errors import (
    ContextTooLong,
    LaiosError,
    ModelBusy,
    ModelFailed,
    ModelNotFound,
    ModelUnreachable,
)
from pipeline.model import GENERAL, Call, Delta, End, Facts, Frame
from pipeline.tokens import estimate, estimate_messages
from pipeline.tool_calls import CallPiece

FAULTS: dict[str, type[LaiosError]] = {
    "unreachable": ModelUnreachable,
    "busy": ModelBusy,
    "not_found": ModelNotFound,
    "failed": ModelFailed,
    "too_long": ContextTooLong,
}


class ScriptedCall(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: str
    arguments: dict[str, Any] | str = {}

    @property
    def text(self) -> str:
        return self.arguments if isinstance(self.arguments, str) else json.dumps(self.arguments)


class Rule(BaseModel):
    model_config = ConfigDict(extra="forbid")

    role: str | None = None
    prompt: str | None = None
    reply: str | list[str] = ""
    verdict: tuple[Any, Any, Any] | None = None
    yes: float | None = Field(None, gt=0, lt=1)
    thinking: str = ""
    calls: list[ScriptedCall] = []
    delay_ms: float = 0
    pause_ms: float = 0
    chunk: int = 0
    times: int | None = None
    finish_reason: Literal["stop", "length"] = "stop"
    fault: (
        Literal["unreachable", "busy", "not_found", "failed", "too_long", "hang", "cut"] | None
    ) = None
    used: int = 0

    def fits(self, call: Call) -> bool:
        if self.role not in (None, call.role) or self.used == self.times:
            return False
        if self.yes is not None and call.logprobs is None:
            return False
        if self.prompt is None:
            return True
        texts = [message["content"] for message in call.messages]
        whole = "\n\n".join(f"{each['role']}: {each['content']}" for each in call.messages)
        return any(re.search(self.prompt, text) for text in (*texts, whole))

    def text(self, stop: Sequence[str]) -> str:
        """The text for this use, up to what ends it."""
        text = self._whole()
        return text[: min((at for each in stop if (at := text.find(each)) >= 0), default=None)]

    @property
    def logprobs(self) -> list[dict[str, Any]]:
        """Of a judge's word, in OpenAI's form."""
        if self.yes is None:
            return []
        shares = {"Yes": self.yes, "No": 1 - self.yes}
        likely = [{"token": each, "logprob": log(share)} for each, share in shares.items()]
        return [{"top_logprobs": likely}]

    def _whole(self) -> str:
        if self.yes is not None:
            return "Yes" if self.yes >= 0.5 else "No"
        if self.verdict:
            keys = ("confidence_score", "conflict_score", "judgement_summary")
            return json.dumps(dict(zip(keys, self.verdict, strict=True)))
        if isinstance(self.reply, str):
            return self.reply
        return self.reply[min(self.used, len(self.reply)) - 1]


async def _pieces(rule: Rule) -> AsyncGenerator[Delta, None]:
    """The calls, their arguments cut as the text is."""
    for index, call in enumerate(rule.calls):
        yield Delta(calls=[CallPiece(index, name=call.name)])
        size = rule.chunk or max(1, len(call.text))
        for start in range(0, len(call.text), size):
            await asyncio.sleep(rule.pause_ms / 1000)
            yield Delta(calls=[CallPiece(index, call.text[start : start + size])])


class ScriptedModel:
    """The model behind `scripted/<file>`."""

    profile = GENERAL
    roles = None
    shares_memory = False
    scored_tokens = 1  # a judge's word

    def __init__(self, name: str) -> None:
        self.name = name
        self._path = Path(name.partition("/")[2])
        self._rules: list[Rule] | None = None

    async def stream(self, call: Call) -> AsyncGenerator[Frame, None]:
        rule = next((rule for rule in self._load() if rule.fits(call)), None)
        if rule is None:
            raise ModelFailed(f"{self._path} has no rule for this {call.role} call.")
        rule.used += 1
        await asyncio.sleep(rule.delay_ms / 1000)
        if rule.fault == "hang":
            await asyncio.Event().wait()
        if rule.fault in FAULTS:
            raise FAULTS[rule.fault](f"{self.name} was told to be {rule.fault}.")
        if rule.thinking:
            yield Delta(thinking=rule.thinking)
        text = rule.text(call.stop)
        size = rule.chunk or max(1, len(text))
        for start in range(0, len(text), size):
            if start:
                await asyncio.sleep(rule.pause_ms / 1000)
            yield Delta(text[start : start + size], logprobs=rule.logprobs)
        async for piece in _pieces(rule):
            yield piece
        if rule.fault != "cut":
            yield End(rule.finish_reason, estimate_messages(call.messages), estimate(text), 0.0)

    async def facts(self) -> Facts:
        self._load()
        return Facts(takes_tools=True, takes_images=False)

    def _load(self) -> list[Rule]:
        if self._rules is None:
            try:
                self._rules = TypeAdapter(list[Rule]).validate_json(self._path.read_bytes())
            except FileNotFoundError:
                raise ModelNotFound(f"There is no file {self._path} for {self.name}.") from None
            except OSError as error:
                raise ModelFailed(f"{self._path} cannot be read: {error.strerror}.") from None
            except ValidationError as error:
                first = error.errors(include_url=False)[0]
                where = "".join(f"[{part!r}]" for part in first["loc"])
                raise ModelFailed(
                    f"{self._path} cannot be used as a script: {first['msg']} {where}".rstrip()
                ) from None
        return self._rules
