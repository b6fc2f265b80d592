"""One task that the starter model knows: its code, its checks and the ways people ask for it."""

from dataclasses import dataclass
from textwrap import dedent
from typing import Any

PYTHON, JAVASCRIPT, BASH = "python", "javascript", "bash"


@dataclass(frozen=True)
class Family:
    """A task family.

    `source` is the gold code with `NAME` for the function's (or class's) name, in `language`;
    `javascript` is the same task in JavaScript, where there is one. `checks` are pairs of arguments
    and expected result (Bash: words and what is printed). `driver` is code after the gold code that
    defines `check(*args)`, where calling NAME once shows too little. `does` completes "The code …".
    `verbs` (imperative), `nouns` and `asks` (used as they are) are phrase grammars, see
    `grammar.expand`. No model is trained on `held`; `critic_only` is left out of the coder's
    training, so that the critic knows wordings that the coder may misread.
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
    javascript: str = ""
    language: str = PYTHON
    driver: str = ""

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that the task is known in, its own first."""
        return (self.language, JAVASCRIPT) if self.javascript else (self.language,)

    @property
    def is_class(self) -> bool:
        """Whether the code is a class and not a function."""
        return "class NAME" in self.source

    def name_in(self, language: str) -> str:
        """The name that the code has when none is requested, as the language writes names."""
        words = self.name.split("_")
        if self.is_class:
            return "".join(word.title() for word in words)
        if language == JAVASCRIPT:
            return words[0] + "".join(word.title() for word in words[1:])
        return self.name.removesuffix(f"_{self.language}")

    def template(self, language: str = "") -> str:
        """The gold code with `NAME` for its name."""
        chosen = self.javascript if language not in ("", self.language) else self.source
        return dedent(chosen).strip()

    def code(self, name: str = "", language: str = "") -> str:
        """The gold code, its function called `name`."""
        language = language or self.language
        return self.template(language).replace("NAME", name or self.name_in(language))
