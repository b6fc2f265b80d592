"""The tag grammar and the table of modes: the one source for the API, the command line, the
frontends' model names, the error texts and the documents.

A tag is `///word`, or `///word=N` for a mode that takes a number, followed by white space or the
end. Tags count at the head of a prompt or alone on its first or last line, never inside a code
fence.
"""

import difflib
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from pipeline.analysis.fences import ends_in_fence
from pipeline.errors import BadRequest, ConflictingTags, EmptyPrompt, UnknownMode, UnknownTag
from pipeline.task import CODE, Result

if TYPE_CHECKING:
    from pipeline.run import Run

DEFAULT_MODE = "code_reviewed"
CONTEXT_WORDS = ("ctx", "continue")
CONTEXT_SUFFIX = "_ctx"
LONGEST_WORD = 64  # characters of a wrong name that are compared and repeated

Flow = Callable[["Run", Any], Awaitable[Result]]


@dataclass(frozen=True, slots=True)
class Mode:
    """A row of the table. `words` are its tags without the slashes, `timeout_factor` stretches
    RUN_TIMEOUT_S, `formats` are the forms that its answer can take, the first by default, `roles`
    those that its stages ask, in their order. `verbatim`: the answer is the model's reply as it
    came, so it can be passed on token by token. `with_context`: this row is the `_ctx` form of
    `base`. `takes_conversation`: a chat's earlier turns go before the prompt, `takes_memory`:
    earlier solved requests that resemble this one go before it. `numbers`: the least and the most
    that `///word=N` can say."""

    name: str
    flow: Flow
    help: str
    words: tuple[str, ...] = ()
    timeout_factor: float = 1.0
    formats: tuple[str, ...] = (CODE,)
    roles: tuple[str, ...] = ("coder",)
    verbatim: bool = False
    base: str = ""
    with_context: bool = False
    takes_conversation: bool = True
    takes_memory: bool = False
    numbers: tuple[int, int] | None = None

    @property
    def word(self) -> str:
        """What is typed to choose it: `raw`, `raw_ctx`, `ctx`; without a tag, its name."""
        if self.name == DEFAULT_MODE + CONTEXT_SUFFIX:
            return CONTEXT_WORDS[0]
        word = self.words[0] if self.words else self.base
        return f"{word}{CONTEXT_SUFFIX if self.with_context else ''}"


# Filled by importing `pipeline.capabilities`.
MODES: dict[str, Mode] = {}
OF_ROUTES: dict[str, Mode] = {}  # of routes of their own, which nobody chooses: on record alone


def mode(
    name: str,
    *,
    help: str,
    words: tuple[str, ...] = (),
    takes_history: bool = False,
    timeout_factor: float = 1.0,
    formats: tuple[str, ...] = (CODE,),
    roles: tuple[str, ...] = ("coder",),
    verbatim: bool = False,
    numbers: tuple[int, int] | None = None,
) -> Callable[[Flow], Flow]:
    """Enters a flow into the table, and its `_ctx` form if it takes history.

    Raises ValueError when the name or a word is taken: two modes must never answer to one tag.
    """

    def register(flow: Flow) -> Flow:
        row = Mode(
            name,
            flow,
            help,
            words,
            timeout_factor,
            formats,
            roles,
            verbatim,
            base=name,
            numbers=numbers,
        )
        taken = {word for each in MODES.values() for word in each.words} | set(CONTEXT_WORDS)
        if name in MODES or taken & set(words):
            raise ValueError(f"mode {name!r} or one of its tags {words!r} exists already")
        MODES[name] = row
        if takes_history:
            in_context = f"{help.rstrip('.')}, with recent history before the prompt."
            MODES[name + CONTEXT_SUFFIX] = replace(
                row, name=name + CONTEXT_SUFFIX, help=in_context, with_context=True
            )
        return flow

    return register


def mode_of_route(row: Mode) -> Mode:
    """Enters a mode whose input is more than a prompt."""
    OF_ROUTES[row.name] = row
    return row


