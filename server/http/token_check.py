"""Check the daemon's token: in constant time, and with a limit on wrong guesses."""

import hmac
import logging
from ipaddress import IPv6Address, ip_address, ip_network
from math import ceil
from time import monotonic

from starlette.types import Scope

from pipeline.errors import Busy

log = logging.getLogger("laios.token")

WRONG_TOKENS = 10
"""So many wrong ones an address may send in a row."""
WRONG_TOKEN_S = 1.0
"""After this time it may send another one."""
MOST_ADDRESSES = 1024


class TokenCheck:
    """Whether a token is the daemon's. An address that has sent too many wrong ones is not told
    for a while, whatever it sends: a right one that were let in would make the limit no limit."""

    def __init__(self, token: str | None) -> None:
        self._token = (token or "").encode()
        self._forgiven: dict[str, float] = {}  # address → when all its wrong ones are forgotten

    def is_right(self, given: str, address: str) -> bool:
        """Raises Busy, with the time to wait."""
        now = monotonic()
        forgiven = max(self._forgiven.get(address, now), now)
        wait = forgiven - now - (WRONG_TOKENS - 1) * WRONG_TOKEN_S
        if wait > 0:
            message = "Too many wrong tokens from this address. Wait and try again."
            raise Busy(message, ceil(wait))
        right = hmac.compare_digest(given.encode("utf-8", "surrogatepass"), self._token)
        if not (right and self._token):
            self._count(address, forgiven + WRONG_TOKEN_S)
            if wait + WRONG_TOKEN_S > 0:
                log.warning("too many wrong tokens", extra={"address": address})
            return False
        return True

    def _count(self, address: str, forgiven: float) -> None:
        self._forgiven.pop(address, None)
        self._forgiven[address] = forgiven
        if len(self._forgiven) > MOST_ADDRESSES:
            del self._forgiven[next(iter(self._forgiven))]


def caller_address(scope: Scope) -> str:
    """Where a request comes from. Of IPv6 the network: a machine has as many addresses in its own
    as it likes (RFC 4291, 2.5.1)."""
    host = scope["client"][0] if scope.get("client") else ""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, IPv6Address):
        return str(address.ipv4_mapped or ip_network((address, 64), strict=False))
    return str(address)
