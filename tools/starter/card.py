"""Writes the model card from the measured figures: `python -m tools.starter.card`."""

import argparse
import json
from pathlib import Path

from tools.starter.families import FAMILIES
from tools.starter.paths import CARD, FIGURES, MODELS, Figures

TEMPLATE = """\
# The starter model

**A demonstration model.** It knows the {count} small Python tasks listed below and nothing else. \
It exists so that laios can be tried, tested and developed on a machine without a model server; \
it is no programmer. For real work install a real model: get [Ollama](https://ollama.com), run \
`ollama pull qwen2.5-coder:7b` and start laios again; it picks the model up by itself.

Two weight files, both trained from scratch for laios on generated data, no other model or data \
involved (Apache-2.0, like laios):

| file | roles | parameters | size | training |
|---|---|---|---|---|
{files}

Architecture "llama" (RMSNorm, RoPE, SwiGLU, tied embeddings), Q8_0, context 1024 tokens, one \
byte-level BPE of 1024 tokens. Greedy text in the engine equal to torch's: {equal}.

## What it is sent, and what it replies

One user message, no system message.

| role | message | reply |
|---|---|---|
| coder | the request | code, no fences |
| judge | `JUDGE\\n{{request}}\\n---\\n{{code}}` | `{{"confidence_score": 9, "conflict_score": 1, \
"judgement_summary": "…"}}` |
| reviewer | `REVIEW\\n{{request}}\\n---\\n{{note}}\\n---\\n{{code}}` | corrected code, no fences |

## What it knows

{tasks}

Each in English, in many wordings, with a name for the function if one is requested ("… called \
`add_all`"). It writes one solution per task; the judge has seen no other, and its verdict on one \
means nothing.

## What it does not know

Every other task, other programming languages, follow-up requests and context from history, \
changes to code ("… but with a while loop" is ignored), words that its training phrases do not \
have. It is trained to answer an unknown task with `# The starter model does not know this task.`, \
and does so for {refused_trained} % of the unknown tasks like those it was trained to refuse, but \
for only {refused_held} % of others ({refused_held_count} requests): **for a task that is not in \
the list it will often write the code of one that is.**

## How well it does

Measured on {date}. Generated code was executed against checks in a process of its own; greedy \
decoding. "Unseen combinations" are requests made of trained descriptions, sentence frames and \
names, none of which is in the training data as a whole; "held out" means wordings that no \
training request has; "written by hand" are requests as a newcomer would type them \
({by_hand_seen} of {by_hand} happen to be in the training data).

| requests | number | coder alone: passes | coder, judge, reviewer: passes | wrong drafts caught \
| right drafts sent to the reviewer |
|---|---|---|---|---|---|
{pipeline}

{gain}

Judge (half of the requests with a requested name):

| drafts | {judge_titles} |
|---|{judge_rule}
{judge}

With the JSON schema of the daemon: {schema_right} % right, {schema_unreadable} of \
{schema_drafts} unreadable.

Reviewer, share of replies that pass:

| draft | {reviewer_titles} |
|---|{reviewer_rule}
{reviewer}

The defects in the judge's and reviewer's drafts are of the kinds that they were trained on, \
except in the row "defect of an untrained kind" (lines exchanged, a wrong variable). Held-out \
descriptions were chosen by hand, two a task; they use mostly, not only, words that occur in \
training. The judge hardly \
looks at the function's name, and a defect of a new kind mostly escapes it: the verdict of a model \
this small is no evidence of correctness.

## Making it again

`make train` (about {hour_text} of CPU time, two processes; needs torch) runs \
`python -m tools.starter`: train both, export, verify, measure, write this card. All figures: \
`{figures_file}`. The data is the same at each run, by seed; the weights shipped here were begun \
before a few wrong labels among the critic's first examples were corrected, so that a new run \
gives slightly other weights, and torch on another processor does as well.
"""


