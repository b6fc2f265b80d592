"""What the finders of examples give."""

from dataclasses import dataclass, field

from pipeline.sandbox.testcase import Case


@dataclass(slots=True)
class Found:
    """What one form's finder found: cases without a name; `notes` on what looked like an example
    and was none."""

    examples: list[Case] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
