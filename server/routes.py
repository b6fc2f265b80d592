"""Every route but the dashboard's and `/mcp`, in one visible place. A module is imported when one
of its routes is first asked for."""

from starlette.routing import Route

from pipeline.first_use import FirstUse


def _in(module: str, *rows: tuple[str, str, str]) -> list[Route]:
    """The routes of a module: method, path, name of the function."""
    return [
        Route(path, FirstUse(module, name).call, methods=[method]) for method, path, name in rows
    ]


NATIVE = [
    *_in("server.api.prompt", ("POST", "/prompt", "post_prompt")),
    *_in(
        "server.api.runs",
        ("GET", "/runs", "list_runs"),
        ("GET", "/runs/{id}", "show_run"),
        ("DELETE", "/runs/{id}", "cancel_run"),
        ("GET", "/runs/{id}/events", "run_events"),
    ),
    *_in("server.api.run_rating", ("POST", "/runs/{id}/rating", "post_rating")),
    *_in(
        "server.api.records",
        ("GET", "/history", "list_records"),
        ("GET", "/history/{id}", "get_record"),
    ),
    *_in(
        "server.api.health",
        ("GET", "/healthz", "healthz"),
        ("GET", "/readyz", "readyz"),
        ("GET", "/metrics", "metrics"),
    ),
    *_in(
        "server.api.code",
        ("POST", "/code", "post_code"),
        ("GET", "/code/schema", "get_schema"),
    ),
    *_in(
        "server.api.query",
        ("POST", "/query", "post_query"),
        ("GET", "/query/schema", "get_schema"),
    ),
    *_in("server.api.sandbox_run", ("POST", "/sandbox/run", "post_program")),
    *_in(
        "server.api.docs_chunks",
        ("GET", "/docs/chunks", "search_chunks"),
        ("GET", "/docs/chunks/{id}", "get_chunk"),
    ),
    *_in("server.api.judging", ("POST", "/judge", "post_judge")),
    *_in("server.api.openapi", ("GET", "/openapi.json", "get_openapi")),
]

# What Ollama has and laios has not.
_NOT_HERE = ("pull", "push", "create", "copy", "delete", "blobs/{digest:path}")

PROTOCOLS = [
    *_in(
        "server.protocols.openai_models",
        ("GET", "/v1/models", "list_models"),
        ("GET", "/v1/models/{id:path}", "get_model"),
    ),
    *_in("server.protocols.openai_chat", ("POST", "/v1/chat/completions", "chat_completions")),
    *_in("server.protocols.openai_responses", ("POST", "/v1/responses", "responses")),
    *_in(
        "server.protocols.anthropic_messages",
        ("POST", "/v1/messages", "post_messages"),
        ("POST", "/v1/messages/count_tokens", "count_tokens"),
    ),
    *_in(
        "server.protocols.ollama_models",
        ("GET", "/", "get_root"),
        ("GET", "/api/version", "get_version"),
        ("GET", "/api/tags", "list_tags"),
        ("GET", "/api/ps", "list_running"),
        ("POST", "/api/show", "show"),
    ),
    *(
        Route(
            f"/api/{what}",
            FirstUse("server.protocols.ollama_models", "refuse_absent").call,
            methods=["GET", "POST", "DELETE"],
        )
        for what in _NOT_HERE
    ),
    *_in(
        "server.protocols.ollama_chat",
        ("POST", "/api/chat", "post_chat"),
        ("POST", "/api/generate", "post_generate"),
    ),
    *_in(
        "server.protocols.embedding_routes",
        ("POST", "/api/embed", "post_ollama"),
        ("POST", "/api/embeddings", "post_ollama"),
        ("POST", "/v1/embeddings", "post_openai"),
    ),
]
ROUTES = [*NATIVE, *PROTOCOLS]
