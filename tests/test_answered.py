"""`///ask` on scripted models and a small documentation: the kinds of answers, their
sources, and what no model may make up."""

import json

import pytest
from query_fakes import KnownFile, Library, Passage, kind, queries, says, shapes
from recorded import stages

from laios.types.answers import (
    APILookupOutput,
    CodeToDataOutput,
    DataToCodeOutput,
    ExplanationOutput,
)
from laios.types.enrichment import ExplanationEnrichmentOutput
from pipeline.errors import ModelFailed
from pipeline.rag.data_kinds import read_by
from pipeline.rag.query_task import GivenFile, QueryTask, mode_of, result_of
from pipeline.request import Request

API_TEXT = """SetMapper() gives an actor its mapper [3]. The mapper is drawn [1][9].

```python
actor = Actor()
actor.SetMapper(mapper)
points[1]
```

It returns nothing [3]."""
API_FIELDS = {
    "parameters": [{"name": "mapper", "type": "Mapper", "description": "What is drawn"}],
    "return_value": "None",
    "related_methods": ["GetMapper"],
    "sources": [{"number": 3, "reason": "the actor's API"}, {"number": 7, "reason": "?"}],
    "confidence": "high",
}
FACTS = {"sources": [], "confidence": "high"}
EXPLAINED = {"key_concepts": [], "examples": [], "related_concepts": []} | FACTS


def text(reply, prompt=r"The answer:\Z", **rule):
    return says("explainer", reply, prompt, **rule)


def fields(reply, prompt=r"The description as JSON:\Z", **rule):
    return says("explainer", reply, prompt, **rule)


def documented():
    return Library(
        [
            Passage("Mapper_api_0", "Mapper: mapper of SetMapper", title="Mapper"),
            Passage("Guide_1", "mapper and SetMapper in general", "CONCEPT", "Guide"),
            Passage("Actor_api_0", "Actor: SetMapper", title="Actor"),
        ],
        {"SetMapper"},
    )


def result(run):
    return run.record["artefact"]["result"]


async def test_an_api_is_looked_up(pipeline_with):
    """The text's marks count from 1 in their order and match the list; others are gone and
    counted; what is code is left alone."""
    rules = [kind("api"), text(API_TEXT), fields(API_FIELDS)]
    async with queries(pipeline_with, *rules, documentation=documented()) as run:
        shown = await run("///ask What does SetMapper of a mapper do?")
    answer = APILookupOutput.from_dict(result(run))
    assert answer.explanation == (
        "SetMapper() gives an actor its mapper [1]. The mapper is drawn [2].\n\n"
        "It returns nothing [1]."
    )
    assert answer.usage_example == "actor = Actor()\nactor.SetMapper(mapper)\npoints[1]"
    assert [(c.number, c.chunk_id, c.reason) for c in answer.citations] == [
        (1, "Actor_api_0", "the actor's API"),
        (2, "Mapper_api_0", "Mapper"),
    ]
    assert (answer.parameters[0].name, answer.return_value) == ("mapper", "None")
    assert (answer.related_methods, answer.confidence) == (["GetMapper"], "high")
    artefact = run.record["artefact"]
    assert (artefact["type"], artefact["dropped_citations"]) == ("api", 2)
    assert [(each["index"], each["chunk_id"]) for each in artefact["documentation"]] == [
        (1, "Actor_api_0"),
        (2, "Mapper_api_0"),
        (3, "Guide_1"),
    ]
    assert "content" not in artefact["documentation"][2]  # it was offered and not cited
    assert shown.endswith("Sources:\n[1] Actor\n[2] Mapper")
    assert stages(run.record) == [
        "intake kind of query",
        "documentation api",
        "explainer api",
        "explainer api fields",
    ]


async def test_an_invented_name_in_an_example_lowers_the_confidence(pipeline_with):
    """The documentation knows better than the model's own word."""
    rules = [kind("api"), text(API_TEXT.replace(".SetMapper", ".SetMaper")), fields(API_FIELDS)]
    async with queries(pipeline_with, *rules, documentation=documented()) as run:
        await run("///ask What does SetMapper do?")
    assert result(run)["confidence"] == "low"
    assert run.record["artefact"]["findings"][0]["type"] == "AttributeError"


