"""The starter model's training data: code, mutants and phrases are what they claim to be."""

import ast
import itertools
import json
import keyword
import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from pipeline.models.catalog import CATALOG
from pipeline.models.starter import PROFILE
from pipeline.models.starter_note import note
from pipeline.task import Task
from tools.starter import naming, natural, natural_unknown, outliers, unknown, words
from tools.starter.bench import job
from tools.starter.card import render
from tools.starter.examples import (
    ALIKE,
    LESSONS,
    OPINION,
    UNKNOWN_SHARE,
    Example,
    coder_example,
    coder_prompt,
    judge_example,
    judge_prompt,
    reviewer_example,
    reviewer_prompt,
    stream,
)
from tools.starter.execute import Job, passes, runnable
from tools.starter.families import FAMILIES, GROUPS
from tools.starter.family import BASH, JAVASCRIPT, PYTHON
from tools.starter.grammar import expand
from tools.starter.mutants import mutants, unseen_mutants
from tools.starter.paths import CARD, FIGURES, MODELS, TASKS
from tools.starter.phrasing import (
    Split,
    follow_up,
    gerund,
    request,
    third_person,
    unknown_request,
)
from tools.starter.topics import TOPIC_OF

pytestmark = [
    pytest.mark.only_when("tools/", "pipeline/models/starter/"),
    pytest.mark.timeout(300),  # whichever comes first executes the mutants
    pytest.mark.xdist_group("starter_data"),  # together: mutants are executed once in a process
]

BY_NAME = {family.name: family for family in FAMILIES}
# Without node the tasks that are known in JavaScript as well are left out of what is drawn.
HERE = tuple(family for family in FAMILIES if all(map(runnable, family.languages)))
EVERYTHING_HELD = Split(held_descriptions=True, held_frames=True)
SHIPPED = Path(__file__).parents[1] / MODELS


def drawn(make: Callable[..., Example], count: int = 600) -> list[Example]:
    rng = random.Random(5)
    split = Split(critic=make is not coder_example, families=HERE)
    return [make(rng, split) for _ in range(count)]


def right(jobs: Iterable[Job]) -> bool:
    """Whether the code passes, but for the few whose requested name hides what the code needs:
    `is`, or `max` for code that calls max."""
    verdicts = passes(jobs)
    return verdicts.count(True) > 0.99 * len(verdicts)


def known(examples: list[Example]) -> list[Example]:
    return [example for example in examples if example.request.family]


def test_there_are_enough_families_and_descriptions() -> None:
    """At least 100 families of different names, each with 30 descriptions and more, some of them
    in JavaScript and in Bash, some of them classes."""
    assert len(BY_NAME) == len(FAMILIES) >= 100
    rng = random.Random(3)
    for family in FAMILIES:
        grammars = (*family.verbs, *family.nouns, *family.asks)
        assert len({expand(g, rng) for g in grammars for _ in range(20)}) >= 30, family.name
        assert family.held and family.critic_only, family.name
    spoken = [language for family in FAMILIES for language in family.languages]
    assert min(spoken.count(JAVASCRIPT), 2 * spoken.count(BASH)) >= 24
    assert sum(family.is_class for family in FAMILIES) >= 5


@pytest.mark.parametrize("language", [PYTHON, JAVASCRIPT, BASH])
def test_gold_code_passes_its_checks_under_any_name(language: str) -> None:
    """Every family's code holds its checks, under its own name and under a requested one."""
    if not runnable(language):
        pytest.skip(f"nothing here runs {language}: install node")
    jobs = [
        Job(family.code(name, language), name, family.checks, family.driver, language)
        for family in FAMILIES
        if language in family.languages
        for name in (family.name_in(language), "Add" if family.is_class else "add_all")
    ]
    assert jobs and all(passes(jobs))


def test_gold_code_fails_the_checks_of_other_families() -> None:
    """The checks tell the families apart: code passes for another task only where that is known.
    All pairs that are easily confused, and some of the others."""
    python = [family.name for family in FAMILIES if family.language == PYTHON]
    near = {pair for group in GROUPS for pair in itertools.permutations(group, 2)}
    far = random.Random(4).sample(list(itertools.permutations(python, 2)), 1500)
    pairs = sorted(pair for pair in near.union(far) if set(pair) <= set(python))
    verdicts = passes(
        Job(BY_NAME[a].code(), BY_NAME[a].name_in(PYTHON), BY_NAME[b].checks, BY_NAME[b].driver)
        for a, b in pairs
    )
    passing = {pair for pair, passed in zip(pairs, verdicts, strict=True) if passed}
    assert passing <= ALIKE


