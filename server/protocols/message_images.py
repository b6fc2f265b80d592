"""The pictures of a message, in any protocol's form: `image_url` (OpenAI), `input_image` (its
Responses API), `image` (Anthropic), and Ollama's list beside the text. Pure.

laios fetches nothing: a picture is in the request itself.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from pipeline.errors import BadRequest
from pipeline.image import Image, read_image

KINDS = ("image_url", "input_image", "image")
_UNREADABLE = (
    "One of the images cannot be read. Send a PNG, JPEG, GIF or WebP file as base64, in a data: "
    "URL where the protocol has a URL; laios does not fetch images."
)


def is_image(part: object) -> bool:
    return isinstance(part, Mapping) and part.get("type") in KINDS


def has_images(message: Mapping[str, Any]) -> bool:
    """Raises BadRequest for `images` that are no list."""
    return any(True for _ in _given(message))


def without_images(content: object) -> object:
    """The content's other parts."""
    if not isinstance(content, list):
        return content
    return [part for part in content if not is_image(part)]


def images_of(message: Mapping[str, Any]) -> list[Image]:
    """Raises BadRequest for one that is none."""
    read = [*map(read_image, data_of(message))]
    found = [image for image in read if image]
    if len(found) < len(read):
        raise BadRequest(_UNREADABLE)
    return found


def data_of(message: Mapping[str, Any]) -> list[str]:
    """The base64 of each picture as it came; "" where there is none."""
    return [_data(given) for given in _given(message)]


def _given(message: Mapping[str, Any]) -> Iterator[object]:
    content, beside = message.get("content"), message.get("images")
    yield from (part for part in content if is_image(part)) if isinstance(content, list) else ()
    if beside is not None and not isinstance(beside, list):
        raise BadRequest('The field "images" must be a list of images in base64.')
    yield from beside or ()


def _data(given: object) -> str:
    """Its base64; "" where there is none."""
    if isinstance(given, Mapping):
        source = given.get("source", given.get("image_url"))
        if isinstance(source, Mapping):
            source = source.get("data", source.get("url"))
        given = source
    if not isinstance(given, str):
        return ""
    head, comma, data = given.partition(",")
    return data if comma and head.startswith("data:") else given
