"""`POST /v1/messages` and `/v1/messages/count_tokens` (Anthropic's API reference, "Messages").

The models are the modes, as everywhere. Errors have Anthropic's shape; a stream's heartbeat is its
own event `ping`.
"""

from functools import partial

from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from pipeline.image import TOKENS as IMAGE_TOKENS
from pipeline.run import Run
from pipeline.tokens import TOKENS_PER_MESSAGE, estimate
from server.http.json_response import json_response
from server.http.request_body import read_object, whole_body
from server.http.server_sent_events import EVENT_STREAM, event
from server.protocols.answer_stream import Told
from server.protocols.anthropic_answer import MessageStream, message_of
from server.protocols.anthropic_request import read_chat
from server.protocols.chat_request import object_in
from server.protocols.message_images import data_of
from server.protocols.mode_names import mode_of
from server.protocols.submission import read_beside, respond

THINKS = ("enabled", "adaptive")


async def post_messages(http: HttpRequest) -> Response:
    body = await whole_body(http)
    fields = read_object(body)
    chat = await read_beside(read_chat, body, fields)
    thinks = object_in(fields, "thinking").get("type") in THINKS

    def told(run: Run) -> Told:
        return MessageStream(run, thinks=thinks).frames(), EVENT_STREAM, partial(event, "ping")

    return await respond(http, body, chat, "anthropic", partial(message_of, thinks=thinks), told)


async def count_tokens(http: HttpRequest) -> Response:
    """An estimate on the safe side, as for every prompt: no model is asked. A picture counts as
    one, and not as the letters that it is sent as."""
    body = await whole_body(http)
    chat = await read_beside(read_chat, body, read_object(body))
    mode_of(chat.model)
    pictures = [data for message in chat.messages for data in data_of(message)]
    letters = estimate(body.decode()) - estimate("".join(pictures))
    tokens = letters + TOKENS_PER_MESSAGE * len(chat.messages) + IMAGE_TOKENS * len(pictures)
    return json_response({"input_tokens": tokens})