@pytest.mark.parametrize(
    ("second", "chosen"),
    [
        ("```python\nactor.SetMapper(mapper)\n```\n", 2),
        ("```python\nactor.SetMapp(mapper)\n```\n", 1),
        ("```python\nif actor.SetMapper(mapper):\n```\n", 1),
        ("Use SetMapper().", 1),
    ],
    ids=["better", "as bad", "broken", "without an example"],
)
async def test_an_answer_whose_example_is_wrong_is_drawn_again(pipeline_with, second, chosen):
    """Once; what has fewer faults is the answer, the other stands in its step."""
    first = "```python\nactor.SetMaper(mapper)\n```\n"
    rules = [kind("api"), text([first, second]), fields(API_FIELDS)]
    async with queries(pipeline_with, *rules, documentation=documented(), MAX_DRAFTS=5) as run:
        shown = await run("///ask What is SetMapper?")
    steps = [step for step in run.record["steps"] if step["label"] == "api" and step["model"]]
    assert [step["round"] for step in steps] == [1, 2]
    assert steps[2 - chosen]["raw"] == (second if chosen == 1 else first)
    assert shown.startswith((first if chosen == 1 else second).strip())
    assert bool(run.record["artefact"]["findings"]) is (chosen == 1)


@pytest.mark.parametrize(
    "second",
    [{"reply": ""}, {"finish_reason": "length"}, {"fault": "too_long"}, {"fault": "failed"}],
    ids=["empty", "cut off", "too long", "failed"],
)
async def test_a_second_answer_that_cannot_be_had_costs_nothing(pipeline_with, second):
    """The first one is given, with what was found in it."""
    first = "```python\nactor.SetMaper(mapper)\n```\n"
    again = text("Use") | second
    rules = [kind("api"), text(first, times=1), again, fields(API_FIELDS)]
    async with queries(pipeline_with, *rules, documentation=documented(), MAX_DRAFTS=5) as run:
        shown = await run("///ask What is SetMapper?")
    assert stages(run.record).count("explainer api") == 2
    assert shown.startswith(first.strip())
    assert run.record["artefact"]["findings"]


async def test_without_time_for_it_nothing_is_drawn_again(pipeline_with):
    """The one answer is given, with what was found in it."""
    rules = [kind("api"), text("```python\na.SetMaper(1)\nb()\n```", delay_ms=700)]
    changes = {"MAX_DRAFTS": 5, "RUN_TIMEOUT_S": 0.5}  # three times that for an answer
    async with queries(
        pipeline_with, *rules, fields(API_FIELDS), documentation=documented(), **changes
    ) as run:
        await run("///ask What is SetMapper?")
    assert stages(run.record).count("explainer api") == 1
    assert run.record["artefact"]["findings"]


@pytest.mark.parametrize(
    "opened",
    ["```python\nactor.SetMapper(m)", "> ```python\n> actor.SetMapper(m)\n> ```"],
    ids=["without an end", "in a quotation"],
)
async def test_marks_are_no_part_of_a_block_that_ends_otherwise(pipeline_with, opened):
    """Code without a closing fence, or in a quotation, is the example without its marks."""
    rules = [kind("api"), text(f"So:\n\n{opened}"), fields(API_FIELDS)]
    async with queries(pipeline_with, *rules, documentation=documented()) as run:
        await run("///ask What is SetMapper?")
    assert result(run)["usage_example"] == "actor.SetMapper(m)"
    assert result(run)["explanation"].endswith("[1]")


async def test_who_wants_one_draft_gets_one_answer(pipeline_with):
    """`MAX_DRAFTS=1` holds for answers as well."""
    rules = [kind("api"), text("```python\nactor.SetMaper(mapper)\n```\n"), fields(API_FIELDS)]
    async with queries(pipeline_with, *rules, documentation=documented(), MAX_DRAFTS=1) as run:
        await run("///ask What is SetMapper?")
    assert stages(run.record).count("explainer api") == 1


