"""A chat's request with tools as a turn of an agent.

Tools that their protocol's maker carries out by itself (web search, code interpreters) are left
out: nobody here has them.
"""

import asyncio
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from typing import Any

import orjson

from pipeline.agents.agent_task import AgentTask
from pipeline.agents.flow import agent_row
from pipeline.agents.writing_tools import can_write
from pipeline.errors import BadRequest, ImagesNotTaken, ToolsNotTaken
from pipeline.model import Message
from pipeline.modes import read_tags
from pipeline.request import Kind, Request
from pipeline.tool_calls import NO_TOOLS, Tool, Toolbox
from server.protocols.agent_messages import NAME, read_conversation
from server.protocols.chat_request import SHOWN, Chat, mapping, string
from server.protocols.mode_names import mode_of
from server.protocols.responses_calls import full_name
from server.runtime.container import Container

MOST_TOOLS = 1000
ANY_TEXT = {
    "type": "object",
    "properties": {"input": {"type": "string"}},
    "required": ["input"],
}
"""The parameters of a tool that takes any text (OpenAI's `custom` tools)."""
_CARRIED_OUT_BY_CALLERS = ("function", "custom")


async def read_turn(parts: Container, chat: Chat, plain: Request) -> Request | None:
    """The request of an agent's turn, or of a chat that is passed on whole because of its images.
    Its system messages stand in its own conversation, and are nothing that judge or reviewer
    should read.

    None for what is no turn of an agent: neither tools nor an image beside the prompt, a mode
    that takes none, or a model without tools where AGENT_FALLBACK lets the request be a chat.

    Raises BadRequest for tools, calls and images that cannot be read, ToolsNotTaken and
    ImagesNotTaken.
    """
    settings = parts.scheduler.settings
    tools = read_tools(chat.tools)
    if not tools and not chat.has_image:
        return None
    sees = await parts.models.can_take("coder", settings, images=True)
    if chat.has_image and not sees:
        raise ImagesNotTaken(parts.models.name_for("coder", settings))
    tagged = read_tags(chat.prompt, mode_of(chat.model), may_be_empty=chat.has_image)
    row = agent_row(tagged.mode, settings)
    if row is None:
        return None
    messages = tuple(await asyncio.to_thread(read_conversation, chat.messages, sees))
    box = _chosen(chat, tools)
    if tools and not await parts.models.can_take("coder", settings, tools=True):
        if _may_be_a_chat(settings.AGENT_FALLBACK, tools, box):
            return None
        raise ToolsNotTaken(parts.models.name_for("coder", settings))
    session = plain.session or _session(messages)
    if chat.schema is not None:
        messages = _told_the_form(messages, chat.schema, box)
    task = AgentTask(tagged.prompt, messages=messages, tools=box, schema=chat.schema)
    kind: Kind = "agent" if chat.tools else "run"
    return replace(plain, kind=kind, session=session, row=row, task=task)


def _told_the_form(
    messages: tuple[Message, ...], schema: Mapping[str, Any], box: Toolbox
) -> tuple[Message, ...]:
    """With the form of the answer as a rule."""
    try:
        fits = f" that fits this JSON Schema: {orjson.dumps(schema).decode()}" if schema else ""
    except orjson.JSONEncodeError:
        raise BadRequest("The schema of the answer is nested too deeply.") from None
    begun = "Call tools as you need them. An answer without a call" if box else "The answer"
    rule = f"{begun} is nothing but a JSON object, without Markdown{fits}"
    first, *rest = messages
    if first["role"] != "system":
        return {"role": "system", "content": rule}, *messages
    return {**first, "content": f"{first['content']}\n\n{rule}"}, *rest


def _session(messages: Sequence[Message]) -> str:
    """Of an agent that names none: a conversation is known by how it begins."""
    first = next(message for message in messages if message["role"] == "user")
    begun = [first["content"], *(image.data for image in first.get("images", ()))]
    digest = blake2b("\n".join(begun).encode("utf-8", "surrogatepass"), digest_size=8)
    return f"agent-{digest.hexdigest()}"


def _may_be_a_chat(fallback: str, tools: Sequence[Tool], box: Toolbox) -> bool:
    """A caller whose tools write came to have files changed: an answer to read is none."""
    if fallback != "auto":
        return fallback == "chat"
    return not (box.required or any(can_write(tool) for tool in tools))


