"""`laios export`: training data out of one's own history."""

import json
import os
import stat

import pytest
from history_fakes import make_record, write_file
from processes import invoke

from history.ratings import Rating, Ratings
from pipeline.models.local_library import LocalLibrary
from pipeline.tested.tests_json import write_untested
from server.training_data.cleaning import OVERLAP, PIECE, pieces, secret_in
from server.training_data.data_card import card_lines
from server.training_data.example_files import write_lines
from server.training_data.examples import answered, preferred
from server.training_data.licences import licences_of

pytestmark = pytest.mark.only_when(
    "server/training_data/",
    "server/commands/export.py",
    "server/commands/filter_option.py",
    "history/",
    "laios/durable_file.py",
)

CRASH = {"stage": "coder", "kind": "crash", "detail": "it crashed"}
HOLE = {"stage": "reviewer", "kind": "security", "detail": "shell=True (bandit B602)"}
HELD = {"final_reason": "not judged: the request's examples pass"}
KEY = "AKIA" + "QWERTYUIOPASDFGH"


def run(id, prompt, answer, **values):
    steps = [{"stage": "coder", "model": "ollama/qwen2.5-coder:7b"}]
    texts = {"normalized_prompt": prompt, "coder_output": answer, "final_output": answer}
    return make_record(id, **(texts | {"steps": steps, "language": "python"} | values))


def reviewed(id, prompt, draft, review, **values):
    given = {"coder_output": draft, "reviewer_output": review, "final_source": "reviewer"}
    return run(id, prompt, review, **(given | values))


def said(**marks):
    return {id: Rating(id, mark) for id, mark in marks.items()}


def test_an_answer_to_learn_from_is_confirmed_by_a_person_or_by_running_it():
    """A judge's word only where it is asked for; a person's no goes before all."""
    judge = {"confidence_score": 9, "conflict_score": 1}
    records = [
        run("held", "a", "x = 1", **HELD),
        run("rated", "b", "x = 2"),
        run("judged", "c", "x = 3", judge=judge),
        run("nobody", "d", "x = 4"),
        run("down", "e", "x = 5", **HELD),
        run("failing", "f", "x = 6", evidence=[CRASH], **HELD),
        run("after", "more", "x = 7", context_ids=["held"], **HELD),
        run("chat", "now in Rust", "x = 8", prompt_is_part=True, **HELD),
        run("empty", "g", None, **HELD),
        run("form", "h", write_untested("x = 9", "python", "no test"), language="json", **HELD),
        {"id": "odd", "kind": "run", "evidence": 3, "artefact": []},
    ]
    marks = said(rated="up", down="down")
    found = {each["id"]: each["confirmed_by"] for each in answered(records, marks, judged=False)}
    assert found == {"held": "tests or examples", "rated": "a person"}
    with_judge = {each["id"] for each in answered(records, marks, judged=True)}
    assert with_judge == {"held", "rated", "judged"}


def test_drafts_that_agree_are_the_model_s_own_word():
    """Neither tests nor examples were run: they are taken with the judge's word, and said to be
    what they are. Code that is less sure than a test passes its examples all the same."""
    agree = "not judged: 2 of 2 drafts agree on 20 calls"
    held = {"final_reason": "not judged: the request's examples pass"}
    before = {"final_reason": "not judged: the request's examples hold"}  # by earlier versions
    records = [
        run("agree", "a", "x = 1", final_reason=agree),
        run("own", "b", "x = 2", final_reason="not judged: 3 of 4 model-written tests pass"),
        run("held", "c", "x = 3", artefact={"answer": {"confidence": 0.85}}, **held),
        run("before", "d", "x = 4", **before),
    ]
    tested = {"held": "tests or examples", "before": "tests or examples"}
    found = {each["id"]: each["confirmed_by"] for each in answered(records, {}, judged=False)}
    assert found == tested
    found = {each["id"]: each["confirmed_by"] for each in answered(records, {}, judged=True)}
    own = "the model's own drafts"
    assert found == {"agree": own, "own": own, **tested}


def test_requests_of_programs_are_taken_where_their_prompt_says_all():
    """Of `POST /code`, new code in Python from an instruction alone, with the attempts that failed;
    beside a code to repair, tests or rules the instruction is half of what was asked. The code of a
    judgement is the caller's, and a thumb up is for the judgement."""

    def coded(id, **asked):
        asked = {"request_type": "generate", "language": "python"} | asked
        wrong = {"code": "x = 0", "findings": [{"kind": "example"}]}
        made = {"request": asked, "attempts": [wrong, {"code": "x = 1", "findings": []}]}
        return run(id, id, "x = 1", source="code", artefact=made, **HELD)

    records = [
        coded("new", max_attempts=3),
        coded("repair", request_type="debug", code="x = 0"),
        coded("tested", tests="assert x"),
        coded("ruled", constraints=["short"]),
        coded("rust", language="rust"),
        run("judgement", "g", "x = 2", source="judge"),
        run("refined", "make it faster", "x = 3", source="query"),
    ]
    marks = said(judgement="up", refined="up", repair="up")
    assert [each["id"] for each in answered(records, marks, judged=True)] == ["new"]
    (pair,) = preferred(records, marks)
    assert (pair["id"], pair["rejected"][0]["content"]) == ("new", "x = 0")


