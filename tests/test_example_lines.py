"""The lines of JavaScript and TypeScript that a request shows with their values: how they are read,
and what they say of drafts."""

import shutil

import pytest

from config import load_settings
from pipeline.analysis.draft import Draft
from pipeline.analysis.script_lines import stated_sessions
from pipeline.review.draft_evidence import run_evidence
from pipeline.task import Task
from tools.bench.drafts.executed import run_of

pytestmark = pytest.mark.only_when(
    "pipeline/analysis/", "pipeline/review/", "pipeline/sandbox/", "pipeline/testcases/"
)
runs = pytest.mark.skipif(
    not (shutil.which("bwrap") and shutil.which("node")), reason="it needs bubblewrap and Node"
)

# --- how they are read ---------------------------------------------------------------------------

READ = {
    "a comment behind a call": ("f([1, 2]) // 3", [("f([1, 2])", "3")]),
    "without a blank, with a word": ("f(1); //=> returns 'a'", [("f(1)", "'a'")]),
    "in a fence": (
        "Do it.\n```js\nf({a: 1}); // { b: [1, null] }\n```",
        [("f({a: 1})", "{ b: [1, null] }")],
    ),
    "on the next line": ("```ts\nf(1)\n// -1 (not found)\n```", [("f(1)", "-1")]),
    "logged": ("console.log(f(2)); // 4", [("f(2)", "4")]),
    "a comparison": ("f(x => x) === true", [("f(x => x)", "true")]),
    "with what comes before it": (
        "```ts\nconst s = new Stack<number>(2);\ns.push(1);  // now it has one\ns.size  // 1\n```",
        [("const s = new Stack        (2)", ""), ("s.push(1)", ""), ("s.size", "1")],
    ),
    "an error": (
        "f(-1) // throws a RangeError",
        [('laiosThrown(async () => f(-1), "RangeError")', '"throws RangeError"')],
    ),
    "columns, below what they work on": (
        'const o = { z: 0 };\n\nget(o, "z", 1)   0\nget(o, "u")      undefined',
        [("const o = { z: 0 }", ""), ('get(o, "z", 1)', "0"), ('get(o, "u")', "undefined")],
    ),
    "in a sentence": (
        "e.g. partition([1, 2], n => n > 1) gives [[2], [1]], and so on",
        [("partition([1, 2], n => n > 1)", "[[2], [1]]")],
    ),
    "of an object, in a sentence": (
        "so new V(3, 4).scale(2).length is 10.",
        [("new V(3, 4).scale(2).length", "10")],
    ),
    "typed": ("```ts\nconst xs: number[] = [1];\nf<number>(xs as any) // undefined\n```",
              [("const xs           = [1]", ""), ("f        (xs       )", "undefined")]),
}  # fmt: skip
UNREAD = {
    "values above the lines": "```js\n// 2\nf({ a: 1, b: 2 })\n// 1\nf({ a: 1 })\n```",
    "comments among arguments": "```js\nf(15, /* 0 */ 0, 10)\nf(5)\n```",
    "time that passes": "```js\nc.get('a') // 1\n// 100ms later\nc.get('a') // undefined\n```",
    "words": "f(1) // the first one",
    "what is logged without quotes": "f('a') // Hello world",
    "several values": "console.log(f(1), f(2)) // 1 2",
    "numbers of steps": "q.push(1) // 1\nq.push(2) // 2\nq.pop() // 3",
    "an error without a name": "f(-1) // throws",
    "a definition": "```js\nfunction f(a) { return a }\nf(1) // 1\n```",
    "a type": "```ts\nfunction f(a: number): number\n```",
    "broken code": "```js\nf(1 // 2\n```",
    "a name": "value // 3",
    "nothing stated": "const a = f(1)\nf(2)",
    "plain values in a sentence, which others read": "f(1) gives 2",
}


@pytest.mark.parametrize("case", READ)
def test_lines_are_read_with_what_they_state(case):
    """A comment, a comparison or a word says it; declarations before a line go with it."""
    text, expected = READ[case]
    (session,) = stated_sessions(f"Write it in TypeScript.\n\n{text}\n")
    assert [(line.code, line.stated) for line in session] == expected


