"""The typed objects that laios answers with, as pydantic models (lengths in characters)."""

from laios.types.run_details import (
    CaseResult,
    Evidence,
    FailedFile,
    RunDetails,
    RunFault,
    SuiteReport,
    Tokens,
    Verdict,
)

__all__ = [
    "CaseResult",
    "Evidence",
    "FailedFile",
    "RunDetails",
    "RunFault",
    "SuiteReport",
    "Tokens",
    "Verdict",
]
