"""`laios ps` and `laios cancel` against a real daemon, and completion in the shell."""

import json
import os
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler

import httpx
import pytest
from processes import daemon_here, free_port, invoke, laios, on_a_terminal, serving, wait_for

pytestmark = pytest.mark.only_when("server/commands/", "server/terminal/", "laios/")

SLOW = {"role": "coder", "reply": "x", "delay_ms": 60_000}


@pytest.fixture
def models(script, monkeypatch, tmp_path):
    """A scripted model in every role, and a port where nothing listens."""

    def use(*rules):
        for role in ("CODER", "JUDGE", "REVIEWER"):
            monkeypatch.setenv(f"LAIOS_{role}_MODEL_NAME", script(*rules))
        monkeypatch.setenv("LAIOS_PORT", str(free_port()))
        monkeypatch.setenv("LAIOS_HISTORY_DIR", str(tmp_path / "history"))

    return use


@contextmanager
def busy_daemon(*prompts: str) -> Iterator[tuple[list[dict], list[dict]]]:
    """A daemon with a run for each prompt, of which the first is at work; gives the runs as the
    daemon lists them, and the list of what their callers got."""
    answers: list[dict] = []
    with daemon_here() as address, httpx.Client(base_url=address, timeout=60, verify=False) as http:

        def post(prompt: str) -> None:
            body = {"prompt": prompt}
            answers.append(http.post("/prompt", json=body).json())

        def runs() -> list[dict]:
            listed: list[dict] = http.get("/runs").json()["runs"]
            return listed

        threads = []
        for prompt in prompts:
            threads.append(threading.Thread(target=post, args=(prompt,)))
            threads[-1].start()
            wait_for(lambda: len(runs()) == len(threads) and runs()[0]["stage"])
        yield runs(), answers
        for run in runs():
            http.delete(f"/runs/{run['id']}")
        for thread in threads:
            thread.join(20)


def test_ps_lists_the_runs_and_cancel_ends_them(models, monkeypatch):
    """Mode, stage, model, time, place in the queue and what was asked; a cancelled caller hears
    `cancelled`, and those that wait are cancelled before they could start."""
    models(SLOW)
    monkeypatch.setenv("LAIOS_MAX_CONCURRENT_RUNS", "1")
    with busy_daemon("///raw one", "two", "three") as (runs, answers):
        lines = laios("ps").stdout.splitlines()
        assert lines[0].split() == ["ID", "MODE", "STAGE", "MODEL", "ELAPSED", "PROMPT"]
        assert re.match(
            rf"{runs[0]['id']}  code_raw +coder +scripted/\S+ +\d+\.\d s +one$", lines[1]
        )
        assert re.match(rf"{runs[2]['id']}  code_reviewed +queued, number 2 +- ", lines[3])
        listed = json.loads(invoke("ps", "--json").stdout)["runs"]
        assert [run["id"] for run in listed] == [run["id"] for run in runs]
        assert [run["queue_position"] for run in listed] == [None, 1, 2]
        assert [run["prompt"] for run in listed] == ["one", "two", "three"]

        done = invoke("cancel", runs[1]["id"], "01ARZ3NDEKTSV4RRFFQ69G5FAV")
        assert (done.stdout, done.returncode) == (f"{runs[1]['id']} cancelled\n", 1)
        assert "No run '01ARZ3NDEKTSV4RRFFQ69G5FAV'" in done.stderr
        done = invoke("cancel", "--all", "--json")
        ended = [json.loads(line) for line in done.stdout.splitlines()]
        assert [each["id"] for each in ended] == [runs[2]["id"], runs[0]["id"]]
        assert all(each["cancelled"] for each in ended) and done.returncode == 0
        wait_for(lambda: len(answers) == 3)
        assert {answer["error"]["code"] for answer in answers} == {"cancelled"}

        for words in (["ps"], ["cancel", "--all"]):
            done = invoke(*words)
            assert (done.stdout, done.stderr, done.returncode) == ("", "Nothing is running.\n", 0)
    records = [json.loads(line) for line in invoke("history", "--json").stdout.splitlines()]
    calls = {record["normalized_prompt"]: len(record["steps"]) for record in records}
    assert calls == {"one": 1, "two": 0, "three": 0}


