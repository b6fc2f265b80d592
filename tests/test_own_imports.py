"""Imports between a project's own files that were forgotten."""

import time

import pytest

from pipeline.projects.own_imports import own_imports, with_own_imports

ERRORS = "class Broke(Exception):\n    pass\n"
USES = "def pay():\n    raise Broke('no money')\n"


@pytest.mark.parametrize(
    ("errors", "account", "line"),
    [
        ("errors.py", "account.py", "from errors import Broke"),
        ("bank/errors.py", "bank/account.py", "from bank.errors import Broke"),
        ("bank/errors.py", "main.py", "from bank.errors import Broke"),
        ("src/errors.py", "src/account.py", "from errors import Broke"),
        ("errors.py", "tests/test_pay.py", "from errors import Broke"),
    ],
)
def test_what_one_other_file_defines_is_imported_from_there(errors, account, line):
    """By the name that the file goes by beside it, else from the project's root."""
    texts = {errors: ERRORS, account: USES}
    if errors.startswith("bank"):
        texts["bank/__init__.py"] = ""
    assert own_imports(texts) == {account: [line]}
    assert with_own_imports(texts, own_imports(texts)) == {account: f"{line}\n\n{USES}"}


def test_a_constant_is_imported_too():
    """A module of data is what other files forget most easily."""
    texts = {"world.py": "import os\n\nROOMS = {'hall': 1}\n", "game.py": "print(ROOMS)\n"}
    assert own_imports(texts) == {"game.py": ["from world import ROOMS"]}


@pytest.mark.parametrize(
    "texts",
    [
        {"errors.py": ERRORS, "more.py": ERRORS, "account.py": USES},
        {"errors.py": f"import account\n{ERRORS}", "account.py": USES},
        {"errors.py": ERRORS, "account.py": f"from errors import Broke\n{USES}"},
        {"errors.py": ERRORS, "account.py": f"from errors import *\n{USES}"},
        {"errors.py": "Broke = 1\nif 1:\n", "account.py": USES},
        {"errors.js": ERRORS, "account.py": USES},
        {},
    ],
    ids=["two", "a circle", "there", "a star", "broken", "another language", "nothing"],
)
def test_what_is_not_certain_is_left_alone(texts):
    """Two files that have it, a circle, a name that may come from a star."""
    assert own_imports(texts) == {}


@pytest.mark.timeout(20)
def test_thousands_of_names_and_imports_take_no_time():
    """A model may write them; no other thread gets its turn meanwhile."""
    many = "".join(f"import m{n}\n" for n in range(3000))
    many += "".join(f"def f{n}(): pass\n" for n in range(3000))
    uses = "".join(f"f{n}()\n" for n in range(3000))
    began = time.process_time()
    assert len(own_imports({"a.py": many, "b.py": uses})["b.py"]) == 3000
    assert time.process_time() - began < 5
