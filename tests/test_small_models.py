"""Models that are known to be no judges, by their names."""

import pytest
from fakes import FakeOllama, Pulled

from pipeline.small_models import is_small


@pytest.mark.parametrize(
    ("name", "small"),
    [
        ("ollama/qwen2.5-coder:1.5b", True),
        ("local//models/qwen2.5-coder-0.5b.gguf", True),
        ("local/smollm2-135m-instruct-q8_0.gguf", True),
        ("local//models/qwen2.5-coder-0.5b/model-q4_k_m.gguf", True),
        ("hf.co/Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF:Q4_K_M", True),
        ("ollama/qwen2.5-coder:7b", False),
        ("ollama/qwen3:30b-a3b", False),
        ("openai/gpt-4.1-mini", False),
        ("local/starter", False),
        ("ollama/codestral", False),
        ("scripted//data/copy_09m/replies.json", False),
        ("local//mnt/disk-1b/models/codestral.gguf", False),
        ("hosted_vllm/Qwen/Qwen2.5-14B-Instruct-1M", False),
        ("local/Qwen3-Coder-30B-A3B-Instruct-1M-Q4_K_M.gguf", False),
        ("hosted_vllm/THUDM/glm-4-9b-chat-1m", False),
        ("ollama/some-model-1m", False),
        ("hosted_vllm/some/model-1.5B-Instruct-1M", True),
    ],
)
def test_the_size_in_a_name_decides(name, small):
    """Up to one and a half billion parameters; a name without a size says nothing, nor does the
    length of the context that it takes."""
    assert is_small(name) is small


async def test_status_says_that_the_judge_is_none(daemon_with):
    """As a notice, not as a trouble: everything works."""
    async with FakeOllama(models=(Pulled("qwen2.5-coder:1.5b"),)) as fake:
        names = {f"{role}_MODEL_NAME": "ollama/qwen2.5-coder:1.5b" for role in ("CODER", "JUDGE")}
        names["REVIEWER_MODEL_NAME"] = "ollama/qwen2.5-coder:1.5b"
        async with daemon_with(OLLAMA_HOST=fake.url, **names) as (_, http):
            ready = (await http.get("/readyz")).json()
    assert [notice["code"] for notice in ready["notices"]] == ["no_judge"]
    assert "too small to judge" in ready["notices"][0]["message"]
