"""`///refine` on scripted models: where the code comes from, what stays, what is found,
and every malformed reply."""

import json
import shutil

import pytest
from query_fakes import GOOD, Library, Passage, queries, says
from recorded import stages
from temperatures import record_temperatures

from laios.types.refinement import CodeRefinementResult
from pipeline.errors import BadRequest, ContextTooLong, ModelFailed
from pipeline.rag.query_task import QueryTask, mode_of, result_of
from pipeline.request import Request, Turn

CODE = """\
import math

WIDTH = 64


def area(radius):
    # the disc
    return math.pi * radius**2


cylinder = area(8)
print(cylinder)
"""
NEW = CODE.replace("area(8)", "area(50)")
WISH = "Use a radius of 50 for the cylinder"
PROMPT = f"///refine {WISH}\n```python\n{CODE}```"
PLAN = {
    "understanding": "The cylinder gets a larger radius",
    "modification_steps": [
        {
            "step_number": 1,
            "description": "Use 50 as radius of the cylinder",
            "requires_retrieval": False,
            "targets": ["cylinder"],
        }
    ],
    "preserved_elements": ["variable names", "function area", "existing configuration"],
}
NOTE = {
    "modifications": [
        {
            "step_number": 1,
            "modification": "Larger radius",
            "explanation": "The radius went from 8 to 50",
            "variable_affected": "cylinder",
        }
    ],
    "diff_summary": "The radius is 50 now",
    "sources": [],
    "confidence": "high",
}
PLANNER = says("planner", PLAN)
EXPLAINER = says("explainer", NOTE)
NOTED = [PLANNER, EXPLAINER, GOOD]


def coder(code, **rule):
    return says("coder", code, "The complete changed code:", **rule)


def result(run):
    return CodeRefinementResult.from_dict(run.record["artefact"]["result"])


async def test_code_is_changed_as_far_as_is_asked(pipeline_with):
    """The output is the whole code; what changed and why is in the record, with the difference."""
    async with queries(pipeline_with, *NOTED, coder(NEW)) as run:
        assert await run(PROMPT) == NEW
    made = result(run)
    assert (made.query, made.original_code, made.code) == (WISH, CODE, NEW)
    assert made.diff.startswith("--- original\n+++ modified\n@@ ")
    assert "-cylinder = area(8)\n+cylinder = area(50)\n" in made.diff
    [change] = made.modifications
    assert (change.code_changed, change.code_added) == ("cylinder = area(50)", "")
    assert (change.modification, change.variable_affected) == ("Larger radius", "cylinder")
    assert made.explanation == (f"Modification Request: {WISH}\n\n1. The radius went from 8 to 50")
    assert (made.new_imports, made.citations, made.confidence) == ([], [], "high")
    artefact = run.record["artefact"]
    assert (artefact["type"], artefact["findings"], artefact["lost"]) == ("refine", [], [])
    assert artefact["modification"]["preserved_structure"] is True
    told = artefact["result"]
    assert (told["preserved_structure"], told["changes_made"]) == (True, [])
    assert told["diff_summary"] == artefact["modification"]["diff_summary"]
    assert not run.record["escalated"]


# --- where the code comes from -------------------------------------------------------------------

ATTACHED = f'<attached_files>\n<file name="disc.py">\n{CODE}</file>\n</attached_files>\n'
PLACES = {
    "a fenced block": PROMPT,
    "a block before the wish": f"///refine\n```py\n{CODE}```\n{WISH}",
    "an attachment": f"{ATTACHED}///refine {WISH}",
    "below a blank line": f"///refine {WISH}\n\n{CODE}",
    "an attachment with a fence": f"<context>\n```python\n{CODE}```\n</context>\n///refine {WISH}",
}


@pytest.mark.parametrize("prompt", PLACES.values(), ids=PLACES)
async def test_the_code_is_found_in_the_prompt(pipeline_with, prompt):
    """To the letter, and it is no part of the wish."""
    async with queries(pipeline_with, *NOTED, coder(NEW)) as run:
        assert await run(prompt) == NEW
    assert (result(run).original_code, result(run).query) == (CODE, WISH)


