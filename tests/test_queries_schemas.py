"""The schemas of queries: every documented example, and everything that is no such
object."""

import json
from pathlib import Path

import pytest

from laios.types import (
    answers,
    decomposition,
    enrichment,
    final_result,
    generation,
    refinement,
    validation,
)

EXAMPLES = json.loads((Path(__file__).parent / "fixtures" / "query_examples.json").read_text())
PHASES = (decomposition, generation, validation, answers, final_result, refinement, enrichment)
SCHEMAS = {
    name: getattr(phase, name) for phase in PHASES for name in EXAMPLES if name in vars(phase)
}
VALIDATORS = {
    "validate_decomposition_output": "DecompositionOutput",
    "validate_generation_output": "GenerationOutput",
    "validate_validation_output": "ValidationOutput",
    "validate_api_lookup_output": "APILookupOutput",
    "validate_explanation_output": "ExplanationOutput",
    "validate_data_to_code_output": "DataToCodeOutput",
    "validate_code_to_data_output": "CodeToDataOutput",
    "validate_modification_decomposition_output": "ModificationDecompositionOutput",
    "validate_code_modification_output": "CodeModificationOutput",
    "validate_explanation_enrichment_output": "ExplanationEnrichmentOutput",
}
# As the document says it.
REQUIRED = {
    "DecompositionInput": ["query", "instructions"],
    "DecompositionOutput": [
        "understanding",
        "requires_visualization",
        "libraries_needed",
        "data_files",
        "steps",
    ],
    "GenerationInput": [
        "original_query",
        "overall_understanding",
        "overall_plan",
        "current_step",
        "previous_steps",
        "documentation",
        "instructions",
    ],
    "GenerationOutput": ["step_number", "understanding", "imports", "code", "citations"],
    "ValidationInput": [
        "task",
        "original_query",
        "generated_code",
        "validation_errors",
        "instructions",
    ],
    "ValidationOutput": ["fixed_code", "changes_made"],
    "APILookupOutput": ["response_type", "content_type", "explanation", "citations", "confidence"],
    "ExplanationOutput": [
        "response_type",
        "content_type",
        "explanation",
        "citations",
        "confidence",
    ],
    "DataToCodeOutput": [
        "response_type",
        "content_type",
        "code",
        "explanation",
        "citations",
        "confidence",
    ],
    "CodeToDataOutput": ["response_type", "content_type", "explanation", "citations", "confidence"],
    "FinalResult": [
        "query",
        "understanding",
        "requires_visualization",
        "libraries_needed",
        "data_files",
        "steps",
        "final_code",
        "explanation",
    ],
    "ModificationDecompositionOutput": [
        "understanding",
        "modification_steps",
        "preserved_elements",
    ],
    "CodeModificationOutput": [
        "modifications",
        "updated_code",
        "preserved_structure",
        "diff_summary",
    ],
    "CodeRefinementResult": [
        "response_type",
        "content_type",
        "query",
        "original_code",
        "code",
        "explanation",
        "modifications",
        "new_imports",
        "citations",
        "chunk_ids_used",
        "confidence",
    ],
    "ExplanationEnrichmentOutput": ["improved_explanation", "citations", "confidence"],
}


def validator(name):
    return next(vars(phase)[name] for phase in PHASES if name in vars(phase))


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_documented_example_comes_back_as_it_was(name):
    """Through from_dict and to_json, with the documented field names and nothing else."""
    read = SCHEMAS[name].from_dict(EXAMPLES[name])
    assert json.loads(read.to_json()) == EXAMPLES[name]
    assert SCHEMAS[name].from_dict(read.to_dict()) == read


@pytest.mark.parametrize(
    ("name", "field"), [(name, field) for name, fields in REQUIRED.items() for field in fields]
)
def test_a_missing_required_field_is_a_type_error(name, field):
    """Which names the field."""
    without = {key: value for key, value in EXAMPLES[name].items() if key != field}
    with pytest.raises(TypeError, match=field):
        SCHEMAS[name].from_dict(without)


@pytest.mark.parametrize("name", EXAMPLES)
def test_what_is_not_required_may_be_left_out(name):
    """All the other fields have a value without one."""
    least = {key: EXAMPLES[name][key] for key in REQUIRED[name]}
    read = SCHEMAS[name].from_dict(least)
    assert least.items() <= read.to_dict().items()


