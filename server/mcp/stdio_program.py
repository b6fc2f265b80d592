"""`laios mcp`: the protocol over stdin and stdout, for one client that started this program."""

from mcp.server.stdio import stdio_server

from config import Settings
from server.mcp.daemon_connection import DaemonConnection
from server.mcp.protocol_server import protocol_server
from server.runtime.async_closing import async_closing


async def serve(settings: Settings) -> None:
    """Until stdin ends; the runs that are under way then are cancelled. Nothing but the protocol is
    written to stdout: whatever is printed goes to stderr."""
    async with async_closing(DaemonConnection(settings)) as connection:
        server = protocol_server(connection.client)
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())
