"""The SDK's client of the Model Context Protocol, over both transports."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import cli
import httpx2
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

LEGACY = "legacy"  # the versions with a handshake and sessions, before 2026-07-28


@asynccontextmanager
async def over_http(address: str, token: str = "", mode: str = "auto") -> AsyncIterator[Client]:
    head = {"Authorization": f"Bearer {token}"} if token else {}
    async with httpx2.AsyncClient(headers=head, timeout=40) as http:
        transport = streamable_http_client(f"{address}/mcp", http_client=http)
        async with Client(transport, mode=mode) as client:
            yield client


@asynccontextmanager
async def over_stdio(mode: str = "auto", **environment: str) -> AsyncIterator[Client]:
    """A `laios mcp` process of the client's own."""
    program = StdioServerParameters(
        command=cli.LAIOS, args=["mcp"], env={**os.environ, **environment}
    )
    async with Client(program, mode=mode) as client:
        yield client
