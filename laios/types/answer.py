"""The answer of a prompt."""

from pydantic import BaseModel

from laios.types.run_details import RunDetails


class Answer(BaseModel):
    """The output of `POST /prompt`, and what is known of it."""

    output: str
    details: RunDetails

    @property
    def run_id(self) -> str:
        return self.details.id

    @property
    def passed(self) -> bool:
        """Whether the checks that were asked for were run and hold."""
        return self.details.passed

    @property
    def warnings(self) -> list[str]:
        """What is known to be wrong, a line each."""
        return self.details.warnings
