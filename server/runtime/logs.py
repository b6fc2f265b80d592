"""Log lines: one event is one line, with the run's id, pretty on a terminal and JSON otherwise.

Names and error texts come from outside, so nothing in a line is obeyed by a terminal. No prompt
text and no secret is logged anywhere; this file only renders what is.
"""

import json
import logging
import sys
from collections.abc import MutableMapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import orjson

from pipeline.run import RUN_ID

QUIET = (
    "aiohttp",
    "asyncio",
    "httpx",
    "litellm",
    "LiteLLM",
    "opentelemetry",
    "sse_starlette",
    "urllib3",
    "uvicorn",
    "watchfiles",
)

_ESCAPES = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160))}
_ESCAPES |= {10: "\\n", 13: "\\r", 9: "\\t", 0x2028: "\\u2028", 0x2029: "\\u2029"}

if TYPE_CHECKING:
    from structlog.typing import Processor

Event = MutableMapping[str, Any]


def set_up_logging(*, verbose: bool = False) -> None:
    """Sends the log to stderr."""
    handler = logging.StreamHandler()
    handler.setFormatter(formatter(pretty=sys.stderr.isatty()))
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.DEBUG if verbose else logging.WARNING)
    if verbose:
        logging.getLogger("laios").setLevel(logging.DEBUG)


def formatter(*, pretty: bool) -> logging.Formatter:
    """Renders the standard library's records."""
    if not pretty:
        return JsonLines()
    import structlog  # 4 MB with its renderer, for a terminal alone

    shared: list[Processor] = [
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.ExtraAdder(),
        structlog.processors.TimeStamper(fmt="%H:%M:%S", utc=False),
        _add_run_id,
        structlog.processors.format_exc_info,
        _trace_on_the_line,
        _escape,
    ]
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=shared,
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.dev.ConsoleRenderer(pad_event_to=24),
        ],
    )


class JsonLines(logging.Formatter):
    """One JSON object a line. Every run writes one, so it goes without structlog's chain."""

    def format(self, record: logging.LogRecord) -> str:
        event: Event = {
            "event": record.getMessage(),
            "level": record.levelname.lower(),
            "logger": record.name,
            **{name: value for name, value in vars(record).items() if name not in _STANDARD},
            "timestamp": datetime.fromtimestamp(record.created, UTC).isoformat(),
        }
        if record.exc_info:
            event["trace"] = self.formatException(record.exc_info)
        _escape(None, "", _add_run_id(None, "", event))
        try:
            return orjson.dumps(event, default=_as_text).decode()
        except TypeError:  # a lone surrogate in a name from outside
            return json.dumps(event, default=_as_text)


def _as_text(value: object) -> str:
    return str(value).translate(_ESCAPES)


_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime"}


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
        if isinstance(value, str) and not value.isprintable():
            event[key] = value.translate(_ESCAPES)
    return event
