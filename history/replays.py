"""Replays: earlier requests asked again, each replay a history of its own below the first one.

`HISTORY_DIR/replays/NAME/` holds `replay.json`, which says with what was asked, and history files
whose records have one key more: `replay_of`, the id of the earlier run.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from history.append_log import make_directory
from history.reader import Reader
from history.record import PASSING, Record
from history.record_values import as_table
from history.replay_pairs import Pair
from history.segment_files import open_plain

PLACE, MANIFEST = "replays", "replay.json"
REPLAY_OF = "replay_of"
_MANIFEST_BYTES = 1 << 20
_NAME = re.compile(r"[a-z0-9][a-z0-9.-]{0,80}")


@dataclass(frozen=True, slots=True)
class Conditions:
    """With what is asked: the same conditions are the same replay. `mode` None: each run's own.
    `prompts` is a digest of the prompts in place of the built-in ones, `revision` that of the
    pipeline's code."""

    models: Mapping[str, str]
    mode: str | None
    prompts: str | None
    settings: Mapping[str, Any]
    revision: str

    @property
    def name(self) -> str:
        """Of the directory: what a person looks for, and what tells it apart."""
        coder = self.models["coder"].rpartition("/")[2].lower()
        told = "-".join(filter(None, (coder, self.mode, "prompts" if self.prompts else "")))
        digest = sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()[:8]
        return f"{re.sub('[^a-z0-9.]+', '-', told).strip('.-')[:60] or 'replay'}-{digest}"


class Replay:
    """One replay of the history in `directory`, whether there is anything of it yet or not."""

    def __init__(self, directory: Path, name: str) -> None:
        self.name = name
        self.directory = directory / PLACE / name

    def begin(self, conditions: Conditions) -> None:
        """Says on the disk with what is asked, again where a crash has cut that off. Raises
        OSError."""
        make_directory(self.directory.parent)
        make_directory(self.directory)
        if not self.conditions():
            text = json.dumps(asdict(conditions), indent=2) + "\n"
            path = self.directory / MANIFEST
            path.touch(mode=0o600)
            path.write_text(text, encoding="utf-8")

    def conditions(self) -> Mapping[str, Any]:
        """What `replay.json` says; {} where it cannot be read."""
        try:
            with open_plain(self.directory / MANIFEST) as file:
                return as_table(json.loads(file.read(_MANIFEST_BYTES)))
        except (OSError, ValueError, RecursionError):
            return {}

    def answers(self) -> dict[str, Record]:
        """The new record for each earlier id, the last one where there are several; what only
        failed to be asked has none."""
        found: dict[str, Record] = {}
        for record in Reader(self.directory):
            earlier = record.get(REPLAY_OF)
            code = as_table(record.get("error")).get("code")
            if isinstance(earlier, str) and code not in PASSING:
                found[earlier] = record
        return found

    def pairs(self, earlier: Sequence[Record]) -> list[Pair]:
        """Each earlier run with its new answer, where there is one."""
        answers = self.answers()
        return [Pair(old, answers[old["id"]]) for old in earlier if old["id"] in answers]


def replays_of(directory: Path) -> Iterator[Replay]:
    """Those that there are, by name."""
    for path in sorted((directory / PLACE).glob(f"*/{MANIFEST}")):
        if is_name(path.parent.name):
            yield Replay(directory, path.parent.name)


def is_name(text: str) -> bool:
    """Whether a replay can be called so: never a way out of its directory."""
    return bool(_NAME.fullmatch(text)) and ".." not in text
