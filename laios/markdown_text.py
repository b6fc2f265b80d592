"""Texts as code in Markdown, whatever is in them. Pure."""

import re


def fenced(code: str, label: str | None = None) -> str:
    """One block whose fence is longer than any in the code. The code stands in it as it is."""
    longest = max(map(len, re.findall("`{3,}", code)), default=2)
    fence = "`" * (longest + 1)
    end = "" if code.endswith("\n") or not code else "\n"
    return f"{fence}{label or ''}\n{code}{end}{fence}"


def code_span(text: str) -> str:
    """The text as code within a line, whatever is in it: nothing of it is Markdown or HTML."""
    mark = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    pad = " " if {*text[:1], *text[-1:]} & {"`", " "} else ""
    return f"{mark}{pad}{text}{pad}{mark}"
