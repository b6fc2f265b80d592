"""Programs in TypeScript: their hidden tests and examples, the calls that are made of their types,
and what comes of these."""

import asyncio
import json
from pathlib import Path

import pytest
from test_code_evidence import Bare

from config import load_settings
from pipeline.analysis.draft import Draft
from pipeline.analysis.shown_types import with_shown_types
from pipeline.analysis.signatures.call_signatures import object_types, signatures
from pipeline.review.compiled_calls import results_of_calls
from pipeline.review.compiled_runs import results_of_compiled
from pipeline.review.draft_evidence import examine
from pipeline.review.session_writer import runs_of_compiled
from pipeline.sandbox import Limits
from pipeline.task import Task
from pipeline.testcases.behaviour import Behaviour
from pipeline.testcases.test_runner import run_tests
from pipeline.testcases.typed_calls import called_in, calls_of_compiled
from server.benchmark.compiled_tests import passes_compiled
from server.benchmark.problems import read_problems
from tests.compilers import in_one_worker, kept_packages, needs  # noqa: F401
from tests.test_agreement import JUDGED, coder, comparing, models_asked
from tests.test_compiled_calls import called
from tests.test_compiled_objects import sessions
from tools.bench.drafts.executed import run_of

pytestmark = [
    in_one_worker(__name__),
    pytest.mark.only_when(
        "pipeline/analysis/",
        "pipeline/review/",
        "pipeline/sandbox/",
        "pipeline/testcases/",
        "server/benchmark/",
        "tools/",
    ),
]
REPOSITORY = Path(__file__).parents[1]
ROWS = {  # two right programs and two wrong ones for each request of the bench
    row["task_id"].removeprefix("typescript/"): row
    for row in map(
        json.loads,
        (REPOSITORY / "tests/fixtures/typescript.jsonl").read_text("utf-8").splitlines(),
    )
}
PROBLEMS = {
    each.id.removeprefix("typescript/"): each
    for each in read_problems(REPOSITORY / "tools/bench/typescript.jsonl")
}
# The second right program of each has what cannot be erased: a namespace, and type parameters that
# say in which direction they vary, which the grammar does not know.
NOT_ERASABLE = {"format_duration", "lru_cache"}
AT_ONCE = 4  # sandboxes


def turns():
    """One program of each row: the first of one, the second of the next."""
    return [(name, n % 2) for n, name in enumerate(ROWS)]


async def all_of(function, given):
    """What the function gives for each, some at once."""
    free = asyncio.Semaphore(AT_ONCE)

    async def one(each):
        async with free:
            return await function(*each)

    return await asyncio.gather(*map(one, given))


async def results(program, calls, function="", request="Write it."):
    with run_of(request, load_settings(), None) as run:
        return await results_of_calls(run, "typescript", program, calls, function)


async def values(program, calls, request="Write it."):
    """What each call gives; how it ended instead, where it gives nothing."""
    came = await results(program, calls, request=request)
    return [each.value if each.gave else each.came for each in came]


# --- programs that people write ------------------------------------------------------------------


@needs("typescript")
async def test_right_programs_pass_hidden_tests_and_wrong_ones_do_not():
    """All requests of the bench: one right program and one wrong one of each."""
    limits = Limits.of(load_settings())

    async def passes(kind, name, n):
        return await passes_compiled(PROBLEMS[name], ROWS[name][kind][n], limits)

    right = [each for each in turns() if each not in [(name, 1) for name in NOT_ERASABLE]]
    passed = await all_of(passes, [("right", *each) for each in right])
    assert [each for each, does in zip(right, passed, strict=True) if not does] == []
    wrong = [(name, 1 - n) for name, n in turns()]
    passed = await all_of(passes, [("wrong", *each) for each in wrong])
    assert [each for each, does in zip(wrong, passed, strict=True) if does] == []


# What they take and give: records, tuples, unions, maps, sets, callbacks, classes with getters and
# with properties of a constructor, methods that give another object, lists and trees.
COMPARED = (
    *("word_frequency", "second_largest", "run_length_pairs", "convert_temperature", "invert_map"),
    *("symmetric_difference", "users_by_city", "zip_with", "shape_area", "stack_class"),
    *("vector2d", "merge_two_lists", "remove_nth_from_end"),
)


