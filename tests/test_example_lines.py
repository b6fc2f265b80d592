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
    "words": "f(1) // the first one",
    "what is logged without quotes": "f('a') // Hello world",
    "several values": "console.log(f(1), f(2)) // 1 2",
    "numbers of steps": "q.push(1) // 1\nq.push(2) // 2\nq.pop() // 3",
    "an error": "f(-1) // throws RangeError",
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


SAYS_NOTHING = {
    "a name that is not shown": "names(people) // ['Ann']",
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
