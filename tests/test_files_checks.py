"""What the checks of a project find, and what they leave alone."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.analysis.file_types import type_of_path
from pipeline.projects.consistency import check
from pipeline.projects.file_content import file_text, syntax_error
from pipeline.projects.manifest import Manifest, PlannedFile
from pipeline.projects.project import Project
from pipeline.projects.signatures import signature
from pipeline.projects.write_order import waits_for
from pipeline.sandbox import test_files
from pipeline.testcases.tap import read_tap
from tests.selection import examples


def project(texts, packages=(), exports=None, failed=None, programs=()):
    paths = [*texts, *(failed or {})]
    files = tuple(
        PlannedFile(path, type_of_path(path), "d", "s", "c", (), (exports or {}).get(path, ()))
        for path in paths
    )
    plan = Manifest("t", "p", files, tuple(packages), programs=programs)
    return Project(plan, texts, failed or {})


def found(texts, packages=(), **more):
    return [str(fault) for fault in check(project(texts, packages, **more)) if fault.serious]


CORE = "def add(a: int, b: int = 2) -> int:\n    return a + b\n"
PYTHON = {
    "an import that is nowhere": (
        {"a.py": "import nope\nprint(nope)\n"},
        "a.py line 1: nope is neither a module of the project nor a declared dependency",
    ),
    "a module that the package has not": (
        {"p/__init__.py": "", "p/a.py": "from .b import x\nprint(x)\n"},
        "p/a.py line 1: there is no module .b in the project",
    ),
    "a name that the module has not": (
        {"core.py": CORE, "a.py": "from core import sub\nprint(sub)\n"},
        "a.py line 1: core.py does not define sub",
    ),
    "a name that a function of the module imports for itself": (
        {
            "core.py": "from typing import TYPE_CHECKING\n\n\ndef f():\n    import os\n"
            "    return os\n\n\nif TYPE_CHECKING:\n    import sys\n\n\n"
            "def g(x: 'sys') -> None:\n    print(x)\n",
            "a.py": "from core import os\nprint(os)\n",
        },
        "a.py line 1: core.py does not define os",
    ),
    "a test that imports what is not there": (
        {"src/core.py": CORE, "tests/test_a.py": "from core import mul\nprint(mul)\n"},
        "tests/test_a.py line 1: src/core.py does not define mul",
    ),
    "too far out": (
        {"p/a.py": "from ... import x\nprint(x)\n"},
        "p/a.py line 1: ... leads out of the project",
    ),
    "a circle": (
        {
            "a.py": "import b\nprint(b)\n",
            "b.py": "import c\nprint(c)\n",
            "c.py": "import a\nprint(a)\n",
        },
        "c.py: import cycle: c.py → a.py → b.py → c.py",
    ),
    "too many arguments": (
        {"core.py": CORE, "a.py": "from core import add\nadd(1, 2, 3)\n"},
        "a.py line 2: add() of core.py: too many positional arguments",
    ),
    "an argument that is missing": (
        {"core.py": CORE, "a.py": "import core\ncore.add()\n"},
        "a.py line 2: add() of core.py: missing a required argument: 'a'",
    ),
    "an argument of that name": (
        {"core.py": CORE, "a.py": "import core as k\nk.add(1, c=2)\n"},
        "a.py line 2: add() of core.py: got an unexpected keyword argument 'c'",
    ),
    "a literal of another type": (
        {"core.py": CORE, "a.py": "from core import add\nadd('1')\n"},
        "a.py line 2: add() of core.py: a is int, not str",
    ),
    "a class's fields": (
        {
            "m.py": "from dataclasses import dataclass\n\n\n@dataclass\nclass P:\n    x: int\n"
            "    y: int = 0\n",
            "a.py": "from m import P\nP(1, 2, 3)\n",
        },
        "a.py line 2: P() of m.py: too many positional arguments",
    ),
    "a result of another type": (
        {
            "m.py": "class P:\n    pass\n\n\ndef f(p: P) -> None:\n    print(p)\n",
            "a.py": "from core import add\nfrom m import f\nf(add(1))\n",
            "core.py": CORE,
        },
        "a.py line 3: f() of m.py: p is P, not int",
    ),
    "handed on by a package": (
        {
            "p/__init__.py": "from .core import add\n",
            "p/core.py": CORE,
            "a.py": "from p import add\nadd(1, 2, 3)\n",
        },
        "a.py line 2: add() of p/core.py: too many positional arguments",
    ),
    "a name that is not defined": ({"a.py": "print(x)\n"}, "a.py line 1: undefined name 'x'"),
    "what does not parse": ({"a.py": "def f(:\n"}, "a.py: syntax error at line 1"),
    "JSON": ({"a.json": '{"a": 1,}\n'}, "a.json: syntax error at line 1"),
    "TOML": ({"a.toml": "a = 1\nb = =\n"}, "a.toml: syntax error at line 2"),
}
F = "export function f(a: number, b: string, c?: number): number { return a }\n"
SCRIPT = {
    "a file that is nowhere": (
        {"a.js": "import './b.js';\n"},
        "a.js line 1: there is no './b.js' in the project",
    ),
    "a name that the module has not": (
        {"a.ts": "import {g} from './b';\ng();\n", "b.ts": F},
        "a.ts line 1: b.ts does not define g",
    ),
    "no default": (
        {"a.ts": "import g from './b';\ng();\n", "b.ts": F},
        "a.ts line 1: b.ts does not define a default",
    ),
    "too many arguments by an alias of the directory": (
        {"a.js": "import {f} from '@/b';\nf(1, 2);\n", "src/b.js": "export const f = (x) => x;\n"},
        "a.js line 2: f() of src/b.js: 2 arguments for 1 parameters",
    ),
    "CommonJS": (
        {"a.js": "const {g} = require('./b');\n", "b.js": "module.exports = { f };\n"},
        "a.js line 1: b.js does not define g",
    ),
    "a package that is not declared": (
        {"a.js": "import x from '@s/x/sub';\n"},
        "a.js line 1: @s/x is not a declared dependency",
    ),
    "a circle": (
        {"a.js": "import './b.js';\n", "b.js": "import './a.js';\n"},
        "b.js: import cycle: b.js → a.js → b.js",
    ),
    "too many arguments": (
        {"a.js": "import {f} from './b.js';\nf(1, 2);\n", "b.js": "export const f = (x) => x;\n"},
        "a.js line 2: f() of b.js: 2 arguments for 1 parameters",
    ),
    "too few arguments": (
        {"a.ts": "import {f} from './b';\nf(1);\n", "b.ts": F},
        "a.ts line 2: f() of b.ts: 1 arguments where 2 are needed",
    ),
    "what does not parse": (
        {"a.tsx": "const a = 1;\nconst b = <div>;\n"},
        "a.tsx: syntax error at line 2",
    ),
}


@pytest.mark.parametrize(("texts", "fault"), [*PYTHON.values(), *SCRIPT.values()])
def test_what_does_not_fit_is_found(texts, fault):
    """Each kind, with its file and line, and nothing besides."""
    assert found(texts) == [fault]


@pytest.mark.parametrize(
    ("text", "idle"),
    [
        ("import sys\n\n\ndef main():\n    print(sys.argv)\n", True),
        ("N = []\n\n\nclass A:\n    pass\n", True),
        ("def main():\n    print(1)\n\n\nmain()\n", False),
        ("def f():\n    return 1\n\n\nX = f()\n", False),
        ("from b import main\n", False),
    ],
    ids=["a function", "a class", "run", "a call", "an import alone"],
)
def test_a_program_that_does_nothing_is_found(text, idle):
    """It has to do more than define; any other file may define alone."""
    texts = {"a.py": text, "b.py": "def main():\n    return 1\n"}
    wanted = ["a.py: it is a program, but nothing in it is run"] if idle else []
    assert found(texts, programs=("a.py",)) == wanted
    assert found(texts) == []


FITTING = {
    "how it is installed": {
        "p/__init__.py": "X = 1\n",
        "setup.py": "from setuptools import setup\n\nsetup(name='p')\n",
    },
    "a package": {
        "pyproject.toml": '[project]\nname = "p"\ndependencies = ["PyYAML>=6"]\n',
        "src/p/__init__.py": "from .core import *\nfrom p.util import helper as h\n",
        "src/p/core.py": CORE + "\n\nif True:\n    EXTRA = 1\n",
        "src/p/util.py": "import os, yaml\n\n\ndef helper(*a, **k):\n    return os, yaml, a, k\n",
        "src/p/__main__.py": "import p\nfrom p import EXTRA, add, h, util\nimport p.core\n"
        "print(add(*[1], **{}), h(1, x=2), EXTRA, p.core.add(True, b=2), util)\n",
        "tests/__init__.py": "",
        "tests/helpers.py": "X = 1\n",
        "tests/test_core.py": "from tests.helpers import X\nfrom p.core import add\nadd(X)\n",
    },
    "what is provided for": {
        "a.py": "try:\n    import nope\nexcept ImportError:\n    nope = None\nprint(nope)\n",
        "b.py": "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from c import C\n\n\n"
        "def f(x: 'C') -> None:\n    print(x)\n",
        "c.py": "import b\n\n\nclass C:\n    pass\n\n\nb.f(C())\n",
        "lazy.py": "def g():\n    import lazy2\n    return lazy2\n",
        "lazy2.py": "import lazy\nprint(lazy)\n",
        "open.py": "def __getattr__(name):\n    return name\n",
        "uses.py": "from open import anything\nprint(anything)\n",
    },
    "what cannot be told": {
        "m.py": "import functools\n\n\ndef d(f):\n    return f\n\n\n@d\ndef f(a):\n    return a\n"
        "\n\nclass A(Exception):\n    pass\n\n\nclass B:\n    def __init__(self, *a):\n"
        "        self.a = a\n\n\ndef g(x: 'int | str | None', y: float, z: list[int]):\n"
        "    return functools, x, y, z\n",
        "a.py": "from m import A, B, f, g\n\nf(1, 2, 3)\nA(1, 2, 3)\nB(1, 2)\ng('a', 1, [1])\n"
        "g(None, 1.5, z=[])\n\n\ndef h(f):\n    return f(1, 2)\n",
    },
    "TypeScript": {
        "package.json": '{"dependencies": {"react": "^18", "@s/x": "1"}}',
        "src/a.tsx": "import React, {useState} from 'react';\nimport y from '@s/x/z';\n"
        "import {f, type T} from './b.js';\nimport d, * as all from './lib';\n"
        "import data from '../data.json';\nimport './style.css';\nimport fs from 'node:fs';\n"
        "import {z} from '@/z';\n"
        "f(1, 'a'); f(1, 'a', 2); f(...[]); all.anything(1); console.log(React, useState, y, d);\n"
        "console.log(data, fs, z);\nlet t: T;\nexport type Q = 1;\n",
        "src/b.ts": "import type {Q} from './a';\n" + F + "export type T = Q;\n",
        "src/lib/index.ts": "export default class {}\nexport * from '../b';\n",
        "src/z.ts": "export const {z, w: [v]} = {z: 1, w: [2]};\n",
        "src/style.css": "a {}\n",
        "data.json": "{}\n",
    },
    "a package of Node's, and a file of its name that imports who imports it": {
        "src/a.js": "import E from 'events';\nimport d from 'diagnostics_channel';\n"
        "export const a = [E, d];\n",
        "src/events.js": "import {a} from './a.js';\nexport default a;\n",
    },
    "CommonJS": {
        "a.js": "const b = require('./b');\nconst {f} = require('./c');\n"
        "f(1, 2, 3); b.g(); require('fs');\n",
        "b.js": "module.exports = make();\n",
        "c.js": "exports.f = function (...xs) { return xs };\n",
    },
}


@pytest.mark.parametrize("texts", FITTING.values(), ids=FITTING)
def test_what_fits_is_left_alone(texts):
    """Star imports, re-exports, guarded and lazy imports, types, spreads, other files' kinds."""
    assert found(texts) == []


