"""`laios replay`: earlier requests asked again, beside their old answers."""

import asyncio
import json
import os
import re
import signal
import subprocess
import time

import pytest
from dashboards import judged, site
from history_fakes import make_record, write_file
from processes import LAIOS, invoke

from config import Settings
from history.reader import Reader
from history.replay_pairs import Pair, compare, facts_of
from history.replays import Replay, is_name, replays_of
from history.statistics import mcnemar
from pipeline.tested.tests_json import write_untested
from server.benchmark.run_settings import RUN_SETTINGS

pytestmark = pytest.mark.only_when(
    "server/benchmark/", "server/commands/replay.py", "history/", "dashboard/"
)

OLD = "def add(a, b):\n    return a - b\n"
NEW = "def add(a, b):\n    return a + b\n"


def earlier(number, **values):
    given = {"mode": "code_raw", "coder_output": OLD, "final_output": OLD}
    return judged(f"run-{number}", **(given | values))


@pytest.fixture
def old_history(tmp_path):
    """Three prompts, one of which read the one before it; and what cannot be asked again."""
    directory = tmp_path / "history"
    write_file(
        directory,
        1,
        earlier(1, original_prompt="///raw add", normalized_prompt="add"),
        earlier(2, mode="code_raw_ctx", original_prompt="///ctx ///raw more",
                normalized_prompt="more", context_ids=["run-1"]),
        earlier(3, original_prompt="///raw again", normalized_prompt="again"),
        earlier(4, original_prompt=None, normalized_prompt=None),
        earlier(5, source="code"),
        make_record("run-6", kind="auxiliary"),
        earlier(7, source="openai", prompt_is_part=True),
    )  # fmt: skip
    return directory


@pytest.fixture
def settings(old_history):
    return {"LAIOS_HISTORY_DIR": str(old_history), "LAIOS_MAX_DRAFTS": "1"}


def replayed(settings, *words):
    done = invoke("replay", *words, "--json", **settings)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_old_requests_get_new_answers_beside_the_old_ones(old_history, settings, script):
    """In a history of their own, with what stood before them then; the first one is untouched."""
    asked = script({"role": "coder", "prompt": "user: add.*\n\nassistant: ", "reply": "seen = 1"},
                   {"role": "coder", "reply": NEW})  # fmt: skip
    found = replayed(settings, "--model", asked)
    assert [pair["old"]["id"] for pair in found["pairs"]] == ["run-1", "run-2", "run-3"]
    answers = Replay(old_history, found["name"]).answers()
    assert answers["run-2"]["final_output"] == "seen = 1"
    assert answers["run-2"]["context_ids"] == ["run-1"]
    assert found["pairs"][0]["changed_lines"] == 2 and found["same"] == 0
    first = found["counts"][0]
    assert (first["what"], first["both"], first["of"], first["p"]) == ("answered", 3, 3, 1.0)
    assert len(list(Reader(old_history))) == 7
    assert found["models"]["coder"] == asked
    place = old_history / "replays" / found["name"]
    assert {path.stat().st_mode & 0o777 for path in place.iterdir()} == {0o600}
    assert {path.stat().st_mode & 0o777 for path in (place, place.parent)} == {0o700}


def test_a_stopped_replay_goes_on_where_it_was(old_history, settings, script):
    """What has an answer is not asked again; a backend that cannot be had ends it, and counts as
    not asked."""
    away = script({"role": "coder", "prompt": "again", "fault": "unreachable"},
                  {"role": "coder", "reply": NEW})  # fmt: skip
    stopped = invoke("replay", "--model", away, **settings)
    assert stopped.returncode == 3, stopped.stderr
    replay = next(replays_of(old_history))
    assert [*replay.answers()] == ["run-1", "run-2"]
    (replay.directory / "replay.json").write_text('{"models": {')  # cut off by a crash
    script({"role": "coder", "reply": NEW})
    found = invoke("replay", "--model", away, **settings)
    assert "1 of 3 requests to ask" in found.stderr
    assert replay.conditions()["models"]["coder"] == away
    assert "ONLY OLD" in found.stdout and "0 of 3 answers are the same" in found.stdout
    shown = replayed(settings, "--model", away, "--show", "again")
    assert [pair["old"]["id"] for pair in shown["pairs"]] == ["run-3"]


