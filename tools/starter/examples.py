"""Training examples of the three roles: what the model is sent and what it is to reply."""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from pipeline.exchange import Exchange
from tools.starter import naming, unknown
from tools.starter.families import ALIKE, FAMILIES, GROUPS
from tools.starter.family import Family
from tools.starter.mutants import mutants
from tools.starter.phrasing import (
    LANGUAGE_WORDS,
    Request,
    Split,
    follow_up,
    random_name,
    request,
    unknown_change,
    unknown_request,
)

FOREIGN = "This is code for a different task: it {does}."
ACCEPTED = "The code {does}, as asked."
CUT_OFF = "The code is cut off."
EMPTY = "The draft is empty."
MISNAMED = "The function should be called {name}."
FOREIGN_LANGUAGE = "The code should be in {language}."
REFUSED = "The starter model knows this task: code that {does}."


@dataclass(frozen=True)
class Example:
    """One exchange: the user message and the reply; `request` and `draft` are what it is about."""

    user: str
    reply: str
    request: Request
    draft: str = ""
    accept: bool = False
    kind: str = ""
    learn_draft: bool = False  # the draft is learnt as if it were the model's own


@dataclass(frozen=True)
class Draft:
    """Code that may be wrong: `summary` says how, `kind` is what was done to it, `mended` is the
    code as it should have been (a name that nobody asked for stays)."""

    code: str
    kind: str
    summary: str
    mended: str


def coder_prompt(asked: Request) -> str:
    """The coder's user message: the request itself, after the exchange before it."""
    return f"{asked.history}---\n{asked.text}" if asked.history else asked.text


def judge_prompt(asked: Request, code: str) -> str:
    """The judge's user message."""
    return f"JUDGE\n{coder_prompt(asked)}\n---\n{code}"


def reviewer_prompt(asked: Request, note: str, code: str) -> str:
    """The reviewer's user message; `note` is why the draft came to it."""
    return f"REVIEW\n{coder_prompt(asked)}\n---\n{note}\n---\n{code}"


def verdict(confidence: int, conflict: int, summary: str) -> str:
    """The judge's reply."""
    keys = ("confidence_score", "conflict_score", "judgement_summary")
    return json.dumps(dict(zip(keys, (confidence, conflict, summary), strict=True)))


def coder_example(rng: random.Random, split: Split | None = None) -> Example:
    """A request and its code."""
    asked = any_request(rng, split or Split())
    return Example(coder_prompt(asked), asked.answer, asked)


# By part of the training: first what is beyond the model; then, with more ways of asking, what is
# not; then both; then, in any way of asking, what is not; then both again, because the critic now
# mends refusals of what is known; then much that is odd; then names and examples anywhere; at last
# any names.
UNKNOWN_SHARE = (0.2, 0.1, 0.16, 0.12, 0.25, 0.35, 0.42, 0.3, 0.25)
CHANGE_SHARE = 0.06  # of the unknown requests from the third part on: changes to nothing
HISTORY_SHARE = 0.1


def any_request(rng: random.Random, split: Split) -> Request:
    """A request for a known task, or at times for an unknown one; at times after another exchange,
    to which it may refer."""
    after = rng.random() < HISTORY_SHARE
    if rng.random() < UNKNOWN_SHARE[split.part]:
        asked = unknown_follow_up(rng) if after else unknown_request(rng, split.part)
        if split.part > 1 and not after and rng.random() < CHANGE_SHARE:
            asked = unknown_change(rng)
    else:
        asked = request(rng, rng.choice(split.families), split)
        if after and rng.random() < 0.6:
            return follow_up(rng, asked, split) or asked
    if after and not asked.history:
        before = request(rng, rng.choice(split.families), split)
        return replace(asked, history=Exchange(before.text, before.answer))
    return asked


def unknown_follow_up(rng: random.Random) -> Request:
    """A change to earlier code that the model cannot make."""
    before = request(rng, rng.choice(FAMILIES))
    asked = unknown_change(rng)
    return replace(asked, history=Exchange(before.text, before.answer))


@dataclass(frozen=True)
class Lesson:
    """How often the critic sees which kind of draft; `refusals` is how many of the drafts for a
    task that is not known are then the coder's refusal after all, and `disputed` how often the note
    on a refusal says the opposite of what is true."""

    judge: tuple[int, ...]
    reviewer: tuple[int, ...]
    learn_drafts: bool
    refusals: float = 0.0
    disputed: float = 0.0
    garbled: bool = False  # wrong names are mostly close to the right one


