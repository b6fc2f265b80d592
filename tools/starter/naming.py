"""Requested names for the last parts of the training: in the middle of a sentence, as a signature
or in an example of a call, and at last made of any words at all, so that they have to be copied.
`{f}` is the name, `{x}` the request, `{s}` the parameters, `{call}` a call, `{result}` what it
returns.
"""

import builtins
import itertools
import random
import re
from keyword import iskeyword
from typing import Any

from tools.starter import odd, words
from tools.starter.families import FAMILIES
from tools.starter.grammar import either
from tools.starter.outliers import made_up

# Phrase grammars, see `grammar.either`.
_INNER = (
    " [called|called|named|named|titled|known as|by the name of] [{f}|{f}|{f}|`{f}`|'{f}'|\"{f}\"]",
    " [{f}|{f}|`{f}`|{f}()]",
    " ([|called |named ]{f})",
    ", [|called |named ]{f},",
)
_HELD_INNER = (", named `{f}`,", " with the name {f}", " `{f}()`")
_BEFORE = (
    "[write|write|implement|code|define|create|make|complete|build|add|finish|I need|give me] "
    "[||a function|a function called|the function|function|a method|a helper|def] "
    '[{f}|{f}|`{f}`|{f}()|"{f}"][:|:|:|,|.| -|;|,\n|:\n] {x}',
    "[function|method|function name|name|def] [{f}|{f}|`{f}`|{f}()][:|:|,| -|;|\n] {x}",
    "[`{f}`|{f}()][:|:| -|,] {x}",
)
_HELD_BEFORE = ("put this into {f}: {x}", "what {f} does: {x}")
_SIGNED = (
    "{x}\n\ndef {f}{s}:",
    "{x}: def {f}{s}",
    "{x}. The signature is {f}{s}",
    "{x}. Signature: def {f}{s}",
    "{x} as {f}{s}",
    "def {f}{s}: {x}",
    "def {f}{s}: # {x}",
    "def {f}{s}:\n    # {x}",
    'def {f}{s}:\n    """{x}"""',
    'complete\n\ndef {f}{s}:\n    """{x}"""\n    pass',
    "write {f}{s}: {x}",
    "write `{f}{s}`: {x}",
    "implement def {f}{s}. {x}",
)
_EXAMPLES = (
    "{x}. For example {call} == {result}",
    "{x}. For example, {call} returns {result}",
    "{x}, e.g. {call} == {result}",
    "{x}, e.g. {call} is {result}",
    "{x}. Example: {call} -> {result}",
    "{x}: {call} -> {result}",
    "{x}: {call} == {result}",
    "{x}. {call} should return {result}",
    "{x} so that {call} == {result}",
    "{x}\n\n>>> {call}\n{result}",
    "{x}\n>>> {call}\n{result}",
    "{x}\nassert {call} == {result}",
    "{x}\n\nassert {call} == {result}",
    "{x} (`{call}` gives `{result}`)",
)
_HELD_EXAMPLES = (
    "{x}, {call} must give {result}",
    "{x}\n\n{call}  # {result}",
    "{x}. I want {call} to be {result}",
)
# How a second one follows; after a comma where nothing is said.
_MORE = {
    form: "\n" + form.rpartition("\n\n")[2].removeprefix("{x}\n")
    for form in _EXAMPLES + _HELD_EXAMPLES
    if "\n" in form
}
_CODE = re.compile(
    r"\b(function|method|procedure|routine|helper|utility|class|script|program|command|tool)\b"
    r"(?= (?:that|which|to|for|able|in order|so)\b)"
)
_SIGNATURE = re.compile(r"^def \w+(\(.*?\))(?: ->.*)?:$", re.MULTILINE)
LONGEST_EXAMPLE = 60  # characters of its arguments and of its result

Calls = list[tuple[str, str]]
"""Arguments and the result of each, as code."""


def inner(rng: random.Random, text: str, name: str, held: bool = False) -> str:
    """The request with the name behind the word for the code, or before all where there is none;
    `held`: in words that no model is trained on."""
    code = _CODE.search(text)
    if code:
        clause = either(rng.choice(_HELD_INNER if held else _INNER), rng).format(f=name)
        return text[: code.end()] + clause + text[code.end() :]
    return either(rng.choice(_HELD_BEFORE if held else _BEFORE), rng).format(f=name, x=text)


