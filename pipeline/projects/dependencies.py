"""Third-party packages: how a project declares them, and which imports they provide. Pure."""

import json
import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import Any

from pipeline.analysis.toml_syntax import read_toml

# Distributions whose import goes by another name than their own with `-` as `_`.
_IMPORTS = {
    "attrs": "attr",
    "beautifulsoup4": "bs4",
    "biopython": "Bio",
    "discord-py": "discord",
    "djangorestframework": "rest_framework",
    "faiss-cpu": "faiss",
    "gitpython": "git",
    "grpcio": "grpc",
    "mysqlclient": "MySQLdb",
    "opencv-python": "cv2",
    "opencv-python-headless": "cv2",
    "paho-mqtt": "paho",
    "pillow": "PIL",
    "protobuf": "google",
    "psycopg2-binary": "psycopg2",
    "py-cpuinfo": "cpuinfo",
    "pycryptodome": "Crypto",
    "pygithub": "github",
    "pyjwt": "jwt",
    "pymupdf": "fitz",
    "pyopenssl": "OpenSSL",
    "pyserial": "serial",
    "pysocks": "socks",
    "python-dateutil": "dateutil",
    "python-docx": "docx",
    "python-dotenv": "dotenv",
    "python-jose": "jose",
    "python-magic": "magic",
    "python-multipart": "multipart",
    "python-telegram-bot": "telegram",
    "pyyaml": "yaml",
    "pyzmq": "zmq",
    "scikit-image": "skimage",
    "scikit-learn": "sklearn",
    "setuptools": "pkg_resources",
    "websocket-client": "websocket",
}
# Part of another package's promise: `flask` brings werkzeug, `fastapi` starlette and pydantic.
_BROUGHT = {
    "django": {"asgiref"},
    "fastapi": {"pydantic", "starlette"},
    "flask": {"click", "jinja2", "markupsafe", "werkzeug"},
    "pandas": {"numpy"},
    "pytest": {"_pytest"},
    "requests": {"urllib3"},
    "setuptools": {"setuptools"},
    "attrs": {"attrs"},
}
_NODE = {
    *("assert", "async_hooks", "buffer", "child_process", "cluster", "console"),
    *("constants", "crypto", "dgram", "diagnostics_channel", "dns", "domain", "events", "fs"),
    *("http", "http2"),
    *("https", "inspector", "module", "net", "os", "path", "perf_hooks", "process"),
    *("punycode", "querystring", "readline", "repl", "stream", "string_decoder", "sys"),
    *("timers", "tls", "trace_events", "tty", "url", "util", "v8", "vm", "wasi", "worker_threads"),
    *("zlib"),
}
_MOST_LINES = 5_000  # of a requirements file: far more than anybody declares
_NAME = re.compile(r"\s*(@?[A-Za-z0-9][\w.@/-]*)")
_SEPARATORS = re.compile(r"[-_.]+")
_NOT_NAMED = re.compile(r"-|[\w.+]+://")  # an option, or an address whose package it does not say
_PLUGINS = re.compile(r"(pytest-|types-|@types/|eslint|prettier|vite|flake8-)")
_TOOLS = {"black", "coverage", "gunicorn", "hatchling", "jest", "mypy", "nodemon", "pytest", "ruff"}
_TOOLS |= {"setuptools", "ts-node", "tsx", "typescript", "uvicorn", "vitest", "wheel"}


def distribution(requirement: str) -> str:
    """The package's name in a requirement: `PyYAML>=6` → `pyyaml`, `@scope/x@^1` → `@scope/x`; its
    dots and underscores as they are written, which npm tells apart (`canonical`)."""
    found = _NAME.match(requirement)
    name = found[1].lower() if found else ""
    scope, at, rest = name.partition("/") if name.startswith("@") else ("", "", name)
    return f"{scope}{at}{rest.partition('@')[0]}"


def canonical(package: str) -> str:
    """The name by which Python's index knows a package: `ruamel.yaml`, `ruamel_yaml` and
    `ruamel-yaml` are one."""
    return _SEPARATORS.sub("-", package)


def declared(texts: Mapping[str, str], listed: Iterable[str]) -> set[str]:
    """The packages that the plan lists and those that the project's own files declare."""
    found = [*listed]
    for path, text in texts.items():
        name = PurePosixPath(path).name
        if name.startswith("requirements") and name.endswith(".txt"):
            lines = (line.partition("#")[0].strip() for line in text.splitlines()[:_MOST_LINES])
            found += [line for line in lines if line and not _NOT_NAMED.match(line)]
        elif name == "pyproject.toml":
            found += _of_pyproject(text)
        elif name == "package.json":
            found += _of_package(text)
    return {distribution(each) for each in found} - {""}


def _of_pyproject(text: str) -> list[str]:
    try:
        value = read_toml(text) or {}
    except (ValueError, RecursionError):
        return []
    project = _table(value, "project")
    lists = [project.get("dependencies"), *_table(project, "optional-dependencies").values()]
    lists += _table(value, "dependency-groups").values()
    poetry = _table(_table(value, "tool"), "poetry")
    names = [name for name in _table(poetry, "dependencies") if name != "python"]
    return names + [
        each for part in lists if isinstance(part, list) for each in part if isinstance(each, str)
    ]


def _of_package(text: str) -> list[str]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return []
    kinds = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")
    return [name for kind in kinds for name in _table(value, kind)]


def _table(value: Any, key: str) -> dict[str, Any]:
    part = value.get(key) if isinstance(value, dict) else None
    return part if isinstance(part, dict) else {}


def is_standard(module: str) -> bool:
    """Whether Python has the module itself."""
    return module.partition(".")[0] in sys.stdlib_module_names | {"__future__", "__main__"}


def provides(package: str, module: str) -> bool:
    """Whether a declared package is what a Python import means."""
    top, package = module.partition(".")[0].lower(), canonical(package)
    own = _IMPORTS.get(package, package.replace("-", "_")).lower()
    if top == own or top in _BROUGHT.get(package, ()):
        return True
    # Namespaces: google-cloud-storage, zope-interface, ruamel-yaml; and python-xyz for xyz.
    return own.startswith(f"{top}_") or own == f"python_{top}" or own == f"py{top}"


def node_package(source: str) -> str | None:
    """The package that a bare import of JavaScript names; None for one of Node's own."""
    if source.startswith(("node:", "bun:", "deno:", "http:", "https:", "data:", "virtual:", "#")):
        return None
    parts = source.split("/")
    name = "/".join(parts[:2]) if source.startswith("@") else parts[0]
    return None if name in _NODE else name.lower()


def is_tool(package: str) -> bool:
    """Whether a package does its work without being imported."""
    return canonical(package) in _TOOLS or bool(_PLUGINS.match(canonical(package)))