@needs("typescript")
async def test_right_programs_answer_alike_and_wrong_ones_mostly_do_not():
    """On calls that are made of the first's types; the other's need not be the same. Left out are
    what cannot be erased, objects and functions as results (`memoize`, `event_emitter`), types that
    speak of themselves (`evaluate_expression`), a type parameter in an alias (the second
    `level_order`), and an enum, whose values the programs choose (`direction_enum`)."""

    async def outcomes(name):
        row, prompt = ROWS[name], PROBLEMS[name].prompt
        with run_of(prompt, load_settings(), None) as run:
            first = Draft(row["right"][0], "typescript", ())
            function = await asyncio.to_thread(called_in, "typescript", first.text, "", prompt)
            calls = (await runs_of_compiled(run, prompt, first, function))[:6]
            assert len(calls) > 3, name
            return [
                Behaviour.of(
                    await results_of_compiled(run, "typescript", text, calls, function),
                    prompt,
                    text,
                ).outcomes
                for text in (*row["right"], row["wrong"][0])
            ]

    found = await all_of(outcomes, [(name,) for name in COMPARED])
    assert [name for name, (a, b, _) in zip(COMPARED, found, strict=True) if a != b] == []
    assert not [each for each in found if "unusable" in "".join(each[0])]
    assert sum(a != wrong for a, _, wrong in found) > len(COMPARED) * 0.7


HAVE_EXAMPLES = (
    *("title_case", "is_palindrome", "second_largest", "run_length_pairs", "merge_intervals"),
    *("format_duration", "balanced_brackets", "quersumme", "chunk"),
)


@needs("typescript")
async def test_no_right_program_is_accused():
    """Those whose request has examples hold them; of the wrong ones some do not."""

    async def said(kind, name, n):
        prompt = PROBLEMS[name].prompt
        with run_of(prompt, load_settings(), None) as run:
            run.is_general = lambda role: False
            draft = Draft(ROWS[name][kind][n], "typescript", ())
            found = await examine(run, Task(prompt), draft, "coder")
        return "accused" if found.findings else "holds" if found.decided else "says nothing"

    known = [(name, n) for name in HAVE_EXAMPLES for n in (0, 1)]
    right = await all_of(said, [("right", *each) for each in known])
    assert (
        right.count("holds") == len(known) - 1 and "accused" not in right
    )  # a namespace is not run
    assert (await all_of(said, [("wrong", *each) for each in known])).count("accused") > 5
    others = [each for each in turns() if each[0] not in HAVE_EXAMPLES][::3]
    assert "accused" not in await all_of(said, [("right", *each) for each in others])


# --- calls ---------------------------------------------------------------------------------------

TAKEN = {
    "function f(a: number[], b: string, c: boolean): number { return 1 }": "list str bool",
    "function f(m: Map<string, number>, s: Set<number>): number { return 1 }": "dict list",
    "function f(r: Record<string, number[]>, t: [number, string]): number { return 1 }":
        "dict tuple",
    "export const f = async (o: { x: number; y?: string }): Promise<number> => 1": "dict",
    "interface A { x: number; z: { w: boolean } } function f(a: A, b: A[]): A { return a }":
        "dict list",
    "type S = 'a' | 'b'; type T = { s: S; o: S[] }; const f = function (a: T[]): S { return 'a' }":
        "list",
    "type A = { k: 'x'; n: number } | { k: 'y'; s: string }; function f(a: A[]): void {}": "list",
    "function f(test: (x: number) => boolean, xs: number[]): number { return 1 }": "str list",
    "type P = ((x: number) => number); function f<T>(xs: T[], p: P, n = 1): T[] { return xs }":
        "list str",
    "function f<T extends { id: number }>(all: T[]): T | undefined { return all[0] }": "list",
    "class Tools { static f(a: readonly [string, number][]): number { return 1 } }": "list",
    "function f({ a, b }: { a: number; b: string }): number { return 1 }": "dict",
    "function f(this: void, a: bigint, b?: number): number { return 1 }": "int",
}  # fmt: skip


@pytest.mark.parametrize("program", TAKEN)
def test_calls_are_of_the_types_that_a_function_takes(program):
    """Interfaces, aliases, unions, tuples and functions; what need not be given is not."""
    calls = calls_of_compiled("typescript", program, "", "Write f.", 20)
    assert len(calls) > 9 and len({each.input for each in calls}) == len(calls)
    for each in calls:
        assert " ".join(type(given).__name__ for given in each.arguments.args) == TAKEN[program]