async def test_with_context_the_last_runs_code_is_changed(pipeline_with):
    """Whole, also where the context has no room for it; a block in the prompt goes first."""
    shown = r"(?s)cylinder = area\(8\)\nprint\(cylinder\).*The complete changed code:"
    rules = [*NOTED, says("coder", NEW, shown), says("coder", CODE)]
    async with queries(pipeline_with, *rules, HISTORY_CONTEXT_TOKENS=10) as run:
        await run("///raw write a disc", session="a")
        await run("///raw write another thing", session="b")
        assert await run(f"///ctx ///refine {WISH}", session="a") == NEW
        assert result(run).original_code == CODE
        with pytest.raises(BadRequest, match="no code to refine"):
            await run(f"///ctx ///refine {WISH}", session="c")


async def test_in_a_chat_the_last_answers_code_is_changed(pipeline_with):
    """A frontend sends it along."""
    talk = (
        Turn("user", "a disc"),
        Turn("assistant", f"Here it is:\n```python\n{CODE}```"),
        Turn("user", "thanks"),
        Turn("assistant", f"```python\n{CODE}```"),
    )
    async with queries(pipeline_with, *NOTED, coder(NEW)) as run:
        assert await run(f"///refine {WISH}", conversation=talk) == NEW
    assert result(run).original_code == CODE


async def test_a_query_brings_its_code(pipeline_with):
    """The code of `/query` is refined as that of a prompt."""
    task = QueryTask(WISH, type="refine", code=CODE)
    async with queries(pipeline_with, *NOTED, coder(NEW)) as run:
        made = run.scheduler.submit(Request(WISH, source="query", row=mode_of("refine"), task=task))
        assert await run.scheduler.finished(made) == NEW
    assert result_of(made.result)["content_type"] == "code_refinement"


@pytest.mark.parametrize(
    ("prompt", "why"),
    [
        (f"///refine {WISH}", "There is no code to refine"),
        (f"///refine {WISH}\n```\n```", "There is no code to refine"),
        (f"///refine\n```python\n{CODE}```", "Say what to change in the code"),
    ],
)
async def test_without_code_or_wish_nothing_is_asked(pipeline_with, prompt, why):
    """The caller is told what is missing, and no model is called."""
    async with queries(pipeline_with) as run:
        with pytest.raises(BadRequest, match=why):
            await run(prompt)
    assert run.record["steps"] == []


# --- what stays ----------------------------------------------------------------------------------


async def test_a_preserved_name_that_is_gone_is_evidence(pipeline_with):
    """It escalates whatever a judge says; a review that keeps it is taken."""
    lost = NEW.replace("area", "surface").replace("WIDTH = 64\n", "")
    review = says("reviewer", NEW, r"WIDTH is gone, and it was to stay")
    async with queries(pipeline_with, *NOTED, coder(lost), review) as run:
        assert await run(PROMPT) == NEW
    assert run.record["escalation_reason"] == (
        "evidence: WIDTH is gone, and it was to stay; area is gone, and it was to stay"
    )
    assert (run.record["final_source"], result(run).code) == ("reviewer", NEW)
    assert run.record["artefact"]["lost"] == []


async def test_a_name_that_the_user_wants_to_go_may_go(pipeline_with):
    """A plan that names both names is no loss of the old one."""
    renamed = CODE.replace("area", "surface")
    plan = PLAN | {
        "modification_steps": [
            {
                "step_number": 1,
                "description": "Rename area to surface",
                "requires_retrieval": False,
                "targets": ["area", "surface"],
            }
        ],
    }
    rules = [says("planner", plan), EXPLAINER, GOOD, coder(renamed)]
    async with queries(pipeline_with, *rules) as run:
        assert await run(f"///refine Rename area to surface\n```python\n{CODE}```") == renamed
    assert not run.record["escalated"]


