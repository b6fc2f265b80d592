"""What a result rests on beside its models: the settings that change what a run does, the prompts,
the code. Results under others are others."""

from hashlib import sha256
from pathlib import Path
from typing import Any

from config import Settings, require_provider
from pipeline.role_rules import read_rules
from pipeline.roles import ROLES, setting_of

RUN_SETTINGS = (
    "MAX_CONTEXT_TOKENS",
    "MAX_OUTPUT_TOKENS",
    "MAX_DRAFTS",
    "EVIDENCE_RUN",
    "COMPARE_DRAFTS",
    "JUDGE_WHEN",
    "JUDGE_FORM",
    "JUDGE_YES_THRESHOLD",
    "JUDGE_REVIEW",
    "ESCALATION_CONFIDENCE_THRESHOLD",
    "ESCALATION_CONFLICT_THRESHOLD",
    "SECURITY_REVIEW",
    "REVIEWER_VOTES",
    "GENERATED_TESTS",
    "TEST_MAX_ROUNDS",
    "HISTORY_CONTEXT_RECORDS",
    "HISTORY_CONTEXT_TOKENS",
)


def with_model(settings: Settings, name: str) -> Settings:
    """The settings with this model for all roles; "" changes nothing. Raises ValueError for what
    is no model name."""
    if not name:
        return settings
    require_provider(name)
    return settings.model_copy(update={setting_of(role): (name,) for role in ROLES})


def run_settings(settings: Settings) -> dict[str, Any]:
    return {name: getattr(settings, name) for name in RUN_SETTINGS}


def prompts_digest(settings: Settings) -> str | None:
    """Of the prompts in place of the built-in ones; None without any. Raises BadRequest for those
    that cannot be read."""
    rules = read_rules(settings.PROMPTS_DIR)
    return sha256(repr(rules).encode()).hexdigest()[:12] if settings.PROMPTS_DIR else None


def revision(package: Path) -> str:
    """Twelve digits that change with any source file of the pipeline."""
    digest = sha256()
    for path in sorted(package.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
