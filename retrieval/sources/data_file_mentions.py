"""The files that examples work on: nothing but what a text says of them. Pure."""

import re
from collections.abc import Iterator

from retrieval.sources.chunk import DataFile

MAX_FILES = 30  # of one piece of text
MAX_DESCRIPTION = 300  # characters

_TYPES = (
    *("3ds", "avi", "bag", "bmp", "bz2", "case", "csv", "dat", "dcm", "dem", "e", "ex2", "exo"),
    *("feather", "fits", "geojson", "gif", "glb", "gltf", "gz", "h5", "hdf5", "jpeg", "jpg"),
    *("json", "jsonl", "las", "mat", "mha", "mhd", "mp3", "mp4", "mtl", "nc", "nii", "npy"),
    *("npz", "nrrd", "obj", "off", "parquet", "pcd", "pdb", "pkl", "ply", "png", "pvd", "raw"),
    *("rib", "root", "sqlite", "stl", "tar", "tif", "tiff", "tsv", "txt", "vti", "vtk", "vtp"),
    *("vtr", "vts", "vtu", "wav", "wrl", "xls", "xlsx", "xml", "xyz", "yaml", "yml", "zip"),
)
_SUFFIX = "|".join(sorted(_TYPES, key=len, reverse=True))
_URL = re.compile(
    rf"https?://[^\s/]{{1,200}}/[^\s<>\"'`()\[\]{{}}|\\^]{{1,500}}?\.(?:{_SUFFIX})(?![\w./-])", re.I
)
_NAME = re.compile(
    rf"(?<![\w./:\\-])(?:[\w.-]{{1,80}}/){{0,8}}[\w-][\w.-]{{0,100}}?\.(?:{_SUFFIX})(?![\w/(=-]|\.\w)",
    re.I,
)
_QUOTED = re.compile(rf"[\"']([^\"'\s{{}}*]{{1,200}}?\.(?:{_SUFFIX}))[\"']", re.I)
_WRITES = re.compile(r"(?:save|write|export|dump|\bto_\w+|output)\w*\W*$", re.I)
_SIZE = re.compile(r"(?:~ ?)?\b\d[\d.,]{0,12} ?(?:bytes|[KMGT]i?B|kB)\b")
_SENTENCE_END = re.compile(r"(?<=[.!?:])\s+(?=[A-Z(`\"'-])|\n\s*\n|\n(?=- )")

# In a sentence these are settings, programs' text and pictures rather than data.
_DOUBTFUL = (
    *(".bag", ".bmp", ".dat", ".e", ".gif", ".jpeg", ".jpg", ".json", ".png", ".raw", ".root"),
    *(".txt", ".xml", ".yaml", ".yml"),
)


def in_text(text: str, example: str) -> Iterator[DataFile]:
    """The data files that a text names, each with the sentence that names it. `example`: the title
    of what is read."""
    for sentence in _SENTENCE_END.split(text):
        urls = [match[0] for match in _URL.finditer(sentence)]
        names = [match[0] for match in _NAME.finditer(_URL.sub(" ", sentence))]
        names = [name for name in names if not name.lower().endswith(_DOUBTFUL)]
        yield from _files(urls, names, sentence, example)


def in_code(code: str, about: str, example: str) -> Iterator[DataFile]:
    """The data files that code reads: addresses and quoted names. `about`: what is said of it."""
    urls = [match[0] for match in _URL.finditer(code)]
    rest = _URL.sub(" ", code)
    names = [
        match[1]
        for match in _QUOTED.finditer(rest)
        if match[1][0] != "."
        and not _WRITES.search(rest[max(0, match.start() - 60) : match.start()])
    ]
    yield from _files(urls, names, about, example)


def _files(urls: list[str], names: list[str], about: str, example: str) -> Iterator[DataFile]:
    described = " ".join(about.split())[:MAX_DESCRIPTION]
    known = dict.fromkeys(_name(url).lower() for url in urls)
    names = [name for name in dict.fromkeys(names) if _name(name).lower() not in known]
    urls = list(dict.fromkeys(urls))
    sizes = _SIZE.findall(described) if len(urls) + len(names) == 1 else []
    size = sizes[0] if len(sizes) == 1 else ""
    for path in [*urls, *names][:MAX_FILES]:
        name = _name(path)
        kind = name.rpartition(".")[2].upper()
        yield DataFile(name, described, example, path if path in urls else "", kind, size)


def _name(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2]
