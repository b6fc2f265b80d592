"""The requests that are sent to laios and to a real Ollama alike, and what then differs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Headers = Mapping[str, str]
NO_HEADERS: Headers = {}
MODEL = "$MODEL"  # the model's name in a request: each server has its own
ASK = {"messages": [{"role": "user", "content": "add"}]}
FEW = {"options": {"num_predict": 3}}
SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
TOOL = {"type": "function", "function": {"name": "f", "description": "", "parameters": {}}}
UNREACHABLE = "127.0.0.1:9/a/b"  # as a name: a registry where nobody listens

# Why answers differ.
OURS = "what it says is the mode's, not a file's"
LENIENT = "what laios does not know or need never refuses a request"
TEXT_ONLY = "laios reads text"
ASKED = "laios answers a user's message"
MODES = "the models here are modes: they are not changed over this protocol"
ONE_SHAPE = "every refusal of laios says in JSON what helps"
VECTORS = "vectors come from a model that is made for them; the real one takes any"
NEWER = "newer servers list them, and clients read them"
STRICT = "pages ask only where ALLOWED_ORIGINS names them, local ones too"
LEGACY = "no chat client was seen to use it"
SEVERAL = "no one model has made the answer"
COUNTED = "tokens that the caller does not see are told apart"
OPENAI = "OpenAI's own field, which its SDKs know"
CODE = "laios' errors have a code"
UNSET = "null is what is not set"


@dataclass(frozen=True)
class Row:
    """A request, and what differs: `status`, `type` (of the content), a field that Ollama alone
    (`-`) or laios alone (`+`) has, one of another type (`!`); `first` are the pieces of a stream
    but its last. A name that ends in `*` stands for all that begin so. `sent`: laios itself sends
    it, so that the fake has to answer it as the real one does."""

    name: str
    method: str
    path: str
    body: Any = None
    meant: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    sent: bool = False


def post(name: str, path: str, body: Any, sent: bool = False, **meant: str) -> Row:
    return Row(name, "POST", path, body, _named(meant), sent=sent)


def get(
    name: str, path: str, sent: bool = False, headers: Headers = NO_HEADERS, **meant: str
) -> Row:
    return Row(name, "GET", path, None, _named(meant), headers, sent)


def _named(meant: Mapping[str, str]) -> dict[str, str]:
    """`status="…"`, or `fields={"+x": "…"}`."""
    fields: Any = meant.get("fields", {})
    return {name: why for name, why in meant.items() if name != "fields"} | fields


def chat(name: str, more: Mapping[str, Any], sent: bool = True, **meant: Any) -> Row:
    body = {"model": MODEL} | ASK | FEW | more
    return post(f"chat: {name}", "/api/chat", body, sent, **meant)


def generate(name: str, more: Mapping[str, Any], **meant: Any) -> Row:
    body = {"model": MODEL, "prompt": "add"} | FEW | more
    return post(f"generate: {name}", "/api/generate", body, **meant)


def openai(name: str, path: str, more: Mapping[str, Any], **meant: Any) -> Row:
    return post(f"v1: {name}", f"/v1/{path}", {"model": MODEL} | more, **meant)


SHOWN = {
    "-model_info*": OURS,
    "+model_info*": OURS,
    "-tensors*": OURS,
}
USAGE = "usage.completion_tokens_details*"
FINGERPRINT = "system_fingerprint"
V1_ERROR = {"!error.code": CODE}
CHAT = "chat/completions"

ROWS = [
    get("root", "/"),
    Row("root, head", "HEAD", "/"),
    get("version", "/api/version", sent=True),
    get("tags", "/api/tags", sent=True, fields={"+models[].capabilities*": NEWER}),
    post("show", "/api/show", {"model": MODEL}, sent=True, fields=SHOWN),
    post("show by the old name", "/api/show", {"name": MODEL}, fields=SHOWN),
    post("show nothing", "/api/show", {}, sent=True),
    post("show another", "/api/show", {"model": "nobody"}, sent=True),
    chat("stream", {}),
    chat("whole", {"stream": False}, sent=False),
    chat("json", {"format": "json"}),
    chat("schema", {"format": SCHEMA}),
    chat("rubbish as format", {"format": "yaml"}, status=LENIENT),
    chat("probabilities", {"logprobs": True, "top_logprobs": 2}),
    chat("thinking off", {"think": False}),
    chat("thinking on", {"think": True}, status="progress shows as thinking"),
    chat("tools", {"tools": [TOOL]}, status="AGENT_FALLBACK: harmless tools may be left out"),
    chat(
        "an image",
        {"messages": [{"role": "user", "content": "a", "images": ["aGk="]}]},
        sent=False,
        status=TEXT_ONLY,
    ),
    chat(
        "parts",
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "a"}]}]},
        sent=False,
        status=LENIENT,
    ),
    chat(
        "a system message alone",
        {"messages": [{"role": "system", "content": "a"}]},
        sent=False,
        status=ASKED,
    ),
    chat("messages that are none", {"messages": "add"}, sent=False),
    chat(
        "a role that is none",
        {"messages": [{"role": "nobody", "content": "a"}]},
        sent=False,
        status=ASKED,
    ),
    chat("options that are none", {"options": {"nothing": 1, "num_predict": 2}}),
    chat("a wrong keep_alive", {"keep_alive": "300"}, status=LENIENT),
    chat("load", {"messages": [], "stream": False}),
    get("running", "/api/ps", sent=True),
    chat("another model", {"model": "nobody"}),
    post("chat: no model", "/api/chat", ASK, sent=True, status="laios alone is meant"),
    post("chat: nothing", "/api/chat", "", sent=True),
    post("chat: no JSON", "/api/chat", "{", sent=True),
    post("chat: a list", "/api/chat", "[]"),
    get("chat: get", "/api/chat", type=ONE_SHAPE),
    Row("chat: put", "PUT", "/api/chat", {}, {"type": ONE_SHAPE}),
    generate("stream", {}),
    generate("whole", {"stream": False}),
    generate("raw", {"raw": True}),
    generate("system", {"system": "Be brief."}),
    generate("suffix", {"suffix": "return a"}, status="the real one knows no gap in this model"),
    generate("context", {"context": [1, 2, 3]}, status="another server's tokens"),
    generate("schema", {"format": SCHEMA}),
    generate("a prompt that is none", {"prompt": 3}),
    generate("load", {"prompt": "", "stream": False}),
    generate("another model", {"model": "nobody"}),
    post("embed", "/api/embed", {"model": MODEL, "input": "a"}, sent=True, status=VECTORS),
    post("embeddings", "/api/embeddings", {"model": MODEL, "prompt": "a"}, True, status=VECTORS),
    post("pull", "/api/pull", {"model": UNREACHABLE, "stream": False}, status=MODES),
    post("push", "/api/push", {"model": "nobody", "stream": False}, status=MODES),
    post("create", "/api/create", {"model": "x", "from": UNREACHABLE}, status=MODES),
    post("copy", "/api/copy", {"source": "nobody", "destination": "x"}),
    Row("delete", "DELETE", "/api/delete", {"model": "nobody"}),
    Row("blob", "HEAD", "/api/blobs/sha256:" + "0" * 64),
    get("nothing there", "/api/nothing", type=ONE_SHAPE),
    get("v1: models", "/v1/models"),
    get("v1: a model", f"/v1/models/{MODEL}"),
    get("v1: another model", "/v1/models/nobody", fields=V1_ERROR),
    openai(
        "chat",
        CHAT,
        ASK | {"max_tokens": 3},
        fields={
            f"-{FINGERPRINT}": SEVERAL,
            f"+{USAGE}": COUNTED,
            "+choices[].message.refusal": OPENAI,
            "+choices[].logprobs": OPENAI,
        },
    ),
    openai(
        "chat, stream",
        CHAT,
        ASK | {"max_tokens": 3, "stream": True, "stream_options": {"include_usage": True}},
        fields={
            f"-first {FINGERPRINT}": SEVERAL,
            f"-last {FINGERPRINT}": SEVERAL,
            f"+last {USAGE}": COUNTED,
        },
    ),
    openai("chat, another model", CHAT, ASK | {"model": "nobody"}, fields=V1_ERROR),
    openai("chat, nothing asked", CHAT, {"messages": []}, fields=V1_ERROR),
    openai("completions", "completions", {"prompt": "a", "max_tokens": 3}, status=LEGACY),
    openai("embeddings", "embeddings", {"input": "a"}, status=VECTORS),
    openai(
        "responses",
        "responses",
        {"input": "add", "max_output_tokens": 3},
        fields={
            "-presence_penalty": LENIENT,
            "-frequency_penalty": LENIENT,
            "-top_logprobs": LENIENT,
            "-max_tool_calls": LENIENT,
            "-service_tier": LENIENT,
            "-safety_identifier": LENIENT,
            "-prompt_cache_key": LENIENT,
            "!top_p": UNSET,
            "!temperature": UNSET,
            "!reasoning": OPENAI,
            "+reasoning*": OPENAI,
            "!completed_at": "an answer that was cut off says so",
            "!incomplete_details": "an answer that was cut off says so",
            "+incomplete_details*": "an answer that was cut off says so",
        },
    ),
    openai(
        "messages",
        "messages",
        ASK | {"max_tokens": 3},
        fields={"+stop_sequence": "Anthropic's own field"},
    ),
    get("a local page", "/api/tags", headers={"Origin": "http://localhost:3000"}, status=STRICT),
    get(
        "a foreign page",
        "/api/tags",
        True,
        {"Origin": "http://page.example"},
        type=ONE_SHAPE,
    ),
    get("a page that is named", "/api/version", headers={"Origin": "http://chat.example"}),
    get("a foreign host", "/api/tags", True, {"Host": "page.example"}, type=ONE_SHAPE),
    chat("unload", {"messages": [], "keep_alive": 0, "stream": False}),
]
