"""The bench of `///ask` (`tools/bench/asked.py`), but for the model's part."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from tools.bench import asked
from tools.bench.asked import Question, index, questions

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
    """What it needs stands in its code, what it must not have does not, and its code parses."""
    assert QUESTION.faults(answer) == faults


def test_the_questions_are_about_what_is_installed() -> None:
    """Thirty, none twice; the index is made of this environment."""
    every = questions()
    assert len({each.id for each in every}) == len({each.prompt for each in every}) == 30
    assert all(find_spec(each.library) for each in every)
    assert all(each.faults("") for each in every)


def test_a_question_is_asked_of_its_library_s_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each library is taken in once, into the directory of which the daemon is told."""
    called: list[list[str]] = []
    monkeypatch.setattr(asked.subprocess, "run", lambda words, **_: called.append(words))
    settings = index([QUESTION, QUESTION], tmp_path)
    assert settings == {"DOCS_DIR": tmp_path / "docs"}
    assert [words[1:4] for words in called] == [["docs", "add", "rich"]]
    assert QUESTION.body == {"prompt": QUESTION.prompt, "mode": "ask"}
