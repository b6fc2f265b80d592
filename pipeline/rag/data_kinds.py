"""Whether code reads a kind of data file, as far as its names tell. Pure."""

import re
from collections.abc import Sequence

from laios.types.answers import DataFile

# Words of names: `read_csv` → read, csv; `vtkSTLReader` → vtk, stl, reader.
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_LOOKED_AT = 100_000  # characters
# Kinds whose readers are called by another name.
_READ_BY = {
    "dat": {"loadtxt", "genfromtxt"},
    "h5": {"hdf", "h5py", "hdf5"},
    "hdf5": {"hdf", "h5py"},
    "jpg": {"jpeg", "image", "imread"},
    "jpeg": {"image", "imread"},
    "npy": {"numpy", "np"},
    "npz": {"numpy", "np"},
    "pkl": {"pickle"},
    "png": {"image", "imread"},
    "tif": {"tiff", "image", "imread"},
    "tiff": {"image", "imread"},
    "tsv": {"csv"},
    "txt": {"loadtxt", "genfromtxt", "text", "open"},
    "vti": {"image"},
    "vtp": {"poly"},
    "vtu": {"unstructured"},
    "xls": {"excel"},
    "xlsx": {"excel", "openpyxl"},
    "yml": {"yaml"},
}


def read_by(code: str, files: Sequence[DataFile]) -> list[DataFile]:
    """Those of the files whose kind the code names, or the reader of it. Without code it is the
    question that has to name them, and all are kept."""
    if not code.strip():
        return list(files)
    words = {word.lower() for word in _WORD.findall(code[:_LOOKED_AT])}
    words |= set(re.findall(r"\w+", code[:_LOOKED_AT].lower()))
    return [file for file in files if _kinds(file) & words]


def _kinds(file: DataFile) -> set[str]:
    """Its ending, its type as the documentation has it, and what else reads it."""
    ending = file.filename.rpartition(".")[2].lower() if "." in file.filename else ""
    named = {ending, *re.findall(r"\w+", file.file_type.lower())} - {"", "file", "data"}
    return named.union(*(_READ_BY.get(kind, set()) for kind in named))
