"""Build the answer of each kind from its text, fields and citations. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from laios.types.answers import (
    AlternativeApproach,
    APILookupOutput,
    CodeToDataOutput,
    DataFile,
    DataToCodeOutput,
    ExplanationOutput,
)
from laios.types.enrichment import ExplanationEnrichmentOutput
from laios.types.schema import Citation, Confidence, Schema
from pipeline.rag.answer_fields import Fields
from pipeline.rag.library_symbols import data_files_in, library_symbols, vtk_classes
from pipeline.rag.query_task import QueryTask
from pipeline.rag.usage_example import example_in


@dataclass(frozen=True, slots=True)
class AnswerContent:
    """`text` is the answer with its marks, `fields` what was said besides (None: no model could say
    it), `code` the code in question or the code that was written, `files` what the documentation
    knows of data files."""

    task: QueryTask
    text: str
    fields: Fields | None
    citations: list[Citation]
    confidence: Confidence
    code: str = ""
    files: Sequence[DataFile] = ()


def build(kind: str, content: AnswerContent) -> Schema:
    return _BUILDERS[kind](content)


def _said(content: AnswerContent) -> dict[str, Any]:
    """Citations, confidence, and what a model said besides, by the names of the answer's kind."""
    own = content.fields.own if content.fields else {}
    return own | {"citations": content.citations, "confidence": content.confidence}


def _api(content: AnswerContent) -> Schema:
    """The usage example is a code block of the text."""
    fence = example_in(content.text)
    explanation = content.text
    if fence:
        before, after = explanation[: fence.start], explanation[fence.end :]
        explanation = f"{before.rstrip()}\n\n{after.lstrip()}".strip()
    return APILookupOutput(
        response_type="answer",
        content_type="api",
        explanation=explanation or content.text,
        usage_example=fence.code.removesuffix("\n") if fence else "",
        **_said(content),
    )


def _explanation(content: AnswerContent) -> Schema:
    return ExplanationOutput(
        response_type="answer",
        content_type="explanation",
        explanation=content.text,
        **_said(content),
    )


def _data_to_code(content: AnswerContent) -> Schema:
    said = _said(content)
    said["alternative_approaches"] = [
        AlternativeApproach(**each.model_dump(), vtk_classes=vtk_classes(each.symbols))
        for each in said.get("alternative_approaches", ())
    ]
    symbols = library_symbols(content.code)
    named = [file.name for file in content.task.data_files]
    return DataToCodeOutput(
        response_type="answer",
        content_type="code",
        code=content.code,
        explanation=content.text,
        vtk_classes_used=vtk_classes(symbols),
        symbols_used=symbols,
        data_files_used=data_files_in(content.code, content.task.prompt, *named),
        **said,
    )


def _code_to_data(content: AnswerContent) -> Schema:
    """Files are those of the documentation alone."""
    symbols = library_symbols(content.code)
    return CodeToDataOutput(
        response_type="answer",
        content_type="data",
        explanation=content.text,
        data_files=list(content.files),
        vtk_classes_used=vtk_classes(symbols),
        symbols_used=symbols,
        **_said(content),
    )


def _enrichment(content: AnswerContent) -> Schema:
    """Names that do not stand in the code are left out."""
    said = _said(content)
    explained = [each for each in said.get("symbols_explained", ()) if each.name in content.code]
    vtk = set(vtk_classes(each.name for each in explained))
    said["symbols_explained"] = explained
    return ExplanationEnrichmentOutput(
        improved_explanation=content.text,
        vtk_classes_explained=[each for each in explained if each.name.rpartition(".")[2] in vtk],
        **said,
    )


_BUILDERS = {
    "api": _api,
    "explanation": _explanation,
    "data_to_code": _data_to_code,
    "code_to_data": _code_to_data,
    "enrich": _enrichment,
}
