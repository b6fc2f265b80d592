"""`laios history` on the command line."""

import asyncio
import json
import select
import signal
import subprocess
import time

import pytest
from cli import CODE, LAIOS, RULES, laios
from history_fakes import make_record, write_file
from processes import invoke, on_a_terminal

from config import cache_dir
from history.reader import Reader
from history.store import Store
from pipeline.request import new_id
from server.terminal.console import safe_text

pytestmark = pytest.mark.only_when(
    "server/commands/history.py",
    "server/commands/filter_option.py",
    "server/commands/moment_option.py",
    "server/terminal/",
    "laios/",
    "history/",
)


def test_history_lists_filters_and_searches(roles):
    """Newest last; words, session, mode and time narrow it."""
    roles(*RULES)
    invoke("run", "///raw alpha beta", "-s", "one")
    invoke("run", "gamma", "-s", "two", LAIOS_JUDGE_WHEN="always")
    shown = laios("history").stdout.splitlines()
    assert [line.split()[-1] for line in shown] == ["beta", "gamma"]
    assert "judged 9/1" in shown[1] and "not judged" in shown[0]

    def prompts(*options):
        lines = invoke("history", "--json", *options).stdout.splitlines()
        return [json.loads(line)["normalized_prompt"] for line in lines]

    assert prompts() == ["alpha beta", "gamma"]
    assert prompts("-n", "1") == ["gamma"]
    assert prompts("-q", "alpha") == ["alpha beta"]
    assert prompts("-q", '"beta alpha"') == []
    assert prompts("-q", 'a"b ( OR *') == []
    newest = json.loads(invoke("history", "--json", "-n", "1").stdout)["id"]
    invoke("history", "rate", newest, "up")
    assert prompts("-q", "rating:up") == ["gamma"] == prompts("-q", "rating:up -mode:raw gam")
    assert prompts("-q", "rating:down") == [] == prompts("-q", "rating:up", "-s", "one")
    wrong = invoke("history", "-q", "ratng:up")
    assert wrong.returncode == 2 and "Did you mean rating?" in wrong.stderr
    endless = invoke("history", "-n", "9" * 30)
    assert endless.returncode == 2 and "less than or equal to" in endless.stderr
    assert prompts("-s", "two") == ["gamma"]
    assert prompts("--mode", "raw") == ["alpha beta"]
    assert prompts("--since", "1h") == ["alpha beta", "gamma"]
    assert prompts("--since", "2099-01-01") == []


def test_an_index_that_cannot_be_kept_is_one_line():
    """A full disk, a cache that is none."""
    cache_dir().parent.mkdir(parents=True)
    cache_dir().write_text("")
    shown = laios("history", "-q", "alpha")
    assert shown.returncode == 1
    assert "index of the history cannot be used" in shown.stderr


def test_what_frontends_ask_for_by_themselves_is_left_out(roles, monkeypatch, tmp_path):
    """Titles and tags are no runs of a person's; `--all` lists them too. Without an id, none of
    them is shown or rated."""
    monkeypatch.setenv("LAIOS_HISTORY_DIR", str(tmp_path / "history"))
    roles(*RULES)
    invoke("run", "a real one")
    store = Store(tmp_path / "history")
    record = Reader(tmp_path / "history").page(limit=1)[0]

    async def add() -> None:
        await store.append({**record, "id": new_id(), "kind": "auxiliary", "mode": "auxiliary"})
        await store.close()

    asyncio.run(add())
    for options in ((), ("-q", "real"), ("--since", "1h")):
        assert len(invoke("history", *options).stdout.splitlines()) == 1
        assert len(invoke("history", "--all", *options).stdout.splitlines()) == 2
    assert record["id"] in invoke("history", "show").stdout
    assert invoke("history", "rate", "up").stderr == f"{record['id']}: up\n"


def test_history_shows_one_run_whole_and_harmless(roles):
    """Prompt, draft, verdict, steps and output; terminal controls in them are not obeyed."""
    evil = "x = '\x1b[31m\x07'\n"
    rules = [
        {"role": "coder", "reply": "def f(:"},
        {"role": "reviewer", "reply": evil},
        {"role": "judge", "verdict": [9, 2, "Fine now."]},
    ]
    roles(*rules)
    run_id = json.loads(invoke("run", "--json", "do \x1b]0;it").stdout)["id"]
    shown = invoke("history", "show", run_id).stdout
    assert "evidence: syntax error at line 1" in shown
    assert "confidence 9, conflict 2: Fine now." in shown
    assert "\x1b" not in shown and "\x07" not in shown
    assert "\x1b" not in invoke("history").stdout
    assert json.loads(invoke("history", "show", run_id, "--json").stdout)["final_output"] == evil


@pytest.mark.parametrize(
    "words", ["history --json show", "history -n 3 rate x up", "models --json list"]
)
def test_an_option_before_a_subcommand_is_not_dropped(words):
    """`--json` there was answered in words; now it is said where it belongs."""
    done = invoke(*words.split())
    assert (done.returncode, done.stdout) == (2, "")
    assert "go after it; see laios" in done.stderr