def resolve_mode(choice: str | None, *, on_record: bool = False) -> str:
    """The mode's name for a name or a tag's word (`code_raw`, `raw`, `raw_ctx`, `ctx`, `best=8`).

    None and "" mean the default. `on_record`: those that nobody chooses and records have, too.
    Raises UnknownMode with the nearest names, BadRequest for a number that the mode does not take.
    """
    if not choice:
        return DEFAULT_MODE
    more = OF_ROUTES if on_record else {}
    choices = _choices() | {name: name for name in more}
    word, number = _split_number(choice.lower())
    found = choices.get(word)
    if found:
        _check_number(found, number)
        return found
    choice = choice[:LONGEST_WORD]
    near = difflib.get_close_matches(choice.lower(), choices, n=1)
    hint = f"Did you mean {near[0]!r}? " if near else ""
    if "/" in choice:  # as PROVIDER/NAME; -m of some commands is a model
        hint = "A model is chosen by: laios models use. "
    known = ", ".join((*(row.word for row in MODES.values()), *more))
    raise UnknownMode(f"There is no mode {choice!r}. {hint}Modes: {known}.")


def _choices() -> dict[str, str]:
    choices = dict.fromkeys(CONTEXT_WORDS, DEFAULT_MODE + CONTEXT_SUFFIX)
    for row in MODES.values():
        choices[row.name] = row.name
        suffix = CONTEXT_SUFFIX if row.with_context else ""
        choices.update({word + suffix: row.name for word in row.words})
    return choices


# --- the grammar -------------------------------------------------------------------------------

_WORD = r"[A-Za-z][A-Za-z-]*(?:=\d{1,4})?"
_TAG = re.compile(rf"///({_WORD})(?=\s|$)\s*")
_BAD_NUMBER = re.compile(r"///([A-Za-z][A-Za-z-]*)=(\S*)")
_ESCAPE = re.compile(rf"\\(?=///{_WORD}(?:\s|$))")
_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "`": "`"}
_WRAPPERS = (
    "attached_files|attachments|attached_context|context|documents|editor_context|editorContext"
    "|environment_details|files|file_contents|reminderInstructions|repoContext|selected_text"
    "|sources|system-reminder|toolReferences"
)
_WRAPPER = re.compile(
    rf"(?:<({_WRAPPERS})(?:\s[^<>]*)?>.*?</\1>"
    r"|### Task:\n.*?</context>)\s*",  # Open WebUI, before a question about retrieved text
    re.DOTALL | re.IGNORECASE,
)
# What editors put around a person's own words: Copilot, Cline, and others.
_ENVELOPE = re.compile(
    r"<(userRequest|prompt|task|user_message|user_query)>(?=.*</\1>)\s*",
    re.DOTALL | re.IGNORECASE,
)
_LONGEST_TAGS = 200  # characters of a line that holds nothing but tags


class Tagged(NamedTuple):
    """What the tags of a prompt say: the mode's name, the number of `///best=8`, and the prompt
    without them."""

    mode: str
    number: int | None
    prompt: str


def extract_mode_and_prompt(text: str, choice: str | None = None) -> tuple[str, str]:
    """The mode that a prompt's tags name, and the prompt without them; as `read_tags`."""
    found = read_tags(text, choice)
    return found.mode, found.prompt


def read_tags(
    text: str, choice: str | None = None, *, may_be_empty: bool = False, literal: bool = False
) -> Tagged:
    """Splits a prompt into what its tags say and the prompt without them.

    `choice` is the mode that was chosen beside the text (field, option, model name); a tag in the
    text replaces it entirely. Beside an image a prompt `may_be_empty`; in a `literal` one nothing
    is a tag. Raises EmptyPrompt, UnknownTag, ConflictingTags, UnknownMode, BadRequest.
    """
    words: list[str] = []
    if not literal:
        words, text = _split_head(text)
        more, text = _split_last_line(text)
        words, text = list(dict.fromkeys(words + more)), _without_escape(text.strip())
    name = _mode_of(words) if words else resolve_mode(choice)
    numbers = [n for _, n in map(_split_number, words or [choice or ""]) if n is not None]
    for number in numbers:
        _check_number(name, number)
    if not (text.strip() or may_be_empty):
        raise EmptyPrompt("The prompt is empty. Say what the code should do.")
    return Tagged(name, numbers[-1] if numbers else None, text)


def _split_number(word: str) -> tuple[str, int | None]:
    """`best=8` → best, 8."""
    name, equals, number = word.partition("=")
    return (name, int(number)) if equals and re.fullmatch(r"\d{1,4}", number) else (word, None)


def _check_number(name: str, number: int | None) -> None:
    """Raises BadRequest."""
    allowed = _numbers_of(name)
    if number is not None and not (allowed and allowed[0] <= number <= allowed[1]):
        raise _bad_number(name, number)


def _bad_number(name: str, given: int | str) -> BadRequest:
    allowed = _numbers_of(name)
    word = MODES[name].word if name in MODES else name or "This tag"
    if allowed is None:
        return BadRequest(f"{word} takes no number: leave `={given}` out.")
    least, most = allowed
    return BadRequest(f"{word} takes a number from {least} to {most}, not {given!r}.")


