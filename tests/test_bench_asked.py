"""The bench of `///ask` (`tools/bench/asked.py`), but for the model's part."""

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from tools.bench import asked
from tools.bench.asked import Question, answers, questions

pytestmark = pytest.mark.only_when("tools/")

QUESTION = Question("rich/bar", "A bar?", [r"\btrack\(|\bProgress\("], [r"\btqdm\b"])
NEEDED = "lacks " + QUESTION.needed[0]


@pytest.mark.parametrize(
    ("answer", "faults"),
    [
        ("Use `track()`:\n\n```python\nfor n in track([1]):\n    print(n)\n```\n", []),
        ("```python\nimport tqdm\nwith Progress() as p: ...\n```", [r"has \btqdm\b"]),
        ("Use track().\n\nSources:\n[1] rich.progress.track(", [NEEDED]),
        ("```python\ntrack(\n```", ["code that does not parse"]),
        ("```python\ntrack([1])\n```\n\nRun it:\n\n```sh\npython it.py\n```\n", []),
    ],
    ids=["right", "wrong", "in words alone", "broken", "a command beside it"],
)
def test_an_answer_is_held_against_its_question(answer: str, faults: list[str]) -> None:
    assert QUESTION.faults(answer) == faults


def test_the_questions_are_about_what_is_installed() -> None:
    """Thirty, none twice; the index is made of this environment."""
    every = questions()
    assert len({each.id for each in every}) == len({each.prompt for each in every}) == 30
    assert all(find_spec(each.library) for each in every)
    assert all(each.faults("") for each in every)


def test_what_was_answered_is_not_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the same model and code."""
    monkeypatch.setattr(asked, "revision", lambda package: f"r1 of {package.name}")
    monkeypatch.setattr(asked, "index", lambda libraries, _: pytest.fail(str(libraries)))
    row = {"model": "m.gguf", "revision": "r1 of pipeline r1 of retrieval", "seconds": 1.0}
    row |= {"id": QUESTION.id, "prompt": QUESTION.prompt}
    results = tmp_path / "results.jsonl"
    older = row | {"revision": "r1 of pipeline r0 of retrieval"}
    other = row | {"prompt": "Another bar?"}
    results.write_text("".join(json.dumps(each) + "\n" for each in (older, other, row)))
    assert list(answers(Path("m.gguf"), results, [QUESTION])) == [row]
    with pytest.raises(pytest.fail.Exception, match="rich"):
        list(answers(Path("other.gguf"), results, [QUESTION]))