async def test_a_change_outside_the_plan_is_a_finding(pipeline_with):
    """The judge is told, and the confidence is not high; it is no evidence by itself."""
    more = NEW.replace("# the disc", "# of the disc").replace("WIDTH = 64", "WIDTH = 65")
    told = GOOD | {"prompt": r"OutsidePlan at line 3: a change that the plan does not name"}
    async with queries(pipeline_with, PLANNER, EXPLAINER, told, coder(more)) as run:
        assert await run(PROMPT) == more
    [finding] = run.record["artefact"]["findings"]
    assert (finding["type"], finding["line"], finding["context"]) == (
        "OutsidePlan",
        3,
        "WIDTH = 65",
    )
    assert (run.record["escalated"], result(run).confidence) == (False, "medium")


async def test_code_that_came_back_unchanged_is_drawn_anew(pipeline_with):
    """And the second draft is the answer."""
    async with queries(pipeline_with, *NOTED, coder([CODE, NEW])) as run:
        assert await run(PROMPT) == NEW
    assert "coder changes, drawn anew" in stages(run.record)


async def test_code_that_came_back_unchanged_escalates(pipeline_with):
    """The reviewer changes it; without one the code stands, with low confidence."""
    review = says("reviewer", NEW, "the code came back unchanged")
    async with queries(pipeline_with, *NOTED, coder(CODE), review) as run:
        assert await run(PROMPT) == NEW
    away = {"role": "reviewer", "fault": "failed"}
    async with queries(pipeline_with, *NOTED, coder(CODE), away) as run:
        assert await run(PROMPT) == CODE
    assert (result(run).diff, result(run).confidence) == ("", "low")
    assert run.record["final_reason"] == "unreviewed: reviewer failed (model_failed)"


# --- what is wrong with the change ---------------------------------------------------------------


async def test_what_the_change_broke_is_put_right(pipeline_with):
    """And no more than that."""
    broken = NEW.replace("area(50)", "aera(50)")
    fix = says("reviewer", NEW, r"NameError at line 11: name 'aera' is not defined")
    noted = says("explainer", "-", "ERRORS BEGINS")
    async with queries(pipeline_with, noted, *NOTED, coder(broken), fix) as run:
        assert await run(PROMPT) == NEW
    assert run.record["artefact"]["fixes"][0]["taken"]


async def test_what_was_wrong_before_is_not_this_changes_fault(pipeline_with):
    """A fragment uses names that it does not define; the judge is told."""
    fragment = "cylinder.SetResolution(8)\nactor.SetMapper(mapper)\n"
    new = fragment.replace("8", "50")
    told = GOOD | {"prompt": r"name 'actor' is not defined \(as before the change\)"}
    rules = [PLANNER, EXPLAINER, told, coder(new)]
    prompt = f"///refine Use a resolution of 50 for the cylinder\n```python\n{fragment}```"
    async with queries(pipeline_with, *rules) as run:
        assert await run(prompt) == new
    assert run.record["artefact"]["fixes"] == [] and not run.record["escalated"]


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap")
async def test_a_change_that_does_not_run_is_seen(pipeline_with):
    """The original ran."""
    broken = NEW.replace("area(50)", "area('50')")
    fix = says("reviewer", NEW, r"TypeError at line 8: ")
    noted = says("explainer", "-", "ERRORS BEGINS")
    async with queries(pipeline_with, noted, *NOTED, coder(broken), fix) as run:
        assert await run(PROMPT) == NEW
    assert stages(run.record).count("sandbox program") == 3  # the original, the change, the fix


async def test_another_languages_code_is_changed_as_well(pipeline_with):
    """Its syntax and its names are looked at; nothing is run."""
    script = "const width = 64;\nfunction area(r) {\n  return r * r;\n}\nconsole.log(area(8));\n"
    new = script.replace("area(8)", "area(50)")
    bad = new.replace("}\nconsole", "\nconsole")
    fix = says("reviewer", new, "SyntaxError at line")
    noted = says("explainer", "-", "ERRORS BEGINS")
    rules = [noted, *NOTED, coder(bad), fix]
    async with queries(pipeline_with, *rules) as run:
        assert await run(f"///refine {WISH}\n```js\n{script}```") == new
    assert "sandbox program" not in stages(run.record)


# --- documentation and notes ---------------------------------------------------------------------


