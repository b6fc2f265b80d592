"""In what language the last answer of a talk is. Pure."""

from pipeline.analysis.evidence import language_of
from pipeline.exchange import Exchange


def answered_in(exchange: Exchange) -> str | None:
    """By the code and what it was asked for; None where nothing tells."""
    return language_of(exchange.answer, None, exchange.request)
