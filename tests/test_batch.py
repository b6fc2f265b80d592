"""`laios batch` on this machine: what it reads, asks, writes, and does after a crash."""

import json
import os
import re
import signal
import subprocess
from collections import Counter
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cli import CODE, LAIOS, RULES
from fakes import Answer, FakeOllama
from processes import daemon_here, invoke, wait_for

from history.reader import Reader
from pipeline.errors import BadRequest
from server.batch.answer_journal import AnswerJournal, JournalError
from server.batch.batch_request import BatchRequest, read_row
from server.batch.batch_runner import by_session
from server.batch.requests_file import RequestsError, read_requests

pytestmark = pytest.mark.only_when(
    "server/batch/", "server/commands/batch.py", "server/terminal/", "laios/", "history/"
)


@pytest.fixture(autouse=True)
def plain_runs(monkeypatch):
    for name, value in (("MAX_DRAFTS", "1"), ("EVIDENCE_RUN", "off"), ("COMPARE_DRAFTS", "off")):
        monkeypatch.setenv(f"LAIOS_{name}", value)


def requests_in(path: Path, *lines: dict[str, Any] | str) -> Path:
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("".join(f"{text}\n" for text in texts))
    return path


def answers_in(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def by_id(path: Path) -> dict[str, dict[str, Any]]:
    answers = answers_in(path)
    found = {answer["id"]: answer for answer in answers}
    assert len(found) == len(answers)
    return found


def prompts(count: int, **more: Any) -> list[dict[str, Any]]:
    return [{"id": f"n{i}", "prompt": f"prompt {i};", "mode": "raw", **more} for i in range(count)]


def recorded(**more: Any) -> list[Any]:
    shown = invoke("history", "--json", "-n", "1000", **more).stdout.splitlines()
    return [json.loads(line) for line in shown]


# --- what is asked -------------------------------------------------------------------------------


def test_every_request_has_one_answer_under_its_id(roles, tmp_path):
    """Prompts with mode and session, /code requests, and lines without an id, in this process; what
    a request is wrong in is its answer, and the batch goes on."""
    roles(*RULES)
    asked = requests_in(
        tmp_path / "asked.jsonl",
        {"id": "plain", "prompt": "add"},
        {"id": 7, "prompt": "add", "mode": "raw", "session": "s"},
        {"prompt": "///raw add"},
        {"prompt": "///raw add"},
        {"id": "tag", "prompt": "///nonsense add"},
        {
            "id": "code",
            "request_type": "generate",
            "language": "python",
            "instruction": "add",
            "max_attempts": 1,
        },
    )
    done = invoke("batch", str(asked), "-o", str(tmp_path / "answers.jsonl"), "--json")
    assert done.returncode == 1, done.stderr
    assert json.loads(done.stdout) | {"seconds": 0} == {
        "requests": 6,
        "answered_before": 0,
        "failed_before": 0,
        "answered": 5,
        "failed": 1,
        "left": 0,
        "seconds": 0,
    }
    answers = by_id(tmp_path / "answers.jsonl")
    assert answers["plain"]["output"] == answers["7"]["output"] == CODE
    assert answers["plain"]["details"]["mode"] == "code_reviewed"
    assert answers["7"]["details"]["mode"] == "code_raw"
    assert answers["tag"]["error"]["code"] == "unknown_tag" and "output" not in answers["tag"]
    assert {"success", "code", "confidence"} <= answers["code"]["answer"].keys()
    first, second = sorted(answers.keys() - {"plain", "7", "tag", "code"})
    assert second == f"{first}-2" and answers[first]["output"]
    assert [r["session"] for r in recorded() if r["session"]] == ["s"]


def test_where_no_run_can_be_recorded_nothing_is_asked(roles, tmp_path):
    """As `laios run` says it: better no answer than a forgotten one."""
    roles({"role": "coder", "reply": CODE})
    asked = requests_in(tmp_path / "asked.jsonl", {"prompt": "///raw add"})
    (tmp_path / "file").write_text("")
    place = str(tmp_path / "file" / "history")
    done = invoke("batch", str(asked), "-o", str(tmp_path / "a.jsonl"), LAIOS_HISTORY_DIR=place)
    assert done.returncode == 2 and "The history cannot be written" in done.stderr
    assert answers_in(tmp_path / "a.jsonl") == []


def test_a_cluster_s_option_without_a_cluster_is_refused(roles, tmp_path):
    """With the option that is missing, and before anything is asked; it would count for nothing."""
    roles({"role": "coder", "reply": CODE})
    asked = requests_in(tmp_path / "asked.jsonl", {"prompt": "///raw add"})
    words = ("batch", str(asked), "-o", str(tmp_path / "a.jsonl"), "--actors", "2")
    done = invoke(*words)
    assert done.returncode == 2 and "--ray ADDRESS" in done.stderr
    assert "--ray" in json.loads(invoke(*words, "--json").stdout)["error"]["message"]
    assert not (tmp_path / "a.jsonl").exists() and recorded() == []


def test_answers_are_not_written_to_stdout(roles, tmp_path, monkeypatch):
    """The file is what a later run goes on from; none that is named `-` is made."""
    roles({"role": "coder", "reply": CODE})
    monkeypatch.chdir(tmp_path)
    asked = requests_in(tmp_path / "asked.jsonl", {"prompt": "///raw add"})
    done = invoke("batch", str(asked), "-o", "-")
    assert done.returncode == 2 and "name a file with -o" in done.stderr
    assert not (tmp_path / "-").exists() and recorded() == []


def test_it_asks_the_daemon_that_runs_and_ends_when_that_goes(roles, tmp_path, monkeypatch):
    """The runs are the daemon's; one that is not there any more, or wants another token, is no
    request's fault: nothing is written for those that were not asked."""
    roles(*RULES)
    asked = requests_in(tmp_path / "asked.jsonl", *prompts(3))
    with daemon_here(LAIOS_PORT="0") as address:
        monkeypatch.setenv("LAIOS_PORT", address.rpartition(":")[2])
        done = invoke("batch", str(asked), "-o", str(tmp_path / "answers.jsonl"))
        assert done.returncode == 0 and "3 answered, 0 failed" in done.stderr
        assert len(by_id(tmp_path / "answers.jsonl")) == 3
        assert (tmp_path / "answers.jsonl").stat().st_mode & 0o777 == 0o600
        assert {record["source"] for record in recorded()} == {"native"}
    with daemon_here(LAIOS_PORT="0", LAIOS_API_TOKEN="its own token") as address:
        monkeypatch.setenv("LAIOS_PORT", address.rpartition(":")[2])
        done = invoke("batch", str(asked), "-o", str(tmp_path / "other.jsonl"))
    assert done.returncode == 3 and "3 not answered" in done.stderr
    assert "set LAIOS_API_TOKEN" in done.stderr
    assert answers_in(tmp_path / "other.jsonl") == []


def test_a_model_that_fails_is_asked_again(tmp_path, monkeypatch, free_port):
    """As often as --retries says; then the failure is the answer, which each start counts.
    `--where` asks those again, and leaves one line for each."""
    monkeypatch.setenv("LAIOS_PORT", str(free_port))
    broken = Answer(text="", prompt="prompt 1;", times=2)
    with FakeOllama(broken) as fake:
        monkeypatch.setenv("OLLAMA_HOST", fake.url)
        asked = requests_in(tmp_path / "asked.jsonl", *prompts(2))
        answers = tmp_path / "answers.jsonl"
        words = ("batch", str(asked), "-o", str(answers))
        assert invoke(*words, "--retries", "0").returncode == 1
        assert by_id(answers)["n1"]["error"]["code"] == "model_failed"
        for more in ((), ("--where", "model_timeout")):
            done = invoke(*words, *more)
            assert done.returncode == 1 and "1 answered before, 1 failed before" in done.stderr
            assert "Failed: 1 model_failed" in done.stderr and "add: --where error" in done.stderr
        assert len(fake.requests) == 2
        done = invoke(*words, "--where", "model_failed", "--retries", "1")
        assert done.returncode == 0, done.stderr
    assert len(fake.requests) == 4
    assert all("output" in answer for answer in by_id(answers).values())


def test_limit_and_fail_fast_leave_the_rest_for_later(roles, tmp_path):
    """Neither loses a request: the same command goes on."""
    roles(*RULES)
    asked = requests_in(
        tmp_path / "asked.jsonl", *prompts(2), {"id": "bad", "prompt": "///no"}, *prompts(6)[2:]
    )
    answers = tmp_path / "answers.jsonl"
    words = ("batch", str(asked), "-o", str(answers), "--concurrency", "1")
    done = invoke(*words, "--limit", "2", "--json")
    assert done.returncode == 0 and "5 not answered" in done.stderr
    assert json.loads(done.stdout)["left"] == 5
    assert [*by_id(answers)] == ["n0", "n1"]
    done = invoke(*words, "--fail-fast")
    assert done.returncode == 1 and "Stopped at the first failure. bad" in done.stderr
    assert "4 not answered" in done.stderr and "continues" in done.stderr
    done = invoke(*words)
    assert done.returncode == 1
    assert "4 answered, 0 failed, 2 answered before, 1 failed before" in done.stderr
    assert len(by_id(answers)) == 7


@pytest.mark.parametrize("where", [(), ("--where", "error")])
def test_a_request_that_failed_can_be_corrected(roles, tmp_path, where):
    """Its error is not the answer to what it says now; `--where` asks no others, and counts them as
    left."""
    roles(*RULES)
    asked, answers = tmp_path / "asked.jsonl", tmp_path / "answers.jsonl"
    words = ("batch", str(asked), "-o", str(answers), "-c", "1", "--json")
    requests_in(asked, {"id": "bad", "prompt": "///no"}, *prompts(2))
    assert invoke(*words, "--fail-fast").returncode == 1
    requests_in(asked, {"id": "bad", "prompt": "///raw"}, *prompts(2))
    assert invoke(*words, "--where", "model_timeout").returncode == 1
    requests_in(asked, {"id": "bad", "prompt": "///raw add"}, *prompts(2))
    done = invoke(*words, *where)
    assert done.returncode == 0, done.stderr
    left = 2 if where else 0
    assert json.loads(done.stdout)["left"] == left
    assert by_id(answers)["bad"]["output"] and len(by_id(answers)) == 3 - left


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ({"prompt": "x", "mode": "nonsense"}, "no mode 'nonsense'"),
        ({"prompt": "x", "mode": "best=99"}, "a number from 2 to 32, not 99"),
        ({"prompt": "  "}, "The prompt is empty"),
    ],
)
def test_a_literal_line_that_cannot_be_asked_is_refused_before_any_is(row, why):
    """No tag can change what it asks for."""
    with pytest.raises(BadRequest, match=why):
        read_row({**row, "literal": True})


