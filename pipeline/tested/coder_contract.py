"""The part of the coder's prompt that names what the code of `///test` has to define."""

from pipeline.testcases.entry_point import DEFAULT_FUNCTION
from pipeline.testcases.suite import Suite


def unsaid(suite: Suite) -> str:
    """What the request does not say itself. Where it names the function, nothing: the prompt is
    then the default mode's (a 0.5B model that was told the name again failed what it could do).

    Generated tests are not shown: they may be wrong, and drafts that know them would agree with
    them for that reason alone."""
    return "" if suite.function and not suite.program else contract(suite)


def contract(suite: Suite) -> str:
    if suite.program:
        return "Write a program that reads standard input and prints its answer, nothing else."
    name = suite.function or DEFAULT_FUNCTION
    return (
        f"Define {suite.signature or name} at the top level, under exactly that name. Importing "
        "the file must do nothing else. Where it is tested there is the standard library alone."
    )
