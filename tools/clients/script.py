"""The scripted model that stands behind the daemon: its answers tell what reached it."""

import json
from pathlib import Path

PROMPT = "write a function add"
FOLLOW_UP = "now make it async"
PROSE = "Here is the function."
CODE = "def add(a, b):\n    return a + b\n"
ASYNC_CODE = "async def add(a, b):\n    return a + b\n"
WRONG_TAG, RIGHT_TAG = "///rav", "///raw"  # the error names the nearest
FILE = "add.py"  # what aider is to write

_FENCED = f"```python\n{CODE}```"
RULES: list[dict[str, object]] = [
    {"role": "judge", "verdict": [9, 1, "It is right."]},
    # Auxiliary calls: what Open WebUI reads out of their answers.
    {"prompt": "### Task:(?s:.*)follow_ups", "reply": '{"follow_ups": ["And floats?"]}'},
    {"prompt": '### Task:(?s:.*)"tags"', "reply": '{"tags": ["python"]}'},
    {"prompt": "### Task:", "reply": '{"title": "Adding numbers"}'},
    {"prompt": "title generator", "reply": "Adding numbers"},
    # A follow-up is understood only together with what it follows.
    {"prompt": f"(?s){PROMPT}.*{FOLLOW_UP}", "reply": f"```python\n{ASYNC_CODE}```"},
    {
        "prompt": FOLLOW_UP,
        "reply": "```python\nraise LookupError('make what async?')\n```",
    },
    {"prompt": "(?s)file listing.*" + FILE, "reply": f"{FILE}\n{_FENCED}\n"},
    {"reply": f"{PROSE}\n\n{_FENCED}\n", "chunk": 8},
]


def write_script(directory: Path, delay_s: float = 0.0) -> str:
    """Writes the rules, each with a delay before its first word; gives the model's name."""
    path = directory / "replies.json"
    path.write_text(json.dumps([rule | {"delay_ms": delay_s * 1000} for rule in RULES]))
    return f"scripted/{path}"