def render(figures: Figures) -> str:
    """The card's text."""
    judge, reviewer = figures["judge"], figures["reviewer"]
    unknown = figures["unknown_tasks"]
    splits = ("unseen combinations", "both held out")
    cpu = sum(made["cpu_seconds"] for made in figures["training"].values())
    return TEMPLATE.format(
        count=figures["families"],
        files="\n".join(_file(name, figures) for name in figures["training"]),
        equal=", ".join(f"{n} {x}" for n, x in figures["texts_equal_to_torch"].items()),
        tasks="\n".join(f"- `{family.name}`: {family.does}" for family in FAMILIES),
        refused_trained=unknown["trained"]["refused"],
        refused_held=unknown["held out"]["refused"],
        refused_held_count=unknown["held out"]["requests"],
        date=figures["date"],
        pipeline="\n".join(_pipeline(title, row) for title, row in figures["pipeline"].items()),
        by_hand=figures["pipeline"]["written by hand"]["requests"],
        by_hand_seen=figures["pipeline"]["written by hand"]["seen_in_training"],
        gain=_gain(figures["pipeline"]),
        judge_titles=" | ".join(splits),
        judge_rule="---|" * len(splits),
        judge="\n".join(
            [
                *_rows([judge[split]["right_by_kind"] for split in splits], " % right"),
                _row("all trained kinds", [f"{judge[s]['right']} % right" for s in splits]),
                _row("wrong code accepted", [_of(judge[s], "false_accepts") for s in splits]),
                _row("right code rejected", [_of(judge[s], "false_rejects") for s in splits]),
                _row("unreadable", [_of(judge[s], "unreadable") for s in splits]),
            ]
        ),
        schema_right=judge["with the JSON schema"]["right"],
        schema_unreadable=judge["with the JSON schema"]["unreadable"],
        schema_drafts=judge["with the JSON schema"]["drafts"],
        reviewer_titles=" | ".join(splits),
        reviewer_rule="---|" * len(splits),
        reviewer="\n".join(_rows([reviewer[split]["pass_by_kind"] for split in splits], " %")),
        hour_text=f"{cpu / 3600:.1f} hours",
        figures_file=FIGURES,
    )


def _file(name: str, figures: Figures) -> str:
    made = figures["training"][name]
    roles = {"coder": "coder", "critic": "judge, reviewer"}[name]
    size = f"{figures['bytes'][name] / 1e6:.2f} MB"
    trained = f"{made['examples']:,} examples, {made['cpu_seconds'] / 60:.0f} CPU minutes"
    return f"| `{name}.gguf` | {roles} | {made['parameters']:,} | {size} | {trained} |"


def _pipeline(title: str, row: Figures) -> str:
    right = row["requests"] - row["wrong_drafts"]
    return _row(
        title,
        [
            str(row["requests"]),
            f"{row['coder_pass']} %",
            f"{row['pipeline_pass']} %",
            f"{row['wrong_drafts_escalated']} of {row['wrong_drafts']}",
            f"{row['right_drafts_escalated']} of {right}",
        ],
    )


def _gain(pipeline: Figures) -> str:
    """The sentence that says what judge and reviewer bring, from the figures alone."""
    gains = {t: round(r["pipeline_pass"] - r["coder_pass"], 1) for t, r in pipeline.items()}
    listed = "; ".join(f"{title} {gain:+} points" for title, gain in gains.items())
    return f"What judge and reviewer change, against the coder alone: {listed}."


KINDS = {
    "mutant": "broken by a small edit",
    "foreign": "code of another task",
    "cut": "cut off",
    "misnamed": "right but for the requested name",
    "empty": "no draft at all",
}


def _row(title: str, cells: list[str]) -> str:
    return f"| {title} | {' | '.join(cells)} |"


def _rows(columns: list[dict[str, float]], unit: str) -> list[str]:
    return [
        _row(KINDS.get(kind, kind), [f"{column[kind]}{unit}" for column in columns])
        for kind in columns[0]
    ]


def _of(judged: Figures, key: str) -> str:
    return f"{judged[key]} of {judged['drafts']} drafts"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=Path, default=MODELS, help="where figures and card are")
    models: Path = parser.parse_args().models
    figures = json.loads((models / FIGURES).read_text("utf-8"))
    (models / CARD).write_text(render(figures), "utf-8")


if __name__ == "__main__":
    main()
