"""Facts about code in many languages: syntax, public names, sameness; and tests in the sandbox."""

import shutil
import time

import pytest

from pipeline.analysis.code_equality import same_code
from pipeline.analysis.definitions import public_names
from pipeline.analysis.grammar import GIVEN_UP, syntax_error
from pipeline.analysis.languages import LANGUAGES, language_of_ending
from pipeline.analysis.prose import reads_as_prose
from pipeline.analysis.undefined_names import undefined_names
from pipeline.projects.project_runner import finished
from pipeline.sandbox import Outcome
from pipeline.sandbox.test_files import ReportedTest, read_report
from pipeline.testcases.test_runner import outcomes_of, run_tests

# Language → code with its newer syntax, and the names that it offers.
CODE = {
    "python": (
        "class A:\n    def m(self): ...\n    def _p(self): ...\n\n\nasync def f(): ...\n",
        {"A", "f", "m"},
    ),
    "javascript": (
        "function a() { function b() {} }\nconst c = async (x) => (await x)?.y ?? 1;\n"
        "class D { #p = 1; e() {} static { } }\n",
        {"a", "c", "D", "e"},
    ),
    "typescript": (
        "export const c = <T,>(x: T): T => x satisfies T;\nfunction hidden() {}\n"
        "export interface I { readonly x: number }\nexport default class Q {}\n",
        {"c", "I", "Q"},
    ),
    "rust": (
        "pub struct S;\nimpl S { pub fn m(&self) {} fn n(&self) {} }\n"
        'fn p() { let Some(x) = y else { return; }; println!("{x:?}"); }\n',
        {"S", "m"},
    ),
    "go": (
        "package p\n\nfunc Map[T any](x T) T { return x }\nfunc inner() {}\ntype T struct{}\n",
        {"Map", "T"},
    ),
    "java": (
        "public class A {\n  public int f() { return 1; }\n  private int g() { return 2; }\n"
        "  sealed interface S permits R {}\n  record R(int x) implements S {}\n}\n",
        {"A", "f"},
    ),
    "cpp": (
        "#include <concepts>\ntemplate <typename T> requires std::integral<T> T f(T x) { return x; "
        "}\nclass A { public: void m() {} };\nint* g(int x) { return nullptr; }\n",
        {"f", "A", "g"},
    ),
    "csharp": (
        "namespace N;\npublic record B(int X);\npublic class A { public int F() => 1; "
        "private int G() => 2; public required int Y { get; init; } }\n",
        {"A", "B", "F"},
    ),
    "ruby": (
        "class A\n  def m; end\n  private\n  def p; end\nend\n\ndef f(x) = x + 1\n",
        {"A", "m", "f"},
    ),
    "php": (
        "<?php\nfunction f() {}\nreadonly class A { public function m() {} private function p() {} "
        "}\nenum B: string { case C = 'c'; }\n",
        {"f", "A", "m", "B"},
    ),
    "swift": (
        "struct S {\n  func m() async throws {}\n  private func p() {}\n}\n"
        "func f<T: Comparable>(_ x: T) {}\n",
        {"S", "m", "f"},
    ),
    "kotlin": (
        "data class A(val x: Int) {\n  fun m() = 1\n  private fun p() = 2\n}\n"
        "fun <T> f(x: T): T? = x?.let { it }\n",
        {"A", "m", "f"},
    ),
    "bash": (
        'f() { local x=${1:-}; [[ $x =~ ^a ]] && echo "${x//a/b}"; }\nwhile read -r l; do f "$l"; '
        "done < <(ls)\n",
        {"f"},
    ),
    "shell": ("f() {\n  case $1 in a*) echo ;; esac\n}\n", {"f"}),
}
MARKS = {"python": "#", "ruby": "#", "bash": "#", "shell": "#", "php": "//"}


def test_every_language_is_known():
    """All of the contract's."""
    assert CODE.keys() == LANGUAGES.keys()


def test_an_ending_of_several_languages_is_the_first_one_s_that_is_asked_about():
    """A header is C; among the languages of `POST /code`, which have no C, it is C++."""
    assert language_of_ending(".H") == "c"
    assert language_of_ending(".h", LANGUAGES.values()) == "cpp"
    assert language_of_ending(".sh") == "bash"
    assert language_of_ending("") is None


