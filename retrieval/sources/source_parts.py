"""The parts of a source, each with a fingerprint of what its content depends on."""

import hashlib
from collections import Counter
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from retrieval.sources.folder_tree import walk
from retrieval.sources.package_modules import modules, public_modules
from retrieval.sources.source import Part, Source

README = "README"

_READER = "2"  # to be counted up when the same files are parsed otherwise


def list_parts(source: Source) -> list[Part]:
    """What there is to read now; nothing is read yet. A file that is gone has no part."""
    return [*_modules(source), *_readme(source), *_files(source)]


def _modules(source: Source) -> list[Part]:
    found = [module for package in source.packages for module in modules(package)]
    if not found:
        return []
    files = {path for module in found for path in module.files}
    mark = fingerprint(
        files, source.version, str(source.python) if source.kind == "imported" else ""
    )
    return [Part(module.name, mark, module.name, "module") for module in public_modules(found)]


def _readme(source: Source) -> list[Part]:
    if source.readme is None or not source.readme.is_file():
        return []
    return [Part(README, fingerprint([source.readme]), f"{source.name}_README", "readme")]


def _files(source: Source) -> list[Part]:
    if source.folder is None:
        return []
    if source.folder.is_file():
        name, mark = source.folder.name, fingerprint([source.folder])
        return [Part(name, mark, source.folder.stem, "file")]
    files = walk(source.folder).files
    stems = Counter(PurePosixPath(file).stem for file in files)
    parts = []
    for file in files:
        path = PurePosixPath(file)
        unique = stems[path.stem] == 1
        label = path.stem if unique else "_".join(path.parts)
        parts.append(Part(file, fingerprint([source.folder / file]), label, "file"))
    return parts


def fingerprint(files: Iterable[Path], *more: str) -> str:
    """Changes when one of the files does, by name, size or time."""
    digest = hashlib.sha256("\0".join((_READER, *more)).encode())
    for path in sorted(files):
        try:
            status = path.stat()
        except OSError:
            continue
        line = f"{path}\0{status.st_size}\0{status.st_mtime_ns}\n"
        digest.update(line.encode("utf-8", "surrogateescape"))
    return digest.hexdigest()[:20]