@pytest.mark.parametrize("case", UNREAD)
def test_what_states_no_value_is_left_alone(case):
    """Words, counted lines, errors, definitions, and what is no code."""
    assert stated_sessions(f"Write it in JavaScript.\n\n{UNREAD[case]}\n") == []


# --- what they say of drafts ---------------------------------------------------------------------

CACHE = """Write a class Cache in {}.

```ts
const c = new Cache(2);
c.put("a", 1);
c.get("a");   // 1
c.put("b", 2); c.put("c", 3);  // "a" is thrown out
c.get("a");   // undefined
```"""
RIGHT = """class Cache {
  #all = new Map();
  constructor(room) { this.room = room; }
  get(key) { return this.#all.get(key) ?? null; }
  put(key, value) {
    if (this.#all.size >= this.room) this.#all.delete(this.#all.keys().next().value);
    this.#all.set(key, value);
  }
}"""
TYPED = """export class Cache<K extends string, V> {
  private all: Map<K, V> = new Map();
  constructor(private readonly room: number) {}
  get(key: K): V | undefined { return this.all.get(key); }
  put(key: K, value: V): void {
    if (this.all.size >= this.room) this.all.delete(this.all.keys().next().value!);
    this.all.set(key, value);
  }
}"""


async def examined(request, language, text):
    with run_of(request, load_settings(), None) as run:
        return await run_evidence(run, Task(request), Draft(text, language, ()), "coder")


@runs
@pytest.mark.parametrize(("language", "text"), [("javascript", RIGHT), ("typescript", TYPED)])
async def test_a_draft_that_holds_all_lines_is_decided(language, text):
    """Nothing and null are the same, and what a class keeps to itself does not count."""
    draft = await examined(CACHE.format(language), language, text)
    assert (draft.findings, bool(draft.decided)) == ((), True)
    assert draft.facts == "2 of 2 examples hold."


@runs
@pytest.mark.parametrize("kind", ["String", "Number"])
@pytest.mark.parametrize("value", ["// 10\ntoBinary(6) // 110", "// 2\ntoBinary(5) // odd"])
async def test_a_number_may_come_as_a_text_where_no_quotation_mark_tells(kind, value):
    """It is what is given in another base, or stands beside texts without quotation marks."""
    request = f"Write a JavaScript function toBinary(n).\n\ntoBinary(2) {value}"
    code = f"const toBinary = (n) => {kind}(n.toString({'2' if 'odd' not in value else ''}));"
    assert (await examined(request, "javascript", code)).findings == ()


@runs
async def test_a_text_in_place_of_a_number_is_evidence():
    """Where nothing speaks of texts."""
    draft = await examined("f(1, x => x) // 2", "javascript", "const f = (n) => String(n + 1);")
    assert len(draft.findings) == 1


@runs
async def test_a_library_that_the_request_compares_with_is_not_the_draft_s():
    """Nobody asks a draft for lodash."""
    request = "JavaScript chunk without lodash:\n\n_.chunk([1, 2, 3], 2)\n// => [[1, 2], [3]]"
    draft = await examined(request, "javascript", "const chunk = (list, size) => [];\n")
    assert (draft.findings, draft.decided) == ((), "")


WRONG = {
    "another value": (">= this.room", "> this.room", "→ undefined fails", "it gave 1"),
    "an error": ("this.#all.get", "this.none.get", "→ 1 fails", "TypeError: Cannot read"),
    "an error before": ("this.room = room", "null.x", "new Cache(2) fails", "TypeError"),
    "no such class": ("class Cache", "class Other", "new Cache(2) fails", "not defined"),
}


@runs
@pytest.mark.parametrize("case", WRONG)
async def test_a_line_that_fails_is_evidence_against_a_draft(case):
    """With what came instead."""
    right, wrong, detail, came = WRONG[case]
    draft = await examined(CACHE.format("JavaScript"), "javascript", RIGHT.replace(right, wrong))
    (found,) = draft.findings
    assert found.kind == "example" and detail in found.detail and came in found.came


