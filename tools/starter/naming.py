"""A requested name in the middle of a sentence, or in an example of a call, for the last part of
the training. `{f}` is the name, `{x}` the request, `{call}` a call, `{result}` what it returns.
"""

import random
import re
from typing import Any

_INNER = (
    *(" called {f}",) * 4,
    *(" named {f}",) * 3,
    *(" {f}",) * 2,
    *(" `{f}`",) * 2,
    " called `{f}`",
    " called '{f}'",
    ' named "{f}"',
    ", {f},",
    ", called {f},",
    " ({f})",
    " {f}()",
    " by the name of {f}",
)
_BEFORE = (
    "write {f}: {x}",
    "write {f}(): {x}",
    "write `{f}`: {x}",
    "write a function {f}: {x}",
    "write a function called {f}: {x}",
    "implement {f}: {x}",
    "implement `{f}`: {x}",
    "complete {f}: {x}",
    "I need {f}: {x}",
    "function {f}: {x}",
    "add {f}, {x}",
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
# How a second one follows; after a comma where nothing is said.
_MORE = {
    form: "\n" + form.rpartition("\n\n")[2].removeprefix("{x}\n")
    for form in _EXAMPLES
    if "\n" in form
}
_CODE = re.compile(
    r"\b(function|method|procedure|routine|helper|utility|class|script|program|command|tool)\b"
    r"(?= (?:that|which|to|for|able|in order|so)\b)"
)
LONGEST_EXAMPLE = 60  # characters of its arguments and of its result


def inner(rng: random.Random, text: str, name: str) -> str:
    """The request with the name behind the word for the code, or before all where there is none."""
    code = _CODE.search(text)
    if code:
        clause = rng.choice(_INNER).format(f=name)
        return text[: code.end()] + clause + text[code.end() :]
    return rng.choice(_BEFORE).format(f=name, x=text)


def example(rng: random.Random, text: str, name: str, checks: tuple[tuple[Any, Any], ...]) -> str:
    """The request with a call of the function, and at times a second one; as it is where every
    check is too long to be written."""
    calls = [(", ".join(map(repr, arguments)), repr(result)) for arguments, result in checks]
    short = [each for each in calls if max(map(len, each)) <= LONGEST_EXAMPLE]
    if not short:
        return text
    form = rng.choice(_EXAMPLES)
    more = _MORE.get(form, ", {call} == {result}")
    shown = rng.sample(short, min(len(short), rng.choice((1, 1, 1, 2))))
    text = form.replace("{x}", text.rstrip("."))
    for arguments, result in shown:
        call = f"{name}({arguments})"
        text = text.replace("{call}", call).replace("{result}", result) + more
    return text.removesuffix(more)
