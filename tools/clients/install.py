"""Installs the clients, each in a place of its own: `python -m tools.clients.install [NAME…]`.

They land in `.cache/clients`, beside the repository's other disposable things, in the versions that
were last tried. Open WebUI brings torch with it (its CPU build is taken); the others are small.
"""

import argparse
import subprocess
import sys
from pathlib import Path

INSTALLED = Path(__file__).parents[2] / ".cache" / "clients"
NPM = {
    "ai-sdk": ("ai@6.0.326", "@ai-sdk/openai-compatible@2.0.87"),
    "opencode": ("opencode-ai@1.18.33",),
    "codex": ("@openai/codex@0.169.0",),
    "claude-code": ("@anthropic-ai/claude-code@2.1.197",),
    "cn": ("@continuedev/cli@1.5.47",),
    "inspector": ("@modelcontextprotocol/inspector@2.12.0",),  # wants Node 22
}
# Steps of pip, in order, each client in its own environment: their pins contradict each other's.
PIP = {
    "llm": (("llm==0.36",),),
    "aider": (("aider-chat==0.86.2",),),
    "open-webui": (("torch==2.13.0",), ("open-webui==0.12.4",)),
}
NAMES = (*PIP, *NPM)


def install(names: tuple[str, ...], place: Path) -> None:
    """Raises CalledProcessError, FileNotFoundError where npm is missing."""
    place.mkdir(parents=True, exist_ok=True)
    for name in names:
        for packages in PIP.get(name, ()):
            _pip(place / name, packages)
    wanted = [package for name in names for package in NPM.get(name, ())]
    if wanted:
        # One call for all: npm prunes what stands there and is not saved.
        words = ["npm", "install", "--no-fund", "--no-audit", "--prefix", str(place / "npm")]
        subprocess.run([*words, *wanted], check=True)


def _pip(environment: Path, packages: tuple[str, ...]) -> None:
    python = environment / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)
    words = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*words, *packages], check=True)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(NAMES)}")
    options.add_argument("--into", type=Path, default=INSTALLED, metavar="DIR")
    arguments = options.parse_args()
    unknown = sorted(set(arguments.names) - set(NAMES))
    if unknown:
        options.error(f"there is no client {unknown[0]!r}; there are {', '.join(NAMES)}")
    install(tuple(arguments.names) or NAMES, arguments.into)


if __name__ == "__main__":
    main()
