"""Writes the model card and the list of tasks from the measured figures:
`python -m tools.starter.card`."""

import argparse
import json
from collections.abc import Iterable
from pathlib import Path

from pipeline.models.starter_note import FACT, note
from tools.starter import table, unknown
from tools.starter.examples import SEEDS
from tools.starter.options import add_models
from tools.starter.paths import CARD, FIGURES, TASKS, Figures
from tools.starter.samples import BOTH, BY_HAND, NAME_FIRST, NAME_INSIDE, NAMES_BY_HAND, UNKNOWN

TEMPLATE = """\
# The starter model

**It knows the {count} small tasks listed below, and nothing else.** It exists so that laios can \
run, be tried out and be tested on a machine without a model server; it is not a programmer. For \
real work get a real model: `laios models pull` chooses one that fits the machine, and laios uses \
it automatically.

It consists of two weight files, both trained from scratch for laios on generated data; no other \
model and no other data was involved. Licence: Apache-2.0, like laios.

{files}

Architecture "llama" (RMSNorm, RoPE, grouped-query attention, SwiGLU, tied embeddings), Q8_0, a \
context of {context} tokens, one byte-level BPE of {vocabulary} tokens.

## Targets

{missed}

{targets}

## What it cannot do

- Tasks that are not in the list: it should answer them with a note that says so. Of {hand} \
requests of many kinds, written by hand and far from the training data, {beyond} % are doubted by \
the judge and get that note. The others end with something else, such as code for another task.
- Changes to a task ("… but with a while loop", "… and ignore the negative ones"): it writes the \
one solution that it knows.
- A name for the code in an unusual place: of requests with the name before the task ("what total \
does: …") {name_first} % pass, with the name in the middle of the sentence {name_inside} %. Also, \
it may garble a name: of requests with names that a person would choose, {names_by_hand} % pass.
- Words that are in no training phrase: beyond these it knows no English, and no other language.
- Judging: its judge has seen only one right solution of each task. A verdict of a model this \
small is no evidence that code is right. {gain}

## What it knows

{tasks}

It understands each task in English, in many wordings; with a name for the function if you give \
one ("… called `add_all`"); and, after an exchange, the wish for another name ("rename it to …") \
or, if it knows two languages for the task, the other language. Code is Python unless the list \
says otherwise. `laios models starter` shows an example for each task.

## What it is sent, and what it replies

One user message, no system message.

| role | message | reply |
|---|---|---|
| coder | the request | code, no fences |
| judge | `JUDGE\\n{{request}}\\n---\\n{{code}}` | `{{"confidence_score": 9, \
"conflict_score": 1, "judgement_summary": "…"}}` |
| reviewer | `REVIEW\\n{{request}}\\n---\\n{{note}}\\n---\\n{{code}}` | the code as it should be, \
no fences |

If there is a history block, its newest exchange comes before the request: \
`User request:\\n…\\n\\nAssistant code:\\n…\\n---\\n{{request}}`. For a task that it does not \
know the coder replies `{reply}`, and the reviewer writes a note. Users see that note with the \
command that fits their machine, for example:

    {note}

The weights end the note with a sentence from their training (`{trained}`); laios replaces it with \
the command.

## How well it does

Measured on {date}, in {evaluation} s, on the machine that trained it ({hardware}). Every request \
went through the daemon's own pipeline with its default settings, greedy, and the code was run \
against the task's checks. No request of any set is in the training data, except {seen} of the \
{by_hand} written by hand, by chance. "Unseen combinations" combine descriptions, sentence frames \
and names that were all trained; "unseen" frames and descriptions are in no training request; \
those "written by hand" are as a newcomer would type them.

The 200 out-of-scope requests were written without knowledge of the grammars that training draws \
from. Even so, they influenced the training: their results were looked at one by one before its \
third part and by kind before the third-last; their total before each later part, and to choose \
among three shares in the averaging of each of the last two. Another 200, written earlier, had \
been looked at when the near misses and the odd requests were written; the table shows both. The \
results on known tasks were looked at before the fourth and later parts, which add sentence \
frames and clauses around a name, but no descriptions.

{known}

"Caught": sent to the reviewer. "Mended", "spoilt": made right, made wrong by the reviewer. \
"Called out of scope": ended with the note, though the task is known.

{unknown}

{unknown_kinds}

Judge:

{judge}

Reviewer:

{reviewer}

The tasks with the lowest share of passing code on unseen combinations and descriptions (all are \
in `{figures_file}`):

{families}

The median accepted run takes {accepted} ms, the median reviewed run {reviewed} ms; loading both \
files and giving the first answer takes {first} ms.

## How it was made

Requests are drawn from phrase grammars: {descriptions} descriptions (of {count} tasks; \
{critic_descriptions} more for the critic alone, {held_descriptions} held out for evaluation) in \
{frames} sentence frames ({held_frames} held out), with or without a requested name, with small \
talk, dropped words and capitals. Tasks by language: {languages}.

The training has {parts} parts. Of their requests, {unknown_shares} % (one share per part) are \
beyond the starter. They are drawn from {unknown_tasks} grammars of their own and from \
{near_misses} of near misses: known tasks with one thing changed, two of them at once, in another \
programming language, or not in English. From the second part on, known tasks are requested in \
{later_frames} more frames, and from the fourth on in those of {frame_grammars} grammars, so that \
an unfamiliar wording is not mistaken for an unknown task. In the last three parts {outliers} % \
of what is beyond the starter resembles no request for a task: pasted code in many languages, \
error messages, stories, random words; some known tasks come with such things beside them. In the \
last two a requested name may be anywhere, also in a signature or in an example call, and requests \
beyond the starter have names and examples as well; in the last one names are made of any words, \
syllables or letters, so that they can only be copied. {history_share} % of all requests follow \
an earlier exchange, and most of these refer to it.

The critic sees right code, code of other tasks (mostly of similar ones), cut-off code, wrong \
names, the wrong language, and {mutants} broken versions of the right code, each run to make sure \
that it fails; {untrained_mutants} more, made by other kinds of edit, are for evaluation. Its \
first {defects} examples are mostly about what broken code looks like, the rest about whether the \
code is what was requested. It knows wordings that the coder does not know, so that it can catch \
what the coder misreads; in the last parts it also learns to write the code itself if the coder \
claims not to know a known task. The result of each of the last three parts is averaged with the \
weights that it started from, so that it learns something new and forgets less.

`make train` (about {hours} hours of CPU time in two processes; it installs torch into an \
environment of its own) runs `python -m tools.starter`, which trains both files, exports them, \
measures them, and writes this card and the list of tasks. It starts from nothing, or from its \
last checkpoints. Seeds: data {seeds}, weights {weight_seeds}. The data is the same in each run; \
torch on another processor gives slightly different weights. All figures: `{figures_file}`.
"""

