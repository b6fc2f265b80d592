"""What the dashboard shows of queries: plans, answers, refinements."""

import pytest
from dashboards import judged, site
from payloads import PAYLOADS

pytestmark = pytest.mark.only_when("dashboard/", "history/")

ID = "run-000001"
OLD = "cylinder.SetResolution(8)\n"
NEW = "cylinder.SetResolution(50)\n"
PLAN = {
    "type": "code",
    "result": {
        "query": "a cylinder",
        "understanding": "Wants a cylinder",
        "requires_visualization": True,
        "libraries_needed": ["vtk"],
        "data_files": [],
        "steps": [
            {
                "step_number": 1,
                "description": "Create the source",
                "understanding": "A source with 8 sides",
                "imports": ["import vtk"],
                "code": "cylinder = vtkCylinderSource()",
                "citations": [2],
                "chunks_used": ["Cylinder_api_0"],
            }
        ],
        "final_code": {"imports": "", "body": "", "complete": ""},
        "explanation": {"overview": "", "imports": [], "steps": [], "formatted": ""},
    },
    "documentation": [
        {
            "index": 2,
            "chunk_id": "Cylinder_api_0",
            "content_type": "API_DOC",
            "title": "vtkCylinderSource",
            "content": "generate a cylinder",
        }
    ],
    "findings": [{"type": "AttributeError", "message": "SetRadus", "line": 1, "context": "x"}],
    "dropped_citations": 3,
    "notes": ["Nothing was run."],
    "fixes": [],
    "decomposition": {"steps": [{"step_number": 1, "search_query": "cylinder", "focus": "io"}]},
}


async def test_a_plan_shows_its_steps_and_where_they_come_from(tmp_path):
    """Each step with its citations, which lead to the sources; findings and facts below."""
    async with site(tmp_path / "history", judged(ID, artefact=PLAN)) as served:
        texts = (await served.page(f"/dashboard/runs/{ID}?tab=artefact")).one(id="texts")
    step = texts.one("ol", "query-steps").one("li")
    assert step.one("h4").text == "1. Create the source [2]"
    assert "cylinder = vtkCylinderSource()" in step.one("details").text
    target = step.one("h4").one("a")["href"].removeprefix("#")
    source = texts.one("li", id=target)
    assert source.text.startswith("[2] Cylinder_api_0 API_DOC vtkCylinderSource")
    assert "generate a cylinder" in source.one("details").text
    facts = {
        each.one("dt").text: each.one("dd").text for each in texts.one("dl", "made").all("div")
    }
    assert facts["understanding"] == "Wants a cylinder"
    assert facts["dropped citations"] == "3"
    assert facts["notes"] == "Nothing was run."
    assert {"SetRadus", "cylinder"} <= {cell.text for cell in texts.all("td")}


async def test_a_refinement_shows_what_changed(tmp_path):
    """As a diff of the code before and after, beside what was changed and why."""
    change = {"step_number": 1, "modification": "Finer", "explanation": "8 to 50"}
    result = {
        "original_code": OLD,
        "code": NEW,
        "modifications": [change | {"code_changed": NEW, "code_added": ""}],
        "citations": [{"number": 1, "chunk_id": "x_0", "reason": "how it is done"}],
    }
    plan = {"modification_steps": [{"description": "finer"}], "preserved_elements": ["area"]}
    artefact = {"type": "refine", "result": result, "decomposition": plan}
    record = judged(ID, final_output=NEW, artefact=artefact)
    async with site(tmp_path / "history", record) as served:
        page = await served.page(f"/dashboard/runs/{ID}?tab=change")
        made = (await served.page(f"/dashboard/runs/{ID}?tab=artefact")).one(id="texts")
        usual = await served.page(f"/dashboard/runs/{ID}")
    assert "+1 −1 lines" in page.one(id="texts").text
    assert [tab.text for tab in usual.one("nav", "tabs").all("a")][:2] == ["Output", "Change"]
    assert made.one("ol", "query-steps").one("h4").text == "1. Finer"
    assert "[1] x_0 how it is done" in made.one("ul", "sources").text
    assert "finer" in [cell.text for cell in made.all("td")]
    assert "area" in [fact.text for fact in made.one("dl", "made").all("dd")]


@pytest.mark.parametrize("value", [None, True, 7, "", "\ud800", [], [[]], {}, {"a": [{}]}, [{}]])
async def test_whatever_a_query_left_has_a_page(tmp_path, value):
    """In the place of every part, and of every part of a part."""
    result = PLAN["result"]
    made = [PLAN | {key: value} for key in PLAN]
    made += [PLAN | {"result": result | {key: value}} for key in (*result, "original_code")]
    inner = [dict.fromkeys(result["steps"][0], value), value]
    made.append({"result": {"steps": inner, "citations": inner}, "documentation": inner})
    records = [judged(f"run-{n}", artefact=artefact) for n, artefact in enumerate(made)]
    async with site(tmp_path / "history", *records) as served:
        for record in records:
            for tab in ("artefact", "change", "output"):
                await served.opens(f"/dashboard/runs/{record['id']}?tab={tab}")


async def test_nothing_in_a_query_is_html(tmp_path):
    """Whatever stands in it stays text."""

    def payloads(value, payload):
        if isinstance(value, dict):
            return {key: payloads(each, payload) for key, each in value.items()}
        if isinstance(value, list):
            return [payloads(each, payload) for each in value]
        return payload

    records = [
        judged(f"run-{n}", artefact=payloads(PLAN, payload)) for n, payload in enumerate(PAYLOADS)
    ]
    async with site(tmp_path / "history", *records) as served:
        for record in records:
            page = await served.page(f"/dashboard/runs/{record['id']}?tab=artefact")
            texts = page.one(id="texts")
            assert {each.tag for each in texts.all()} <= {
                *("nav", "a", "h3", "h4", "ol", "ul", "li", "p", "details", "summary", "pre"),
                *("span", "b", "code", "dl", "div", "dt", "dd", "table", "thead", "tbody"),
                *("tr", "th", "td"),
            }
            assert not [a for a in texts.all("a") if not a["href"].startswith(("/", "#"))]
