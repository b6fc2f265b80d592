"""A model on a server: its files with their sizes and checksums, before any is fetched."""

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pipeline.errors import ModelFailed, ModelNotFound
from pipeline.models.model_file import PART
from server.downloads.hub_call import hub_call
from server.downloads.model_reference import ModelReference

if TYPE_CHECKING:
    from huggingface_hub.hf_api import ModelInfo, RepoSibling

_SHA256 = re.compile(r"[0-9a-f]{64}")
_QUANTIZATION = re.compile(
    r"(?:^|[-._])((?:UD-)?(?:[IT]?Q\d\w*|BF16|FP?(?:16|32)|MXFP4\w*))$", re.IGNORECASE
)
_PART_NUMBER = re.compile(r"-\d{5}(?=-of-\d{5}\.gguf$)")
_BESIDE = ("mmproj", "imatrix")  # beginnings of files that are no models of their own


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """`size` is in bytes, None where the server does not say. `etag` changes with the content; the
    hub's of a large file is its SHA-256."""

    file: str
    url: str
    size: int | None
    etag: str = ""
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)  # may hold a token

    @property
    def sha256(self) -> str:
        """ "" where the server does not say it."""
        return self.etag if _SHA256.fullmatch(self.etag) else ""

    @property
    def key(self) -> str:
        """A name for this content of the file; without a SHA-256 it begins with one for its
        address."""
        address, content = (hashlib.sha256(each.encode()) for each in (self.url, self.etag))
        return self.sha256 or address.hexdigest()[:8] + content.hexdigest()


@dataclass(frozen=True, slots=True)
class RemoteModel:
    """What a pull of a reference will fetch."""

    reference: ModelReference
    files: list[RemoteFile]
    commit: str = ""
    licence: str = ""

    @property
    def size(self) -> int:
        """Bytes, as far as they are known."""
        return sum(each.size or 0 for each in self.files)

    @property
    def summary(self) -> str:
        """Name, size, licence and commit, as far as they are known."""
        facts = [f"{self.size / 1e9:.2f} GB" if self.size else "size not said"]
        facts += [f"licence {self.licence}"] if self.licence else []
        facts += [f"commit {self.commit[:12]}"] if self.commit else []
        return f"{self.reference.name}: {', '.join(facts)}"


def look_up(reference: ModelReference) -> RemoteModel:
    """Asks the server about a model; nothing is fetched.

    Raises ModelNotFound (no such repository, file or quantization), ModelUnreachable and
    ModelFailed.
    """
    with hub_call(reference.source):
        return _look_up_url(reference) if reference.url else _look_up_repository(reference)


def _look_up_url(reference: ModelReference) -> RemoteModel:
    """The parts of a split file have the same name but for their number."""
    part = PART.fullmatch(reference.file)
    names = _part_names(part["stem"], int(part["count"])) if part else []
    found = [_ask(_part_url(reference.url, n), name) for n, name in enumerate(names, 1)]
    return RemoteModel(reference, found or [_ask(reference.url, reference.file)])


def _part_url(url: str, number: int) -> str:
    """Its address from that of another part, in which the name may be escaped, and may stand in a
    directory's as well."""
    parts = urlsplit(url)
    directory, slash, file = parts.path.rpartition("/")
    return parts._replace(path=directory + slash + _PART_NUMBER.sub(f"-{number:05}", file)).geturl()


def _ask(url: str, name: str) -> RemoteFile:
    """The token is for the hub alone; httpx leaves it out where a redirect leads elsewhere."""
    from huggingface_hub import constants, get_hf_file_metadata
    from huggingface_hub.utils import build_hf_headers

    token = None if url.startswith(f"{constants.ENDPOINT}/") else False  # None: the user's, if any
    facts = get_hf_file_metadata(url, token=token)
    headers = build_hf_headers(token=token, library_name="laios")
    size, etag = facts.size, facts.etag or ""
    if size is None:  # the address leads to another server, which was not asked
        size, etag = _size_and_etag(url, headers)
    return RemoteFile(name, url, size, etag, headers)


def _size_and_etag(url: str, headers: Mapping[str, str]) -> tuple[int | None, str]:
    """As the last server states them to which the address leads. It is asked as for the file
    itself, since a signed address may allow nothing else; nothing of that is read."""
    from huggingface_hub import constants, get_session
    from huggingface_hub.utils import hf_raise_for_status

    headers = {"Accept-Encoding": "identity", **headers}
    timeout = constants.HF_HUB_ETAG_TIMEOUT
    with get_session().stream(
        "GET", url, headers=headers, timeout=timeout, follow_redirects=True
    ) as response:
        hf_raise_for_status(response)
        size = response.headers.get("Content-Length")
        return int(size) if size else None, response.headers.get("ETag", "")