def test_a_name_is_looked_for_once_in_each_file_that_passes_all_on():
    """However they hang together, also in circles: forty files that have all of each other."""
    names = range(40)
    python = {
        f"m{n}.py": "".join(f"from m{k} import *\n" for k in names if k != n) + f"A{n} = 1\n"
        for n in names
    }
    scripts = {
        f"m{n}.js": "".join(f"export * from './m{k}.js';\n" for k in names if k != n)
        + f"export const A{n} = 1;\n"
        for n in names
    }
    python["main.py"] = "from m0 import A39, B\n\nprint(A39, B)\n"
    scripts["main.js"] = "import {A39, B} from './m0.js';\nconsole.log(A39, B);\n"
    assert "main.py line 1: m0.py does not define B" in found(python)
    assert "main.js line 1: m0.js does not define B" in found(scripts)


RELAXED = """{
  // strict
  "compilerOptions": {"strict": true, /* all
  of */ "paths": {"@/*": ["https://x.org//a,]"],},},
}
"""


@pytest.mark.parametrize(
    ("path", "text", "error"),
    [
        ("tsconfig.json", RELAXED, None),
        ("web/tsconfig.build.json", RELAXED, None),
        (".vscode/settings.json", RELAXED, None),
        ("package.json", RELAXED, "syntax error at line 2"),
        ("tsconfig.json", RELAXED.replace("true,", "true"), "syntax error at line 4"),
        ("tsconfig.json", '{"a": 1 /* no end', "syntax error at line 1"),
    ],
)
def test_settings_of_typescript_may_have_comments(path, text, error):
    """And commas before brackets, as its compiler and editors take them; other JSON may not."""
    assert syntax_error(text, path) == error