def test_the_better_of_two_is_said_by_facts_or_a_person():
    """Draft and review, rounds that fail, two answers to one request; what nobody decided, what is
    wrong itself, and the same answer twice, is no pair."""
    rounds = [
        {"code": "x = 0", "passed": 1, "tests": 2},
        {"code": "x = 9", "passed": 2, "tests": 2},
    ]
    wrong = [{"name": "test_1", "status": "passed"}, {"name": "test_2", "status": "wrong"}]
    other = [{"code": "x = 7", "passed": 1, "tests": 2, "results": wrong}]
    tests = [{"status": "passed"}]
    records = [
        reviewed("mended", "a", "bad", "good", evidence=[CRASH]),
        reviewed("opinion", "b", "one", "other"),
        reviewed("liked", "c", "one", "other"),
        reviewed("wrong", "d", "bad", "worse", evidence=[CRASH, CRASH | {"stage": "reviewer"}]),
        run("tested", "e", "x = 9", artefact={"tests": tests, "rounds": rounds}),
        # It fails a test alone that was found to be wrong itself: that is nothing against it.
        run(
            "alike",
            "g",
            "x = 8",
            artefact={"tests": tests, "rounds": other, "left_out": [{"name": "test_2"}]},
        ),
        reviewed("holed", "h", "good", "hole", evidence=[CRASH, HOLE]),
        run("up", "f", "fine"),
        run("down", "f", "poor"),
        run("yes", "i", "same"),
        run("no", "i", "same\n"),
    ]
    marks = said(liked="up", up="up", down="down", yes="up", no="down")
    found = {each["id"]: each for each in preferred(records, marks)}
    worse = {id: each["rejected"][0]["content"] for id, each in found.items()}
    assert {id: (worse[id], each["preferred_by"]) for id, each in found.items()} == {
        "mended": ("bad", "evidence"),
        "liked": ("one", "a person"),
        "tested": ("x = 0", "evidence"),
        "up": ("poor", "a person"),
    }
    assert found["mended"]["chosen"][0]["content"] == "good"


@pytest.fixture
def settings(tmp_path):
    pytest.importorskip("datasketch")
    pytest.importorskip("detect_secrets")
    directory = tmp_path / "history"
    words = " ".join(f"word{n}" for n in range(60))
    write_file(
        directory,
        1,
        run("run-1", f"sum of {words}", "def total(xs):\n    return sum(xs)\n", **HELD),
        run("run-2", f"sum of {words} please", "def total(xs):\n    return sum(xs)\n", **HELD),
        run("run-3", "upload", f'KEY = "{KEY}"  # pragma: allowlist secret\n', **HELD),
        run("run-4", "reverse a text \udc80", "def turn(text):\n    return text[::-1]\n"),
        reviewed("run-5", "half", "def half(x): return x / O", "half = 2", evidence=[CRASH]),
    )
    Ratings(directory).append(Rating("run-4", "up"))
    return {"LAIOS_HISTORY_DIR": str(directory)}


def exported(settings, path, *words):
    done = invoke("export", *words, "-o", str(path), **settings)
    assert done.returncode == 0, done.stderr
    return done


def test_examples_come_without_duplicates_and_secrets_and_with_a_card(settings, tmp_path):
    """The newer of two that are alike stays; a text cannot allow its own secret; the card counts
    what is missing. A file that is there is not replaced unasked."""
    path = tmp_path / "out.jsonl"
    exported(settings, path, "--format", "sft")
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert [row["id"] for row in rows] == ["run-4", "run-2"]
    assert rows[1]["prompt"][0]["role"] == "user"
    assert rows[1]["completion"][0]["content"].startswith("def total")
    assert oct(path.stat().st_mode)[-3:] == "600"
    assert oct(path.with_name("out.jsonl.card.md").stat().st_mode)[-3:] == "600"
    card = path.with_name("out.jsonl.card.md").read_text()
    assert "1 near duplicates" in card and "AWS Access Key 1" in card and KEY not in card
    assert "| `ollama/qwen2.5-coder:7b` | Apache-2.0 |" in card
    assert "a person 1" in card and "tests or examples 1" in card
    again = invoke("export", "--format", "sft", "-o", str(path), **settings)
    assert again.returncode == 2 and "--force" in again.stderr
    exported(settings, path, "--format", "dpo", "--force", "id:run-5")
    [pair] = [json.loads(line) for line in path.read_text().splitlines()]
    assert (pair["chosen"][0]["content"], pair["preferred_by"]) == ("half = 2", "evidence")


def test_a_long_line_is_scanned_in_pieces_in_which_a_secret_is_whole():
    """A line of any length takes no more than its length in time; short ones stay as they are."""
    pytest.importorskip("detect_secrets")
    for length in (0, 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE):
        line = "".join(chr(256 + n) for n in range(length))
        found = [*pieces(f"short\n{line}\n\nlast")]
        assert (found[0], found[-2:]) == ("short", ["", "last"])
        assert max(map(len, found)) <= PIECE
        windows = (line[at : at + OVERLAP] for at in range(max(1, length - OVERLAP + 1)))
        assert all(any(window in each for each in found) for window in windows)
    for at in (0, PIECE - 10, 10 * PIECE):
        assert secret_in(f"{' ' * at}{KEY}{' ' * PIECE}") == "AWS Access Key"


