"""Asks a judge about drafts that were executed, in one of several forms, on llama.cpp's server as
the engine starts it, but without lookup: there are no probabilities of tokens that were copied."""

import ast
import json
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

from config import Settings
from history.bench_results import ResultFile, ResultRow, key_of
from history.bench_summary import latest, models_of
from history.statistics import auroc, auroc_interval
from pipeline.analysis.python_syntax import parse
from pipeline.errors import Unreadable
from pipeline.model import Message
from pipeline.review.judge import write_prompt
from pipeline.review.verdict import HIGHEST, LOWEST, read_verdict
from pipeline.review.yes_no import write_question
from pipeline.strict_json import read_object
from pipeline.task import Task
from server.terminal.counting import counting
from tools.bench.drafts.choose import Compared
from tools.bench.drafts.executed import Executed, conditions
from tools.bench.engine_calls import Bare, Spoken, judging

Row = dict[str, Any]
FORMS = ("scores", "scores-apart", "digits", "reason", "yes-no", "yes-no-apart", "blind", "facts")
WITH_FACTS = "facts"
LIKELY = {"logprobs": True, "top_logprobs": 10}
ONE_WORD = {"max_tokens": 1, **LIKELY}
SCORES = 2  # confidence and conflict
DOES_IT = "do exactly what the request asks, for every input?"
YES_NO = "Answer yes or no."
WHY = (
    "Answer with one JSON object alone: "
    '{"reason": "<why, in at most twenty words>", "answer": "<right or wrong>"}'
)
REASONED = {
    "type": "object",
    "properties": {
        "reason": {"type": "string", "maxLength": 200},
        "answer": {"enum": ["right", "wrong"]},
    },
    "required": ["reason", "answer"],
    "additionalProperties": False,
}
FACTS = (
    "Facts: it was run on {calls} calls; of other programs for this request {alike} give the same "
    "values, {differ} give others.\n"
)
NOT_RUN = "Facts: it could not be run on any call.\n"
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


class Opinion(NamedTuple):
    """`score`: larger is better; None where the answer has none."""

    score: float | None
    accepted: bool


def question(form: str, of: Executed, facts: str) -> Mapping[str, Any]:
    """The request, but for what is the same in all."""
    code = of.draft.text
    apart = form == "scores-apart"
    verdict = judging(write_prompt(Task(of.prompt), code, as_said=of.draft.as_said, apart=apart))
    match form:
        case "scores" | "scores-apart":
            return verdict
        case "digits":
            return {**verdict, **LIKELY}
        case "reason":
            schema = {"type": "json_schema", "json_schema": {"schema": REASONED}}
            return {"messages": _apart(of, blind(code), WHY), "response_format": schema}
        case "yes-no":
            asked = write_question(Task(of.prompt), code, as_said=of.draft.as_said)
            return {"messages": asked, **ONE_WORD}
        case "yes-no-apart":
            return {"messages": _apart(of, code, YES_NO), **ONE_WORD}
        case "blind":
            return {"messages": _apart(of, blind(code), YES_NO), **ONE_WORD}
    return {"messages": _apart(of, blind(code), YES_NO, facts), **ONE_WORD}


def _apart(of: Executed, code: str, wanted: str, facts: str = "") -> list[Message]:
    """A conversation of its own."""
    asked = f"{facts}Does the code {DOES_IT} {wanted}"
    return [{"role": "user", "content": f"Request:\n{of.prompt}\n\nCode:\n{code}\n\n{asked}"}]


def blind(code: str) -> str:
    """The code without comments and docstrings; as it is where it does not parse."""
    tree = parse(code)
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(tree) if tree else code


def facts_of(compared: Compared, at: int) -> str:
    """How many of the other sound drafts do the same as this one."""
    mine = compared.did.get(at)
    if mine is None or mine.says_nothing:
        return NOT_RUN
    others = [each for n, each in compared.did.items() if n != at and not each.says_nothing]
    alike = others.count(mine)
    return FACTS.format(calls=compared.calls, alike=alike, differ=len(others) - alike)


def opinion(form: str, spoken: Spoken, settings: Settings) -> Opinion:
    """Scores are accepted at the thresholds in force, a yes from a half on."""
    match form:
        case "scores" | "scores-apart" | "digits":
            return _of_verdict(spoken, settings, with_digits=form == "digits")
        case "reason":
            score = _answer(spoken.text)
        case _:
            score = _yes(spoken.likely[0][1] if spoken.likely else {})
    return Opinion(score, score is not None and score >= 0.5)


def _of_verdict(spoken: Spoken, settings: Settings, *, with_digits: bool) -> Opinion:
    """Confidence less conflict."""
    try:
        verdict = read_verdict(spoken.text)
    except Unreadable:
        return Opinion(None, False)
    scores: list[float] = [verdict.confidence_score or 0, verdict.conflict_score or 0]
    if with_digits:
        scores = expected_scores(spoken.likely)
    score = scores[0] - scores[1] if len(scores) == SCORES else None
    return Opinion(score, verdict.escalation(settings) is None)


