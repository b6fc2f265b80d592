"""`GET /v1/models` and `GET /v1/models/{id}` (OpenAI's API reference, "Models")."""

from typing import Any

from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from pipeline.modes import MODES
from server.http.json_response import json_response
from server.protocols.mode_names import mode_of, model_name, model_names

CREATED = 1735689600  # clients sort by it; modes have no date, so all have the same


async def list_models(http: HttpRequest) -> Response:
    return json_response({"object": "list", "data": [_model(name) for name in model_names()]})


async def get_model(http: HttpRequest) -> Response:
    if not http.path_params["id"]:  # the list's address with a slash at its end
        return await list_models(http)
    name = model_name(MODES[mode_of(http.path_params["id"])])
    return json_response(_model(name))


def _model(name: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": CREATED, "owned_by": "laios"}
