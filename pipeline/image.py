"""A picture in a conversation. Pure."""

import re
from base64 import b64decode
from dataclasses import dataclass

TOKENS = 1024  # of a prompt, roughly: it depends on the model and on the picture's size
_BEGINNINGS = {
    b"\x89PNG\r\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF8": "image/gif",
}
_WEBP = re.compile(rb"RIFF....WEBP", re.DOTALL)  # other RIFF files are sounds and films


@dataclass(frozen=True, slots=True)
class Image:
    """`data` is base64."""

    media_type: str
    data: str

    @property
    def url(self) -> str:
        return f"data:{self.media_type};base64,{self.data}"


def read_image(data: str) -> Image | None:
    """By its first bytes, whatever its sender calls it; None for what is no base64 of a PNG, JPEG,
    GIF or WebP file. Some encoders break lines."""
    data = data.replace("\r", "").replace("\n", "")
    try:
        content = b64decode(data, validate=True)
    except ValueError:
        return None
    kinds = (kind for head, kind in _BEGINNINGS.items() if content.startswith(head))
    kind = next(kinds, "image/webp" if _WEBP.match(content) else None)
    return Image(kind, data) if kind else None