def test_what_is_unused_is_told_and_does_not_count():
    """An unused import, name or package escalates nothing."""
    texts = {
        "requirements.txt": "flask\nrequests\npytest\ngit+https://example.org/x\n",
        "a.py": "import os\nimport requests\n",
    }
    faults = check(project(texts))
    assert {str(fault) for fault in faults if not fault.serious} == {
        "a.py line 1: 'os' imported but unused",
        "a.py line 2: 'requests' imported but unused",
        "requirements.txt: the declared dependency flask is not used",
    }
    assert not [fault for fault in faults if fault.serious]


def test_a_package_of_npm_is_known_by_its_name_as_written():
    """npm tells `socket.io` from `socket-io`: neither its dots nor its underscores are changed."""
    texts = {
        "package.json": '{"dependencies": {"socket.io": "^4.0.0", "chart.js": "^4", "a_b": "1"}}',
        "a.js": 'import { Server } from "socket.io";\nimport ab from "a_b";\n'
        "export const a = [Server, ab];\n",
    }
    assert [str(fault) for fault in check(project(texts, ["socket.io@^4"]))] == [
        "package.json: the declared dependency chart.js is not used"
    ]


@pytest.mark.parametrize("name", ["ruamel.yaml", "ruamel_yaml>=0.18", "Ruamel-YAML"])
def test_a_package_of_python_is_known_by_each_of_its_spellings(name):
    """Dots, underscores and hyphens are the same to Python's index."""
    texts = {"requirements.txt": f"{name}\nPytest_Cov\n", "a.py": "import ruamel.yaml\n"}
    assert not [fault for fault in check(project(texts)) if fault.kind in ("import", "dependency")]


