"""The scripted model behind an agent: it calls the agent's own tools, and errs once."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

NEW_FILE, OLD_FILE = "add.py", "calc.py"
WRITE = f"Create the file {NEW_FILE} with a function add"
EDIT = f"The function total in {OLD_FILE} is one too many, mend it"
ASK_LAIOS = "Have laios write a function answer"
GOOD = "def add(a, b):\n    return a + b\n"
BROKEN = "def add(a, b:\n    return a + b\n"  # what is held back
BEFORE = "def total(values):\n    return sum(values) + 1\n"
AFTER = "def total(values):\n    return sum(values)\n"
ONE_FILE = "one.py"  # for real models
CHANGE_ONE = f"Change the return value 1 to 2 in {ONE_FILE}."
ONE, TWO = "def one():\n    return 1\n", "def one():\n    return 2\n"
OLD, NEW = "return sum(values) + 1", "return sum(values)"
ANSWER = "def answer():\n    return 42\n"
DONE = "All is done."

Call = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Speech:
    """How this agent's model writes, reads and edits: its tools' calls, or (`says`) its texts.
    `asks_laios` is the call of laios' own tool, None for an agent that has no MCP."""

    write: Call
    write_again: Call
    read: Call | None
    edit: Call
    asks_laios: Call | None = None


def call(name: str, **arguments: Any) -> dict[str, Any]:
    return {"calls": [{"name": name, "arguments": arguments}]}


def says(text: str) -> dict[str, Any]:
    return {"reply": text}


def write_script(path: Path, speech: Speech) -> str:
    """Writes the rules; gives the model's name."""
    path.write_text(json.dumps([*_rules(speech)]))
    return f"scripted/{path}"


def _rules(speech: Speech) -> Iterable[dict[str, Any]]:
    yield {"role": "judge", "verdict": [9, 1, "It is right."]}
    yield {"prompt": "title generator", "reply": "Adding numbers"}
    yield {"prompt": "held back and not carried out", **speech.write_again}
    yield {"prompt": WRITE, **speech.write, "times": 1}
    if speech.read:
        yield {"prompt": EDIT, **speech.read, "times": 1}
    yield {"prompt": EDIT, **speech.edit, "times": 1}
    if speech.asks_laios:
        yield {"prompt": ASK_LAIOS, **speech.asks_laios, "times": 1}
        yield {"prompt": "^a function answer$", "reply": ANSWER}
        yield {"prompt": "^a function answer$", "role": "reviewer", "reply": ANSWER}
    yield {"reply": DONE}
