"""Models of every other backend (`hosted_vllm/…`, `openai/…`, …), through the litellm package.

litellm costs seconds of import and about 180 MB of memory, so it is imported at the first call, in
a worker thread. Where a backend is and which key it takes, litellm reads from variables of its own,
such as HOSTED_VLLM_API_BASE and OPENAI_API_KEY.
"""

import asyncio
import importlib
import importlib.util
import logging
import os
import re
import sys
from collections.abc import AsyncGenerator, Iterator
from contextlib import suppress
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any, Literal

from pipeline.errors import (
    BackendUnknown,
    ContextTooLong,
    LaiosError,
    ModelBusy,
    ModelFailed,
    ModelNotFound,
    ModelTimeout,
    ModelUnreachable,
    ToolsNotTaken,
)
from pipeline.model import GENERAL, Call, Delta, End, Facts, Frame
from pipeline.model_call import TOO_LONG, brief
from pipeline.models.concurrent_answers import stream_concurrently
from pipeline.models.guarded_transport import Refused, guard
from pipeline.models.openai_form import fields_of, pieces_of

MISSING = (
    "litellm is not installed. In the repository: `uv tool install '.[litellm]'`, or install "
    "litellm into the environment that laios runs in"
)
NO_LIMIT_S = 7 * 24 * 3600.0  # litellm's own read timeout; the deadline is the caller's
OLLAMA = "ollama_chat/"
VLLM, CHEAP_ON_VLLM = "hosted_vllm/", 4  # answers at a time: it batches whatever comes
NO_TOOLS = re.compile(  # as vLLM and OpenRouter say it, and most others
    r"enable-auto-tool-choice|not? (?:\w+ ){0,3}support (?:\w+ )?(?:tool|function)", re.I
)
FINISH: dict[str | None, Literal["stop", "length"]] = {
    "stop": "stop",
    "tool_calls": "stop",
    "length": "length",
}

# litellm's exceptions by name, since naming the classes would import it. The nearest ancestor that
# is listed counts; a stream that breaks is a kind of "service unavailable" there.
ERRORS: dict[str, type[LaiosError]] = {
    "MidStreamFallbackError": ModelFailed,
    "ContextWindowExceededError": ContextTooLong,
    "NotFoundError": ModelNotFound,
    "ServiceUnavailableError": ModelBusy,
    "RateLimitError": ModelBusy,
    "Timeout": ModelTimeout,
    "APIConnectionError": ModelUnreachable,
}
TRANSPORT = "litellm.llms.custom_httpx.aiohttp_transport"
NEVER_ANSWERED = ("ConnectError", "ConnectTimeout", "ServerDisconnectedError")


class LiteLLMModel:
    """The model behind any name that is no other backend's, as litellm writes it."""

    profile = GENERAL
    roles = None

    def __init__(self, name: str) -> None:
        self.name = name
        self.shares_memory = name.startswith(OLLAMA)
        self._takes_tools: bool | None = None
        self._has_backend = False  # as far as was looked

    async def stream(self, call: Call) -> AsyncGenerator[Frame, None]:
        """See `Model.stream`. `think` reaches Ollama only."""
        litellm = await _imported()
        response: Any = None
        try:
            if call.tools:
                _refuse_tools(litellm, self.name)
            response = await litellm.acompletion(**_arguments(self.name, call))
            reason: str | None = None
            usage: Any = None
            async for chunk in response:
                usage = getattr(chunk, "usage", None) or usage
                for choice in chunk.choices[:1]:  # the chunk with the usage has none
                    reason = choice.finish_reason or reason
                    thinking = getattr(choice.delta, "reasoning_content", None) or ""
                    calls = pieces_of(_calls(choice.delta))
                    if choice.delta.content or thinking or calls:
                        yield Delta(choice.delta.content or "", thinking, calls)
            yield _end(self.name, _sent_reason(response, reason), _sent_usage(response, usage))
        except Exception as error:
            told = _translated(self.name, error, tools=bool(call.tools))
            if isinstance(told, ToolsNotTaken):
                self._takes_tools = False
            raise told from None
        finally:
            if response is not None:
                await response.aclose()

    async def cheap_answers(self) -> int:
        """See `SideBySide.cheap_answers`. Elsewhere each answer may be paid for, or queued."""
        return CHEAP_ON_VLLM if self.name.startswith(VLLM) else 1

    def stream_several(self, call: Call, n: int) -> AsyncGenerator[tuple[int, Frame]]:
        """See `SideBySide.stream_several`."""
        return stream_concurrently(self.stream, call, n)

    async def facts(self) -> Facts:
        """Knows what a call has shown: asking the backend would mean importing litellm for a health
        check and, where the backend is a paid one, calling out. Raises ModelUnreachable without
        litellm, and BackendUnknown for one that it does not know."""
        package = importlib.util.find_spec("litellm")
        if package is None:
            raise ModelUnreachable(f"{self.name} cannot be called: {MISSING}.")
        if not self._has_backend:
            if not _has_folder(package, self.name):
                await self._require_backend()
            self._has_backend = True
        return Facts(takes_tools=self._takes_tools)

    async def _require_backend(self) -> None:
        litellm = await _imported()
        try:
            litellm.get_llm_provider(self.name)
        except Exception as error:
            raise _translated(self.name, error, tools=False) from None


