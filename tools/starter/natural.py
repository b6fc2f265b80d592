"""Requests written by hand, as a newcomer would type them, apart from the phrase grammars.

They are for evaluation only; a few may occur in the training data by chance.
"""

import re

from tools.starter import (
    natural_algorithms,
    natural_basics,
    natural_collections,
    natural_programs,
    natural_text,
    natural_unknown,
    natural_unknown_seen,
)
from tools.starter.families import FAMILIES
from tools.starter.family import JAVASCRIPT
from tools.starter.phrasing import Request

_TOPICS = (natural_basics, natural_algorithms, natural_collections, natural_text, natural_programs)
PROMPTS = {name: texts for topic in _TOPICS for name, texts in topic.PROMPTS.items()}
_JAVASCRIPT = re.compile(r"\b(javascript|js|node)\b", re.IGNORECASE)


def known() -> list[Request]:
    """The requests for tasks that the model knows."""
    families = {family.name: family for family in FAMILIES}
    return [
        Request(text, family, language=JAVASCRIPT if _JAVASCRIPT.search(text) else family.language)
        for name, texts in PROMPTS.items()
        if (family := families.get(name))
        for text in texts
    ]


def unknown() -> list[Request]:
    """The requests for what it does not know."""
    return _beyond(natural_unknown.PROMPTS)


def unknown_seen() -> list[Request]:
    """Those of them that the near misses were written with an eye on."""
    return _beyond(natural_unknown_seen.PROMPTS)


def _beyond(prompts: dict[str, tuple[str, ...]]) -> list[Request]:
    return [Request(text, None) for texts in prompts.values() for text in texts]
