"""The Cookie header, as far as our own cookies need it."""

from collections.abc import Iterator, Sequence


def cookie_values(headers: Sequence[str], name: str) -> Iterator[str]:
    """The values of a cookie in the Cookie headers (RFC 6265, 4.2.1), in time that grows with their
    length alone.

    A cookie can be there several times. A quoted value is given with its quotes: none of ours needs
    any, and undoing a stranger's costs the standard library the square of their number.
    """
    for header in headers:
        for pair in header.split(";"):
            key, separator, value = pair.partition("=")
            if separator and key.strip() == name:
                yield value.strip()
