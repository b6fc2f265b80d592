"""Names in Python code that nothing defines. Pure; pyflakes, nothing is executed."""

import ast
import warnings

from pipeline.code import MAX_PARSED


def undefined_names(text: str) -> list[str]:
    """The names that Python code uses and neither defines, imports nor has built in, each once, in
    the text's order; [] where it does not parse."""
    if len(text) > MAX_PARSED:
        return []
    from pyflakes import checker, messages

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
        found = checker.Checker(tree, filename="<draft>").messages
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    kinds = (messages.UndefinedName, messages.UndefinedLocal)
    undefined = sorted((m for m in found if isinstance(m, kinds)), key=lambda m: (m.lineno, m.col))
    return list(dict.fromkeys(str(message.message_args[0]) for message in undefined))
