"""Examples of functions in compiled languages: those that stand in comments, and values that are
given to the drafts as they are written."""

import pytest

from config import load_settings
from pipeline.analysis.draft import Draft
from pipeline.review.draft_evidence import run_evidence
from pipeline.task import Task
from pipeline.testcases.examples.example_search import find_examples
from tests.compilers import in_one_worker, kept_packages, needs  # noqa: F401
from tools.bench.drafts.executed import run_of

pytestmark = [
    in_one_worker(__name__),
    pytest.mark.only_when(
        "pipeline/analysis/", "pipeline/review/", "pipeline/sandbox/", "pipeline/testcases/"
    ),
]


async def said_of(language, prompt, text):
    """ "holds" or "fails", "" where nothing is known."""
    with run_of(prompt, load_settings(), None) as run:
        draft = await run_evidence(run, Task(prompt), Draft(text, language, ()), "coder")
    return "fails" if draft.findings else "holds" if draft.decided else ""


# --- in comments ---------------------------------------------------------------------------------

SIGNATURE = "func Twice(s string) string"


@pytest.mark.parametrize(
    ("comment", "read"),
    [
        ('//\tTwice("a")   // "aa"\n//\tTwice("")    // ""', ["aa", ""]),
        ('// Twice("a") // "aa", and so on', ["aa"]),
        ('/// Twice("a") == "aa"', ["aa"]),
        ('//! Twice("é") => "éé"', ["éé"]),
        ('// old: Twice("a") // "a"', []),
        ('// Twice("a") // x or "aa"', []),
        ('// Unlike Once("a") // "a"', []),
        ('// Once("a") // "a"', []),
    ],
)
def test_examples_are_read_in_a_comment_that_describes_the_function(comment, read):
    """They stand right behind the slashes, and are of the function whose signature is shown."""
    found = find_examples(f"Write this:\n\n// Twice doubles it:\n//\n{comment}\n{SIGNATURE}")
    assert [each.expected for each in found.cases] == read


@pytest.mark.parametrize(
    ("body", "is_read"),
    [
        (" { return s }", False),
        (" {\n\tr := s + s\n\treturn r\n}", False),
        (' {\n\t// to be done\n\tpanic("todo")\n}', True),
        ("\n\nif Twice(s) == s {", True),
    ],
)
def test_a_comment_on_code_that_is_there_may_say_how_it_is(body, is_read):
    """It shall be changed, perhaps; not where there is nothing in it yet."""
    asked = f'Please change it:\n\n// Twice("a") // "aa"\n{SIGNATURE}{body}'
    assert bool(find_examples(asked).cases) is is_read


# --- as they are written -------------------------------------------------------------------------

WRITTEN = [
    ("c", "const char *g(const char *s) { return s; }"),
    ("cpp", "#include <string>\nstd::string g(const std::string& s) { return s; }"),
    ("go", "package main\nfunc g(s string) string { return s }"),
    ("java", "class Main { static String g(String s) { return s; } }"),
    ("rust", "fn g(s: &str) -> String { s.to_string() }"),
]


@pytest.mark.parametrize(
    ("language", "text"), [pytest.param(*each, marks=needs(each[0])) for each in WRITTEN]
)
async def test_texts_beyond_ascii_are_given_as_they_stand(language, text):
    """They came without their letters, and right programs were said to fail."""
    asked = 'Write g(s). g("é\\u200d€") == "é\\u200d€" and g("ab") == "ab"'
    assert await said_of(language, asked, text) == "holds"


SUMS = "h(99999999999) == 99, h(5) == 5"
COLOURS = "h(200) == 2, h(100) == 1"
LONG = "x" * 250
VALUES = [
    ("go", SUMS, "func h(n int) int { s := 0; for ; n > 0; n /= 10 { s += n % 10 }; return s }"),
    ("c", SUMS, "int h(unsigned long n) { int s = 0; for (; n; n /= 10) s += n % 10; return s; }"),
    ("rust", COLOURS, "fn h(n: u8) -> u8 { n / 100 }"),
    ("c", COLOURS, "#include <stdint.h>\nint h(uint8_t n) { return n / 100; }"),
]
OTHERS = [
    ("c", SUMS, "int h(int n) { int s = 0; for (; n; n /= 10) s += n % 10; return s; }"),
    ("rust", "h(-5) == -5, h(5) == 5", "fn h(n: u32) -> i64 { n as i64 }"),
    (
        "c",
        f'h("{LONG}") == 250, h("x") == 1',
        "int h(const char *s) { int n = 0; while (*s++) n++; return n; }",
    ),
    (
        "cpp",
        'h({"b", "a"}) == "ba", h({"c", "a"}) == "ca"',
        "#include <string>\n#include <vector>\nstd::string h(const std::vector<std::string>& v)"
        " { std::string s; for (auto& x : v) s += x; return s; }",
    ),
]


@pytest.mark.parametrize(
    ("language", "examples", "text", "said"),
    [
        pytest.param(*each, said, marks=needs(each[0]))
        for said, rows in (("holds", VALUES), ("", OTHERS))
        for each in rows
    ],
)
async def test_an_example_is_run_with_its_own_values_alone(language, examples, text, said):
    """Numbers are given where their type is wide enough. What cannot be given as it is written says
    nothing: no other value in its place, and no list in the order of a set."""
    assert await said_of(language, f"Write h. {examples}", text) == said