def _look_up_repository(reference: ModelReference) -> RemoteModel:
    from huggingface_hub import HfApi

    api = HfApi(library_name="laios")
    info = api.model_info(reference.repository, revision=reference.revision, files_metadata=True)
    siblings = {each.rfilename: each for each in info.siblings or []}
    names = [reference.file] if reference.file else choose_files(siblings, reference)
    files = [_remote_file(api.endpoint, info, siblings[name]) for name in names if name in siblings]
    if not files:
        raise ModelNotFound(f"{reference.source} has no file {reference.file} (any more).")
    if reference.sha256 and files[0].sha256 != reference.sha256:
        raise ModelFailed(
            f"{reference.source} has a different {reference.file} from the one that laios knows. "
            f"To use it anyway: `laios models pull hf.co/{reference.repository}`."
        )
    return RemoteModel(reference, files, info.sha or "", _licence(info))


def _remote_file(endpoint: str, info: "ModelInfo", sibling: "RepoSibling") -> RemoteFile:
    from huggingface_hub import hf_hub_url
    from huggingface_hub.utils import build_hf_headers

    name = sibling.rfilename
    url = hf_hub_url(info.id, name, revision=info.sha, endpoint=endpoint)
    checksum = sibling.lfs.sha256 if sibling.lfs else ""
    headers = build_hf_headers(library_name="laios")
    return RemoteFile(name.rpartition("/")[2], url, sibling.size, checksum, headers)


def choose_files(names: Iterable[str], reference: ModelReference) -> list[str]:
    """The files of a repository with the quantization that is asked for, the parts of a split one
    in order; a whole file comes before the same in parts. Another quantization is never taken.

    Raises ModelNotFound, which lists what there is.
    """
    models = sorted(name for name in names if _is_model(name))
    fit = [name for name in models if _quantization(name) == reference.quantization]
    whole = [name for name in fit if not PART.fullmatch(name)]
    stems = {_stem(name) for name in fit}
    if len(whole) == 1:  # wherever its parts are
        stems = {stem.rpartition("/")[2] for stem in stems}
    if len(stems) == 1:
        return whole or _complete(fit, reference)
    raise ModelNotFound(f"{reference.source} has {_what_it_has(models, fit, reference)}")


def _what_it_has(models: list[str], fit: list[str], reference: ModelReference) -> str:
    """In place of the one model that is asked for, which `fit` has not; and how to name another."""
    where = f"https://huggingface.co/{reference.repository}/resolve/main/FILE.gguf"
    by_address = f"Give the address of one, {where}."
    if fit:
        choice = ", ".join(sorted({_stem(name) for name in fit}))
        return f"several models of {reference.quantization}: {choice}. {by_address}"
    if kinds := ", ".join(sorted({kind for name in models if (kind := _quantization(name))})):
        return f"no {reference.quantization}; it has {kinds}. Name one: hf.co/USER/REPO:QUANT."
    if models:
        return f"no quantization in its files' names: {', '.join(models)}. {by_address}"
    return "no GGUF files. Look for a repository that has them, often named …-GGUF."


def _complete(parts: list[str], reference: ModelReference) -> list[str]:
    found = PART.fullmatch(parts[0])
    if found and parts != _part_names(found["stem"], int(found["count"])):
        raise ModelNotFound(f"{reference.source} is missing parts of {found['stem']}.")
    return parts


def _part_names(stem: str, count: int) -> list[str]:
    return [f"{stem}-{number:05}-of-{count:05}.gguf" for number in range(1, count + 1)]


def _is_model(name: str) -> bool:
    beside = name.rpartition("/")[2].startswith(_BESIDE)
    return name.endswith(".gguf") and name.isprintable() and not beside


def _stem(name: str) -> str:
    """The name of a model with its directory, without the number of a part."""
    part = PART.fullmatch(name)
    return part["stem"] if part else name.removesuffix(".gguf")


def _quantization(name: str) -> str:
    found = _QUANTIZATION.search(_stem(name).rpartition("/")[2])
    return found[1].upper() if found else ""


def _licence(info: "ModelInfo") -> str:
    card = info.card_data
    return str(card.get("license") or "") if card else ""
