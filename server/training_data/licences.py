"""The licences of models, as far as this machine knows them."""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from config import expanded
from pipeline.models import gguf
from pipeline.models.adapter import split_adapters
from pipeline.models.catalog import CATALOG
from pipeline.models.local import PROVIDER
from pipeline.models.local_library import LocalLibrary
from pipeline.models.starter import STARTER


def licences_of(models: Iterable[str], library: LocalLibrary) -> dict[str, str]:
    """By name; "" where it is not known. No server is asked."""
    return {name: _licence(name, library) for name in dict.fromkeys(models)}


def _licence(name: str, library: LocalLibrary) -> str:
    if name == STARTER:
        return "Apache-2.0"
    base, _ = split_adapters(name.partition("/")[2])
    listed = {model.name: model.licence for model in CATALOG}
    if not name.startswith(PROVIDER):
        return listed.get(base, "")
    if entry := library.find(base):
        return entry.manifest.licence or listed.get(base, "") or _of_file(entry.path)
    return _of_file(expanded(base))


def _of_file(path: Path) -> str:
    """What the file says of itself."""
    with suppress(OSError, gguf.NotGguf):
        return gguf.read_header(path).licence
    return ""
