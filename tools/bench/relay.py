"""The least that passing a stream on can cost: `python -m tools.bench.relay BACKEND_URL`; prints
its port. Bytes go from the backend to the caller as they come; nothing is parsed, checked or
recorded.
"""

import asyncio
import sys
from urllib.parse import urlsplit

import uvloop

LAST_CHUNK = b"0\r\n\r\n"


async def relay(
    backend_port: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    """One request: its body goes to /api/chat, and the answer back."""
    head = await reader.readuntil(b"\r\n\r\n")
    start = head.lower().index(b"content-length:") + len(b"content-length:")
    body = await reader.readexactly(int(head[start : head.index(b"\r\n", start)]))
    answer, request = await asyncio.open_connection("127.0.0.1", backend_port)
    request.write(b"POST /api/chat HTTP/1.1\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body))
    while data := await answer.read(65536):
        writer.write(data)
        if data.endswith(LAST_CHUNK):
            break
    request.close()
    writer.close()


async def serve(backend_port: int) -> None:
    server = await asyncio.start_server(
        lambda reader, writer: relay(backend_port, reader, writer), "127.0.0.1", 0
    )
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(serve(urlsplit(sys.argv[1]).port or 0))
