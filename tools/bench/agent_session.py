"""What of an agent's long instructions is read anew at each turn of a session, in the embedded
engine: `python -m tools.bench.agent_session --model FILE.gguf [--protocol messages]`.

The model has to call tools (`laios models --json` says which do). Instructions of 13 kB and eight
tools, as agents send them; four turns of a session, of which the third brings what a tool gave,
then the first turn of another session. The figures are the history's.
"""

import argparse
import itertools
import json
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from history.reader import Reader
from tools.bench.figures import circumstances
from tools.bench.processes import Server, daemon, work_directory

KB = 13
TOOLS = ("read", "write", "edit", "bash", "glob", "grep", "list", "fetch")
FIRST, NEXT, OTHER = "Say hello in one word.", "And once more, please.", "Say goodbye in one word."
FILE = "def one():\n    return 1\n"
LIMIT_S = 3600  # the first turn, on a machine that has much else to do
KINDS = ("test", "script", "setting", "page", "table", "function")
PLACES = (
    "of another package",
    "that a tool made",
    "without an owner",
    "in the root",
    "of a release",
)
AIMS = (
    "say in one sentence what it is for",
    "keep the names that others call",
    "leave its layout and its comments alone",
    "ask the person if two readings are possible",
    "run what is nearest to it afterwards",
)

Body = dict[str, Any]


def instructions(kilobytes: int) -> str:
    """Rules of an agent, of so many kB (1,000 bytes): no two of them are alike."""
    rules = ["You are an agent that edits code in the person's editor."]
    size = len(rules[0])
    for kind, place, aim in itertools.cycle(itertools.product(KINDS, PLACES, AIMS)):
        if size >= kilobytes * 1000:
            break
        rules.append(f"Before you change a {kind} {place}, read it whole, and {aim}.")
        size += len(rules[-1]) + 1
    return "\n".join(rules)


def _schema(name: str) -> Body:
    path = {"type": "string", "description": f"The file or directory to {name}, absolute."}
    text = {"type": "string", "description": "The text, whole, or what is looked for."}
    return {"type": "object", "properties": {"path": path, "text": text}, "required": ["path"]}


class Completions:
    """A session by /v1/chat/completions."""

    path = "/v1/chat/completions"

    def __init__(self, system: str) -> None:
        self.messages: list[Body] = [{"role": "system", "content": system}]

    def body(self) -> Body:
        tools = [
            {"type": "function", "function": {"name": name, "parameters": _schema(name)}}
            for name in TOOLS
        ]
        return {"messages": self.messages, "tools": tools}

    def says(self, text: str) -> None:
        self.messages.append({"role": "user", "content": text})

    def heard(self, answer: Mapping[str, Any]) -> None:
        said = answer["choices"][0]["message"]["content"]
        self.messages.append({"role": "assistant", "content": said or "Hello."})

    def reads(self, path: str, text: str) -> None:
        """The model's call of a tool, and what came of it."""
        function = {"name": "read", "arguments": json.dumps({"path": path})}
        call = {"id": "c1", "type": "function", "function": function}
        self.messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
        self.messages.append({"role": "tool", "tool_call_id": "c1", "content": text})


class Messages:
    """The same by /v1/messages."""

    path = "/v1/messages"

    def __init__(self, system: str) -> None:
        self.system, self.messages = system, list[Body]()

    def body(self) -> Body:
        tools = [{"name": name, "input_schema": _schema(name)} for name in TOOLS]
        return {"system": self.system, "messages": self.messages, "tools": tools}

    def says(self, text: str) -> None:
        self.messages.append({"role": "user", "content": text})

    def heard(self, answer: Mapping[str, Any]) -> None:
        said = "".join(part.get("text", "") for part in answer["content"])
        self.messages.append({"role": "assistant", "content": said or "Hello."})

    def reads(self, path: str, text: str) -> None:
        """The model's call of a tool, and what came of it."""
        call = {"type": "tool_use", "id": "c1", "name": "read", "input": {"path": path}}
        result = {"type": "tool_result", "tool_use_id": "c1", "content": text}
        self.messages.append({"role": "assistant", "content": [call]})
        self.messages.append({"role": "user", "content": [result]})


PROTOCOLS: dict[str, type[Completions] | type[Messages]] = {
    "completions": Completions,
    "messages": Messages,
}


@dataclass(slots=True)
class Session:
    """Turns of an agent on a daemon; `steps` are the model calls on record, by their turn."""

    server: Server
    history: Path
    talk: Completions | Messages
    mode: str
    name: str
    steps: list[Mapping[str, Any]] = field(default_factory=list)

    def turn(self) -> None:
        """Raises OSError where the daemon refuses it."""
        small = {"model": self.mode, "max_tokens": 24, "temperature": 0}
        request = urllib.request.Request(
            self.server.url + self.talk.path,
            json.dumps(self.talk.body() | small).encode(),
            {"Content-Type": "application/json", "X-Session-Id": self.name},
        )
        with urllib.request.urlopen(request, timeout=LIMIT_S) as answer:
            self.talk.heard(json.load(answer))
        record = list(Reader(self.history))[-1]
        self.steps += record["steps"]


def rows(model: Path, protocol: str, mode: str, kilobytes: int) -> Iterator[Sequence[str]]:
    """Raises OSError where the daemon refuses a turn."""
    roles = {f"{role}_MODEL_NAME": f"local/{model}" for role in ("CODER", "JUDGE", "REVIEWER")}
    patient = {"MODEL_TIMEOUT_S": LIMIT_S, "RUN_TIMEOUT_S": LIMIT_S}
    make = PROTOCOLS[protocol]
    with work_directory() as directory, daemon(directory, **roles | patient) as server:
        system = instructions(kilobytes)
        talk = make(system)
        talk.says(FIRST)
        session = Session(server, directory / "history", talk, mode, "one")
        yield _row("first", session)
        talk.says(NEXT)
        yield _row("second", session)
        talk.says("What does one.py hold?")
        talk.reads("/home/me/one.py", FILE)
        yield _row("third, a tool's result", session)
        other = make(system)
        other.says(OTHER)
        yield _row("another session", Session(server, directory / "history", other, mode, "two"))
        talk.says(NEXT)
        yield _row("fourth of the first", session)


def _row(name: str, session: Session) -> Sequence[str]:
    session.turn()
    step = next(each for each in reversed(session.steps) if each["stage"] == "coder")
    read = step["prompt_tokens"] - step["cached_tokens"]
    waited = step["first_token_ms"] / 1000
    return (
        name,
        f"{step['prompt_tokens']:,}",
        f"{step['cached_tokens']:,}",
        f"{read:,}",
        f"{waited:.1f} s",
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--model", type=Path, required=True, metavar="FILE.gguf")
    options.add_argument("--protocol", choices=PROTOCOLS, default="completions")
    options.add_argument("--mode", choices=("laios", "laios:raw"), default="laios:raw")
    options.add_argument("--kb", type=int, default=KB, metavar="N", help="of instructions")
    arguments = options.parse_args()
    print(f"{circumstances()}\n")
    print("| turn | prompt tokens | from the cache | read | until its first token |")
    print("|---|---|---|---|---|")
    model = arguments.model.absolute()
    for row in rows(model, arguments.protocol, arguments.mode, arguments.kb):
        print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
