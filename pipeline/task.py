"""A flow's task and its result: the same two shapes for every route and mode."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pipeline.exchange import Exchange
from pipeline.prompts import after_earlier_work
from pipeline.role_rules import BUILT_IN, RoleRules
from pipeline.tool_calls import ToolCall

CODE = "code"


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be done.

    `prompt` is the request without its tags; in `review_only` it is the draft. `exchanges` are the
    earlier requests and answers that go before it, already within their budget. `preferences` is
    what the caller's frontend says about style; an agent's own instructions
    (`preferences_are_shared` is False) are shown to who writes the text and the notes on it: to no
    judge and no reviewer. `language` is the programming language where it is known, in lower case.
    `format` is the form of the answer, one of the mode's `formats`. `previous_output` is what the
    newest of the runs in the context gave, whole; the exchanges may have no room for it. `rules`
    are a person's own, in place of those that coder, judge and reviewer are told.

    A richer route derives its own frozen class from this one (request type, constraints, code,
    files) and its flow takes that class; nothing else has to know.
    """

    prompt: str
    exchanges: tuple[Exchange, ...] = ()
    preferences: str = ""
    preferences_are_shared: bool = True
    language: str | None = None
    format: str = CODE
    previous_output: str = ""
    rules: RoleRules = BUILT_IN

    @property
    def context(self) -> str:
        """The exchanges as text, "" for none."""
        return "\n".join(map(str, self.exchanges))

    @property
    def talk(self) -> tuple[Exchange, ...]:
        """Those that are a conversation, which this request goes on with."""
        return self.exchanges

    @property
    def request(self) -> str:
        """All that is asked for, as a general model is shown it. A richer task says more than its
        `prompt`: the code in question, constraints."""
        return self.prompt

    @property
    def asked(self) -> str:
        """The request behind the earlier work that it may refer to."""
        return after_earlier_work(self.context, self.request)

    @property
    def coder_rules(self) -> str:
        """What the coder is told in place of its own rules, "" for those."""
        return self.rules.coder

    @property
    def said(self) -> str:
        """`request` without what was looked up for it: what the caller's own words name."""
        return self.request

    @property
    def shared_preferences(self) -> str:
        """What those are shown who work on the coder's text: judge and reviewer."""
        return self.preferences if self.preferences_are_shared else ""

    @property
    def rubric(self) -> str:
        """What the judge has to look at besides what always counts."""
        return ""

    @property
    def material(self) -> str:
        """All that the first stage is shown besides its own instructions."""
        return "\n".join((self.context, self.preferences, self.request))


@dataclass(frozen=True, slots=True)
class Result:
    """What a flow made. `artefact` is what it produced beyond the text (tests, files, plan,
    citations), as JSON values; it goes into the record and not to the caller of /prompt. `calls`
    are of an agent's tools, which the agent is to carry out."""

    text: str
    language: str | None = None
    format: str = CODE
    artefact: Mapping[str, Any] | None = None
    calls: tuple[ToolCall, ...] = ()