@pytest.mark.parametrize(
    "value",
    [None, "text", 3, [], [{}], b"{}"],
    ids=["null", "text", "number", "list", "rows", "bytes"],
)
def test_what_is_no_object_is_a_type_error(value):
    """Whatever other JSON value the model gave."""
    with pytest.raises(TypeError):
        decomposition.DecompositionOutput.from_dict(value)


@pytest.mark.parametrize(
    "wrong",
    [
        {"requires_visualization": "true"},
        {"requires_visualization": 1},
        {"libraries_needed": "vtk"},
        {"libraries_needed": [1]},
        {"understanding": None},
        {"steps": {}},
        {"steps": ["create a cylinder"]},
        {"steps": [{"step_number": "1", "description": "", "search_query": "", "focus": ""}]},
        {"steps": [{"step_number": 1, "description": "", "search_query": ""}]},
    ],
    ids=str,
)
def test_another_shape_is_a_type_error(wrong):
    """Nothing is turned into what it should have been, in nested objects neither."""
    with pytest.raises(TypeError):
        decomposition.DecompositionOutput.from_dict(EXAMPLES["DecompositionOutput"] | wrong)


@pytest.mark.parametrize("name", VALIDATORS)
def test_the_validators_say_whether_an_object_is_whole(name):
    """True for the example, False without any one of its required fields and for anything else."""
    is_valid, schema = validator(name), VALIDATORS[name]
    assert is_valid(EXAMPLES[schema]) is True
    for field in REQUIRED[schema]:
        rest = {key: value for key, value in EXAMPLES[schema].items() if key != field}
        assert is_valid(rest) is False
    assert is_valid(None) is is_valid([]) is is_valid("x") is False


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("APILookupOutput", {"confidence": "certain"}),
        ("APILookupOutput", {"content_type": "explanation"}),
        ("ExplanationOutput", {"response_type": "question"}),
        ("CodeToDataOutput", {"citations": [{"reason": "no number"}]}),
        ("DataToCodeOutput", {"alternative_approaches": [{"technique": "x", "complexity": "?"}]}),
    ],
)
def test_words_out_of_a_list_are_checked(name, wrong):
    """A word that the schema does not list is a TypeError, as is a source without its number."""
    with pytest.raises(TypeError):
        SCHEMAS[name].from_dict(EXAMPLES[name] | wrong)


def test_nested_objects_are_typed():
    """The documented usage: steps with attributes, instructions as a plain object."""
    given = decomposition.DecompositionInput(
        query="How to create a cylinder?",
        instructions={"role": "VTK expert", "task": "Analyze and break into steps"},
    )
    assert json.loads(given.to_json())["instructions"]["role"] == "VTK expert"
    plan = decomposition.DecompositionOutput.from_dict(EXAMPLES["DecompositionOutput"])
    assert [(step.step_number, step.focus) for step in plan.get_steps()] == [
        (1, "geometry"),
        (2, "rendering"),
    ]
    result = final_result.FinalResult.from_dict(EXAMPLES["FinalResult"])
    assert result.get_steps()[1].chunks_used[1] == "vtkPolyDataMapper_api_0"
    assert result.explanation.steps[0].step_number == 1
    change = refinement.ModificationDecompositionOutput.from_dict(
        EXAMPLES["ModificationDecompositionOutput"]
    )
    assert change.get_steps()[0].requires_retrieval is False


def test_general_symbols_stand_beside_the_names_of_vtk():
    """They are written where they are known, and an object without them is as good."""
    example = EXAMPLES["DataToCodeOutput"]
    read = answers.DataToCodeOutput.from_dict(example | {"symbols_used": ["pandas.read_csv"]})
    written = read.to_dict()
    assert written["symbols_used"] == ["pandas.read_csv"]
    assert written["vtk_classes_used"] == ["vtkPoints", "vtkPolyData"]
    assert "symbols_used" not in answers.DataToCodeOutput.from_dict(example).to_dict()


def test_text_is_kept_as_it_is():
    """Also what JSON has to escape, and what is no ASCII."""
    code = "print('\\u2028 \"ä\" \U0001f600\t\\n')\n"
    read = generation.GenerationOutput.from_dict(EXAMPLES["GenerationOutput"] | {"code": code})
    assert json.loads(read.to_json())["code"] == code
