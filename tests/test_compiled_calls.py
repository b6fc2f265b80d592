"""Functions in compiled languages: what they take, calls that are made of that, and what comes of
them."""

import asyncio
import time

import pytest

from config import load_settings
from pipeline.analysis.signatures.call_signatures import entry_among, signatures
from pipeline.analysis.signatures.signature import Signature
from pipeline.analysis.syntax_process import Unread
from pipeline.review.compiled_calls import results_of_calls
from pipeline.sandbox import ANY_VALUE, Arguments, Case
from pipeline.testcases.call_drivers import driver_of
from pipeline.testcases.driver_parts import NoDriver
from pipeline.testcases.typed_calls import calls_of_compiled
from tests.compilers import LANGUAGES, in_one_worker, kept_packages, needs  # noqa: F401
from tools.bench.drafts.executed import run_of
from tools.fuzz import hostile_texts

pytestmark = [
    in_one_worker(__name__),
    pytest.mark.only_when(
        "pipeline/analysis/",
        "pipeline/review/",
        "pipeline/sandbox/",
        "pipeline/testcases/",
        "tools/",
    ),
]


def of_each(rows):
    """A case for each row, whose first value is the language."""
    return [
        pytest.param(*row, marks=needs(row[0]), id=f"{row[0]}-{n}") for n, row in enumerate(rows)
    ]


def called(*all_arguments):
    return [
        Case(Arguments(each), ANY_VALUE, name=f"call {n}") for n, each in enumerate(all_arguments)
    ]


async def results(language, program, calls, function="", request="Write it."):
    with run_of(request, load_settings(), None) as run:
        return await results_of_calls(run, language, program, calls, function)


async def values(language, program, calls, function=""):
    """What each call gives; how it ended instead, where it gives nothing."""
    came = await results(language, program, calls, function)
    return [each.value if each.gave else each.came for each in came]


# --- what functions take -------------------------------------------------------------------------

SHAPES = {
    "c": (
        "static const char *join(const char **parts, size_t n) { return 0; }\n"
        "int print(const char *form, ...) { return 0; }\n"
        "int declared(int);\nint main(void) { return 0; }\nint zero(void) { return 0; }",
        [
            ("join", "", (("parts", "const char **"), ("n", "size_t")), "const char *"),
            ("zero", "", (), "int"),
        ],
    ),
    "cpp": (
        "template <typename T> std::vector<T> twice(const std::vector<T>& v, int k = 2) {}\n"
        "class Solution {\n int own(int a) {}\npublic:\n bool is_it(int& a) const {}\n};\n"
        "template <int N> int sized() {}\nclass Other { public: int f() {} };",
        [
            ("twice", "", (("v", "const std::vector<int>&"),), "std::vector<int>"),
            ("is_it", "Solution", (("a", "int&"),), "bool"),
        ],
    ),
    "go": (
        "package main\nfunc Chunk[T any](s []T, a, b int) (x [][]T, err error) { return }\n"
        "func (l *L) Get(a int) int { return 1 }\nfunc All(a ...int) {}\nfunc init() {}\n"
        "func New[T any]() T { panic(1) }\nfunc main() {}\nfunc TestIt(t *testing.T) {}",
        [("Chunk", "", (("s", "[]int"), ("a", "int"), ("b", "int")), "([][]int, error)")],
    ),
    "java": (
        "public class Tools { Tools(int a) {}\n public static <T> int size(List<T> a) { return 1; }"
        "\n private static int own() { return 1; } int made() { return 1; } }\n"
        "class Solution { int memo; public int[] f(int a[], String... s) { return a; }\n"
        " public int[] g(int a[]) { return a; } }\n"
        "class Stack { int[] held; void push(int a) {} }",
        [
            ("size", "Tools", (("a", "List<Integer>"),), "int"),
            ("g", "Solution", (("a", "int[]"),), "int[]"),
        ],
    ),
    "rust": (
        "pub fn first<'a, T: Ord>(v: &'a [T], mut x: i32) -> Option<usize> { None }\n"
        "async fn later(a: i32) {}\nfn each<F: Fn(i32)>(f: F) {}\n#[test]\nfn a_test() {}\n"
        "struct A;\nimpl A { fn own(&self) {} }\nfn main() {}",
        [("first", "", (("v", "&'a [i32]"), ("x", "i32")), "Option<usize>")],
    ),
}


