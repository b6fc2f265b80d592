"""Imports between a project's own files that were forgotten."""

import pytest

from pipeline.projects.own_imports import with_own_imports

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
    assert with_own_imports(texts) == {account: f"{line}\n\n{USES}"}


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
    assert with_own_imports(texts) == {}
