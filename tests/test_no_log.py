"""`no_log`: the record keeps numbers and modes, and no texts (DESIGN A2)."""

import pytest

from pipeline.errors import ModelFailed


async def test_no_log_keeps_numbers_and_no_texts(pipeline_with):
    """Modes, scores and times are kept; nothing that a person or a model wrote is."""
    secret = "swordfish"
    rules = [
        {"role": "coder", "reply": f"```\n{secret}\n```"},
        {"role": "judge", "verdict": [2, 9, secret]},
        {"role": "reviewer", "reply": secret},
    ]
    async with pipeline_with(*rules) as run:
        assert secret in await run(f"say {secret}", no_log=True)
    assert secret not in str(run.record)
    assert run.record["judge"]["confidence_score"] == 2
    assert run.record["escalated"] and run.record["mode"] == "code_reviewed"
    assert run.record["original_prompt"] is run.record["final_output"] is None


async def test_no_log_keeps_the_codes_of_errors_without_their_words(pipeline_with):
    """A backend may quote the prompt in what it says."""
    async with pipeline_with({"role": "coder", "fault": "failed"}) as run:
        with pytest.raises(ModelFailed):
            await run("add", no_log=True)
    nothing_said = {"code": "model_failed", "message": None}
    assert run.record["error"] == run.record["steps"][0]["error"] == nothing_said