def test_a_helper_of_objects_says_nothing_of_them():
    """Where a class is asked for and its function is not."""
    program = "int gcd(int a, int b) { return b ? gcd(b, a % b) : a; }\nclass Fraction {};\n"
    assert not calls_of_compiled("cpp", program, "", "C++ class Fraction, always reduced", 20)
    assert calls_of_compiled("cpp", program, "", "C++ class Fraction with a free gcd(a, b)", 20)
    assert calls_of_compiled("cpp", program, "", "C++: the greatest common divisor", 20)


@pytest.mark.parametrize("language", LANGUAGES)
def test_functions_that_can_be_called_are_found(language):
    """With their types, type parameters filled in; not `main`, tests, methods of what has a state,
    coroutines, and what takes functions or any number of arguments."""
    text, expected = SHAPES[language]
    found = signatures(language, text)
    assert [(s.name, s.owner, s.parameters, s.result) for s in found] == expected


def test_the_function_that_is_meant_is_called():
    """The one of that name, else one that the request names and that helps no other, else the last
    that no other uses."""

    def of(name, *uses):
        return Signature(name, "", (("a", "int"),), "int", uses=frozenset(uses))

    found = [of("max"), of("merge", "max"), of("show", "merge")]
    assert entry_among(found, "max", "").name == "max"
    assert entry_among(found[:2], "other", "merge, with the max of both").name == "merge"
    assert entry_among(found, "", "Write it.").name == "show"
    assert entry_among([], "max", "max") is None


BROKEN = [
    "\n\n\n " * 7_500,
    *("(" * 15_000, "{" * 30_000, "int f(" * 5_000, "fn f<" * 6_000, "[]" * 15_000),
    *("*" * 30_000, "int " + "*" * 20_000 + "f(int a) {}", "class A {" * 3_000, '"' + "a" * 30_000),
    *("/*" + "x" * 29_000, "'" * 30_000, "func F(" + "a, " * 9_000 + "b int) {}"),
    *("int f(" + "int a, " * 4_000 + "int b) { }", "\0" * 100, "\ud800 int f() {}", "#" * 30_000),
    *("fn f(a: " + "&" * 20_000 + "i32) {}", "int f(int a" + "[]" * 10_000 + ") {}", ""),
    *("fn f(a: " + "Vec<" * 5_000 + ") {}", "void f(int " + "a" * 25_000 + ") {}"),
    "class A { static void f(" + "List<" * 5_000 + "int" + ">" * 5_000 + " a) {} }",
]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_is_too_much(language):
    """Whatever stands there, it is read to its end, or given up in time."""
    began = time.thread_time()
    texts = [*BROKEN, *(text[:30_000] for text in hostile_texts.TEXTS)]
    for text in texts:
        try:
            found = signatures(language, text)
        except Unread:
            continue
        assert all(isinstance(each, Signature) for each in found)
        calls_of_compiled(language, text, "f", "f", 3)
    assert time.thread_time() - began < 2


# --- the calls -----------------------------------------------------------------------------------

TAKEN = [
    ("c", "int f(const int *a, size_t n, char c) { return 0; }", (list, str)),
    ("c", "double f(int n, int arr[], int size, double by) { return 0; }", (int, list, float)),
    ("c", "bool f(const char *s, int *out) { return 0; }", (str,)),
    ("c", "char *f(const char **parts, size_t n, const char *sep) { return 0; }", (list, str)),
    ("c", "int f(const int *a, const int *b, int n) { return 0; }", (list, list)),
    ("c", "void f(const char *in, char *out, size_t size) { }", (str,)),
    ("cpp", "int f(const std::map<std::string, int>& m, string_view s) {}", (dict, str)),
    ("cpp", "std::string f(std::vector<std::pair<int, char>> v) {}", (list,)),
    ("go", "func F(in [][2]int, m map[string]int, b byte) string { return `` }", (list, dict, int)),
    ("java", "static int f(Map<String, Integer> m, List<String>[] l) { return 1; }", None),
    ("java", "static int f(Map<String, Integer> m, List<int[]> l, char c) { return 1; }", 3),
    ("java", "static int f(Map<String, List<Integer>> m, long[][] a, char c) { return 1; }", 3),
    (
        "rust",
        "fn f(a: &[&str], b: &mut Vec<u8>, c: String, d: [f64; 3]) {}",
        (list, list, str, list),
    ),
    ("rust", "fn f(a: Option<i32>) {}", None),
    ("rust", "fn f(a: Node) {}", None),
    ("go", "func F(a Node) {}", None),
    ("go", "func F(a int) Node { return 1 }", None),
    ("c", "struct node *f(struct node *head) { return head; }", None),
    ("c", "int f(int **a, int n, int m) { return 0; }", None),
    ("c", "int f(const int *a) { return 0; }", None),
    ("cpp", "int f(Node* head) {}", None),
]


