"""`laios models starter` and `laios run --example`: what the built-in model knows."""

import json
import shlex
from pathlib import Path

import pytest
from cli import CODE, RULES
from processes import free_port, invoke, laios

from history.reader import Reader
from pipeline.models.starter import DIRECTORY
from server.inventory import starter_tasks

pytestmark = pytest.mark.only_when(
    "pipeline/models/starter/",
    "server/inventory/",
    "server/commands/run.py",
    "server/commands/models.py",
)

TASKS = json.loads((DIRECTORY / "tasks.json").read_text("utf-8"))


@pytest.fixture
def replies(script, monkeypatch: pytest.MonkeyPatch) -> None:
    """Models that answer whatever they are asked, and no daemon."""
    for role in ("CODER", "JUDGE", "REVIEWER"):
        monkeypatch.setenv(f"LAIOS_{role}_MODEL_NAME", script(*RULES))
    monkeypatch.setenv("LAIOS_PORT", str(free_port()))


def test_the_list_has_every_task_under_its_topic() -> None:
    """Two lines say what the model is and how to get a real one; each task has its example."""
    said = laios("models", "starter").stdout
    about, command, *lines = said.splitlines()
    assert f"these {len(TASKS)} small tasks" in about
    assert "laios models pull" in command
    for task in TASKS:
        (line,) = [each for each in lines if each.split()[:1] == [task["name"]]]
        assert line.strip().endswith(task["example"] or task["does"])
    topics = [line for line in lines if line and not line.startswith(" ")][:-1]
    assert topics == list(dict.fromkeys(task["topic"] for task in TASKS))


def test_a_word_narrows_the_list() -> None:
    """Tasks whose name, topic, language or example has it, in either case."""
    found = json.loads(invoke("models", "starter", "FIBONACCI", "--json").stdout)
    assert {"fibonacci", "fibonacci_up_to"} <= {task["name"] for task in found}
    assert len(found) < 10
    bash = json.loads(invoke("models", "starter", "bash", "--json").stdout)
    assert len(bash) >= 10 and all("bash" in json.dumps(task) for task in bash)
    assert json.loads(invoke("models", "starter", "--json").stdout) == TASKS


def test_a_narrowed_list_counts_what_it_has() -> None:
    """Beside how many there are; "these" are all of them only where all are listed."""
    about, _, narrowed, *lines = invoke("models", "starter", "vowels").stdout.splitlines()
    shown = sum(line.startswith("  ") for line in lines)
    assert f" knows {len(TASKS)} small tasks" in about
    assert narrowed == f"Those that mention 'vowels': {shown} of {len(TASKS)}."


def test_a_word_that_nothing_mentions_is_an_error() -> None:
    """It says how to see all; as JSON in the API's shape."""
    done = invoke("models", "starter", "kubernetes")
    assert done.returncode == 1
    assert "kubernetes" in done.stderr and "laios models starter" in done.stderr
    done = invoke("models", "starter", "kubernetes", "--json")
    assert json.loads(done.stdout)["error"]["code"] == "not_found"


def test_an_example_is_run_and_told(replies: None) -> None:
    """Any of them; stderr begins with the command that would run it again, stdout ends with the
    code, which says so first where the example names another language."""
    done = laios("run", "--example")
    assert done.returncode == 0 and done.stdout.endswith(CODE)
    command, run, prompt = shlex.split(done.stderr.splitlines()[0])
    assert (command, run) == ("laios", "run")
    assert prompt in {task["example"] for task in TASKS}


def test_the_example_of_a_task_can_be_had_by_its_name(
    replies: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The prompt that is run is the task's example."""
    task = next(task for task in TASKS if task["example"])
    monkeypatch.setenv("LAIOS_HISTORY_DIR", str(tmp_path / "history"))
    done = invoke("run", "--example", task["name"], "--mode", "raw")
    assert done.stderr == f"laios run {shlex.quote(task['example'])}\n"
    (record,) = Reader(tmp_path / "history").page(limit=5)
    assert record["original_prompt"] == task["example"]


def test_an_example_that_is_not_there_is_a_usage_error(replies: None) -> None:
    """It says where the names are."""
    done = invoke("run", "--example", "write_an_operating_system")
    assert done.returncode == 2
    assert "laios models starter" in done.stderr


def test_examples_are_the_ones_that_passed(monkeypatch, tmp_path: Path) -> None:
    """A task without an example that passed when it was measured is never taken for one."""
    tasks = [dict(TASKS[0], example=None), dict(TASKS[1], example="do it")]
    (tmp_path / "tasks.json").write_text(json.dumps(tasks))
    monkeypatch.setattr(starter_tasks, "TASKS", tmp_path / "tasks.json")
    assert {starter_tasks.example() for _ in range(20)} == {"do it"}
    with pytest.raises(KeyError):
        starter_tasks.example(tasks[0]["name"])


@pytest.mark.parametrize("words", ["models starter facto", "run --example facto"])
def test_a_shell_completes_names(words: str) -> None:
    """Of tasks, after the command that lists them and after --example."""
    environment = {
        "_LAIOS_COMPLETE": "complete_bash",
        "COMP_WORDS": f"laios {words}",
        "COMP_CWORD": str(len(words.split())),
    }
    assert "factorial" in laios(**environment).stdout.split()


def test_a_prompt_is_not_completed_with_names() -> None:
    """Without --example the words are a prompt of any kind."""
    environment = {
        "_LAIOS_COMPLETE": "complete_bash",
        "COMP_WORDS": "laios run facto",
        "COMP_CWORD": "2",
    }
    assert laios(**environment).stdout.split() == []
