"""Tools that a caller offers, and a model's calls of them.

A tool is the caller's: laios carries what the model wants of it back to the caller and runs none.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

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
    arguments: list[str] = field(default_factory=list)


class CallCollector:
    """The calls of one answer while their pieces arrive."""

    def __init__(self) -> None:
        self._calls: dict[int, _Open] = {}

    def take(self, piece: CallPiece) -> CallPiece:
        """The piece as it goes on: a call's first one always has an id of its own. Raises
        ModelFailed for a call without a name."""
        call = self._calls.get(piece.index)
        if call is not None:
            call.arguments.append(piece.arguments)
            return CallPiece(piece.index, piece.arguments)
        if not piece.name:
            raise ModelFailed("The model began a tool call without saying which tool it calls.")
        taken = {each.id for each in self._calls.values()}
        fresh = piece.id if piece.id and piece.id not in taken else new_call_id()
        self._calls[piece.index] = _Open(fresh, piece.name, [piece.arguments])
        return CallPiece(piece.index, piece.arguments, fresh, piece.name)

    def missing(self) -> Sequence[CallPiece]:
        """At the end: the arguments of those calls that have none. Clients read them as JSON."""
        empty = [index for index, call in self._calls.items() if not "".join(call.arguments)]
        return [self.take(CallPiece(index, "{}")) for index in empty]

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        ordered = (self._calls[index] for index in sorted(self._calls))
        return tuple(ToolCall(call.id, call.name, "".join(call.arguments)) for call in ordered)


def new_call_id() -> str:
    return f"call_{secrets.token_hex(12)}"
