"""Tools that a caller offers, and a model's calls of them.

A tool is the caller's: laios carries what the model wants of it back to the caller and runs none.
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson

from pipeline.control_tokens import BrokenTokens, TokenMender
from pipeline.errors import ModelFailed


@dataclass(frozen=True, slots=True)
class Tool:
    """`parameters` is a JSON Schema of an object."""

    name: str
    description: str
    parameters: Mapping[str, Any]

    def as_json(self) -> dict[str, Any]:
        """In OpenAI's form, which Ollama, llama.cpp and litellm take as well."""
        function = {
            "name": self.name,
            "description": self.description,
            "parameters": dict(self.parameters),
        }
        return {"type": "function", "function": function}


@dataclass(frozen=True, slots=True)
class Toolbox:
    """What a model may call; with `required` it has to call one. `parallel`: several in one
    answer."""

    tools: tuple[Tool, ...] = ()
    required: bool = False
    parallel: bool = True

    def __bool__(self) -> bool:
        return bool(self.tools)

    def as_json(self) -> list[dict[str, Any]]:
        return [tool.as_json() for tool in self.tools]

    @property
    def text(self) -> str:
        """All of it as a prompt holds it; "" for an empty one."""
        return orjson.dumps(self.as_json()).decode() if self.tools else ""


NO_TOOLS = Toolbox()


@dataclass(frozen=True, slots=True)
class ToolCall:
    """`arguments` is JSON text as the model wrote it; nobody has looked whether it is whole."""

    id: str
    name: str
    arguments: str

    def values(self) -> dict[str, Any] | None:
        """The arguments, or None where they are no JSON object."""
        try:
            found = orjson.loads(self.arguments)
        except ValueError:
            return None
        return found if isinstance(found, dict) else None

    def as_json(self) -> dict[str, str]:
        return {"id": self.id, "name": self.name, "arguments": self.arguments}


@dataclass(frozen=True, slots=True)
class CallPiece:
    """A piece of an answer's call number `index`, from 0: the first one has the name (and the id,
    where the backend gives one), each a part of the arguments."""

    index: int
    arguments: str = ""
    id: str = ""
    name: str = ""


@dataclass(slots=True)
class _Open:
    id: str
    name: str
    mender: TokenMender
    arguments: list[str] = field(default_factory=list)


def as_openai(call: ToolCall | CallPiece) -> dict[str, Any]:
    """A call, or the first piece of one, as a chat completion has it."""
    function = {"name": call.name, "arguments": call.arguments}
    return {"id": call.id, "type": "function", "function": function}


class CallCollector:
    """The calls of one answer while their pieces arrive, one call after the other. `broken` are the
    control tokens that the arguments have to have whole. Without `parallel` the first call is the
    only one: Ollama cannot be told so, and models do not always keep to it."""

    def __init__(self, broken: BrokenTokens, *, parallel: bool = True) -> None:
        self._broken = broken
        self._parallel = parallel
        self._calls: dict[int, _Open] = {}

    def take(self, piece: CallPiece) -> list[CallPiece]:
        """The pieces that can go on now: a call's first one has an id of its own, and a call that
        is over has arguments. Raises ModelFailed for a call without a name, and for a piece of one
        that was over."""
        if self._calls and not self._parallel and piece.index not in self._calls:
            return []
        if piece.index in self._calls:
            if piece.index != self._last:
                raise ModelFailed("The model went back to a tool call that it had ended.")
            return self._more(piece.index, piece.arguments)
        if not piece.name:
            raise ModelFailed("The model began a tool call without saying which tool it calls.")
        ended = self.end()
        taken = {each.id for each in self._calls.values()}
        fresh = piece.id if piece.id and piece.id not in taken else new_call_id()
        self._calls[piece.index] = _Open(fresh, piece.name, TokenMender(self._broken))
        first = CallPiece(piece.index, "", fresh, piece.name)
        return [*ended, first, *self._more(piece.index, piece.arguments)]

    def end(self) -> list[CallPiece]:
        """The last piece of the call that is under way. Clients read arguments as JSON: a call
        without any has {}."""
        if not self._calls:
            return []
        call = self._calls[self._last]
        rest = call.mender.rest()
        return self._add(self._last, rest if rest or call.arguments else "{}")

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        calls = self._calls.values()
        return tuple(ToolCall(call.id, call.name, "".join(call.arguments)) for call in calls)

    @property
    def _last(self) -> int:
        return next(reversed(self._calls))

    def _more(self, index: int, arguments: str) -> list[CallPiece]:
        return self._add(index, self._calls[index].mender.mend(arguments))

    def _add(self, index: int, arguments: str) -> list[CallPiece]:
        if not arguments:
            return []
        self._calls[index].arguments.append(arguments)
        return [CallPiece(index, arguments)]


def new_call_id() -> str:
    return f"call_{secrets.token_hex(12)}"