async def test_marks_behind_an_example_do_not_become_part_of_it(pipeline_with):
    """A fence that has words behind it ends nothing."""
    rules = [
        kind("api"),
        text("Like this:\n\n```python\nactor.SetMapper(m)\n```"),
        fields(API_FIELDS),
    ]
    async with queries(pipeline_with, *rules, documentation=documented()) as run:
        shown = await run("///ask What is SetMapper?")
    assert "```\n\n[1]\n\nSources:" in shown
    assert result(run)["usage_example"] == "actor.SetMapper(m)"


async def test_a_concept_is_explained(pipeline_with):
    """With concepts and confidence from the fields, and the sources numbered as they are cited."""
    rules = [
        kind("explanation"),
        text("Data flows from sources to mappers [2]."),
        fields(
            {
                "key_concepts": [{"concept": "Source", "description": "makes data"}],
                "examples": ["Source → Mapper"],
                "related_concepts": ["Lazy evaluation"],
                "sources": [{"number": 2, "reason": "the guide"}],
                "confidence": "medium",
            }
        ),
    ]
    async with queries(pipeline_with, *rules, documentation=documented()) as run:
        await run("///ask How does a mapper work in general?")
    answer = ExplanationOutput.from_dict(result(run))
    assert answer.explanation == "Data flows from sources to mappers [1]."
    assert answer.key_concepts[0].concept == "Source"
    assert (answer.citations[0].reason, answer.confidence) == ("the guide", "medium")


@pytest.mark.parametrize("library", [None, Library()], ids=["none", "empty"])
async def test_without_documentation_an_answer_says_so(pipeline_with, library):
    """Its confidence is low whatever the model says, and its marks lead nowhere."""
    rules = [kind("explanation"), text("It flows [1], I think."), fields(EXPLAINED)]
    async with queries(pipeline_with, *rules, documentation=library) as run:
        shown = await run("///ask How does a pipeline work?")
    assert shown.startswith("There is no documentation here to go by (`laios docs add` indexes")
    assert result(run)["explanation"].endswith("from the model alone.\n\nIt flows, I think.")
    assert (result(run)["confidence"], result(run)["citations"]) == ("low", [])
    assert run.record["artefact"]["dropped_citations"] == 1


async def test_documentation_that_says_nothing_on_it_is_not_hidden(pipeline_with):
    """An index about something else is as good as none."""
    rules = [kind("explanation"), text("It rains."), fields(EXPLAINED)]
    async with queries(pipeline_with, *rules, documentation=documented()) as run:
        shown = await run("///ask Why is there weather?")
    assert shown.startswith("The indexed documentation has nothing on this")
    assert result(run)["confidence"] == "low"


async def test_an_answer_without_marks_gets_those_that_the_model_names_besides(pipeline_with):
    """At its end; without any, it is not sure."""
    sources = [{"number": 2, "reason": "flow"}, {"number": 8, "reason": "invented"}]
    rules = [kind("explanation"), text("It flows."), fields(EXPLAINED | {"sources": sources})]
    async with queries(pipeline_with, *rules, documentation=documented()) as run:
        await run("///ask How does a mapper work in general?")
    assert result(run)["explanation"] == "It flows. [1]"
    [citation] = result(run)["citations"]
    assert (citation["number"], citation["chunk_id"]) == (1, "Mapper_api_0")
    assert run.record["artefact"]["dropped_citations"] == 1
    rules = [kind("explanation"), text("It flows."), fields(EXPLAINED)]
    async with queries(pipeline_with, *rules, documentation=documented()) as run:
        await run("///ask How does a mapper work in general?")
    assert (result(run)["citations"], result(run)["confidence"]) == ([], "low")


# --- data and code -------------------------------------------------------------------------------

POINTS = (
    "import pandas as pd\nfrom vtkmodules.vtkCommonCore import vtkPoints\n\n"
    "df = pd.read_csv('points.csv')\npoints = vtkPoints()\n"
)
DATA_FIELDS = {
    "data_analysis": "Points in space.",
    "suggested_techniques": ["Point cloud"],
    "alternative_approaches": [
        {
            "technique": "Surface",
            "description": "A mesh.",
            "symbols": ["vtkDelaunay3D", "numpy.array"],
            "complexity": "advanced",
        }
    ],
} | FACTS