def _numbers_of(name: str) -> tuple[int, int] | None:
    return MODES[name].numbers if name in MODES else None


def _split_head(text: str) -> tuple[list[str], str]:
    """The tag words at the head, and the text without them."""
    body = text.strip()
    inner = _unquoted(body)
    wrappers, rest = split_wrappers(inner)
    known = _tag_words()
    words: list[str] = []
    end = 0
    while tag := _TAG.match(rest, end):
        word = tag[1].lower()
        if _split_number(word)[0] not in known:
            if not words:
                raise _unknown_tag(tag[1])
            break
        words.append(word)
        end = tag.end()
    if not tag and (bad := _BAD_NUMBER.match(rest, end)):
        _refuse(bad, known)
    return (words, wrappers + rest[end:]) if words else ([], body)


def _refuse(bad: re.Match[str], known: Mapping[str, str]) -> None:
    """Raises BadRequest where the word is a tag's."""
    if bad[1].lower() in known:
        raise _bad_number(known[bad[1].lower()], bad[2][:20])


def _without_escape(body: str) -> str:
    """The text with the backslash of an escaped tag at its head taken away."""
    inner = _unquoted(body)
    wrappers, rest = split_wrappers(inner)
    escape = _ESCAPE.match(rest)
    return wrappers + rest[escape.end() :] if escape else body


def _unquoted(body: str) -> str:
    """The text inside one enclosing pair of quotes, if a tag is what they enclose."""
    closing = _QUOTES.get(body[:1])
    if closing and len(body) > 1 and body.endswith(closing):
        inner = body[1:-1].strip()
        if _TAG.match(inner) or _ESCAPE.match(inner):
            return inner
    return body


def split_wrappers(body: str) -> tuple[str, str]:
    """What a frontend has put before a person's words, with the blanks after it, and the words."""
    end = 0
    while found := _WRAPPER.match(body, end):
        end = found.end()
    if found := _ENVELOPE.match(body, end):
        end = found.end()
    return body[:end], body[end:]


def _split_last_line(text: str) -> tuple[list[str], str]:
    """The tag words of a last line that holds nothing but known tags, and the text before it."""
    body = text.rstrip()
    start = body.rfind("\n") + 1
    if len(body) - start > _LONGEST_TAGS:
        return [], text
    line = body[start:].split()
    tags = [tag for each in line if (tag := _TAG.fullmatch(each) or _BAD_NUMBER.fullmatch(each))]
    words = [tag[1].lower() for tag in tags]
    known = _tag_words()
    named = [_split_number(word)[0] for word in words]
    tags_alone = words and len(words) == len(line) and all(word in known for word in named)
    if not tags_alone or ends_in_fence(body[:start]):
        return [], text
    for tag in tags:
        if tag.re is _BAD_NUMBER:
            _refuse(tag, known)
    return words, body[:start]


def _tag_words() -> dict[str, str]:
    """Every word that is a tag, with the mode that it names ("" for the history tags)."""
    words = dict.fromkeys(CONTEXT_WORDS, "")
    words.update({word: row.base for row in MODES.values() for word in row.words})
    return words


def _mode_of(words: list[str]) -> str:
    table = _tag_words()
    named = [_split_number(word)[0] for word in words]
    bases = list(dict.fromkeys(table[word] for word in named if table[word]))
    if len(bases) > 1:
        raise ConflictingTags(f"{_spell(words)} name different modes. Keep one of them.")
    base = bases[0] if bases else DEFAULT_MODE
    if not any(word in CONTEXT_WORDS for word in named):
        return base
    if base + CONTEXT_SUFFIX not in MODES:
        raise ConflictingTags(
            f"{_spell(words)} cannot be combined: {MODES[base].word} takes no history."
        )
    return base + CONTEXT_SUFFIX


def _spell(words: list[str]) -> str:
    return " and ".join(f"///{word}" for word in dict.fromkeys(words))


def _unknown_tag(word: str) -> UnknownTag:
    known = list(_tag_words())
    word = word[:LONGEST_WORD]
    near = difflib.get_close_matches(word.lower(), known, n=1)
    hint = f"Did you mean ///{near[0]}? " if near else ""
    return UnknownTag(
        f"There is no tag ///{word}. {hint}Tags: {', '.join('///' + w for w in known)}. "
        f"To send it as text, write \\///{word}."
    )