def test_a_promise_that_is_not_kept_is_the_fault_of_who_made_it():
    """The plan says that core.py exports sub: core.py has to be put right, not who imports it."""
    texts = {"core.py": CORE, "a.py": "from core import sub\nprint(sub)\n"}
    faults = found(texts, exports={"core.py": ("add(a, b)", "def sub(a, b) -> int")})
    assert faults == ["core.py: it does not define sub, which a.py imports"]


def test_imports_of_a_file_that_is_missing_are_no_faults():
    """What could not be written is said once, not at every import of it."""
    failed = {"b.py": "timeout", "c.ts": "timeout"}
    texts = {"a.py": "from b import x\nprint(x)\n", "a.ts": "import {y} from './c';\ny();\n"}
    assert found(texts, failed=failed) == []


# --- order, signatures, replies ------------------------------------------------------------------


def planned(*files):
    rows = [PlannedFile(p, type_of_path(p), "d", "s", "c", uses) for p, uses in files]
    return Manifest("t", "p", tuple(rows))


def test_files_wait_for_what_they_use_and_never_for_each_other():
    """The use that would close a circle is left out; tests without uses come after the sources."""
    plan = planned(("a.py", ("b.py",)), ("b.py", ("c.py",)), ("c.py", ("a.py",)), ("test_a.py", ()))
    assert waits_for(plan) == {
        "a.py": ("b.py",),
        "b.py": ("c.py",),
        "c.py": (),
        "test_a.py": ("a.py", "b.py", "c.py"),
    }