def test_groups_and_likenesses_name_families() -> None:
    """No name in the tables about families is misspelt, and each family has its topic."""
    assert {name for names in (*GROUPS, *ALIKE) for name in names} <= set(BY_NAME)
    assert set(TOPIC_OF) == set(BY_NAME)


def test_no_wording_asks_for_two_tasks() -> None:
    """What a description says is said by one family of its language alone."""
    rng = random.Random(6)
    said: dict[tuple[str, str], set[str]] = defaultdict(set)
    for family in FAMILIES:
        grammars = (
            *family.verbs,
            *family.nouns,
            *family.asks,
            *family.held,
            *family.critic_only,
        )
        for text in {expand(grammar, rng) for grammar in grammars for _ in range(30)}:
            said[family.language, text].add(family.name)
    assert not {text: names for text, names in said.items() if len(names) > 1}


def test_every_mutant_fails() -> None:
    """No mutant passes its family's checks (a sample), and each has a short summary; those for
    evaluation are others than those for training."""
    for made in (mutants(), unseen_mutants()):
        broken = [(*key, mutant) for key, found in made.items() for mutant in found]
        assert len(broken) > 1500
        assert all(0 < len(mutant.summary) <= 120 for *_, mutant in broken)
        jobs = [
            Job(m.source.replace("NAME", "Fix"), "Fix", f.checks, f.driver, language)
            for name, language, m in random.Random(7).sample(broken, 300)
            for f in [BY_NAME[name]]
        ]
        assert not any(passes(jobs))
    for key, found in unseen_mutants().items():
        assert not {m.source for m in found} & {m.source for m in mutants()[key]}


def test_every_family_has_mutants() -> None:
    """The judge sees broken code of every family in each of its languages."""
    assert min(len(found) for found in mutants().values()) >= 2
    assert set(mutants()) == {(f.name, n) for f in FAMILIES for n in f.languages if runnable(n)}


@pytest.mark.parametrize(
    "bad",
    [
        ("def f():\n    while True:\n        pass", PYTHON),
        ("def f():\n    raise SystemExit", PYTHON),
        ("def f():\n    return [0] * 10**12", PYTHON),
        ("def f(:", PYTHON),
        ("def g():\n    return 1", PYTHON),
        ("def f():\n    return True", PYTHON),
        ("function f() { for (;;) {} }", JAVASCRIPT),
        ("function f() {", JAVASCRIPT),
        ("f() { while :; do :; done; }", BASH),
        ("f() { echo 2; }", BASH),
    ],
)
def test_endless_and_crashing_code_fails_alone(bad: tuple[str, str]) -> None:
    """A job that hangs, exits or fills the memory fails, and the one after it is still judged."""
    code, language = bad
    if not runnable(language):
        pytest.skip(f"nothing here runs {language}: install node")
    good = {
        PYTHON: "def f():\n    return 1",
        JAVASCRIPT: "function f() { return 1; }",
        BASH: "f() { echo 1; }",
    }
    checks = (((), "1" if language == BASH else 1),)
    jobs = [Job(each, "f", checks, "", language) for each in (code, good[language])]
    assert passes(jobs) == [False, True]


def test_held_out_wordings_are_in_no_training_wording() -> None:
    """Held-out descriptions, frames and name clauses are disjoint from those trained on."""
    assert not set(words.HELD_VERB_FRAMES) & {*words.VERB_FRAMES, *words.LATER_VERB_FRAMES}
    assert not set(words.HELD_NOUN_FRAMES) & {*words.NOUN_FRAMES, *words.LATER_NOUN_FRAMES}
    assert not set(words.HELD_NAME_CLAUSES) & {*words.NAME_CLAUSES, *words.LATER_NAME_CLAUSES}
    assert not set(words.HELD_RENAME_FRAMES) & set(words.RENAME_FRAMES)
    assert not set(words.HELD_AGAIN_FRAMES) & set(words.AGAIN_FRAMES)
    rng = random.Random(1)
    for family in FAMILIES:
        trained = {expand(g, rng) for g in (*family.verbs, *family.nouns) for _ in range(60)}
        for grammar in (*family.held, *family.critic_only):
            held = {expand(grammar, rng) for _ in range(20)}
            assert not held & trained, (family.name, held & trained)


