"""`///ask` about an indexed library: what the answer's sketch uses is looked up."""

from dataclasses import replace

import pytest
from query_fakes import Library, Passage, kind, queries, says
from recorded import stages

from pipeline.models.scripted import ScriptedModel
from pipeline.rag.sketch import SKETCH_TOKENS

FIELDS = says(
    "explainer",
    {
        "key_concepts": [],
        "examples": [],
        "related_concepts": [],
        "sources": [],
        "confidence": "high",
    },
    r"The description as JSON:\Z",
)


def text(reply):
    return says("explainer", reply, r"The answer:\Z")


class SketchReader(Library):
    """Documentation of one library, which the word `shapes` names. `sketches` are those that
    came."""

    async def libraries(self, query):
        return ["shapes"] if "shapes" in query else []

    async def search(self, query, *, limit=8, sketch=""):
        self.sketches = [*getattr(self, "sketches", ()), sketch]
        return await super().search(f"{query} {sketch}", limit=limit)


def sketch_reader():
    return SketchReader([Passage("Actor_api_0", "Actor: SetMapper", title="Actor")])


SKETCH = says("explainer", "actor = Actor()\nactor.SetMapper(mapper)", r"draw with shapes\?\Z")


async def test_a_question_about_a_library_is_looked_up_by_a_sketch_of_its_answer(pipeline_with):
    """Words of one's own find little; the sketch itself is shown to nobody."""
    library = sketch_reader()
    rules = [kind("explanation"), SKETCH, text("Give it a mapper [1]."), FIELDS]
    async with queries(pipeline_with, *rules, documentation=library) as run:
        shown = await run("///ask How do I draw with shapes?")
    assert library.sketches == ["actor = Actor()\nactor.SetMapper(mapper)"]
    assert shown == "Give it a mapper [1].\n\nSources:\n[1] Actor"
    assert stages(run.record) == [
        "intake kind of query",
        "explainer sketch",
        "documentation explanation",
        "explainer explanation",
        "explainer explanation fields",
    ]


async def test_a_sketch_begins_with_an_import_of_the_library(pipeline_with, monkeypatch):
    """Where the model goes on with what was begun: left alone, a small one prints a table with
    `print`."""
    begun, facts, stream = {}, ScriptedModel.facts, ScriptedModel.stream

    async def going_on(self):
        return replace(await facts(self), goes_on=True)

    def told(self, call):
        begun[call.max_tokens] = call.begun
        return stream(self, call)

    monkeypatch.setattr(ScriptedModel, "facts", going_on)
    monkeypatch.setattr(ScriptedModel, "stream", told)
    library, rest = sketch_reader(), {**SKETCH, "prompt": None, "reply": ".ring import Ring\n"}
    rules = [kind("api"), text("Give it a mapper [1]."), FIELDS, rest]
    async with queries(pipeline_with, *rules, documentation=library) as run:
        await run("///ask How do I draw with shapes?")
    assert begun[SKETCH_TOKENS] == "```python\nfrom shapes"
    assert library.sketches == ["```python\nfrom shapes.ring import Ring\n"]


@pytest.mark.parametrize(
    ("asked", "kind"),
    [
        ("How do I print a table with two columns?", "api"),
        ("Serve a directory of files", "api"),
        ("What does zip take?", "api"),
        ("How do generators work?", "explanation"),
        ("Why is a tuple faster than a list?", "explanation"),
        ("explain closures", "explanation"),
        ("What is the difference between a list and a tuple?", "explanation"),
        ("What are generators?", "explanation"),
        ("What is a context manager in Python?", "explanation"),
        ("What's a decorator?", "explanation"),
        ("How does asyncio.gather work?", "explanation"),
        ("How does httpx differ from requests?", "explanation"),
        ("What is the difference between a tuple and a list, and how do I choose?", "explanation"),
        ("Describe the event loop of asyncio", "explanation"),
        ("How is a dict implemented?", "explanation"),
        ("Should I use httpx or aiohttp?", "explanation"),
        ("What is SetMapper?", "api"),
        ("How do I compare two dataframes with pandas?", "api"),
        ("How do I compute the difference between two dates?", "api"),
        ("How do I get autocompletion to work in typer?", "api"),
        ("How can we run EXPLAIN on a query?", "api"),
        ("How to print why a validation failed", "api"),
    ],
)
async def test_a_small_model_is_not_asked_which_kind_of_answer_is_wanted(
    pipeline_with, script, asked, kind
):
    """It took five of twenty such questions for the wrong kind. Words decide."""
    small = script(text("So."), FIELDS, name="x-1.5b")
    names = {f"{role}_MODEL_NAME": small for role in ("CODER", "JUDGE", "REVIEWER")}
    async with queries(pipeline_with, **names) as run:
        await run(f"///ask {asked}")
    assert stages(run.record)[0] == f"explainer {kind}"
    assert run.record["artefact"]["type"] == kind


@pytest.mark.parametrize(
    ("asked", "library"),
    [
        ("How do I draw on paper?", sketch_reader()),
        ("How do I draw with shapes?", Library([Passage("Actor_api_0", "Actor: SetMapper")])),
    ],
    ids=["names no library", "reads no sketches"],
)
async def test_nothing_is_sketched_where_it_leads_nowhere(pipeline_with, asked, library):
    """A question about plain Python costs no call more than before."""
    rules = [kind("explanation"), text("With a pen."), FIELDS]
    async with queries(pipeline_with, *rules, documentation=library) as run:
        await run(f"///ask {asked}")
    assert "explainer sketch" not in stages(run.record)


async def test_a_sketch_that_cannot_be_had_costs_no_answer(pipeline_with):
    """Documents are then searched with the question alone."""
    library = sketch_reader()
    broken = {**SKETCH, "reply": ""}
    rules = [kind("explanation"), broken, text("SetMapper does it."), FIELDS]
    async with queries(pipeline_with, *rules, documentation=library) as run:
        assert "SetMapper does it." in await run("///ask How do I draw with shapes?")
    assert library.sketches == [""]