def test_signatures_show_what_can_be_used_and_no_bodies():
    """Python by its definitions and docstrings, TypeScript by its declarations."""
    python = signature(
        "import x\nLIMIT: int = 3\n\n\n@x.y\nclass A(B):\n    '''A thing.'''\n\n    size = 1\n\n"
        "    def grow(self, by: int = 1) -> None:\n        self.size += by\n\n"
        "    def _own(self): ...\n\n\nasync def load(path: str) -> A:\n    return A()\n",
        "m.py",
    )
    assert python == (
        "LIMIT: int = 3\n@x.y\nclass A(B):  # A thing.\n    size = 1\n"
        "    def grow(self, by: int=1) -> None: ...\nasync def load(path: str) -> A: ..."
    )
    script = signature(
        "import {x} from 'y';\nexport interface I { a: number }\n"
        "export const f = (a: I): number => { return x(a) };\n"
        "export class K extends Z {\n  private n = 1;\n  m(a: I): void { x(a) }\n}\n",
        "m.ts",
    )
    assert script == (
        "export interface I { a: number }\nexport const f = (a: I): number\n"
        "export class K extends Z\n  private n = 1\n  m(a: I): void"
    )


REPLIES = [
    ("a.py", "x = 1", "x = 1"),
    ("a.py", "x = 1\r\n", "x = 1\r\n"),
    ("a.py", "<think>hm</think>\nx = 1\n", "x = 1\n"),
    ("a.py", "```python\nx = 1\n```", "x = 1\n"),
    ("a.py", "Here it is:\n\n```python\nx = 1\n```\nEnjoy!", "x = 1\n"),
    ("a.py", "def f():\n    pass\n```\n", "def f():\n    pass\n"),
    ("a.py", "```python\nx = 1```\nIt is one.", "x = 1\n"),
    ("a.css", "a {}\n```\n\nThis has one rule in it.", "a {}\n"),
    ("a.py", "```python\nx = '''\n```\ny\n```\n'''\n```", "x = '''\n```\ny\n```\n'''\n"),
    ("a.py", "'''\n```js\ny\n```\n'''\n", "'''\n```js\ny\n```\n'''\n"),
    ("a.js", "Sure:\n```js\nlet a = 1;\n```\nDone", "let a = 1;\n"),
    ("a.js", "/*\n```js\nx()\n```\n*/\nlet a;\n", "/*\n```js\nx()\n```\n*/\nlet a;\n"),
    ("a.py", "Here:\n```python\nx = 1\r\ny = 2\r\n```\nBye", "x = 1\r\ny = 2\r\n"),
    ("a.css", "Here:\r\n\r\n```css\r\na {}\r\n```\r\nBye", "a {}\r\n"),
    ("a.css", "It:\n\n- one\n\n  ```css\n  a {}\n  ```\n", "a {}\n"),
    ("a.css", "It:\n\n```css\na {}", "a {}"),
    ("a.css", "```css\na {}\n```\nUse it:\n```html\n<a>\n```", "a {}\n"),
    ("README.md", "# T\n\n```sh\nx\n```\n", "# T\n\n```sh\nx\n```\n"),
    (
        "README.md",
        "```sh\nx\n```\n\ntext\n\n```sh\ny\n```",
        "```sh\nx\n```\n\ntext\n\n```sh\ny\n```",
    ),
    ("README.md", "```markdown\n# T\n```sh\nx\n```\nend\n```", "# T\n```sh\nx\n```\nend\n"),
    ("README.md", "```markdown\n# T\n```sh\nx\n```\nend.", "# T\n```sh\nx\n```\nend.\n"),
    ("README.md", "```md\n# T\n\n```sh\nx\n```\n", "# T\n\n```sh\nx\n```\n"),
    ("README.md", "Here is the file:\n\n```markdown\n# T\n\nhello\n```\n", "# T\n\nhello\n"),
    ("README.md", "Here is the file:\n```md\n# T\n```\nTell me if it is too long.", "# T\n"),
    (
        "README.md",
        "Sure!\nHere is README.md:\n\n```markdown\n# T\n\n```sh\nx\n```\n\nend\n```\n\nEnjoy!\n",
        "# T\n\n```sh\nx\n```\n\nend\n",
    ),
    (
        "README.md",
        "Here it is:\n\n```markdown\n# T\n\n```sh\nx\n```\nend.\n",
        "# T\n\n```sh\nx\n```\nend.\n",
    ),
    (
        "README.md",
        "# Tool\n\nIt reads this:\n\n```markdown\n# T\n```\n\nand that.\n",
        "# Tool\n\nIt reads this:\n\n```markdown\n# T\n```\n\nand that.\n",
    ),
    (
        "README.md",
        "Like this:\n\n```markdown\n# T\n```\n\n## Use\n\nx\n",
        "Like this:\n\n```markdown\n# T\n```\n\n## Use\n\nx\n",
    ),
    ("x.patch", "--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n", "--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n"),
    ("Makefile", "all:\n\techo\n", "all:\n\techo\n"),
    ("Makefile", "Sure!\n\n```makefile\nall:\n\techo\n```\n\nRun `make`.", "all:\n\techo\n"),
    ("Dockerfile", "Here:\n```Dockerfile\nFROM a\n```\n```bash\nrun\n```", "FROM a\n"),
    ("requirements.txt", "The packages:\n\n```\nflask\n```\n", "flask\n"),
    ("requirements.txt", "Them:\n```txt\nb\n```\nThen:\n```bash\npip install -r x\n```", "b\n"),
    (".gitignore", "Here:\n\n```gitignore\n*.pyc\n```\n", "*.pyc\n"),
    ("words.txt", "Here are the words:\n\n```text\napple\n```\nEnjoy!", "apple\n"),
    ("notes.txt", "Do this.\n\n```sh\nx\n```\nand that", "Do this.\n\n```sh\nx\n```\nand that"),
    ("a.py", "\ufeffx = 1\n", "x = 1\n"),
    ("a.py", "\ufeff```python\nx = 1\n```", "x = 1\n"),
    (
        "x.sh",
        "```bash\n#!/bin/sh\nls\n```\nThen:\n```bash\nchmod +x x.sh; ./x.sh\n```",
        "#!/bin/sh\nls\n",
    ),
    ("a.css", "It:\n```\na {}\n```\nLook at it:\n```bash\nopen index.html\n```", "a {}\n"),
]