def test_cancel_takes_the_beginning_of_an_id_where_no_other_run_begins_so(models, monkeypatch):
    """As far as a person types it; which run is meant is never guessed, of those under way alone,
    and an empty word begins none."""
    models(SLOW)
    monkeypatch.setenv("LAIOS_MAX_CONCURRENT_RUNS", "1")
    with busy_daemon("///raw one", "two") as (runs, _):
        first, second = (run["id"] for run in runs)
        pairs = enumerate(zip(first, second, strict=True))
        common = first[: next(n for n, (one, other) in pairs if one != other)]
        several = invoke("cancel", common)
        assert (several.returncode, several.stdout) == (1, "")
        assert (
            f"More than one run's id starts with '{common}': {first}, {second}." in several.stderr
        )
        told = invoke("cancel", common, "--json")
        assert json.loads(told.stdout)["error"]["code"] == "bad_request" and told.returncode == 1
        done = invoke("cancel", second[: len(common) + 1])
        assert (done.stdout, done.returncode) == (f"{second} cancelled\n", 0)
        for nobody_s in ("", "no", first + "X", ".", "\udcff"):
            assert invoke("cancel", nobody_s).returncode == 1
        done = invoke("cancel", common)
        assert (done.stdout, done.returncode) == (f"{first} cancelled\n", 0)


def test_ps_shows_what_was_asked_as_far_as_the_terminal_is_wide(models):
    """One line a run, though its prompt has several or would move the cursor; 24 characters of it
    at least. A pipe gets it as far as 100 characters go."""
    models(SLOW)
    with busy_daemon(f"///raw red\x1b[2J\nand {'blue ' * 40}"):
        shown, _ = on_a_terminal("ps", COLUMNS="60")
        head, line = shown.splitlines()
        assert line[head.index("PROMPT") :] == "red\N{REPLACEMENT CHARACTER}[2J and blue blue b…"
        assert len(line) == head.index("PROMPT") + 24
        wide, _ = on_a_terminal("ps", COLUMNS=str(len(line) + 6))
        assert wide.splitlines()[1].endswith("and blue blue blue bl…")
        piped = invoke("ps").stdout.splitlines()[1]
        assert len(piped) == head.index("PROMPT") + 100 and piped.endswith("…")


def test_ps_of_a_run_whose_texts_are_not_kept_says_so(models):
    """Nor does a daemon of an earlier version say what was asked."""
    models(SLOW)
    row = {"id": "01", "state": "running", "mode": "code_raw", "source": "native", "session": None}
    row |= {"accepted": "2026-11-27T10:00:00Z", "elapsed_ms": 1, "stage": None, "model": None}
    with pretender(HEALTHY, {"runs": [row | {"queue_position": None, "wait_s": None}]}):
        assert invoke("ps").stdout.splitlines()[1].endswith("  (not kept)")


@pytest.mark.parametrize("words", [["ps"], ["cancel", "x"], ["cancel", "--all"]])
def test_without_a_daemon_the_exit_code_is_3(models, words):
    """With the way to start one, on stderr or as JSON."""
    models(SLOW)
    done = invoke(*words)
    assert (done.stdout, done.returncode) == ("", 3)
    assert "laios serve" in done.stderr
    done = invoke(*words, "--json")
    assert (done.stderr, done.returncode) == ("", 3)
    assert json.loads(done.stdout)["error"]["code"] == "daemon_unreachable"


def test_a_command_that_could_not_be_recorded_asks_no_model(models, tmp_path):
    """As a daemon that does not start: no answer comes that the history forgets."""
    (file := tmp_path / "file").write_text("")
    done = invoke("run", "///raw add", LAIOS_HISTORY_DIR=str(file))
    assert (done.returncode, done.stdout) == (2, "")
    assert f"cannot be written in {file}" in done.stderr and "HISTORY_DIR" in done.stderr


