"""Track which requests of a batch are still to be asked, and count what became of the others."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

FAILED = "error"

Known = Mapping[str, tuple[str, str | None]]
"""Of each answered id the request's digest, and the code of its error."""


class OtherRequest(Exception):
    """An id that is answered already, to another request."""


def is_wanted(request_id: str, asked: str, answered: Known, where: str | None) -> bool:
    """Whether the request with this id and digest is to be asked: it has no answer, or with `where`
    one that failed (`error`, or an error's code). What failed may be another request since, which
    has no answer. Raises OtherRequest."""
    digest, error = answered.get(request_id, (None, None))
    if digest not in (None, asked) and error is None:
        raise OtherRequest(
            f"The answer to {request_id!r} was given to another request (its text, mode or options "
            "differ). Write the answers to another file: -o NAME."
        )
    if where is None:
        return digest != asked
    return error is not None and where in (FAILED, error)


@dataclass(slots=True)
class BatchCounts:
    """What has become of a batch so far: `total` requests, of which an earlier start has answered
    `before` and got an error for `failed_before`, `to_ask` are asked now, `answered` have an answer
    by now, `failed` of them an error. `codes`: of all errors that stand, from now and before."""

    total: int
    before: int
    failed_before: int
    to_ask: int
    answered: int = 0
    failed: int = 0
    seconds: float = 0.0
    codes: Counter[str] = field(default_factory=Counter)

    @classmethod
    def begun(cls, ids: Collection[str], answered: Known, wanted: Sequence[str]) -> "BatchCounts":
        """Of the requests with these ids, of which the `wanted` ones are asked now: an error that
        is asked for again does not stand."""
        now = frozenset(wanted)
        errors = [answered[each][1] for each in ids if each in answered and each not in now]
        codes = Counter(error for error in errors if error is not None)
        failed = codes.total()
        return cls(len(ids), len(errors) - failed, failed, len(now), codes=codes)

    @property
    def left(self) -> int:
        """Requests without any answer, whether or not they are asked now."""
        return self.total - self.before - self.failed_before - self.answered

    @property
    def any_failed(self) -> bool:
        """Whether an error stands for a request's answer, from now or from an earlier start."""
        return bool(self.failed or self.failed_before)

    def count(self, error: str | None) -> None:
        self.answered += 1
        if error is not None:
            self.failed += 1
            self.codes[error] += 1

    @property
    def per_s(self) -> float:
        return self.answered / self.seconds if self.seconds else 0.0

    @property
    def left_s(self) -> float | None:
        """None while nothing can be said."""
        return (self.to_ask - self.answered) / self.per_s if self.per_s else None

    def as_json(self) -> dict[str, Any]:
        return {
            "requests": self.total,
            "answered_before": self.before,
            "failed_before": self.failed_before,
            "answered": self.answered - self.failed,
            "failed": self.failed,
            "left": self.left,
            "seconds": round(self.seconds, 3),
        }
