"""Words with a `:` or a `=` when a shell completes them, as names of models and `--mode=` have.

Bash takes such a word apart (COMP_WORDBREAKS) and puts what is offered in the place of its last
piece; Typer takes each piece for a word. To zsh and fish `--mode=raw` is one word, which Typer
completes by what stands behind the `=` alone.
"""

import re
from collections.abc import Iterable
from typing import Any

from typer import _completion_classes as typers
from typer import _completion_shared as scripts
from typer._completion_classes import BashComplete, FishComplete, ZshComplete, completion_init

from config import typed_in_bash

BREAK = re.compile(r"[:=]+")
SPECIAL = re.compile(r"""[\s\\'"$`&|;<>()*?\[\]{}!#~^]""")
SPECIAL_QUOTED = re.compile(r'[\\"$`]')  # between double quotes
FIRST_TAB = """
if [[ $funcstack[1] == _%(prog_name)s ]]; then  # zsh loads this file at the first Tab
  %(complete_func)s
fi
"""


class WholeWords(BashComplete):
    """What stands before the last piece stands there already, and is not offered again. Bash takes
    what is offered into its line as it is: a blank in it would end the word."""

    _before = ""

    def get_completion_args(self) -> tuple[list[str], str]:
        args, piece = super().get_completion_args()
        *words, last = _joined([*args, piece])
        before = last.removesuffix("" if BREAK.fullmatch(piece) else piece)
        self._before = before.partition("=")[2] if last.startswith("--") else before
        return words, last

    def format_completion(self, item: Any) -> str:
        offered = super().format_completion(item).removeprefix(self._before)
        return _in_bash(offered, _open_quote(typed_in_bash()))


class ZshWords(ZshComplete):
    """zsh is told that `--option=` stays, be it values that are offered or files. It evaluates what
    it is told: Typer's quoting lets a name with a backslash run commands."""

    def format_completion(self, item: Any) -> str:
        about = [typers._sanitize_help_text(item.help)] if item.help else []
        return ":".join(f'"{_in_zsh(text)}"' for text in (item.value, *about))

    def complete(self) -> str:
        offered = super().complete()
        return (
            f"compset -P '--*='; {offered}" if _option(self.get_completion_args()[1]) else offered
        )


class FishWords(FishComplete):
    """fish wants the whole word."""

    def format_completion(self, item: Any) -> str:
        return _option(self.get_completion_args()[1]) + super().format_completion(item)


def complete_at_first_tab() -> None:
    """In zsh, where Typer's script does nothing then but define what the next Tab calls."""
    scripts._completion_scripts["zsh"] = scripts.COMPLETION_SCRIPT_ZSH + FIRST_TAB


def complete_whole_words() -> None:
    """Of what a shell asks from now on."""
    typers.BashComplete = WholeWords  # type: ignore[misc]
    typers.ZshComplete = ZshWords  # type: ignore[misc]
    typers.FishComplete = FishWords  # type: ignore[misc]
    completion_init()


def _option(word: str) -> str:
    """`--mode=` of `--mode=r`."""
    option, equals, _ = word.partition("=")
    return option + equals if equals and word.startswith("--") else ""


def _open_quote(line: str) -> str:
    """The quote that nothing closes, if there is one: the word that is completed is in it."""
    rest = re.sub(r"\\.|'[^']*'|\"(?:\\.|[^\"\\])*\"", "", line, flags=re.DOTALL)
    return next((letter for letter in rest if letter in "'\""), "")


def _in_bash(text: str, quote: str) -> str:
    """Behind this quote, or none."""
    if quote == "'":
        return text.replace("'", r"'\''")
    return (SPECIAL_QUOTED if quote else SPECIAL).sub(r"\\\g<0>", text)


def _in_zsh(text: str) -> str:
    """For its first reading between single quotes, the second between double ones, and the one that
    looks for descriptions."""
    literal = text.replace("\\", r"\\")
    return SPECIAL_QUOTED.sub(r"\\\g<0>", literal).replace(":", r"\\:").replace("'", r"'\''")


def _joined(pieces: Iterable[str]) -> list[str]:
    """Bash does not say where blanks were: before an option there was one."""
    words: list[str] = []
    for piece in pieces:
        goes_on = BREAK.fullmatch(piece) or (words and words[-1].endswith((":", "=")))
        if words and piece and goes_on and not piece.startswith("-"):
            words[-1] += piece
        else:
            words.append(piece)
    return words
