"""Log lines: one event is one line, with the run's id, pretty on a terminal and JSON otherwise.

Names and error texts come from outside, so nothing in a line is obeyed by a terminal. No prompt
text and no secret is logged anywhere; this file only renders what is.
"""

import logging
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog
from structlog.typing import Processor

from pipeline.run import RUN_ID

QUIET = (
    "aiohttp",
    "asyncio",
    "httpx",
    "litellm",
    "LiteLLM",
    "sse_starlette",
    "uvicorn",
    "watchfiles",
)

_ESCAPES = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160))}
_ESCAPES |= {10: "\\n", 13: "\\r", 9: "\\t", 0x2028: "\\u2028", 0x2029: "\\u2029"}

Event = MutableMapping[str, Any]


def set_up_logging(*, verbose: bool = False, pretty: bool | None = None) -> None:
    """Sends the log to stderr. `pretty`: None means on a terminal."""
    if pretty is None:
        pretty = sys.stderr.isatty()
    handler = logging.StreamHandler()
    handler.setFormatter(formatter(pretty=pretty))
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.DEBUG if verbose else logging.WARNING)
    if verbose:
        logging.getLogger("laios").setLevel(logging.DEBUG)


def formatter(*, pretty: bool) -> logging.Formatter:
    """Renders the standard library's records."""
    shared: list[Processor] = [
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.ExtraAdder(),
        structlog.processors.TimeStamper(fmt="%H:%M:%S" if pretty else "iso", utc=not pretty),
        _add_run_id,
        structlog.processors.format_exc_info,
        _trace_on_the_line,
        _escape,
    ]
    last: Processor = (
        structlog.dev.ConsoleRenderer(pad_event_to=24)
        if pretty
        else structlog.processors.JSONRenderer()
    )
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=shared,
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, last],
    )


def _add_run_id(_logger: Any, _method: str, event: Event) -> Event:
    if run_id := RUN_ID.get():
        event.setdefault("run", run_id)
    return event


def _trace_on_the_line(_logger: Any, _method: str, event: Event) -> Event:
    """What is called `exception` the terminal's renderer would put on lines of its own."""
    if "exception" in event:
        event["trace"] = event.pop("exception")
    return event


def _escape(_logger: Any, _method: str, event: Event) -> Event:
    for key, value in event.items():
        if isinstance(value, str):
            event[key] = value.translate(_ESCAPES)
    return event