@pytest.mark.parametrize("language", CODE)
def test_syntax_is_known_in_every_language(language):
    """Good code passes, newer syntax too; what is broken is found, with its line."""
    code, _ = CODE[language]
    assert syntax_error(language, code) is None
    broken = f"{code})((\n"
    assert syntax_error(language, broken).startswith("syntax error at line ")


@pytest.mark.parametrize("language", CODE)
def test_public_names_are_known_in_every_language(language):
    """Functions, methods and types that others can use; not what is private or inside."""
    code, names = CODE[language]
    assert public_names(language, code) == names


@pytest.mark.parametrize("language", CODE)
def test_comments_change_nothing(language):
    """More blank lines and comments are the same code; another name is not."""
    code, names = CODE[language]
    mark = MARKS.get(language, "//")
    annotated = f"{code}\n\n{mark} A note (O(n)).\n"
    assert same_code(language, code, annotated)
    name = sorted(names)[0]
    assert not same_code(language, code, code.replace(name, f"{name}2"))


def test_what_has_no_grammar_has_no_errors():
    """Nothing is known, so nothing is held against it; long texts are not looked at."""
    assert syntax_error("cobol", "(((") is None
    assert public_names("cobol", "x") == set()
    assert same_code("cobol", "a  b", "a b") and not same_code("cobol", "a", "b")
    assert syntax_error("go", "(" * 100_000) is None


def test_syntax_of_snippets():
    """PHP without its tag, JSX in TypeScript, and where an error is."""
    assert syntax_error("php", "echo 1;") is None
    assert syntax_error("typescript", "const a = <div>{x}</div>;") is None
    assert syntax_error("rust", "fn main() {\n  let x = ;\n}") == "syntax error at line 2"


def test_names_that_nothing_defines():
    """In the order of the text, each once; nothing where it does not parse."""
    code = "import os\n\n\ndef f(x):\n    return np.sum(x) + y + np.pi + os.sep\n"
    assert undefined_names(code) == ["np", "y"]
    assert undefined_names("def f(:") == []
    assert undefined_names("from x import *\ny = z\n") == []
    assert undefined_names("def f():\n    '''\n    >>> g()\n    '''\n") == []


@pytest.mark.parametrize(
    ("text", "prose"),
    [
        ("I am sorry, but I cannot do that.", True),
        ("Sure! Here is what you asked for.\nIt adds two numbers and returns them.\nx = 1", True),
        ("def f(a b):\n    return a", False),
        ("SELECT a FROM b WHERE c = 1", False),
        ("# This adds two numbers and more.\nx = = 1", False),
        ("", False),
    ],
)
def test_prose_is_told_from_code(text, prose):
    """By its lines: sentences, not statements."""
    assert reads_as_prose(text) is prose


# --- the sandbox ---------------------------------------------------------------------------------

