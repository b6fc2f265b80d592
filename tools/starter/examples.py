"""Training examples of the three roles: what the model is sent and what it is to reply."""

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from tools.starter import unknown
from tools.starter.families import FAMILIES
from tools.starter.family import Family
from tools.starter.mutants import mutants
from tools.starter.phrasing import Request, Split, random_name, request, unknown_request

FOREIGN = "This is code for a different task: it {does}."
ACCEPTED = "The code {does}, as asked."
CUT_OFF = "The code is cut off."
EMPTY = "The draft is empty."
MISNAMED = "The function should be called {name}."


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


def coder_prompt(prompt: str) -> str:
    """The coder's user message: the request itself."""
    return prompt


def judge_prompt(prompt: str, code: str) -> str:
    """The judge's user message."""
    return f"JUDGE\n{prompt}\n---\n{code}"


def reviewer_prompt(prompt: str, note: str, code: str) -> str:
    """The reviewer's user message; `note` is why the draft came to it."""
    return f"REVIEW\n{prompt}\n---\n{note}\n---\n{code}"


def verdict(confidence: int, conflict: int, summary: str) -> str:
    """The judge's reply."""
    keys = ("confidence_score", "conflict_score", "judgement_summary")
    return json.dumps(dict(zip(keys, (confidence, conflict, summary), strict=True)))


def coder_example(rng: random.Random, split: Split | None = None) -> Example:
    """A request and its code."""
    asked = any_request(rng, split or Split())
    return Example(coder_prompt(asked.text), asked.answer, asked)


def any_request(rng: random.Random, split: Split) -> Request:
    """A request for a known task, or now and then for an unknown one."""
    if rng.random() < 0.05:
        return unknown_request(rng)
    return request(rng, rng.choice(FAMILIES), split)


@dataclass(frozen=True)
class Lesson:
    """How often the critic sees which kind of draft."""

    judge: tuple[int, ...]
    reviewer: tuple[int, ...]
    learn_drafts: bool


_KINDS = ("correct", "mutant", "foreign", "cut", "misnamed", "empty")
# First what broken code looks like; then whether code is what the request asks for, which is far
# slower to learn. Writing the correct drafts itself teaches the critic what to expect.
DEFECTS = Lesson((45, 31, 14, 6, 3, 1), (17, 45, 17, 11, 3, 7), learn_drafts=False)
FIT = Lesson((42, 24, 24, 4, 5, 1), (17, 35, 25, 8, 5, 10), learn_drafts=True)
DEFECTS_EXAMPLES = 48_384


def judge_example(
    rng: random.Random,
    split: Split | None = None,
    kind: str = "",
    asked: Request | None = None,
    lesson: Lesson | None = None,
) -> Example:
    """A request, a draft and the verdict on it."""
    asked = asked or any_request(rng, split or Split(critic=True))
    kind = kind or rng.choices(_KINDS, (lesson or FIT).judge)[0]
    draft = make_draft(rng, asked, kind)
    accept = draft.kind == "correct"
    confidence = 9 if accept else _REJECTED.get(draft.kind, 1)
    reply = verdict(confidence, 1 if accept else 11 - confidence, draft.summary)
    return Example(
        judge_prompt(asked.text, draft.code), reply, asked, draft.code, accept, draft.kind
    )


# Confidence in a wrong draft: a slip 3, a cut 2, anything else 1.
_REJECTED = {"mutant": 3, "misnamed": 3, "cut": 2}


def reviewer_example(
    rng: random.Random,
    split: Split | None = None,
    kind: str = "",
    asked: Request | None = None,
    lesson: Lesson | None = None,
) -> Example:
    """A request, a note, a draft and the code that should have been."""
    if not kind and not asked and rng.random() < 0.06:
        return _review_only(rng)
    asked = asked or any_request(rng, split or Split(critic=True))
    kind = kind or rng.choices(_KINDS, (lesson or FIT).reviewer)[0]
    draft = make_draft(rng, asked, kind)
    return Example(
        reviewer_prompt(asked.text, note(rng, draft), draft.code),
        draft.mended,
        asked,
        draft.code,
        draft.kind == "correct",
        draft.kind,
    )


