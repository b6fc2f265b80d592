"""Format numbers and times for people. Pure."""

from datetime import UTC, date, datetime


def duration(ms: float | None) -> str:
    """Milliseconds → `340 ms`, `4.2 s`, `42 s`, `1 m 05 s`, `2 h 10 m`."""
    if ms is None:
        return "–"
    if ms < 999.5:
        return f"{ms:.0f} ms"
    seconds = ms / 1000
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    if seconds < 59.5:
        return f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} m {rest:02d} s"
    return f"{minutes // 60} h {minutes % 60:02d} m"


def count(number: float) -> str:
    """A whole number in groups of three digits, with narrow spaces."""
    return f"{number:,.0f}".replace(",", "\N{NARROW NO-BREAK SPACE}")


def runs(number: int) -> str:
    return "1 run" if number == 1 else f"{number} runs"


def percent(share: float) -> str:
    """A share from 0 to 1 → `0 %`, `0.4 %`, `12 %`."""
    value = share * 100
    digits = 1 if 0 < value < 9.95 else 0
    return f"{value:.{digits}f}\N{NARROW NO-BREAK SPACE}%"


def change(difference: float) -> str:
    """`+1.3`, `−0.4`, `0.0`."""
    return f"{difference:+.1f}".replace("-", "−") if round(difference, 1) else "0.0"


def moment(ts: float | None) -> datetime | None:
    """Seconds since 1970 → local time; None for what no calendar has."""
    try:
        return None if ts is None else datetime.fromtimestamp(ts, UTC).astimezone()
    except (ValueError, OverflowError, OSError):
        return None


def clock(ts: float | None) -> str:
    at = moment(ts)
    return f"{at:%H:%M:%S}" if at else "–"


def full_time(ts: float | None) -> str:
    at = moment(ts)
    return f"{at:%a %d %b %Y, %H:%M:%S}" if at else "time unknown"


def iso(ts: float | None) -> str:
    at = moment(ts)
    return at.isoformat(timespec="seconds") if at else ""


def day_key(ts: float | None) -> str:
    """`2026-11-21`, local; "" where the time is unknown."""
    at = moment(ts)
    return at.date().isoformat() if at else ""


def day_name(key: str, today: date) -> str:
    """`2026-11-21` → `Today`, `Yesterday`, `Thu 19 Nov`, `Mon 3 Mar 2025`."""
    if not key:
        return "Time unknown"
    day = date.fromisoformat(key)
    away = (today - day).days
    if away in (0, 1):
        return ("Today", "Yesterday")[away]
    year = "" if day.year == today.year else f" {day.year}"
    return f"{day:%a} {day.day} {day:%b}{year}"
