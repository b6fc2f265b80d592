"""A model's name as OpenTelemetry's GenAI conventions have it."""

from urllib.parse import urlsplit

from laios.model_names import shown_name

# Theirs where they have one, else the name that laios knows it by (ollama, local, hosted_vllm).
PROVIDERS = {
    "azure": "azure.ai.openai",
    "bedrock": "aws.bedrock",
    "gemini": "gcp.gemini",
    "mistral": "mistral_ai",
    "moonshot": "moonshot_ai",
    "vertex_ai": "gcp.vertex_ai",
    "watsonx": "ibm.watsonx.ai",
    "xai": "x_ai",
}


def attributes_of(name: str) -> dict[str, str | int | None]:
    """Of `provider/model` or `provider@host:port/model`. Of a file there is its name alone: where
    people keep things is nobody's business."""
    before, _, model = shown_name(name).partition("/")
    provider, _, host = before.partition("@")
    found: dict[str, str | int | None] = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": PROVIDERS.get(provider, provider),
        "gen_ai.request.model": model,
    }
    if host:
        found |= _server(host)
    return found


def _server(host: str) -> dict[str, str | int | None]:
    try:
        parts = urlsplit(f"//{host}")
        return {"server.address": parts.hostname, "server.port": parts.port}
    except ValueError:
        return {}
