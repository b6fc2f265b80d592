"""TypeScript without its types is what its compiler makes of it: by what Node prints when it runs
that, and by where things stand."""

import json
import re
import shutil
import subprocess
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.analysis.type_erasure import NotErasable, without_types
from tests.compilers import in_one_worker

pytestmark = [in_one_worker(__name__), pytest.mark.only_when("pipeline/analysis/")]

# --- what is run ---------------------------------------------------------------------------------

# Programs, and what they print.
RUN = {
    name: (text.rstrip("\n"), printed.strip("\n"))
    for name, text, printed in re.findall(
        r"^//// (.+)\n([^\0]*?)^//// prints\n([^\0]*?)(?=^////|\Z)",
        (Path(__file__).parent / "fixtures/erasable.ts").read_text("utf-8"),
        re.MULTILINE,
    )
}
_RUNNER = """
const told = [];
console.log = (...all) => told[told.length - 1].push(all.map(String).join(" "));
(async () => {
  for (const text of JSON.parse(require("fs").readFileSync(0, "utf8"))) {
    told.push([]);
    await import(`data:text/javascript,${encodeURIComponent(text)}`).catch(console.log);
  }
  process.stdout.write(JSON.stringify(told));
})();
"""


@pytest.fixture(scope="module")
def printed():
    """What each program prints without its types; one process runs them all."""
    texts = json.dumps([_erased(text) for text, _ in RUN.values()])
    ended = subprocess.run(
        ["node", "-e", _RUNNER], input=texts, capture_output=True, text=True, check=True
    )
    return dict(zip(RUN, ("\n".join(each) for each in json.loads(ended.stdout)), strict=True))


def _erased(text):
    try:
        return without_types(text)
    except NotErasable:
        return "throw 'it is not erasable'"


@pytest.mark.skipif(not shutil.which("node"), reason="it needs Node")
@pytest.mark.parametrize("case", RUN)
def test_without_its_types_a_program_does_what_it_says(printed, case):
    """As if the compiler had made JavaScript of it. Its lines stay."""
    text, expected = RUN[case]
    assert printed[case] == expected
    assert without_types(text).count("\n") == text.count("\n")


# --- what is read --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("let x: number = 5;", "let x         = 5;"),
        ("let é: 'ö😀' = 5; x", "let é       = 5; x"),
        ("let x:\r\n  A\r\n= 5", "let x \r\n   \r\n= 5"),
        ("a = (b as C)!.d<E>(f!);", "a = (b     ) .d   (f );"),
        ("interface A {\n  b: C\n}\nd", ";            \n      \n \nd"),
        ("type A = B; c", ";           c"),
        ("class A<B> { private c?: D; }", "class A    {         c    ; }"),
        ("class A { abstract b: C; d }", "class A { ;            ; d }"),
        ("function a(this: B, c: D): E {}", "function a(         c   )    {}"),
        ("import { type A, b } from 'c'; b", "import {         b } from 'c'; b"),
        ("import { A } from 'c'; b", ";                      b"),
        ("import 'a'; import {} from 'b'", "import 'a'; import {} from 'b'"),
        ("(a): {\n} => b", "(a    \n) => b"),
        ("async <\nA>(b) => c", "async (\n   b) => c"),
        ("a = <B>c;", "a = (  c);"),
        ("x = y as any\n(z)", "x = y;      \n(z)"),
    ],
)
def test_everything_stays_where_it_is(text, expected):
    """Blanks stand for types, so that an error's line and column are those of the program; a
    semicolon where a statement was."""
    assert without_types(text) == expected


def test_what_becomes_longer_keeps_its_lines():
    """What an enum and a constructor become stands where it began, behind it all is on its line."""
    text = (
        "enum A {\n  B,\n  C = 1 +\n    2,\n}\nclass D {\n  constructor(public e: F) {\n  }\n}\ng"
    )
    lines = without_types(text).split("\n")
    assert len(lines) == 10 and lines[9] == "g"
    assert lines[0].startswith("var A = ") and '"B"' in lines[1] and "1 +" in lines[2]
    assert lines[3].strip().startswith("2") and lines[4] == "}" and lines[5] == "class D { e;"
    assert lines[6] == "  constructor(       e   ) { this.e = e;"


@pytest.mark.parametrize(
    "text",
    [
        "namespace A { export const b = 1; }",
        "export namespace A { export type B = 1; export function c() {} }",
        "module A { export let b = 1 }",
        "@dec class A {}",
        "class A { @dec b = 1 }",
        "class A { b(@dec c: number) {} }",
        "class A { accessor b = 1 }",
        "import a = require('a')",
        "import a = B.c",
        "export = a",
        "let x: = 3",
        "const a = <div>b</div>",
        "class A<in out T> {}",
        "f<number>`a`",
        "let a = (1 < f<string | null>(1))",
        "const a = b as c\n[0].d()",
    ],
)
def test_what_becomes_more_than_nothing_is_not_erased(text):
    """Nor is what is no TypeScript, and what would be read otherwise than it is meant: nothing is
    better than something wrong."""
    with pytest.raises(NotErasable):
        without_types(text)


