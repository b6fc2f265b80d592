"""`///ask` about an indexed library: what the answer's sketch uses is looked up."""

import pytest
from query_fakes import Library, Passage, kind, queries, says, stages

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

    async def search(self, query, *, limit=8, content_types=(), sketch=""):
        self.sketches = [*getattr(self, "sketches", ()), sketch]
        return await super().search(f"{query} {sketch}", limit=limit, content_types=content_types)


def wordy():
    return Library([Passage("Actor_api_0", "Actor: SetMapper", title="Actor")])


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
    library = sketch_reader()
    broken = {**SKETCH, "reply": ""}
    rules = [kind("explanation"), broken, text("SetMapper does it."), FIELDS]
    async with queries(pipeline_with, *rules, documentation=library) as run:
        assert "SetMapper does it." in await run("///ask How do I draw with shapes?")
    assert library.sketches == [""]
