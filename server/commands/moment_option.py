"""--since and --before of `laios history`: an age or a date."""

import re
from datetime import UTC, date, datetime, timedelta

from server.terminal.console import USAGE, fail

_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def moment_or_exit(text: str) -> datetime:
    """`2h` ago, or a date or time in ISO 8601 (local time where no zone is given)."""
    age = re.fullmatch(r"(\d+)([smhdw])", text)
    try:
        if age:
            return datetime.now(UTC) - timedelta(**{_UNITS[age[2]]: int(age[1])})
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):
        fail(f"{text!r} is not a time. Write 30m, 2h, 7d, or a date such as {date.today()}.", USAGE)
