"""Every route but the dashboard's and `/mcp`, in one visible place. A module is imported when one
of its routes is first asked for."""

from collections.abc import Iterable

from starlette.routing import Route

from pipeline.first_use import FirstUse


def _routes(rows: Iterable[tuple[str, str, str]]) -> list[Route]:
    """Of methods with blanks between them, a path, and a function as `module:name`."""
    return [
        Route(path, FirstUse(*place.split(":")).call, methods=methods.split())
        for methods, path, place in rows
    ]


_NATIVE = (
    ("POST", "/prompt", "server.api.prompt:post_prompt"),
    ("GET", "/runs", "server.api.runs:list_runs"),
    ("GET", "/runs/{id}", "server.api.runs:show_run"),
    ("DELETE", "/runs/{id}", "server.api.runs:cancel_run"),
    ("GET", "/runs/{id}/events", "server.api.runs:run_events"),
    ("POST", "/runs/{id}/rating", "server.api.run_rating:post_rating"),
    ("GET", "/history", "server.api.records:list_records"),
    ("GET", "/history/{id}", "server.api.records:get_record"),
    ("GET", "/healthz", "server.api.health:healthz"),
    ("GET", "/readyz", "server.api.health:readyz"),
    ("GET", "/metrics", "server.api.health:metrics"),
    ("POST", "/code", "server.api.code:post_code"),
    ("GET", "/code/schema", "server.api.code:get_schema"),
    ("POST", "/query", "server.api.query:post_query"),
    ("GET", "/query/schema", "server.api.query:get_schema"),
    ("POST", "/sandbox/run", "server.api.sandbox_run:post_program"),
    ("GET", "/docs/chunks", "server.api.docs_chunks:search_chunks"),
    ("GET", "/docs/chunks/{id}", "server.api.docs_chunks:get_chunk"),
    ("POST", "/judge", "server.api.judging:post_judge"),
    ("GET", "/openapi.json", "server.api.openapi:get_openapi"),
)

# What Ollama has and laios has not.
_NOT_HERE = ("pull", "push", "create", "copy", "delete", "blobs/{digest:path}")

_PROTOCOLS = (
    ("GET", "/v1/models", "server.protocols.openai_models:list_models"),
    ("GET", "/v1/models/{id:path}", "server.protocols.openai_models:get_model"),
    ("POST", "/v1/chat/completions", "server.protocols.openai_chat:chat_completions"),
    ("POST", "/v1/responses", "server.protocols.openai_responses:responses"),
    ("POST", "/v1/messages", "server.protocols.anthropic_messages:post_messages"),
    ("POST", "/v1/messages/count_tokens", "server.protocols.anthropic_messages:count_tokens"),
    ("GET", "/", "server.protocols.ollama_models:get_root"),
    ("GET", "/api/version", "server.protocols.ollama_models:get_version"),
    ("GET", "/api/tags", "server.protocols.ollama_models:list_tags"),
    ("GET", "/api/ps", "server.protocols.ollama_models:list_running"),
    ("POST", "/api/show", "server.protocols.ollama_models:show"),
    *(
        ("GET POST DELETE", f"/api/{what}", "server.protocols.ollama_models:refuse_absent")
        for what in _NOT_HERE
    ),
    ("POST", "/api/chat", "server.protocols.ollama_chat:post_chat"),
    ("POST", "/api/generate", "server.protocols.ollama_chat:post_generate"),
    ("POST", "/api/embed", "server.protocols.embedding_routes:post_ollama"),
    ("POST", "/api/embeddings", "server.protocols.embedding_routes:post_ollama"),
    ("POST", "/v1/embeddings", "server.protocols.embedding_routes:post_openai"),
)

NATIVE = _routes(_NATIVE)
ROUTES = [*NATIVE, *_routes(_PROTOCOLS)]
