"""What the request types ask of the coder, of the judge and of the answer: one row each."""

from collections.abc import Mapping
from dataclasses import dataclass

from laios.types.code_generation import RequestType


@dataclass(frozen=True, slots=True)
class RequestKind:
    """`goal` is what is wanted, in a sentence; `rules` are the coder's own, `rubric` is what the
    judge looks at besides. `changes`: the code must come back different; `keeps_names`: with its
    public names; `keeps_behaviour`: with nothing new but comments; `keeps_results`: its functions
    give the same. `is_tests`: it is tests that are written."""

    goal: str
    rules: str
    rubric: str
    changes: bool = False
    keeps_names: bool = False
    keeps_behaviour: bool = False
    keeps_results: bool = False
    is_tests: bool = False

    @property
    def is_open(self) -> bool:
        """Whether nothing but the request says what the code has to do."""
        return self.writes_program and not self.keeps_results

    @property
    def repairs(self) -> bool:
        """Whether the code must not do what it did."""
        return self.is_open and self.changes

    @property
    def writes_program(self) -> bool:
        """Whether what the code does is the writer's: comments on code that fails an example have
        no fault, and tests define nothing that examples could call."""
        return not (self.keeps_behaviour or self.is_tests)


KINDS: Mapping[RequestType, RequestKind] = {
    "generate": RequestKind(
        goal="New code that does what the request says, without tests.",
        rules="Write complete code: every import and every definition that it needs, no "
        "placeholders. Handle the edge cases that the request implies. Document what is public.",
        rubric="It is new code. Look for requirements and constraints that it does not meet, and "
        "for edge cases that it gets wrong.",
    ),
    "debug": RequestKind(
        goal="The code below with its fault put right.",
        rules="Find the cause of the fault and put it right there, for every input; change nothing "
        "else and keep every public name. Mark the place with a short comment that "
        "says what was wrong. Return the whole code.",
        rubric="It is a repair. Is the fault that the request describes gone, at its cause and not "
        "only for one input? Was anything else changed or broken?",
        changes=True,
        keeps_names=True,
    ),
    "refactor": RequestKind(
        goal="The code below in a better structure, doing the same.",
        rules="Keep what it does and every public name with its parameters, unless the request "
        "asks for another form. Return the whole code.",
        rubric="It is a refactoring. Does it still do the same, under the same public names? Is "
        "the structure better in the way that the request asks for?",
        changes=True,
        keeps_names=True,
        keeps_results=True,
    ),
    "analyze": RequestKind(
        goal="The code below, unchanged, annotated with comments on what was found.",
        rules="Do not change what the code does: add comments and nothing else. Comment at the "
        "place on complexity, faults, risks and missing checks, and put recommendations in a "
        "comment at the end. Return the whole code.",
        rubric="It is an analysis in comments. Are they right, and at the right places? Was "
        "something serious in the code overlooked? Is the code itself unchanged?",
        keeps_behaviour=True,
    ),
    "test": RequestKind(
        goal="Tests, and nothing else, for what the request describes.",
        rules="Write only tests, with the language's usual test framework, not the code under "
        "test. Give each test a name that says what it holds: ordinary cases, edge cases (empty, "
        "boundaries), and errors. Work out each expected value from the request and the code.",
        rubric="It is tests. Are the expected values right? Do they cover ordinary cases, edge "
        "cases and errors? Would a wrong program fail them?",
        is_tests=True,
    ),
    "explain": RequestKind(
        goal="The code below, unchanged, documented with comments for a reader.",
        rules="Do not change what the code does: add documentation comments and short comments at "
        "what is not obvious, and nothing else. Return the whole code.",
        rubric="It is documentation in comments. Does it say what the code really does? Is the "
        "code itself unchanged?",
        keeps_behaviour=True,
    ),
    "optimize": RequestKind(
        goal="The code below, faster or with less memory, giving the same results.",
        rules="Keep every result and every public name. Improve the algorithm before details. Say "
        "in a short comment what the cost was and is. Return the whole code.",
        rubric="It is an optimization. Does it give the same results under the same public names? "
        "Is it really faster or smaller, in the way that the request asks for?",
        changes=True,
        keeps_names=True,
        keeps_results=True,
    ),
}
