"""Which parameters of a function take arrays or tables of numpy and pandas: as its annotations say,
its docstring, what it does with them, or their names beside the request's words. Pure."""

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Literal

from pipeline.analysis.python_syntax import Function
from pipeline.testcases.entry_point import function_of, needed_parameters
from pipeline.testcases.parameter_kinds import meant_kinds

Kind = Literal["frame", "series", "array", "plain", ""]
"""`plain`: numbers, texts and lists of them; "" where nothing tells."""

_IMPORTED = re.compile(r"^[ \t]{0,40}(?:from|import)[ \t]{1,9}(numpy|pandas)\b", re.MULTILINE)
_SAID: dict[Kind, re.Pattern[str]] = {
    "frame": re.compile(r"data ?frame", re.IGNORECASE),
    "series": re.compile(r"\bseries\b", re.IGNORECASE),
    "array": re.compile(
        r"\w*array\b|\barraylike\b|\bmatrix|\bmatrices|\bvectors?\b|\bimage\b|\btensor\b", re.I
    ),
    "plain": re.compile(
        r"\b(?:int|integer|float|number|str|string|bool|list|tuple|dict|column|size|name)\b", re.I
    ),
}
_OF_FRAMES = {
    *("columns", "merge", "pivot_table", "pivot", "select_dtypes", "iterrows", "itertuples"),
    *("set_index", "melt", "assign", "query", "join", "groupby", "drop", "drop_duplicates"),
    *("sort_values", "dropna", "fillna", "loc", "iloc", "nlargest", "reset_index", "duplicated"),
    *("isnull", "isna", "corr", "describe", "head", "resample"),
}
_OF_SERIES = {"str", "dt", "value_counts", "rolling", "ewm", "pct_change", "shift", "diff"}
_OF_ARRAYS = {"shape", "T", "reshape", "ndim", "dtype", "astype", "ravel", "flatten", "size"}
_OF_NUMPY = {"np", "numpy"}
_LIBRARIES = {*_OF_NUMPY, "pd", "pandas"}
# Functions of numpy that are given how many, not what.
_MAKE = {"zeros", "ones", "arange", "eye", "identity", "linspace", "full", "empty", "random"}
_FRAME_NAME = re.compile(r"(?:\w{1,40}_)?(?:df|frame|dataframe)\d?|(?:df|data)_\w{1,40}")
_ARRAY_NAME = re.compile(
    r"(?:arr|array|matrix|mat|vec|vector|img|image|points?|signal|mask|weights|[abxyuvwXYABM])\d?"
    r"|(?:arr|array|matrix|vector)_?\w{1,9}|y_(?:true|pred)|values|data"
)
_SPEAKS_OF_ARRAYS = re.compile(r"\barray|\bnumpy\b|\bndarray|\bnp\.", re.IGNORECASE)
_MAY_BE_ARRAYS = re.compile(r"\bmatri|\bvector|\bimage\b", re.IGNORECASE)
_SPEAKS_OF_LISTS = re.compile(r"\blist(?:s|en?)?\b|\blist\[", re.IGNORECASE)
_SPEAKS_OF_FRAMES = re.compile(r"data ?frame|\bpandas\b|\bdf\b", re.IGNORECASE)
_OF_ITEMS = re.compile(
    r"\b(?:int\w*|float|bool\w*|number|string) (?=array|vector|matrix|series)", re.I
)
_WHOLE = (
    "window n k size order step steps period periods lag shift degree width length count top bins"
    " depth num kernel_size window_size pool_size stride dim decimals p"
)
# What parameters may be given that are called so, as a session says it.
PLAIN_VALUES: Mapping[str, list[str]] = {
    **{name: ["2", "1", "3"] for name in _WHOLE.split()},
    **{name: ["0", "1"] for name in ("axis", "row", "ddof")},
    **{name: ["1.5", "0", "3", "10"] for name in ("threshold", "value", "limit", "cutoff")},
    **{name: ["0.5", "0.1", "0.9"] for name in ("alpha", "rate", "ratio", "q", "quantile")},
    **{name: ["0.25", "0.5"] for name in ("fraction", "frac", "test_size")},
    **{name: ["4", "5"] for name in ("num_classes", "n_classes")},
    **{name: ["90", "30", "0", "-45"] for name in ("degrees", "angle", "angle_deg")},
    **{name: ["1.0", "0.5", "2.0"] for name in ("sigma", "scale", "beta", "gamma", "eps", "tol")},
}
_NUMPY = re.compile(r"\bnumpy\b|\bnp\.")
_MOST_READ = 20_000  # characters of a request


