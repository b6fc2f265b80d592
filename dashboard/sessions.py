"""Sign-in sessions and CSRF tokens. Light: the guard has it loaded all the time."""

import hmac
import secrets
import time
from collections.abc import Sequence

from dashboard.cookies import cookie_values

LIFETIME_S = 7 * 24 * 3600
MOST = 64
"""So many sessions at a time; the oldest one ends first."""


class Sessions:
    """The sessions of one process, in memory: a restart signs everybody out.

    A cookie holds a random id, never the token that opened it. Where no token is asked for, there
    is one session for all, "": what keeps strangers' forms out is then that they cannot read ours.
    """

    def __init__(self, port: int) -> None:
        self.cookie_name = f"laios_{port}"  # cookies do not tell ports apart
        self._secret = secrets.token_bytes(32)
        self._opened: dict[str, float] = {}

    def open(self) -> str:
        """A new session; gives the value of its cookie."""
        session = secrets.token_urlsafe(32)
        self._opened[session] = time.monotonic()
        while len(self._opened) > MOST:
            del self._opened[next(iter(self._opened))]
        return session

    def close(self, session: str) -> None:
        self._opened.pop(session, None)

    def find(self, cookies: Sequence[str]) -> str:
        """The open session that the Cookie headers name, or ""."""
        return next(filter(self._is_open, cookie_values(cookies, self.cookie_name)), "")

    def csrf(self, session: str) -> str:
        """The token that a form of this session carries."""
        return hmac.digest(self._secret, session.encode(), "sha256").hex()

    def is_ours(self, session: str, token: str) -> bool:
        """Whether a form with this token came from a page of this session."""
        return hmac.compare_digest(self.csrf(session).encode(), token.encode("utf-8", "replace"))

    def _is_open(self, session: str) -> bool:
        opened = self._opened.get(session)
        return opened is not None and time.monotonic() - opened < LIFETIME_S
