"""Sizes, durations and numbers of things for people."""


def counted(number: int, one: str) -> str:
    """0 runs, 1 run, 2,400 runs."""
    return f"{number:,} {one}{'' if number == 1 else 's'}"


def in_bytes(size: float) -> str:
    """In powers of 1000, as Ollama prints sizes: 4.7 GB."""
    for unit in ("B", "kB", "MB"):
        if round(size) < 1000:
            return f"{size:.0f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"


def in_time(seconds: float) -> str:
    """4.2 s, 3 m 20 s, 2 h 5 m."""
    if round(seconds, 1) < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} m {rest} s"
    return f"{minutes // 60} h {minutes % 60} m"