def test_a_table_of_runs_is_not_said_to_be_cleaned(settings, tmp_path):
    """It has each run as it is, with its secrets; what is made to learn from has none."""
    words = ("-o", str(tmp_path / "t.jsonl"), "-f")
    table = invoke("export", *words, "jsonl", **settings)
    assert KEY in (tmp_path / "t.jsonl").read_text()
    assert "not cleaned: texts may contain secrets" in table.stderr
    learnt = invoke("export", "--force", *words, "sft", **settings)
    assert "1 with secrets" in learnt.stderr and "not cleaned" not in learnt.stderr


def test_the_table_of_runs_is_the_same_as_lines_and_as_parquet(settings, tmp_path):
    """Every run that fits, with its rating; Parquet's columns have their types even where all are
    empty."""
    parquet = pytest.importorskip("pyarrow.parquet")
    exported(settings, tmp_path / "t.jsonl", "--format", "jsonl")
    exported(settings, tmp_path / "t.parquet", "--format", "parquet")
    lines = [json.loads(line) for line in (tmp_path / "t.jsonl").read_text().splitlines()]
    table = parquet.read_table(tmp_path / "t.parquet")
    assert [row["id"] for row in lines] == [f"run-{n}" for n in range(1, 6)]
    assert table.column_names == [*lines[0]]
    assert [row["rating"] for row in table.to_pylist()] == [None, None, None, "up", None]
    assert str(table.schema.field("confidence").type) == "int64"


def test_of_nothing_no_file_is_written(settings, tmp_path):
    """An error that says why, so that nobody trains with an empty file; one that is there stays."""
    path = tmp_path / "out.jsonl"
    path.write_text("kept")
    for words, said in (
        (("--format", "sft", "id:none"), "no run in the history matches"),
        (("--format", "sft", "id:run-3"), "1 with secrets"),
        (("--format", "dpo", "id:run-1"), "laios history rate ID up"),
        (("--format", "jsonl", "id:none"), "no run in the history matches"),
    ):
        done = invoke("export", *words, "--force", "-o", str(path), **settings)
        assert (done.returncode, done.stdout) == (1, "") and said in done.stderr, done.stderr
    assert path.read_text() == "kept" and [*tmp_path.glob("out*")] == [path]


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path):
    """By a new one for its owner alone, where a link leads; what stops half-way leaves nothing."""
    path, link = tmp_path / "out.jsonl", tmp_path / "link.jsonl"
    path.write_text("kept")
    path.chmod(0o644)
    link.symlink_to(path)

    def half():
        yield {"n": 1}
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_lines(link, half())
    assert path.read_text() == "kept" and {*tmp_path.iterdir()} == {path, link}
    write_lines(link, [{"n": 1}])
    assert path.read_text() == '{"n": 1}\n' and {*tmp_path.iterdir()} == {path, link}
    assert link.is_symlink() and stat.S_IMODE(path.stat().st_mode) == 0o600


def test_what_is_no_file_is_not_written(settings, tmp_path):
    """A device or a pipe keeps its mode, and nobody waits for who reads it."""
    path = tmp_path / "pipe.jsonl"
    os.mkfifo(path, 0o644)
    mode = path.stat().st_mode
    done = invoke("export", "-f", "jsonl", "-o", str(path), "--force", **settings)
    assert done.returncode == 1 and "it is not a regular file" in done.stderr
    assert path.stat().st_mode == mode and [*tmp_path.glob("pipe*")] == [path]


def test_a_missing_library_is_named_with_its_extra(settings, tmp_path, monkeypatch):
    """Nothing is written then."""
    monkeypatch.setitem(__import__("sys").modules, "datasketch", None)
    done = invoke("export", "--format", "sft", "-o", str(tmp_path / "x.jsonl"), **settings)
    assert done.returncode == 1 and "laios[export]" in done.stderr
    assert not (tmp_path / "x.jsonl").exists()
    assert invoke("export", "--format", "csv", **settings).returncode == 2
    assert (
        "name a file with -o" in invoke("export", "--format", "sft", "-o", "-", **settings).stderr
    )
    assert "moed" in invoke("export", "--format", "sft", "moed:raw", **settings).stderr


def test_licences_are_those_that_this_machine_knows(tmp_path):
    """The catalogue's, the library's, the file's own; else the card says to look it up."""
    names = ["local/starter", "ollama/qwen2.5-coder:3b", "ollama/mine", "local/no.gguf"]
    found = licences_of(names, LocalLibrary(tmp_path))
    assert found == dict(zip(names, ("Apache-2.0", "Qwen-Research", "", ""), strict=True))
    card = card_lines("x", "jsonl", "", 0, [], None, {"a|b": ""})
    assert "| `a/b` | not known: look it up before sharing |" in card