async def test_files_in_several_languages_are_changed_together(pipeline_with):
    """The page stays beside its style, each in a fence of its own."""
    page, style = "```html\n<p>x</p>\n```", "`a.css`:\n\n```css\np { width: 8px; }\n```"
    wide = style.replace("8", "50")
    reply = f"Here they are:\n\n{page}\n\nAnd the style in {wide}\nDone."
    async with queries(pipeline_with, *NOTED, coder(reply)) as run:
        out = await run(f"///refine {WISH}\n\n{page}\n\n{style}")
    assert out == f"{page}\n\n{wide}\n"
    assert run.record["language"] == "markdown" and run.record["evidence"] == []


async def test_steps_that_need_it_get_documentation(pipeline_with):
    """What the note cites of it is in the result; what was not offered is dropped."""
    steps = [PLAN["modification_steps"][0] | {"requires_retrieval": True}]
    note = NOTE | {
        "sources": [{"number": 1, "reason": "how a radius is set"}, {"number": 5, "reason": "?"}]
    }
    library = Library([Passage("Cylinder_api_0", "cylinder radius", title="Cylinder")])
    shown = r"(?s)DOCUMENTATION \[1\] \(API_DOC\).*The complete changed code:"
    rules = [says("planner", PLAN | {"modification_steps": steps}), says("explainer", note), GOOD]
    async with queries(
        pipeline_with, *rules, says("coder", NEW, shown), documentation=library
    ) as run:
        assert await run(PROMPT) == NEW
    [citation] = result(run).citations
    assert (citation.number, citation.chunk_id) == (1, "Cylinder_api_0")
    assert result(run).chunk_ids_used == ["Cylinder_api_0"]
    assert run.record["artefact"]["dropped_citations"] == 1
    assert library.asked == ["Use 50 as radius of the cylinder cylinder"]


NOTES = [
    "",
    "I made it larger.",
    "{}",
    json.dumps(NOTE | {"modifications": []}),
    json.dumps(NOTE | {"modifications": ["larger"]}),
    json.dumps(NOTE | {"modifications": [NOTE["modifications"][0] | {"step_number": 2}]}),
    json.dumps(NOTE | {"modifications": [NOTE["modifications"][0] | {"step_number": "1"}]}),
    json.dumps(NOTE | {"confidence": 1}),
    json.dumps(NOTE)[:-4],
]


@pytest.mark.parametrize("reply", NOTES, ids=range(len(NOTES)))
async def test_a_note_that_cannot_be_read_leaves_the_plans_words(pipeline_with, reply):
    """The lines are the code's own all the same."""
    rules = [PLANNER, says("explainer", reply), GOOD, coder(NEW)]
    async with queries(pipeline_with, *rules) as run:
        assert await run(PROMPT) == NEW
    [change] = result(run).modifications
    assert (change.modification, change.code_changed) == (
        "Use 50 as radius of the cylinder",
        "cylinder = area(50)",
    )
    assert result(run).confidence == "medium"


def planned(*numbers, **wrong):
    step = PLAN["modification_steps"][0]
    steps = [step | {"step_number": n} | wrong for n in numbers]
    return json.dumps(PLAN | {"modification_steps": steps})


PLANS = {
    "prose": "I would change the radius.",
    "no steps": planned(),
    "forty steps": planned(*range(1, 41)),
    "from zero": planned(0),
    "twice the same": planned(1, 1),
    "blank": planned(1, description=""),
    "targets as text": planned(1, targets="cylinder"),
    "a word for a truth value": planned(1, requires_retrieval="no"),
    "nothing preserved": json.dumps({k: v for k, v in PLAN.items() if k != "preserved_elements"}),
    "the code itself": NEW,
}


@pytest.mark.parametrize("reply", PLANS.values(), ids=PLANS)
async def test_a_plan_that_cannot_be_used_is_asked_for_again(pipeline_with, reply):
    """Then it is an error that says what helps."""
    first = says("planner", reply, times=1)
    async with queries(pipeline_with, first, *NOTED, coder(NEW)) as run:
        assert await run(PROMPT) == NEW
    assert run.record["steps"][0]["error"]["code"] == "unreadable"
    async with queries(pipeline_with, says("planner", reply)) as run:
        with pytest.raises(ModelFailed, match="no plan of the change"):
            await run(PROMPT)


