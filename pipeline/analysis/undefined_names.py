"""Names in Python code that nothing defines. Pure; pyflakes, nothing is executed."""

import re

from pipeline.analysis.python_syntax import ERRORS, parse


def undefined_names(text: str) -> list[str]:
    """The names that Python code uses and neither defines, imports nor has built in, each once, in
    the text's order; [] where it does not parse."""
    tree = parse(text)
    if tree is None:
        return []
    from pyflakes import checker, messages

    try:
        found = checker.Checker(tree, filename="<draft>").messages
    except ERRORS:
        return []
    kinds = (messages.UndefinedName, messages.UndefinedLocal)
    undefined = sorted((m for m in found if isinstance(m, kinds)), key=lambda m: (m.lineno, m.col))
    return list(dict.fromkeys(str(message.message_args[0]) for message in undefined))


def words_in(text: str) -> set[str]:
    """All that could be a name in a text."""
    return set(re.findall(r"\w+", text))
