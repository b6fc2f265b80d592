"""The command line as people use it: real processes where the process is the point."""

import json
import os
import pty
import re
import select
import shutil
import signal
import socket
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler
from pathlib import Path
from subprocess import PIPE

import httpx
import pytest
from cli import CODE, LAIOS, RULES, laios
from processes import daemon_here, invoke, serving, wait_for

from config import config_path
from laios import launcher

# Of the commands alone, in processes of their own: nothing that a run does can change it.
of_commands = pytest.mark.only_when("server/commands/", "server/terminal/", "laios/")

FULL = Path("/dev/full")


@contextmanager
def daemon(*options: str):
    """A `laios serve` process and the lines of its banner; ended with SIGTERM."""
    process = subprocess.Popen([LAIOS, "serve", *options], stderr=subprocess.PIPE, text=True)
    lines = []
    try:
        for line in process.stderr:
            if not line.startswith("{"):  # of the log: a busy machine holds up the event loop
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
    record = json.loads(invoke("history", "--json").stdout)
    assert (record["source"], record["original_prompt"]) == ("cli", "add two numbers")


@of_commands
@pytest.mark.skipif(not FULL.exists(), reason="needs Linux's /dev/full")
@pytest.mark.parametrize("words", ["run add", "history --json", "config show"])
def test_an_answer_that_finds_no_room_is_said_in_a_line(roles, words):
    """A file on a full disk, say: no trace, and not as if all were well."""
    roles(*RULES)
    invoke("run", "add")
    with FULL.open("w") as full:
        done = subprocess.run([LAIOS, *words.split()], stdout=full, stderr=PIPE, text=True)
    assert (done.returncode, done.stderr) == (1, "Error: No space left on device\n")


@of_commands
@pytest.mark.parametrize(
    ("closed", "words", "code"),
    [("<&-", "run", 2), ("<&-", "run -", 2), (">&-", "run add", 0), (">&-", "history", 0)],
)
def test_a_command_with_a_closed_stream_leaves_no_trace(roles, closed, words, code):
    """As services and scripts start one: nothing is there to read, or nobody reads."""
    roles(*RULES)
    done = subprocess.run(
        ["/bin/sh", "-c", f'exec "$0" {words} {closed}', LAIOS], stderr=PIPE, text=True, timeout=50
    )
    assert done.returncode == code and "Traceback" not in done.stderr
    assert ("The prompt is empty." in done.stderr) == bool(code)


def test_ctrl_c_while_the_command_is_loaded_leaves_no_trace(monkeypatch):
    """The same exit code as later."""

    def interrupted(module):
        raise KeyboardInterrupt

    monkeypatch.setattr(launcher, "_call_main", interrupted)
    with pytest.raises(SystemExit) as ended:
        launcher.main()
    assert ended.value.code == 130


def test_run_takes_the_prompt_from_stdin(roles):
    """Without words, or below them after a `-`."""
    roles({"role": "coder", "prompt": "^///doc\n\nfix\n$", "reply": "both"}, *RULES)
    assert invoke("run", stdin="///raw add\n").stdout == CODE
    assert invoke("run", "--mode", "raw", r"\///doc", "-", stdin="fix\n").stdout == CODE
    records = [json.loads(line) for line in invoke("history", "--json").stdout.splitlines()]
    assert [r["normalized_prompt"] for r in records] == ["add", "///doc\n\nfix"]


@of_commands
def test_a_prompt_that_is_not_utf8_is_a_usage_error(roles):
    """From stdin or as an argument, in any locale: a message, and nothing is run."""
    roles(*RULES)
    for words, stdin in (([], b"add \xff"), ([b"add \xff"], b""), (["add", "-"], b"\xff")):
        done = subprocess.run([LAIOS, "run", *words], input=stdin, capture_output=True, timeout=50)
        assert (done.returncode, done.stdout) == (2, b"")
        assert b"not UTF-8" in done.stderr
    assert invoke("history", "--json").stdout == ""