def test_training_streams_hold_nothing_that_is_held_out() -> None:
    """No request drawn with everything held out occurs in any part of either training stream, none
    of the requests out of scope that were written by hand, and nothing that a held-out frame leads
    up with."""
    rng = random.Random(2)
    held = {request(rng, rng.choice(FAMILIES), EVERYTHING_HELD).text for _ in range(3000)}
    held |= {asked.text for asked in natural.unknown() + natural.unknown_seen()}
    leads = [frame.partition("{")[0] for frame in words.HELD_VERB_FRAMES + words.HELD_NOUN_FRAMES]
    lead = re.compile("|".join(rf"\b{each}" for each in leads), re.IGNORECASE)
    for model, part in itertools.product(("coder", "critic"), range(len(UNKNOWN_SHARE))):
        examples = itertools.islice(stream(model, HERE, part), 2_500)
        texts = {example.request.text for example in examples}
        assert not held & texts
        assert not [text for text in texts if lead.search(text)]


def test_odd_requests_are_whole() -> None:
    """What looks like nothing else has no empty place of a grammar in it, keeps the indentation of
    pasted code, and asks for no known task; a frame of words at random keeps the task's place."""
    rng = random.Random(3)
    makers = (outliers.paste, outliers.story, outliers.shell, outliers.aside, outliers.salad)
    texts = {make.__name__: [make(rng) for _ in range(400)] for make in makers}
    texts["twist"] = [outliers.twist(rng, "sort a list", "sort a list") for _ in range(400)]
    for name, found in texts.items():
        assert len(set(found)) > 300, name
        assert not [
            text for text in found if re.search(r"<<\w|\w>>|\{(?:[um]_\w+|lib|cmd|error)\}", text)
        ]
        assert not {text.strip(".?!").lower() for text in found} & {"sort a list"}
    assert any("\n    " in text for text in texts["paste"])
    frames = [outliers.noun_frame(rng) for _ in range(400)]
    assert all(frame.count("{n}") == 1 for frame in frames)
    asked = [unknown_request(rng, len(UNKNOWN_SHARE) - 1) for _ in range(400)]
    assert not any(each.family for each in asked)
    assert sum("\n" in each.text for each in asked) > 10


def test_a_requested_name_may_stand_anywhere() -> None:
    """In the last part a name stands in the middle of a sentence, in a signature or in an example
    of a call, and what is not known has names and examples too."""
    rng, last = random.Random(4), Split(part=len(UNKNOWN_SHARE) - 1)
    asked = [request(rng, rng.choice(HERE), last, named=True) for _ in range(600)]
    assert all(each.name in each.text for each in asked)
    assert any(re.search(rf"(called|named) {e.name} (that|which|to|for) ", e.text) for e in asked)
    assert any(re.search(rf"def {e.name}\(\w+\):\n", e.text) for e in asked)
    shown = [e for e in asked if re.search(rf"\b{e.name}\(.*\) (==|->|returns|is)", e.text)]
    assert len(shown) > 30
    assert any(each.text.count(each.name) == 1 for each in shown), "nowhere but in the example"
    unknown = [each for _ in range(600) if (each := unknown_request(rng, last.part)).name]
    assert sum(f"{each.name}(" in each.text for each in unknown) > 20


def test_a_name_may_be_any() -> None:
    """Names of the last part are nearly always new, can be used in every language, and are none of
    the evaluation's; a garbled one is another."""
    rng = random.Random(6)
    names = [naming.any_name(rng, for_class) for for_class in (False, True) for _ in range(2_000)]
    assert len(set(names)) > 3_700
    assert not [name for name in names if keyword.iskeyword(name) or not name.isidentifier()]
    assert not set(names) & {*words.HELD_NAMES, "sum", "len", "function", "fi"}
    wrong = [(name, naming.garbled(rng, name)) for name in names]
    assert not [pair for pair in wrong if pair[0] == pair[1] or not pair[1].isidentifier()]
    known = set(words.NAME_WORDS)
    parts = {name: re.findall(r"[A-Z]?[a-z]+", name) for name in words.HELD_NAMES}
    familiar = [name for name, found in parts.items() if {p.lower() for p in found} <= known]
    assert familiar == ["common_values"]  # the only one that the plain names of training can be


def test_an_example_of_a_call_is_true_and_short() -> None:
    """A request shows calls as the checks have them; long ones are left out."""
    calls = naming.short_calls((((1, 2), 3), (("x" * 100,), 1)))
    assert calls == [("1, 2", "3")]
    text = naming.example(random.Random(4), "add two numbers.", "plus", calls)
    assert "plus(1, 2)" in text and "3" in text and "{" not in text