@pytest.mark.parametrize(
    "program",
    [
        "function f(a: Date): number { return 1 }",
        "function f(a: any, b): number { return 1 }",
        "function f(...all: number[]): number { return 1 }",
        "function f(n: number): (x: number) => number { return (x) => x }",
        "class A { constructor(private x: number) {} } function f(a: A): number { return 1 }",
        "type T = { v: number; children: T[] }; function f(a: T): number { return 1 }",
    ],
)
def test_nothing_is_called_with_what_is_not_known(program):
    """Nor is anything compared that cannot be shown."""
    assert calls_of_compiled("typescript", program, "", "Write f.", 20) == ()


def test_literals_enums_and_nothing_are_among_the_values():
    """Those that the types name, and null or undefined where these are allowed."""

    def made(kinds):
        program = f"enum E {{ A, B = 5, C }} function f({kinds}): number {{ return 1 }}"
        calls = calls_of_compiled("typescript", program, "", "Write f.", 40)
        return {each.arguments.args[0] for each in calls}

    assert made("a: 'x' | 'y', b: number") == {"x", "y"}
    assert made("a: E, b: number") == {0, 5, 6}
    assert None in made("a: string | null, b: number")
    assert {type(each) for each in made("a: string | number | undefined")} == {str, int, type(None)}


SHOWS = {
    "0.1 + 0.2": "0.3", "1 / 3": "0.333333", "-0": "0", "NaN": "NaN", "10n": "10",
    '"a\\n\\""': '"a\\n\\""', "null": "null", "undefined": None, "true": "true",
    "[undefined, null, , 'é😀']": '[undefined, null, undefined, "é😀"]',
    "new Map([['b', 1], ['a', 2]])": 'Map {"a": 2, "b": 1}', "new Set([3, 1, 2])": "Set {1, 2, 3}",
    "new Date(0)": "1970-01-01T00:00:00.000Z", "new Date('x')": "no date",
    "{ b: 1, a: undefined, c: [[]] }": "{b: 1, c: [[]]}", "new RangeError('m')": "RangeError: m",
    "(function* () { yield 1; yield 2 })()": "[1, 2]", "[1, 2].values()": "[1, 2]",
    "() => 1": "a function", "Promise.resolve(4)": "4", "new Uint8Array([1, 2])": "[1, 2]",
    "new (class { x = 1; #y = 2; get z() { return this.#y } })()": "{x: 1}",
    "round": "{a: ..., b: [..., {c: ...}]}", "many": "[{all: ..., n: 0}, {all: ..., n: 1}]",
}  # fmt: skip


@needs("typescript")
async def test_values_are_shown_so_that_like_ones_look_alike():
    """Floats to six digits, maps and sets in one order, what is undefined as if it were not there;
    what holds itself has an end."""
    listed = "".join(f"    () => ({each}),\n" for each in SHOWS)
    program = (
        "function f(n: number): unknown {\n  const round: any = {}; round.a = round;\n"
        "  round.b = [round, { c: round }]; const many: any[] = [];\n"
        "  many.push({ n: 0, all: many }, { n: 1, all: many });\n"
        f"  const ways: (() => unknown)[] = [\n{listed}  ];\n  return ways[n]();\n}}\n"
    )
    came = await results(program, called(*((n,) for n in range(len(SHOWS)))))
    assert {text: each.value for text, each in zip(SHOWS, came, strict=True)} == SHOWS


@needs("typescript")
async def test_what_is_changed_is_shown_where_nothing_is_given():
    """A list that is sorted in place, and an object's field."""
    program = "function f(a: number[], b: Record<string, number>): void { a.sort(); b.z = 1 }"
    assert await values(
        program,
        called(
            ([3, 1], {}),
        ),
    ) == ["[1, 3], {z: 1}"]
    found = await values("const f = (a: Set<number>) => { a.add(5) }", called(([3, 5],)))
    assert found == ["Set {3, 5}"]


ENDS = {
    "return (undefined as any).x": "Crash",
    "return (null as any)[0]()": "Crash",
    "const [a] = 5 as any; return a": "Crash",
    "return (missing as any)": "Crash",
    "return f(n)": "Crash",
    "for (;;);": "Crash",
    "throw new Error('no')": "Exception",
    "throw new TypeError('Expected a number')": "Exception",
    "throw new RangeError('Invalid size')": "Exception",
    "return JSON.parse('{')": "Exception",
    "throw 'a text'": "Exception",
    "return Promise.reject(new Error('no')) as any": "Exception",
    "process.exit(3)": "Exit",
}