ROLES = {"coder": "coder", "critic": "judge, reviewer"}
FAMILIES_SHOWN = 20


def render(figures: Figures) -> str:
    """The card's text."""
    made, recipe = figures["training"], figures["recipe"]
    cpu_seconds = sum(each["cpu_seconds"] for each in made.values())
    out_of_scope = figures["unknown"][UNKNOWN]
    worst = list(figures["by_family"].items())[:FAMILIES_SHOWN]
    return TEMPLATE.format(
        count=len(figures["tasks"]),
        files=_files(figures),
        context=made["coder"]["shape"]["context"],
        vocabulary=recipe["vocabulary"],
        missed=_missed(figures["targets"]),
        targets=table.targets(figures),
        hand=out_of_scope["requests"],
        beyond=out_of_scope["beyond"],
        name_first=figures["known"][NAME_FIRST]["pipeline_pass"],
        names_by_hand=figures["known"][NAMES_BY_HAND]["pipeline_pass"],
        name_inside=figures["known"][NAME_INSIDE]["pipeline_pass"],
        gain=_gain(figures["known"][BOTH]),
        tasks=_tasks(figures["tasks"]),
        reply=unknown.REPLY,
        note=note("laios models pull qwen2.5-coder:1.5b"),
        trained=unknown.NOTE.removeprefix(FACT).strip(),
        date=figures["date"],
        evaluation=figures["evaluation_seconds"],
        hardware=figures["hardware"],
        seen=figures["by_hand_seen_in_training"],
        by_hand=figures["known"][BY_HAND]["requests"],
        known=table.known(figures),
        unknown=table.unknown(figures),
        unknown_kinds=table.unknown_kinds(figures),
        judge=table.judge(figures),
        reviewer=table.reviewer(figures),
        families=table.by_family(worst),
        figures_file=FIGURES,
        accepted=figures["milliseconds"].get("accepted", "?"),
        reviewed=figures["milliseconds"].get("reviewed", "?"),
        first=figures["milliseconds"]["first_answer"],
        descriptions=recipe["descriptions"],
        critic_descriptions=recipe["descriptions_of_the_critic"],
        held_descriptions=recipe["descriptions_held_out"],
        frames=recipe["frames"],
        held_frames=recipe["frames_held_out"],
        languages=", ".join(f"{name} {count}" for name, count in recipe["languages"].items()),
        unknown_shares=", ".join(map(str, recipe["unknown_shares"])),
        unknown_tasks=recipe["unknown_tasks"],
        near_misses=recipe["near_misses"],
        later_frames=recipe["later_frames"],
        frame_grammars=recipe["frame_grammars"],
        parts=len(recipe["unknown_shares"]),
        outliers=recipe["outliers"],
        history_share=recipe["history_share"],
        mutants=recipe["mutants"],
        untrained_mutants=recipe["mutants_for_evaluation"],
        defects=f"{recipe['defects_examples']:,}",
        hours=f"{cpu_seconds / 3600:.1f}",
        seeds=_listed(SEEDS.items()),
        weight_seeds=_listed((name, each["seed"]) for name, each in made.items()),
    )


