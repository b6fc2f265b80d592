"""Real agents that change files by laios: `python -m tools.clients.agents [--only NAME …]`.

Each works in an empty home, with no way out but loopback, on a daemon of its own, whose scripted
model calls the agent's tools (and writes a file that does not parse, which the agent must not see).
The agents are those that `python -m tools.clients.install` has put into `.cache/clients`.

With `--model local/FILE.gguf` a real model takes the script's place, for one small edit.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tools.bench import processes
from tools.clients.agent_programs import AGENTS, Agent, use_daemon
from tools.clients.agent_script import (
    AFTER,
    ASK_LAIOS,
    BEFORE,
    CHANGE_ONE,
    EDIT,
    GOOD,
    NEW_FILE,
    OLD_FILE,
    ONE,
    ONE_FILE,
    TWO,
    WRITE,
    write_script,
)
from tools.clients.client_check import Records
from tools.clients.client_home import LAIOS, ClientFailed, ClientHome
from tools.clients.install import INSTALLED
from tools.clients.table import WORDS

ONE_EDIT = "one edit by a real model"
Found = list[dict[str, Any]]
ROLES = ("CODER", "JUDGE", "REVIEWER")
REAL_LIMIT_S = 1200.0  # for one edit: a small model on two cores reads 150 tokens a second


@dataclass(slots=True)
class AgentCheck:
    """`passed` by step: a step that this agent cannot have is not there."""

    agent: Agent
    version: str = ""
    passed: dict[str, bool] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)
    turns: int = 0

    def take(self, step: str, prompt: str, wrong: Callable[[Found], str], seen: Records) -> None:
        """`wrong` says what is wrong with what was done, "" where nothing is."""
        seen.new()
        try:
            said = self.agent.change(prompt)
        except ClientFailed as error:
            said = f"{error} ({error.said[-300:]})"
        records: Found = seen.new() or []
        self.turns += sum(record["kind"] == "agent" for record in records)
        fault = wrong(records)
        self.passed[step] = not fault
        if fault:
            self.remarks.append(f"{step}: {fault} {' '.join(said.split())[-200:]}")


def _try(agent: Agent, seen: Records) -> AgentCheck:
    check, home = AgentCheck(agent), agent.home
    check.version = agent.version()
    home.connect(agent.connects_as)
    check.take("new file", WRITE, lambda found: _new_file_wrong(home, agent, found), seen)
    home.write(OLD_FILE, BEFORE)
    check.take("edit", EDIT, lambda found: _file_wrong(home, OLD_FILE, AFTER), seen)
    if agent.has_mcp:
        home.run(str(LAIOS), "connect", agent.connects_as, "--mcp", "--write")
        check.take("laios as its tool", ASK_LAIOS, _tool_wrong, seen)
    return check


def _file_wrong(home: ClientHome, name: str, wanted: str) -> str:
    path = home.directory / name
    if not path.exists():
        return f"no {name}."
    return "" if path.read_text() == wanted else f"{name} is {path.read_text()!r}."


def _new_file_wrong(home: ClientHome, agent: Agent, records: Found) -> str:
    held = [record for record in records if (record["artefact"] or {}).get("held_back")]
    if agent.speech().read and not held:
        return "nothing was held back."
    return _file_wrong(home, NEW_FILE, GOOD)


def _tool_wrong(records: Found) -> str:
    """The agent's turns, and between them the run of the tool that it called."""
    kinds = [(record["kind"], record["mode"], record["error"]) for record in records]
    return "" if ("run", "code_reviewed", None) in kinds else f"on record: {kinds}."


def _table(checks: Sequence[AgentCheck]) -> Iterator[str]:
    known = ("new file", "edit", "laios as its tool", ONE_EDIT)
    steps = [step for step in known if any(step in check.passed for check in checks)]
    head = ("agent", "version", "over", *steps, "turns", "remark")
    yield f"| {' | '.join(head)} |"
    yield "|" + "---|" * len(head)
    for check in checks:
        words = [WORDS[check.passed.get(step)] for step in steps]
        remark = "; ".join(check.remarks).replace("|", "\\|")
        told = (check.agent.name, check.version, check.agent.protocol, *words, str(check.turns))
        yield f"| {' | '.join(told)} | {remark} |"


def run_agent(name: str, directory: Path, installed: Path) -> AgentCheck:
    """One agent with a daemon of its own. Raises ClientFailed where it cannot be set up."""
    home_directory = directory / "home"
    home_directory.mkdir(parents=True)
    script = directory / "replies.json"
    speech = AGENTS[name](ClientHome("", home_directory, installed)).speech()
    roles: dict[str, object] = dict.fromkeys(
        (f"{role}_MODEL_NAME" for role in ROLES), write_script(script, speech)
    )
    with processes.daemon(directory / "laios", **roles) as server:
        agent = AGENTS[name](ClientHome(server.url, home_directory, installed))
        use_daemon(agent.home)
        return _try(agent, Records(directory / "laios" / "history"))


def run_on_model(name: str, model: str, directory: Path, installed: Path) -> AgentCheck:
    """One agent, and one edit by a real model. Raises ClientFailed where it cannot be set up."""
    home_directory = directory / "home"
    home_directory.mkdir(parents=True)
    roles: dict[str, object] = dict.fromkeys((f"{role}_MODEL_NAME" for role in ROLES), model)
    patient = {"MODEL_TIMEOUT_S": REAL_LIMIT_S, "RUN_TIMEOUT_S": REAL_LIMIT_S}
    with processes.daemon(directory / "laios", **roles | patient) as server:
        agent = AGENTS[name](ClientHome(server.url, home_directory, installed, REAL_LIMIT_S))
        check, home = AgentCheck(agent, agent.version()), agent.home
        home.connect(agent.connects_as)
        home.write(ONE_FILE, ONE)
        seen = Records(directory / "laios" / "history")
        check.take(ONE_EDIT, CHANGE_ONE, lambda found: _file_wrong(home, ONE_FILE, TWO), seen)
        return check


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--only", nargs="+", choices=AGENTS, metavar="NAME", default=[*AGENTS])
    options.add_argument("--model", metavar="NAME", help="such as local/FILE.gguf")
    options.add_argument("--installed", type=Path, default=INSTALLED, metavar="DIR")
    options.add_argument("--markdown", type=Path, metavar="FILE")
    arguments = options.parse_args()
    checks = []
    with tempfile.TemporaryDirectory(prefix="laios-agents-") as name:
        for each in arguments.only:
            try:
                directory = Path(name) / each
                checks.append(
                    run_on_model(each, arguments.model, directory, arguments.installed)
                    if arguments.model
                    else run_agent(each, directory, arguments.installed)
                )
            except ClientFailed as error:
                print(f"{each}: {error}", file=sys.stderr)
    text = "\n".join((f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC.\n", *_table(checks), ""))
    print(text)
    if arguments.markdown:
        arguments.markdown.write_text(text)


if __name__ == "__main__":
    main()
