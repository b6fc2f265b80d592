"""`laios ask`, `laios plan` and `laios refine`."""

import json
import re

import pytest
from processes import daemon_here, invoke, laios, on_a_terminal
from query_scripts import (
    API,
    CHANGE,
    CHANGES,
    NEW,
    OLD,
    PLAN,
    QUERY,
    REFINE,
    STEPS,
    kind,
    says,
)

from pipeline.rag.query_task import ANSWERS
from server.commands import ask

pytestmark = pytest.mark.only_when(
    "server/commands/query_commands.py",
    "server/commands/ask.py",
    "server/commands/plan.py",
    "server/commands/refine.py",
    "server/terminal/",
    "laios/",
    "pipeline/rag/",
)

TOLD = """\
Example:
```python
math.pi
```

Returns: a float

See also: math.tau
"""
CHANGED = "1. Squared the radius: An area grows with the square."


@pytest.fixture(autouse=True)
def own_directories(tmp_path, monkeypatch):
    """Not those of the person who runs the tests, in this process either."""
    for name in ("DOCS", "HISTORY"):
        monkeypatch.setenv(f"LAIOS_{name}_DIR", str(tmp_path / name.lower()))


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "area.py"
    path.write_text(OLD)
    return path


def test_an_answer_goes_to_stdout(roles):
    """With all that belongs to it, and how sure it is on stderr; recorded as a query."""
    roles(*API)
    done = laios("ask", "What is math.pi?")
    assert (done.returncode, done.stderr) == (0, "confidence: low\n")
    assert done.stdout.startswith("There is no documentation here to go by")
    assert done.stdout.endswith(TOLD)
    record = json.loads(invoke("history", "--json", "-n", "1").stdout.splitlines()[0])
    assert (record["source"], record["mode"]) == ("query", "answer")


def test_a_running_daemon_does_the_work(roles):
    """With the same answer, as JSON too; what it refuses is told."""
    roles(*API, *PLAN)
    with daemon_here(LAIOS_PORT="0") as address:
        port = address.rpartition(":")[2]
        answer = invoke("ask", "What is math.pi?", "--json", LAIOS_PORT=port)
        assert json.loads(answer.stdout)["return_value"] == "a float"
        plan = invoke("plan", QUERY, LAIOS_PORT=port)
        assert plan.stdout.startswith("import math\n") and "3. Print them" in plan.stderr
        refused = invoke("ask", "x" * 10_001, LAIOS_PORT=port)
    assert refused.returncode == 2 and '"query" is longer' in refused.stderr


def test_code_and_data_go_along(roles, source, tmp_path):
    """The code as a whole, of data the name and how it begins, of what is no text the name."""
    table, image = tmp_path / "p.csv", tmp_path / "p.png"
    table.write_text("radius,height\n" + "1,2\n" * 5000)
    image.write_bytes(b"\x89PNG\0\0")
    about = {"code_requirements": "", "sources": [], "confidence": "low"}
    fields = says("explainer", about, prompt="The description as JSON:")
    seen = rf"(?s)math\.pi \* radius.*{table}, which begins:\nradius,height.*{image}\n(?!.*PNG)"
    roles(fields, says("explainer", "It reads a table.", prompt=seen))
    files = ["--data", str(table), "--data", str(image)]
    kind_of = ["--type", "code_to_data"]
    done = invoke("ask", "What does it read?", *kind_of, "--code", str(source), *files)
    assert (done.returncode, "It reads a table." in done.stdout) == (0, True), done.stderr


@pytest.mark.parametrize("from_stdin", [True, False])
def test_code_without_a_question_is_explained(roles, source, from_stdin):
    """Of a file, and of a pipe."""
    about = {"key_points": ["It is short."], "symbols_explained": []}
    fields = about | {"sources": [], "confidence": "high"}
    rules = [says("explainer", fields, prompt="as JSON:"), says("explainer", "It has an area.")]
    roles(*rules)
    done = invoke("ask", "--code", "-" if from_stdin else str(source), stdin=OLD)
    assert done.returncode == 0, done.stderr
    assert "It has an area." in done.stdout and "- It is short." in done.stdout


def test_a_question_comes_from_stdin_as_well(roles):
    """In a pipe, and with words of any language."""
    roles(
        kind("api"), says("explainer", {}, prompt="as JSON:"), says("explainer", "π", prompt="Ü?")
    )
    done = invoke("ask", stdin="Was ist Ü?\n")
    assert (done.returncode, "π" in done.stdout) == (0, True), done.stderr


