"""The calls that tell drafts apart, and what comes of them, for models and people. Pure."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

from pipeline.sandbox import Case
from pipeline.testcases.behaviour import Behaviour
from pipeline.testcases.sample_databases import is_database, rows_in

_SHOWN_BEFORE = 3  # words that are the same, of what programs print
_LONGEST = 60  # characters of such a call, and of what comes of it
_ROWS = 200  # of what stands in a database
_ENDED = frozenset(("cpu", "died", "memory", "output", "timeout"))
_VERBS = {"gave": "gives", "printed": "prints", "left": "leaves"}
_VERBS |= {"wrote": "writes", "ended": "ends"}


@dataclass(frozen=True, slots=True)
class Difference:
    """A call of which not the same comes: `came` says what, by the draft's number."""

    call: str
    came: Mapping[int, str]

    def seen_from(self, number: int) -> dict[str, str]:
        """What comes of it in this draft (`here`) and in the others (`elsewhere`)."""
        here = self.came[number]
        others = dict.fromkeys(each for each in self.came.values() if each != here)
        return {"call": self.call, "here": here, "elsewhere": " or ".join(others)}


def differences(
    did: Mapping[int, Behaviour], calls: Sequence[Case], function: str
) -> Iterator[Difference]:
    """The calls that tell apart those that say something: first those of which each gives a value,
    of them the shortest. Of programs, what they print."""
    telling = {n: each.outcomes for n, each in did.items() if not each.says_nothing}
    made = min(map(_made, telling.values()), default=0)
    outcomes = [{n: came[at] for n, came in telling.items()} for at in range(made)]
    texts = [_written(call, function) for call in calls[:made]]
    if any(call.stdin is not None for call in calls):  # programs that are run
        outcomes = [
            _where_they_differ(each) if all(map(_is_printed, each.values())) else each
            for each in outcomes
        ]
    for at in sorted(
        (at for at, text in enumerate(texts) if text),
        key=lambda at: (sum(not _is_value(each) for each in outcomes[at].values()), len(texts[at])),
    ):
        came = {n: _shown(each) for n, each in outcomes[at].items()}
        if len(set(came.values())) > 1:
            longest = _ROWS if is_database(calls[at]) else _LONGEST
            yield Difference(_cut(texts[at], longest), came)


def _made(outcomes: Sequence[str]) -> int:
    """How many of the calls were made for certain: of what ended the process in the end, none of
    those behind it was."""
    ended = sum(1 for _ in takewhile(_ENDED.__contains__, reversed(outcomes)))
    return len(outcomes) - max(0, ended - 1)


def _where_they_differ(printed: Mapping[int, str]) -> dict[int, str]:
    """What each program printed, from a few words before the first that is another one on. The
    ends of lines are words where nothing else differs."""
    words = {n: each.split() for n, each in printed.items()}
    if len(set(map(tuple, words.values()))) < len(set(printed.values())):
        words = {n: each.replace("\n", " ⏎ ").split() for n, each in printed.items()}
    columns = zip(*words.values(), strict=False)
    same = sum(1 for _ in takewhile(lambda column: len(set(column)) == 1, columns))
    start = max(1, same - _SHOWN_BEFORE)
    head = "printed … " if start > 1 else "printed "
    return {n: f"{head}{' '.join(each[start:])}" for n, each in words.items()}


def _written(call: Case, function: str) -> str:
    """As a person writes it, with what stands in a file that it is given."""
    if is_database(call):
        return rows_in(call)
    if call.stdin is not None:
        given = [shlex.join(call.words), repr(call.stdin) if call.stdin else ""]
        written = " ".join(["the program", *(f"with {each}" for each in given if each)])
    else:
        written = "; ".join(call.session.splitlines())
    files = "; ".join(call.shown_files)
    written = written or f"{call.function or function}({call.arguments})"
    return f"{written} ({files})" if files else written


def _is_printed(outcome: str) -> bool:
    return outcome.startswith("printed ")


def _is_value(outcome: str) -> bool:
    return outcome.startswith(tuple(f"{verb} " for verb in _VERBS))


def _shown(outcome: str) -> str:
    """`gives 0.0`, `prints 1 2 3`, `leaves [[1, 2]]`, `raises ValueError`, `ends: timeout`."""
    verb, _, what = outcome.partition(" ")
    if verb in _VERBS:
        said = what if verb == "gave" else " ".join(what.strip().replace("\n", " ⏎ ").split())
        return f"{_VERBS[verb]} {_cut(said)}"
    return f"raises {_cut(what) or 'an exception'}" if verb == "raised" else f"ends: {outcome}"


def _cut(text: str, longest: int = _LONGEST) -> str:
    return text if len(text) <= longest else f"{text[:longest]} …"