def test_run_as_json(roles):
    """Output and id, or the error, as one object."""
    roles(*RULES)
    done = json.loads(invoke("run", "--json", "add").stdout)
    assert done["output"] == CODE
    assert json.loads(invoke("history", "show", "--json", done["id"]).stdout)["id"] == done["id"]
    failed = invoke("run", "--json", "///rav add")
    assert json.loads(failed.stdout)["error"]["code"] == "unknown_tag"
    assert failed.returncode == 2


@pytest.mark.parametrize(
    "words", ["status", "run x", "history", "ps", "config show", "docs list", "models", "calibrate"]
)
def test_settings_that_cannot_be_used_are_json_where_that_was_asked_for(words):
    """A program reads stdout alone; the exit code is that of a person's."""
    config_path().parent.mkdir(parents=True)
    config_path().write_text("x = 1\n")
    done = invoke(*words.split(), "--json")
    error = json.loads(done.stdout)["error"]
    assert (error["code"], done.stderr, done.returncode) == ("invalid_settings", "", 2)
    assert "unknown setting 'x'" in error["message"]


@pytest.mark.parametrize(
    ("words", "error", "code"),
    [
        ("replay", "not_found", 1),
        ("calibrate", "not_found", 2),
        ("batch nowhere.jsonl -o answers.jsonl", "bad_request", 2),
        ("bench --limit 1 --modes raw --model local/nowhere", "model_not_found", 1),
    ],
)
def test_a_command_that_finds_nothing_to_work_on_says_so_as_json(words, error, code):
    """Where that was asked for, with nothing on stderr; otherwise in words, with nothing on
    stdout. The exit code is the same."""
    done = invoke(*words.split(), "--json")
    told = json.loads(done.stdout)["error"]
    assert (told["code"], done.stderr, done.returncode) == (error, "", code)
    in_words = invoke(*words.split())
    assert (in_words.stdout, in_words.returncode) == ("", code)
    assert in_words.stderr == f"Error: {told['message']}\n"


def test_a_history_that_cannot_be_read_is_json_where_that_was_asked_for(tmp_path):
    """One that has no runs is no failure: no line of JSON is the whole answer."""
    none = invoke("history", "--json")
    assert (none.stdout, none.returncode) == ("", 0)
    (file := tmp_path / "file").write_text("")
    done = invoke("history", "--json", LAIOS_HISTORY_DIR=str(file))
    assert (done.stderr, done.returncode) == ("", 1)
    assert "cannot be read" in json.loads(done.stdout)["error"]["message"]


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
        (["history", "--since", "99999999999999d"], {}, 2),
        (["history", "--since", "99999999d"], {}, 2),
        (["history", "--mode", "nonsense"], {}, 2),
        (["status"], {}, 3),
        (["status", "--json"], {}, 3),
    ],
)
def test_exit_codes(roles, words, rule, code):
    """0 ok, 1 run failed, 2 usage, 3 unreachable; a message, never an exception."""
    roles({"role": "coder", "reply": "x", **rule})
    done = invoke(*words)
    assert done.returncode == code
    assert done.stderr or "--json" in words


@of_commands
@pytest.mark.parametrize(
    ("words", "rule", "code"),
    [
        (["run", "--nonsense"], {}, 2),
        (["run", "///raw add"], {"fault": "unreachable"}, 3),
    ],
)
def test_exit_codes_are_the_process_s(roles, words, rule, code):
    """A shell sees them too; a message, never a trace."""
    roles({"role": "coder", "reply": "x", **rule})
    done = laios(*words)
    assert done.returncode == code
    assert done.stderr and "Traceback" not in done.stderr


def test_a_wrong_setting_is_a_usage_error(roles):
    """Named with its source and the nearest right name."""
    done = invoke("status", LAIOS_PROT="1")
    assert done.returncode == 2
    assert "Unknown environment variable LAIOS_PROT. Did you mean LAIOS_PORT?" in done.stderr


def test_a_model_that_is_none_ends_the_daemon_s_start(roles):
    """A name without a backend can never be had."""
    roles(*RULES)
    done = invoke("serve", "--coder", "nonsense")
    assert done.returncode == 2
    assert "CODER_MODEL_NAME (command line): 'nonsense' is not a model name" in done.stderr


