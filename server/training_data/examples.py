"""Turn records into training examples. Pure, and whatever is in the records.

An answer is one to learn from where a person rated it up, or where tests or the request's examples
were run and hold; a judge's word alone is none, unless it is asked for. Of two answers to one
request one is the better where facts or a person say so.
"""

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Any, Literal

from history.ratings import Rating
from history.record import Record
from history.record_values import as_table, as_tables, as_text
from history.whole_prompt import is_prompt_all
from laios.tested_json import code_alone
from pipeline.analysis.evidence import NOTED
from pipeline.confirmation import confirmed

Ratings = Mapping[str, Rating]
Who = Literal["a person", "tests or examples", "evidence", "the judge", "the model's own drafts"]
# `hold` is of earlier records. Tests that the model wrote itself are its own word.
_TESTED = re.compile(r"not judged: .*\b(?:examples (?:hold|pass)|(?<!model-written )tests pass)$")
_FACTS = NOTED | {"test"}

Example = dict[str, Any]
"""A row in TRL's conversational forms: the turns of `prompt` and `completion`, or of `prompt`,
`chosen` and `rejected`; who said so (`confirmed_by`, `preferred_by`); the run's `id`, its
`language`, and the `models` that wrote it."""


def is_usable(record: Record) -> bool:
    """A whole request of a person's with its texts: what `///ctx` or a chat put before a prompt is
    not in the record's prompt, so a run with it would teach answers to half a question; code in a
    JSON would teach JSON."""
    texts = (record.get("normalized_prompt"), record.get("final_output"))
    if record.get("kind") != "run" or record.get("error"):
        return False
    if record.get("context_ids") or record.get("source") == "query":
        return False
    if not is_prompt_all(record):
        return False
    if not all(isinstance(text, str) and text.strip() for text in texts):
        return False
    return code_alone(record) is record


def answered(records: Iterable[Record], ratings: Ratings, *, judged: bool) -> Iterator[Example]:
    """`judged`: a judge's word confirms, too. What a person rated down is never among them."""
    for record in filter(is_usable, records):
        if who := _confirmed_by(record, ratings, judged=judged):
            yield _example(record, {"confirmed_by": who}, completion=str(record["final_output"]))


def _confirmed_by(record: Record, ratings: Ratings, *, judged: bool) -> Who | None:
    said = ratings.get(record["id"])
    if said:
        return "a person" if said.rating == "up" else None
    trust = confirmed(record)
    if trust and _is_tested(record):
        return "tests or examples"
    if not (judged and trust):
        return None
    return "the judge" if trust > _unjudged(record) else "the model's own drafts"


def _is_tested(record: Record) -> bool:
    """Whether tests or examples were run and hold, whatever a judge says. Drafts that agree are
    neither, nor are tests that the model wrote to choose one."""
    tests = as_tables(as_table(record.get("artefact")).get("tests"))
    ran = bool(tests) or _TESTED.match(str(record.get("final_reason")))
    return bool(ran and _unjudged(record))


def _unjudged(record: Record) -> float:
    """How far it would be trusted if no judge had said anything."""
    return confirmed({**record, "judge": None, "reviewer_judge": None})


def preferred(records: Iterable[Record], ratings: Ratings) -> Iterator[Example]:
    """Draft against review, drafts against the chosen one, and answers to one request that people
    rated differently."""
    rated: dict[str, dict[str, Record]] = {}
    for record in filter(is_usable, records):
        said = ratings.get(record["id"])
        if said:
            rated.setdefault(str(record["normalized_prompt"]), {}).setdefault(said.rating, record)
        yield from _within(record, said.rating if said else None)
    for pair in rated.values():
        if {"up", "down"} <= pair.keys():
            worse = str(pair["down"]["final_output"])
            if _differs(worse, str(pair["up"]["final_output"])):
                yield _pair(pair["up"], worse, "a person")


def _within(record: Record, said: str | None) -> Iterator[Example]:
    """Pairs of one run: its answer against what it was chosen before."""
    if said == "down" or _facts_against(record, record.get("final_source")):
        return  # what was returned is no example of the better one
    final = str(record["final_output"])
    source = "reviewer" if record.get("final_source") == "coder" else "coder"
    other = record.get(f"{source}_output")
    if _differs(other, final):
        if _facts_against(record, source):
            yield _pair(record, str(other), "evidence")
        elif said == "up":
            yield _pair(record, str(other), "a person")
    for code in _failed_attempts(record):
        if _differs(code, final) and code != other:
            yield _pair(record, code, "evidence")


def _pair(record: Record, rejected: str, who: Who) -> Example:
    chosen = str(record["final_output"])
    return _example(record, {"preferred_by": who}, chosen=chosen, rejected=rejected)


def _example(record: Record, who: dict[str, Who], **answers: str) -> Example:
    return {
        "prompt": [{"role": "user", "content": str(record["normalized_prompt"])}],
        **{name: [{"role": "assistant", "content": text}] for name, text in answers.items()},
        **who,
        "id": record["id"],
        "language": as_text(record.get("language")),
        "models": writers_of(record),
    }


def _facts_against(record: Record, source: str | None) -> bool:
    return any(
        each.get("stage") == source and each.get("kind") in _FACTS
        for each in as_tables(record.get("evidence"))
    )


def _failed_attempts(record: Record) -> Iterator[str]:
    """Of drafts and rounds, those that fail what the answer passes when it is run."""
    if not _unjudged(record):
        return
    made = as_table(record.get("artefact"))
    left_out = {str(each.get("name")) for each in as_tables(made.get("left_out"))}
    for each in as_tables(made.get("rounds") or made.get("drafts") or made.get("attempts")):
        code = as_text(each.get("code"))
        if code is not None and _fails(each, left_out):
            yield code


def _fails(attempt: Mapping[str, Any], left_out: Container[str]) -> bool:
    """Whether it fails a test that counts: its numbers have those, too, that were left out later
    because they are mostly wrong themselves."""
    if results := as_tables(attempt.get("results")):
        counted = (each for each in results if str(each.get("name")) not in left_out)
        return any(each.get("status") != "passed" for each in counted)
    passed, of = attempt.get("passed"), attempt.get("tests", attempt.get("total"))
    if isinstance(passed, int) and isinstance(of, int):
        return passed < of
    return bool(attempt.get("findings"))


def _differs(one: object, other: str) -> bool:
    return isinstance(one, str) and bool(one.strip()) and one.strip() != other.strip()


def writers_of(record: Record) -> list[str]:
    """The models that wrote any of the run's texts: those of coder and reviewer."""
    steps = as_tables(record.get("steps"))
    found = (each.get("model") for each in steps if each.get("stage") != "judge")
    return [*dict.fromkeys(name for name in found if isinstance(name, str))]