async def test_data_becomes_code(pipeline_with):
    """Code is raw, its names are taken from itself, and the data's head is shown."""
    task = QueryTask(
        "What can I do with points.csv?",
        type="data_to_code",
        data_files=(GivenFile(name="points.csv", head="x,y,z\n1,2,3"),),
    )
    rules = [
        says("coder", f"```python\n{POINTS}```", r"(?s)points\.csv, which begins:\nx,y,z"),
        text("pandas reads it.", r"(?s)import pandas.*The answer:\Z"),
        fields(DATA_FIELDS),
    ]
    async with queries(pipeline_with, *rules) as run:
        made = run.scheduler.submit(
            Request(task.prompt, source="query", row=mode_of(task.type), task=task)
        )
        shown = await run.scheduler.finished(made)
    answer = DataToCodeOutput.from_dict(result_of(made.result))
    assert answer.code == POINTS and f"```python\n{POINTS}```" in shown
    assert answer.vtk_classes_used == ["vtkPoints"]
    assert answer.symbols_used == ["vtkmodules.vtkCommonCore.vtkPoints", "pandas.read_csv"]
    assert answer.data_files_used == ["points.csv"]
    [way] = answer.alternative_approaches
    assert (way.vtk_classes, way.complexity) == (["vtkDelaunay3D"], "advanced")


async def test_code_for_data_stands_in_a_block_of_its_language(pipeline_with):
    """The language that is asked for."""
    code = says("coder", "let rows = [];")
    rules = [kind("data_to_code"), code, text("It reads."), fields(FACTS)]
    async with queries(pipeline_with, *rules) as run:
        shown = await run("///ask What can I do with points.csv in JavaScript?")
    assert "```javascript\nlet rows = [];" in shown


async def test_code_for_data_in_a_language_that_nobody_named_is_no_broken_python(pipeline_with):
    """It stands in a block of its own language."""
    code = says("coder", "```sql\nSELECT * FROM points;\n```")
    rules = [kind("data_to_code"), code, text("It reads."), fields(FACTS)]
    async with queries(pipeline_with, *rules) as run:
        shown = await run("///ask What can I do with points.db?")
    assert "```sql\nSELECT * FROM points;" in shown
    assert run.record["artefact"]["findings"] == []


async def test_the_code_for_data_is_checked_and_put_right(pipeline_with):
    """Like that of a plan."""
    bad = POINTS.replace("pd.read_csv", "pandas.read_csv")
    rules = [
        kind("data_to_code"),
        says("coder", bad),
        says("reviewer", POINTS, "NameError at line 4: name 'pandas' is not defined"),
        says("explainer", "-", "ERRORS BEGINS"),
        text("pandas reads it."),
        fields(DATA_FIELDS),
    ]
    async with queries(pipeline_with, *rules) as run:
        await run("///ask I have points.csv. What can I do with it?")
    assert result(run)["code"] == POINTS
    assert run.record["artefact"]["findings"] == []


READER = "from vtkmodules.vtkIOGeometry import vtkSTLReader\n\nreader = vtkSTLReader()\n"
KNOWN = KnownFile(
    "sphere.stl", "A sphere", "Basic STL", "https://vtk.org/files/sphere.stl", "STL", "~100KB"
)


