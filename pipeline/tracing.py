"""The tracer protocol of the core: it sees each run begin, each model call go out and come back,
and the run end."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from pipeline.model import Call, Reply
from pipeline.step import Step

if TYPE_CHECKING:
    from pipeline.run import Run


class Trace(Protocol):
    """One run's. Nothing of it raises, and nothing waits."""

    def sending(self, steps: Sequence[Step], call: Call) -> Call:
        """The call with what its backend is told of the trace; `steps` has one for each answer
        that it wants."""
        ...

    def received(self, step: Step, reply: Reply) -> None: ...

    def end(self, record: Mapping[str, Any]) -> None:
        """The run is over; `record` is as the history has it."""
        ...


class Tracer(Protocol):
    """Makes the traces of a process."""

    def begin(self, run: "Run") -> Trace:
        """Called where the request came in, so that the caller's trace is at hand."""
        ...