@pytest.mark.parametrize(("path", "reply", "text"), REPLIES)
def test_the_file_is_taken_out_of_what_a_model_puts_around_it(path, reply, text):
    """One fence, thinking, a greeting go; fences of the file's own stay."""
    assert file_text(reply, path) == text


SEVERAL = [
    ("a.py", "### a.py\n```python\nx = 1\n```\n\n### b.py\n```python\nimport a\n```\n", "x = 1\n"),
    ("b.py", "**a.py**\n```python\nx = 1\n```\n`b.py`:\n```python\nimport a\n```\n", "import a\n"),
    ("a.py", "```python\nx = 1\n```\nand b.py:\n```python\nimport a\n```\n", "x = 1\n"),
    (
        "a.py",
        "```python\nx = 1\n```\nUsage:\n```python\nfrom a import x\nprint(x)\n```\n",
        "x = 1\n",
    ),
    ("p/c.py", "```python\nx = 1\n```\nUsage:\n```python\nfrom p.c import x\n```\n", "x = 1\n"),
    ("a.py", "```python\nx = 1\n```\nand\n```python\ny = 2\n```\n", "x = 1\n\ny = 2\n"),
    (
        "a.js",
        "```js\n// b.js\nlong = 'a long one';\n```\n\n```js\n// a.js\nb();\n```",
        "// a.js\nb();\n",
    ),
    ("a.py", '{"file_path": "a.py", "content": "x = 1\\n"}', "x = 1\n"),
    ("a.py", '```json\n[{"path": "b.py", "code": "y"}, {"path": "a.py", "code": "x"}]\n```', "x"),
    ("p/c.py", '<think>hm</think>{"files": [{"name": "./p/c.py", "content": "x = 1"}]}', "x = 1"),
    ("a.json", '{"path": "a.json", "content": "x"}', '{"path": "a.json", "content": "x"}'),
    ("a.py", 'A = {"content": "x"}\n', 'A = {"content": "x"}\n'),
    ("a.js", "```js title=a.js\na();\n```\n\n```js title=b.js\nlonger(1);\n```", "a();\n"),
]


