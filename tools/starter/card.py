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

**It knows the {count} small tasks that are listed below, and nothing else.** It exists so that \
laios works, can be tried and can be tested on a machine without a model server; it is no \
programmer. For real work get a real model: `laios models pull` chooses one that fits the machine, \
and laios picks it up by itself.

Two weight files, both trained from scratch for laios on generated data; no other model and no \
other data was involved. Licence: Apache-2.0, like laios.

{files}

Architecture "llama" (RMSNorm, RoPE, grouped-query attention, SwiGLU, tied embeddings), Q8_0, a \
context of {context} tokens, one byte-level BPE of {vocabulary} tokens.

## What is missed

{missed}

{targets}

## What it cannot do

- Any task that is not in the list: it answers with a note that says so, or should. Of {hand} \
requests of many kinds, written by hand and far from the training data, {beyond} % end with a \
judge's doubt and that note. The others end with something else, such as code for another task.
- Changes to a task ("… but with a while loop", "… and ignore the negative ones"): it writes the \
one solution that it knows.
- A name for the code in an unusual place ("what total does: …"): {name_first} % of such requests \
pass, of those with the name in the middle of the sentence {name_inside} %. And a name may come \
out garbled: of requests with names that a person would choose {names_by_hand} % pass.
- Words that no training phrase has: it has no other knowledge of English, and none of any other \
language.
- Judging: its judge has seen one right solution of each task. A verdict of a model this small is \
no evidence that code is right. {gain}

## What it knows

{tasks}

Each in English, in many wordings; with a name for the function if one is requested ("… called \
`add_all`"); after an exchange, another name ("rename it to …") or, where there are two, the \
other language. Python unless the list says otherwise. `laios models starter` shows an example \
for each.

## What it is sent, and what it replies

One user message, no system message.

| role | message | reply |
|---|---|---|
| coder | the request | code, no fences |
| judge | `JUDGE\\n{{request}}\\n---\\n{{code}}` | `{{"confidence_score": 9, \
"conflict_score": 1, "judgement_summary": "…"}}` |
| reviewer | `REVIEW\\n{{request}}\\n---\\n{{note}}\\n---\\n{{code}}` | the code as it should be, \
no fences |

With a history block, its newest exchange stands before the request: \
`User request:\\n…\\n\\nAssistant code:\\n…\\n---\\n{{request}}`. To what it does not know \
the coder replies `{reply}`, and the reviewer a note, which reaches \
its reader with the command for the machine, such as:

    {note}

The weights end it with the sentence of their training (`{trained}`); laios puts the command in \
its place.

## How well it does

Measured on {date}, in {evaluation} s, on the machine that trained it ({hardware}): every request \
went through the daemon's own pipeline with its default settings, greedy, and the code was \
executed against the task's checks. No request of any set is in the training data, except by \
chance {seen} of the {by_hand} written by hand. "Unseen combinations" are made of trained \
descriptions, sentence frames and names; "unseen" frames and descriptions are in no training \
request; "written by hand" is as a newcomer would type it. The 200 requests out of scope were \
written by one who had not seen the grammars that training draws from, and their results were \
looked at before its third part, their number before each later one and for three shares of what \
each of the last two kept, by kind before the last but two; 200 earlier ones had been looked at \
when the near misses and the odd requests were written, and are shown beside them. The results of \
the sets of known tasks were looked at before its fourth part and later ones, which bring frames, \
clauses around a name and no descriptions.

{known}

"Caught": sent to the reviewer. "Called out of scope": ended with the note, though the task is \
known.

{unknown}

{unknown_kinds}

Judge:

{judge}

Reviewer:

{reviewer}

Families with the lowest share of passing code on unseen combinations and descriptions (all: \
`{figures_file}`):

{families}

A run that is accepted takes {accepted} ms at the median, a reviewed one {reviewed} ms; loading \
both files and the first answer {first} ms.

## How it was made

Requests are drawn from phrase grammars: {descriptions} descriptions (of {count} tasks; \
{critic_descriptions} more for the critic alone, {held_descriptions} held out for evaluation) in \
{frames} sentence frames ({held_frames} held out), with or without a requested name, with small \
talk, dropped words and capitals. Tasks by language: {languages}. {unknown_shares} % of the \
requests in the {parts} parts of the training are beyond the starter: drawn from {unknown_tasks} \
grammars of their own, and from {near_misses} of near misses: known tasks with one thing changed, \
two of them at once, in another programming language, not in English. From the second part on \
what is known is asked for in {later_frames} more frames, and from the fourth on in those of \
{frame_grammars} grammars, so that an unfamiliar wording is not taken for an unknown task. In the \
last three parts {outliers} % of what is beyond the starter looks like nothing else: pasted code \
in many languages, error messages, stories, words at random; a known task then stands beside such \
things at times. In the last two a requested name may stand anywhere, also in a signature or in \
an example of a call, and what is beyond the starter has names and examples as well; in the last \
one it is made of any words, syllables or letters, so that it can only be copied. \
{history_share} % of all stand after an earlier exchange, to which most of them refer.

The critic sees right code, code of other tasks (of similar ones most often), cut-off code, wrong \
names, the wrong language, and {mutants} broken versions of the right code, each one executed to \
be sure that it fails; {untrained_mutants} more, by other kinds of edit, are for evaluation. Its \
first {defects} examples are mostly about what broken code looks like, the rest about whether code \
is what was asked for. It knows wordings that the coder does not, so that it can catch what the \
coder misreads; in the last parts it also learns to write the code itself where the coder says \
that it does not know a task that is known. What each of the last three parts came to is averaged \
with what it began from, so that it adds something and loses less of what was known.

`make train` (about {hours} hours of CPU time in two processes; needs torch, which it installs \
into an environment of its own) runs `python -m tools.starter`: train both, export, \
measure, write this card and the list of tasks. It begins from nothing, or from its last \
checkpoints. Seeds: data {seeds}, weights {weight_seeds}. The data is the same at each run; torch \
on another processor gives slightly other weights. All figures: `{figures_file}`.
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
        return "Nothing of what it was meant to reach:"
    lines = (f"- {each['title']}: {each['value']}, wanted {each['target']}" for each in missed)
    return "Of what it was meant to reach, it misses this:\n\n" + "\n".join(lines)


def _gain(row: Figures) -> str:
    """The sentence that says what judge and reviewer bring, from the figures alone."""
    gain = row["pipeline_pass"] - row["coder_pass"]
    brings = "nothing" if not gain else f"{gain:+.1f} points"
    return (
        "On wordings that no model was trained on, judge and reviewer bring "
        f"{brings}: {row['pipeline_pass']} % of the final code passes, "
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