async def close_connections() -> None:
    """Ends litellm's connections and its logging task, which its models of a process share."""
    litellm: Any = sys.modules.get("litellm")
    if litellm is None:
        return
    with suppress(Exception):  # nothing of ours is at stake in a foreign clean-up
        await litellm.close_litellm_async_clients()
        litellm.in_memory_llm_clients_cache.flush_cache()
        await litellm.litellm_core_utils.logging_worker.GLOBAL_LOGGING_WORKER.stop()


def _has_folder(package: ModuleSpec, name: str) -> bool:
    """Whether litellm has a folder for the model's backend, as it has for nearly each: that can be
    seen without importing it."""
    provider = name.partition("/")[0].removesuffix("_chat")
    places = package.submodule_search_locations or ()
    return any(Path(place, "llms", provider).is_dir() for place in places)


_whole: Any = None  # litellm, once all of it is there: sys.modules shows it half imported


async def _imported() -> Any:
    """litellm. Calls that come while it is being imported wait for Python's lock on the import."""
    if _whole is not None and sys.modules.get("litellm") is _whole:
        return _whole
    return await asyncio.to_thread(_import)


def _import() -> Any:
    global _whole
    # Without these it fetches a price table, and reads a .env file of the working directory.
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    os.environ.setdefault("LITELLM_MODE", "PRODUCTION")
    try:
        litellm: Any = importlib.import_module("litellm")
    except ImportError as error:
        raise ModelUnreachable(f"{MISSING} ({brief(error)}).") from None
    litellm.suppress_debug_info = True  # it prints to the terminal otherwise
    litellm.telemetry = False
    litellm.disable_hf_tokenizer_download = True  # it counts tokens on its own account
    logging.getLogger("LiteLLM").setLevel(logging.CRITICAL)  # its errors quote prompts
    with suppress(ImportError):  # of a version that connects in another way
        guard(importlib.import_module(TRANSPORT).LiteLLMAiohttpTransport)
    _whole = litellm
    return litellm


def _arguments(name: str, call: Call) -> dict[str, Any]:
    arguments: dict[str, Any] = fields_of(call) | {
        "model": name,
        "stream": True,
        "stream_options": {"include_usage": True},
        "num_retries": 0,
        "timeout": NO_LIMIT_S,
        "_skip_mcp_handler": True,  # its own way with tools, for which it wants another package
        "drop_params": True,  # what a backend cannot do (a schema) is left out; replies are checked
    }
    if call.headers:
        arguments["extra_headers"] = dict(call.headers)
    if call.schema is not None:
        schema = {"name": call.role, "schema": dict(call.schema), "strict": True}
        arguments["response_format"] = {"type": "json_schema", "json_schema": schema}
    if name.startswith(OLLAMA):
        own = {"num_ctx": call.context_tokens, "keep_alive": call.keep_alive, "think": call.think}
        arguments |= {key: value for key, value in own.items() if value is not None}
    return arguments


