"""The product files that a prompt visits, in the order of its first visit to each:
`python -m tools.walk "PROMPT" [SCRIPT]`. How many files a reader opens to follow a request:
those of capabilities say what the mode does, what they stand upon is there for all modes.

The prompt goes through the application in this process, on the scripted model (`SCRIPT`: its file
of rules). A first run without a count goes before, so that nothing counts that is done once alone.
"""

import asyncio
import json
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Sequence
from itertools import dropwhile
from pathlib import Path
from types import FrameType
from typing import Any

import httpx

from config import Settings, base_url, load_settings
from server.app import create_app
from server.runtime.container import assemble

ROOT = Path(__file__).parent.parent
PRODUCT = ("config.py", "pipeline/", "history/", "retrieval/", "server/", "dashboard/")
ROLES = ("CODER", "JUDGE", "REVIEWER")
# What every request passes, whatever it asks for: shown apart.
BELOW = ("analysis", "models", "sandbox", "testcases")  # pipeline's packages that are no capability
BESIDE = ("server/app.py", "server/http/", "server/runtime/", "pipeline/events.py")

_TESTS = [{"name": "negative", "input": "-1, -2", "expected": "-3"}]
_TESTER = {"kind": "function", "function": "add", "signature": "add(a, b)", "tests": _TESTS}
SCRIPT: list[dict[str, Any]] = [
    {"role": "tester", "reply": json.dumps(_TESTER)},
    {"role": "judge", "verdict": [9, 1, "It adds."]},
    {"reply": "def add(a, b):\n    return a + b\n"},
]


class Walk:
    """Notes the files whose functions are called while `on`."""

    def __init__(self) -> None:
        self.on = False
        self.files: dict[str, None] = {}

    def __call__(self, frame: FrameType, event: str, arg: object) -> None:
        code = frame.f_code
        if self.on and event == "call" and code.co_name != "<module>":
            path = Path(code.co_filename)
            if path.is_relative_to(ROOT):
                self.files.setdefault(str(path.relative_to(ROOT)))

    def product(self) -> tuple[list[str], list[str]]:
        """The files from the route's handler on, and those beside them."""
        ours = [file for file in self.files if file.startswith(PRODUCT)]
        beside = [file for file in ours if file.startswith(BESIDE)]
        way = [file for file in ours if file not in beside]
        return list(dropwhile(lambda file: not file.startswith("server/"), way)), beside


async def walk(prompt: str, rules: Sequence[dict[str, Any]] = SCRIPT) -> Walk:
    """Raises RuntimeError where the prompt gets no answer."""
    with tempfile.TemporaryDirectory() as directory:
        settings = _settings(Path(directory), rules)
        parts, seen = assemble(settings), Walk()
        threading.setprofile(seen)
        sys.setprofile(seen)
        try:
            transport = httpx.ASGITransport(create_app(parts))
            async with httpx.AsyncClient(transport=transport, base_url=base_url(settings)) as http:
                for seen.on in (False, True):
                    answer = await http.post("/prompt", json={"prompt": prompt}, timeout=60)
                    if answer.is_error:
                        raise RuntimeError(answer.text)
        finally:
            sys.setprofile(None)
            threading.setprofile(None)
            await parts.close()
    return seen


def _settings(directory: Path, rules: Sequence[dict[str, Any]]) -> Settings:
    """The scripted model in every role, and a history of its own."""
    script = directory / "script.json"
    script.write_text(json.dumps(rules))
    roles = {f"{role}_MODEL_NAME": f"scripted/{script}" for role in ROLES}
    return load_settings(**roles, HISTORY_DIR=directory / "history")


def floor(file: str) -> str:
    """Where in the house a file stands."""
    match file.split("/"):
        case ["pipeline", _] | ["server", *_] | ["config.py"]:
            return "route and core"
        case ["pipeline", package, *_] if package not in BELOW:
            return "capabilities"
    return "what they stand upon"


def main(words: list[str]) -> None:
    rules = json.loads(Path(words[1]).read_text()) if words[1:] else SCRIPT
    way, beside = asyncio.run(walk(words[0], rules)).product()
    for number, file in enumerate(way, 1):
        print(f"{number:3}  {file}")
    packages = Counter(str(Path(file).parent) for file in way)
    for counts in (Counter(map(floor, way)), packages):
        print("\n" + ", ".join(f"{place} {files}" for place, files in counts.items()))
    print(f"beside them: {', '.join(beside)}")


if __name__ == "__main__":
    main(sys.argv[1:])
