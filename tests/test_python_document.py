"""docs/python.md and its notebook do what they say, and the served document suffices for clients in
other languages."""

import json
import re
from pathlib import Path
from textwrap import dedent

import pytest
from code_examples import CLEAR, EXPLAINED
from processes import daemon
from projects import BOTH, GOOD, TWO

import laios
from server.api.openapi import document

pytestmark = pytest.mark.only_when("laios/", "docs/", "server/api/")

DOCS = Path(__file__).parent.parent / "docs"
CODE = "def add(a, b):\n    return a + b\n"
RULES = [TWO, *BOTH, CLEAR, {"role": "coder", "reply": CODE}, GOOD, EXPLAINED]


@pytest.fixture
def examples(roles, monkeypatch, tmp_path):
    """Carries out pieces of code one after the other, with a daemon of scripted models where the
    settings say."""

    def carry_out(*pieces):
        roles(*RULES)
        monkeypatch.chdir(tmp_path)
        names = {}
        with daemon(LAIOS_PORT="0", LAIOS_HISTORY_DIR=str(tmp_path / "history")) as address:
            monkeypatch.setenv("LAIOS_PORT", address.rpartition(":")[2])
            for piece in pieces:
                exec(compile(piece, "example", "exec"), names)
        return names

    return carry_out


def test_the_examples_of_the_document_run(examples, tmp_path, capsys):
    """In their order, as a reader would try them."""
    blocks = re.findall(r"^```python\n(.*?)^```", (DOCS / "python.md").read_text(), re.M | re.S)
    names = examples(*blocks)
    assert names["answer"].output == CODE and names["outputs"] == [CODE, CODE]
    assert sorted(path.name for path in (tmp_path / "calculator").iterdir()) == [
        "cli.py",
        "core.py",
    ]
    assert names["result"].success and set(names["answers"].results) == {"python", "javascript"}
    assert capsys.readouterr().out.rstrip().splitlines()[-1].startswith("unknown_tag ")


def test_the_example_in_the_package_s_docstring_runs(examples, capsys):
    """What `help(laios)` shows."""
    example = re.search(r"(?m)^    import laios\n(?:    .*\n|\n)*", laios.__doc__)[0]
    examples(dedent(example))
    assert capsys.readouterr().out == f"{CODE}\n"


def test_the_notebook_runs(examples):
    """Its cells from the first to the last; it is kept without outputs."""
    cells = json.loads((DOCS / "laios.ipynb").read_text())["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    names = examples(*("".join(cell["source"]) for cell in code))
    assert names["answer"].passed and names["result"].code
    assert not any(cell["outputs"] or cell["execution_count"] for cell in code)


def test_the_document_names_every_method():
    """The table is complete."""
    text = (DOCS / "python.md").read_text()
    for name, value in vars(laios.Client).items():
        if name[0] != "_" and callable(value) and name != "close":
            assert f"`{name}(" in text, name


def test_the_served_document_suffices_for_generated_clients():
    """Every reference leads somewhere, and every JSON that goes in or out has a schema: what a
    generator of types needs."""
    served = document(with_token=False)
    text = json.dumps(served)
    for reference in set(re.findall(r'"\$ref": "#/([^"]+)"', text)):
        found = served
        for part in reference.split("/"):
            found = found[part]
    for path, operations in served["paths"].items():
        for method in {"get", "post", "delete"} & operations.keys():
            answers = operations[method]["responses"]
            contents = [
                content for each in answers.values() for content in each["content"].values()
            ]
            body = operations[method].get("requestBody", {"content": {}})["content"]
            assert all("schema" in each for each in (*contents, *body.values())), (method, path)
            assert any(status == "200" for status in answers), (method, path)