def test_the_beginning_of_an_id_is_enough_where_no_other_begins_so(roles):
    """As far as a person types it; which run is meant is never guessed."""
    roles({"role": "coder", "reply": "x"})
    first, second = (
        json.loads(invoke("run", "--json", "///raw add").stdout)["id"] for _ in range(2)
    )
    same = next(n for n, (one, other) in enumerate(zip(first, second, strict=True)) if one != other)
    common, begins = second[:same], second[: same + 1]
    shown = invoke("history", "show", begins, "--json")
    assert json.loads(shown.stdout)["id"] == second
    assert invoke("history", "rate", begins, "up").stderr == f"{second}: up\n"
    for words in (["show", common], ["rate", common, "up"]):
        several = invoke("history", *words)
        assert several.returncode == 2 and "More than one run's id starts" in several.stderr
    assert "There is no run 'none'" in invoke("history", "show", "none").stderr


def test_without_an_id_the_newest_run_is_rated(roles):
    """As it is shown: one has just seen it."""
    roles({"role": "coder", "reply": "x"})
    first, second = (
        json.loads(invoke("run", "--json", "///raw add").stdout)["id"] for _ in range(2)
    )
    assert invoke("history", "rate", "up", "fast,", "too").stderr == f"{second}: up\n"
    assert "fast, too" in invoke("history", "show").stdout
    assert invoke("history", "rate", first, "down").stderr == f"{first}: down\n"
    for words in (["good"], [first, "good"]):
        assert "'good' is not a rating" in invoke("history", "rate", *words).stderr
    assert invoke("history", "rate").stderr == "Error: Write up, down or none.\n"


def test_an_empty_id_is_no_run_s(roles):
    """As of a variable that is not set: neither the newest run is shown, nor the only one rated."""
    roles({"role": "coder", "reply": "x"})
    invoke("run", "///raw add")
    for words in (("show", ""), ("show", " ", "--json"), ("rate", "", "up")):
        done = invoke("history", *words)
        assert done.returncode == 2 and "The run's id is empty" in done.stdout + done.stderr
    assert invoke("history", "-q", "rating:up").stdout == ""


def test_a_run_that_is_not_there_is_json_where_that_was_asked_for(roles):
    """As the other commands say that they found nothing: a program reads stdout alone."""
    roles({"role": "coder", "reply": "x"})
    for words in ((), ("nobody's",)):
        done = invoke("history", "show", *words, "--json")
        assert (done.returncode, done.stderr) == (1, "")
        assert json.loads(done.stdout)["error"]["code"] == "not_found"


def test_an_id_that_is_no_text_is_one_that_nobody_has(roles):
    """A byte that is not UTF-8 arrives as half of a surrogate pair, which the index cannot take."""
    roles({"role": "coder", "reply": "x"})
    invoke("run", "///raw add")
    for words in (("show", "\udcff"), ("rate", "\udcff", "up")):
        done = invoke("history", *words)
        assert done.returncode == 1 and "There is no run" in done.stderr


def test_a_filter_by_a_mode_that_is_none_lists_the_modes(roles):
    """As --mode does: nothing found would read as if nobody had asked so."""
    roles({"role": "coder", "reply": "x"})
    invoke("run", "///raw add")
    wrong = invoke("history", "-q", "mode:foo")
    assert wrong.returncode == 2 and "There is no mode 'foo'. Modes: code_reviewed" in wrong.stderr
    for right in ("mode:files", "mode:ask", "mode:tested"):
        assert invoke("history", "-q", right).stderr == "No runs match.\n"


def test_the_modes_of_code_and_judge_are_filters_too(monkeypatch, tmp_path):
    """Records have them, though no run can be asked for in them; a wrong name lists them."""
    monkeypatch.setenv("LAIOS_HISTORY_DIR", str(tmp_path))
    assert invoke("history", "-q", "mode:code_judged").stderr == "No runs match.\n"
    modes = ("code_structured", "code_judged")
    write_file(tmp_path, 1, *(make_record(f"of-{mode}", mode=mode) for mode in modes))
    for mode in modes:
        (line,) = invoke("history", "-m", mode).stdout.splitlines()
        assert line.startswith(f"of-{mode}")
    wrong = invoke("history", "-m", "judge")
    assert wrong.returncode == 2 and "ask, code_structured, code_judged." in wrong.stderr


def test_history_tells_a_draft_that_was_kept_from_one_that_was_not_reviewed(roles):
    """The review was rated lower: that is not `unreviewed`."""
    roles(
        {"role": "judge", "verdict": [6, 3, ""], "times": 1},
        {"role": "judge", "verdict": [4, 5, ""]},
        {"reply": CODE},
    )
    invoke("run", "add", LAIOS_JUDGE_WHEN="always")
    assert "  draft kept  " in invoke("history").stdout
    roles({"role": "reviewer", "fault": "failed"}, {"role": "judge", "reply": "?"}, *RULES)
    invoke("run", "add", LAIOS_JUDGE_WHEN="always")
    assert "  draft, unreviewed  " in invoke("history").stdout


