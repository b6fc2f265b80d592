"""--since and --before of `laios history`: an age or a date."""

from datetime import UTC, date, datetime

from server.terminal.console import USAGE, fail


def moment_or_exit(text: str) -> datetime:
    """`2h` ago, or a date or time in ISO 8601 (local time where no zone is given)."""
    from dashboard.filter_keys import moment_of

    try:
        return moment_of(text, datetime.now()).astimezone(UTC)
    except (ValueError, OverflowError):
        fail(f"{text!r} is not a time. Write 30m, 2h, 7d, or a date such as {date.today()}.", USAGE)