def test_requests_of_one_session_follow_each_other():
    """`///ctx` reads what came before; nothing else has to wait."""
    asked = [
        read_row({"prompt": "x", "id": name, **({"session": name[0]} if name != "-" else {})})
        for name in ("a1", "b1", "-", "a2", "b2")
    ]
    chains = [[request.id for request in chain] for chain in by_session(asked)]
    assert chains == [["a1", "a2"], ["b1", "b2"], ["-"]]


# --- what is read --------------------------------------------------------------------------------


def test_every_line_that_is_wrong_is_named_before_anything_is_asked(roles, tmp_path):
    """Each with its place, its fault and what helps."""
    roles(*RULES)
    lines = (
        '{"id": 1}',
        '{"id": "twice", "prompt": "x"}',
        "",
        "no json",
        '{"prompt": "x", "mood": "raw"}',
        '{"id": "twice", "prompt": "y"}',
        '{"prompt": 5}',
        '{"id": [], "prompt": "x"}',
        '{"instruction": "x", "language": "python"}',
        '{"prompt": "x", "instruction": "y"}',
    )
    done = invoke("batch", "-", "-o", str(tmp_path / "a.jsonl"), stdin="\n".join(lines))
    assert done.returncode == 2 and not (tmp_path / "a.jsonl").exists()
    found = dict(re.findall(r"^(?:Error: )?stdin line (\d+): (.*)", done.stderr, re.MULTILINE))
    assert found.keys() == {"1", "4", "5", "6", "7", "8", "9", "10"}
    assert '"prompt" is missing' in found["1"] and "not valid JSON" in found["4"]
    assert "'mood'" in found["5"] and "already used at stdin line 2" in found["6"]
    assert "Nothing was asked." in done.stderr


