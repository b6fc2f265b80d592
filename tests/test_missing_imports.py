"""Imports that a draft forgot are put in where nothing else can be meant: by a rule, no model."""

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.analysis.missing_imports import HOME, with_missing_imports
from pipeline.analysis.undefined_names import undefined_names

PACKAGES = ["import matplotlib.pyplot as plt", "import requests"]


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        (
            "def f(xs: List[int]) -> Optional[int]:\n    return xs[0]\n",
            ["from typing import List", "from typing import Optional"],
        ),
        ("def f(s):\n    return re.sub('a', 'b', s)\n", ["import re"]),
        (
            "d = defaultdict(list)\nc = Counter('ab')\n",
            ["from collections import Counter", "from collections import defaultdict"],
        ),
        ("now = datetime.now()\n", ["from datetime import datetime"]),
        ("now = datetime.datetime.now()\n", ["import datetime"]),
        ("@dataclass\nclass P:\n    x: int\n", ["from dataclasses import dataclass"]),
        ("x = math.sqrt(2)\n", ["import math"]),
        ("def f(a):\n    return math.pi + a.math.e\n", ["import math"]),
        ("p = concurrent.futures.ThreadPoolExecutor()\n", ["import concurrent.futures"]),
        (
            "with ThreadPoolExecutor() as pool:\n    pool.shutdown()\n",
            ["from concurrent.futures import ThreadPoolExecutor"],
        ),
        ("t = xml.etree.ElementTree.parse('x')\n", ["import xml.etree.ElementTree"]),
        ("p = os.path.join('a', 'b')\n", ["import os"]),
        ("x = np.array([1])\n", ["import numpy as np"]),
        ("r = requests.get('u')\nplt.show()\n", PACKAGES),
        ("@cache\ndef f(n):\n    return n\n", ["from functools import cache"]),
        (
            "class C(Enum):\n    A = auto()\n",
            ["from enum import Enum", "from enum import auto"],
        ),
    ],
)
def test_what_can_only_be_one_thing_is_imported(code, lines):
    """Names of typing, names with one home, modules used as modules, packages by their usual
    names."""
    mended, put_in = with_missing_imports(code)
    assert put_in == lines
    assert not undefined_names(mended)
    assert mended.endswith(code)


@pytest.mark.parametrize(
    "code",
    [
        "x = sqrt(2)\n",  # math or cmath
        "x = np\n",
        "requests.append(1)\n",  # a list
        "x = cv2.imread('a')\n",  # not among the few that everybody knows
        "def f():\n    return helper(1)\n",
        "x = math\n",  # by itself it may be anything
        "x = math.no_such_thing(2)\n",
        "def f(n):\n    return cache[n]\n",  # a dict that nobody made
        "def f(n):\n    return n in cache\n",
        "def f(x):\n    combinations.append(x)\n",
        "def f(x):\n    code.append(x)\n",  # a list, not the module of that name
        "import re\nx = re.sub('a', 'b', 'c')\n",
        "field = Text(root)\n",  # tkinter's or rich's
        "def f(:\n",
        "",
    ],
)
def test_what_is_not_certain_is_left_alone(code):
    """A wrong import would hide a mistake."""
    assert with_missing_imports(code) == (code, [])


@pytest.mark.parametrize("mark", ["\f", "\v", "\x1c", "\x85", "\u2028"])
def test_a_mark_in_a_text_that_ends_no_line_of_python_moves_no_import(mark):
    """Within a docstring or a comment an import would not be one, and cut a comment in two."""
    for head in (f'"""One{mark}two."""\n', f"# one{mark}two\n"):
        assert with_missing_imports(f"{head}x = math.pi\n")[0].startswith(f"{head}import math\n")


def test_an_import_stands_behind_docstring_future_and_shebang():
    """Where Python wants it."""
    head = '#!/usr/bin/env python3\n"""Sums."""\nfrom __future__ import annotations\n'
    mended, _ = with_missing_imports(head + "x = math.pi\n")
    assert mended == head + "import math\n\nx = math.pi\n"
    assert with_missing_imports("#!/usr/bin/env python3\nx = math.pi\n")[0] == (
        "#!/usr/bin/env python3\nimport math\n\nx = math.pi\n"
    )
    assert (
        with_missing_imports("import os\nx = math.pi\n")[0]
        == "import math\nimport os\nx = math.pi\n"
    )


@given(st.lists(st.sampled_from([*sorted(HOME), "re", "math", "helper", "np"]), max_size=6))
def test_any_mixture_parses_and_what_was_there_stays(names):
    """The code itself is never touched, and what is put in defines what was missing."""
    code = "".join(f"v{n} = {name}.x\n" for n, name in enumerate(names))
    mended, lines = with_missing_imports(code)
    ast.parse(mended)
    assert mended.endswith(code)
    assert len(undefined_names(mended)) <= len(undefined_names(code))
    assert bool(lines) == (mended != code)