def takes_tables(program: str, function: str, request: str) -> bool:
    """Whether a function is given an array or a table of numpy or pandas."""
    found = function_of(program, function)
    if found is None or not libraries_of(program, request):
        return False
    kinds = table_kinds(found, request).values()
    return any(kind in ("frame", "series", "array") for kind in kinds)


def libraries_of(program: str, request: str) -> set[str]:
    """Which of numpy and pandas a program imports, or its request speaks of."""
    found = set(_IMPORTED.findall(program))
    found |= {"numpy"} if _NUMPY.search(request[:_MOST_READ]) else set()
    return found | ({"pandas"} if _SPEAKS_OF_FRAMES.search(request[:_MOST_READ]) else set())


def _speaks_of_arrays(request: str) -> bool:
    """A matrix may be a list of lists."""
    if _SPEAKS_OF_ARRAYS.search(request):
        return True
    return bool(_MAY_BE_ARRAYS.search(request)) and not _SPEAKS_OF_LISTS.search(request)


def table_kinds(function: Function, request: str) -> dict[str, Kind]:
    """What each parameter that a call has to give takes."""
    needed = {each.arg for each in needed_parameters(function)}
    request = request[:_MOST_READ]
    speaks, remade = _speaks_of_arrays(request), _remade_in(function)
    copies = _copies_in(function)
    used = {
        copies.get(name, name): kind
        for name, kind, is_sure in _used(function)
        if (is_sure and (speaks or name not in remade))
        or (speaks and (len(needed) == 1 or _ARRAY_NAME.fullmatch(name)))
    }
    used |= dict.fromkeys(_counts_in(function), "plain")
    described = ast.get_docstring(function) or ""
    return {
        each.arg: _annotated(each)
        or _described(each.arg, described)
        or _told(each.arg, request)
        or used.get(each.arg)
        or _named(each.arg, request, is_only=len(needed) == 1)
        for each in needed_parameters(function)
    }


def _annotated(parameter: ast.arg) -> Kind:
    return _said(ast.unparse(parameter.annotation)) if parameter.annotation else ""


def _described(name: str, docstring: str) -> Kind:
    """By the docstring's line on it: `x (np.ndarray): the input`."""
    line = re.search(
        rf"^[ \t\-*]{{0,40}}(?::param[ \t]{{1,9}})?[`*]{{0,2}}{re.escape(name)}\b([^\n]{{0,160}})",
        docstring,
        re.MULTILINE,
    )
    return _said(line[1]) if line else ""


def _said(text: str) -> Kind:
    """The kind that is named first."""
    found = {kind: spot.start() for kind, said in _SAID.items() if (spot := said.search(text))}
    return min(found, key=lambda kind: found[kind], default="")


