"""The protocol's server over the table of tools: the same one behind both transports."""

import json
import logging
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from typing import Any

from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    TextContent,
    ToolAnnotations,
)
from mcp_types import Tool as ListedTool
from pydantic import BaseModel

from laios import AsyncClient
from laios.errors import LaiosError, NotFound
from pipeline.validation_messages import nearest, read_as
from server.http.disconnect import unless_gone
from server.mcp import resources
from server.mcp.message_content import check_size, plain_values
from server.mcp.run_progress import Progress
from server.mcp.tools import TOOLS, Tool

log = logging.getLogger("laios.mcp")

INSTRUCTIONS = (
    "laios is a local coding pipeline on the user's own machine: small models draft, checks and a "
    "judge look at it. Hand it self-contained pieces of work, with examples of what has to come "
    "out, and read `warnings` and `passed` before you use what comes back. A call may take "
    "minutes. Search the documentation before you write against a library that you are unsure of."
)

Context = ServerRequestContext[Any, Any]
GiveClient = Callable[[], Awaitable[AsyncClient]]


def protocol_server(client: GiveClient) -> Server[Any]:
    """`client` is asked before each call for the daemon's client. It may raise LaiosError."""
    handlers = Handlers(client)
    return Server(
        "laios",
        version=version("laios"),
        title="laios",
        instructions=INSTRUCTIONS,
        on_list_tools=handlers.list_tools,
        on_call_tool=handlers.call_tool,
        on_list_resources=handlers.list_resources,
        on_list_resource_templates=handlers.list_templates,
        on_read_resource=handlers.read_resource,
    )


class Handlers:
    """What each request of the protocol does."""

    def __init__(self, client: GiveClient) -> None:
        self._client = client

    async def list_tools(self, _: Context, __: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=[*map(_listed, TOOLS.values())])

    async def call_tool(self, context: Context, asked: CallToolRequestParams) -> CallToolResult:
        work = self._call(context, _tool(asked.name), asked.arguments or {})
        if context.request is None:  # stdio: a client that goes away ends this program
            return await work
        return await unless_gone(context.request.receive, work)

    async def list_resources(
        self, _: Context, __: PaginatedRequestParams | None
    ) -> ListResourcesResult:
        with _as_protocol_errors():
            return await resources.list_resources(await self._client())

    async def list_templates(
        self, _: Context, __: PaginatedRequestParams | None
    ) -> ListResourceTemplatesResult:
        return resources.TEMPLATES

    async def read_resource(
        self, _: Context, asked: ReadResourceRequestParams
    ) -> ReadResourceResult:
        with _as_protocol_errors():
            return await resources.read_resource(await self._client(), asked.uri)

    async def _call(
        self, context: Context, tool: Tool, arguments: Mapping[str, Any]
    ) -> CallToolResult:
        """What goes wrong is a result too: the calling model reads it and can do better."""

        async def report(number: float, message: str) -> None:
            await context.session.report_progress(number, message=message)

        try:
            asked = read_as(tool.takes, arguments)
            made = await tool.work(await self._client(), asked, Progress(report))
            return _result(made)
        except LaiosError as error:
            return _failed(error)
        except Exception:
            log.exception("a tool broke", extra={"tool": tool.name})
            return _failed(LaiosError("Internal error in laios. Its log has the details."))


def _tool(name: str) -> Tool:
    """Raises MCPError: a client that calls what was not offered is told what there is."""
    if name not in TOOLS:
        known = ", ".join(TOOLS)
        raise MCPError(
            code=INVALID_PARAMS,
            message=f"There is no tool {name[:100]!r}. {nearest(name[:100], [*TOOLS])}"
            f"Tools: {known}.",
        )
    return TOOLS[name]


def _listed(tool: Tool) -> ListedTool:
    return ListedTool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.takes.model_json_schema(),
        output_schema=tool.gives.model_json_schema(mode="serialization"),
        annotations=ToolAnnotations(
            read_only_hint=tool.reads_only,
            destructive_hint=False,
            idempotent_hint=tool.reads_only,
            open_world_hint=False,
        ),
    )


def _result(made: BaseModel) -> CallToolResult:
    """Structured, and the same as text for clients that know no structure. Raises LaiosError."""
    values = plain_values(made)
    text = json.dumps(values, ensure_ascii=False, separators=(",", ":"))
    result = CallToolResult(
        content=[TextContent(type="text", text=text)], structured_content=values
    )
    run = getattr(made, "run", None)
    check_size(result, f"All of it is on record: {run}" if run else "Ask for less.")
    return result


def _failed(error: LaiosError) -> CallToolResult:
    said = TextContent(type="text", text=f"{error.code}: {error}")
    return CallToolResult(content=[said], is_error=True)


@contextmanager
def _as_protocol_errors() -> Iterator[None]:
    try:
        yield
    except LaiosError as error:
        code = INVALID_PARAMS if isinstance(error, NotFound) else INTERNAL_ERROR
        raise MCPError(code=code, message=f"{error.code}: {error}") from None
