"""JSON Schemas of the contract, made from its models: draft-07 for `GET /code/schema`, and for the
components of an OpenAPI 3.1 document."""

from typing import Any

from laios.types.code_generation import CodeEnvelope, CodeGeneration
from pipeline.codegen.contract import CodeRequest
from pipeline.json_schema import Plain

DRAFT_07 = "http://json-schema.org/draft-07/schema#"
ALWAYS_THERE = ("warnings", "metadata")  # though the published schema does not say so


def request_schema() -> dict[str, Any]:
    return CodeRequest.model_json_schema(mode="validation", schema_generator=Plain)


def response_schema() -> dict[str, Any]:
    """CodeGeneration, to the letter of the published schema."""
    schema = CodeGeneration.model_json_schema(mode="serialization", schema_generator=Plain)
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
    schema = CodeEnvelope.model_json_schema(mode="serialization", schema_generator=Plain)
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
