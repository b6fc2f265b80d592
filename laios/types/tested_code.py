"""Code with its tests: what `///test` answers as `json`."""

from typing import Any

from pydantic import BaseModel, Field

from laios.types.answer import Answer

_VALUE = (
    'As JSON: tuples are arrays; what JSON lacks has its type as the only key, as `{"set": [1]}`'
)


class TestedCase(BaseModel):
    """A test and how it went. A call has `arguments`, a program that is run has `stdin`."""

    __test__ = False  # no test of pytest's

    name: str
    test: str = Field(description="As a person writes it: `add(1, 2) → 3`")
    given: bool = Field(description="Whether it is an example of the request's")
    function: str | None = Field(default=None, description="What is called; null for a program")
    arguments: list[Any] = Field(default_factory=list, description=_VALUE)
    keywords: dict[str, Any] = Field(default_factory=dict)
    stdin: str | None = None
    expected: Any = Field(default=None, description=f"What has to come. {_VALUE}")
    raises: str | None = Field(default=None, description="The exception that has to come")
    status: str = Field(description="`passed`, `wrong`, or what happened instead")
    got: Any = Field(default=None, description="What came, where it was not what is expected")
    error: str | None = None


class TestedCode(BaseModel):
    """`passed`: there are tests, all of them were run, and they hold."""

    __test__ = False

    code: str
    language: str | None
    passed: bool
    reason: str = Field(default="", description="Why there are no tests")
    tests: list[TestedCase]
    rounds: int = Field(description="Runs of the tests", ge=0)


class TestedAnswer(Answer):
    """Code, its tests, and what is known of the run."""

    __test__ = False

    tests: list[TestedCase]
    rounds: int