@pytest.mark.parametrize(("language", "program", "kinds"), TAKEN)
def test_calls_are_of_the_types_that_a_function_takes(language, program, kinds):
    """An array's size and what a function writes to are no arguments; () where a type is unknown
    or what comes cannot be shown."""
    calls = calls_of_compiled(language, program, "", "Write f.", 20)
    if kinds is None:
        assert calls == ()
        return
    assert 10 < len(calls) <= 20 and len({each.input for each in calls}) == len(calls)
    for each in calls:
        given = each.arguments.args
        assert len(given) == kinds if isinstance(kinds, int) else [*map(type, given)] == [*kinds]
    assert calls == calls_of_compiled(language, program, "", "Write f.", 20)


def test_values_are_those_that_the_types_hold():
    """No negative unsigned numbers, arrays of one size, plain texts, single characters."""
    program = "fn f(a: &[u8], b: [usize; 4], c: char, d: &str) {}"
    for each in calls_of_compiled("rust", program, "", "f of \u201c\u00e4\u00f6\u201d 'é'", 20):
        a, b, c, d = each.arguments.args
        assert all(0 <= n < 256 for n in a) and all(n >= 0 for n in b)
        assert len(b) == 4 and len(c) == 1 and d.isascii()


def test_one_value_has_to_do_with_the_other():
    """What is looked for is often there, separators stand in the text, and rows of a matrix have
    one length."""
    search = calls_of_compiled("go", "func F(a []int, x int) int { return 0 }", "", "index", 20)
    assert sum(x in a for a, x in (each.arguments.args for each in search)) > 3
    split = calls_of_compiled("c", "int f(const char *s, char by) { return 0; }", "", "split", 20)
    assert sum(by in s for s, by in (each.arguments.args for each in split)) > 5
    matrix = "static int f(int[][] m) { return 0; }"
    for each in calls_of_compiled("java", matrix, "", "the sum of a matrix", 20):
        assert len({len(row) for row in each.arguments.args[0]}) <= 1


# --- what comes of them --------------------------------------------------------------------------

