"""TOML, changed by tomlkit, which keeps comments and layout."""

import tomllib
from typing import Any

import tomlkit
import tomlkit.items
from tomlkit.exceptions import TOMLKitError

from server.client_setup.edit import KeyPath, Unreadable, WrongShape


class Toml:
    """The format; it has no state."""

    def load(self, text: str) -> Any:
        try:
            return tomllib.loads(text.replace("\r\n", "\n"))
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            raise Unreadable(str(error)) from None

    def put(self, text: str, path: KeyPath, value: Any) -> str:
        try:
            document = tomlkit.parse(text)
            _put(document, path, value)
            new = tomlkit.dumps(document)
        except (TOMLKitError, ValueError) as error:
            raise WrongShape(f"it is written in a way that cannot be changed: {error}") from None
        # What is new ends in "\n"; a file of mixed line ends keeps those that it has.
        return new.replace("\r\n", "\n").replace("\n", "\r\n") if _is_crlf(text) else new


def _is_crlf(text: str) -> bool:
    return 0 < text.count("\r\n") == text.count("\n")


def _put(table: Any, path: KeyPath, value: Any) -> None:
    """All of the path names tables, but for the end where the value is a single one."""
    if not path:
        for key, each in value.items():
            _put(table, (key,), each)
        return
    step = path[0]
    if len(path) == 1 and not isinstance(value, dict):
        _set(table, step, value)
        return
    if step not in table:
        inline = isinstance(table, tomlkit.items.InlineTable)
        new = tomlkit.inline_table() if inline else tomlkit.table(is_super_table=len(path) > 1)
        table[step] = new
    _put(table[step], path[1:], value)


def _set(table: Any, key: Any, value: Any) -> None:
    """What stands there already stays as it is written."""
    if key not in table or table[key] != value:
        table[key] = value
