"""JSON Schemas of the contract, made from its models: draft-07 for `GET /code/schema`, and for the
components of an OpenAPI 3.1 document."""

from typing import Any

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from pipeline.codework.contract import CodeEnvelope, CodeRequest, CodeResponse

DRAFT_07 = "http://json-schema.org/draft-07/schema#"
ALWAYS_THERE = ("warnings", "metadata")  # though the seed's schema does not say so


class _Plain(GenerateJsonSchema):
    """As the seed writes it: no titles, no default of null, and in answers what is absent is left
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


def request_schema() -> dict[str, Any]:
    return CodeRequest.model_json_schema(mode="validation", schema_generator=_Plain)


def response_schema() -> dict[str, Any]:
    """CodeGeneration, to the letter of the seed."""
    schema = CodeResponse.model_json_schema(mode="serialization", schema_generator=_Plain)
    metadata = schema.pop("$defs")["CodeMetadata"]
    schema["properties"]["metadata"] = {
        "type": "object",
        "properties": metadata["properties"],
    }
    schema["required"] = [name for name in schema["required"] if name not in ALWAYS_THERE]
    del schema["description"]
    return schema


def envelope_schema(reference: str) -> dict[str, Any]:
    """`reference` is where CodeGeneration stands."""
    schema = CodeEnvelope.model_json_schema(mode="serialization", schema_generator=_Plain)
    del schema["$defs"]
    schema["properties"]["results"]["additionalProperties"] = {"$ref": reference}
    return schema


def draft_07() -> dict[str, Any]:
    """One document: the answer's schema, with those of the request and of the answer in several
    languages as its `definitions`."""
    return {
        "$schema": DRAFT_07,
        **response_schema(),
        "definitions": {
            "CodeRequest": request_schema(),
            "CodeEnvelope": envelope_schema("#"),
        },
    }