def expected_scores(likely: Iterable[tuple[str, Mapping[str, float]]]) -> list[float]:
    """Confidence and conflict of a verdict, each the mean over the probabilities of its digit. A 1
    counts as 10 where 10 was written, else as 1."""
    tokens = [(token.strip(), others) for token, others in likely]
    found = []
    for (token, others), (after, _) in zip(tokens, [*tokens[1:], ("", {})], strict=True):
        if token.isdigit() and token != "0":
            values = {str(n): n for n in range(LOWEST, HIGHEST + 1)}
            values |= {"1": HIGHEST} if token + after == str(HIGHEST) else {}
            words = [(word.strip(), share) for word, share in others.items()]
            known = [(values[word], share) for word, share in words if word in values]
            known = known or [(values[token], 1.0)]  # the schema let nothing else stand there
            found.append(sum(n * share for n, share in known) / sum(share for _, share in known))
    return found[:SCORES]


def _answer(text: str) -> float | None:
    """1 for right, 0 for wrong, behind the reason."""
    try:
        return {"right": 1.0, "wrong": 0.0}.get(str(read_object(text).get("answer")))
    except Unreadable:
        return None


def _yes(likely: Mapping[str, float]) -> float | None:
    """The probability of yes among yes and no."""
    words = [(token.strip().lower(), share) for token, share in likely.items()]
    yes, no = (sum(share for word, share in words if word == said) for said in ("yes", "no"))
    return yes / (yes + no) if yes + no else None


def judge(
    settings: Settings, model: Path, form: str, every: Sequence[Compared], file: ResultFile
) -> None:
    """About each program of each problem once; what the file has is not asked again, unless the
    question is worded in another way now. Raises EngineError, and RuntimeError for what the server
    says is wrong."""
    there = {key_of(row) for row in file}
    common = conditions("judge", model.name, settings) | {"arm": form}
    asked = [(of, at) for of in every for at in _programs(of)]
    bare: Bare | None = None
    with counting(len(asked)) as advance:
        for of, at in asked:
            draft = of.drafts[at]
            body = question(form, draft, facts_of(of, at))
            about = f"{draft.problem} {_digest(draft.draft.text)}"
            key = common | {"problem": f"{about} {_digest(json.dumps(body))}"}
            if key_of(key) not in there:
                bare = bare or Bare(model, lookup=False)
                spoken = bare.ask(**body)
                came = {"draft": about, "right": draft.right, "tokens": spoken.written}
                came |= {"said": spoken.text, **opinion(form, spoken, settings)._asdict()}
                file.append(key | came)
            advance(f"{draft.problem} draft {draft.drawn.number}")


def _programs(of: Compared) -> list[int]:
    """The first draft with each text."""
    places: dict[str, int] = {}
    for at, each in enumerate(of.drafts):
        if each.draft.text:
            places.setdefault(each.draft.text, at)
    return [*places.values()]


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def judge_rows(file: ResultFile) -> list[Row]:
    """Of each judge and form: how many drafts are `right` and `wrong`, AUROC with its 95 %
    interval, those accepted, answers that are `unread` (without a score: the area leaves them out,
    nothing accepts them), and the mean of the `tokens` written. Of the newest revision, and of each
    draft the last answer."""
    groups: dict[tuple[str, str], dict[str, ResultRow]] = {}
    for row in latest([*file]):
        groups.setdefault((models_of(row), row["arm"]), {})[row["draft"]] = row
    return [
        {"judge": judge, "form": form, **_worth([*rows.values()])}
        for (judge, form), rows in groups.items()
    ]


def _worth(rows: Sequence[ResultRow]) -> Row:
    right, wrong = ([row for row in rows if row["right"] is kind] for kind in (True, False))
    scores = [[row["score"] for row in of if row["score"] is not None] for of in (right, wrong)]
    area = auroc(*scores)
    low, high = auroc_interval(area, *map(len, scores))
    return {
        "right": len(right),
        "wrong": len(wrong),
        "auroc": area,
        "low": low,
        "high": high,
        "accepted_right": sum(row["accepted"] for row in right),
        "accepted_wrong": sum(row["accepted"] for row in wrong),
        "unread": len(rows) - sum(map(len, scores)),
        "tokens": mean(row["tokens"] for row in rows),
    }


def table(rows: Iterable[Row]) -> str:
    """In Markdown."""
    lines = [
        "| judge, form | AUROC (95 %, Hanley–McNeil) | accepted right, wrong | unread | tokens |",
        "|---|---|---|---|---|",
    ]
    for row in rows:
        interval = "{auroc:.2f} ({low:.2f}–{high:.2f})" if row["auroc"] is not None else "–"
        accepted = "{accepted_right} of {right}, {accepted_wrong} of {wrong}"
        line = f"| {{judge}}, {{form}} | {interval} | {accepted} | {{unread}} | {{tokens:.0f}} |"
        lines.append(line.format(**row))
    return "\n".join(lines)