def test_a_plan_s_code_can_be_piped(roles):
    """The code alone on stdout; its plan on stderr."""
    roles(*PLAN)
    done = invoke("plan", QUERY)
    assert done.returncode == 0, done.stderr
    compile(done.stdout, "plan", "exec")
    assert [line for line in done.stderr.splitlines() if line[:1].isdigit()] == [
        f"{number}. {description}" for number, description in enumerate(STEPS, 1)
    ]
    whole = invoke("plan", QUERY, "--json")
    assert json.loads(whole.stdout)["final_code"]["complete"] == done.stdout


def test_a_terminal_shows_the_plan_as_it_is_worked_through(roles):
    """What is done is ticked off, what is ahead is there already; at its end it makes room."""
    roles(*[rule | {"delay_ms": 150} for rule in PLAN])
    shown, status = on_a_terminal("plan", QUERY)
    assert status == 0
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown)
    first, second, third = STEPS
    assert re.search(rf"✓ 1\. {first}\s+\S+ 2\. {second}\s+· 3\. {third}\s+drafting", plain)
    assert re.search(rf"✓ 3\. {third}\s+\S+\s+judging", plain)
    end = plain.rpartition("Three areas are wanted")[2]
    assert "✓" not in end and end.rstrip().endswith('print(f"{value:.2f}")')


def test_a_plan_that_fails_stays_on_the_terminal(roles):
    """It tells how far the run came."""
    coder = {"role": "coder", "reply": PLAN[1]["reply"], "times": 1}
    roles(PLAN[0], coder, says("coder", "", fault="failed"), *PLAN[2:])
    shown, status = on_a_terminal("plan", QUERY)
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown)
    assert status == 1
    assert re.search(rf"✓ 1\. {STEPS[0]}\s+· 2\. {STEPS[1]}\s+· 3\. {STEPS[2]}\s+Error:", plain)


def test_progress_takes_any_text_as_text(roles):
    """A model's description cannot command the terminal, nor is it markup."""
    steps = json.loads(PLAN[0]["reply"])
    steps["steps"][0]["description"] = "\x1b]0;title\x07[red]x[/red]\nnew line"
    roles(says("planner", steps), *[rule | {"delay_ms": 150} for rule in PLAN[1:]])
    shown, status = on_a_terminal("plan", QUERY)
    assert status == 0
    assert "[red]x[/red]" in shown
    assert "\x1b]0" not in shown and "\x07" not in shown


def test_the_changed_code_goes_to_stdout(roles, source):
    """The difference and what was done to stderr; the file stays as it is."""
    roles(*REFINE)
    done = invoke("refine", str(source), CHANGE)
    assert (done.returncode, done.stdout) == (0, NEW)
    assert "-    return math.pi * radius\n+    return math.pi * radius**2" in done.stderr
    assert CHANGED in done.stderr
    assert source.read_text() == OLD
    piped = invoke("refine", "-", CHANGE, stdin=OLD)
    assert (piped.returncode, piped.stdout) == (0, NEW)
    whole = json.loads(invoke("refine", str(source), CHANGE, "--json").stdout)
    assert (whole["content_type"], whole["original_code"]) == ("code_refinement", OLD)


def test_write_replaces_the_file(roles, source):
    """After the difference is shown, with what is the file's own: mode, line ends, its mark."""
    roles(*REFINE)
    source.write_bytes(b"\xef\xbb\xbf" + OLD.replace("\n", "\r\n").encode())
    source.chmod(0o750)
    done = invoke("refine", str(source), CHANGE, "--write")
    assert (done.returncode, done.stdout) == (0, "")
    assert "+    return math.pi * radius**2" in done.stderr and "Written:" in done.stderr
    assert source.read_bytes() == b"\xef\xbb\xbf" + NEW.replace("\n", "\r\n").encode()
    assert source.stat().st_mode & 0o777 == 0o750
    assert [path.name for path in source.parent.glob("*area.py*")] == ["area.py"]
    again = invoke("refine", str(source), CHANGE, "--write")
    assert (again.returncode, "Nothing was changed." in again.stderr) == (0, True)