def test_an_error_that_has_nothing_to_do_with_types_is_the_engines_to_judge():
    """It takes some of what the grammar does not, and says itself where it does not."""
    assert without_types("f() += 1\nlet a: number = 2") == "f() += 1\nlet a         = 2"
    assert without_types("function (") == "function ("


# --- any program ---------------------------------------------------------------------------------

# Pieces of a program: texts, and the types among them.
TYPES = st.recursive(
    st.sampled_from(["number", "string | null", "'é'", "A.B", "void[]", "typeof x", "this"]),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("Map<{0[0]}, {0[1]}>".format),
        st.tuples(inner, inner).map("{{ a: {0[0]}; b?: {0[1]} }}".format),
        st.tuples(inner, inner).map("((a: {0[0]}) => {0[1]})".format),
        inner.map("({})[]".format),
        inner.map("[a: {}, ...string[]]".format),
        inner.map("{{\n  readonly [k: string]: {}\n}}".format),
    ),
    max_leaves=4,
)
ON_ONE_LINE = TYPES.map(lambda text: " ".join(text.split()))


def typed(pattern, *parts):
    """The pieces of a pattern in which `@` is a type and `%` another piece; marks between braces
    `«»` are a type's."""
    return st.tuples(*parts).map(lambda given: _pieces(pattern, list(given)))


def _pieces(pattern, given):
    made = []
    for text in re.split("([@%]|«[^»]*»)", pattern):
        if text == "@":
            made.append((given.pop(0), True))
        elif text == "%":
            made += given.pop(0)
        else:
            made.append((text.strip("«»"), text.startswith("«")))
    return made


VALUES = st.recursive(
    st.sampled_from(["1", "'a: b'", "x", "`c${x}`", "/d:e/", "null"]).map(lambda t: [(t, False)]),
    lambda inner: st.one_of(
        typed("(%« as »@)", inner, ON_ONE_LINE),
        typed("(%« satisfies »@)", inner, TYPES),
        typed("(%)«!»", inner),
        typed("f«<»@«>»(%)", TYPES, inner),
        typed("new Map«<»@«>»([%])", TYPES, inner),
        typed("((a«?: »@) => %)", ON_ONE_LINE, inner),
        typed("(async «<T,>»(a«: »@, ...b«: any[]»)«: »@ => %)", ON_ONE_LINE, ON_ONE_LINE, inner),
        typed("(function «<T>»(a«: »@)«: »@ { return % })", TYPES, TYPES, inner),
        typed("{ a: %, b«<T>»()«: »@ { return % } }.a", inner, TYPES, inner),
        typed("(% * %)", inner, inner),
        typed("(% ? % : %)", inner, inner, inner),
    ),
    max_leaves=5,
)
MEMBERS = st.one_of(
    typed("«private »a«?: »@ = %; ", TYPES, VALUES),
    typed("static «readonly »b«: »@; ", TYPES),
    typed("«public »async c«<T>»(d«: »@)«: »@ { return % } ", TYPES, TYPES, VALUES),
    typed("get e()«: »@ { return % } ", TYPES, VALUES),
)
STATEMENTS = st.one_of(
    typed("let a«: »@ = %;\n", TYPES, VALUES),
    typed("var b«!: »@;\n", TYPES),
    typed(
        "function c«<T, U = string>»(d«: »@ = %)«: »@ { x = %; }\n", TYPES, VALUES, TYPES, VALUES
    ),
    typed("class D«<T>» extends E«<»@«>» « implements F» { %% }\n", TYPES, MEMBERS, MEMBERS),
    typed("for (const g of %) { x = % }\n", VALUES, VALUES),
    typed("try { x = % } catch (h«: unknown») { x = % }\n", VALUES, VALUES),
    typed("export const i«: »@ = %;\n", TYPES, VALUES),
)


def _joined(pieces, *, types):
    return "".join(
        text if types or not is_type else re.sub(r"[^\n]", " ", text) for text, is_type in pieces
    )


@given(st.lists(STATEMENTS, min_size=1, max_size=4).map(lambda all_: [*chain(*all_)]))
def test_types_become_blanks_and_nothing_else_changes(pieces):
    """A program that is JavaScript with types put in is that JavaScript, with a blank for each of
    their characters; and JavaScript is what it was."""
    plain = _joined(pieces, types=False)
    assert without_types(_joined(pieces, types=True)) == plain
    assert without_types(plain) == plain