ALIKE = [
    (
        "c",
        "#include <string.h>\nint f(const char *s) { int n = 0; while (*s) n += *s++ == 'a';"
        ' return n; }\nint main(void) { return f("a"); }',
        "#include <stddef.h>\nstatic long g(char *t, size_t i) { return t[i] ? (t[i] == 'a') +"
        " g(t, i + 1) : 0; }\nlong other(char *t) { return g(t, 0); }",
        "int f(const char *s) { return *s == 'a'; }",
        called(("",), ("aba",), ('"\\?\n',)),
        ["0", "2", "0"],
    ),
    (
        "c",
        "void f(int *a, int n) { for (int i = 0; i < n; i++) a[i] *= 2; }",
        "void f(int arr[], unsigned long size) { while (size--) arr[size] += arr[size]; }",
        "void f(int *a, int n) { }",
        called(([1, 2],), ([],), ([-3],)),
        ["2 4", None, "-6"],
    ),
    (
        "c",
        '#include <stdio.h>\nvoid f(int n) { while (n--) puts("x"); }',
        '#include <stdio.h>\nvoid f(int n) { for (int i = 0; i < n; i++) printf("x\\n"); }',
        '#include <stdio.h>\nvoid f(int n) { puts("x"); }',
        called((1,), (2,)),
        ["x\n", "x\nx\n"],
    ),
    (
        "c",
        "#include <stdbool.h>\nbool half(int n, int *out) { *out = n / 2; return n % 2 == 0; }",
        "_Bool half(int n, int *result) { if (n & 1) return 0; *result = n >> 1; return 1; }",
        "int half(int n, int *result) { *result = n; return !(n & 1); }",
        called((4,), (3,)),
        ["1 2", "0"],
    ),
    (
        "cpp",
        "#include <map>\n#include <string>\n#include <vector>\nstd::map<std::string, int> f(const"
        " std::vector<std::string>& w) { std::map<std::string, int> m; for (auto& x : w) m[x]++;"
        " return m; }",
        "#include <bits/stdc++.h>\nusing namespace std;\nunordered_map<string, long> count("
        "vector<string> w) { unordered_map<string, long> m; for (auto x : w) ++m[x]; return m; }\n"
        "int main() { cout << count({}).size(); }",
        "#include <bits/stdc++.h>\nstd::map<std::string, int> f(std::vector<std::string> w) {"
        " return {}; }",
        called((["b", "a", "b"],), ([],)),
        ['[("a", 1), ("b", 2)]', "[]"],
    ),
    (
        "cpp",
        "#include <bits/stdc++.h>\nclass Solution { public: double f(std::vector<double>& v) {"
        " return std::accumulate(v.begin(), v.end(), 0.0); } };",
        "#include <vector>\nfloat total(const std::vector<double> &v) { float s = 0;"
        " for (double d : v) s += d; return s; }",
        "#include <vector>\nint f(const std::vector<double> &v) { return 0; }",
        called(([0.1, 0.2],), ([],), ([2.0],)),
        ["0.3", "0", "2"],
    ),
    (
        "go",
        'package main\n\nimport "fmt"\n\nfunc F(s []int, by int) ([]int, error) {\n'
        "\tif by == 0 {\n\t\treturn nil,"
        ' fmt.Errorf("no")\n\t}\n\tout := []int{}\n\tfor _, n := range s {\n\t\tout = append(out,'
        " n/by)\n\t}\n\treturn out, nil\n}\n",
        'import "errors"\n\nfunc Divide(s []int, by int) (out []int, err error) {\n\tif by == 0 {\n'
        '\t\treturn s, errors.New("zero")\n\t}\n'
        "\tfor _, n := range s {\n\t\tout = append(out, n/by)"
        "\n\t}\n\treturn\n}\n\nfunc main() { panic(1) }\n",
        "func F(s []int, by int) ([]int, error) { return s, nil }",
        called(([4, 6], 2), ([1], 0), ([], 1)),
        ['"ok", [2 3]', '"error"', '"ok", []'],
    ),
    (
        "java",
        "import java.util.*;\npublic class Tools { public static int[] sorted(int[] a) {"
        " Arrays.sort(a); return a; } public static void main(String[] x) {} }",
        "import java.util.*;\nclass Solution { private int n; List<Integer> sorted(int[] a) {"
        " List<Integer> l = new ArrayList<>(); for (int i : a) l.add(i); Collections.sort(l);"
        " return l; } }",
        "static int[] sorted(int[] a) { return a; }",
        called(([3, 1],), ([],)),
        ["[1, 3]", "[]"],
    ),
    (
        "java",
        'import java.util.*;\nclass A { static void drop(List<String> l) { l.remove("a"); } }',
        "import java.util.*;\nclass B { public static void drop(List<String> l) {"
        ' if (l.contains("a")) l.remove(l.indexOf("a")); } }',
        "import java.util.*;\nclass B { static void drop(List<String> l) { l.clear(); } }",
        called((["a", "b", "a"],), (["b"],)),
        ['["b", "a"]', '["b"]'],
    ),
    (
        "rust",
        "use std::collections::HashMap;\npub fn f(s: &str) -> HashMap<char, usize> { let mut m ="
        " HashMap::new(); for c in s.chars() { *m.entry(c).or_insert(0) += 1; } m }",
        "use std::collections::BTreeMap;\nfn other(s: String) -> BTreeMap<char, i32> { let mut m ="
        " BTreeMap::new(); s.chars().for_each(|c| *m.entry(c).or_default() += 1); m }\n"
        'fn main() { println!("{}", other("a".into()).len()); }',
        "use std::collections::HashMap;\nfn f(s: &str) -> HashMap<char, usize> { HashMap::new() }",
        called(("bab",), ("",), ('\\b"\n',)),
        ['{"a": 1, "b": 2}', "{}", '{"\\"": 1, "\\\\": 1, "\\n": 1, "b": 1}'],
    ),
    (
        "rust",
        'fn half(n: f64) -> Result<f64, String> { if n < 0.0 { Err(format!("{n}")) } else {'
        " Ok(n / 2.0) } }",
        "#[derive(Debug)]\nenum Bad { Less }\nfn half(n: f64) -> Result<f64, Bad> {"
        " if n < 0.0 { return Err(Bad::Less); } Ok(n * 0.5) }",
        "fn half(n: f64) -> Option<f64> { Some(n) }",
        called((1.0,), (-1.0,), (0.0,)),
        ["Ok(0.5)", "Err", "Ok(0)"],
    ),
    (
        "rust",
        "fn twice<T: Clone>(v: &mut Vec<T>) { let w = v.clone(); v.extend(w); }",
        "fn twice(v: &mut Vec<i64>) { for i in 0..v.len() { v.push(v[i]); } }",
        "fn twice(v: &mut Vec<i64>) { v.clear(); }",
        called(([1, -2],), ([],)),
        ["[1, -2, 1, -2]", "[]"],
    ),
]