sandboxed = pytest.mark.skipif(shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap")
ADD = "def add(a, b):\n    return a + b\n"

TESTS = {
    "functions, without an import": ("def test_a():\n    assert add(1, 2) == 3\n", ["passed"]),
    "an import under any name": (
        "from adder.core import add\n\ndef test_a():\n    assert add(1, 2) == 3\n",
        ["passed"],
    ),
    "a failure": (
        "def test_a():\n    assert add(1, 2) == 4\n\n\ndef test_b():\n    assert add(1, 1) == 2\n",
        ["failed", "passed"],
    ),
    "pytest": (
        "import pytest\n\n"
        "@pytest.fixture\ndef one():\n    yield 1\n\n"
        "@pytest.mark.parametrize('a, b, c', [(1, 2, 3), (0, 0, 0)])\n"
        "def test_p(a, b, c, one):\n    assert add(a, b) == c and one == 1\n\n"
        "@pytest.mark.parametrize('a', [1, 2])\n@pytest.mark.slow\n"
        "def test_q(a):\n    assert add(a, 0.1) == pytest.approx(a + 0.1000000001)\n\n"
        "def test_r():\n    with pytest.raises(TypeError, match='unsupported'):\n"
        "        add(1, None)\n\n"
        "@pytest.mark.skip(reason='later')\ndef test_s():\n    assert False\n",
        ["passed"] * 5 + ["not run"],
    ),
    "raises that does not": (
        "import pytest\n\ndef test_a():\n    with pytest.raises(ValueError):\n        add(1, 2)\n",
        ["failed"],
    ),
    "classes": (
        "class TestAdd:\n    def setup_method(self):\n        self.one = 1\n"
        "    def test_a(self):\n        assert add(self.one, 1) == 2\n",
        ["passed"],
    ),
    "unittest": (
        "import unittest\nimport adder\n\nclass T(unittest.TestCase):\n    def test_a(self):\n"
        "        self.assertEqual(adder.add(1, 2), 3)\n    def test_b(self):\n"
        "        self.assertEqual(adder.add(1, 2), 4)\n\n"
        "if __name__ == '__main__':\n    unittest.main()\n",
        ["passed", "failed"],
    ),
    "async": ("async def test_a():\n    assert add(1, 2) == 3\n", ["passed"]),
    "a library that is not there": (
        "import numpy as np\n\ndef test_a():\n    assert np.sum([1]) == 1\n",
        ["not run"],
    ),
    "a fixture that is not there": ("def test_a(caplog):\n    assert 0\n", ["not run"]),
    "more of pytest than is there": (
        "import pytest\n\ndef test_a():\n    pytest.importorskip('json')\n    assert 0\n",
        ["not run"],
    ),
    "pytest's own fixtures": (
        "import os\nimport sys\n\ndef test_a(tmp_path, capsys):\n"
        "    (tmp_path / 'x').write_text('3')\n    print(add(1, 2))\n"
        "    assert capsys.readouterr().out == (tmp_path / 'x').read_text() + '\\n'\n"
        "    print('more', file=sys.stderr)\n    assert capsys.readouterr() == ('', 'more\\n')\n\n"
        "def test_b(monkeypatch, tmp_path):\n"
        "    monkeypatch.setattr('builtins.input', lambda: '2')\n"
        "    monkeypatch.setattr(sys, 'argv', ['x', '1'])\n    monkeypatch.setenv('X', '1')\n"
        "    monkeypatch.chdir(tmp_path)\n    assert os.listdir() == []\n"
        "    assert add(int(sys.argv[1]), int(input())) == 3 and os.environ['X'] == '1'\n\n"
        "def test_c(monkeypatch, capsys):\n    assert capsys.readouterr() == ('', '')\n"
        "    monkeypatch.delitem(os.environ, 'Y', raising=False)\n"
        "    assert len(sys.argv) == 1 and 'X' not in os.environ and os.listdir() != []\n\n"
        "def test_d(capsys):\n    print(add(1, 1))\n"
        "    assert capsys.readouterr().out == '3\\n'\n",
        ["passed", "passed", "passed", "failed"],
    ),
    "the module's own name": (
        "from solution import add\n\ndef test_a():\n    assert add(1, 2) == 4\n",
        ["failed"],
    ),
    "a name that the program does not have": (
        "from calc import plus\n\ndef test_a():\n    assert plus(1, 2) == 3\n",
        ["failed"],
    ),
    "a failure where they begin": (
        "assert add(1, 2) == 4\n\ndef test_a():\n    pass\n",
        ["failed"],
    ),
    "what unittest sets up": (
        "import unittest\n\nclass T(unittest.TestCase):\n    @classmethod\n"
        "    def setUpClass(cls):\n        cls.three = 3\n    def test_a(self):\n"
        "        self.assertEqual(add(1, 2), self.three)\n"
        "    @unittest.expectedFailure\n    def test_b(self):\n"
        "        self.assertEqual(add(1, 2), 3)\n",
        ["passed", "failed"],
    ),
    "subtests": (
        "import unittest\n\nclass T(unittest.TestCase):\n    def test_a(self):\n"
        "        for n in (0, 1, 2):\n            with self.subTest(n=n):\n"
        "                self.assertNotEqual(add(n, 0), 1)\n"
        "    def test_b(self):\n        with self.subTest():\n            pass\n",
        ["failed", "passed"],
    ),
    "a class that is not set up": (
        "import unittest\n\nclass T(unittest.TestCase):\n    @classmethod\n"
        "    def setUpClass(cls):\n        cls.one = add(1)\n    def test_a(self):\n        pass\n",
        ["failed"],
    ),
    "an end that runs them": (
        "import unittest\n\nclass T(unittest.TestCase):\n    def test_a(self):\n"
        "        self.assertEqual(add(1, 2), 3)\n    def test_b(self):\n"
        "        self.assertEqual(add(1, 2), 4)\n\nunittest.main()\n",
        ["passed", "failed"],
    ),
    "pytest started by themselves": (
        "import pytest\n\ndef test_a():\n    assert add(1, 2) == 3\n\npytest.main(['-q'])\n",
        ["passed"],
    ),
    "fixtures that nothing asks for": (
        "import pytest\n\n@pytest.fixture(autouse=True)\ndef set_one():\n"
        "    global one\n    one = 1\n\n"
        "class TestAdd:\n    @pytest.fixture(autouse=True)\n    def make(self):\n"
        "        self.two = add(one, 1)\n        yield\n        self.two = None\n"
        "    def test_a(self):\n        assert add(self.two, 1) == 3\n"
        "    def test_b(self):\n        assert add(self.two, 1) == 4\n",
        ["passed", "failed"],
    ),
    "fixtures of a class and of a mark": (
        "import pytest\n\n@pytest.fixture\ndef seen():\n    global known\n    known = 1\n\n"
        "@pytest.mark.usefixtures('seen')\nclass TestAdd:\n"
        "    @pytest.fixture\n    def two(self):\n        return 2\n"
        "    def test_a(self, two):\n        assert add(known, two) == 3\n\n"
        "@pytest.mark.usefixtures('seen')\ndef test_b():\n    assert add(known, 1) == 2\n",
        ["passed", "passed"],
    ),
    "one fixture of two names": (
        "import pytest\n\n@pytest.fixture\ndef all_():\n    return []\n\n"
        "@pytest.fixture\ndef filled(all_):\n    all_.append(1)\n    return all_\n\n"
        "def test_a(all_, filled):\n    assert all_ is filled and add(all_, filled) == [1, 1]\n\n"
        "def test_b(all_):\n    assert all_ == []\n",
        ["passed", "passed"],
    ),
    "what pytest sets up": (
        "def setup_module(module):\n    module.one = 1\n\n"
        "def setup_function():\n    global two\n    two = add(one, 1)\n\n"
        "def test_a():\n    assert add(two, 1) == 3\n\n"
        "class TestAdd:\n    made = 0\n\n    @classmethod\n    def setup_class(cls):\n"
        "        cls.made += 1\n    def test_b(self):\n        assert self.made == 1\n"
        "    def test_c(self):\n        assert self.made == 1\n",
        ["passed", "passed", "passed"],
    ),
    "a failure that is expected": (
        "import pytest\n\n@pytest.mark.xfail(reason='later')\ndef test_a():\n    assert False\n\n"
        "@pytest.mark.parametrize('n, m', [(1, 2), pytest.param(1, 3, marks=pytest.mark.xfail)])\n"
        "def test_b(n, m):\n    assert add(n, 1) == m\n",
        ["not run", "passed"],
    ),
    "what is known of an exception, and warnings": (
        "import pytest\nimport warnings\n\ndef test_a():\n"
        "    with pytest.raises(TypeError) as info:\n        add(1, None)\n"
        "    assert info.type is TypeError and info.match('unsupported')\n\n"
        "def test_b():\n    with pytest.warns(UserWarning, match='old'):\n"
        "        warnings.warn('it is old')\n\n"
        "def test_c():\n    with pytest.warns(UserWarning):\n        add(1, 2)\n",
        ["passed", "passed", "failed"],
    ),
    "tests that do not parse": ("def test_a(:\n", ["not run"]),
    "no tests": ("x = 1\n", []),
    "asserts alone": ("assert add(1, 2) == 3\nassert add(0, 0) == 0\n", ["passed"]),
    "asserts alone, of which one fails": (
        "from calc import add\nassert add(1, 2) == 3\nassert add(0, 0) == 1\n",
        ["failed"],
    ),
    "an end in the middle": (
        "import os\n\ndef test_a():\n    pass\n\ndef test_b():\n    os._exit(3)\n",
        ["passed", "failed"],
    ),
}


@sandboxed
@pytest.mark.parametrize("case", TESTS)
async def test_tests_are_run_in_the_sandbox(pipeline_with, case):
    """As models write them, with as much of pytest as they use."""
    tests, wanted = TESTS[case]
    async with pipeline_with() as pipeline:
        checks = await run_tests(Bare(pipeline), ADD, tests)
    assert [check.status for check in checks.done] == wanted
    assert bool(checks.problem) is ("not run" in wanted or case in ("no tests", ENDED))


ENDED = "an end in the middle"


@sandboxed
async def test_a_test_that_never_ends_has_failed(pipeline_with):
    """Those before it count."""
    tests = "def test_a():\n    pass\n\n\ndef test_b():\n    while True:\n        pass\n"
    async with pipeline_with(SANDBOX_WALL_S=1) as pipeline:
        checks = await run_tests(Bare(pipeline), ADD, tests)
    assert [(check.test, check.status) for check in checks.done] == [
        ("test_a", "passed"),
        ("test_b", "failed"),
    ]
    assert "timeout" in checks.problem


@sandboxed
@pytest.mark.parametrize(
    ("code", "failed", "said"),
    [
        ("import numpy\n", 0, "No module named 'numpy'"),
        ("n = int(input())\n", 0, "EOFError"),
        ("open('/etc/shadow')\n", 0, "Error"),
        ("raise ValueError('no')\n", 1, "ValueError: no"),
        ("import sys\nsys.exit(0)\n", 1, "SystemExit"),
    ],
)
async def test_code_that_does_not_load_has_failed(pipeline_with, code, failed, said):
    """Unless it may need what is not there, which proves nothing; what happened is said."""
    async with pipeline_with() as pipeline:
        checks = await run_tests(Bare(pipeline), code, "def test_a():\n    assert add(1, 2)\n")
    assert (checks.ran, len(checks.failed)) == (failed, failed)
    assert said in (checks.failed[0].message if failed else checks.problem)


@pytest.mark.parametrize(
    "line",
    [
        b'{"test": [], "file": "t.py", "status": "began"}',
        b'{"test": "u", "file": "t.py", "status": "passed", "error": "", "frames": [1]}',
        b'{"test": "u", "file": "t.py", "status": "passed", "error": "", "frames": [["", 1e999]]}',
        b'{"test": "u", "file": "../t.py", "status": "passed", "error": "", "frames": []}',
        b"[" * 200_000,
        b'{"test": "a", "file": "t.py", "status": {}, "error": "", "frames": []}',
        b"\xff\x00",
    ],
)
def test_a_report_may_be_anything(line):
    """A program writes into it what it likes; the rest of it counts."""
    report = (
        line + b'\n{"test": "t", "file": "t.py", "status": "passed", "error": "", "frames": []}\n'
    )
    rows = read_report(report, {"t.py"})
    assert ReportedTest("t", "t.py", "passed") in rows
    assert "passed" not in [row.status for row in rows if row.test != "t"]


@pytest.mark.timeout(60)
def test_thousands_of_failures_that_a_program_reports_are_placed_at_once():
    """Each was looked for in the tests' lines anew: seconds of the event loop."""
    rows = [
        ReportedTest(str(n), "tests.py", "failed", "no", (("tests.py", 2),)) for n in range(20_000)
    ]
    began = time.process_time()
    said = outcomes_of(rows, "a\nb\n" * 16_000, Outcome(1, "exited", "", "", b"", 0.0, None))
    assert time.process_time() - began < 1
    assert {each.message for each in said} == {"no (line 2: b)"}
    rows = [ReportedTest(str(n), "tests.py", "unfinished") for n in range(20_000)]
    ended = Outcome(1, "exited", "", "a\n" * 32_000 + "gone\n", b"", 0.0, None)
    began = time.process_time()
    assert "gone" in finished(rows, ended, "tests.py")[0].error
    assert time.process_time() - began < 1


@pytest.mark.parametrize("language", ["javascript", "python"])
def test_deep_code_has_definitions_too(language):
    """A sum of a thousand terms is as deep as a thousand brackets."""
    assign = "const x = " if language == "javascript" else "x = "
    define = "function f() {}" if language == "javascript" else "def f():\n    pass"
    assert public_names(language, assign + " + ".join(['"0"'] * 3000) + f"\n{define}\n") == {"f"}


def test_code_that_takes_long_to_parse_is_given_up():
    """A parser's recovery from errors can take minutes, during which nothing else would run."""
    assert syntax_error("java", "a<b<" * 5_000) == GIVEN_UP  # it has not passed
    assert syntax_error("java", "class A {}" * 2_000) is None


class Bare:
    """As much of a run as running tests takes."""

    deadline = None

    def __init__(self, pipeline):
        self.settings = pipeline.scheduler.settings

    def step(self, stage, label):
        from contextlib import nullcontext
        from types import SimpleNamespace

        return nullcontext(SimpleNamespace(note=None))