def test_what_is_known_to_be_wrong_is_not_written(roles, source):
    """Unless it is insisted on; what is wrong is told."""
    broken = NEW.replace("def area(radius):", "def area(radius:")
    fixer = says("reviewer", broken + "\n\n")
    roles(REFINE[0], says("coder", broken), fixer, *REFINE[2:])
    done = invoke("refine", str(source), CHANGE, "--write")
    assert (done.returncode, done.stdout, source.read_text()) == (1, "", OLD)
    assert "confidence: low" in done.stderr and "SyntaxError at line 4" in done.stderr
    done = invoke("refine", str(source), CHANGE, "--write", "--yes")
    assert (done.returncode, source.read_text().rstrip()) == (0, broken.rstrip())


def test_a_terminal_is_asked_before_it_is_written(roles, source):
    """No leaves the file as it is; yes, or --yes, writes it."""
    roles(*REFINE)
    shown, status = on_a_terminal("refine", str(source), CHANGE, "--write", answers=b"n\n")
    assert status == 1 and "Write" in shown and source.read_text() == OLD
    shown, status = on_a_terminal("refine", str(source), CHANGE, "--write", answers=b"y\n")
    assert status == 0 and source.read_text() == NEW
    source.write_text(OLD)
    shown, status = on_a_terminal("refine", str(source), CHANGE, "--write", "--yes")
    assert status == 0 and source.read_text() == NEW and "[y/N]" not in shown


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["ask", "x", "--type", "pai"], "Did you mean 'api'?"),
        (["ask", "x", "--type", "enrich"], '"code" is missing'),
        (["ask", "x", "--code", "nowhere.py"], "nowhere.py cannot be read: No such file"),
        (["ask", "x", "--data", "nowhere.csv"], "nowhere.csv cannot be read: No such file"),
        (["ask"], 'What is the question? laios ask "what'),
        (["plan"], 'What should the program do? laios plan "a program'),
        (["plan", " "], "What should the program do?"),
        (["ask", "\udcff"], "is not UTF-8 text"),
        (["refine", "nowhere.py", "x"], "nowhere.py cannot be read"),
        (["refine", "-"], "What should change?"),
        (["refine", __file__, ""], 'What should change? laios refine FILE "…"'),
        (["judge", __file__, " "], 'What should the code do? laios judge FILE "…"'),
        (["code", " ", "-l", "python"], "What should the code do? laios code -l python"),
        (["refine", "-", "x", "--write"], "the code comes from stdin"),
        (["refine", "-", "x"], "stdin is empty"),
    ],
)
def test_wrong_use_is_told(roles, words, said):
    """Exit status 2, before anything runs."""
    roles(*API)
    done = invoke(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert invoke("history", "--json").stdout == ""


@pytest.mark.parametrize("command", ["refine", "judge"])
def test_a_change_is_what_the_words_say_and_nothing_from_stdin(roles, source, command):
    """Blank words are none: what lies on stdin of a script is not taken for them."""
    roles(*API)
    done = invoke(command, str(source), " ", stdin="delete everything")
    assert (done.returncode, done.stdout) == (2, "") and f"laios {command} FILE" in done.stderr


@pytest.mark.parametrize("command", [["ask", "pi?"], ["plan", QUERY], ["refine", "-", CHANGE]])
def test_a_backend_that_is_away_is_status_3(roles, command):
    """As with `laios run`; as JSON where that is wanted."""
    roles({"fault": "unreachable"})
    done = invoke(*command, "--json", stdin=OLD)
    assert done.returncode == 3
    assert json.loads(done.stdout)["error"]["code"] == "model_unreachable"
    assert invoke(*command, stdin=OLD).stdout == ""


def test_a_change_that_cannot_be_made_is_status_1(roles, source):
    """The file stays as it is."""
    roles(CHANGES, says("coder", "I cannot do that, I am sorry."))
    done = invoke("refine", str(source), CHANGE, "--write")
    assert (done.returncode, done.stdout, source.read_text()) == (1, "", OLD)


def test_the_command_knows_the_types_of_answers():
    """It does not import them, so that `--help` answers at once; the shell offers them."""
    assert (*ANSWERS, "enrich") == ask.TYPES
    asked = {"COMP_WORDS": "laios ask --type e", "COMP_CWORD": "3"}
    assert laios(_LAIOS_COMPLETE="complete_bash", **asked).stdout.split() == [
        "explanation",
        "enrich",
    ]