def _files(figures: Figures) -> str:
    lines = [
        "| file | roles | parameters | size | training | same text as torch |",
        "|---" * 6 + "|",
    ]
    for name, made in figures["training"].items():
        size = f"{figures['bytes'][name] / 1e6:.2f} MB"
        trained = f"{made['examples']:,} examples, {made['cpu_seconds'] / 60:.0f} CPU minutes"
        same, count = figures["texts_equal_to_torch"][name]
        lines.append(
            f"| `{name}.gguf` | {ROLES[name]} | {made['parameters']:,} | {size} | {trained} "
            f"| {same} of {count} |"
        )
    return "\n".join(lines)


def _missed(targets: list[Figures]) -> str:
    missed = [each for each in targets if not each["met"]]
    if not missed:
        return "It meets all of its targets:"
    lines = (f"- {each['title']}: {each['value']}, wanted {each['target']}" for each in missed)
    head = "It misses this target:" if len(missed) == 1 else "It misses these targets:"
    return f"{head}\n\n" + "\n".join(lines)


def _gain(row: Figures) -> str:
    """The sentence that says what judge and reviewer bring, from the figures alone."""
    gain = row["pipeline_pass"] - row["coder_pass"]
    change = "nothing" if not gain else f"the share of passing code by {gain:+.1f} points"
    return (
        "On wordings that no model was trained on, judge and reviewer change "
        f"{change}: {row['pipeline_pass']} % of the final code passes, "
        f"{row['coder_pass']} % of the coder's."
    )


def _tasks(tasks: list[Figures]) -> str:
    """The list of tasks, by topic."""
    topics = dict.fromkeys(task["topic"] for task in tasks)
    return "\n\n".join(
        f"**{topic}**\n\n" + "\n".join(_task(task) for task in tasks if task["topic"] == topic)
        for topic in topics
    )


def _task(task: Figures) -> str:
    languages = task["languages"]
    extra = "" if languages == ["python"] else f" ({', '.join(languages)})"
    return f"- `{task['name']}`: {task['does']}{extra}"


def _listed(pairs: Iterable[tuple[str, object]]) -> str:
    return ", ".join(f"{value} ({name})" for name, value in pairs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_models(parser)
    models: Path = parser.parse_args().models
    figures = json.loads((models / FIGURES).read_text("utf-8"))
    (models / CARD).write_text(render(figures), "utf-8")
    tasks = json.dumps(figures["tasks"], indent=1, ensure_ascii=False)
    (models / TASKS).write_text(tasks + "\n", "utf-8")


if __name__ == "__main__":
    main()
