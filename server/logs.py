"""Log lines: one event is one line, whatever is in it."""

import logging

_ESCAPES = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160))}
_ESCAPES |= {
    ord("\n"): "\\n",
    ord("\r"): "\\r",
    ord("\t"): "\\t",
    0x2028: "\\u2028",
    0x2029: "\\u2029",
}


class OneLine(logging.Formatter):
    """Escapes line ends and terminal controls: model names and error texts come from outside."""

    def format(self, record: logging.LogRecord) -> str:
        return super().format(record).translate(_ESCAPES)


def set_up_logging(*, verbose: bool = False) -> None:
    """Sends the log to stderr."""
    handler = logging.StreamHandler()
    handler.setFormatter(OneLine("%(asctime)s %(levelname)-7s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    for name in ("uvicorn.access", "uvicorn.error", "httpx", "sse_starlette", "watchfiles"):
        logging.getLogger(name).setLevel(logging.DEBUG if verbose else logging.WARNING)
    logging.getLogger("laios").setLevel(logging.DEBUG if verbose else logging.INFO)