def test_the_daemon_s_banner_ends_in_a_curl_line_that_works(roles):
    """What a newcomer does: start it, copy the line, see code; and ask for the same in a shell."""
    roles(*RULES)
    with daemon() as (_, lines):
        assert lines[0].startswith("laios listens on http://127.0.0.1:")
        assert laios("run", "add").stdout == CODE
        assert json.loads(invoke("history", "--json").stdout)["source"] == "native"
        if not shutil.which("curl"):
            pytest.skip("curl is not installed")
        command = "\n".join(lines[-2:])
        done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=30)
        assert json.loads(done.stdout) == {"output": CODE}


def test_run_and_status_use_the_daemon_when_it_is_there(roles):
    """The run is the daemon's own, with its source."""
    roles(*RULES)
    with daemon_here():
        assert "ready" in invoke("status").stdout
        status = json.loads(invoke("status", "--json").stdout)
        assert status["running"] and status["history"]["ok"]
        assert invoke("run", "add").stdout == CODE
        record = json.loads(invoke("history", "--json").stdout)
        assert record["source"] == "native"
        assert invoke("run", "///rav add").returncode == 2


def test_settings_of_a_caller_that_the_daemon_does_not_take_are_named(roles, script, tmp_path):
    """Where they would change an answer: its models, not its port. Without a daemon they count, and
    nothing is said."""
    roles(*RULES)
    mine = {f"LAIOS_{role}_MODEL_NAME": None for role in ("CODER", "JUDGE", "REVIEWER")}
    other = {"LAIOS_CODER_MODEL_NAME": script({"role": "coder", "reply": "x = 1"}, name="other")}
    one = (
        "The daemon uses its own settings: CODER_MODEL_NAME in this environment does not "
        "count. In config.toml it would: laios config edit\n"
    )
    two = one.replace("NAME in", "NAME, MODEL_TIMEOUT_S in").replace("does not", "do not")
    (asked := tmp_path / "asked.jsonl").write_text('{"prompt": "///raw add"}\n')
    batch = ("batch", str(asked), "-o", str(tmp_path / "answers.jsonl"))
    with daemon_here():
        assert invoke("run", "///raw add", **mine).stderr == ""
        done = invoke("run", "///raw add", "--json", **mine | other)
        assert (json.loads(done.stdout)["output"], done.stderr) == (CODE, one)
        done = invoke("run", "///raw add", **mine | other, LAIOS_MODEL_TIMEOUT_S="9")
        assert done.stderr == two.replace("it would", "they would")
        assert invoke(*batch, **mine | other).stderr.startswith(one)
    done = invoke("run", "///raw add", **mine | other)
    assert (done.stdout, done.stderr) == ("x = 1\n", "")


def test_status_waits_while_the_daemon_asks_a_silent_backend(roles):
    """Ollama takes questions and does not answer: that is what `status` says, and never that there
    is no daemon, which takes longer to find it out than it may take to say that it is alive."""
    roles(*RULES)
    with (
        socket.create_server(("127.0.0.1", 0)) as silent,
        daemon_here(
            OLLAMA_HOST=f"http://127.0.0.1:{silent.getsockname()[1]}",
            LAIOS_CODER_MODEL_NAME="ollama/silent:7b",
        ),
    ):
        status = invoke("status")
    assert status.returncode == 3 and "not ready" in status.stdout
    assert "did not answer /api/show" in status.stdout


def test_a_daemon_that_does_not_answer_is_not_said_to_be_absent(roles, monkeypatch, free_port):
    """To start another one would not help; a run without it says that."""
    roles(*RULES)
    monkeypatch.setattr("server.terminal.daemon_client.QUICK_S", 0.1)
    with socket.create_server(("127.0.0.1", free_port)):
        status = invoke("status")
        run = invoke("run", "add")
    assert status.returncode == 3 and "busy or stuck" in status.stderr
    assert "laios serve" not in status.stderr
    assert run.stdout == CODE and "busy or stuck" in run.stderr and "without it" in run.stderr


