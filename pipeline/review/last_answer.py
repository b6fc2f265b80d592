"""A talk's last answer: in what language it is, and its Python. Pure."""

from pipeline.analysis.evidence import language_of
from pipeline.exchange import Exchange


def answered_in(exchange: Exchange) -> str | None:
    """By the code and what it was asked for; None where nothing tells."""
    return language_of(exchange.answer, None, exchange.request)


def python_of(talk: tuple[Exchange, ...]) -> str:
    """The Python of a talk's last answer; "" where it is in another language, or there is none."""
    return talk[-1].answer if talk and answered_in(talk[-1]) == "python" else ""