def signed(rng: random.Random, text: str, name: str, code: str) -> str:
    """The request with the name and the parameters that the Python function in `code` has."""
    found = _SIGNATURE.search(code)
    parameters = found[1] if found else "()"
    return rng.choice(_SIGNED).format(f=name, x=text.rstrip("."), s=parameters)


def short_calls(checks: tuple[tuple[Any, Any], ...]) -> Calls:
    """Those of the checks that somebody would write into a request."""
    calls = [(", ".join(map(repr, arguments)), repr(result)) for arguments, result in checks]
    return [each for each in calls if max(map(len, each)) <= LONGEST_EXAMPLE]


def example(rng: random.Random, text: str, name: str, calls: Calls, held: bool = False) -> str:
    """The request with one of the calls, and at times a second one; `held` as above."""
    form = rng.choice(_HELD_EXAMPLES if held else _EXAMPLES)
    more = _MORE.get(form, ", {call} == {result}")
    text = form.replace("{x}", text.rstrip("."))
    for arguments, result in rng.sample(calls, min(len(calls), rng.choice((1, 1, 1, 2)))):
        call = f"{name}({arguments})"
        text = text.replace("{call}", call).replace("{result}", result) + more
    return text.removesuffix(more)


def any_name(rng: random.Random, for_class: bool = False) -> str:
    """A name that no list holds: of words, of syllables and of letters, in any of the usual cases.
    It hides nothing that a task's code uses, and is none of those held out."""
    parts = [_part(rng) for _ in range(rng.choice((1, 2, 2, 2, 3)))]
    name = _joined(rng, parts, for_class)
    free = not (iskeyword(name) or hasattr(builtins, name) or name in _TAKEN)
    if free and name.isidentifier() and len(name) <= LONGEST_NAME:
        return name
    return any_name(rng, for_class)


def garbled(rng: random.Random, name: str) -> str:
    """Another name that is easily taken for this one, as a model writes it that loses its place."""
    parts = re.findall(r"[A-Z]?[a-z]+|[A-Z]+|\d+|_+", name)
    place = rng.randrange(len(parts))
    part, other = parts[place], _part(rng)
    cut = rng.randint(0, len(part) - 1)
    wrong = (
        part[:cut],
        part[:cut] + other[-3:],
        other,
        part + other[:3],
        part[:cut] + part[cut + 1 :],
    )
    parts[place] = rng.choice(wrong)
    found = "".join(parts)
    return found if found != name and found.isidentifier() else name + rng.choice("sxy12")


def _part(rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.55:
        return rng.choice(_WORDS)
    if kind < 0.7:
        return rng.choice(words.NAME_WORDS)
    if kind < 0.85:
        return made_up(rng).lower()
    return "".join(rng.choices(_LETTERS, k=rng.randint(1, 7)))


def _joined(rng: random.Random, parts: list[str], for_class: bool) -> str:
    titles = "".join(part[0].upper() + part[1:] for part in parts)
    if for_class:
        return titles
    kind = rng.random()
    if kind < 0.6:
        return "_".join(parts)
    if kind < 0.85:
        return parts[0] + titles[len(parts[0]) :]
    return "".join(parts) if kind < 0.9 else f"{'_'.join(parts)}{rng.randint(0, 99)}"


LONGEST_NAME = 28  # characters
_LETTERS = "aaabcdeeefghiiijklmnooopqrssttuuvwxyz23"
_WORDS: list[str] = sorted(
    {
        word
        for text in itertools.chain(
            odd.WORDS, odd.DOING, odd.PLAIN, *(family.verbs + family.nouns for family in FAMILIES)
        )
        for word in re.findall(r"[a-z]{2,12}", text)
    }
)
# By JavaScript or by Bash.
_RESERVED = """
new function var let switch case delete typeof this void default export extends const enum do throw
catch super package private public static interface protected implements undefined then fi done esac
until select time local eval arguments
"""
_TAKEN = {
    *words.HELD_NAMES,
    *_RESERVED.split(),
    *(name for each in FAMILIES for name in re.findall(r"\w+", each.source + each.javascript)),
}
