"""Models that answer the queries of the tests: a plan of three steps, an answer, a refinement."""

import json

QUERY = "Print the areas of three cylinders as a table."
STEPS = ("Define the area of a cylinder", "Compute three areas", "Print them as a table")
CODE = (
    "import math\n\n\ndef area(r, height):\n    return 2 * math.pi * r * (r + height)\n",
    "areas = [area(r, 2.0) for r in (1, 2, 3)]\n",
    'for value in areas:\n    print(f"{value:.2f}")\n',
)
OLD = "import math\n\n\ndef area(radius):\n    return math.pi * radius\n"
NEW = "import math\n\n\ndef area(radius):\n    return math.pi * radius**2\n"
CHANGE = "square the radius"


def says(role, value, **rule):
    reply = value if isinstance(value, str) else json.dumps(value)
    return {"role": role, "reply": reply, **rule}


def kind(name, **rule):
    return says("intake", {"type": name}, **rule)


JUDGED = {"role": "judge", "verdict": [9, 1, "It is right."]}
PLANNED = says(
    "planner",
    {
        "understanding": "Three areas are wanted",
        "requires_visualization": False,
        "libraries_needed": ["math"],
        "data_files": [],
        "steps": [
            {
                "step_number": number,
                "description": description,
                "search_query": description,
                "focus": "geometry",
            }
            for number, description in enumerate(STEPS, 1)
        ],
    },
)
WRITTEN = {"role": "coder", "reply": list(CODE)}
NOTED = says("explainer", {"understanding": "It does that.", "citations": [1, 7]})
PLAN = [PLANNED, WRITTEN, NOTED, JUDGED]

TEXT = "math.pi is a circle's circumference by its diameter [1].\n\n```python\nmath.pi\n```\n"
FIELDS = {
    "parameters": [],
    "return_value": "a float",
    "related_methods": ["math.tau"],
    "sources": [{"number": 1, "reason": "its definition"}],
    "confidence": "high",
}
API = [
    kind("api"),
    says("explainer", FIELDS, prompt="The description as JSON:"),
    says("explainer", TEXT),
]

CHANGES = says(
    "planner",
    {
        "understanding": "The radius is to be squared",
        "modification_steps": [
            {
                "step_number": 1,
                "description": "Square the radius",
                "requires_retrieval": False,
                "targets": ["area"],
            }
        ],
        "preserved_elements": ["area"],
    },
)
CHANGED = says(
    "explainer",
    {
        "modifications": [
            {
                "step_number": 1,
                "modification": "Squared the radius",
                "explanation": "An area grows with the square.",
                "variable_affected": "radius",
            }
        ],
        "diff_summary": "The radius is squared.",
        "sources": [],
        "confidence": "high",
    },
)
REFINE = [CHANGES, says("coder", NEW), CHANGED, JUDGED]

ANYTHING = [
    kind("api", prompt="You sort queries"),
    CHANGES | {"prompt": "how given code is to be changed"},
    PLANNED,
]
"""Rules that leave no query without an answer, before any that coder, explainer and judge go by."""