def test_a_table_is_read_by_the_names_of_its_columns(tmp_path):
    """CSV with quoted line ends, empty cells and JSON in the columns that are no text; Parquet with
    types of its own; both like JSON lines."""
    rows = [
        {"id": "a", "prompt": "first\nsecond, third", "mode": "raw", "no_log": True},
        {"id": "b", "prompt": "2026-11-20", "min_confidence": 0.5},
        {
            "id": "c",
            "instruction": "add",
            "request_type": "generate",
            "languages": ["python", "go"],
        },
    ]
    as_lines = requests_in(tmp_path / "asked.jsonl", *rows)
    table = tmp_path / "asked.csv"
    table.write_text(
        "\ufeffid,prompt,mode,no_log,min_confidence,instruction,request_type,languages\r\n"
        'a,"first\nsecond, third",raw,TRUE,,,,\r\n'
        "b,2026-11-20,,,0.5,,,\r\n"
        'c,,,,,add,generate,"[""python"", ""go""]"\r\n'
    )
    expected = read_requests(str(as_lines))
    assert read_requests(str(table)) == expected
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    columns = {name: [row.get(name) for row in rows] for row in rows for name in row}
    parquet.write_table(pyarrow.table(columns), tmp_path / "asked.parquet")
    assert read_requests(str(tmp_path / "asked.parquet")) == expected


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.csv", "id,text\n1,x\n", "no column `prompt`"),
        ("a.csv", "prompt,label\nx,y\n", "column 'label'"),
        ("a.csv", "prompt,mode,prompt\nx,raw,y\n", "several columns 'prompt'"),
        ("a.csv", 'prompt,sandbox\nx,"{""wall_s"": Infinity}"\n', '"wall_s" must be a number'),
        ("a.csv", "prompt,mode\nx\n", "line 2: The row does not have as many cells"),
        ("a.csv", "prompt,no_log\nx,maybe\n", 'line 2: The column "no_log"'),
        ("a.jsonl", "[" * 100_000, "line 1: The line is not valid JSON"),
        ("a.jsonl", '"\ud800"', "line 1: The line is not UTF-8 text"),
        ("a.parquet", "prompt", "not a readable Parquet file"),
    ],
)
def test_what_cannot_be_read_is_told(tmp_path, name, text, said):
    """Of whatever is in the file, a sentence."""
    path = tmp_path / name
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    if name.endswith("parquet"):
        pytest.importorskip("pyarrow")
    with pytest.raises(RequestsError, match=said.replace("(", r"\(")):
        read_requests(str(path))


