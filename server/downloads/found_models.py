"""Model files that other programs have put on this machine, and taking them over by a link."""

import json
import math
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from config import client_variable, expanded
from pipeline.errors import ModelFailed, ModelNotFound
from pipeline.models.gguf import Header, read_header
from pipeline.models.local_library import (
    LocalEntry,
    LocalLibrary,
    Manifest,
    ModelPart,
    check_name,
    name_of_file,
)
from pipeline.models.model_file import PART, parts_of, read_chat_header, size_of
from pipeline.models.trial_load import refuse_unloadable

OLLAMA_REGISTRY = "registry.ollama.ai"
OLLAMA_SERVICE = Path("/usr/share/ollama/.ollama/models")  # of the user that its installer makes
_MODEL_LAYER = "application/vnd.ollama.image.model"


@dataclass(frozen=True, slots=True)
class FoundModel:
    """`name` is the one that it would get here; `owner` whose directory it lies in."""

    name: str
    owner: str
    path: Path

    @property
    def size(self) -> int:
        return size_of(self.path)


def find_models() -> list[FoundModel]:
    """The chat models in the directories of Hugging Face, LM Studio and Ollama, by name."""
    return [model for _, (model, _) in sorted(chat_models().items())]


def chat_models(within_s: float = math.inf) -> dict[str, tuple[FoundModel, Header]]:
    """The same with their headers; of several of one name, the first. After `within_s` seconds it
    looks at no further file."""
    until = time.monotonic() + within_s
    found: dict[str, tuple[FoundModel, Header]] = {}
    for model in chain(_of_hugging_face(), _of_lm_studio(), _of_ollama()):
        if time.monotonic() > until:
            break
        with suppress(ModelNotFound):
            found.setdefault(model.name, (model, read_chat_header(model.path)))
    return found


def model_at(path: Path) -> FoundModel:
    """A file of one's own. Raises ModelNotFound."""
    read_chat_header(path)
    part = PART.fullmatch(path.name)
    stem = part["stem"] if part else path.stem
    return FoundModel(name_of_file(stem) or stem, str(path.parent), path.absolute())


def link(library: LocalLibrary, model: FoundModel) -> LocalEntry:
    """Makes a found model one of the library, if llama.cpp can load it. Raises BadRequest,
    ModelNotFound, and ModelFailed where the library cannot be written."""
    check_name(model.name)
    refuse_unloadable(model.path, model.name)
    try:
        directory = library.directory_of(model.name)
        parts = [_linked(file, directory) for file in parts_of(model.path)]
        return library.add(model.name, Manifest(source=str(model.path), parts=parts))
    except OSError as error:
        raise ModelFailed(f"{model.name} cannot be linked: {error}.") from None


def _linked(file: Path, directory: Path) -> ModelPart:
    """A file of the model's in its directory. One that lies there already stays: somebody has put
    it there by hand. Raises OSError."""
    place = directory / (file.name if file.suffix == ".gguf" else "model.gguf")
    if not (place.exists() and place.samefile(file)):
        place.unlink(missing_ok=True)
        place.symlink_to(file)
    return ModelPart(file=place.name, size=place.stat().st_size)


def _of_hugging_face() -> Iterator[FoundModel]:
    """Its cache, where its own tools have it, holds a directory for each repository and commit."""
    usual = client_variable("XDG_CACHE_HOME") or "~/.cache"
    home = client_variable("HF_HOME") or f"{usual}/huggingface"
    told = client_variable("HF_HUB_CACHE") or client_variable("HUGGINGFACE_HUB_CACHE")
    cache = _directory(told or f"{home}/hub")
    for path in _first_files(cache, "models--*/snapshots/*/**/*.gguf"):
        repository = path.relative_to(cache).parts[0].removeprefix("models--").replace("--", "/")
        yield FoundModel(f"hf.co/{repository}:{_label(path)}", "Hugging Face", path)


def _of_lm_studio() -> Iterator[FoundModel]:
    for home in (".lmstudio/models", ".cache/lm-studio/models"):
        directory = _directory(f"~/{home}")
        for path in _first_files(directory, "*/*/*.gguf"):
            repository = "/".join(path.relative_to(directory).parts[:2])
            yield FoundModel(f"hf.co/{repository}:{_label(path)}", "LM Studio", path)


def _of_ollama() -> Iterator[FoundModel]:
    if told := client_variable("OLLAMA_MODELS"):
        return _of_manifests(_directory(told))
    own = _directory("~/.ollama/models")
    return chain(_of_manifests(own), _of_manifests(OLLAMA_SERVICE))


def _directory(told: str) -> Path:
    """Absolute: a link to what is found in it leads nowhere otherwise."""
    return expanded(os.path.expandvars(told)).absolute()


def _of_manifests(models: Path) -> Iterator[FoundModel]:
    """A manifest names the blob that is the model's file. What may not be read is not there."""
    manifests = models / "manifests"
    for path in filter(os.path.isfile, _matching(manifests, "*/*/*/*")):  # host, owner, name, tag
        with suppress(OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            layers = json.loads(path.read_bytes())["layers"]
            digests = [each["digest"] for each in layers if each["mediaType"] == _MODEL_LAYER]
            blob = models / "blobs" / digests[0].replace(":", "-") if digests else None
            if blob and blob.is_file():
                yield FoundModel(_tag(path.relative_to(manifests)), "Ollama", blob)


def _tag(manifest: Path) -> str:
    """As Ollama lists it: its own library's models without an address."""
    *where, tag = manifest.parts
    if where[0] == OLLAMA_REGISTRY:
        where = where[2:] if where[1] == "library" else where[1:]
    return f"{'/'.join(where)}:{tag}"


def _first_files(directory: Path, pattern: str) -> Iterator[Path]:
    """Models, each by its first part."""
    for path in _matching(directory, pattern):
        part = PART.fullmatch(path.name)
        if not path.name.startswith("mmproj") and (not part or int(part["number"]) == 1):
            yield path


def _matching(directory: Path, pattern: str) -> list[Path]:
    """In order; none where nobody may look."""
    with suppress(OSError):  # glob passes over what it meets, but not over the directory itself
        return sorted(directory.glob(pattern))
    return []


def _label(path: Path) -> str:
    """What tells a repository's files apart: the quantization, else the file's own name."""
    with suppress(OSError, ValueError):
        return read_header(path).quantization or path.stem
    return path.stem