def _used(function: Function) -> Iterator[tuple[str, Kind, bool]]:
    """What is done with names, and whether that is sure: numpy's functions take numbers, too. Of
    several uses the last tells."""
    series: set[str] = set()
    for node in ast.walk(function):
        match node:
            case ast.Call(ast.Attribute(ast.Name(library), attr), [ast.Name(name), *_]) if (
                library in _OF_NUMPY and attr not in _MAKE
            ):
                yield name, "array", False
            case ast.Attribute(ast.Name(name), attr) if attr in _OF_SERIES:
                series.add(name)
                yield name, "series", True
            case ast.Attribute(ast.Name(name), attr) if attr in _OF_ARRAYS:
                yield name, "array", True
            case ast.BinOp(left, ast.MatMult(), right):
                operands = (each for each in (left, right) if isinstance(each, ast.Name))
                yield from ((each.id, "array", True) for each in operands)
    for node in ast.walk(function):
        match node:
            case ast.Subscript(
                ast.Name(name), ast.Constant(str()) | ast.List([ast.Constant(str()), *_])
            ):
                yield name, "frame", True
            case ast.Attribute(ast.Name(name), attr) if attr in _OF_FRAMES and name not in series:
                yield name, "frame", True


def _remade_in(function: Function) -> set[str]:
    """Names of what it makes arrays or tables of: `x = np.asarray(x)` says of no `x.shape` what was
    given."""
    return {
        target.id
        for node in ast.walk(function)
        if isinstance(node, ast.Assign) and _makes_table(node.value)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def _makes_table(value: ast.expr) -> bool:
    match value:
        case ast.Call(ast.Attribute(ast.Name(library))):
            return library in _LIBRARIES
    return False


def _copies_in(function: Function) -> dict[str, str]:
    """What each name is a copy of."""
    found: dict[str, str] = {}
    for node in ast.walk(function):
        match node:
            case ast.Assign([ast.Name(name)], ast.Call(ast.Attribute(ast.Name(of), "copy"))):
                found.setdefault(name, of)
    return found


def _counts_in(function: Function) -> Iterator[str]:
    """Names of single numbers: those that a range or a part of a list ends with, and those that a
    condition compares."""
    for node in ast.walk(function):
        match node:
            case ast.Call(ast.Name("range"), ends):
                yield from _names_in(ends)
            case ast.Slice(first, last):
                yield from _names_in([each for each in (first, last) if each])
            case ast.If(ast.Compare(first, _, others)):
                yield from _names_in([first, *others])
            case ast.If(ast.BoolOp(_, values)):
                compared = [each for each in values if isinstance(each, ast.Compare)]
                yield from _names_in([part for each in compared for part in _parts(each)])


def _parts(compared: ast.Compare) -> list[ast.expr]:
    return [compared.left, *compared.comparators]


def _names_in(found: list[ast.expr]) -> Iterator[str]:
    yield from (each.id for each in found if isinstance(each, ast.Name))


def _told(name: str, request: str) -> Kind:
    """By the request: "grid is a sorted 1D array", "a query vector q"."""
    word = rf"(?<!\w)[`'\"]?{re.escape(name)}[`'\"]?(?!\w)"
    behind = re.search(
        rf"{word}(?: (?:is|are|being|ist|sind)|:) ((?:an?|the|ein\w*) [^.\n]{{1,50}})", request
    )
    before = re.search(rf"\b(data ?frame|series|array|matrix|vector|image)s? {word}", request, re.I)
    said = _OF_ITEMS.sub("", behind[1]) if behind else ""  # "a float array"
    return _said(said) or (_said(before[1]) if before else "")


def _named(name: str, request: str, *, is_only: bool) -> Kind:
    """`is_only`: there is no other parameter."""
    if _FRAME_NAME.fullmatch(name) and _SPEAKS_OF_FRAMES.search(request):
        return "frame"
    if _speaks_of_arrays(request) and not _SPEAKS_OF_FRAMES.search(request):
        meant = next(iter(meant_kinds(name)), "list")
        is_array = _ARRAY_NAME.fullmatch(name) or meant.startswith("list")
        return "array" if is_array and name not in PLAIN_VALUES else "plain"
    if is_only and _SPEAKS_OF_FRAMES.search(request) and not meant_kinds(name):
        return "frame"
    return ""