# --- the answers file ----------------------------------------------------------------------------


def given(request: BatchRequest, **more: Any) -> dict[str, Any]:
    return {"id": request.id, "request": request.digest, "output": "x", **more}


def test_a_torn_last_line_is_taken_away_and_a_whole_one_kept(tmp_path):
    """It was never acknowledged. Whatever the length that a crash has left of it."""
    first, second = read_row({"prompt": "one"}), read_row({"prompt": "two"})
    second = replace(second, id='quoted "\u2028')
    path = tmp_path / "answers.jsonl"
    journal = AnswerJournal(path)
    journal.append([given(first), given(second, output="ä\u2028")])
    journal.close()
    whole = path.read_bytes()
    begin = whole.index(b"\n") + 1
    for length in range(begin, len(whole)):
        path.write_bytes(whole[:length])
        journal = AnswerJournal(path)
        assert [*journal.answered] == [first.id], length
        journal.append([given(second)])
        journal.close()
        assert [answer["id"] for answer in answers_in(path)] == [first.id, second.id]


def test_of_a_request_that_was_asked_again_the_last_answer_stays(tmp_path):
    """To the letter, also where a model has written half a surrogate pair."""
    first, second = read_row({"prompt": "one"}), read_row({"prompt": "two"})
    journal = AnswerJournal(tmp_path / "answers.jsonl")
    journal.append([given(first, output="old"), given(second, output="\ud800")])
    journal.append([given(first, output="new \ud800")])
    journal.tidy()
    journal.close()
    outputs = [answer["output"] for answer in answers_in(journal.path)]
    assert outputs == ["\ud800", "new \ud800"]