@pytest.mark.parametrize("words", [["cancel"], ["cancel", "x", "--all"]])
def test_cancel_wants_to_know_which_runs(models, words):
    """None, or some and all, is a usage error."""
    models(SLOW)
    assert invoke(*words).returncode == 2


def test_a_daemon_that_wants_a_token_gets_the_right_one_or_none(models, monkeypatch):
    """A wrong token is `unauthorized`, which counts as unreachable; it says what to set."""
    models(SLOW)
    monkeypatch.setenv("LAIOS_API_TOKEN", "the right one")
    with daemon_here():
        assert invoke("ps").returncode == 0
        wrong = invoke("ps", "--json", LAIOS_API_TOKEN="the wrong one")
        assert (wrong.returncode, json.loads(wrong.stdout)["error"]["code"]) == (3, "unauthorized")
        for words in (["cancel", "x"], ["run", "x"], ["status"]):
            refused = invoke(*words, LAIOS_API_TOKEN="the wrong one")
            assert refused.returncode == 3 and "set LAIOS_API_TOKEN" in refused.stderr
        status = json.loads(invoke("status", "--json", LAIOS_API_TOKEN="the wrong one").stdout)
        assert status["running"] and "set LAIOS_API_TOKEN" in status["message"]


@contextmanager
def pretender(health: object, other: object) -> Iterator[None]:
    """A program on the daemon's port; answers `/healthz` and everything else with these values."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            value = health if self.path == "/healthz" else other
            body = value if isinstance(value, bytes) else json.dumps(value).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_DELETE = do_GET

        def log_message(self, *_: object) -> None:
            pass

    with serving(Handler, int(os.environ["LAIOS_PORT"])):
        yield


HEALTHY = {"name": "laios", "status": "ok", "version": "0"}
OF_NO_SHAPE = (
    b"<html>",
    [1],
    {},
    {"error": "x"},
    {"error": {"code": 1, "message": []}},
    {"status": 5, "reasons": [1], "notices": 1, "models": 3, "history": [], "runs": [5]},
    {"status": "ready", "reasons": [], "notices": [], "models": {}, "history": {}, "runs": [{}]},
)


@pytest.mark.parametrize("other", OF_NO_SHAPE)
def test_what_says_that_it_is_laios_and_answers_otherwise_is_named(models, other):
    """Whatever has the port, and whatever it answers, a command says so and leaves no trace."""
    models(SLOW)
    with pretender(HEALTHY, other):
        status = json.loads(invoke("status", "--json").stdout)
        assert status["running"] and "as a daemon of this version does" in status["message"]
        for words in (["status"], ["ps"], ["cancel", "x"], ["cancel", "--all"]):
            done = invoke(*words)
            assert done.returncode == 3 and "as a daemon of this version does" in done.stderr
        found = json.loads(invoke("doctor", "--no-probe", "--json").stdout)["findings"]
        assert [each["level"] for each in found if each["check"] == "daemon"] == ["warning"]


@pytest.mark.parametrize("health", [{"name": "laios"}, {"name": "laios", "version": 1}, ["laios"]])
def test_half_of_the_daemon_s_health_is_none(models, health):
    """Who answers like that is somebody else."""
    models(SLOW)
    with pretender(health, {}):
        for words in (["status"], ["ps"], ["cancel", "x"]):
            done = invoke(*words)
            assert done.returncode == 3 and "is not laios" in done.stderr
        assert not json.loads(invoke("status", "--json").stdout)["running"]


@pytest.mark.parametrize("other", OF_NO_SHAPE)
def test_a_run_of_another_program_is_no_answer(models, other, tmp_path):
    """Whatever it is, with status 200: its answers have no run's id."""
    models(SLOW)
    file = tmp_path / "code.py"
    file.write_text("x = 1\n")
    asked = (["run", "x"], ["ask", "x"], ["plan", "x"], ["code", "x", "-l", "c++"])
    with pretender(HEALTHY, other):
        for words in (*asked, ["refine", str(file), "x"], ["judge", str(file), "x"]):
            done = invoke(*words)
            assert done.returncode == 3 and "is not laios" in done.stdout + done.stderr, words


