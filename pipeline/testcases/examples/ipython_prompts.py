"""Sessions of IPython and Jupyter as those of Python. Pure.

Prompts and errors are written as in IPython's documentation: `In [1]:`, `Out[1]:`, and above an
error a line that ends in `Traceback (most recent call last)`."""

import re

_IN = re.compile(r"^[ \t]{0,20}In ?\[\d{1,5}\]:[ \t]?", re.MULTILINE)
_MORE = re.compile(r"^[ \t]{0,20}\.{3,7}:[ \t]?", re.MULTILINE)
_OUT = re.compile(r"^[ \t]{0,20}Out ?\[\d{1,5}\]:[ \t]{0,20}\n?", re.MULTILINE)
_ERROR = re.compile(
    r"^(?:-{20,}\n)?(?P<name>[A-Za-z_]\w{0,60})[ \t]+Traceback \(most recent call last\)\n"
    r"(?:.*\n){0,60}?(?P<last>(?P=name)\b.*)$",
    re.MULTILINE,
)


def as_python_session(text: str) -> str:
    """The text with `>>>` in place of IPython's prompts, and its errors as Python prints them."""
    if not _IN.search(text):
        return text
    text = _ERROR.sub(r"Traceback (most recent call last):\n  ...\n\g<last>", text)
    text = _OUT.sub("", text)
    return _MORE.sub("... ", _IN.sub(">>> ", text))
