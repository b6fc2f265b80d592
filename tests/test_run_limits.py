"""Settings of one request: within those in force, for that run alone."""

import json

import pytest
from code_examples import coder, judge
from processes import invoke

import laios
from config import load_settings
from pipeline.errors import BadRequest
from pipeline.run_limits import RunLimits
from pipeline.sandbox import Limits

CODE = "def add(a, b):\n    return a + b\n"
REVIEWED = [coder(CODE), judge(8), {"role": "reviewer", "reply": f"# better\n{CODE}"}]


def test_a_request_may_have_less_than_the_settings_give():
    """What it does not name stays as it is, also in the settings of the others."""
    settings = load_settings()
    asked = {"test_max_rounds": 2, "min_confidence": 0.95, "sandbox": {"wall_s": 1.5}}
    own = RunLimits.read({"prompt": "x", **asked}).applied(settings)
    assert (own.TEST_MAX_ROUNDS, own.ESCALATION_CONFIDENCE_THRESHOLD) == (2, 10)
    limits = Limits.of(own)
    assert (limits.wall_s, limits.memory_mb) == (1.5, settings.SANDBOX_MEMORY_MB)
    assert settings == load_settings()
    assert RunLimits.read({"prompt": "x"}).applied(settings) is settings


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"test_max_rounds": 6}, '"test_max_rounds" must not be more than 5'),
        ({"test_max_rounds": 0}, '"test_max_rounds" must not be less than 1'),
        ({"test_max_rounds": True}, '"test_max_rounds" must be a whole number'),
        ({"min_confidence": 8}, '"min_confidence" must not be more than 1'),
        ({"sandbox": {"memory_mb": 4096}}, "512, the setting SANDBOX_MEMORY_MB"),
        ({"sandbox": {"wall_s": float("nan")}}, '"sandbox" "wall_s" must'),
        ({"sandbox": {"wall_s": float("inf")}}, '"sandbox" "wall_s" must'),
        ({"sandbox": {"wal_s": 1}}, '"sandbox" "wal_s" is unknown'),
        ({"sandbox": 3}, '"sandbox" must be'),
    ],
)
def test_what_is_beyond_the_settings_is_refused(asked, said):
    """The error names the field and the bound."""
    with pytest.raises(BadRequest) as refused:
        RunLimits.read(asked).applied(load_settings())
    assert said in refused.value.message


async def test_the_limits_of_a_request_are_those_of_its_run(daemon_with):
    """A judge's 8 is enough by the settings, and not where 0.9 is asked for; the record has the
    threshold that was in force. A request beyond the bounds is no run."""
    async with daemon_with(*REVIEWED) as (daemon, http):
        async with laios.AsyncClient(daemon.address) as client:
            assert (await client.run("add")).output == CODE
            strict = await client.run("add", min_confidence=0.9)
            record = await client.history.get(strict.run_id)
        answer = await http.post("/prompt", json={"prompt": "x", "sandbox": {"cpu_s": 99}})
        assert len(list(daemon.parts.reader)) == 2
    assert strict.details.escalation_reason == "confidence 8 < 9"
    assert record.thresholds == {"confidence": 9, "conflict": 6}
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad_request")


def test_the_command_line_has_them(roles):
    """What is no number, or beyond the settings, is a usage error."""
    roles(*REVIEWED)
    done = invoke(
        "run",
        "add",
        "--min-confidence",
        "0.9",
        "--sandbox",
        "wall_s=2",
        "--json",
        LAIOS_JUDGE_WHEN="always",
    )
    assert json.loads(done.stdout)["details"]["escalation_reason"] == "confidence 8 < 9"
    for wrong, said in (
        (("--sandbox", "wall_s=soon"), "Write it as wall_s=2"),
        (("--sandbox", "wall=3"), "Limits: wall_s, cpu_s, memory_mb"),
        (("--sandbox", "cpu_s=99"), "SANDBOX_CPU_S"),
        (("--test-max-rounds", "0"), "--test-max-rounds"),
        (("--format", "pdf"), "Formats: code"),
        (("--format", "json"), "///test, ///files can"),
        (("--format", "json", "--write", "somewhere"), "leave --format out"),
    ):
        done = invoke("run", "add", *wrong)
        assert done.returncode == 2 and said in done.stderr, done.stderr