async def test_code_becomes_data_of_indexed_documents_alone(pipeline_with):
    """No address and no file's facts are the model's."""
    invented = (
        "It reads STL. Try https://evil.example/tooth.stl, or https://vtk.org/files/sphere.stl, "
        "or [this](http://b.example/x)."
    )
    rules = [
        kind("code_to_data"),
        text(invented, r"(?s)KNOWN DATA FILES BEGINS ===\nsphere\.stl: A sphere"),
        fields({"code_requirements": "A mesh of triangles."} | FACTS),
    ]
    library = Library([Passage("STLReader_0", "vtkSTLReader reads STL")], files=[KNOWN])
    prompt = f"///ask Which files does this read?\n```python\n{READER}```"
    async with queries(pipeline_with, *rules, documentation=library) as run:
        shown = await run(prompt)
    answer = CodeToDataOutput.from_dict(result(run))
    assert [file.to_dict() for file in answer.data_files] == [
        {
            "filename": "sphere.stl",
            "description": "A sphere",
            "source_example": "Basic STL",
            "download_url": "https://vtk.org/files/sphere.stl",
            "file_type": "STL",
            "file_size": "~100KB",
        }
    ]
    assert "example/" not in shown and "https://vtk.org/files/sphere.stl" in answer.explanation
    assert run.record["artefact"]["notes"] == ["2 addresses were left out: no document has them."]
    assert answer.vtk_classes_used == ["vtkSTLReader"]
    assert answer.code_requirements == "A mesh of triangles."
    assert "vtkSTLReader" in library.asked[0]  # the code's names are looked up as well


def test_data_files_are_those_of_a_kind_that_the_code_reads():
    """By the names of readers in it, in whatever way they are written; without code, all."""
    names = ("a.stl", "b.csv", "c.tsv", "d.vtp", "e.png", "f", "g.xlsx")
    files = [KnownFile(name) for name in names] + [KnownFile("h", file_type="STL file")]

    def kept(code):
        return [file.filename for file in read_by(code, files)]

    assert kept("reader = vtkSTLReader()\n") == ["a.stl", "h"]
    assert kept("frame = pd.read_csv(path)\n") == ["b.csv", "c.tsv"]
    assert kept("r = vtkXMLPolyDataReader()\nimg = imread(p)\n") == ["d.vtp", "e.png"]
    assert kept("book = pandas.read_excel(p)\n") == ["g.xlsx"]
    assert kept("x = 1\n") == []
    assert kept("") == [file.filename for file in files]


async def test_given_code_is_explained(pipeline_with):
    """Names that do not stand in the code are left out."""
    task = QueryTask("Explain this code.", type="enrich", code=READER)
    said = {
        "key_points": ["It reads a mesh"],
        "symbols_explained": [
            {"name": "vtkSTLReader", "purpose": "reads STL files"},
            {"name": "vtkActor", "purpose": "is not there"},
            {"name": "reader", "purpose": "holds it"},
        ],
    } | FACTS
    rules = [text("It reads a mesh [1].", r"(?s)vtkSTLReader\(\).*The answer:\Z"), fields(said)]
    library = Library([Passage("STLReader_0", "vtkSTLReader reads STL")])
    async with queries(pipeline_with, *rules, documentation=library) as run:
        made = run.scheduler.submit(
            Request(task.prompt, source="query", row=mode_of("enrich"), task=task)
        )
        await run.scheduler.finished(made)
    answer = ExplanationEnrichmentOutput.from_dict(result_of(made.result))
    assert [each.name for each in answer.vtk_classes_explained] == ["vtkSTLReader"]
    assert [each.name for each in answer.symbols_explained] == ["vtkSTLReader", "reader"]
    assert (answer.key_points, answer.confidence) == (["It reads a mesh"], "high")


# --- malformed replies ---------------------------------------------------------------------------

FIELD_REPLIES = [
    "",
    "It is about mappers.",
    "{}",
    json.dumps(API_FIELDS | {"confidence": "certain"}),
    json.dumps(API_FIELDS | {"sources": [1]}),
    json.dumps(API_FIELDS | {"sources": [{"number": "1", "reason": ""}]}),
    json.dumps(API_FIELDS | {"sources": [{"number": 0, "reason": ""}]}),
    json.dumps(API_FIELDS | {"parameters": {"mapper": "Mapper"}}),
    json.dumps(API_FIELDS | {"related_methods": "GetMapper"}),
    json.dumps(API_FIELDS)[:-2],
    json.dumps([API_FIELDS]),
]