def test_words_around_a_name_that_are_for_the_evaluation_alone() -> None:
    """What the evaluation puts around a name in the middle or in an example is in no training."""
    rng, last = random.Random(4), Split(part=len(UNKNOWN_SHARE) - 1)
    trained = [request(rng, rng.choice(HERE), last, named=True) for _ in range(600)]
    signs = r"{f}\(.*\) must give |with the name {f} (that|which|to)|what {f} does: "
    for split in (Split(held_inner=True), Split(held_examples=True)):
        asked = [request(rng, rng.choice(HERE), split, named=True) for _ in range(200)]
        assert any(re.search(signs.replace("{f}", e.name), e.text, re.I) for e in asked)
    assert not any(re.search(signs.replace("{f}", e.name), e.text, re.I) for e in trained)


def test_streams_repeat_and_differ_from_each_other() -> None:
    """A model's stream is the same at each call; the two models' streams differ."""
    coder = [e.user for e in itertools.islice(stream("coder"), 50)]
    assert coder == [e.user for e in itertools.islice(stream("coder"), 50)]
    assert coder != [e.request.text for e in itertools.islice(stream("critic", HERE), 50)]


def test_a_stream_of_a_few_families_asks_for_no_other() -> None:
    """A small model can be trained for a handful of tasks."""
    few = FAMILIES[:5]
    for model in ("coder", "critic"):
        requests = [e.request for e in itertools.islice(stream(model, few), 500)]
        asked = {each.family.name for each in requests if each.family}
        assert asked == {family.name for family in few}
        assert not all(each.family for each in requests)


def test_coder_replies_pass() -> None:
    """What the coder is taught passes the checks, under the requested name, in the requested
    language; after an exchange as well."""
    examples = known(drawn(coder_example, 1500))
    assert right(job(e.request, e.reply) for e in examples)
    assert sum(bool(e.request.history) for e in examples) > 50
    assert {e.request.language for e in examples} >= {PYTHON, BASH}


def test_follow_ups_change_the_name_or_the_language() -> None:
    """They keep the task of the exchange before them, whose code stands in the history."""
    rng = random.Random(8)
    asked = [follow_up(rng, request(rng, rng.choice(FAMILIES))) for _ in range(300)]
    found = [each for each in asked if each]
    assert right(job(each, each.answer) for each in found if runnable(each.language))
    for each in found:
        assert each.family and str(each.history).startswith("User request:\n")
        assert each.name in f"{each.text}{each.history}"
        assert each.answer not in str(each.history)


def test_messages_are_the_daemon_s() -> None:
    """Each role's message is what the daemon sends to the starter, with a history block and
    without."""
    code = "def f():\n    return 1"
    asked = [example.request for example in drawn(coder_example, 400)]
    assert any(each.history for each in asked)
    for each in asked:
        task = Task(each.text, exchanges=(each.history,) if each.history else ())
        written = [
            PROFILE.writers["coder"](task=task),
            PROFILE.writers["judge"](task=task, draft=code),
            PROFILE.writers["reviewer"](task=task, draft=code, reason="why"),
        ]
        trained = (
            coder_prompt(each),
            judge_prompt(each, code),
            reviewer_prompt(each, "why", code),
        )
        assert written == [[{"role": "user", "content": text}] for text in trained]


def test_verdicts_agree_with_execution() -> None:
    """The judge is taught to accept what passes and to reject what does not."""
    examples = known(drawn(judge_example))
    for example in examples:
        verdict = json.loads(example.reply)
        assert list(verdict) == ["confidence_score", "conflict_score", "judgement_summary"]
        confidence, conflict = verdict["confidence_score"], verdict["conflict_score"]
        assert (confidence >= 9 and conflict == 1) is example.accept
        assert (confidence <= 3 and conflict >= 8) is not example.accept
        assert len(verdict["judgement_summary"]) <= 120
        assert "\n" not in example.reply
    accepted = [example.accept for example in examples]
    passed = passes(job(e.request, e.draft) for e in examples)
    agreed = [accept is ok for accept, ok in zip(accepted, passed, strict=True)]
    assert agreed.count(True) > 0.99 * len(agreed)
    assert 0.3 < sum(accepted) / len(accepted) < 0.7


def test_the_critic_does_not_believe_every_refusal() -> None:
    """Where the coder does not know a task that is known, the judge learns to reject that, and the
    reviewer to write the code."""
    drawn = itertools.islice(stream("critic", HERE, LESSONS.index(OPINION)), 1500)
    refused = [each for each in drawn if each.kind == "refused"]
    assert {each.draft for each in refused} == {unknown.REPLY}
    replies = defaultdict(list)
    for each in refused:
        replies[each.user.partition("\n")[0]].append(each)
    assert all(json.loads(each.reply)["confidence_score"] < 4 for each in replies["JUDGE"])
    assert all(passes(job(each.request, each.reply) for each in replies["REVIEW"]))
    assert min(map(len, replies.values())) > 20


