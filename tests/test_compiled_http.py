"""Compiled languages over a real socket: programs in the sandbox, and the compiler's word in
`POST /code` and `POST /judge`."""

from pathlib import Path

import pytest
from code_examples import CLEAR, EXPLAINED, asked, coder, judge
from recorded import records
from test_judging import NOT_ASKED
from test_server import RULES

import laios
from laios import errors, types
from pipeline.sandbox import RUN_LANGUAGES
from tests.compilers import LANGUAGES, in_one_worker, kept_packages, needs  # noqa: F401
from tests.test_compiled import ADDS, of_each

pytestmark = [
    in_one_worker(__name__),
    pytest.mark.only_when(
        "pipeline/analysis/",
        "pipeline/review/",
        "pipeline/sandbox/",
        "pipeline/testcases/",
        "server/",
        "laios/",
    ),
]
IN_C = "#include <stdio.h>\n#include <stdlib.h>\n#include <time.h>\nint main(void) {{ {} }}\n"


async def ran(daemon_with, code, language, stdin="", **limits):
    async with (
        daemon_with(*RULES, **limits) as (daemon, _),
        laios.AsyncClient(daemon.address) as client,
    ):
        ended = await client.run_code(code, language, stdin)
        assert daemon.parts.reader.page(limit=1) == []
        return ended


# --- POST /sandbox/run ---------------------------------------------------------------------------


@pytest.mark.parametrize(("language", "program"), of_each(**{k: (v,) for k, v in ADDS.items()}))
async def test_a_program_is_built_and_run_with_its_input(daemon_with, language, program):
    """As one in a language that is not compiled."""
    ended = await ran(daemon_with, program, language, "30 4\n")
    assert (ended.exit, ended.ended, ended.stdout, ended.stderr) == (0, "exited", "34", "")


@pytest.mark.parametrize(
    ("label", "language"), [("C++", "cpp"), ("golang", "go"), ("rs", "rust"), (" C ", "c")]
)
async def test_a_language_has_its_usual_names(daemon_with, monkeypatch, label, language):
    """Whatever their case."""
    seen = []
    monkeypatch.setattr("pipeline.sandbox.building.required_compiler", refuse(seen))
    async with daemon_with(*RULES) as (_, http):
        await http.post("/sandbox/run", json={"code": "x", "language": label})
    assert seen == [language]


def refuse(seen):
    def required(language):
        seen.append(language)
        raise errors.SandboxUnavailable("none")

    return required


@pytest.mark.parametrize(
    ("language", "program", "said"),
    of_each(
        c=(IN_C.format("return y;"), "program.c:4:"),
        cpp=("#include <vector>\nint main() { std::vector<int> v; v.add(1); }", "program.cpp:2:"),
        go=("package main\nfunc main() {\n\tx := 1\n}\n", "declared and not used: x"),
        java=("class Main { public static void main(String[] a) { int x = a[0]; } }", "String"),
        rust=('fn main() { let n: i32 = "1"; }', "error[E0308]: mismatched types"),
    ),
)
async def test_what_cannot_be_built_is_told_in_the_compilers_words(
    daemon_with, language, program, said
):
    """And is not taken for the program's own end."""
    ended = await ran(daemon_with, program, language)
    assert (ended.exit, ended.ended, ended.stdout) == (None, "compile_error", "")
    assert said in ended.stderr


@pytest.mark.parametrize(
    ("language", "program", "ending", "said"),
    of_each(
        c=(IN_C.format("abort();"), (134, "signal"), ""),
        cpp=("#include <stdexcept>\nint main() { throw std::runtime_error(\"oh\"); }",
             (134, "signal"), "oh"),
        go=('package main\nfunc main() { panic("oh") }', (2, "exited"), "panic: oh"),
        java=("package a.b;\npublic class Oh {"
              " public static void main(String[] a) { a[0] = a[1]; } }",
              (1, "exited"), "ArrayIndexOutOfBounds"),
        rust=('fn main() { panic!("oh") }', (101, "exited"), "panicked"),
    ),
)  # fmt: skip
async def test_a_crash_is_told_by_status_and_words(daemon_with, language, program, ending, said):
    """Those of the program, which was built."""
    ended = await ran(daemon_with, program, language)
    assert (ended.exit, ended.ended) == ending and said in ended.stderr