def _refuse_tools(litellm: Any, name: str) -> None:
    """Raises ToolsNotTaken where litellm knows of none for the model: it would leave them out, and
    an agent would wait for calls."""
    known = litellm.get_supported_openai_params(model=name)
    if known is not None and "tools" not in known:
        raise ToolsNotTaken(name)


def _calls(delta: Any) -> list[dict[str, Any]]:
    """A delta's tool calls, which litellm has as objects of its own."""
    return [call.model_dump() for call in getattr(delta, "tool_calls", None) or ()]


def _sent_reason(response: Any, shown: str | None) -> str | None:
    """The finish reason that the backend sent: litellm shows `stop` for a stream that was cut."""
    if not hasattr(response, "received_finish_reason"):
        return shown
    sent: str | None = response.received_finish_reason or response.intermittent_finish_reason
    return sent


def _sent_usage(response: Any, shown: Any) -> Any:
    """The token counts that the backend sent: litellm shows an estimate where it sent none."""
    chunks = getattr(response, "chunks", None)
    if chunks is not None and not any(getattr(chunk, "usage", None) for chunk in chunks):
        return None
    return shown


def _end(name: str, reason: str | None, usage: Any) -> End:
    if reason is None:
        raise ModelFailed(
            f"{name}: the stream ended without a finish reason. The answer is incomplete and was "
            "not used; look into the backend's log."
        )
    if reason not in FINISH:
        raise ModelFailed(f"{name} ended its answer for another reason: {brief(reason)}.")
    details = getattr(usage, "prompt_tokens_details", None)
    return End(
        FINISH[reason],
        getattr(usage, "prompt_tokens", None),
        getattr(usage, "completion_tokens", None),
        cached_tokens=getattr(details, "cached_tokens", None),
    )


def _translated(name: str, error: Exception, *, tools: bool) -> LaiosError:
    """In our words, where it is not in them yet. `tools`: some were offered."""
    if isinstance(error, LaiosError):
        return error
    if refused := next((each for each in _behind(error) if isinstance(each, Refused)), None):
        return ModelFailed(f"{name}: {refused}")
    provider = name.partition("/")[0]
    if "LLM Provider NOT provided" in str(error):
        return BackendUnknown(
            f"No backend is called {provider!r}. Write ollama/…, local/… or one of litellm's "
            "providers, such as hosted_vllm/…."
        )
    said = _words(error)
    if tools and NO_TOOLS.search(said):
        return ToolsNotTaken(name)
    kind = _kind(error)
    if kind is ModelFailed and TOO_LONG.search(said):
        kind = ContextTooLong
    if kind is ModelUnreachable:
        variable = f"{provider.removesuffix('_chat').upper()}_API_BASE"
        said = f"{said.rstrip('.')}. Start its server, or set {variable} to where it listens."
    return kind(f"{name}: {said}")


def _kind(error: Exception) -> type[LaiosError]:
    names = [base.__name__ for base in type(error).__mro__]
    kind = next((ERRORS[name] for name in names if name in ERRORS), None)
    # No connection, or one that was closed before the answer began: litellm calls it a server's
    # error, but httpx's or aiohttp's word for it is behind that.
    if kind is None and any(type(each).__name__ in NEVER_ANSWERED for each in _behind(error)):
        return ModelUnreachable
    return kind or ModelFailed


def _behind(error: BaseException | None) -> Iterator[BaseException]:
    """The error and what led to it, as far as it is this call's: an error of ours may be one that
    was being handled when the call began."""
    while error is not None:
        yield error
        error = None if isinstance(error, LaiosError) else error.__cause__ or error.__context__


def _words(error: Exception) -> str:
    """What the backend said, without the names of exceptions before it and the trace behind it;
    or that it said nothing."""
    text = re.split(r"Traceback \(most recent|Original exception:", str(error), maxsplit=1)[0]
    said = brief(re.sub(r"^((litellm\.)?\w+(Error|Exception|Timeout)(: | - ))+", "", text))
    status = getattr(error, "status_code", "an error")
    return said or f"its server answered {status} and did not say why. Its log may."