@needs("typescript")
async def test_a_crash_is_told_from_an_error_that_is_thrown():
    """What the engine throws at a mistake, and what the program means to throw."""
    cases = "".join(f"    case {n}: {{ {text} }}\n" for n, text in enumerate(ENDS))
    program = f"function f(n: number): any {{\n  switch (n) {{\n{cases}  }}\n  return n;\n}}\n"
    came = await results(program, called(*((n,) for n in range(len(ENDS) + 1))))
    assert {text: each.raised[0] for text, each in zip(ENDS, came, strict=False)} == ENDS
    assert came[-1].value == str(len(ENDS))
    assert Behaviour.of(came, "", program).crashed == [*ENDS.values()].count("Crash")


@needs("typescript")
async def test_functions_are_given_and_types_need_not_agree():
    """A callback as its source; a draft whose types are others, or that has none, takes it too."""
    calls = called(([1, 2, 3], "(x) => x > 2"), ([], "(x) => x % 2 === 0"))
    typed = "function keep(a: number[], test: (x: number) => boolean): number[]"
    typed += " { return a.filter(test) }"
    plain = "export const select = <T,>(a: Iterable<T>, test: any) => [...a].filter((x) => test(x))"
    found = [await values(each, calls) for each in (typed, plain)]
    assert found == [["[3]", "[]"]] * 2


@needs("typescript")
async def test_a_program_whose_types_cannot_be_taken_out_says_why():
    """Its calls are unusable, and the reason is the syntax error or what it has."""
    for program, why in (
        ("namespace A { export const b = 1 }\nfunction f(n: number) { return A.b }", "namespaces"),
        ("function f(n: number): number {\n  let m: = n;\n}", "syntax error at line 2"),
    ):
        (came,) = await results(program, called((1,)))
        assert came.came == "unusable" and why in came.error


# --- objects -------------------------------------------------------------------------------------

CLASSES = """\
export class Stack<T = number> implements Iterable<T> {
  static made = 0;
  readonly #held: T[] = [];
  constructor(private readonly most: number, public name?: string) {}
  get size(): number { return this.#held.length; }
  push(item: T): this {
    if (this.size === this.most) throw new Error("it is full");
    this.#held.push(item);
    return this;
  }
  pop(): T | undefined { return this.#held.pop(); }
  broken(): number { return (undefined as any).x; }
  joined(other: Stack<T>): Stack<T> {
    const made = new Stack<T>(this.most + other.most);
    for (const each of [...this, ...other]) made.push(each);
    return made;
  }
  *[Symbol.iterator](): IterableIterator<T> { yield* this.#held; }
  private hidden(): void {}
}
"""


def test_classes_are_known_by_what_is_called_from_outside():
    """With their type parameters filled in; not what is hidden."""
    (kind,) = object_types("typescript", CLASSES)
    assert kind.name == "Stack<number>"
    assert [maker.parameters for maker in kind.makers] == [(("most", "number"),)]
    assert [each.name for each in kind.methods] == ["size", "push", "pop", "broken", "joined"]


@needs("typescript")
async def test_objects_are_made_called_and_asked():
    """Getters as methods, what gives the object itself, one that is given another one; an error is
    told, a crash ends the session."""
    asked = "class Stack with push, pop and size"
    texts = (
        "it = Stack(2)\nit.push(7)\nprint(it.size())\nprint(it.pop())\nprint(it.pop())",
        "it = Stack(1)\nother = Stack(1)\nit.push(3)\nprint(it.joined(other).size())",
        "it = Stack(1)\nprint(it.push(3).push(4).size())\nprint(it.size())",
        "it = Stack(1)\nprint(it.size())\nprint(it.broken())",
    )
    found = await values(CLASSES, sessions(*texts), asked)
    assert found == ["1; 7; undefined", "1", "raised; 1", "raised"]


# --- nodes ---------------------------------------------------------------------------------------

REQUEST = """Turn a linked list round.
/**
 * class ListNode {
 *     val: number
 *     next: ListNode | null
 *     constructor(val?: number, next?: ListNode | null) { ... }
 * }
 */"""