@pytest.mark.parametrize(("option", "known"), [("--mode", "Modes: "), ("--format", "Formats: ")])
def test_an_option_that_is_no_text_is_a_usage_error(roles, option, known):
    """A byte that is not UTF-8, with a daemon and without: what it may be is said."""
    roles(*RULES)
    alone = invoke("run", option, "\udcff", "add")
    with daemon_here(LAIOS_PORT="0") as address:
        port = address.rpartition(":")[2]
        asked = invoke("run", option, "\udcff", "add", LAIOS_PORT=port)
    for done in (alone, asked):
        assert done.returncode == 2 and known in done.stderr


def test_something_else_on_the_port_is_not_taken_for_the_daemon(roles, free_port):
    """No prompt is posted to a stranger: the run is done in this process."""
    roles(*RULES)
    with serving(SimpleHTTPRequestHandler, free_port):
        assert invoke("run", "add").stdout == CODE
        status = invoke("status")
        assert status.returncode == 3 and "is not laios" in status.stderr
        taken = invoke("serve")
        assert taken.returncode == 3
        assert f"127.0.0.1:{free_port} is in use" in taken.stderr


def test_progress_is_shown_on_a_terminal_alone(roles, monkeypatch):
    """Stages on stderr while it works; the answer on stdout, alone."""
    monkeypatch.setenv("LAIOS_JUDGE_WHEN", "always")
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


@pytest.fixture
def heeded():
    """SIGHUP, which whoever starts the tests with nohup ignores, and all that they start."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.usefixtures("heeded")
@pytest.mark.parametrize(
    "kill", [[signal.SIGTERM], [signal.SIGINT, signal.SIGINT], [signal.SIGHUP, signal.SIGINT]]
)
def test_a_signal_ends_the_daemon_within_ten_seconds_and_records_all(roles, kill):
    """The running caller gets `cancelled` and the run is on record; a second Ctrl-C means now.
    SIGHUP is what a terminal sends that is closed."""
    roles({"role": "coder", "reply": "x", "delay_ms": 60_000})
    with (
        daemon() as (process, lines),
        httpx.Client(timeout=60, verify=False) as http,
        ThreadPoolExecutor(1) as callers,
    ):
        address = lines[0].split()[-1]
        post = callers.submit(http.post, f"{address}/prompt", json={"prompt": "add"})
        wait_for(lambda: '"stage":"coder"' in http.get(f"{address}/runs").text)
        began = time.monotonic()
        for each in kill:
            process.send_signal(each)
            time.sleep(0.3)
        assert post.result(20).json()["error"]["code"] == "cancelled"
        process.wait(15)
        assert time.monotonic() - began < (20 if len(kill) == 1 else 7.5)
        assert process.returncode == 0
    assert json.loads(invoke("history", "--json").stdout)["error"]["code"] == "cancelled"


@pytest.mark.usefixtures("heeded")
@pytest.mark.parametrize("kill", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_a_run_without_a_daemon_and_records_it(roles, kill):
    """`timeout 60 laios run …` leaves a record, like Ctrl-C."""
    roles({"role": "coder", "reply": "x", "delay_ms": 60_000})
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [LAIOS, "run", "add"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=theirs
    )
    os.close(theirs)
    shown = b""
    while b"drafting" not in shown:
        assert select.select([ours], [], [], 30)[0]
        shown += os.read(ours, 4096)
    process.send_signal(kill)
    assert (process.communicate(timeout=20)[0], process.returncode) == (b"", 130)
    os.close(ours)
    assert json.loads(invoke("history", "--json").stdout)["error"]["code"] == "cancelled"


def test_ctx_takes_the_session_s_history_from_earlier_commands(roles):
    """`///ctx` reads what another command recorded, of the same session alone."""
    rules = [
        {
            "role": "coder",
            "prompt": "user: name it\n\nassistant: NAME",
            "reply": "SEEN",
        },
        {"role": "coder", "reply": "NAME"},
    ]
    roles(*rules)
    invoke("run", "///raw name it", "-s", "a")
    assert invoke("run", "///ctx ///raw again", "-s", "a").stdout == "SEEN\n"
    assert invoke("run", "///ctx ///raw again", "-s", "b").stdout == "NAME\n"


@of_commands
def test_help_and_completion():
    """Every command explains itself, and a shell can complete it."""
    for words in ([], ["serve"], ["run"], ["history"], ["history", "show"], ["status"]):
        done = invoke(*words, "--help")
        assert done.returncode == 0
        assert "Usage: laios" in done.stdout
    in_bash = ["bash", "-c", f"'{LAIOS}' --show-completion; exit"]  # it asks which shell began it
    done = subprocess.run(in_bash, capture_output=True, text=True, check=True)
    assert "complete -o default -F" in done.stdout


@of_commands
@pytest.mark.parametrize(
    ("pieces", "offered"),
    [
        (["models", "pull", "qwen2.5-coder", ":"], {"0.5b", "1.5b", "3b", "7b", "14b"}),
        (["models", "pull", "qwen2.5-coder", ":", "1"], {"1.5b", "14b"}),
        (["models", "pull", "qwen2.5-coder:1"], {"qwen2.5-coder:1.5b", "qwen2.5-coder:14b"}),
        (["run", "--mode", "=", "review-"], {"review-only"}),
        (["replay", "--model", "=", "local/star"], {"local/starter"}),
        (["run", "fix", "this", ":", "--mod"], {"--mode"}),
        (["models", "pull", "qwen2.5-coder", ":", "1.5b", "--js"], {"--json"}),
    ],
)
def test_bash_completes_a_word_that_it_takes_apart(pieces, offered):
    """At `:` and `=`, unless COMP_WORDBREAKS says otherwise; what is offered takes the place of the
    last piece alone."""
    script = f"""
      laios() {{ '{LAIOS}' "$@"; }}
      eval "$(laios --show-completion; :)"
      COMP_WORDS=(laios "$@") COMP_CWORD=$#
      _laios_completion '{LAIOS}'
      printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    in_bash = ["bash", "-c", script, "bash", *pieces]
    done = subprocess.run(in_bash, capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) == offered