@pytest.mark.parametrize(("path", "reply", "text"), SEVERAL)
def test_of_several_files_in_a_reply_the_one_is_taken_that_was_asked_for(path, reply, text):
    """By the name in the line before a block, in its label, in its first comment, or beside it in
    JSON; code that imports the file is no part of it. Blocks that nothing tells apart are one
    file."""
    assert file_text(reply, path, ["a.py", "b.py", "p/c.py", "a.js", "b.js"]) == text


PIECES = [
    *("from . import a\n", "from .. import *\n", "import a.b as c\n", "from b import f as g, h\n"),
    *("def f(a, /, b=1, *c, d, **e): ...\n", "@x.y\nclass A(B, m=C): z: 'int'\n", "f(*a, **b)\n"),
    *("class A:\n    def __init__(): ...\n", "A(1)(2)[3].f(x=1)\n", "try: import q\nexcept: 0\n"),
    *("match x:\n    case {'a': b, **c}: d = 1\n", "global g\n", "async def f(): await g()\n"),
    *("x = " + "+".join(["1"] * 3000) + "\n", "f(" * 90 + ")" * 90 + "\n", "\0", "é = 'ß'\n"),
    *("import {a as b} from './a';\n", "export default f;\n", "export * from '..';\n"),
    *("module.exports = {a, ...b, 'c': d, e() {}};\n", "const {x, ...y} = require(z);\n"),
    *("export const {a, b: [c = 1]} = d;\n", "<A b={c}>d</A>\n", "`${`${a}`}`\n", "import('x')\n"),
    *("{", "}", "(", '"', "'", "```\n", "// x\n", "# x\n", "[project]\ndependencies = [1]\n"),
]
ANY_PATHS = ["a.py", "p/__init__.py", "p/b.py", "a.ts", "b.js", "c/index.tsx", "package.json"]
ANY_PATHS += ["pyproject.toml", "requirements.txt", "x.css"]


@settings(max_examples=examples(120), deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(ANY_PATHS),
        st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=8)), max_size=5).map("".join),
    )
)
def test_no_text_breaks_the_checks(texts):
    """Whatever models write: findings or none, signatures, and never an exception."""
    made = project(texts, ["x", ""], exports=dict.fromkeys(texts, ("a", "class B")))
    assert all(fault.path in (*texts, "") for fault in check(made))
    for path, text in texts.items():
        assert isinstance(signature(text, path), str)
        assert isinstance(file_text(text, path), str)