TURN = """\
function turn(head: ListNode | null): ListNode | null {
  let before: ListNode | null = null;
  while (head) [head.next, before, head] = [before, head, head.next];
  return before;
}
"""
DEPTH = """\
interface TreeNode { val: number; left: TreeNode | null; right: TreeNode | null }
const depth = (root: TreeNode | null): number =>
  root ? 1 + Math.max(depth(root.left), depth(root.right)) : 0;
"""


@needs("typescript")
async def test_lists_and_trees_are_made_of_the_types_that_are_shown():
    """In the request's comment, by the program itself, as what it says is elsewhere; LeetCode's
    need not be shown."""
    assert "class ListNode {" in with_shown_types("typescript", TURN, "Turn a list round.")
    elsewhere = "declare class ListNode { val: number; next: ListNode | null }\n"
    lists = called(([1, 2, 3],), ([],))
    for request, program in ((REQUEST, TURN), ("Turn it.", TURN), ("Turn it.", elsewhere + TURN)):
        assert await values(program, lists, request) == ["3 -> 2 -> 1", "null"]
    assert await values(DEPTH, called(([1, 2, None, 3],), ([],))) == ["3", "0"]
    (function,) = await asyncio.to_thread(signatures, "typescript", DEPTH)
    assert [(each.value, each.links) for each in function.nodes] == [("val", ("left", "right"))]


# --- the modes -----------------------------------------------------------------------------------

DIGITS = "TypeScript function digits(n: number): number: digits(100) is 3, digits(0) is 1."
RIGHT = "function digits(n: number): number {\n  return String(n).length;\n}\n"
WRONG = RIGHT.replace("String(n).length", "Math.ceil(Math.log10(n))")


@needs("typescript")
async def test_a_draft_that_fails_its_example_is_drawn_again(pipeline_with):
    """And nobody is asked about one that holds them."""
    drafts = [f"```typescript\n{text}```" for text in (WRONG, RIGHT)]
    async with comparing(pipeline_with, coder(*drafts), JUDGED) as run:
        assert await run(DIGITS) == RIGHT
    assert run.record["final_reason"] == "not judged: the request's examples pass"
    (failed, _) = run.record["artefact"]["drafts"]
    assert failed["findings"] and all("example" in each for each in failed["findings"])


VOWELS = (
    "function vowels(text: string): number {\n  return (text.match(/[aeiou]/gi) ?? []).length;\n}\n"
)
ALSO = (
    "const vowels = (text: string): number =>\n"
    '  [...text].filter((c: string) => "aeiouAEIOU".includes(c)).length;\n'
)


@needs("typescript")
async def test_drafts_are_compared_by_what_they_give(pipeline_with):
    """Two that do the same need no judge; where they differ the caller sees for what."""
    asked = "TypeScript function that counts the vowels of a text"
    one, other, wrong = (
        f"```ts\n{text}```" for text in (VOWELS, ALSO, VOWELS.replace("gi)", "g)"))
    )
    async with comparing(pipeline_with, coder(one, other), JUDGED) as run:
        assert await run(asked) == VOWELS
    assert run.record["final_reason"] == "not judged: 2 of 2 drafts agree on 20 calls"
    assert models_asked(run.record) == ["coder", "coder"]
    async with comparing(pipeline_with, coder(wrong, one, other), JUDGED) as run:
        assert await run(asked) == VOWELS
    (first, *_) = run.record["artefact"]["differences"]
    assert first["call"].startswith("vowels('")


ADD = "export function add(a: number, b?: number): number {\n  return a + (b ?? 0);\n}\n"
HEAD = "import test from 'node:test';\nimport assert from 'node:assert';\n"
CASES = """
interface Case { a: number; want: number }
const cases: Case[] = [{ a: 1, want: 3 }, { a: 2, want: 5 }];
for (const each of cases) test(`adds ${each.a}`, () => assert.equal(add(each.a, 2), each.want));
"""


@needs("typescript")
async def test_given_tests_are_run(pipeline_with):
    """Of the program without their types, and its own: each passes or fails by itself. What cannot
    be erased says so."""
    async with pipeline_with() as pipeline:
        imported = f"{HEAD}import {{ add }} from './add';\n{CASES}"
        for tests in (HEAD + CASES, imported):
            suite = await run_tests(Bare(pipeline), ADD, tests, language="typescript")
            assert [each.status for each in suite.done] == ["passed", "failed"]
        suite = await run_tests(
            Bare(pipeline), ADD, "import A = require('a');\n", language="typescript"
        )
        assert "could not be run here" in suite.problem and not suite.done
