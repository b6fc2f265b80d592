"""How our JSON Schemas are written."""

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import (
    GenerateJsonSchema,
    JsonSchemaMode,
    JsonSchemaValue,
    models_json_schema,
)
from pydantic_core import core_schema


class Plain(GenerateJsonSchema):
    """As the seeds write them: no titles, no default of null, and in answers what is absent is left
    out and never null."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        if self.mode == "serialization":
            return self.generate_inner(schema["schema"])
        return super().nullable_schema(schema)

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        if schema.get("default") is None:
            return self.generate_inner(schema["schema"])
        return super().default_schema(schema)


def schemas_of(
    asked: Sequence[type[BaseModel]], answered: Sequence[type[BaseModel]], place: str
) -> dict[str, Any]:
    """The schemas of requests and answers, and of what they are made of, by name; they refer to
    each other as `place` says, where `{model}` is the name."""
    models: list[tuple[type[BaseModel], JsonSchemaMode]]
    models = [(kind, "validation") for kind in asked]
    models += [(kind, "serialization") for kind in answered]
    _, made = models_json_schema(models, ref_template=place, schema_generator=Plain)
    found: dict[str, Any] = made["$defs"]
    return found
