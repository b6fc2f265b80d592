"""Code that a model puts into a JSON string although it was asked for the code alone. Pure."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from pipeline.analysis.code_extraction import drop_thinking

MAX_READ = 256 * 1024  # characters
_CODE = ("code", "content", "file_content", "source_code", "solution")
_PATH = ("file_path", "path", "filename", "file_name", "name", "file")
_FENCED = re.compile(r"```(?:json)?[ \t]*\n(.*)\n```", re.DOTALL | re.IGNORECASE)


def out_of_json(reply: str, path: str = "") -> str:
    """The code in a reply that is nothing but JSON with it in; of several files the one of this
    path. Any other reply as it is."""
    if len(reply) > MAX_READ or not any(f'"{key}"' in reply for key in _CODE):
        return reply
    text = drop_thinking(reply).strip()
    fenced = _FENCED.fullmatch(text)
    try:
        value = json.loads(fenced[1] if fenced else text, strict=False)
    except (ValueError, RecursionError):
        return reply
    files = [*_files(value)]
    mine = [code for name, code in files if path and name and f"/{path}".endswith(f"/{name}")]
    codes = mine or [code for name, code in files if not (path and name) or len(files) == 1]
    return codes[0] if len(codes) == 1 else reply


def _files(value: Any) -> Iterator[tuple[str, str]]:
    """What is said to be code, with the path that is said to be its own."""
    listed = value.get("files", [value]) if isinstance(value, Mapping) else value
    for item in listed if isinstance(listed, list) else ():
        if isinstance(item, Mapping) and (code := _first(item, _CODE)).strip():
            yield _first(item, _PATH).removeprefix("./"), code


def _first(item: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    return next((item[key] for key in keys if isinstance(item.get(key), str)), "")