@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        ("foo", 2, "--model: 'foo' is not a model name; write provider/name, such as ollama/foo"),
        ("nosuch/foo", 2, "--model: No backend is called 'nosuch'"),
        ("local/nope", 1, "nope"),
    ],
)
def test_a_model_that_cannot_be_had_leaves_no_replay(old_history, settings, name, code, said):
    """An empty one would stand among those that the dashboard lists."""
    done = invoke("replay", "--model", name, "-n", "1", **settings)
    assert (done.returncode, done.stdout) == (code, "") and said in done.stderr
    assert not [*replays_of(old_history)]


def test_what_the_model_cannot_answer_holds_up_no_other_request(tmp_path):
    """It is counted with its reason, and the command has failed in part; so it says each time."""
    write_file(
        tmp_path,
        1,
        earlier(1, original_prompt="///files a snake game", normalized_prompt="a snake game",
                mode="code_files"),
        earlier(2, original_prompt="///raw add up a list", normalized_prompt="add up a list"),
    )  # fmt: skip
    for left in ("2 of 2", "1 of 2"):
        done = invoke("replay", "--model", "local/starter", LAIOS_HISTORY_DIR=str(tmp_path))
        assert done.returncode == 1 and f"{left} requests to ask" in done.stderr
        assert "1 of 2 requests were not answered: local/starter cannot" in done.stderr
        assert "add up a list" in done.stdout


def test_a_killed_replay_asks_nothing_twice_and_loses_nothing(old_history, settings, script):
    """kill -9 while the third request is with its model, and a line cut off: the same command asks
    that one alone, and what was answered stays as it was."""
    slow = script({"role": "coder", "prompt": "again", "reply": NEW, "delay_ms": 600_000},
                  {"role": "coder", "reply": NEW})  # fmt: skip
    command = [LAIOS, "replay", "--model", slow]
    process = subprocess.Popen(command, env={**os.environ, **settings}, stderr=subprocess.PIPE)
    try:
        while len(answered := answers_in(old_history)) < 2:
            assert process.poll() is None, process.communicate()[1].decode()
            time.sleep(0.02)
    finally:
        process.kill()
        process.communicate()
    replay = next(replays_of(old_history))
    with next(replay.directory.glob("*.jsonl")).open("ab") as file:
        file.write(b'{"id":"torn","replay_of":"run-3","final_ou')
    script({"role": "coder", "reply": NEW})
    found = invoke("replay", "--model", slow, **settings)
    assert "1 of 3 requests to ask" in found.stderr
    lines = [(each["replay_of"], each["id"]) for each in Reader(replay.directory)]
    assert lines[:2] == [(old, new["id"]) for old, new in answered.items()]
    assert [old for old, _ in lines] == ["run-1", "run-2", "run-3"]


def test_ctrl_c_says_how_to_go_on(settings, script):
    """With the exit code of all that is ended so; a script tells it from requests that failed."""
    slow = script({"role": "coder", "reply": NEW, "delay_ms": 600_000})
    process = subprocess.Popen(
        [LAIOS, "replay", "--model", slow],
        env={**os.environ, **settings},
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr
    assert "3 of 3 requests to ask" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=30)[1]
    assert process.returncode == 130 and "The same command continues" in said
    assert "Traceback" not in said


def answers_in(directory):
    return next((each.answers() for each in replays_of(directory)), {})


