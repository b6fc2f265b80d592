"""The result of an example finder."""

from dataclasses import dataclass, field

from pipeline.sandbox.testcase import Case


@dataclass(slots=True)
class Found:
    """What one form's finder found: cases without a name, `lines` where they stand, as far as that
    is known; `reported` errors, which shall not come again; `linked`, whose lists stand for linked
    nodes; `warnings` of what looked like an example and was none, `unread` by its line, from 0."""

    examples: list[Case] = field(default_factory=list)
    reported: list[Case] = field(default_factory=list)
    linked: list[Case] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    unread: dict[int, str] = field(default_factory=dict)
    lines: set[int] = field(default_factory=set)
