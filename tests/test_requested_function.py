"""Which callable a request asks for, where it shows others."""

import pytest

from pipeline.testcases.examples.example_search import find_examples

HELPERS = "def inc(x):\n    return x + 1\n\ndef dbl(x):\n    return x * 2\n"
STUB = 'def add(a, b):\n    """Adds a and b.\n\n    Any of them.\n    """\n'


@pytest.mark.parametrize(
    ("request_", "function"),
    [
        (f"I have these:\n\n{HELPERS}\nWrite a function that composes any of them.", ""),
        ("Write a timing wrapper usable like\n\n@timed\ndef work():\n    time.sleep(1)\n", ""),
        ("Write a registry. Plugins look like\n\n@plugin\ndef export(data):\n    ...", ""),
        (f"Write a function `twice`. For example:\n\n{HELPERS}\ntwice(inc, 3)", "twice"),
        ("Write an iterative version called fast.\ndef fib(n):\n    return fib(n - 1)", "fast"),
        # These are to be written, or changed.
        (f"Write a function that adds.\n\n{STUB}", "add"),
        ("Write a function:\n\ndef add(a, b):\n    # your code\n    pass", "add"),
        ("Write a function def add(a, b): returns the sum", "add"),
        (f"{HELPERS}\n{STUB}", "add"),
        ("Write Python (pandas) code that adds.", ""),
        (f"Fix this.\n\n{HELPERS}", "dbl"),
    ],
)
def test_what_a_request_shows_is_not_what_it_asks_for(request_, function):
    """A definition that does something or is decorated, where another one is wanted."""
    assert find_examples(request_).function == function
