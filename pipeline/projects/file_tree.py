"""A tree of files that is drawn in a request (`├── src`), as the paths that it means. Pure."""

import re

# A line of it: bars of the folders around it, a branch, a name, and what is said of it.
_BRANCH = re.compile(
    r"(?P<before>[ \t\xa0│|]{0,80})(?:[├└╰]─*|[|`+\\]--+)[ \t\xa0]?"
    r"(?P<name>(?=[\w.])[^\s#<>:,;(]{1,100})(?P<about>.*)"
)
_ROOT = re.compile(r"[ \t]*`?(?P<name>[\w.-]{1,80})/?`?[ \t]*(?:#.*)?")  # the line above it
# A single folder at the top is the project's own, but for one of these.
_PARTS = {"src", "lib", "tests", "test", "docs", "static", "templates"}


def drawn_files(text: str) -> tuple[str, list[str]]:
    """The text without the trees in it, and a line for each of their files: its path, and what is
    said of it."""
    rest: list[str] = []
    lines: list[str] = []
    around: list[tuple[int, str]] = []  # the folders that a line may be in, by their columns
    for line in text.split("\n"):
        branch = _BRANCH.fullmatch(line.rstrip())
        if not branch:
            rest.append(line)
            around = []
            continue
        column = len(branch["before"])
        if not around and rest and (root := _ROOT.fullmatch(rest[-1])):
            around = [(-1, root["name"])] if root["name"] in _PARTS else []
            rest.pop()
        around = [each for each in around if each[0] < column]
        path = "/".join([*(name for _, name in around), branch["name"].rstrip("/")])
        around.append((column, branch["name"].rstrip("/")))
        if not branch["name"].endswith("/") and "." in branch["name"].strip("."):
            lines.append(f"{path} {branch['about'].strip(' -–—#:')}".strip())
    return "\n".join(rest), lines