def _review_only(rng: random.Random) -> Example:
    """A draft without a request: the function's name says what it should do."""
    family = rng.choice(FAMILIES)
    asked = Request(rng.choice(("", "", "fix this code", "review this code")), family)
    kind = rng.choice(("mutant", "mutant", "cut", "correct"))
    draft = make_draft(rng, asked, kind, keep_name=True)
    user = reviewer_prompt(asked.text, "" if rng.random() < 0.7 else note(rng, draft), draft.code)
    return Example(user, draft.mended, asked, draft.code, draft.kind == "correct", draft.kind)


def make_draft(rng: random.Random, asked: Request, kind: str, keep_name: bool = False) -> Draft:
    """A draft of the given kind for the request."""
    family = asked.family
    if family is None:
        return _unknown_draft(rng, kind)
    if kind == "misnamed" and not asked.name:
        kind = "mutant"
    name = asked.name
    if not name and not keep_name and kind in ("correct", "mutant") and rng.random() < 0.2:
        name = random_name(rng)  # nobody asked for a certain name
    mended = family.code(name)
    if kind == "mutant":
        broken = rng.choice(mutants()[family.name])
        code = broken.source.replace("NAME", name or family.name)
        return Draft(code, kind, broken.summary, mended)
    if kind == "foreign":
        other = rng.choice(_others(family))
        code = other.code(name)
        if {family.name, other.name} in ALIKE:
            return Draft(code, "correct", ACCEPTED.format(does=family.does), code)
        return Draft(code, kind, FOREIGN.format(does=other.does), mended)
    if kind == "cut":
        return Draft(cut_off(rng, mended), kind, CUT_OFF, mended)
    if kind == "misnamed":
        wrong = rng.choice((family.name, random_name(rng)))
        return Draft(family.code(wrong), kind, MISNAMED.format(name=name), mended)
    if kind == "empty":
        return Draft("", kind, EMPTY, mended)
    return Draft(mended, "correct", ACCEPTED.format(does=family.does), mended)


def _unknown_draft(rng: random.Random, kind: str) -> Draft:
    """For a task that is not known no draft is right, and only the honest reply stays."""
    code = rng.choice(FAMILIES).code()
    if kind in ("correct", "empty"):
        code = unknown.REPLY if kind == "correct" else ""
    return Draft(code, "unknown", unknown.SUMMARY, unknown.REPLY)


# Tasks that are easily taken for each other: wrong code is most often of one of these.
_GROUPS = (
    ("find_max", "find_min", "second_largest", "median", "mean", "longest_word"),
    ("sum_list", "product_list", "mean", "running_total", "digit_sum", "median"),
    ("sort_ascending", "sort_descending", "reverse_list", "reverse_string"),
    ("filter_even", "filter_odd", "is_even", "is_odd", "squares"),
    ("remove_duplicates", "common_elements", "flatten", "count_occurrences"),
    ("count_vowels", "count_words", "char_frequency", "count_occurrences"),
    ("to_upper", "to_lower", "title_case"),
    ("is_palindrome", "is_anagram", "reverse_string"),
    ("fibonacci", "fibonacci_up_to", "first_fibonacci", "primes_up_to"),
    ("is_prime", "primes_up_to", "is_even", "is_leap_year"),
    ("gcd", "lcm", "factorial"),
)


# Families whose code is right for each other.
ALIKE: tuple[set[str], ...] = ({"reverse_list", "reverse_string"},)


def _others(family: Family) -> list[Family]:
    near = {name for group in _GROUPS if family.name in group for name in group} - {family.name}
    others = [other for other in FAMILIES if other is not family]
    return others + [other for other in others if other.name in near] * 8


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
        misleading = [rng.choice(mutants()[family.name]).summary, FOREIGN.format(does=family.does)]
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


def critic_example(rng: random.Random, lesson: Lesson = FIT) -> Example:
    """An example for the judge or for the reviewer, in equal parts."""
    make = judge_example if rng.random() < 0.5 else reviewer_example
    example = make(rng, lesson=lesson)
    return replace(example, learn_draft=lesson.learn_drafts and example.accept)


MAKERS: dict[str, Callable[[random.Random], Example]] = {
    "coder": coder_example,
    "critic": critic_example,
}
SEEDS = {"coder": 20261121, "critic": 77031}


def stream(model: str) -> Iterator[Example]:
    """The endless training stream of a model ("coder" or "critic"), the same at each call."""
    rng = random.Random(SEEDS[model])
    if model == "critic":
        for _ in range(DEFECTS_EXAMPLES):
            yield critic_example(rng, DEFECTS)
    while True:
        yield MAKERS[model](rng)
