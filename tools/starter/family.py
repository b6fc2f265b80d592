"""One task that the starter model knows: its code, its checks and the ways people ask for it."""

from dataclasses import dataclass
from textwrap import dedent
from typing import Any


@dataclass(frozen=True)
class Family:
    """A task family.

    `source` is the gold code with `NAME` for the function's name; `checks` are pairs of arguments
    and expected result; `does` completes "The code …". `verbs` (imperative), `nouns` and `asks`
    (used as they are) are phrase grammars, see `phrasing.expand`. No model is trained on `held`;
    `critic_only` is left out of the coder's training, so that the critic knows wordings that the
    coder may misread.
    """

    name: str
    does: str
    source: str
    checks: tuple[tuple[tuple[Any, ...], Any], ...]
    verbs: tuple[str, ...]
    nouns: tuple[str, ...]
    held: tuple[str, ...]
    critic_only: tuple[str, ...]
    asks: tuple[str, ...] = ()

    def code(self, name: str = "") -> str:
        """The gold code, its function called `name` (default: the family's own name)."""
        return dedent(self.source).strip().replace("NAME", name or self.name)
