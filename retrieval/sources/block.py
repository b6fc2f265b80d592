"""A heading, paragraph or piece of code of a text file, as a child process reports it."""

from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from retrieval.sources.api_entry import clean

BlockKind = Literal["heading", "text", "code", "api"]

MAX_TEXT = 1_000_000  # characters
MAX_NAMES = 60

_KINDS = get_args(BlockKind)


@dataclass(slots=True)
class Block:
    """A heading (`level` 1 to 9), a paragraph, code (of a `language`), or the definition of a name
    of an API. `names`: the qualified names that it defines, uses or mentions."""

    kind: BlockKind
    text: str
    level: int = 0
    language: str = ""
    names: list[str] = field(default_factory=list)

    @classmethod
    def from_json(cls, data: Any) -> "Block":
        """ValueError where it is anything else than what a well-behaved child sends."""
        if not isinstance(data, dict) or data.get("kind") not in _KINDS:
            raise ValueError("no block")
        level, names = data.get("level", 0), data.get("names", [])
        if type(level) is not int or not 0 <= level <= 9 or not isinstance(names, list):
            raise ValueError("no level, or no names")
        return cls(
            data["kind"],
            clean(data.get("text"), MAX_TEXT),
            level,
            clean(data.get("language", ""), 40),
            [clean(name, 200) for name in names[:MAX_NAMES]],
        )