STACK = "class Stack {\n  all = [];\n  push(x) { return this.all.push(x); }\n}"
COUNTER = "function counter() { const c = { n: 0, up() { c.n++; return c; } }; return c; }"
READS = """const fs = require("fs");
function read(p) { try { return JSON.parse(fs.readFileSync(p)); } catch { return null; } }"""
COUNTS = "let n = 0;\nfunction next() { return ++n; }\n"
GRAPH = """class Graph { near = {}; add(a, b) { (this.near[a] ??= []).push(b); } of(a) {
  return this.near[a] ?? [];
} }
const g = new Graph();"""
ITEM = "class Item { made = 1; constructor(n) { this.n = n; } }\nconst cart = () => [new Item(1)];"
MEAN = "const mean = (xs, f) => ({ mean: xs.map(f).reduce((a, b) => a + b) / xs.length });"
# Request, right program.
RIGHT_ONES = {
    "what the object holds": (
        "Stack\n```js\nconst s = new Stack();\ns.push(1); // [1]\n```", STACK,
    ),
    "what it holds, of a chain": ("```js\nconst c = counter();\nc.up() // 1\n```", COUNTER),
    "how many it holds": (
        "```js\nconst s = new Stack();\ns.push(5); // 5\n```", STACK,
    ),
    "what a function that is given logs": (
        "```js\nconst c = made();\nc.each(x => console.log(x)) // 1\n```",
        "const made = () => ({ each(f) { f(1); return () => 2; } });",
    ),
    "an object that is taken for granted": ("queue.push('a') // 1", "class Queue { push() {} }"),
    "one's field": ("f(user.name) // 'AL'", "const f = (x) => x;"),
    "the page": ("f(document.querySelector('#a')) // true", "const f = (el) => el.checked;"),
    "a function in another": ("f([2], x => square(x)) // [4]", "const f = (a, g) => a.map(g);"),
    "a class that the caller has": (
        "```js\nconst s = new Store();\nf(s, 'a');\ns.get('a'); // 1\n```",
        "function f(store, key) { store.set(key, 1); }",
    ),
    "an export without a name": ("f({ a: 1 }) // 1", "module.exports = (o) => o.a;"),
    "today": ("day(new Date()) // '2024-05-01'", "const day = (d) => d.toJSON().slice(0, 10);"),
    "a file that is not here": ("read('config.json', {}) // { port: 3000 }", READS),
    "what the code does until now": (
        "```js\nconst f = d => d.n + 1\n```\nf({ n: 1 }) // 2\n\nadd two",
        "const f = (d) => d.n + 2;",
    ),
    "the same without semicolons": (
        "```js\nfunction f(a) {\n  return a.n\n}\n```\nAnd\n```js\nf({ n: 1 }) // 1\n```\nadd two",
        "function f(a) {\n  return a.n + 2\n}",
    ),
    "counted already": ("next({}) // 1", f"{COUNTS}console.log(next());"),
    "made before": (
        "```js\nconst g = new Graph();\ng.add('a', 'b');\n```\nThen\n\n"
        "```js\ng.of('a') // ['b']\n```",
        GRAPH,
    ),
    "a name that the driver may have": (
        "at([1, 2], x => 1) // 2", "function at(xs, f) { return xs[f()]; }",
    ),
    "a field of what is in a list": ("cart({}) // [{ n: 1 }]", ITEM),
    "fewer digits within": ("mean([1, 1, 2], x => x) // { mean: 1.33 }", MEAN),
    "the beginning of a text": ("f(() => 1) // \"eyJhIjox...\"", "const f = () => 'eyJhIjoxfQ==';"),
}  # fmt: skip


@runs
@pytest.mark.parametrize("case", RIGHT_ONES)
async def test_right_programs_are_not_accused(case):
    """Of what is not here, of what a draft keeps, of other fields, of what is said loosely."""
    request, text = RIGHT_ONES[case]
    draft = await examined(f"Write it in JavaScript.\n\n{request}", "javascript", text)
    assert draft.findings == ()


