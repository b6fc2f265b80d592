"""The typed objects that laios takes and answers with, as pydantic models, and validators that
check plans and answers for completeness."""

from laios.types.answer import Answer
from laios.types.answers import (
    AlternativeApproach,
    APILookupOutput,
    CodeToDataOutput,
    DataFile,
    DataToCodeOutput,
    ExplanationOutput,
    KeyConcept,
    Parameter,
    validate_api_lookup_output,
    validate_code_to_data_output,
    validate_data_to_code_output,
    validate_explanation_output,
)
from laios.types.cited_chunk import CitedChunk
from laios.types.code_generation import CodeEnvelope, CodeGeneration, CodeMetadata, RequestType
from laios.types.decomposition import (
    DecompositionInput,
    DecompositionOutput,
    DecompositionStep,
    validate_decomposition_output,
)
from laios.types.enrichment import (
    ExplainedSymbol,
    ExplanationEnrichmentOutput,
    validate_explanation_enrichment_output,
)
from laios.types.final_result import ExplainedStep, Explanation, FinalCode, FinalResult, StepResult
from laios.types.generation import (
    CurrentStepInfo,
    DocumentationChunk,
    GenerationInput,
    GenerationOutput,
    OverallPlan,
    PlannedStep,
    PreviousStepResult,
    validate_generation_output,
)
from laios.types.history_record import Record
from laios.types.judgement import Issue, Judgement, KnownFact
from laios.types.program_outcome import ProgramOutcome
from laios.types.project_files import ProjectFile, ProjectFiles
from laios.types.rating import Rating
from laios.types.refinement import (
    CodeModificationOutput,
    CodeRefinementResult,
    Modification,
    ModificationDecompositionOutput,
    ModificationStep,
    validate_code_modification_output,
    validate_modification_decomposition_output,
)
from laios.types.run_details import (
    CaseResult,
    DraftReport,
    Evidence,
    FailedFile,
    RunDetails,
    RunFault,
    SuiteReport,
    Tokens,
    Verdict,
)
from laios.types.run_event import RunEvent
from laios.types.run_list import Cancellation, RunRow
from laios.types.schema import Citation, Confidence, Instructions, Schema
from laios.types.tested_code import TestedAnswer, TestedCase, TestedCode
from laios.types.validation import (
    ValidationError,
    ValidationFix,
    ValidationInput,
    ValidationOutput,
    validate_validation_output,
)

__all__ = [
    "APILookupOutput",
    "AlternativeApproach",
    "Answer",
    "Cancellation",
    "CaseResult",
    "Citation",
    "CitedChunk",
    "CodeEnvelope",
    "CodeGeneration",
    "CodeMetadata",
    "CodeModificationOutput",
    "CodeRefinementResult",
    "CodeToDataOutput",
    "Confidence",
    "CurrentStepInfo",
    "DataFile",
    "DataToCodeOutput",
    "DecompositionInput",
    "DecompositionOutput",
    "DecompositionStep",
    "DocumentationChunk",
    "DraftReport",
    "Evidence",
    "ExplainedStep",
    "ExplainedSymbol",
    "Explanation",
    "ExplanationEnrichmentOutput",
    "ExplanationOutput",
    "FailedFile",
    "FinalCode",
    "FinalResult",
    "GenerationInput",
    "GenerationOutput",
    "Instructions",
    "Issue",
    "Judgement",
    "KeyConcept",
    "KnownFact",
    "Modification",
    "ModificationDecompositionOutput",
    "ModificationStep",
    "OverallPlan",
    "Parameter",
    "PlannedStep",
    "PreviousStepResult",
    "ProgramOutcome",
    "ProjectFile",
    "ProjectFiles",
    "Rating",
    "Record",
    "RequestType",
    "RunDetails",
    "RunEvent",
    "RunFault",
    "RunRow",
    "Schema",
    "StepResult",
    "SuiteReport",
    "TestedAnswer",
    "TestedCase",
    "TestedCode",
    "Tokens",
    "ValidationError",
    "ValidationFix",
    "ValidationInput",
    "ValidationOutput",
    "Verdict",
    "validate_api_lookup_output",
    "validate_code_modification_output",
    "validate_code_to_data_output",
    "validate_data_to_code_output",
    "validate_decomposition_output",
    "validate_explanation_enrichment_output",
    "validate_explanation_output",
    "validate_generation_output",
    "validate_modification_decomposition_output",
    "validate_validation_output",
]
