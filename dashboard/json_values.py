"""Values out of records as a page shows them, whatever is in the record. Pure."""

import re

import orjson

_SHORT = 80


def as_plain(value: object) -> str:
    """A value in a cell: texts as they are, everything else as JSON, on one line if it is short."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    whole = as_json(value)
    flat = re.sub(r"\n\s*", "", whole)  # no string of JSON holds a line feed
    return flat if len(flat) <= _SHORT else whole


def as_json(value: object) -> str:
    """Readable JSON of anything that came from a record; a text that says so where it nests so deep
    that Python can read it and not write it."""
    try:
        return orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()
    except TypeError:  # lone surrogates, numbers beyond 64 bits, deep nesting
        import json

        try:
            return json.dumps(value, indent=2)
        except RecursionError:
            return '"nested too deep to be shown"'