@pytest.mark.parametrize(
    ("language", "program"),
    of_each(
        c=("int main(void) { for (volatile int i = 0;;) i = 1; }",),
        cpp=("int main() { for (volatile int i = 0;;) i = 1; }",),
        go=("package main\nfunc main() { for {} }",),
        java=("class Main { public static void main(String[] a) { while (true); } }",),
        rust=("fn main() { loop {} }",),
    ),
)
async def test_a_loop_without_end_is_ended(daemon_with, language, program):
    """By the settings' limit on the processor, which Go's runtime does not hear of by itself."""
    ended = await ran(daemon_with, program, language, SANDBOX_CPU_S=2, SANDBOX_WALL_S=60)
    assert (ended.exit, ended.ended) == (None, "cpu")
    assert ended.seconds >= 1.9


@needs("c")
async def test_the_limits_are_those_of_the_settings(daemon_with):
    """No others: a second of the processor is little. What sleeps and what floods is ended."""
    busy = IN_C.format('while (clock() < CLOCKS_PER_SEC); printf("done");')
    ended = await ran(daemon_with, busy, "c", SANDBOX_WALL_S=60)
    assert (ended.exit, ended.ended, ended.stdout) == (0, "exited", "done")
    slept = IN_C.format('struct timespec t = {60, 0}; puts("a"); fflush(stdout); nanosleep(&t, 0);')
    ended = await ran(daemon_with, slept, "c", SANDBOX_WALL_S=6)
    assert (ended.exit, ended.ended, ended.stdout) == (None, "timeout", "a\n")
    floods = IN_C.format('for (;;) puts("xxxxxxxxx");')
    ended = await ran(daemon_with, floods, "c", SANDBOX_WALL_S=60, SANDBOX_OUTPUT_BYTES=1024)
    assert ended.ended == "output" and len(ended.stdout) < 2_000


@needs("c")
async def test_memory_of_all_processes_is_bounded(daemon_with):
    """As for any program; what it took to build it does not count."""
    forks = "#include <unistd.h>\n#include <string.h>\n" + IN_C.format(
        "for (int i = 0; i < 3; i++) if (!fork()) "
        "{ memset(malloc(60 << 20), 1, 60 << 20); sleep(60); } sleep(60);"
    )
    ended = await ran(daemon_with, forks, "c", SANDBOX_MEMORY_MB=128)
    assert (ended.exit, ended.ended) == (None, "memory")


@needs("c")
async def test_a_compiler_that_does_not_end_is_ended(daemon_with):
    """It has the same limits; that it was the compiler is told."""
    doubles = "".join(f"#define A{n + 1} A{n} A{n}\n" for n in range(60))
    program = f"#define A0 +1\n{doubles}int main(void) {{ return A60; }}"
    ended = await ran(daemon_with, program, "c", SANDBOX_WALL_S=1)
    assert (ended.exit, ended.ended) == (None, "compile_error")
    assert "The compiler reached a limit" in ended.stderr or "error" in ended.stderr


@needs("c")
async def test_a_program_finds_nothing_of_how_it_was_built(daemon_with):
    """Neither its source nor a report that it could forge."""
    program = IN_C.format(
        'if (fopen("program.c", "r")) puts("source"); if (fopen("built", "r")) puts("built");'
    )
    assert (await ran(daemon_with, program, "c")).stdout == ""


@pytest.mark.parametrize(
    ("language", "command"),
    [("c", "'gcc' or 'clang'"), ("cpp", "'g++' or 'clang++'"), ("go", "'go'"),
     ("java", "'javac'"), ("rust", "'rustc'")],
)  # fmt: skip
async def test_without_a_compiler_it_is_said_what_to_install(
    daemon_with, monkeypatch, language, command
):
    """As where an interpreter is missing."""
    async with daemon_with(*RULES) as (_, http):
        monkeypatch.setenv("PATH", "")
        answer = await http.post("/sandbox/run", json={"code": "x", "language": language})
    assert (answer.status_code, answer.json()["error"]["code"]) == (501, "sandbox_unavailable")
    said = f"There is no {command} here. Install it to run such programs."
    assert answer.json()["error"]["message"] == said


async def test_nothing_is_built_on_macos(daemon_with, monkeypatch):
    """Where a program in the sandbox can start no other."""
    async with daemon_with(*RULES) as (_, http):
        monkeypatch.setattr("pipeline.sandbox.compilers.sys.platform", "darwin")
        answer = await http.post("/sandbox/run", json={"code": "x", "language": "rust"})
        monkeypatch.undo()
    assert answer.status_code == 501 and "on Linux alone" in answer.json()["error"]["message"]


# --- what Node runs ------------------------------------------------------------------------------

