"""A model file: what it is, and whether this machine can run it. Asked before minutes are spent."""

import glob
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pipeline.errors import ContextTooLong, ModelNotFound
from pipeline.models import gguf
from pipeline.models.adapter import refuse_adapter
from pipeline.models.auto import NOT_CHAT_FAMILIES
from pipeline.models.machine import total_memory
from pipeline.models.model_footprint import footprint

PART = re.compile(r"(?P<stem>.+)-(?P<number>\d{5})-of-(?P<count>\d{5})\.gguf")

NO_TEMPLATE = (
    "has no chat template: it is a base model, which continues a text instead of answering. Use "
    "its chat version, often named -instruct or -it."
)


def parts_of(path: Path) -> list[Path]:
    """The files of a model, of which `path` is the first (`…-00001-of-00003.gguf`) or the only
    one."""
    first = PART.fullmatch(path.name)
    if not first:
        return [path]
    return sorted(path.parent.glob(f"{glob.escape(first['stem'])}-*-of-{first['count']}.gguf"))


def size_of(path: Path) -> int:
    """The bytes of all of its parts. Raises OSError."""
    return sum(part.stat().st_size for part in parts_of(path))


def read_chat_header(path: Path, name: str = "", *, half: bool = False) -> gguf.Header:
    """The header of a model that is made for chat; `name` is what people call the file, if that is
    another than the path's. `half`: the rest of it is still to come. Raises ModelNotFound where
    there is none."""
    header = read_header(path, name, half=half)
    if not header.has_chat_template:
        raise ModelNotFound(f"{name or path.name} {NO_TEMPLATE}")
    return header


def read_header(path: Path, name: str = "", *, half: bool = False) -> gguf.Header:
    """The header of a model that writes text, be it a base model that has no chat template. Raises
    ModelNotFound where there is none, or (but for one that is `half` there) not all of it."""
    _refuse_later_part(path, name or path.name)
    with _refusing(path, name or str(path)):
        header = gguf.read_header(path)
    refuse_adapter(header, name or path.name)
    if header.architecture in NOT_CHAT_FAMILIES:
        raise ModelNotFound(
            f"{name or path.name} writes no text (its architecture is {header.architecture}). Use "
            "a chat model."
        )
    if not half:
        _refuse_incomplete(path, name or path.name, header.parts)
    return header


def _refuse_later_part(path: Path, name: str) -> None:
    """Raises ModelNotFound for a part that is not the first: that one alone has the header."""
    part = PART.fullmatch(path.name)
    if part and 1 < int(part["number"]) <= int(part["count"]):
        first = path.with_name(f"{part['stem']}-00001-of-{part['count']}.gguf")
        raise ModelNotFound(f"{name} is a later part of a model. Name the first: {first}")


@contextmanager
def _refusing(path: Path, name: str) -> Iterator[None]:
    """Raises ModelNotFound where no header can be read."""
    try:
        yield
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise ModelNotFound(f"No model file at {path}: {why}.") from error
    except gguf.NotGguf as error:
        raise ModelNotFound(f"{name} is not a GGUF model: {error}.") from error


def _refuse_incomplete(path: Path, name: str, count: int) -> None:
    """`count` is the number of parts that the header speaks of."""
    parts, part = parts_of(path), PART.fullmatch(path.name)
    count = max(count, int(part["count"]) if part else 1)
    if len(parts) != count:
        raise ModelNotFound(
            f"{name} is one of {count} parts of a model, with {len(parts) - 1} of the others "
            "beside it. Put all of them into one directory, under the names that they came with, "
            "and name the first."
        )
    for each in parts:
        with _refusing(each, str(each)):
            end, size = gguf.weights_end(each), each.stat().st_size
        if end > size:
            raise ModelNotFound(
                f"{name if each == path else each.name} is cut off: it has {size:,} of at least "
                f"{end:,} bytes. Download it again, or from somewhere else."
            )


def memory_for(path: Path, window: int) -> int:
    """The bytes that it takes with a window of so many tokens."""
    return footprint(size_of(path), gguf.read_header(path).cache_bytes, window)


def refuse_too_large(path: Path, window: int = 0) -> None:
    """What does not fit would be read from the disk again for every word. `window` is in tokens.

    Raises ModelNotFound where the weights alone are too large, ContextTooLong for the window.
    """
    memory = total_memory()
    need = memory_for(path, window)
    if memory is None or need <= memory:
        return
    has = f"this machine has {memory / 1e9:.1f} GB"
    if memory_for(path, 0) > memory:
        raise ModelNotFound(
            f"{path.name} needs {need / 1e9:.1f} GB of memory and {has}. Choose a smaller model: "
            "`laios models catalog`."
        )
    raise ContextTooLong(
        f"{path.name} needs {need / 1e9:.1f} GB of memory with a window of {window:,} tokens, and "
        f"{has}. Shorten the prompt, lower MAX_CONTEXT_TOKENS or choose a smaller model."
    )
