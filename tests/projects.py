"""Rules of scripted models that make a small project, for the tests of `///files`."""

import json

PROMPT = "///files a calculator"
CORE = "def add(a, b):\n    return a + b\n"
CLI = "from core import add\n\nprint(add(1, 2))\n"
TEST = (
    "import unittest\n\nfrom core import add\n\n\nclass TestAdd(unittest.TestCase):\n"
    "    def test_add(self):\n        self.assertEqual(add(1, 2), 3)\n"
)
GOOD = {"role": "judge", "verdict": [9, 1, "It is right."]}
BAD = {"role": "judge", "verdict": [3, 8, "core.py is wrong."], "times": 1}


def row(path, *uses, exports=(), kind="source"):
    return {
        "file_path": path,
        "file_type": kind,
        "description": f"what belongs in {path}",
        "depends_on": list(uses),
        "exports": list(exports),
    }


def plan(*rows, **more):
    value = {"project_id": "calc", "files": list(rows), "dependencies": []}
    value |= {"setup_instructions": "python cli.py", "total_files": len(rows)} | more
    return {"role": "manifest", "reply": json.dumps(value)}


def writes(path, *replies, **rule):
    """The coder's (or another role's) answers when it is asked for a file."""
    asked = f"The file to write: {path} ".replace(".", r"\.")
    return {"role": "coder", "prompt": asked, "reply": list(replies), **rule}


def in_turn(path, *replies, **rule):
    """A small model's answers when it is asked for a file in the conversation of all. The messages
    for earlier files stand there too, so the rule of a later file comes before them."""
    asked = f"Write {path}. ".replace(".", r"\.").rstrip()
    return {"role": "coder", "prompt": rf"(?:\n|\A){asked}[^\n]*\Z", "reply": list(replies), **rule}


TWO = plan(row("core.py", exports=["add(a, b)"]), row("cli.py", "core.py"))
THREE = plan(
    row("core.py", exports=["add(a, b)"]),
    row("cli.py", "core.py"),
    row("test_core.py", "core.py", kind="test"),
)
BOTH = [writes("core.py", CORE), writes("cli.py", CLI)]