@pytest.mark.parametrize("reply", FIELD_REPLIES, ids=range(len(FIELD_REPLIES)))
async def test_fields_that_cannot_be_read_cost_no_answer(pipeline_with, reply):
    """They are asked for again, then left empty: the text and its citations stay."""
    rules = [kind("api"), text(API_TEXT), fields(reply)]
    async with queries(pipeline_with, *rules, documentation=documented()) as run:
        await run("///ask What does SetMapper of a mapper do?")
    answer = APILookupOutput.from_dict(result(run))
    assert (answer.parameters, answer.confidence) == ([], "medium")
    assert [each.chunk_id for each in answer.citations] == ["Actor_api_0", "Mapper_api_0"]
    assert stages(run.record)[-1] == "explainer api fields again"


async def test_what_only_repeats_the_template_is_left_out(pipeline_with):
    """A small model copies it where it has nothing to say."""
    copied = {"return_value": "<what comes back, or None>", "related_methods": ["<name>", "Get"]}
    rules = [kind("api"), text(API_TEXT), fields(API_FIELDS | copied)]
    async with queries(pipeline_with, *rules, documentation=documented()) as run:
        await run("///ask What does SetMapper of a mapper do?")
    assert (result(run)["return_value"], result(run)["related_methods"]) == ("", ["Get"])


async def test_fields_are_read_the_second_time(pipeline_with):
    """Fields that were malformed are asked for once more."""
    rules = [kind("api"), text(API_TEXT), fields("-", times=1), fields(API_FIELDS)]
    async with queries(pipeline_with, *rules, documentation=documented()) as run:
        await run("///ask What does SetMapper of a mapper do?")
    assert result(run)["confidence"] == "high"


@pytest.mark.parametrize("bad", [{"reply": ""}, {"finish_reason": "length"}, {"fault": "cut"}])
async def test_without_a_text_there_is_no_answer(pipeline_with, bad):
    """An empty text, one that was cut off and one whose connection broke fail the run."""
    rules = [kind("explanation"), text("It flows, and") | bad]
    async with queries(pipeline_with, *rules) as run:
        with pytest.raises(ModelFailed):
            await run("///ask How does it work?")


@pytest.mark.parametrize(
    ("rules", "prompt"),
    [
        ([kind("explanation"), text("It flows, and")], "///ask How does it work?"),
        ([kind("data_to_code"), says("coder", "x = 1")], "///ask What can I do with points.csv?"),
    ],
    ids=["text", "code"],
)
async def test_an_answer_that_was_cut_off_stands_in_the_history(pipeline_with, rules, prompt):
    """The error says that it does: the step has the reply, and why nothing was made of it."""
    rules[-1]["finish_reason"] = "length"
    async with queries(pipeline_with, *rules) as run:
        with pytest.raises(ModelFailed, match="stands in the history"):
            await run(prompt)
    step = run.record["steps"][-1]
    assert step["raw"] == rules[-1]["reply"]
    assert step["error"] == {"code": "unreadable", "message": "It was cut off."}


@pytest.mark.parametrize("reply", ["explanation", '{"type": "code"}', "{}"])
async def test_a_kind_that_cannot_be_read_is_an_explanation(pipeline_with, reply):
    """A plan is no answer: `///ask` never writes one."""
    rules = [says("intake", reply), text("It flows."), fields(EXPLAINED)]
    async with queries(pipeline_with, *rules) as run:
        assert "It flows." in await run("///ask How does it work?")
    assert run.record["artefact"]["type"] == "explanation"


async def test_code_that_is_none_is_no_answer_to_data(pipeline_with):
    """Prose where code was asked for fails the run."""
    rules = [kind("data_to_code"), says("coder", "I would use pandas for this, I think.")]
    async with queries(pipeline_with, *rules) as run:
        with pytest.raises(ModelFailed, match="holds no code"):
            await run("///ask What can I do with points.csv?")


async def test_thinking_is_no_part_of_an_answer(pipeline_with):
    """A citation in the thoughts does not count as one that was dropped."""
    rules = [kind("explanation"), text("<think>Hm [1].</think>It flows."), fields(EXPLAINED)]
    async with queries(pipeline_with, *rules, documentation=shapes()) as run:
        await run("///ask Which source of geometry?")
    assert result(run)["explanation"] == "It flows."
    assert run.record["artefact"]["dropped_citations"] == 0