# Request, wrong program.
OPEN = {
    "a variable": (
        "const xs = [3, 1];\nsort(xs, (a, b) => a - b); // undefined\nxs; // [1, 3]",
        "function sort(xs, f) { [...xs].sort(f); }",
    ),
    "several values": (
        "f(x => x)(1) // 1\nconsole.log(f(x => x)(1), f(x => x)(2)) // 1 3",
        "const f = (g) => g;",
    ),
    "a declaration": (
        "const t = new T({});\nt.c // 0\nconst f = t.f; // 32",
        "class T { c = 0; f = 0; }",
    ),
    "an error": (
        "const a = new A({});\na.x // 1\na.boom() // throws",
        "class A { x = 1; boom() {} }",
    ),
    "rounded": ("f(() => 1.234)() // 1.23", "const f = (g) => () => g();"),
}


@runs
@pytest.mark.parametrize("case", OPEN)
async def test_a_draft_is_not_decided_where_more_is_stated_than_is_asked(case):
    """The other lines hold."""
    request, text = OPEN[case]
    said = f"JavaScript, rounded to 2 digits\n```js\n{request}\n```"
    draft = await examined(said, "javascript", text)
    assert (draft.findings, draft.decided) == ((), "")


THROWS = "JavaScript function f(xs). It throws for nothing.\n\nf([g]) // 1\nf([]) // throws {0}"
CHECKED = (
    "class Own extends RangeError {}\nconst f = (xs) => { if (!xs[0]) throw new Own(); return 1; }"
)


@runs
@pytest.mark.parametrize(
    ("error", "text", "came"),
    [
        ("RangeError", "const f = (xs) => 1;", "it gave nothing thrown"),
        ("RangeError", "const f = (xs) => xs[0].none ?? 1;", "it gave throws TypeError"),
        ("Own", CHECKED, ""),
        ("Error", CHECKED, ""),
    ],
)
async def test_a_line_throws_the_error_that_is_stated(error, text, came):
    """By its name or that of its class; Error is any."""
    said = THROWS.format(error).replace("[g]", "[x => x]")
    draft = await examined(said, "javascript", text)
    assert [each.came.replace('"', "") for each in draft.findings] == [came] * bool(came)
    assert bool(draft.decided) == (not came)


SAYS_NOTHING = {
    "a name that is not shown": "names(people) // ['Ann']",
    "a complaint of an error": "It should not fail.\n\nadd(1, {a: 2}) // throws TypeError",
    "a bug report": "It does not work, why?\n\nadd(1, 2) // 4",
    "a complaint": "It returns NaN instead of the sum, why?\n\nadd(1, 2) // NaN",
    "own code": "Why?\n```js\nfunction add(a, b) {\n  return a;\n}\n```\n\nadd({a: 1}, 2) // 3",
}


@runs
@pytest.mark.parametrize("case", SAYS_NOTHING)
async def test_lines_that_may_not_be_meant_say_nothing(case):
    """Names of the surroundings, and values that shall not be."""
    program = (
        "function add(a, b) { return b - a; }\nfunction names(p) { return p.map(e => e.name); }"
    )
    draft = await examined(f"In JavaScript. {SAYS_NOTHING[case]}", "javascript", program)
    assert (draft.findings, draft.decided) == ((), "")


@runs
async def test_a_program_that_ends_or_prints_the_same_marks_proves_nothing():
    """What is not told by the driver is not believed."""
    ends = "process.exit(0);\nfunction f() { return 1; }"
    claims = 'console.log(JSON.stringify({ n: 0, shown: "3" }));\nfunction f() { return 1; }'
    request = "JavaScript\n\nf({}) // 3"
    draft = await examined(request, "javascript", ends)
    assert not draft.decided
    (found,) = (await examined(request, "javascript", claims)).findings
    assert found.came == "it gave 1"