@pytest.mark.parametrize(
    "bad",
    [
        {"reply": ""},
        {"reply": "I am sorry, this can not be done by me."},
        {"finish_reason": "length"},
    ],
    ids=["empty", "prose", "cut off"],
)
async def test_changed_code_that_cannot_be_used_is_asked_for_again(pipeline_with, bad):
    """Cut-off code is never taken for the whole."""
    async with queries(pipeline_with, *NOTED, coder(NEW) | bad | {"times": 1}, coder(NEW)) as run:
        assert await run(PROMPT) == NEW
    async with queries(pipeline_with, *NOTED, coder(NEW) | bad) as run:
        with pytest.raises(ModelFailed, match="no changed code"):
            await run(PROMPT)


async def test_code_in_json_is_taken_out_of_it(pipeline_with):
    """As the API's object has it."""
    reply = json.dumps({"modifications": [], "updated_code": NEW, "preserved_structure": True})
    async with queries(pipeline_with, *NOTED, coder(reply)) as run:
        assert await run(PROMPT) == NEW


async def test_code_that_is_too_long_is_not_cut(pipeline_with):
    """The run fails as `context_too_long` instead."""
    long = CODE + "print(cylinder)\n" * 500
    small = {"MAX_CONTEXT_TOKENS": 2000, "MAX_OUTPUT_TOKENS": 300}
    async with queries(pipeline_with, *NOTED, coder(NEW), **small) as run:
        with pytest.raises(ContextTooLong):
            await run(f"///refine {WISH}\n```python\n{long}```")


def small_models(script, *rules):
    """One model of 1.5B in every role, which may draw again."""
    small = script(*rules, name="x-1.5b")
    names = {f"{role}_MODEL_NAME": small for role in ("CODER", "JUDGE", "REVIEWER")}
    return names | {"MAX_DRAFTS": 3}


ANEW = "changes, drawn anew"


def changes(run):
    return [step["label"] for step in run.record["steps"] if step["stage"] == "coder"]


async def test_a_small_model_changes_without_a_plan(pipeline_with, script):
    """Its plan misleads it: it sees wish and code as the default mode's coder would, and says
    afterwards what it has changed, whatever steps it counts."""
    note = NOTE | {"modifications": [{**NOTE["modifications"][0], "step_number": 2}]}
    written = says("coder", NEW, rf"(?s)does the following: {WISH}\n\n```python\n{CODE[:11]}")
    rules = written, says("explainer", note), GOOD
    async with queries(pipeline_with, **small_models(script, *rules)) as run:
        assert await run(PROMPT) == NEW
    assert not any(each.startswith("planner") for each in stages(run.record))
    assert run.record["artefact"]["decomposition"]["understanding"] == WISH
    [change] = result(run).modifications
    assert (change.code_changed, change.modification) == ("cylinder = area(50)", "Larger radius")
    assert run.record["artefact"]["lost"] == run.record["artefact"]["findings"] == []


FAULTY = {
    "unchanged": CODE,
    "a name is gone": NEW.replace("area", "disc"),
    "no code": "I cannot do that, I am sorry for it.",
    "an unknown name": NEW.replace("area(50)", "areas(50)"),
}


@pytest.mark.parametrize("first", FAULTY.values(), ids=FAULTY)
async def test_a_small_model_s_change_that_is_none_is_drawn_again(pipeline_with, script, first):
    """Not repaired: what is shown its mistake repeats it. The first that the checks find nothing
    against is the answer."""
    tries = says("coder", [first, first, NEW])
    async with queries(pipeline_with, **small_models(script, tries, EXPLAINER, GOOD)) as run:
        assert await run(PROMPT) == NEW
    assert run.record["final_source"] == "coder" and run.record["artefact"]["fixes"] == []
    assert result(run).confidence == "high"