def test_reviewer_replies_pass_and_keep_correct_code() -> None:
    """The reviewer is taught code that passes, and to return correct code as it came."""
    examples = known(drawn(reviewer_example))
    assert right(job(e.request, e.reply) for e in examples)
    kept = [e for e in examples if e.accept]
    assert kept and all(e.reply == e.draft for e in kept)
    assert {e.kind for e in examples} >= {"mutant", "foreign", "cut", "empty", "correct"}


def test_near_misses_ask_for_no_known_task() -> None:
    """None of the requests that are to be refused is also drawn for a task that is known; those
    that begin with a known task say which."""
    rng = random.Random(4)
    unknown_ones = [unknown_request(rng) for _ in range(8000)]
    known_texts = {request(rng, rng.choice(FAMILIES)).text.lower() for _ in range(20_000)}
    assert not known_texts & {asked.text.lower() for asked in unknown_ones}
    assert 0.2 < sum(asked.like is not None for asked in unknown_ones) / 8000 < 0.6
    assert not any(asked.family for asked in unknown_ones)


def test_unknown_tasks_are_refused_in_valid_python() -> None:
    """To a request that is not known the coder replies with a comment, which the judge never
    accepts, and the reviewer with a note that names the command for a real model."""
    assert ast.parse(unknown.REPLY).body == ast.parse(unknown.NOTE).body == []
    assert unknown.NOTE.startswith("# REVIEWER_NOTE: ") and "ollama pull" in unknown.NOTE
    for make, reply in ((coder_example, unknown.REPLY), (reviewer_example, unknown.NOTE)):
        beyond = [e for e in drawn(make, 1500) if e.request.family is None]
        assert beyond and {e.reply for e in beyond} == {reply}
    judged = [e for e in drawn(judge_example, 1500) if e.request.family is None]
    assert judged and not any(e.accept for e in judged)


@pytest.mark.parametrize(
    ("phrase", "third", "ing"),
    [
        ("add up a list", "adds up a list", "adding up a list"),
        ("multiply two numbers", "multiplies two numbers", "multiplying two numbers"),
        ("compute it", "computes it", "computing it"),
        ("get it", "gets it", "getting it"),
        ("do fizzbuzz", "does fizzbuzz", "doing fizzbuzz"),
        ("take n and return it", "takes n and returns it", "taking n and returning it"),
        ("play", "plays", "playing"),
    ],
)
def test_verbs_are_conjugated(phrase: str, third: str, ing: str) -> None:
    """Descriptions fit frames in the third person and in the gerund."""
    assert (third_person(phrase), gerund(phrase)) == (third, ing)


def test_prompts_by_hand_cover_every_family() -> None:
    """The hand-written evaluation requests name every family and no other."""
    assert set(natural.PROMPTS) == set(BY_NAME)
    assert all(len(texts) >= 3 for texts in natural.PROMPTS.values())


def test_there_are_200_prompts_out_of_scope() -> None:
    """They are of many kinds, different from each other, and no prompt for a known task."""
    texts = [asked.text for asked in natural.unknown()]
    assert len(texts) == len({*texts}) == 200
    assert {*texts}.isdisjoint(asked.text for asked in natural.unknown_seen())
    assert len(natural_unknown.PROMPTS) >= 12
    assert not set(texts) & {asked.text for asked in natural.known()}


def test_model_card_and_tasks_state_the_measured_figures() -> None:
    """The files beside the weights are what the figures give: the card, and the list of tasks, each
    with an example that was answered well."""
    figures = json.loads((SHIPPED / FIGURES).read_text("utf-8"))
    assert (SHIPPED / CARD).read_text("utf-8") == render(figures)
    tasks = json.loads((SHIPPED / TASKS).read_text("utf-8"))
    assert tasks == figures["tasks"]
    assert {task["name"] for task in tasks} == set(BY_NAME)
    assert all(task["example"] for task in tasks)


def test_model_card_shows_the_note_as_it_is_read() -> None:
    """The command in it is the one that laios puts there, not the one of the training."""
    card = (SHIPPED / CARD).read_text("utf-8")
    [shown] = re.findall(r"^    (# REVIEWER_NOTE: .*)$", card, re.MULTILINE)
    command = re.escape(note("")) + r"laios models pull (\S+)"
    found = re.fullmatch(command, shown)
    assert found and found[1] in {model.name for model in CATALOG}


def test_weights_are_small() -> None:
    """Both weight files together stay under 16 MB."""
    sizes = {path.name: path.stat().st_size for path in SHIPPED.glob("*.gguf")}
    assert set(sizes) == {"coder.gguf", "critic.gguf"}
    assert sum(sizes.values()) < 16_000_000
