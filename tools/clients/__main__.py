"""Real chat clients against a daemon: `python -m tools.clients [--only NAME …] [--markdown FILE]`.

Without --url it starts a daemon of its own, on a scripted model whose answers tell what reached it.
The clients are those that `python -m tools.clients.install` has put into `.cache/clients`.
"""

import argparse
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import httpx

from tools.bench import processes
from tools.clients.client_check import Client, Outcome, Records, check_client
from tools.clients.client_home import ClientHome
from tools.clients.install import INSTALLED
from tools.clients.script import write_script
from tools.clients.sdks import AISDK, OllamaPackage, OpenAIPackage, OpenAIResponses
from tools.clients.table import table
from tools.clients.terminal import Aider, Codex, ContinueCli, Llm, Opencode
from tools.clients.webui import OpenWebUI, OpenWebUIOllama, closing

CLIENTS: dict[str, Callable[[ClientHome], Client]] = {
    "openai": OpenAIPackage,
    "openai-responses": OpenAIResponses,
    "ollama": OllamaPackage,
    "ai-sdk": AISDK,
    "llm": Llm,
    "opencode": Opencode,
    "codex": Codex,
    "cn": ContinueCli,
    "aider": Aider,
    "open-webui": OpenWebUI,
    "open-webui-ollama": OpenWebUIOllama,
}
ROLES = ("CODER", "JUDGE", "REVIEWER")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--only", nargs="+", choices=CLIENTS, metavar="NAME", default=[*CLIENTS])
    options.add_argument("--url", help="of a running daemon, whose models are then asked")
    options.add_argument("--history", type=Path, help="that daemon's history directory")
    options.add_argument("--installed", type=Path, default=INSTALLED, metavar="DIR")
    options.add_argument(
        "--delay", type=float, default=0.0, metavar="S", help="of each answer of the own model"
    )
    options.add_argument("--markdown", type=Path, metavar="FILE")
    arguments = options.parse_args()
    outcomes = []
    with (
        tempfile.TemporaryDirectory(prefix="laios-clients-") as name,
        _daemon(arguments, Path(name)) as (url, history),
    ):
        for each in arguments.only:
            home = ClientHome(url, Path(name) / each, arguments.installed)
            home.directory.mkdir()
            outcomes.append(_try(each, home, Records(history)))
    text = f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC.\n\n{table(outcomes)}\n"
    print(text)
    if arguments.markdown:
        arguments.markdown.write_text(text)


def _try(name: str, home: ClientHome, records: Records) -> Outcome:
    client = CLIENTS[name](home)
    with closing(client), httpx.Client(base_url=home.url, trust_env=False) as http:
        outcome = check_client(client, records, lambda: not http.get("/runs").json()["runs"])
    print(name, f"{outcome.seconds:.0f} s", outcome.passed, *outcome.remarks, sep="  ", flush=True)
    return outcome


@contextmanager
def _daemon(options: argparse.Namespace, directory: Path) -> Iterator[tuple[str, Path | None]]:
    """Address and history of the daemon that was named, or of one that is started."""
    if options.url:
        yield options.url.rstrip("/"), options.history
        return
    model = write_script(directory, options.delay)
    roles: dict[str, object] = {f"{role}_MODEL_NAME": model for role in ROLES}
    with processes.daemon(directory / "laios", **roles) as server:
        yield server.url, directory / "laios" / "history"


if __name__ == "__main__":
    main()