def offered(*words: str) -> list[str]:
    """What bash would be offered for the last word."""
    line = " ".join(["laios", *words])
    done = invoke(_LAIOS_COMPLETE="complete_bash", COMP_WORDS=line, COMP_CWORD=str(len(words)))
    assert done.stderr == ""
    return done.stdout.split()


def test_the_shell_completes_modes_roles_and_runs(models):
    """By name or tag's word; ids from the daemon for `cancel`, from the history for `show`."""
    models(SLOW, {"reply": "y"})
    assert offered("run", "--mode", "code_ra") == ["code_raw", "code_raw_ctx"]
    assert "review-only" in offered("history", "--mode", "re")
    assert offered("bench", "--modes", "raw,re") == [
        "raw,reviewed",
        "raw,resample",
        "raw,review_only",
    ]
    assert offered("models", "use", "") == ["coder", "judge", "reviewer", "all"]
    assert offered("models", "use", "judge", "a") == ["auto"]
    with busy_daemon("///raw one") as (runs, _):
        assert offered("cancel", runs[0]["id"][:4]) == [runs[0]["id"]]
    assert offered("history", "show", runs[0]["id"][:4]) == [runs[0]["id"]]


def test_completion_says_nothing_when_it_cannot_know(models):
    """No daemon, no history, wrong settings: no offer, and no word on the terminal."""
    models(SLOW)
    assert offered("cancel", "") == []
    assert offered("history", "show", "") == []
    done = laios(
        _LAIOS_COMPLETE="complete_bash",
        COMP_WORDS="laios cancel ",
        COMP_CWORD="2",
        LAIOS_NONSENSE="1",
    )
    assert (done.stdout.strip(), done.stderr) == ("", "")


def test_every_command_explains_itself():
    """`-h` and `--help` work at every level, and tell what the command is for."""
    for words in (["ps"], ["cancel"], ["doctor"], ["models"], ["config"], ["service"]):
        done = invoke(*words, "-h")
        assert (done.returncode, done.stderr) == (0, "")
        assert f"Usage: laios {words[0]}" in done.stdout


def test_a_help_text_is_as_wide_as_its_terminal():
    """No line ends where it ended in the source, and what may be left out is in one bracket."""
    help_of_mcp = invoke("mcp", "-h", COLUMNS="200").stdout
    assert "Runs go to the daemon, or to a process of this command's own" in help_of_mcp
    assert "Usage: laios cancel [OPTIONS] [ID]..." in invoke("cancel", "-h").stdout


def test_a_word_that_only_looks_like_a_command_leads_to_those_that_are_meant():
    """`runs` is asked for by those who look for a list of runs, not by those who mistype `run`."""
    done = invoke("runs")
    assert done.returncode == 2 and "laios ps" in done.stderr and "laios history" in done.stderr
    assert "Did you mean 'serve'" in invoke("sevre").stderr


@pytest.mark.parametrize("variable", ["NO_COLOR", "TERM"])
def test_a_terminal_that_is_to_have_no_colours_has_none(variable):
    """Neither in the titles of a record nor in an error."""
    coloured, _ = on_a_terminal("history", "show")
    assert "\x1b[" in coloured
    plain, code = on_a_terminal("history", "show", **{variable: "dumb"})
    assert code == 1 and "There are no runs in the history yet" in plain and "\x1b" not in plain


def test_a_terminal_without_unicode_is_no_trouble(models):
    """The marks are plain ones, and what else it cannot show becomes a question mark."""
    models(SLOW)
    done = laios("doctor", "--no-probe", PYTHONIOENCODING="ascii")
    assert "+ The settings are valid" in done.stdout
