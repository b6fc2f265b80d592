"""Parse what is to be pulled: a name of the catalogue, a repository of Hugging Face, an address."""

import re
from dataclasses import dataclass
from difflib import get_close_matches
from urllib.parse import unquote, urlsplit

from pipeline.errors import BadRequest, ModelNotFound
from pipeline.models.catalog import CATALOG, find_model
from pipeline.models.local_library import name_of_file

USUAL_QUANTIZATION = "Q4_K_M"
_REPOSITORY = re.compile(
    r"(?:hf\.co|huggingface\.co)/(?P<repository>[\w.-]+/[\w.-]+?)(?::(?P<quantization>[\w.-]+))?",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class ModelReference:
    """`name` is the one that the model gets here, without `local/`. Its file is that of `url`, or
    `file` of the repository, or (where that is "") the one with the quantization. `sha256` is ""
    where it is not known beforehand."""

    name: str
    repository: str = ""
    file: str = ""
    quantization: str = ""
    revision: str = "main"
    sha256: str = ""
    url: str = ""

    @property
    def source(self) -> str:
        return self.url or f"hf.co/{self.repository}"


def read_reference(text: str) -> ModelReference:
    """Understands `qwen2.5-coder:7b`, `hf.co/USER/REPO[:QUANT]` and `https://…/x.gguf`.

    Raises ModelNotFound for a name that the catalogue does not have, BadRequest for an address
    that leads to no model file.
    """
    if "://" in text:
        return _read_url(text)
    if found := _REPOSITORY.fullmatch(text):
        quantization = (found["quantization"] or USUAL_QUANTIZATION).upper()
        repository = found["repository"]
        return ModelReference(
            f"hf.co/{repository}:{quantization}", repository, quantization=quantization
        )
    return _read_name(text)


def _read_name(name: str) -> ModelReference:
    known = find_model(name)
    if known is None:
        if name.endswith(".gguf"):
            raise ModelNotFound(
                f"{name} is the name of a file. One on this machine: `laios models import FILE`; "
                "one elsewhere is pulled by its address, https://…/x.gguf."
            )
        names = [model.name for model in CATALOG]
        near = [each for each in names if each.startswith(f"{name}:")]
        near = near or get_close_matches(name, names, cutoff=0.8)
        hint = f"there is {', '.join(near)}" if near else "see `laios models catalog`"
        raise ModelNotFound(
            f"There is no {name} in the catalogue: {hint}. Any GGUF on Hugging Face can be pulled "
            "as hf.co/USER/REPO. With Ollama (`ollama serve`) all names in its library work."
        )
    if not known.chats:
        raise ModelNotFound(
            f"{name} is an embedding model, which laios only runs on Ollama: "
            f"`laios models pull {name} --engine ollama`."
        )
    revision = known.commit or "main"
    return ModelReference(name, known.repository, known.file, "", revision, known.sha256)


def _read_url(url: str) -> ModelReference:
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise BadRequest(f"{url} is not an address: {error}.") from None
    file = unquote(parts.path).rpartition("/")[2]  # `..%2F..%2Fx.gguf` leads nowhere else
    stem = name_of_file(file.removesuffix(".gguf"))
    is_model = file.endswith(".gguf") and file.isprintable()
    if parts.scheme not in ("https", "http") or not is_model or not stem:
        raise BadRequest(f"{url} is not the address of a model file. Write https://…/NAME.gguf.")
    return ModelReference(stem, file=file, url=url)
