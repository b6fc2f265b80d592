"""The command line as people use it: real processes (DESIGN A8)."""

import json
import os
import pty
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

LAIOS = str(Path(sys.executable).with_name("laios"))
CODE = "def add(a, b):\n    return a + b\n"
RULES = [{"role": "coder", "reply": CODE}, {"role": "judge", "verdict": [9, 1, "It is right."]}]


def laios(*words: str, stdin: str | None = None, **environment: str):
    return subprocess.run(
        [LAIOS, *words],
        env={**os.environ, **environment},
        input=stdin,
        stdin=None if stdin is not None else subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=50,
    )


@pytest.fixture
def roles(script, monkeypatch, free_port):
    """A scripted model in every role, and a port where nothing listens."""

    def use(*rules):
        for role in ("CODER", "JUDGE", "REVIEWER"):
            monkeypatch.setenv(f"LAIOS_{role}_MODEL_NAME", script(*rules))
        monkeypatch.setenv("LAIOS_PORT", str(free_port))

    return use


@pytest.fixture
def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def daemon(*options: str):
    """A `laios serve` process and the lines of its banner; ended with SIGTERM."""
    process = subprocess.Popen([LAIOS, "serve", *options], stderr=subprocess.PIPE, text=True)
    lines = []
    try:
        for line in process.stderr:
            lines.append(line.rstrip("\n"))
            if line.startswith("    -d "):
                break
        yield process, lines
    finally:
        process.terminate()
        process.wait(15)
        process.stderr.close()


def test_run_without_a_daemon_prints_the_code_and_records_the_run(roles):
    """The code on stdout to the letter, nothing else anywhere, and a record as from the daemon."""
    roles(*RULES)
    done = laios("run", "add", "two", "numbers")
    assert (done.stdout, done.stderr, done.returncode) == (CODE, "", 0)
    record = json.loads(laios("history", "--json").stdout)
    assert (record["source"], record["original_prompt"]) == ("cli", "add two numbers")


def test_run_takes_the_prompt_from_stdin(roles):
    """Without words, or below them after a `-`."""
    roles({"role": "coder", "prompt": "^///doc\n\nfix\n$", "reply": "both"}, *RULES)
    assert laios("run", stdin="///raw add\n").stdout == CODE
    assert laios("run", "--mode", "raw", r"\///doc", "-", stdin="fix\n").stdout == CODE
    records = [json.loads(line) for line in laios("history", "--json").stdout.splitlines()]
    assert [r["normalized_prompt"] for r in records] == ["add", "///doc\n\nfix"]


def test_run_as_json(roles):
    """Output and id, or the error, as one object."""
    roles(*RULES)
    done = json.loads(laios("run", "--json", "add").stdout)
    assert done["output"] == CODE
    assert json.loads(laios("history", "show", "--json", done["id"]).stdout)["id"] == done["id"]
    failed = laios("run", "--json", "///rav add")
    assert json.loads(failed.stdout)["error"]["code"] == "unknown_tag"
    assert failed.returncode == 2


@pytest.mark.parametrize(
    ("words", "rule", "code"),
    [
        (["run", "///rav add"], {}, 2),
        (["run", "--mode", "nonsense", "add"], {}, 2),
        (["run", ""], {}, 2),
        (["run", "--nonsense"], {}, 2),
        (["run", "///raw add"], {"fault": "failed"}, 1),
        (["run", "///raw add"], {"fault": "unreachable"}, 3),
        (["history", "show", "nonsense"], {}, 1),
        (["history", "--since", "nonsense"], {}, 2),
        (["history", "--mode", "nonsense"], {}, 2),
        (["status"], {}, 3),
        (["status", "--json"], {}, 3),
    ],
)
def test_exit_codes(roles, words, rule, code):
    """0 ok, 1 run failed, 2 usage, 3 unreachable; a message, never a trace."""
    roles({"role": "coder", "reply": "x", **rule})
    done = laios(*words)
    assert done.returncode == code
    assert "Traceback" not in done.stderr
    assert done.stderr or "--json" in words


def test_a_wrong_setting_is_a_usage_error(roles):
    """Named with its source and the nearest right name."""
    done = laios("status", LAIOS_PROT="1")
    assert done.returncode == 2
    assert "Unknown environment variable LAIOS_PROT. Did you mean LAIOS_PORT?" in done.stderr


