"""The style sheet and the scripts, under an address that changes with what is in them."""

from functools import cache
from hashlib import blake2b
from pathlib import Path

DIRECTORY = Path(__file__).parent / "static"
_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
HEADERS = {"Cache-Control": "public, max-age=31536000, immutable"}


@cache
def contents() -> dict[str, tuple[bytes, str]]:
    """Each file's name → its bytes and media type."""
    paths = sorted(path for path in DIRECTORY.iterdir() if path.suffix in _TYPES)
    return {path.name: (path.read_bytes(), _TYPES[path.suffix]) for path in paths}


@cache
def version() -> str:
    """One for all files, so that scripts find each other by relative names."""
    digest = blake2b(digest_size=6)
    for name, (body, _) in contents().items():
        digest.update(name.encode() + b"\0" + body)
    return digest.hexdigest()


def url(name: str) -> str:
    """Where a file is."""
    assert name in contents(), name
    return f"/dashboard/static/{version()}/{name}"
