"""The base class of the objects of `POST /query`: reading and writing them."""

from collections.abc import Callable, Mapping
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, ValidationError

Confidence = Literal["high", "medium", "low"]


class Schema(BaseModel):
    """An object of the API, by its field names. Fields that it does not have are passed over; a
    field that is None is one that was not given, and is not written."""

    model_config = ConfigDict(strict=True)

    def to_dict(self) -> dict[str, Any]:
        return self.model_dump(exclude_none=True)

    def to_json(self) -> str:
        return self.model_dump_json(exclude_none=True)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """The object with all that is in it typed. Raises TypeError, naming the field, where a
        required one is missing or has another shape."""
        try:
            return cls.model_validate(data)
        except ValidationError as error:
            fault = error.errors(include_url=False)[0]
            where = ".".join(map(str, fault["loc"])) or "it"
            raise TypeError(f"{cls.__name__}: {where}: {fault['msg']}") from None


class QueryAnswer(Schema):
    """An answer of `POST /query`. `warnings`: what is wrong with its code, and what else has to be
    known; left out where there is nothing."""

    warnings: list[str] | None = None


def validator(schema: type[Schema]) -> Callable[[Any], bool]:
    """Whether a value has all that the schema requires."""

    def is_valid(data: Any) -> bool:
        try:
            schema.from_dict(data)
        except TypeError:
            return False
        return True

    return is_valid


class Instructions(Schema):
    """What a model is told to do; which fields there are depends on the phase."""

    role: str | None = None
    task: str
    think_through: list[str] | None = None
    citation_policy: str | None = None
    code_style: str | None = None
    requirements: list[str] | None = None
    output_format: str | None = None


class Citation(Schema):
    """`number` is the mark `[N]`; `chunk_id` and `title` say what it leads to."""

    number: int
    reason: str
    chunk_id: str | None = None
    title: str | None = None
