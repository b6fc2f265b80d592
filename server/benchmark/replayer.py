"""Asking earlier requests again, in this process, into a history of their own."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pipeline
from config import Settings
from history.reader import Reader
from history.record import Record
from history.record_values import as_text, was_literal
from history.replays import REPLAY_OF, Conditions, Replay
from history.store import Store
from pipeline.errors import LaiosError
from pipeline.models.registry import Registry
from pipeline.modes import MODES
from pipeline.request import Request
from pipeline.role_rules import read_rules
from pipeline.roles import ROLES
from pipeline.scheduler import Scheduler
from retrieval.index_retriever import IndexRetriever
from server.benchmark.run_settings import prompts_digest, revision, run_settings

_PROMPTS = ("native", "cli", "openai", "ollama", "anthropic")


def can_be_asked_again(record: Record) -> bool:
    """A prompt whose text was kept. Code generation (`POST /code`) and its kind, agents' turns
    and chats with earlier turns or images are more than their prompt."""
    texts = (record.get("original_prompt"), record.get("normalized_prompt"))
    is_prompt = record.get("source") in _PROMPTS and record.get("kind") == "run"
    is_prompt = is_prompt and not record.get("prompt_is_part")
    is_known = as_text(record.get("mode")) in MODES
    return is_prompt and is_known and all(isinstance(t, str) for t in texts)


class ReplayHistory:
    """Where the scheduler writes, and reads what stood before the earlier request: the same records
    that it had then."""

    def __init__(self, store: Store, earlier: Reader) -> None:
        self._store = store
        self._earlier = earlier
        self.current: Record | None = None

    async def append(self, record: Mapping[str, Any]) -> bool:
        assert self.current is not None
        return await self._store.append({**record, REPLAY_OF: self.current["id"]})

    def load_recent_records(self, n: int, session: str | None = None) -> Sequence[Record]:
        given: Any = self.current.get("context_ids") if self.current else None
        ids = given[max(0, len(given) - n) :] if isinstance(given, list) else []
        found = (self._earlier.get(id) for id in ids if isinstance(id, str))
        return [record for record in found if record]


class Replayer:
    """The pipeline in this process, asked one request after the other. `async with`. Raises
    BadRequest for prompts that cannot be read."""

    def __init__(self, settings: Settings, directory: Path, mode: str | None) -> None:
        """`directory` is that of the earlier history, `mode` one for all requests, also
        `code_best=8`."""
        read_rules(settings.PROMPTS_DIR)
        self._settings = settings
        self._directory = directory
        self._mode = mode
        self._models = Registry(settings)

    async def __aenter__(self) -> "Replayer":
        await self._models.resolve(self._settings)
        self.conditions = self._conditions()
        self.replay = Replay(self._directory, self.conditions.name)
        self._store = Store(self.replay.directory, fsync=self._settings.HISTORY_FSYNC)
        self._history = ReplayHistory(self._store, Reader(self._directory))
        documents = IndexRetriever(self._settings.DOCS_DIR, self._models.embed)
        self._scheduler = Scheduler(
            self._settings, self._models, self._history, self._history, documentation=documents
        )
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._scheduler.drain(0)
        await self._models.close()
        await self._store.close()

    def _conditions(self) -> Conditions:
        return Conditions(
            {role: self._models.name_for(role, self._settings) for role in ROLES},
            self._mode,
            prompts_digest(self._settings),
            run_settings(self._settings),
            revision(Path(pipeline.__file__).parent),
        )

    async def ask(self, earlier: Record) -> LaiosError | None:
        """Asks once more; the answer is on record when it returns. Gives what the run ended with,
        if that was an error. Raises BadRequest for what cannot be asked, and is on no record."""
        self._history.current = earlier
        run = self._scheduler.submit(self._request(earlier))
        try:
            await self._scheduler.finished(run)
        except LaiosError as error:
            return error
        return None

    def _request(self, earlier: Record) -> Request:
        """As it came in its own mode; in one for all without its tags. What is none there was none
        before."""
        literal = self._mode is not None or was_literal(earlier)
        text = str(earlier["normalized_prompt" if literal else "original_prompt"])
        mode = self._mode or earlier["mode"]
        return Request(text, mode, session=as_text(earlier.get("session")), literal=literal)