def test_answers_behind_a_link_stay_where_it_leads(tmp_path):
    """On another disk, say: what replaces the file replaces no link to it."""
    request, link = read_row({"prompt": "one"}), tmp_path / "answers.jsonl"
    (tmp_path / "large").mkdir()
    link.symlink_to(tmp_path / "large" / "disk.jsonl")
    journal = AnswerJournal(link)
    for output in ("old", "new"):
        journal.append([given(request, output=output)])
    journal.tidy()
    journal.close()
    assert link.is_symlink()
    assert [answer["output"] for answer in answers_in(tmp_path / "large" / "disk.jsonl")] == ["new"]
    assert [each.name for each in (tmp_path / "large").iterdir()] == ["disk.jsonl"]


@pytest.mark.parametrize(
    "text",
    [
        '{"id":123,"name":"a whole document"}',
        '{"id":"a","prompt":"add"}',
        '{"id":"a","prompt":"ad',
        '{"id":"a","request":"by a person"',
        '{"id":"a"}',
    ],
)
def test_a_line_of_something_else_is_not_taken_for_a_torn_answer(tmp_path, text):
    """However it begins, and though nothing ends it: the only line of a file is kept."""
    path = tmp_path / "document.json"
    path.write_text(text)
    with pytest.raises(JournalError, match="line 1 is not an answer"):
        AnswerJournal(path)
    assert path.read_text() == text


def test_answers_never_go_into_a_file_of_something_else(roles, tmp_path):
    """The requests, a text, a device, answers to other requests, a file in use: refused, and left
    as they are."""
    roles(*RULES)
    asked = requests_in(tmp_path / "asked.jsonl", *prompts(2))
    answers, notes = tmp_path / "answers.jsonl", tmp_path / "notes.txt"
    notes.write_text("not a line of JSON")
    for target in (asked, notes, Path("/dev/null"), tmp_path):
        done = invoke("batch", str(asked), "-o", str(target))
        assert done.returncode == 2, (target, done.stderr)
    assert notes.read_text() == "not a line of JSON" and len(answers_in(asked)) == 2
    assert invoke("batch", str(asked), "-o", str(answers)).returncode == 0
    before = answers.read_bytes()
    requests_in(asked, *prompts(2, session="other"))
    done = invoke("batch", str(asked), "-o", str(answers))
    assert done.returncode == 2 and "another request" in done.stderr
    assert answers.read_bytes() == before
    journal = AnswerJournal(answers)
    with pytest.raises(JournalError, match="Another laios batch"):
        AnswerJournal(answers)
    journal.close()


# --- crashes -------------------------------------------------------------------------------------


def started(asked: Path, answers: Path, url: str, *more: str) -> subprocess.Popen[str]:
    command = [LAIOS, "batch", str(asked), "-o", str(answers), "--concurrency", "4", *more]
    return subprocess.Popen(
        command, env={**os.environ, "OLLAMA_HOST": url}, stderr=subprocess.PIPE, text=True
    )


