"""Arrays of numpy, as their source: their shapes and items, by their names and what the request
says of them. Pure."""

import re
from collections.abc import Callable, Iterable
from random import Random

Shape = tuple[int, ...]

_OF_ROWS = re.compile(
    r"\b(?:2-?d|two-dimensional|matri(?:x|ces)|grid|images?|pixels?|(?:each|per|every) row"
    r"|jeder? zeile)\b|shape \(\w{1,20}, ?\w{1,20}\)|array\(\[\[",
    re.IGNORECASE,
)
_COLUMNS = re.compile(r"\(\w{1,20}, ?(\d)\)|\b(\d) columns\b")
_OF_ITEMS = re.compile(r"\b1-?d\b|\bone-dimensional|\beindimensional", re.IGNORECASE)
_ROWS = re.compile(r"(?:\w{1,20}_)?(?:X|M|A|B|m|matrix|mat|grid|img|image|board)\d?")
_ITEMS = re.compile(r"(?:\w{1,20}_)?(?:v|vec|vector|q|query|b|y|y_\w+|labels?|weights?|signal)\d?")
_IMAGE = re.compile(r"\bimages?\b|\bpixel", re.IGNORECASE)
_COLOUR = re.compile(r"\brgb\b|\bcolou?r|\(\w{1,20}, ?\w{1,20}, ?3\)", re.IGNORECASE)
_SQUARE = re.compile(
    r"multipl|product|\bdot\b|matmul|determinant|invers|\btrace\b|diagonal|symmetric|eigen"
    r"|\bsquare (?:matrix|array)|\bpower|identity|triang",
    re.IGNORECASE,
)
_BINARY = re.compile(
    r"binary|\bmask|accuracy|precision|recall|\bf1\b|boolean|\b0(?:'?s)? (?:and|or|und|oder) 1",
    re.IGNORECASE,
)
_DENSITIES = (0.5, 0.3, 0.1)  # of ones among zeros
_ALIKE = re.compile(
    r"\brun[- ]?length|\bruns? of|\bduplicat|\bunique\b|\bdistinct|\brepeat"
    r"|\bmost (?:frequent|common)|\bmode\b|\boccur|\bconsecutive (?:equal|identical|same)"
    r"|gleichen? (?:werte|zahl)",
    re.IGNORECASE,
)
_FLOATS = re.compile(r"\bfloat(?:ing|s)?\b", re.IGNORECASE)
_WHOLE = re.compile(r"\bint(?:eger)?s? (?:array|vector|numpy)|\barray of int", re.IGNORECASE)
_LABELS = re.compile(r"\bone-?hot|\bbincount|\bclass(?:es| labels?)\b", re.IGNORECASE)
_GROUPS = re.compile(
    r"groups?|gruppen?|labels?|classes|ids|keys|clusters?|ind(?:ex|ices)|categories"
)
_SHARES = re.compile(r"probabilit|entropy|likelihood", re.IGNORECASE)
_GAPS = re.compile(
    r"\b(?:ignor|skip|contain|replac|fill|drop|remov|interpolat)\w*[^.\n]{0,40}\b(?:nan|null)s?\b"
    r"|\bmissing|\bempty cells|\bcells (?:are )?empty|fehlend|fillna|dropna"
    r"|\b(?:nan|null)s? (?:values|entries|rows|cells)"
    r"|\bwith (?:some )?nans?\b|\b(?:is|may be|can be) (?-i:NaT|NaN|None|empty)\b",
    re.IGNORECASE,
)
_POSITIVE = re.compile(r"\bpositive?|\bnon-?negative", re.IGNORECASE)
_POSITIVE_NAME = re.compile(
    r"prices?|heights?|weights?|ages?|lengths?|counts?|scores?|sales|times?|grades?"
)


def speaks_of_rows(request: str) -> bool:
    """Whether arrays have rows, as far as the request says."""
    return bool(_OF_ROWS.search(request)) and not _OF_ITEMS.search(request)


def speaks_of_gaps(request: str) -> bool:
    """Whether values may be missing."""
    return bool(_GAPS.search(request))


def shapes_of(
    names: Iterable[str], size: int, request: str, chance: Random, *, of_rows: bool
) -> dict[str, Shape]:
    """Those of the arrays of one call, which fit together. `of_rows`: they have rows where nothing
    else is known of them."""
    names = [*names]
    in_rows = {name: _has_rows(name, request, of_rows) for name in names}
    if not any(in_rows.values()):
        return dict.fromkeys(names, (size,))
    rows = min(size, 4)
    is_square = _SQUARE.search(request) or not all(in_rows.values())
    told = _COLUMNS.search(request)
    columns = int(told[1] or told[2]) if told else rows if is_square else chance.choice((2, 3, 4))
    shape: Shape = (rows, columns)
    if _IMAGE.search(request):
        shape = (4, 6, 3) if _COLOUR.search(request) else (4, 6)
    return {name: shape if in_rows[name] else shape[:1] for name in names}


def _has_rows(name: str, request: str, of_rows: bool) -> bool:
    if _ITEMS.fullmatch(name):
        return False
    return of_rows or bool(_ROWS.fullmatch(name) and not _OF_ITEMS.search(request))


def items_of(name: str, shape: Shape, request: str, chance: Random) -> str:
    """The source of a list with the items, lists of them where the array has rows."""
    item = _item_of(name, request, chance)
    word = rf"\b{re.escape(name)}\b"
    order = r"\b(?:sorted|increasing|ascending|monoton\w{1,20}|sortiert\w{0,2})\b"
    is_sorted = re.search(rf"{word}[^.\n]{{0,40}}{order}|{order} [^.\n]{{0,20}}{word}", request)

    def made(shape: Shape) -> str:
        if len(shape) > 1:
            return f"[{', '.join(made(shape[1:]) for _ in range(shape[0]))}]"
        items = [item() for _ in range(shape[0])]
        return f"[{', '.join(sorted(items, key=float) if is_sorted else items)}]"

    return made(shape)


def _item_of(name: str, request: str, chance: Random) -> Callable[[], str]:
    """What makes one item after the other."""
    said, is_whole = f"{name} {request}", chance.random() < 0.5
    if _BINARY.search(said):
        density = chance.choice(_DENSITIES)
        return lambda: str(int(chance.random() < density))
    if _IMAGE.search(said):
        return lambda: str(chance.randint(0, 255))
    if _LABELS.search(request) or _GROUPS.fullmatch(name) or _ALIKE.search(request):
        return lambda: str(chance.randint(0, 3))
    if _SHARES.search(said):
        return lambda: str(chance.choice((0.1, 0.25, 0.5, 0.75)))
    has_gaps = speaks_of_gaps(request)
    if _FLOATS.search(request) or _WHOLE.search(request):
        is_whole = not _FLOATS.search(request)
    least = 1 if _POSITIVE.search(request) or _POSITIVE_NAME.fullmatch(name) else -10

    def made() -> str:
        if has_gaps and chance.random() < 0.25:
            return "np.nan"
        return str(chance.randint(least, 12) if is_whole else chance.randint(4 * least, 40) / 4)

    return made
