"""Answers of `POST /query` as people read them."""

import pytest

from server.terminal.answer_text import answer_text, plan_text, refined_text

CITED = [{"number": 1, "reason": "how it is done", "chunk_id": "a_0", "title": "vtkActor"}]
ENDS = "Sources:\n[1] vtkActor: how it is done"


def test_an_api_s_answer_has_all_that_is_known_of_it():
    """The text with its marks first, the sources last."""
    answer = {
        "explanation": "SetMapper() assigns a mapper [1].",
        "usage_example": "actor.SetMapper(mapper)\n",
        "parameters": [{"name": "mapper", "type": "vtkMapper", "description": "what it draws"}],
        "return_value": "None",
        "related_methods": ["GetMapper", "SetProperty"],
        "citations": CITED,
    }
    assert answer_text(answer) == (
        "SetMapper() assigns a mapper [1].\n\n"
        "Example:\n```python\nactor.SetMapper(mapper)\n```\n\n"
        "Parameters:\n- mapper (vtkMapper): what it draws\n\n"
        "Returns: None\n\nSee also: GetMapper, SetProperty\n\n" + ENDS
    )


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"key_concepts": [{"concept": "Source", "description": "reads"}]}, "- Source: reads"),
        ({"key_concepts": [{"concept": "Source", "description": ""}]}, "- Source\n"),
        ({"examples": ["A → B"]}, "Examples:\n- A → B"),
        ({"related_concepts": ["Laziness"]}, "See also: Laziness"),
        ({"data_analysis": "A table."}, "A table.\n\nIt is so."),
        ({"suggested_techniques": ["Glyphs"]}, "Techniques:\n- Glyphs"),
        (
            {"alternative_approaches": [{"technique": "Glyphs", "complexity": "simple"}]},
            "Other ways:\n- Glyphs (simple)",
        ),
        (
            {
                "data_files": [
                    {"filename": "a.stl", "file_size": "2 MB", "download_url": "https://x"}
                ]
            },
            "Data files:\n- a.stl (2 MB)\n  https://x",
        ),
        ({"code_requirements": "An STL file."}, "What the code needs: An STL file."),
        ({"key_points": ["It is quick."]}, "Key points:\n- It is quick."),
        (
            {
                "symbols_explained": [{"name": "csv.reader", "purpose": "reads rows"}],
                "vtk_classes_explained": [],
            },
            "Names:\n- csv.reader: reads rows",
        ),
        ({"code": 's = """\n```\n"""\n'}, 'Code:\n````python\ns = """\n```\n"""\n````'),
    ],
)
def test_each_part_of_an_answer_is_told(fields, said):
    """And what is empty is left out."""
    answer = {"explanation": "It is so.", "citations": CITED, **fields}
    text = answer_text(answer)
    assert said in text and text.endswith(ENDS)
    assert answer_text({"explanation": "It is so.", "citations": []}) == "It is so."


def test_an_enriched_explanation_is_the_text():
    """Under its own name."""
    answer = {"improved_explanation": "It draws [1].", "citations": CITED}
    assert answer_text(answer) == f"It draws [1].\n\n{ENDS}"


def test_a_plan_s_sources_are_those_of_its_steps():
    """Each once, in the order of their numbers; without any there is no list."""
    steps = [
        {"citations": [2, 1], "chunks_used": ["b_0", "a_0"]},
        {"citations": [2], "chunks_used": ["b_0"]},
    ]
    plan = {"steps": steps, "explanation": {"formatted": "1. Do it [2][1]"}}
    assert plan_text(plan) == "1. Do it [2][1]\n\nSources:\n[1] a_0\n[2] b_0"
    bare = {"steps": [], "explanation": {"formatted": "1. Do it"}}
    assert plan_text(bare) == "1. Do it"


def test_a_refinement_says_what_was_changed_and_why():
    """Line by line, with its sources."""
    change = {"step_number": 1, "modification": "Finer", "explanation": "8 to 50"}
    assert refined_text({"modifications": [change], "citations": CITED}) == (
        f"1. Finer: 8 to 50\n\n{ENDS}"
    )
    assert refined_text({"modifications": [], "citations": []}) == ""