def test_other_prompts_are_told_to_the_role_and_are_another_replay(settings, script, tmp_path):
    """A file for a role replaces its built-in rules; a directory without one is refused."""
    coder = script({"role": "coder", "prompt": "MY OWN RULES", "reply": NEW},
                   {"role": "coder", "reply": OLD})  # fmt: skip
    prompts = tmp_path / "prompts"
    prompts.mkdir()
    empty = invoke("replay", "--model", coder, "--prompts", str(prompts), **settings)
    assert empty.returncode == 2 and "coder.txt" in empty.stderr
    (prompts / "coder.txt").write_text("MY OWN RULES: write code.")
    plain = replayed(settings, "--model", coder)
    own = replayed(settings, "--model", coder, "--prompts", str(prompts))
    assert (plain["same"], own["same"]) == (3, 0)
    assert plain["name"] != own["name"] and "prompts" in own["name"]


def test_each_setting_that_is_read_at_a_run_is_a_condition_or_changes_no_answer():
    """A replay, or a bench, under other conditions is another one: a new setting has to be put on
    either side."""
    hot = {name for name, field in Settings.model_fields.items() if field.json_schema_extra["hot"]}
    elsewhere = {"CODER_MODEL_NAME", "JUDGE_MODEL_NAME", "REVIEWER_MODEL_NAME", "PROMPTS_DIR"}
    of_other_routes = re.compile("FRONTEND_|AGENT_|MEMORY_|JOIN_LINGER_S|OTEL_")
    of_this_machine = re.compile(
        "RUN_TIMEOUT_S|MODEL_TIMEOUT_S|COOL_DOWN_S|PRELOAD|.*KEEP_ALIVE|SANDBOX_"
    )
    left = {name for name in hot - {*RUN_SETTINGS} - elsewhere if not of_other_routes.match(name)}
    assert {name for name in left if not of_this_machine.match(name)} == set()


def test_another_mode_gets_the_prompt_without_its_tags(settings, script):
    """And what it finds is not compared with a mode that looks at no evidence."""
    coder = script({"role": "coder", "reply": NEW})
    with_evidence = settings | {"LAIOS_JUDGE_WHEN": "undecided", "LAIOS_COMPARE_DRAFTS": "off"}
    found = replayed(with_evidence, "add", "--model", coder, "--mode", "review-only", "-n", "1")
    assert found["mode"] == "review_only"
    assert [each["what"] for each in found["counts"]] == ["answered"]


def test_what_was_no_tag_is_none_and_what_cannot_be_asked_is_counted(tmp_path, script):
    """Prompts that were sent as text are so again; a tag that is none any more is said each time,
    and a mode that is no text is none."""
    write_file(
        tmp_path / "history",
        1,
        earlier(1, mode="review_only", original_prompt="///best x", normalized_prompt="///best x"),
        earlier(2, original_prompt=" ///todo add", normalized_prompt=" ///todo add"),
        earlier(3, original_prompt="///gone add", normalized_prompt="add"),
        earlier(4, mode=["x"]),
    )  # fmt: skip
    settings = {"LAIOS_HISTORY_DIR": str(tmp_path / "history"), "LAIOS_MAX_DRAFTS": "1"}
    coder = script({"role": "coder", "reply": NEW}, {"reply": NEW})
    for left in ("3 of 3", "1 of 3"):
        done = invoke("replay", "--model", coder, **settings)
        assert done.returncode == 1 and f"{left} requests to ask" in done.stderr
        assert "1 of 3 requests were not answered: There is no tag ///gone." in done.stderr
    made = [
        (new["mode"], new["normalized_prompt"]) for new in answers_in(tmp_path / "history").values()
    ]
    assert made == [("review_only", "///best x"), ("code_raw", " ///todo add")]


def test_the_number_of_a_mode_is_asked_for_and_is_another_replay(old_history, settings, script):
    """As many drafts as it says, whatever the tags said before."""
    drafts = [f"def add(a, b):\n    return a + b + {n}\n" for n in range(5)]
    coder = script({"role": "coder", "reply": drafts}, {"role": "judge", "verdict": [9, 1, "x"]})
    asked = ("-n", "1", "--model", coder, "--mode")
    two, three = (replayed(settings, *asked, f"best={number}") for number in (2, 3))
    assert (two["mode"], three["mode"]) == ("code_best=2", "code_best=3")
    for found, number in ((two, 2), (three, 3)):
        made = Replay(old_history, found["name"]).answers()["run-3"]
        assert (made["mode"], len(made["artefact"]["drafts"])) == ("code_best", number)