def lines_of(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def asked_of(fake: FakeOllama) -> Counter[str]:
    """How often each prompt was asked."""
    texts = [str(body["messages"][-1]["content"]) for body in fake.requests]
    return Counter(text.partition(";")[0].rpartition("prompt ")[2] for text in texts)


@pytest.mark.timeout(120)
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
def test_killed_and_started_again_it_asks_nothing_twice_and_loses_nothing(
    tmp_path, monkeypatch, free_port, end
):
    """What was answered is not asked again; what was under way is. Ctrl-C says how to go on, and
    has put on record what it cancelled."""
    monkeypatch.setenv("LAIOS_PORT", str(free_port))
    asked = requests_in(tmp_path / "asked.jsonl", *prompts(40))
    answers = tmp_path / "answers.jsonl"
    held = Answer(delay_s=60)
    with FakeOllama(Answer(times=10), held) as fake:
        with started(asked, answers, fake.url) as process:
            wait_for(lambda: lines_of(answers) >= 8)
            process.send_signal(end)
            said = process.communicate(timeout=60)[1]
        held.delay_s = 0
        answered = lines_of(answers)
        known = {each["id"] for each in answers_in(answers)[:answered]}
        if end == signal.SIGINT:
            assert process.returncode == 130 and "The same command continues." in said
            assert "Traceback" not in said
            outcomes = [record["error"] for record in Reader(history_directory())]
            assert {error["code"] for error in outcomes if error} <= {"cancelled"}
        done = invoke("batch", str(asked), "-o", str(answers), OLLAMA_HOST=fake.url)
        assert done.returncode == 0, done.stderr
        assert by_id(answers).keys() == {f"n{i}" for i in range(40)}
        times = asked_of(fake)
    assert all(times[name.removeprefix("n")] == 1 for name in known)
    assert sum(times.values()) <= 40 + 4


@pytest.mark.timeout(120)
@pytest.mark.parametrize(("count", "status"), [(6, 3), (4, 1)])
def test_what_a_daemon_that_stops_was_asked_is_asked_again(tmp_path, monkeypatch, count, status):
    """It is cancelled there, which is no answer, whether or not requests are left to be sent. What
    follows in the session of one waits for it."""
    monkeypatch.setattr("server.daemon.DRAIN_S", 0)
    lines = [*prompts(count), {"id": "after", "prompt": "prompt 9;", "mode": "raw"}]
    for line in (lines[0], lines[-1]):
        line["session"] = "one"
    asked, answers = requests_in(tmp_path / "asked.jsonl", *lines), tmp_path / "answers.jsonl"
    held = Answer(delay_s=60)
    with FakeOllama(held) as fake, ExitStack() as running:
        monkeypatch.setenv("OLLAMA_HOST", fake.url)
        address = running.enter_context(daemon_here(LAIOS_PORT="0", LAIOS_MAX_CONCURRENT_RUNS="4"))
        monkeypatch.setenv("LAIOS_PORT", address.rpartition(":")[2])
        with started(asked, answers, fake.url, "--retries", "0") as process:
            wait_for(lambda: len(fake.requests) == 4)
            running.close()
            said = process.communicate(timeout=60)[1]
        assert (process.returncode, answers.read_bytes()) == (status, b""), said
        assert f"{count + 1} not answered" in said and "The same command continues." in said
        held.delay_s = 0
        assert invoke("batch", str(asked), "-o", str(answers)).returncode == 0
    assert by_id(answers).keys() == {line["id"] for line in lines}


def history_directory() -> Path:
    return Path(os.environ["XDG_STATE_HOME"]) / "laios" / "history"


def test_what_a_cluster_has_written_is_found_again(tmp_path):
    """By whoever is given the same requests, and by the next job, whose answer counts; a file that
    was cut off in the middle of a line costs that line."""
    pytest.importorskip("pyarrow")
    from server.batch.answer_parts import AnswerParts

    first, second = read_row({"prompt": "one"}), read_row({"prompt": "two"})
    parts = AnswerParts(str(tmp_path / "answers"))
    assert parts.known() == {}
    part = parts.part("01A", ["one", "two"])
    part.append([given(first)])
    part.append([{**given(second), "error": {"code": "model_failed", "message": ""}}])
    again = AnswerParts(str(tmp_path / "answers")).part("01A", ["one", "two"])
    assert again.answers().keys() == {first.id, second.id}
    assert parts.part("01B", ["one", "two"]).answers() == {}
    assert parts.known()[second.id] == (second.digest, "model_failed")
    parts.part("01B", ["two"]).append([given(second)])
    assert parts.known()[second.id] == (second.digest, None)
    for path in (tmp_path / "answers").glob("01B*/*"):
        path.write_bytes(path.read_bytes()[:-1])
    assert parts.known()[second.id] == (second.digest, "model_failed")
