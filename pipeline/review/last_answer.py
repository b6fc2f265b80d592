"""A talk's last answer: in what language it is, and its Python. Pure."""

from dataclasses import replace

from pipeline.analysis.definitions import public_names
from pipeline.analysis.draft import Draft
from pipeline.analysis.evidence import language_of
from pipeline.exchange import Exchange


def answered_in(exchange: Exchange) -> str | None:
    """By the code and what it was asked for; None where nothing tells."""
    return language_of(exchange.answer, None, exchange.request)


def python_of(talk: tuple[Exchange, ...]) -> str:
    """The Python of a talk's last answer; "" where it is in another language, or there is none."""
    return talk[-1].answer if talk and answered_in(talk[-1]) == "python" else ""


def in_its_language(draft: Draft, talk: tuple[Exchange, ...]) -> Draft:
    """The draft in the language of a talk's last answer, where nothing tells its own and it defines
    what that does: small models leave the label out when they change code."""
    spoken = answered_in(talk[-1]) if talk and not draft.language else None
    if not spoken:
        return draft
    names = (public_names(spoken, code) for code in (talk[-1].answer, draft.text))
    return replace(draft, language=spoken) if set.intersection(*names) else draft
