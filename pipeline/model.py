"""The model protocol: a call, its reply, and what a backend has to offer.

A backend is one class with `stream` and `facts`; everything that holds for every backend (deadline,
answer cap, one retry, empty and broken answers) is in `model_call.py` and comes for free.
"""

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NotRequired, Protocol, TypedDict, runtime_checkable

from pipeline.control_tokens import BrokenTokens
from pipeline.image import Image
from pipeline.tool_calls import NO_TOOLS, CallPiece, Toolbox, ToolCall


class Message(TypedDict):
    """`calls` are an assistant's; the role `tool` says what came of the call `result_of`. `images`
    are a user's, or what a tool has read."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    calls: NotRequired[Sequence[ToolCall]]
    result_of: NotRequired[ToolCall]
    images: NotRequired[Sequence[Image]]


@dataclass(frozen=True, slots=True)
class Call:
    """One request to a model.

    `role` is the stage's part (coder, judge, …): a model that has different weights for different
    parts picks by it. `context_tokens` is the window (Ollama's num_ctx), prompt and answer
    together; `max_tokens` caps the answer, thinking included. `schema` is a JSON Schema that the
    answer has to fit. `temperature` and `think`: None leaves the model's own default. `broken` are
    the control tokens of the prompt that the answer has to have whole. `tools` are those that the
    model may call. `logprobs`: how many alternatives to each token are wanted with their
    probabilities (None: no probabilities at all). `headers` go with it where the backend is called
    over HTTP. `begun`: how the answer begins, which is the last message too; the model writes what
    comes after it. `stop`: the answer ends before any of these texts.
    """

    role: str
    messages: Sequence[Message]
    context_tokens: int
    max_tokens: int
    temperature: float | None = None
    schema: Mapping[str, Any] | None = None
    think: bool | None = None
    keep_alive: str | None = None
    broken: BrokenTokens = field(default_factory=BrokenTokens)
    tools: Toolbox = NO_TOOLS
    logprobs: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    begun: str = ""
    stop: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of the answer as it arrives; `logprobs` are its tokens' in OpenAI's shape."""

    text: str = ""
    thinking: str = ""
    calls: Sequence[CallPiece] = ()
    logprobs: Sequence[Mapping[str, Any]] = ()


@dataclass(frozen=True, slots=True)
class End:
    """The backend's own last frame. A stream without one was cut and is a failure. `repetition`:
    the backend stopped a model that gave the same token over and over.

    Counts are tokens, `cached_tokens` those of the prompt that were not read anew, `load_ms` is the
    time that the model took to load for this call; None where the backend does not say.
    """

    finish_reason: Literal["stop", "length", "repetition"]
    prompt_tokens: int | None = None
    output_tokens: int | None = None
    load_ms: float | None = None
    cached_tokens: int | None = None


Frame = Delta | End


@dataclass(frozen=True, slots=True)
class Reply:
    """A complete answer with what it cost. Times are milliseconds from the call's start. One that
    finished by `repetition` was stopped by us; `text` is what came before it said the same over
    and over."""

    text: str
    thinking: str
    finish_reason: Literal["stop", "length", "repetition"]
    prompt_tokens: int | None
    output_tokens: int | None
    load_ms: float | None
    first_token_ms: float | None
    duration_ms: float
    cached_tokens: int | None = None
    calls: tuple[ToolCall, ...] = ()
    logprobs: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Facts:
    """What a backend knows of a model. `context_length` is its trained window in tokens,
    `control_tokens` what its vocabulary or its chat template has of them
    (`pipeline/control_tokens.py`). `takes_tools`: whether it can call tools, `takes_images`:
    whether it sees pictures, None where the backend does not say. `has_chat_template`: whether a
    system message reaches it. `goes_on`: whether it goes on where a last message of its own
    ends, without losing anything (a model that thinks would not think)."""

    context_length: int | None = None
    control_tokens: frozenset[str] = frozenset()
    takes_tools: bool | None = None
    takes_images: bool | None = None
    has_chat_template: bool = True
    goes_on: bool = False


PromptWriter = Callable[..., list[Message]]


@dataclass(frozen=True, slots=True)
class Profile:
    """How a model wants its prompts: writers by role, in place of the stages' general ones.

    `instruction_tokens`: room for a stage's own instructions and a draft's overhead, kept free of
    earlier requests.
    """

    writers: Mapping[str, PromptWriter] = field(default_factory=dict)
    instruction_tokens: int = 1024


GENERAL = Profile()


class Model(Protocol):
    """One model behind one backend.

    `roles` are the parts that it can play (None: any). `shares_memory`: whether it lives in this
    machine's memory, where several models would push each other out.
    """

    @property
    def name(self) -> str: ...
    @property
    def profile(self) -> Profile: ...
    @property
    def roles(self) -> frozenset[str] | None: ...
    @property
    def shares_memory(self) -> bool: ...

    def stream(self, call: Call) -> AsyncGenerator[Frame, None]:
        """Yields deltas, then exactly one End. Raises the errors of `pipeline.errors`:
        ModelUnreachable (no connection), ModelBusy (503, 429), ModelNotFound (404), ContextTooLong,
        ModelFailed (anything else). Closing the iterator ends the work at the backend."""
        ...

    async def facts(self) -> Facts:
        """Asks the backend (cheaply, it may be called often). Raises ModelUnreachable or
        ModelNotFound: this is also the health check."""
        ...


@runtime_checkable
class Scoring(Model, Protocol):
    """A model that says how likely its tokens were (`Call.logprobs`): the first so many of an
    answer, or all (None)."""

    @property
    def scored_tokens(self) -> int | None: ...


@runtime_checkable
class ReadsAhead(Protocol):
    """A model that can be loaded, and have the beginning of later prompts read, before it is
    asked anything."""

    async def read_ahead(self, messages: Sequence[Message], context_tokens: int) -> None:
        """Returns when it has read them. Raises as `Model.stream`."""
        ...


@runtime_checkable
class SideBySide(Model, Protocol):
    """A model that writes several answers to one prompt at a time."""

    async def cheap_answers(self) -> int:
        """How many it writes for little more than one costs, 1 where that is not known. Asks the
        backend where it has to."""
        ...

    def stream_several(self, call: Call, n: int) -> AsyncGenerator[tuple[int, Frame]]:
        """As `Model.stream`, with the number of the answer, from 0, that each frame is of; one End
        for each answer."""
        ...


@runtime_checkable
class OneWindow(SideBySide, Protocol):
    """One that reads the prompt once: all answers that it writes at a time share its window."""

    @property
    def most_answers(self) -> int:
        """How many it writes at a time."""
        ...
