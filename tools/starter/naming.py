"""A requested name in the middle of a sentence, as a signature, or in an example of a call, for the
last part of the training. `{f}` is the name, `{x}` the request, `{s}` the parameters, `{call}` a
call and `{result}` what it returns.
"""

import random
import re
from typing import Any

from tools.starter.grammar import either

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