TYPED = """\
import { readFileSync, type Stats } from "fs";

enum Sign { Plus = "+", Minus = "-" }
class Sum<T extends number> {
  constructor(private readonly all: T[], public sign: Sign = Sign.Plus) {}
  get total(): number { return this.all.reduce((a: number, b) => a + b, 0); }
}
const sum = new Sum<number>(readFileSync(0, "utf8").trim().split(" ").map(Number));
console.log(`${sum.sign}${sum.total as number}`);
"""


@needs("typescript")
@pytest.mark.parametrize("label", ["typescript", "ts", "TypeScript"])
async def test_typescript_is_run_without_its_types(daemon_with, label):
    """Whatever it is called; what is more than types is there, too."""
    ended = await ran(daemon_with, TYPED, label, "30 4\n")
    assert (ended.exit, ended.ended, ended.stdout, ended.stderr) == (0, "exited", "+34\n", "")


@needs("typescript")
@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("let x: number = 1;\nlet y: = 3;\nconsole.log(x);\n", "syntax error at line 2"),
        ("namespace A { export const b = 1; }\nconsole.log(A.b);\n", "namespaces or decorators"),
        ("@sealed class A {}\n", "namespaces or decorators"),
    ],
)
async def test_typescript_that_is_not_run_says_why(daemon_with, program, said):
    """As what a compiler refuses: it was not started."""
    ended = await ran(daemon_with, program, "ts")
    assert (ended.exit, ended.ended, ended.stdout) == (None, "compile_error", "")
    assert said in ended.stderr and ended.stderr.endswith("\n")


@needs("typescript")
async def test_errors_of_typescript_are_told_by_its_own_lines(daemon_with):
    """Whatever was taken out before them."""
    program = "interface A {\n  b: number;\n}\nenum E {\n  C,\n}\nthrow new Error(`no ${E.C}`);\n"
    ended = await ran(daemon_with, program, "ts")
    assert (ended.exit, ended.ended) == (1, "exited")
    assert "program.js:7" in ended.stderr and "Error: no 0" in ended.stderr


MODULES = {
    "javascript": (
        'import fs from "fs";\nconsole.log(typeof fs.readFileSync);\nexport const a = 1;\n',
        'const fs = require("fs");\nconsole.log(typeof fs.readFileSync);\nmodule.exports = {};\n',
        "const wait = (x) => Promise.resolve(x);\nconsole.log(typeof await wait(() => 1));\n"
        "export {};\n",
        "// import fs from 'fs'\nasync function f() {\n  await 1;\n}\nconsole.log(typeof f);\n",
    ),
    "typescript": (
        'import * as fs from "node:fs";\nexport function f(x: number): number { return x }\n'
        "console.log(typeof fs.readFileSync);\n",
        'import { User } from "./types";\nconst f = (u: User): void => {};\n'
        "console.log(typeof f);\n",
        'const fs: any = require("fs");\nconsole.log(typeof fs.readFileSync);\n',
        "const f: () => void = await Promise.resolve(() => {});\nconsole.log(typeof f);\n",
    ),
}


@needs("typescript")
@pytest.mark.parametrize("language", MODULES)
async def test_modules_of_either_kind_are_run(daemon_with, language):
    """With `import` and with `require`, and with what waits outside of functions."""
    async with (
        daemon_with(*RULES) as (daemon, _),
        laios.AsyncClient(daemon.address) as client,
    ):
        ended = [await client.run_code(program, language) for program in MODULES[language]]
    assert [(each.stdout, each.stderr) for each in ended] == [("function\n", "")] * len(ended)


@pytest.mark.parametrize("page", ["sandbox.md", "http-api.md"])
def test_the_documents_name_the_languages(page):
    """All that can be run, as they are called in a request."""
    text = (Path(__file__).parents[1] / "docs" / page).read_text("utf-8")
    assert ", ".join(f"`{name}`" for name in RUN_LANGUAGES) in " ".join(text.split())
    assert {*LANGUAGES} < {*RUN_LANGUAGES}


# --- POST /judge and POST /code ------------------------------------------------------------------

WRONG = {
    "c": ("#include <stdio.h>\nint main(void) {\n  print(1);\n}\n", "(line 3)"),
    "cpp": ("#include <vector>\nint main() {\n  std::vector<int> v;\n  v.add(1);\n}\n", "(line 4)"),
    "go": ("package main\n\nfunc main() {\n\tx := 1\n}\n", "(line 4)"),
    "java": ("class Main {\n  public static void main(String[] a) {\n    int x = a[0];\n  }\n}\n",
             "(line 3)"),
    "rust": ('fn main() {\n    let n: i32 = "1";\n}\n', "(line 2)"),
}  # fmt: skip