def test_blanks_of_every_width_are_shown_as_they_are():
    """What a terminal would obey goes, letters of any language stay."""
    text = "x = 'a\xa0b\u3000c\N{HANGUL SYLLABLE GAG}'\n\ty"
    assert safe_text(text) == text
    assert safe_text("\x1b[1m\x9b\r\u202e") == "\ufffd[1m\ufffd\ufffd\ufffd"


def test_a_history_that_cannot_be_read_is_not_an_empty_one(roles, tmp_path):
    """The error says why and what to set; a directory that is not there yet has no runs."""
    roles(*RULES)
    (file := tmp_path / "file").write_text("")
    for place in (file, file / "below"):
        done = invoke("history", LAIOS_HISTORY_DIR=str(place))
        assert done.returncode == 1 and "HISTORY_DIR" in done.stderr
        words = ("history", "prune", "--before", "2099-01-01")
        assert invoke(*words, LAIOS_HISTORY_DIR=str(place)).stderr == done.stderr
    done = invoke("history", LAIOS_HISTORY_DIR=str(tmp_path / "new" / "history"))
    assert done.returncode == 0 and "No runs yet" in done.stderr


def test_history_follows_new_runs(roles):
    """`-f` goes on with what is recorded after the list."""
    roles(*RULES)
    invoke("run", "first")
    follower = subprocess.Popen(
        [LAIOS, "history", "-f", "--json"], stdout=subprocess.PIPE, text=True
    )
    try:
        assert json.loads(follower.stdout.readline())["normalized_prompt"] == "first"
        seen = None
        for number in range(20):  # the watch begins a moment after the list is printed
            invoke("run", f"later {number}")
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
        done = invoke("run", prompt)
        assert done.returncode == 0, done.stderr
    asking = ("history", "prune", "--before", "2099-01-01")
    shown, status = on_a_terminal(*asking, answers=b"n\n")
    assert status == 1 and "To delete: 2 files in" in " ".join(shown.split())
    nobody = invoke(*asking, stdin="y\n")
    assert nobody.returncode == 2 and "Cannot ask without a terminal: add --yes" in nobody.stderr
    assert len(invoke("history").stdout.splitlines()) == 3
    done = invoke(*asking, "--yes")
    assert done.stdout.splitlines() == ["history-000001.jsonl", "history-000002.jsonl"]
    assert invoke("history").stdout.split()[-1] == "three"


def test_prune_does_not_ask_where_nothing_can_go(roles):
    """A history of one file keeps it, and this is said in place of a question; without a history
    it is the same."""
    roles(*RULES)
    for _ in range(2):
        done = invoke("history", "prune", "--before", "2099-01-01")
        assert (done.returncode, done.stdout) == (0, "")
        assert done.stderr.startswith("To delete: 0 files in")
        assert done.stderr.endswith(" The newest file stays: new runs are written to it.\n")
        invoke("run", "one")


@pytest.fixture
def local_clock(monkeypatch):
    """Sets this process's time zone, in POSIX's way: UTC-12 is twelve hours ahead."""

    def be_in(zone):
        monkeypatch.setenv("TZ", zone)
        time.tzset()

    yield be_in
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize(("zone", "pruned"), [("UTC-12", 1), ("UTC", 2), ("UTC+12", 3)])
def test_a_day_to_prune_begins_where_the_person_is(
    zone, pruned, monkeypatch, tmp_path, local_clock
):
    """A date is midnight of this machine's time, as with `--since`, and so it is asked for."""
    monkeypatch.setenv("LAIOS_HISTORY_DIR", str(tmp_path / "history"))
    for number, ts in enumerate(("19T11", "19T23", "20T11", "20T13"), 1):
        record = make_record(f"R{number}", ts=f"2026-11-{ts}:00:00Z")
        write_file(tmp_path / "history", number, record)
    local_clock(zone)
    asked = invoke("history", "prune", "--before", "2026-11-20").stderr
    done = invoke("history", "prune", "--before", "2026-11-20", "--yes")
    files = "1 file" if pruned == 1 else f"{pruned} files"
    assert f"To delete: {files} in" in asked and "runs before 2026-11-20 00:00" in asked
    assert done.stderr.endswith(f"\n{files} deleted.\n")


def test_prune_leaves_what_cannot_be_read(monkeypatch, tmp_path):
    """What only has a history file's name stays, and the others are pruned."""
    monkeypatch.setenv("LAIOS_HISTORY_DIR", str(tmp_path))
    (tmp_path / "history-000001.jsonl").mkdir()
    for number in (2, 3):
        write_file(tmp_path, number, make_record(f"R{number}"))
    done = invoke("history", "prune", "--before", "2099-01-01", "--yes")
    assert done.stdout == "history-000002.jsonl\n"
