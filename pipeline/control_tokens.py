"""Control tokens of chat templates (`<|im_end|>`, `[INST]`) in what others wrote. Pure.

Servers read them wherever they stand, also inside of a message: a draft, a file or a page of
documentation could end its own message with one and speak as somebody else. So a message goes to a
model with a blank behind the first character of each (`< |im_end|>`), and what the model copies of
them comes back whole.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

MAX_LENGTH = 64  # characters of a token
MAX_TEMPLATE = 100_000
PIECE = 64 * 1024  # characters that are looked through at once: meanwhile no thread has a turn
MAX_LEARNED = 200  # tokens of one vocabulary beside the general ones

# By their first character, what follows it. Marks for filling in a gap (`<|fim_middle|>`) are left
# alone: editors send them on purpose, and none of them ends a message.
_WORD = r"[^|｜<>\s]{1,40}"
_GENERAL = {
    "<": (
        rf"[|｜](?!fim){_WORD}[|｜]?>|(?!fim){_WORD}[|｜]>"  # Qwen, Llama 3, Phi, DeepSeek, Gemma 4
        r"|/?s>|[be]os>|pad>|unk>|mask>|(?:start|begin|end)_of_\w{1,20}>"  # Llama 2, Gemma
        r"|</?SYS>>|[BE]OT>|(?:BOS|EOS|PAD)_TOKEN>|eo[ahp]>|sop>|seed:\w{1,20}>"
        r"|(?:unused|extra_id_|SPECIAL_|reserved_)\d{1,5}>"
    ),
    "[": (
        r"/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|MODEL_SETTINGS)\]"
        r"|\|[^|\[\]\s]{1,40}\|\]|[BE]O[ST]\]|gMASK\]|UNUSED_TOKEN_\d{1,5}\]|e~\["
    ),
    "]": r"~!?b[\[\]]",  # MiniMax
}
_TOKEN = re.compile(rf"[^\w\s]\S{{2,{MAX_LENGTH - 1}}}")
_BEGINNING = re.compile(r"[^\w\s](?: |\Z)")  # of a broken token
_IN_TEMPLATE = re.compile(r"<[^<>\s]{1,62}>|\[[^\[\]\s]{1,62}\]")


@dataclass(frozen=True, slots=True)
class BrokenTokens:
    """The control tokens of a prompt, as they stand there now; without those that stood there so
    already, which nobody could tell apart. `known` are the model's own."""

    tokens: frozenset[str] = frozenset()
    known: frozenset[str] = frozenset()


def break_control_tokens(
    texts: Iterable[str], known: frozenset[str]
) -> tuple[list[str], BrokenTokens]:
    """The texts without control tokens of the usual families and the model's own. Linear: some
    tenths of a second for a megabyte of nothing else."""
    patterns = _patterns(known)
    broken: set[str] = set()
    there: set[str] = set()
    written: list[str] = []
    for text in texts:
        there.update(f"{found[0]}{_rest(found)}" for found in _places(patterns.broken, text))
        parts, at = list[str](), 0
        for found in _places(patterns.whole, text):
            broken.add(f"{found[0]} {_rest(found)}")
            parts.append(text[at : found.end()])
            at = found.end()
        written.append(" ".join([*parts, text[at:]]))
    return written, BrokenTokens(frozenset(broken - there), known)


def _places(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """As `finditer`, a piece of the text at a time, with what a token at its end may need."""
    for start in range(0, len(text), PIECE):
        end = start + PIECE
        for found in pattern.finditer(text, start, end + MAX_LENGTH):
            if found.start() < end:
                yield found


class TokenMender:
    """Puts the broken tokens in an answer together, as its pieces arrive."""

    def __init__(self, prompt: BrokenTokens) -> None:
        self._tokens = prompt.tokens
        self._broken = _patterns(prompt.known).broken
        self._held = ""

    def mend(self, piece: str) -> str:
        """What can be said for certain after one more piece; the end of it may be held back."""
        if not self._tokens:
            return piece
        text = self._broken.sub(self._together, self._held + piece)
        end = _open_end(text)
        self._held = text[end:]
        return text[:end]

    def rest(self) -> str:
        """What was held back, when there are no more pieces."""
        held, self._held = self._held, ""
        return held

    def _together(self, found: re.Match[str]) -> str:
        return found[0][0] if f"{found[0]}{_rest(found)}" in self._tokens else found[0]


def learned(tokens: Iterable[str]) -> frozenset[str]:
    """Those of a model's tokens that the general list has not: at most MAX_LEARNED, each with a
    mark in it and no blank, so that plain words stay."""
    found: set[str] = set()
    for token in tokens:
        if len(found) < MAX_LEARNED and _is_learned(token):
            found.add(token)
    return frozenset(found)


def of_template(template: str) -> frozenset[str]:
    """What looks like a token in the text of a chat template."""
    return learned(_IN_TEMPLATE.findall(template[:MAX_TEMPLATE]))


def _is_learned(token: str) -> bool:
    return (
        _TOKEN.fullmatch(token) is not None
        and "fim" not in token
        and not _patterns(frozenset()).whole.match(token)
    )


@dataclass(frozen=True, slots=True)
class _Patterns:
    """Each finds a token's first character (and the blank) and groups the rest, which is looked at
    only: tokens may share characters."""

    whole: re.Pattern[str]
    broken: re.Pattern[str]


@lru_cache(maxsize=16)
def _patterns(known: frozenset[str]) -> _Patterns:
    rests = {first: [rest] for first, rest in _GENERAL.items()}
    for first, rest in _by_first(known).items():
        rests.setdefault(first, []).append(_any_of(rest))
    return _Patterns(*(re.compile("|".join(_looks(rests, blank))) for blank in ("", " ")))


def _looks(rests: Mapping[str, Sequence[str]], blank: str) -> Iterator[str]:
    for first, rest in rests.items():
        yield f"{re.escape(first)}{blank}(?=({'|'.join(rest)}))"


def _any_of(words: Collection[str]) -> str:
    """A pattern that looks at each character once, however many words there are."""
    rests = sorted(_by_first(words).items(), reverse=True)  # the end of a word comes last
    return "|".join(
        f"{re.escape(first)}(?:{_any_of(rest)})" if first else "" for first, rest in rests
    )


def _by_first(words: Iterable[str]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for word in words:
        found.setdefault(word[:1], set()).add(word[1:])
    return found


def _rest(found: re.Match[str]) -> str:
    assert found.lastindex
    return found[found.lastindex]


def _open_end(text: str) -> int:
    """Where the last broken token may begin that is not complete yet."""
    found = _BEGINNING.search(text, max(0, len(text) - MAX_LENGTH - 1))
    return found.start() if found else len(text)