_KINDS = ("correct", "mutant", "foreign", "cut", "misnamed", "language", "empty", "refused")
# First what broken code looks like; then whether code is what the request asks for, which is far
# slower to learn. Writing the correct drafts itself teaches the critic what to expect.
DEFECTS = Lesson((44, 29, 14, 5, 5, 2, 1, 0), (15, 44, 17, 11, 4, 2, 7, 0), learn_drafts=False)
FIT = Lesson((42, 22, 23, 4, 6, 2, 1, 0), (16, 33, 25, 8, 6, 2, 10, 0), learn_drafts=True)
DEFECTS_EXAMPLES = 48_384
# At last that the coder may be wrong in what it does not know: the critic knows more wordings.
OPINION = Lesson((42, 18, 20, 3, 5, 2, 1, 14), (12, 26, 20, 6, 5, 2, 6, 23), learn_drafts=True)
# As in OPINION, but with refusals that are right about as often as the coder's are.
CAUTION = Lesson((42, 20, 21, 4, 6, 2, 1, 8), (12, 28, 22, 6, 5, 2, 8, 12), True, refusals=0.55)
# And the judge may be wrong about them as well.
DISPUTE = replace(CAUTION, disputed=0.12)
# At last whether the name is the very one that was asked for.
COPY = Lesson(
    (40, 16, 18, 3, 16, 2, 1, 6), (14, 22, 18, 5, 18, 2, 8, 12), True, 0.55, 0.12, garbled=True
)
LESSONS = (FIT, FIT, FIT, FIT, OPINION, CAUTION, DISPUTE, DISPUTE, COPY)  # by part of the training


def judge_example(
    rng: random.Random,
    split: Split | None = None,
    kind: str = "",
    asked: Request | None = None,
    lesson: Lesson | None = None,
) -> Example:
    """A request, a draft and the verdict on it."""
    asked = asked or any_request(rng, split or Split(critic=True))
    kind = kind or _kind(rng, asked, lesson or FIT, (lesson or FIT).judge)
    draft = make_draft(rng, asked, kind, garbled=bool(lesson and lesson.garbled))
    accept = draft.kind == "correct"
    confidence = 9 if accept else _REJECTED.get(draft.kind, 1)
    reply = verdict(confidence, 1 if accept else 11 - confidence, draft.summary)
    return Example(judge_prompt(asked, draft.code), reply, asked, draft.code, accept, draft.kind)


# Confidence in a wrong draft: a slip 3, a cut 2, anything else 1.
_REJECTED = {"mutant": 3, "misnamed": 3, "language": 2, "cut": 2}


def reviewer_example(
    rng: random.Random,
    split: Split | None = None,
    kind: str = "",
    asked: Request | None = None,
    lesson: Lesson | None = None,
) -> Example:
    """A request, a note, a draft and the code that should have been."""
    split = split or Split(critic=True)
    if not kind and not asked and rng.random() < 0.06:
        return _review_only(rng, split)
    asked = asked or any_request(rng, split)
    kind = kind or _kind(rng, asked, lesson or FIT, (lesson or FIT).reviewer)
    draft = make_draft(rng, asked, kind, garbled=bool(lesson and lesson.garbled))
    why = note(rng, draft)
    if lesson and lesson.disputed and draft.code == unknown.REPLY:
        why = _disputed(rng, asked) if rng.random() < lesson.disputed else why
    return Example(
        reviewer_prompt(asked, why, draft.code),
        draft.mended,
        asked,
        draft.code,
        draft.kind == "correct",
        draft.kind,
    )


def _disputed(rng: random.Random, asked: Request) -> str:
    """What a judge says of a refusal who takes a known task for an unknown one, or the reverse."""
    if asked.family:
        return unknown.SUMMARY
    return REFUSED.format(does=(asked.like or rng.choice(FAMILIES)).does)


def _kind(rng: random.Random, asked: Request, lesson: Lesson, weights: Sequence[int]) -> str:
    kind = rng.choices(_KINDS, weights)[0]
    if lesson.refusals and not asked.family and rng.random() < lesson.refusals:
        return "refused"
    return kind


def _review_only(rng: random.Random, split: Split) -> Example:
    """A draft without a request: the function's name says what it should do."""
    family = rng.choice(split.families)
    text = rng.choice(("", "", "fix this code", "review this code"))
    asked = Request(text, family, language=family.language)
    kind = rng.choice(("mutant", "mutant", "cut", "correct"))
    draft = make_draft(rng, asked, kind, keep_name=True)
    user = reviewer_prompt(asked, "" if rng.random() < 0.7 else note(rng, draft), draft.code)
    return Example(user, draft.mended, asked, draft.code, draft.kind == "correct", draft.kind)


def make_draft(
    rng: random.Random,
    asked: Request,
    kind: str,
    keep_name: bool = False,
    garbled: bool = False,
) -> Draft:
    """A draft of the given kind for the request."""
    family = asked.family
    if family is None:
        return _unknown_draft(rng, asked, kind)
    language = asked.language
    others = [each for each in family.languages if each != language]
    if (kind == "misnamed" and not asked.name) or (kind == "language" and not others):
        kind = "mutant"
    name = asked.name
    if not name and not keep_name and kind in ("correct", "mutant") and rng.random() < 0.2:
        name = random_name(rng, family.is_class)  # nobody asked for a certain name
    mended = family.code(name, language)
    if kind == "mutant":
        broken = rng.choice(mutants()[family.name, language])
        code = broken.source.replace("NAME", name or family.name_in(language))
        return Draft(code, kind, broken.summary, mended)
    if kind == "foreign":
        other = rng.choice(_others(family, language))
        code = other.code(name, language)
        if (other.name, family.name) in ALIKE:
            return Draft(code, "correct", ACCEPTED.format(does=family.does), code)
        return Draft(code, kind, FOREIGN.format(does=other.does), mended)
    if kind == "language":
        wanted = LANGUAGE_WORDS[language][1]
        return Draft(
            family.code(name, others[0]), kind, FOREIGN_LANGUAGE.format(language=wanted), mended
        )
    if kind == "cut":
        return Draft(cut_off(rng, mended), kind, CUT_OFF, mended)
    if kind == "misnamed":
        return _misnamed_draft(rng, asked, mended, garbled)
    if kind == "empty":
        return Draft("", kind, EMPTY, mended)
    if kind == "refused":
        return Draft(unknown.REPLY, kind, REFUSED.format(does=family.does), mended)
    return Draft(mended, "correct", ACCEPTED.format(does=family.does), mended)