DEEP = [
    ("a.py", "A = " + " + ".join(['"x"'] * 400) + "\n"),
    ("a.py", "def f(a: " + " | ".join(["int"] * 900) + "): ...\nf(1)\n"),
    ("a.py", "@x" + ".a" * 900 + "\ndef f(): ...\nf()\n"),
    ("a.py", "if a == 0: b = 0\n" + "".join(f"elif a == {n}: b = {n}\n" for n in range(900))),
    ("package.json", "[" * 100_000),
    ("pyproject.toml", "a = " + "[" * 5_000),
    ("a.js", "const x = " + " + ".join(["'x'"] * 5_000)),
]


@pytest.mark.parametrize(("path", "text"), DEEP)
def test_deep_code_ends_no_project(path, text):
    """What is nested deeper than can be looked into is a finding or none, and never an exception;
    it is looked through once."""
    made = project({path: text, "b.py": "from a import f\nf(1)\n"})
    assert all(fault.path in (path, "b.py") for fault in check(made))
    assert signature(text, path)


ASYNC_TESTS = """
async def test_a(): assert 1 == 1
async def test_b(): assert 1 == 2
def test_c():
    assert 1 == 2
    yield
"""
MARKED_TESTS = """
import unittest
try:
    import pytest
except ImportError:
    pytest = None
class TestAdd:
    @pytest.mark.parametrize("n", [1, 2])
    def test_a(self, n): assert n == 1
class Case(unittest.TestCase):
    def test_b(self):
        for n in 1, 2:
            with self.subTest(n=n): self.assertEqual(n, 1)
    @unittest.skip("later")
    def test_c(self): pass
def test_d(caplog): assert caplog
"""


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (ASYNC_TESTS, ["passed", "failed", "failed"]),
        (MARKED_TESTS, ["passed", "failed", "failed", "skipped", "skipped"]),
        ("import nope", ["absent"]),
        ("import unittest\nraise unittest.SkipTest('not here')", ["skipped"]),
        ("import os\nos._exit(0)", ["unfinished"]),
    ],
)
def test_all_of_a_test_is_run(tmp_path, text, wanted):
    """A coroutine is awaited, a generator used up: neither passes by being called. What a project's
    tests and a program's are written with is the same."""
    (tmp_path / "test_x.py").write_text(text)
    runner = Path(test_files.__file__).with_name("sandbox_scripts") / "run_test_files.py"
    with (tmp_path / "report").open("w+b") as report:
        subprocess.run(
            [sys.executable, "-S", runner, "", "--", "test_x.py"],
            cwd=tmp_path,
            env={"REPORT_FD": str(report.fileno())},
            pass_fds=[report.fileno()],
            check=True,
        )
    rows = test_files.read_report((tmp_path / "report").read_bytes(), {"test_x.py"})
    assert [row.status for row in rows] == wanted


def test_what_a_test_runner_prints_may_be_anything():
    """A number that is none of a line, and details without end."""
    text = "not ok 1 - a\n  error: 'b'\n  stack: |-\n"
    text += "    f (/tmp/program/x.js:7:1)\n" + f"    /tmp/program/x.js:{'9' * 5_000}\n" * 20
    (row,) = read_tap(text + "    more\n" * 50_000, "x.js")
    assert (row.error, row.frames) == ("b", (("x.js", 7),))


@pytest.mark.parametrize(
    "reply",
    [
        "~" * 100_000,
        "```" + "a" * 100_000 + "```",
        "hi\n" + "<think>\n" * 30_000,
        "hi\n" + "<think>\n" * 15_000 + "</thinking" * 5_000,
        " " * 100_000 + "`" * 100_000,
    ],
)
def test_a_reply_that_repeats_itself_is_read_at_once(reply):
    """A model in a loop does not hold up the daemon: each of these took minutes."""
    assert file_text(reply, "a.js") in (reply, reply.strip())