def read_tools(given: Sequence[Any]) -> tuple[Tool, ...]:
    """The tools that the caller carries out, in any protocol's form. Raises BadRequest, naming the
    one that is wrong."""
    tools = tuple(_tools(given))
    counted = Counter(tool.name for tool in tools)
    if twice := next((name for name, times in counted.items() if times > 1), None):
        raise BadRequest(f"Two tools are called {twice!r}. Give each its own name.")
    return tools


def _tools(given: Sequence[Any]) -> Iterator[Tool]:
    if len(given) > MOST_TOOLS:
        raise BadRequest(f"There are {len(given):,} tools. Offer at most {MOST_TOOLS:,}.")
    for number, each in enumerate(given):
        if not isinstance(each, Mapping):
            raise BadRequest(f"Tool {number} must be an object with a name.")
        if not _is_the_caller_s(each):
            continue
        function = each.get("function", each)
        name = mapping(function).get("name")
        if not isinstance(name, str) or not NAME.fullmatch(name):
            raise BadRequest(
                f"Tool {number} needs a name: up to 128 letters, digits, '_', '-', '.', ':', '/'."
            )
        tool = Tool(name, string(function.get("description")) or "", _parameters(name, function))
        _refuse_too_deep(tool)
        yield tool


def _is_the_caller_s(tool: Mapping[str, Any]) -> bool:
    """Whether the caller carries it out. Anthropic's have no type, or null."""
    return (tool.get("type") or "custom") in _CARRIED_OUT_BY_CALLERS


def _parameters(name: str, function: Mapping[str, Any]) -> Mapping[str, Any]:
    given = function.get("parameters", function.get("input_schema"))
    if given is None:
        return (
            ANY_TEXT if function.get("type") == "custom" else {"type": "object", "properties": {}}
        )
    if not isinstance(given, Mapping):
        raise BadRequest(f"The parameters of the tool {name!r} must be a JSON Schema.")
    return given


def _refuse_too_deep(tool: Tool) -> None:
    """As models are shown it, some levels deeper than it came."""
    try:
        _ = Toolbox((tool,)).text
    except orjson.JSONEncodeError:
        raise BadRequest(
            f"The parameters of the tool {tool.name!r} are nested too deeply."
        ) from None


def _chosen(chat: Chat, tools: tuple[Tool, ...]) -> Toolbox:
    """What the model may call now: those that are allowed, if the choice says which, and of one
    that has to be called that one alone. Raises BadRequest."""
    choice = mapping(chat.tool_choice)
    kind = choice.get("type") if choice else chat.tool_choice
    parallel = chat.parallel and choice.get("disable_parallel_tool_use") is not True
    name = _name(choice)
    if kind == "none":
        return NO_TOOLS
    if kind == "allowed_tools":
        allowed = choice.get("allowed_tools") or choice
        kind, tools = _mode(allowed), _named(_names(allowed), tools)
    elif name is not None:
        kind, tools = "required", _named([name], tools)
    return Toolbox(tools, required=kind in ("required", "any"), parallel=parallel)


def _name(choice: Mapping[str, Any]) -> str | None:
    """Of the tool that a choice names, which a chat completion has in `function`."""
    name = full_name(mapping(choice.get("function", choice)))
    return name if isinstance(name, str) else None


def _mode(allowed: object) -> object:
    """Of OpenAI's `allowed_tools`. Raises BadRequest."""
    mode = mapping(allowed).get("mode")
    if mode not in ("auto", "required"):
        raise BadRequest('tool_choice needs the "mode" of the allowed tools: auto or required.')
    return mode


def _names(allowed: object) -> Iterator[str]:
    """Of the allowed tools, but for those that OpenAI carries out. Raises BadRequest."""
    listed = mapping(allowed).get("tools")
    if not isinstance(listed, list) or not listed:
        raise BadRequest('tool_choice needs the "tools" that are allowed, as a list.')
    for each in map(mapping, listed):
        name = _name(each)
        if name is not None or _is_the_caller_s(each):
            yield name or ""


def _named(names: Iterable[str], tools: tuple[Tool, ...]) -> tuple[Tool, ...]:
    """Those of the tools, in their own order. Raises BadRequest for a name that none has."""
    wanted, offered = set(names), {tool.name for tool in tools}
    if strange := sorted(wanted - offered):
        raise BadRequest(
            f"tool_choice names {strange[0][:SHOWN]!r}, which is not one of the tools."
        )
    return tuple(tool for tool in tools if tool.name in wanted)