async def test_a_small_model_s_drawing_ends(pipeline_with, script):
    """After MAX_DRAFTS the least bad one goes on, as evidence; the code as it was is no change."""
    rules = says("coder", CODE), says("reviewer", CODE), EXPLAINER, GOOD
    async with queries(pipeline_with, **small_models(script, *rules)) as run:
        assert await run(PROMPT) == CODE
    assert changes(run) == ["changes", ANEW, ANEW]
    assert run.record["escalated"] and "came back unchanged" in run.record["escalation_reason"]
    assert result(run).confidence == "low"


@pytest.mark.parametrize(
    "wish",
    [
        "Rename area",
        "Call the function disc",
        "Make area short",
        "Use better names",
        "Use snake_case",
        "Follow PEP8",
        "Use better identifiers",
    ],
)
async def test_a_small_model_may_rename_what_the_wish_speaks_of(pipeline_with, script, wish):
    """No plan says what stays, so the wish's words decide."""
    renamed = CODE.replace("area", "disc")
    rules = says("coder", renamed), EXPLAINER, GOOD
    async with queries(pipeline_with, **small_models(script, *rules)) as run:
        assert await run(f"///refine {wish}\n```python\n{CODE}```") == renamed
    assert run.record["artefact"]["lost"] == [] and changes(run) == ["changes"]


async def test_methods_of_a_class_that_the_wish_speaks_of_stay(pipeline_with, script):
    """To be asked for a docstring is no leave to go; the least bad draft has changed something."""
    code = "class Point:\n    def __init__(self, x):\n        self.x = x\n"
    lost = 'class Point:\n    """One."""\n'
    rules = says("coder", [code, lost, code]), says("reviewer", lost), EXPLAINER, GOOD
    async with queries(pipeline_with, **small_models(script, *rules)) as run:
        assert await run(f"///refine Document Point\n```python\n{code}```") == lost
    assert run.record["artefact"]["lost"] == ["Point.__init__ is gone, and it was to stay"]


async def test_a_small_model_s_further_drafts_are_varied(pipeline_with, script, monkeypatch):
    """Greedily it would give the same for ever."""
    asked = record_temperatures(monkeypatch)
    tries = says("coder", [CODE, NEW])
    async with queries(pipeline_with, **small_models(script, tries, EXPLAINER, GOOD)) as run:
        await run(PROMPT)
    assert [t for role, _, t in asked if role == "coder"] == [0.0, 0.8]


async def test_a_person_s_own_rules_are_the_coder_s(pipeline_with, script, tmp_path):
    """As in the default mode."""
    (tmp_path / "coder.txt").write_text("Speak like a pirate.")
    written = says("coder", NEW, "Speak like a pirate")
    names = small_models(script, written, EXPLAINER, GOOD) | {"PROMPTS_DIR": tmp_path}
    async with queries(pipeline_with, **names) as run:
        assert await run(PROMPT) == NEW


async def test_a_small_model_s_files_keep_their_form(pipeline_with, script):
    """Its own fences, its language whatever the wish names, and its last line end."""
    readme = "# Use\n\n```bash\nrun\n```\n\n```python\nimport x\n```\n\nThat is all.\n"
    longer = readme.replace("That is all.", "That is nearly all.")
    for code, wish, reply in (
        (readme, "Say nearly", longer.rstrip()),
        (CODE, "Print the area as JavaScript code", NEW.rstrip()),
    ):
        task = QueryTask(wish, type="refine", code=code)
        rules = says("coder", reply), EXPLAINER, GOOD
        async with queries(pipeline_with, **small_models(script, *rules)) as run:
            asked = Request(wish, source="query", row=mode_of("refine"), task=task)
            made = run.scheduler.submit(asked)
            assert await run.scheduler.finished(made) == f"{reply}\n"
        assert changes(run) == ["changes"]


async def test_a_small_coder_with_a_large_reviewer_has_a_plan(pipeline_with, script):
    """The planner is the reviewer's model."""
    names = {"CODER_MODEL_NAME": script(coder(NEW), EXPLAINER, name="x-1.5b")}
    names |= dict.fromkeys(
        ("JUDGE_MODEL_NAME", "REVIEWER_MODEL_NAME"), script(PLANNER, GOOD, name="x-7b")
    )
    async with queries(pipeline_with, **names) as run:
        assert await run(PROMPT) == NEW
    assert stages(run.record)[0] == "planner changes"
