"""The addresses of resources: `laios://runs/{id}` and `laios://docs/{id}`. Pure."""

from typing import Literal
from urllib.parse import quote, unquote

RUNS, DOCS = "laios://runs/", "laios://docs/"

Kind = Literal["runs", "docs"]
_KINDS: dict[str, Kind] = {RUNS: "runs", DOCS: "docs"}


def run_address(run_id: str) -> str:
    return RUNS + run_id


def chunk_address(chunk_id: str) -> str:
    return DOCS + quote(chunk_id, safe="")


def parse(address: str) -> tuple[Kind, str] | None:
    """What is meant, and its id; None for any other address."""
    for start, kind in _KINDS.items():
        name = address.removeprefix(start)
        if name and name != address and "/" not in name:
            return kind, unquote(name)
    return None