def test_what_is_counted_in_pairs():
    """Only where both sides were looked at, with the exact p; a damaged record counts as little."""
    judge = {"confidence_score": 9, "conflict_score": 1}
    low = judge | {"confidence_score": 3}
    finding = [{"stage": "coder", "kind": "crash", "detail": "it crashed"}]
    good = make_record("a", judge=judge, artefact={"tests": {"passed": 2, "total": 2}})
    bad = make_record("b", judge=low, evidence=finding, artefact={"tests": [{"status": "failed"}]})
    counts = {each.what: each for each in compare([Pair(good, bad)] * 5 + [Pair(bad, good)]).counts}
    for what in ("no evidence against it", "its tests hold", "the judge accepts it"):
        assert (counts[what].only_old, counts[what].only_new) == (5, 1), what
        assert counts[what].p == mcnemar(5, 1)
    odd = {"id": "c", "judge": 3, "evidence": "x", "artefact": [1], "thresholds": None, "steps": {}}
    assert facts_of(odd).accepted is None and facts_of(odd).tests is None
    assert compare([Pair(odd, odd)]).pairs == 1


def test_a_replay_s_name_is_no_way_out():
    """It stands in addresses and paths."""
    assert is_name("qwen-1a2b") and not any(map(is_name, ("..", "a/b", ".x", "a..b", "")))


@pytest.fixture
def replay_name(settings, script):
    return replayed(settings, "--model", script({"role": "coder", "reply": NEW}))["name"]


async def test_the_pages_show_old_beside_new_with_the_difference(old_history, replay_name):
    """A replay's counts and pairs, and each pair as a diff; what is not there is not found."""
    name = replay_name
    async with site(old_history) as shown:
        assert name in await shown.opens("/dashboard/replays")
        page = await shown.page(f"/dashboard/replays/{name}")
        assert "3 requests" in page.text and "answered" in page.text
        [first, *_] = page.one("tbody", id="pairs").all("a")
        beside = await shown.page(first["href"])
        assert "return a - b" in beside.text and "return a + b" in beside.text
        await shown.page("/dashboard/replays/none", 404)
        await shown.page("/dashboard/replays/..%2F..", 404)
        await shown.page(f"/dashboard/replays/{name}/run-4", 404)


def test_of_code_in_a_json_the_code_is_compared(settings, script, tmp_path):
    """`///test` as `json` is asked again as text: the same code is the same answer."""
    given = {"original_prompt": "add", "normalized_prompt": "add", "language": "json"}
    text = write_untested(NEW, "python", "no test")
    write_file(tmp_path / "history", 1, earlier(1, final_output=text, **given))
    found = replayed(settings, "--model", script({"role": "coder", "reply": NEW}))
    assert (found["same"], found["pairs"][0]["changed_lines"]) == (1, 0)

    async def diff() -> str:
        async with site(tmp_path / "history") as served:
            return (await served.page(f"/dashboard/replays/{found['name']}/run-1")).text

    shown = asyncio.run(diff())
    assert "return a + b" in shown and "no test" not in shown


@pytest.mark.timeout(30)
async def test_whatever_lies_in_a_manifest_s_place_holds_up_no_page(old_history):
    """A pipe, brackets too deep for the parser, numbers too long for it: no replay, and the others
    are listed."""
    for name, text in (("deep", "[" * 100_000), ("long", "9" * 5000), ("list", "[]")):
        place = old_history / "replays" / name
        place.mkdir(parents=True)
        (place / "replay.json").write_text(text)
    (old_history / "replays" / "pipe").mkdir()
    os.mkfifo(old_history / "replays" / "pipe" / "replay.json")
    async with site(old_history) as shown:
        await shown.opens("/dashboard/replays")
        for name in ("deep", "long", "list", "pipe"):
            await shown.page(f"/dashboard/replays/{name}", 404)