async def judged(daemon_with, rule, language, program):
    """A program is asked for; what the judgement is, and its record."""
    body = {"code": program, "language": language, "request": f"a program in {language}"}
    async with daemon_with(rule, EVIDENCE_RUN="auto") as (daemon, http):
        answer = await http.post("/judge", json=body)
        [record] = records(daemon)
    assert answer.status_code == 200, answer.text
    return types.Judgement.model_validate(answer.json()), record


@pytest.mark.parametrize(("language", "program", "line"), of_each(**WRONG))
async def test_given_code_that_does_not_compile_needs_no_judge(
    daemon_with, language, program, line
):
    """It is not valid, and the issue says why, and in which line."""
    judgement, record = await judged(daemon_with, NOT_ASKED, language, program)
    assert not judgement.valid and judgement.confidence_score is None
    [issue] = judgement.issues
    assert issue.kind == "compile" and issue.message.startswith("it does not compile: ")
    assert line in issue.message
    assert [(fact.kind, fact.holds) for fact in judgement.evidence] == [("compile", False)]
    assert [step["stage"] for step in record["steps"]] == ["sandbox"]


@needs("c")
async def test_given_code_that_compiles_is_judged(daemon_with):
    """The compiler has nothing against it."""
    judgement, _ = await judged(daemon_with, judge(9, 1), "c", ADDS["c"])
    assert judgement.valid and judgement.confidence_score == 9


GOOD_CPP = "#include <vector>\nint main() {\n  std::vector<int> v;\n  v.push_back(1);\n}\n"
GOOD = {
    "cpp": GOOD_CPP,
    "go": "package main\n\nfunc main() {\n\tx := 1\n\t_ = x\n}\n",
    "java": "class Main {\n  public static void main(String[] a) {\n    int x = 1;\n  }\n}\n",
    "rust": "fn main() {\n    let _n: i32 = 1;\n}\n",
}


@pytest.mark.parametrize(
    ("language", "wrong", "right"),
    of_each(**{name: (WRONG[name][0], right) for name, right in GOOD.items()}),
)
async def test_code_that_does_not_compile_is_drawn_again(daemon_with, language, wrong, right):
    """No judge is asked about it; the record has the compiler's word."""
    rules = [CLEAR, coder(wrong, times=1), coder(right), judge(9), EXPLAINED]
    body = asked(language=language, instruction=f"a program in {language}")
    async with daemon_with(*rules, MAX_DRAFTS=3, EVIDENCE_RUN="auto") as (daemon, http):
        answer = await http.post("/code", json=body)
        [record] = records(daemon)
    assert answer.status_code == 200, answer.text
    assert (answer.json()["success"], answer.json()["code"]) == (True, right)
    first = record["artefact"]["attempts"][0]
    assert first["code"] == wrong and "does not compile" in str(first)
    stages = [step["stage"] for step in record["steps"]]
    assert stages[:5] == ["intake", "coder", "sandbox", "coder", "sandbox"]
    assert stages.count("judge") == 1


TESTS = """\
import test from "node:test";
import assert from "node:assert";
import { add } from "./add";

test("adds", (): void => assert.equal(add(1, 2), 3));
"""
ADD = "export function add(a: number, b: number): number {\n  return a + b;\n}\n"


@needs("typescript")
async def test_code_in_typescript_is_tried_with_the_callers_tests(daemon_with):
    """One that fails them is drawn again, and their names are told."""
    rules = [CLEAR, coder(ADD.replace("+", "-"), times=1), coder(ADD), judge(9), EXPLAINED]
    body = asked(language="typescript", instruction="add two numbers", tests=TESTS)
    async with daemon_with(*rules, MAX_DRAFTS=3, EVIDENCE_RUN="auto") as (daemon, http):
        answer = await http.post("/code", json=body)
        [record] = records(daemon)
    assert answer.status_code == 200, answer.text
    assert (answer.json()["success"], answer.json()["code"]) == (True, ADD)
    first, second = record["artefact"]["attempts"]
    assert "adds" in str(first) and second["code"] == ADD


@needs("cpp")
async def test_code_that_never_compiles_is_known_to_be_wrong(daemon_with):
    """With the compiler's word as a warning and little confidence."""
    rules = [CLEAR, coder(WRONG["cpp"][0]), NOT_ASKED, EXPLAINED]
    body = asked(language="c++", instruction="a program in C++")
    async with daemon_with(*rules, MAX_DRAFTS=2, EVIDENCE_RUN="auto") as (_, http):
        answer = (await http.post("/code", json=body)).json()
    assert answer["confidence"] < 0.5
    assert any("no member named 'add' (line 4)" in each for each in answer["warnings"])