def _misnamed_draft(rng: random.Random, asked: Request, mended: str, garbled: bool) -> Draft:
    family, wrong = asked.family, asked.name
    assert family
    while wrong == asked.name:
        own = family.name_in(asked.language)
        wrong = rng.choice((own, random_name(rng, family.is_class)))
        if garbled and rng.random() < 0.7:
            wrong = naming.garbled(rng, asked.name)
    code = family.code(wrong, asked.language)
    return Draft(code, "misnamed", MISNAMED.format(name=asked.name), mended)


def _unknown_draft(rng: random.Random, asked: Request, kind: str) -> Draft:
    """For a task that is not known no draft is right, and only the honest reply stays."""
    if kind in ("correct", "empty", "refused"):
        code = "" if kind == "empty" else unknown.REPLY
    elif kind == "cut":
        code = rng.choice(unknown.DRAFTS)
    else:
        family = asked.like if asked.like and rng.random() < 0.7 else rng.choice(FAMILIES)
        code = family.code(asked.name, rng.choice(family.languages))
    return Draft(code, "unknown", unknown.SUMMARY, unknown.NOTE)


def _others(family: Family, language: str) -> list[Family]:
    """Other tasks in the language: those that are easily taken for this one far more often."""
    near = {name for group in GROUPS if family.name in group for name in group} - {family.name}
    others = [f for f in FAMILIES if f is not family and language in f.languages]
    return others + [f for f in others if f.name in near] * max(1, len(others) // 5)


def cut_off(rng: random.Random, code: str) -> str:
    """The code without its end: at least one character of its last line is missing."""
    return code[: rng.randint(4, len(code) - 1)].rstrip()


def note(rng: random.Random, draft: Draft) -> str:
    """Why a draft comes to the reviewer: mostly true, at times empty, general or misleading."""
    kind = rng.random()
    if draft.kind in ("cut", "empty") and kind < 0.6:
        return rng.choice(_EVIDENCE[draft.kind]).format(line=draft.code.count("\n") + 1)
    if "syntax error" in draft.summary and kind < 0.5:
        line = rng.randint(1, draft.code.count("\n") + 1)
        return f"evidence: syntax error at line {line}"
    if kind < 0.12:
        return ""
    if kind < 0.27:
        low, high = rng.randint(1, 7), rng.randint(7, 10)
        reasons = (f"confidence {low} < 8", f"conflict {high} > 6")
        return rng.choice((*reasons, "; ".join(reasons), "judge: no readable verdict"))
    if kind < 0.38:
        family = rng.choice(FAMILIES)
        misleading = [
            rng.choice(mutants()[family.name, family.language]).summary,
            FOREIGN.format(does=family.does),
        ]
        return rng.choice([*misleading, ACCEPTED.format(does=family.does), CUT_OFF])
    return draft.summary


_EVIDENCE = {
    "cut": (
        "evidence: syntax error at line {line}",
        "evidence: the draft was cut off",
        "evidence: the draft was cut off by the token limit",
        "the draft is cut off",
    ),
    "empty": ("evidence: the draft is empty", "the draft is empty", "evidence: empty draft"),
}


def critic_example(
    rng: random.Random, split: Split | None = None, lesson: Lesson | None = None
) -> Example:
    """An example for the judge or for the reviewer, in equal parts."""
    lesson = lesson or LESSONS[split.part if split else 0]
    make = judge_example if rng.random() < 0.5 else reviewer_example
    example = make(rng, split, lesson=lesson)
    return replace(example, learn_draft=lesson.learn_drafts and example.accept)


MAKERS: dict[str, Callable[[random.Random, Split], Example]] = {
    "coder": coder_example,
    "critic": critic_example,
}
SEEDS = {"coder": 20261121, "critic": 77031}


def stream(model: str, families: tuple[Family, ...] = FAMILIES, part: int = 0) -> Iterator[Example]:
    """The endless training stream of a model ("coder" or "critic") in a part of the training, the
    same at each call."""
    rng = random.Random(SEEDS[model] + part)
    split = Split(critic=model == "critic", families=families, part=part)
    if model == "critic" and not part:
        for _ in range(DEFECTS_EXAMPLES):
            yield critic_example(rng, split, DEFECTS)
    while True:
        yield MAKERS[model](rng, split)
