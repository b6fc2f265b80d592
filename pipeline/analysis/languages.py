"""A language by any of its names. Pure."""

import difflib
import re
from collections.abc import Iterable

from laios.language_table import TABLE, Language

LANGUAGES = {row.name: row for row in TABLE if row.title}  # those of `POST /code`
KNOWN = {name: name for name in LANGUAGES} | {
    alias: row.name for row in LANGUAGES.values() for alias in row.aliases.split()
}
_ALIASES = {alias: row.name for row in TABLE for alias in row.aliases.split()}
_VERSION = re.compile(r"(?<=^python)[23]?(?:\.\d+)+$")
NAMES = frozenset(row.name for row in TABLE)
_SAME = {"shell": "bash"}  # the code of one is code of the other


def canonical(label: str, field: str = "language") -> str:
    """The language's name for any of its names, whatever their case. Raises ValueError, naming the
    field and the nearest one."""
    found = KNOWN.get(label.strip().lower())
    if found:
        return found
    titles = [row.title.lower() for row in LANGUAGES.values()]
    label = label.strip()[:100]  # to compare megabytes takes half a second
    near = difflib.get_close_matches(label.lower(), [*KNOWN, *titles], n=1)
    hint = f"Did you mean {near[0]!r}? " if near else ""
    raise ValueError(
        f'The field "{field}" cannot be {label!r}. {hint}Languages: {", ".join(LANGUAGES)}.'
    )


def title(language: str) -> str:
    """As people write it, where that is known."""
    return LANGUAGES[language].title if language in LANGUAGES else language


def same_language(one: str, other: str) -> bool:
    return _SAME.get(one, one) == _SAME.get(other, other)


def normal_language(label: str | None) -> str | None:
    """The usual name of any language, in lower case: `Py` → `python`."""
    if not label:
        return None
    name = _VERSION.sub("", label.lower())
    name = _ALIASES.get(name, name)
    return _SAME.get(name, name)


def language_of_ending(ending: str, rows: Iterable[Language] = TABLE) -> str | None:
    """The first of the languages whose files end like that (`.py`)."""
    ending = ending.lower()
    return next((row.name for row in rows if ending in row.endings.split()), None)