@pytest.mark.parametrize(("language", "one", "other", "wrong", "calls", "expected"), of_each(ALIKE))
async def test_right_programs_give_the_same(language, one, other, wrong, calls, expected):
    """Whatever types, names and order they have; a wrong one gives something else."""
    assert await values(language, one, calls) == expected
    assert await values(language, other, calls) == expected
    assert await values(language, wrong, calls) != expected


CRASHES = [
    ("c", "int f(int n) { int *p = 0; return n ? n : *p; }"),
    ("cpp", "#include <vector>\nint f(int n) { std::vector<int> v(1); return n ? n : v[9]; }"),
    (
        "cpp",
        '#include <stdexcept>\nint f(int n) { if (!n) throw std::out_of_range(""); return n; }',
    ),
    ("go", 'func F(n int) int { if n == 0 { panic("no") }; return n }'),
    ("java", "static int f(int n) { if (n == 0) throw new IllegalStateException(); return n; }"),
    ("rust", "fn f(n: i32) -> i32 { if n == 0 { panic!(); } n }"),
]


@pytest.mark.parametrize(("language", "program"), of_each(CRASHES))
async def test_a_crash_leaves_the_other_calls(language, program):
    """Each is made in a process of its own."""
    assert await values(language, program, called((1,), (0,), (2,))) == ["1", "raised", "2"]


@needs("c")
async def test_what_ends_the_program_gives_no_value():
    """Neither a status of its own nor a call that does not end."""
    ends = "#include <stdlib.h>\nint f(int n) { if (n == 1) exit(3); while (n == 2); return n; }"
    came = await results("c", ends, called((1,), (2,), (3,)))
    assert [each.came for each in came] == ["raised", "raised", "returned"]
    assert came[0].raised == ("Exit",) and "status 3" in came[0].error
    assert [each.case.input for each in came] == ["1", "2", "3"]


@needs("java")
async def test_the_name_of_an_object_is_no_value():
    """Java writes objects that do not say what they hold with an address."""
    program = "class A {} class B { static A f(int n) { return new A(); } }"
    assert await values("java", program, called((1,))) == [None]


@pytest.mark.parametrize(
    ("language", "program"),
    of_each(
        [
            ("c", "int f(int n) { return y; }"),
            ("go", "func F(s string) int { return 1 }"),
            ("java", "class A { int n; void f(int a) {} }"),
            ("rust", "fn f(a: i32, b: i32) -> i32 { a + b }"),
        ]
    ),
)
async def test_what_cannot_be_called_so_is_unusable(language, program):
    """It is not built, takes something else, or has no function; the reason is said."""
    (came,) = await results(language, program, called((1,)))
    assert came.came == "unusable" and came.error


def test_a_driver_needs_arguments_that_fit():
    """Neither another number of them nor other kinds nor keywords."""
    one = Signature("f", "", (("n", "int"),), "int")
    for arguments in (Arguments(("a",)), Arguments((1, 2)), Arguments((), (("n", 1),))):
        for language in LANGUAGES:
            with pytest.raises(NoDriver):
                driver_of(language, [(one, Case(arguments, ANY_VALUE))])


@needs("c")
async def test_nothing_comes_where_the_time_is_used_up():
    """As of any other calls."""
    with run_of("Write it.", load_settings(), None) as run:
        run.deadline = asyncio.get_running_loop().time() - 1
        assert await results_of_calls(run, "c", CRASHES[0][1], called((1,)), "f") == []