@of_commands
def test_zsh_completes_at_the_first_tab(monkeypatch, tmp_path):
    """The file is loaded then, as a function that has to complete, too. Where it is evaluated it
    defines, no more."""
    monkeypatch.setattr("typer.completion._get_shell_name", lambda: "zsh")
    script = invoke("--show-completion").stdout
    zsh = shutil.which("zsh") or pytest.skip("there is no zsh")
    asked = tmp_path / "laios"
    asked.write_text("#!/bin/sh\necho echo COMPLETED\n")
    asked.chmod(0o700)
    told = f"compdef() {{ :; }}; PATH={tmp_path}:$PATH words=(laios x) CURRENT=2\n"
    loaded = f"{told}_laios() {{\n{script}\n}}\n_laios"
    for words, said in ((loaded, "COMPLETED\n"), (told + script, "")):
        done = subprocess.run([zsh, "-fc", words], capture_output=True, text=True)
        assert (done.stdout, done.stderr) == (said, ""), words


def typed(shell: str, line: str) -> str:
    asked = {"_LAIOS_COMPLETE": f"complete_{shell}", "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    return invoke(_TYPER_COMPLETE_ARGS=line, **asked).stdout


@of_commands
def test_zsh_and_fish_complete_the_value_behind_an_equals_sign():
    """fish offers whole words; zsh keeps the option and completes behind it, files as well."""
    assert typed("fish", "laios run --mode=rev").splitlines() == [
        "--mode=review-only",
        "--mode=review_only",
    ]
    assert typed("fish", "laios replay --model local/star").splitlines() == ["local/starter"]
    assert typed("zsh", "laios replay --model=local/star").strip() == (
        """compset -P '--*='; _arguments '*: :(("local/starter"))'"""
    )
    assert typed("zsh", "laios batch a --output=b").strip() == "compset -P '--*='; _files"