def test_the_daemon_s_banner_ends_in_a_curl_line_that_works(roles):
    """What a newcomer does: start it, copy the line, see code."""
    roles(*RULES)
    with daemon() as (_, lines):
        assert lines[0].startswith("laios listens on http://127.0.0.1:")
        if not shutil.which("curl"):
            pytest.skip("curl is not installed")
        command = "\n".join(lines[-2:])
        done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=30)
        assert json.loads(done.stdout) == {"output": CODE}


def test_run_and_status_use_the_daemon_when_it_is_there(roles):
    """The run is the daemon's own, with its source."""
    roles(*RULES)
    with daemon():
        assert "ready" in laios("status").stdout
        status = json.loads(laios("status", "--json").stdout)
        assert status["running"] and status["history"]["ok"]
        assert laios("run", "add").stdout == CODE
        record = json.loads(laios("history", "--json").stdout)
        assert record["source"] == "native"
        assert laios("run", "///rav add").returncode == 2


def test_something_else_on_the_port_is_not_taken_for_the_daemon(roles, free_port):
    """No prompt is posted to a stranger: the run is done in this process."""
    roles(*RULES)
    server = subprocess.Popen(
        [sys.executable, "-m", "http.server", str(free_port), "--bind", "127.0.0.1"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_for(lambda: socket.create_connection(("127.0.0.1", free_port)).close())
        assert laios("run", "add").stdout == CODE
        assert laios("status").returncode == 3
        taken = laios("serve")
        assert taken.returncode == 3
        assert f"127.0.0.1:{free_port} is in use" in taken.stderr
    finally:
        server.terminate()
        server.wait(10)


def test_progress_is_shown_on_a_terminal_alone(roles):
    """Stages on stderr while it works; the answer on stdout, alone."""
    roles({**RULES[0], "delay_ms": 400}, RULES[1])
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [LAIOS, "run", "add"], stdout=subprocess.PIPE, stderr=theirs, stdin=subprocess.DEVNULL
    )
    os.close(theirs)
    shown = b""
    while select.select([ours], [], [], 30)[0]:
        try:
            shown += os.read(ours, 4096)
        except OSError:
            break
    assert process.communicate(timeout=30)[0].decode() == CODE
    os.close(ours)
    assert b"drafting" in shown
    assert re.search(rb"judging: 0\.\d s", shown)


@pytest.mark.parametrize("kill", [[signal.SIGTERM], [signal.SIGINT, signal.SIGINT]])
def test_a_signal_ends_the_daemon_within_ten_seconds_and_records_all(roles, kill):
    """The running caller gets `cancelled` and the run is on record; a second Ctrl-C means now."""
    roles({"role": "coder", "reply": "x", "delay_ms": 60_000})
    with daemon() as (process, lines):
        address = lines[0].split()[-1]
        post = subprocess.Popen(
            [sys.executable, "-c", POST, address], stdout=subprocess.PIPE, text=True
        )
        wait_for(
            lambda: httpx.get(f"{address}/runs").json()["runs"][0]["stage"] == "coder" or 1 / 0
        )
        began = time.monotonic()
        for each in kill:
            process.send_signal(each)
            time.sleep(0.3)
        assert json.loads(post.communicate(timeout=20)[0])["error"]["code"] == "cancelled"
        process.wait(15)
        assert time.monotonic() - began < (10.5 if len(kill) == 1 else 4)
        assert process.returncode in (0, -kill[0], 130)
    assert json.loads(laios("history", "--json").stdout)["error"]["code"] == "cancelled"


POST = """
import httpx, sys
print(httpx.post(sys.argv[1] + "/prompt", json={"prompt": "add"}, timeout=60).text)
"""


def wait_for(what):
    """Tries until it does not raise."""
    until = time.monotonic() + 20
    while True:
        try:
            return what()
        except Exception:
            if time.monotonic() > until:
                raise
            time.sleep(0.02)


def test_history_lists_filters_and_searches(roles):
    """Newest last; words, session, mode and time narrow it."""
    roles(*RULES)
    laios("run", "///raw alpha beta", "-s", "one")
    laios("run", "gamma", "-s", "two")
    shown = laios("history").stdout.splitlines()
    assert [line.split()[-1] for line in shown] == ["beta", "gamma"]
    assert "judged 9/1" in shown[1] and "not judged" in shown[0]

    def prompts(*options):
        lines = laios("history", "--json", *options).stdout.splitlines()
        return [json.loads(line)["normalized_prompt"] for line in lines]

    assert prompts() == ["alpha beta", "gamma"]
    assert prompts("-n", "1") == ["gamma"]
    assert prompts("-q", "alpha") == ["alpha beta"]
    assert prompts("-q", '"beta alpha"') == []
    assert prompts("-q", 'a"b ( OR *') == []
    assert prompts("-s", "two") == ["gamma"]
    assert prompts("--mode", "raw") == ["alpha beta"]
    assert prompts("--since", "1h") == ["alpha beta", "gamma"]
    assert prompts("--since", "2099-01-01") == []


def test_history_shows_one_run_whole_and_harmless(roles):
    """Prompt, draft, verdict, steps and output; terminal controls in them are not obeyed."""
    evil = "x = '\x1b[31m\x07'\n"
    rules = [
        {"role": "coder", "reply": "def f(:"},
        {"role": "reviewer", "reply": evil},
        {"role": "judge", "verdict": [9, 2, "Fine now."]},
    ]
    roles(*rules)
    run_id = json.loads(laios("run", "--json", "do \x1b]0;it").stdout)["id"]
    shown = laios("history", "show", run_id).stdout
    assert "evidence: syntax error at line 1" in shown
    assert "9/2 Fine now." in shown
    assert "\x1b" not in shown and "\x07" not in shown
    assert "\x1b" not in laios("history").stdout
    assert json.loads(laios("history", "show", run_id, "--json").stdout)["final_output"] == evil


def test_history_follows_new_runs(roles):
    """`-f` goes on with what is recorded after the list."""
    roles(*RULES)
    laios("run", "first")
    follower = subprocess.Popen(
        [LAIOS, "history", "-f", "--json"], stdout=subprocess.PIPE, text=True
    )
    try:
        assert json.loads(follower.stdout.readline())["normalized_prompt"] == "first"
        seen = None
        for number in range(20):  # the watch begins a moment after the list is printed
            laios("run", f"later {number}")
            if select.select([follower.stdout], [], [], 1)[0]:
                seen = json.loads(follower.stdout.readline())
                break
        assert seen and seen["normalized_prompt"].startswith("later")
    finally:
        follower.send_signal(signal.SIGINT)
        assert follower.wait(10) in (0, 130)
        follower.stdout.close()


def test_prune_deletes_whole_old_files_and_nothing_else(roles, monkeypatch, tmp_path):
    """The active file stays, whatever its age; without consent nothing goes."""
    monkeypatch.setenv("LAIOS_HISTORY_MAX_ENTRIES", "1")
    roles(*RULES)
    for prompt in ("one", "two", "three"):
        laios("run", prompt)
    assert laios("history", "prune", "--before", "2099-01-01", stdin="n\n").returncode == 1
    assert len(laios("history").stdout.splitlines()) == 3
    done = laios("history", "prune", "--before", "2099-01-01", "--yes")
    assert done.stdout.splitlines() == ["history-000001.jsonl", "history-000002.jsonl"]
    assert laios("history").stdout.split()[-1] == "three"
    assert laios("history", "prune", "--before", "1h", "--yes").stdout == ""


def test_ctx_takes_the_session_s_history_from_earlier_processes(roles):
    """`///ctx` reads what another process recorded, of the same session alone."""
    rules = [
        {
            "role": "coder",
            "prompt": "(?s)User request:\nname it.*Assistant code:\nNAME",
            "reply": "SEEN",
        },
        {"role": "coder", "reply": "NAME"},
    ]
    roles(*rules)
    laios("run", "///raw name it", "-s", "a")
    assert laios("run", "///ctx ///raw again", "-s", "a").stdout == "SEEN\n"
    assert laios("run", "///ctx ///raw again", "-s", "b").stdout == "NAME\n"


def test_help_and_completion():
    """Every command explains itself, and a shell can complete it."""
    for words in ([], ["serve"], ["run"], ["history"], ["history", "show"], ["status"]):
        done = laios(*words, "--help")
        assert done.returncode == 0
        assert "Usage: laios" in done.stdout
    assert "laios" in laios("--show-completion", SHELL="/bin/bash").stdout
