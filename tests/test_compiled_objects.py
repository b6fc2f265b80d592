"""Types with methods in compiled languages: how their objects are made, sessions with them, and
what comes of these."""

import asyncio

import pytest

from config import load_settings
from pipeline.analysis.signatures.call_signatures import object_types, type_among
from pipeline.review.compiled_calls import results_of_calls
from pipeline.sandbox import ANY_VALUE, Arguments, Case
from pipeline.testcases.behaviour import Behaviour
from pipeline.testcases.object_calls import Named, ObjectCall, ObjectSession, read_session
from pipeline.testcases.typed_sessions import is_named, sessions_of_compiled, type_of
from tests.compilers import LANGUAGES, in_one_worker, kept_packages, needs  # noqa: F401
from tests.test_compiled import JUDGED, coder, comparing
from tools.bench.drafts.executed import run_of

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
ROOM = "Write a bounded stack: type Stack, made of its capacity, push is false when it is full, "
ROOM += "pop gives the last one and fails when it is empty, size. push(n), pop(), size()"


def of_each(rows):
    return [
        pytest.param(language, *row, marks=needs(language), id=language)
        for language, row in rows.items()
    ]


def sessions(*texts):
    return [
        Case(Arguments(), ANY_VALUE, name=f"call {n}", session=each)
        for n, each in enumerate(texts, 1)
    ]


async def results(language, program, calls, request=ROOM):
    with run_of(request, load_settings(), None) as run:
        return await results_of_calls(run, language, program, calls, "")


async def values(language, program, *texts, request=ROOM):
    """What each session gives; how it ended instead, where it gives nothing."""
    came = await results(language, program, sessions(*texts), request)
    return [each.value if each.gave else each.came for each in came]


# --- what there is -------------------------------------------------------------------------------

C = """
typedef struct Stack { int *items; int n, room; struct Stack *next; } Stack;
Stack *stack_new(int room) { return 0; }
bool stack_push(Stack *s, int n) { return 1; }
int stack_size(const struct Stack *s) { return 0; }
void stack_free(Stack *s) {}
int main(void) { return 0; }
"""
CPP = """
template <typename T> class Stack {
  int n;
  void grow() {}
public:
  explicit Stack(int room, T first = T()) : n(room) {}
  Stack(const Stack& o) = delete;
  ~Stack() {}
  bool push(const T& item);
  Stack merged(const Stack& other) const { return *this; }
  static int made() { return 0; }
};
struct Point { int x, y; int sum() const { return x + y; } };
"""
GO = """
type Stack[T any] struct { items []T }
func NewStack[T any](room int) (*Stack[T], error) { return nil, nil }
func (s *Stack[E]) Push(item E, more ...E) bool { return true }
func (s Stack[T]) Len() int { return 0 }
type Point struct { X, Y int }
func (p Point) Sum() int { return p.X + p.Y }
type Shape interface { Area() float64 }
"""
JAVA = """
class Main {
  static class Stack<T> {
    private int n;
    Stack(int room) {}
    private void grow() {}
    boolean push(T item) { return true; }
    Stack<T> merged(Stack<T> other) { return this; }
    @Override public String toString() { return ""; }
    @Override public int hashCode() { return 1; }
    static int made() { return 0; }
  }
  class Inner { int f() { return 1; } }
}
record Point(int x, int y) { int sum() { return x + y; } }
abstract class Shape { abstract double area(); }
"""
RUST = """
#[derive(Debug)]
pub struct Stack<T> { items: Vec<T> }
impl<T: Clone> Stack<T> {
    pub fn new(room: usize) -> Result<Self, String> { Err(String::new()) }
    pub fn push(&mut self, item: T) -> bool { true }
    pub fn merged(&self, other: &Self) -> Self { todo!() }
    fn into_items(self) -> Vec<T> { self.items }
}
#[derive(Clone, Copy)]
struct Point { x: i32, y: i32 }
impl Point { fn sum(self) -> i32 { self.x + self.y } }
"""
TYPES = {
    "c": (C, {"Stack": ([], ["stack_push(int) bool", "stack_size() int"])}),
    "cpp": (
        CPP,
        {
            "Stack<int>": (
                ["Stack(int, int)", "Stack(int)"],
                ["push(const int&) bool", "merged(const Stack<int>&) Stack<int>"],
            ),
            "Point": (["(int, int)"], ["sum() int"]),
        },
    ),
    "go": (
        GO,
        {
            "Stack[int]": (
                ["NewStack[int](int)"],
                ["Push(int, int) bool", "Len() int"],
            ),
            "Point": (["(int, int)"], ["Sum() int"]),
        },
    ),
    "java": (
        JAVA,
        {
            "Main.Stack<Integer>": (
                ["Stack(int)"],
                [
                    "push(Integer) boolean",
                    "merged(Main.Stack<Integer>) Main.Stack<Integer>",
                    "toString() String",
                ],
            ),
            "Point": (["(int, int)"], ["sum() int", "x() int", "y() int"]),
        },
    ),
    "rust": (
        RUST,
        {
            "Stack<i32>": (
                ["new(usize)"],
                ["push(i32) bool", "merged(&Stack<i32>) Stack<i32>"],
            ),
            "Point": (["(i32, i32)"], ["sum() i32"]),
        },
    ),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_types_are_found_with_what_can_be_called(language):
    """With what makes their objects, plain types for those that are open; neither what is hidden,
    belongs to no object, gives it away, or frees it."""
    program, expected = TYPES[language]

    def shown(each):
        return f"{each.name}({', '.join(kind for _, kind in each.parameters)})"

    found = {
        each.name: ([*map(shown, each.makers)], [f"{shown(m)} {m.result}" for m in each.methods])
        for each in object_types(language, program)
    }
    if language == "c":  # a node's list is nothing at first
        expected = {"Stack": (["()"], expected["Stack"][1])}
    assert found == expected


def test_a_struct_of_c_is_made_by_what_gives_one():
    """Or by what fills one; a node alone begins as nothing."""
    program = C.replace("struct Stack *next; ", "")
    (made,) = object_types("c", program)
    assert [each.name for each in made.makers] == ["stack_new"]
    filled = program.replace("Stack *stack_new(int room) { return 0; }", "") + (
        "void stack_init(Stack *s, int room) {}"
    )
    (made,) = object_types("c", filled)
    assert [(each.name, each.receiver) for each in made.makers] == [("stack_init", "Stack*")]


def test_the_type_that_is_meant_is_tried():
    """The one that the request names, in whatever words, else the only one."""
    found = object_types("cpp", CPP)
    assert type_among(found, "", "a Point with a sum").name == "Point"
    assert type_among(found, "", "C++ class for a stack of things").name == "Stack<int>"
    assert type_among(found, "", "something else") is None
    assert type_among(found[:1], "", "something else").name == "Stack<int>"
    assert is_named(found[0], "class Stack with push and merged")
    assert not is_named(found[0], "class Stack") and not is_named(found[0], "push and merged")


# --- sessions ------------------------------------------------------------------------------------


def test_a_session_is_read_as_it_was_written():
    """It stands in records as text, and drivers of all languages are made of that."""
    session = ObjectSession(
        "Stack",
        {"it": (2, "a'b"), "other": ()},
        (
            ObjectCall("it", "push", (1, [2.5, None], {"a": (True,)})),
            ObjectCall("other", "merge", (Named("it"),)),
            ObjectCall("it", "plus", (Named("other"),), ObjectCall("", "size"), is_asked=True),
            ObjectCall("it", "from", is_asked=True),
        ),
    )
    text = str(session)
    assert text.splitlines()[:3] == [
        'it = Stack(2, "a\'b")',
        "other = Stack()",
        "it.push(1, [2.5, None], {'a': (True,)})",
    ]
    assert str(read_session(text)) == text
    for wrong in ("it = Stack()\nprint(1)", "print(it.pop())", "it = Stack("):
        with pytest.raises(ValueError, match="no "):
            read_session(wrong)


@pytest.mark.parametrize("language", LANGUAGES)
def test_sessions_are_made_of_what_a_type_has(language):
    """The same for the same texts; each asks something."""
    program, _ = TYPES[language]
    asked = "type Stack: push, merged, stack_push, stack_size, Push, Len"
    kind = type_of(language, program, "", asked)
    made = sessions_of_compiled(language, kind, program, asked, 20)
    assert len(made) == 20 and made == sessions_of_compiled(language, kind, program, asked, 20)
    for each in made:
        assert each.session.startswith("it = Stack(") and "print(" in each.session


def test_nothing_is_taken_from_an_empty_object_unless_that_is_spoken_of():
    """Nor is anything given that is below nothing: right programs may do anything then."""
    program = (
        "class MinStack { void push(int n) {} int pop() { return 0; } void clear() {}\n"
        "int getMin() { return 0; } int size() { return 0; } }"
    )
    asked = "Java: MinStack with push(int), pop(), getMin(), clear(), size()"
    for request, is_open in ((asked, False), (f"{asked}; -1 if it is empty", True)):
        kind = type_of("java", program, "", request)
        held, least, is_taken = 0, 0, False
        for each in sessions_of_compiled("java", kind, program, request, 12):
            held = 0
            for call in read_session(each.session).calls:
                if call.method == "push":
                    held += 1
                    least = min(least, *call.arguments)
                elif call.method == "clear":
                    held = 0
                elif call.method in ("pop", "getMin"):
                    is_taken = is_taken or held <= 0
                    held -= call.method == "pop"
        assert is_taken == is_open and (is_open or not least)


# --- what comes of them --------------------------------------------------------------------------

STACKS = {
    "c": (
        "#include <stdbool.h>\n#include <stdlib.h>\n"
        "typedef struct { int *items; int n, room; } Stack;\n"
        "Stack *stack_new(int room) { Stack *s = malloc(sizeof *s); s->n = 0; s->room = room;"
        " s->items = malloc(sizeof(int) * (room + 1)); return s; }\n"
        "bool stack_push(Stack *s, int n)"
        " { if (s->n == s->room) return false; s->items[s->n++] = n; return true; }\n"
        "bool stack_pop(Stack *s, int *out)"
        " { if (!s->n) return false; *out = s->items[--s->n]; return true; }\n"
        "int stack_size(const Stack *s) { return s->n; }",
        "#include <stdbool.h>\nstruct Stack { int items[100]; int n, room; };\n"
        "void stack_init(struct Stack *s, int room) { s->n = 0; s->room = room; }\n"
        "bool stack_push(struct Stack *st, int value)"
        " { return st->n < st->room ? (st->items[st->n++] = value, true) : false; }\n"
        "bool stack_pop(struct Stack *st, int *value)"
        " { if (st->n <= 0) return false; *value = st->items[--st->n]; return true; }\n"
        "int stack_size(const struct Stack *st) { return st->n; }",
        ("s->n == s->room", "s->n > s->room"),
        ["1; 1; 0; 2; 1 2; 1 1; 0; 0"],
    ),
    "cpp": (
        "#include <vector>\n#include <stdexcept>\ntemplate <typename T> class Stack {\n"
        "  std::vector<T> items; size_t room;\npublic:\n"
        "  explicit Stack(size_t room) : room(room) {}\n"
        "  bool push(const T& n) { if (items.size() >= room) return false;"
        " items.push_back(n); return true; }\n"
        '  T pop() { if (items.empty()) throw std::out_of_range("empty");'
        " T last = items.back(); items.pop_back(); return last; }\n"
        "  size_t size() const { return items.size(); }\n};",
        "#include <stdexcept>\nstruct Stack {\n  int items[100], n = 0, room;\n"
        "  Stack(int capacity);\n  bool push(int item);\n  int pop();\n"
        "  int size() { return n; }\n};\n"
        "Stack::Stack(int capacity) : room(capacity) {}\n"
        "bool Stack::push(int item) { return n < room ? (items[n++] = item, true) : false; }\n"
        'int Stack::pop() { if (!n) throw std::runtime_error("nothing"); return items[--n]; }',
        ("items.size() >= room", "items.size() > room"),
        ["1; 1; 0; 2; 2; 1; raised; 0"],
    ),
    "go": (
        'import "errors"\ntype Stack struct { items []int; room int }\n'
        "func NewStack(room int) *Stack { return &Stack{room: room} }\n"
        "func (s *Stack) Push(n int) bool { if len(s.items) == s.room { return false }\n"
        " s.items = append(s.items, n); return true }\n"
        'func (s *Stack) Pop() (int, error) { if len(s.items) == 0 { return 0, errors.New("no") }\n'
        " last := s.items[len(s.items)-1]; s.items = s.items[:len(s.items)-1]; return last, nil }\n"
        "func (s *Stack) Size() int { return len(s.items) }",
        'package stack\nimport "fmt"\n'
        "type Stack[T any] struct { first *node[T]; n, room int }\n"
        "type node[T any] struct { item T; next *node[T] }\n"
        "func NewStack[T any](room int) Stack[T] { return Stack[T]{room: room} }\n"
        "func (st *Stack[T]) Push(item T) (ok bool) { if st.n >= st.room { return }\n"
        " st.first = &node[T]{item, st.first}; st.n++; return true }\n"
        "func (st *Stack[T]) Pop() (item T, err error) {\n"
        ' if st.first == nil { return item, fmt.Errorf("it is empty") }\n'
        " item = st.first.item; st.first = st.first.next; st.n--; return item, nil }\n"
        "func (st Stack[T]) Size() int { return st.n }",
        ("len(s.items) == s.room", "len(s.items) > s.room"),
        ['true; true; false; 2; "ok", 2; "ok", 1; "error"; 0'],
    ),
    "java": (
        "import java.util.*;\npublic class Stack {\n"
        "  private final Deque<Integer> items = new ArrayDeque<>(); private final int room;\n"
        "  public Stack(int room) { this.room = room; }\n"
        "  public boolean push(int n) { if (items.size() == room) return false;"
        " items.push(n); return true; }\n"
        "  public int pop() { return items.pop(); }\n"
        "  public int size() { return items.size(); }\n}",
        "class Stack<T> {\n  Object[] items; int n;\n"
        "  Stack(int capacity) { items = new Object[capacity]; }\n"
        "  boolean push(T item) { if (n == items.length) return false;"
        " items[n++] = item; return true; }\n"
        "  T pop() { if (n == 0) throw new IllegalStateException(); return (T) items[--n]; }\n"
        "  int size() { return n; }\n}",
        ("items.size() == room", "items.size() > room"),
        ["true; true; false; 2; 2; 1; raised; 0"],
    ),
    "rust": (
        "pub struct Stack { items: Vec<i32>, room: usize }\nimpl Stack {\n"
        "  pub fn new(room: usize) -> Self { Stack { items: Vec::new(), room } }\n"
        "  pub fn push(&mut self, n: i32) -> bool { if self.items.len() == self.room"
        " { return false; } self.items.push(n); true }\n"
        "  pub fn pop(&mut self) -> Option<i32> { self.items.pop() }\n"
        "  pub fn size(&self) -> usize { self.items.len() }\n}",
        "use std::collections::LinkedList;\n"
        "struct Stack<T> { list: LinkedList<T>, capacity: usize }\nimpl<T: Clone> Stack<T> {\n"
        "  fn new(capacity: usize) -> Stack<T> { Stack { list: LinkedList::new(), capacity } }\n"
        "  fn push(&mut self, item: T) -> bool { let fits = self.list.len() < self.capacity;"
        " if fits { self.list.push_front(item); } fits }\n"
        "  fn pop(&mut self) -> Option<T> { self.list.pop_front() }\n"
        "  fn size(&self) -> usize { self.list.len() }\n}",
        ("self.items.len() == self.room", "self.items.len() > self.room"),
        ["true; true; false; 2; Some(2); Some(1); None; 0"],
    ),
}
SESSION = """\
it = Stack(2)
print(it.push(1))
print(it.push(2))
print(it.push(3))
print(it.size())
print(it.pop())
print(it.pop())
print(it.pop())
print(it.size())"""


@pytest.mark.parametrize(("language", "one", "other", "mistake", "expected"), of_each(STACKS))
async def test_right_types_answer_alike(language, one, other, mistake, expected):
    """However they are built, named and made; one with a mistake does not, on sessions that are
    made of the first one."""
    assert await values(language, one, SESSION) == expected
    assert await values(language, other, SESSION) == expected
    kind = await asyncio.to_thread(type_of, language, one, "", ROOM)
    made = await asyncio.to_thread(sessions_of_compiled, language, kind, one, ROOM, 6)
    assert len(made) == 6
    programs = (one, other, one.replace(*mistake))
    first, second, wrong = [
        Behaviour.of(await results(language, each, made), ROOM, each) for each in programs
    ]
    assert first == second != wrong and not first.says_nothing


FRACTIONS = {
    "cpp": (
        "#include <optional>\nclass N { int n; public: N(int n) : n(n) {}\n"
        "N plus(const N& o) const { return N(n + o.n); }\n"
        "std::optional<N> over(N o) const { if (!o.n) return {}; return N(n / o.n); }\n"
        "void take(N* o) { n += o->n; o->n = 0; }\nint value() const { return n; } };",
        "7; 2; 7; 0; raised",
    ),
    "go": (
        'import "errors"\ntype N struct { n int }\n'
        "func NewN(n int) *N { return &N{n} }\n"
        "func (a *N) plus(o *N) N { return N{a.n + o.n} }\n"
        'func (a *N) over(o N) (*N, error) { if o.n == 0 { return nil, errors.New("") }\n'
        " return &N{a.n / o.n}, nil }\nfunc (a *N) take(o *N) { a.n += o.n; o.n = 0 }\n"
        "func (a N) value() int { return a.n }",
        '7; 2; 7; 0; "error"',
    ),
    "java": (
        "import java.util.Optional;\nrecord Start(int n) {}\n"
        "class N { int n; N(int n) { this.n = n; }\nN plus(N o) { return new N(n + o.n); }\n"
        "Optional<N> over(N o)"
        " { return o.n == 0 ? Optional.empty() : Optional.of(new N(n / o.n)); }\n"
        "void take(N o) { n += o.n; o.n = 0; }\nint value() { return n; } }",
        "7; 2; 7; 0; raised",
    ),
    "rust": (
        "#[derive(Clone, Copy)] struct N { n: i32 }\nimpl N { fn new(n: i32) -> N { N { n } }\n"
        "fn plus(self, o: N) -> N { N { n: self.n + o.n } }\n"
        "fn over(&self, o: &N) -> Option<N>"
        " { if o.n == 0 { None } else { Some(N { n: self.n / o.n }) } }\n"
        "fn take(&mut self, o: &mut N) { self.n += o.n; o.n = 0; }\n"
        "fn value(&self) -> i32 { self.n } }",
        "7; 2; 7; 0; raised",
    ),
    "c": (
        "#include <stdlib.h>\ntypedef struct N { int n; } N;\n"
        "N n_make(int n) { N a = {n}; return a; }\nN n_plus(N a, N b) { N c = {a.n + b.n};"
        " return c; }\nN *n_over(const N *a, const N *b) { if (!b->n) return NULL;"
        " N *c = malloc(sizeof *c); c->n = a->n / b->n; return c; }\n"
        "void n_take(N *a, N *b) { a->n += b->n; b->n = 0; }\nint n_value(N a) { return a.n; }",
        "7; 2; 7; 0; NULL",
    ),
}
TOGETHER = """\
it = N(5)
other = N(2)
print(it.plus(other).value())
print(it.over(other).value())
it.take(other)
print(it.plus(other).value())
print(other.value())
print(it.over(other).value())"""


@pytest.mark.parametrize(("language", "program", "expected"), of_each(FRACTIONS))
async def test_objects_take_and_give_others(language, program, expected):
    """By value, by reference or by address; what may give none says so."""
    assert await values(language, program, TOGETHER, request="type N") == [expected]


MADE = {
    "java": (
        "record P(int x, int y) { int sum() { return x + y; } }",
        "class P { int n; private P(int n) { this.n = n; }\n"
        "static P of(int x, int y) { return new P(x + y); }\n"
        "static P parse(String s) { throw new IllegalArgumentException(); }\n"
        "int sum() { return n; } }",
    ),
    "go": (
        "type P struct { X, Y int }\nfunc (p P) sum() int { return p.X + p.Y }",
        "type P []int\nfunc NewP(all ...int) P { return P(all) }\n"
        "func (p P) sum() (n int) { for _, each := range p { n += each }; return }",
    ),
    "rust": (
        "struct P { x: i32, y: i32 }\nimpl P { fn sum(&self) -> i32 { self.x + self.y } }",
        "struct P(i32);\nimpl P { fn from_str(s: &str) -> P { P(1) }\n"
        "fn between(x: i32, y: i32) -> Option<P> { Some(P(x + y)) }\n"
        "fn sum(&self) -> i32 { self.0 } }",
    ),
    "cpp": (
        "struct P { int x, y; int sum() const { return x + y; } };",
        "class P { int n; public: P(int x, int y = 0); int sum() const; };\n"
        "P::P(int x, int y) : n(x + y) {}\nint P::sum() const { return n; }",
    ),
    "c": (
        "typedef struct { int n; } P;\nvoid p_init(P *p, int x, int y) { p->n = x + y; }\n"
        "int p_sum(const P *p) { return p->n; }",
        "struct P { int x, y; };\nstruct P make(int x, int y)"
        " { struct P p = {x, y}; return p; }\nint p_sum(struct P p) { return p.x + p.y; }",
    ),
}


@pytest.mark.parametrize(("language", "one", "other"), of_each(MADE))
async def test_objects_are_made_as_each_type_has_it(language, one, other):
    """By a constructor, a function that gives one or fills one, or of its fields; not by what reads
    a text, if anything else makes one."""
    for program in (one, other):
        came = await values(language, program, "it = P(3, 4)\nprint(it.sum())", request="type P")
        assert came == ["7"]


LISTS = {
    "c": (
        "#include <stdlib.h>\nstruct node { int value; struct node *next; };\n"
        "struct node *push(struct node *head, int n) { struct node *new = malloc(sizeof *new);"
        " new->value = n; new->next = head; return new; }\n"
        "void drop(struct node **head) { if (*head) *head = (*head)->next; }\n"
        "struct node *find(struct node *head, int n)"
        " { while (head && head->value != n) head = head->next; return head; }",
    )
}


@needs("c")
async def test_a_list_in_c_is_shown_as_it_has_become():
    """It begins as nothing, and is what its functions give; not what they only find in it."""
    text = "it = node()\nit.push(1)\nit.push(2)\nit.push(3)\nit.find(1)\nit.drop()"
    assert await values("c", LISTS["c"][0], text) == ["2 -> 1"]


@pytest.mark.parametrize("asked", ["drop", "push and drop"])
def test_a_list_that_stays_nothing_tells_nothing(asked):
    """Something has to be put in."""
    program = LISTS["c"][0]
    kind = type_of("c", program, "", f"struct node with {asked}")
    made = sessions_of_compiled("c", kind, program, f"struct node with {asked}", 3)
    assert bool(made) == ("push" in asked)


@pytest.mark.parametrize(
    ("language", "program"),
    of_each(
        {
            "java": (
                "class T { int n; void add(int a) { if (a < 0) throw new IllegalStateException();"
                " n += a; } int[] all() { return new int[n]; }"
                " int at(int i) { return all()[i]; } }",
            ),
            "rust": (
                "struct T { n: usize }\nimpl T { fn new() -> T { T { n: 0 } }\n"
                'fn add(&mut self, a: i32) { if a < 0 { panic!("no"); } self.n += a as usize; }\n'
                "fn all(&self) -> Vec<i32> { vec![0; self.n] }\n"
                "fn at(&self, i: usize) -> i32 { self.all()[i] } }",
            ),
        }
    ),
)
async def test_what_a_method_refuses_is_seen(language, program):
    """Also where nothing is asked; the session goes on, and says nothing where most is refused. A
    program without the method has nothing to say."""
    goes_on = "it = T()\nit.add(-1)\nit.add(2)\nprint(it.all())"
    fails, lacks = "it = T()\nprint(it.at(0))", "it = T()\nprint(it.none())"
    came = await values(language, program, goes_on, fails, request="type T")
    assert came == ["raised; [0, 0]", "raised"]
    mostly = "it = T()\nit.add(-1)\nit.add(-2)\nprint(it.all())"
    assert await values(language, program, mostly, request="type T") == ["raised"]
    assert await values(language, program, lacks, request="type T") == ["unusable"]


SPACESHIP = "auto operator<=>(const N&) const = default;"


@needs("cpp")
async def test_operators_are_called_however_they_stand():
    """In the class, as its friend, beside it; those of streams are no operators of values."""
    head = "class N { int n; public: N(int n) : n(n) {} int value() const { return n; }\n"
    one = (
        f"#include <compare>\n{head} N operator+(const N& o) const {{ return N(n + o.n); }}\n"
        "bool operator == (N o) const { return n == o.n; }\n"
        "int operator[](int i) { return n + i; }\nN operator-() { return N(-n); } };"
    )
    other = (
        f"#include <iostream>\n{head} friend bool operator==(const N& a, const N& b)"
        " { return a.n == b.n; }\nint operator[](int i) { return n + i; } };\n"
        "N operator+(const N& a, const N& b) { return N(a.value() + b.value()); }\n"
        "std::ostream& operator<<(std::ostream& o, const N& n) { return o << n.value(); }"
    )
    both = one.replace("bool operator == (N o) const { return n == o.n; }", SPACESHIP)
    assert SPACESHIP in both
    text = (
        "it = N(3)\nother = N(4)\nprint(it.operator_add(other).value())\n"
        "print(it.operator_eq(other))\nprint(it.operator_getitem(2))"
    )
    for program in (one, other, both):
        assert await values("cpp", program, text, request="class N") == ["7; 0; 5"]
        asked = "C++ class N with operators + and == and value()"
        kind = await asyncio.to_thread(type_of, "cpp", program, "", asked)
        made = await asyncio.to_thread(sessions_of_compiled, "cpp", kind, program, asked, 5)
        assert "operator_add(" in "".join(each.session for each in made)


@needs("cpp")
async def test_where_nothing_is_asked_it_is_what_they_print():
    """As a list that prints itself."""
    program = (
        "#include <cstdio>\nclass T { int n = 0; public: void add(int a) { n += a; }\n"
        'void show() const { std::printf("%d ", n); } };'
    )
    text = "it = T()\nit.add(1)\nit.show()\nit.add(2)\nit.show()"
    assert await values("cpp", program, text, request="type T") == ["1 3"]


@needs("java")
async def test_objects_that_need_what_the_sandbox_lacks_are_not_compared():
    """A file, a network, a screen: what came says nothing of the program."""
    program = (
        'import java.io.*; class T { T() throws IOException { new FileReader("a.csv"); }\n'
        "int size() { return 0; } }"
    )
    calls = sessions("it = T()\nprint(it.size())")
    came = await results("java", program, calls, "class T")
    assert Behaviour.of(came, "class T", program).lacks_surroundings
    wrong = program.replace('new FileReader("a.csv")', "throw new IllegalStateException()")
    came = await results("java", wrong, calls, "class T")
    assert not Behaviour.of(came, "class T", wrong).lacks_surroundings


ARRAYS = {
    "java": (
        "class N { int n; N(int n) { this.n = n; } N[] both() { return new N[] {this, this}; }\n"
        "int among(N[] all) { return all.length; } int value() { return n; } }",
    ),
    "go": (
        "type N struct { n int }\nfunc NewN(n int) *N { return &N{n} }\n"
        "func (a *N) both() []*N { return []*N{a, a} }\n"
        "func (a *N) among(all []*N) int { return len(all) }\n"
        "func (a *N) value() int { return a.n }",
    ),
    "c": (
        "typedef struct N { int n; } N;\nN n_make(int n) { N a = {n}; return a; }\n"
        "int n_among(N *a, N all[], int k) { return k; }\nint n_value(const N *a) { return a->n; }",
    ),
}


@pytest.mark.parametrize(("language", "program"), of_each(ARRAYS))
async def test_an_array_of_objects_is_no_object(language, program):
    """A method that takes or gives one is not called as if it were."""
    kind = await asyncio.to_thread(type_of, language, program, "", "type N")
    made = await asyncio.to_thread(sessions_of_compiled, language, kind, program, "type N", 3)
    came = await results(language, program, made, "type N")
    assert len(came) == 3 and all(each.gave for each in came)


FAILING = {
    "rust": (
        "struct N<T> { v: Vec<T>, n: usize }\nimpl<T: Clone> N<T> {\n"
        "fn new(n: usize) -> Result<Self, String> { Ok(N { v: vec![], n }) }\n"
        "fn twin(&self) -> Option<Self> { Some(N { v: self.v.clone(), n: self.n }) }\n"
        "fn pair(&self) -> (Self, i32) { todo!() }\nfn size(&self) -> usize { self.n } }",
    ),
    "cpp": (
        "#include <optional>\ntemplate <typename T> class N { T n; public: N(int n) : n(n) {}\n"
        "std::optional<N> twin() const { return *this; } int size() const { return n; } };",
    ),
    "java": (
        "import java.util.*;\nclass N<T> { int n; N(int n) { this.n = n; }\n"
        "Optional<N<T>> twin() { return Optional.of(this); } int size() { return n; } }",
    ),
}


@pytest.mark.parametrize(("language", "program"), of_each(FAILING))
async def test_what_may_give_no_object_may_be_of_a_template(language, program):
    """An optional object of a generic type is used as one; a method that gives a pair is not."""
    text = "it = N(2)\nprint(it.size())\nprint(it.twin().size())"
    assert await values(language, program, text, request="type N") == ["2; 2"]
    text = "it = N(2)\nprint(it.pair().size())"
    assert await values(language, program, text, request="type N") == ["unusable"]


KEPT = {
    "rust": (
        "struct T<'a> { all: &'a [i32], n: usize }\nimpl<'a> T<'a> {\n"
        "fn new(all: &'a [i32]) -> Self { T { all, n: 0 } }\n"
        "fn add(&mut self, n: usize) { self.n += n; }\n"
        "fn get(&self, i: usize) -> Option<&i32> { self.all.get(i) } }",
        "it = T([3, 4])\nother = T([5])\nit.add(1)\nprint(it.get(1))\nprint(other.get(0))",
        "Some(4); Some(5)",
    ),
    "c": (
        "#include <stdlib.h>\ntypedef struct { const char *all[9]; int *held; int n; } T;\n"
        "T *t_new(int *held, int n) { T *t = calloc(1, sizeof *t); t->held = held; return t; }\n"
        "void t_add(T *t, const char *name) { t->all[t->n++] = name; }\n"
        "const char *t_get(const T *t, int i) { return t->all[i]; }\n"
        "int t_first(const T *t) { return t->held[0]; }",
        "it = T([7, 8])\nit.add('ab')\nit.add('cde')\nprint(it.get(0))\nprint(it.first())",
        '"ab"; 7',
    ),
    "cpp": (
        "#include <string>\n#include <vector>\nclass T { const std::string& text;\n"
        "std::vector<const std::string*> all; public: T(const std::string& t) : text(t) {}\n"
        "void add(const std::string& t) { all.push_back(&t); }\n"
        "std::string get(int i) const { return *all.at(i); }\n"
        "int size() const { return text.size(); } };",
        "it = T('a long text that is not held in the object itself')\nit.add('ab')\nit.add('cde')\n"
        "print(it.get(0))\nprint(it.size())",
        '"ab"; 49',
    ),
}


@pytest.mark.parametrize(("language", "program", "text", "expected"), of_each(KEPT))
async def test_objects_may_keep_what_they_are_given(language, program, text, expected):
    """An address or a reference: what it is of is there as long as they are."""
    assert await values(language, program, text, request="type T") == [expected]


@needs("go")
async def test_go_makes_maps_and_takes_names_of_packages():
    """A function of the program's may be called as a package that the driver uses; a map is made,
    not nil; what says whether it failed may be true or false."""
    program = (
        "type S map[int]bool\nfunc (s S) Add(n int) { s[n] = true }\n"
        "func sort(all []int) []int { return all }\nfunc strings(n int) int { return n }\n"
        "func (s S) Len() int { return strings(len(sort(make([]int, len(s))))) }"
    )
    text = "it = S()\nit.Add(2)\nit.Add(2)\nit.Add(3)\nprint(it.Len())"
    assert await values("go", program, text, request="type S") == ["2"]
    failing = (
        "type S struct { n int }\nfunc NewS(n int) (S, bool) { return S{n}, n > 0 }\n"
        "func (s S) Len() int { return s.n }"
    )
    texts = "it = S(2)\nprint(it.Len())", "it = S(0)\nprint(it.Len())"
    assert await values("go", failing, *texts, request="type S") == ["2", "raised"]


def shown_types(language, program):
    return {
        each.name: (
            [(m.name, [kind for _, kind in m.parameters]) for m in each.makers],
            [f"{m.name} {m.result}" for m in each.methods],
        )
        for each in object_types(language, program)
    }


def test_types_of_cpp_are_made_as_they_can_be():
    """None that is abstract; one with a base or virtual functions is no plain aggregate, and what
    is static is no field. A result may stand behind."""
    program = (
        "class Shape { public: virtual double area() const = 0; int n() { return 1; } };\n"
        "struct Round : public Shape { double r; double area() const override { return r; } };\n"
        "struct Free { int n; virtual int f() { return n; } };\n"
        "struct Pair { static int made; static const int most = 3; int x; int y;\n"
        "[[nodiscard]] auto sum() const noexcept -> int { return x + y; } };"
    )
    assert shown_types("cpp", program) == {
        "Round": ([("", [])], ["area double"]),
        "Free": ([("", [])], ["f int"]),
        "Pair": ([("", ["int", "int"])], ["sum int"]),
    }


@needs("c")
async def test_a_type_of_c_may_be_an_address():
    """`typedef struct stack *Stack`; what frees its object is not called, whatever its name."""
    program = (
        "#include <stdlib.h>\ntypedef struct stack *Stack;\nstruct stack { int v[10]; int n; };\n"
        "Stack stack_new(void) { return calloc(1, sizeof(struct stack)); }\n"
        "void stack_push(Stack s, int v) { s->v[s->n++] = v; }\n"
        "int stack_size(const Stack s) { return s->n; }\nvoid stack_delete(Stack s) { free(s); }"
    )
    found = await asyncio.to_thread(shown_types, "c", program)
    assert found == {"struct stack": ([("stack_new", [])], ["stack_push void", "stack_size int"])}
    text = "it = stack()\nit.push(1)\nit.push(2)\nprint(it.size())"
    assert await values("c", program, text) == ["2"]


def test_methods_of_an_interface_are_called():
    """Where a class or a struct has them: in Java they override others, in Rust they are a trait's.
    Not those of the language's own."""
    java = (
        "interface Stack { void push(int n); int pop(); }\nclass Own implements Stack {\n"
        "@Override public void push(int n) {} @Override public int pop() { return 1; }\n"
        "@Override public int hashCode() { return 1; } @Override protected void grow() {} }"
    )
    assert shown_types("java", java) == {"Own": ([("Own", [])], ["push void", "pop int"])}
    rust = (
        "trait Shape<T> { fn area(&self) -> f64; }\nstruct Rect { w: f64 }\n"
        "impl Shape<i32> for Rect { fn area(&self) -> f64 { self.w } }\n"
        "impl Drop for Rect { fn drop(&mut self) {} }"
    )
    assert shown_types("rust", rust) == {"Rect": ([("", ["f64"])], ["area f64"])}


def test_what_is_shared_in_rust_is_not_made():
    """It has no methods of its own; a box has those of what is in it."""
    program = "struct N { n: i32 }\nimpl N { fn new(n: i32) -> %s { todo!() }\nfn f(&self) {} }"
    for given in ("Rc<RefCell<N>>", "Vec<Self>", "(Self, i32)"):
        assert shown_types("rust", program % given)["N"][0] == [("", ["i32"])]
    for given in ("Box<Self>", "Result<N, String>", "Option<Self>"):
        assert shown_types("rust", program % given)["N"][0] == [("new", ["i32"])]


@needs("cpp")
async def test_classes_in_namespaces_are_tried():
    """Also those of templates, with operators beside them; a name alone stands for the whole."""
    program = (
        "namespace a::b { namespace { int none() { return 0; } }\n"
        "template <typename T> class N { T n; public: N(T n) : n(n) {}\n"
        "N(const N<T>& o) = default;\n"
        "N plus(const N<T>& o) const { return N(n + o.n); }\n"
        "T value() const { return n + none(); } };\n"
        "template <typename T> bool operator==(const N<T>& p, const N<T>& q)"
        " { return p.value() == q.value(); }\n"
        "struct P { int x, y; int sum() const { return x + y; } }; }"
    )
    found = await asyncio.to_thread(shown_types, "cpp", program)
    assert found == {
        "a::b::N<int>": (
            [("N", ["int"])],
            ["plus a::b::N<int>", "value int", "operator== bool"],
        ),
        "a::b::P": ([("", ["int", "int"])], ["sum int"]),
    }
    text = "it = N(3)\nother = N(4)\nprint(it.plus(other).value())\nprint(it.operator_eq(other))"
    assert await values("cpp", program, text, request="class N") == ["7; 0"]
    text = "it = P(3, 4)\nprint(it.sum())"
    assert await values("cpp", program, text, request="struct P") == ["7"]


@needs("java")
async def test_a_class_of_java_may_be_called_as_one_of_the_language():
    """`Number` is then the program's class, not that of `java.lang`."""
    program = (
        "class Number { int n; Number(int n) { this.n = n; } double half() { return n / 2.0; }\n"
        "int whole() { return n; } }"
    )
    text = "it = Number(3)\nprint(it.half())\nprint(it.whole())"
    assert await values("java", program, text, request="class Number") == ["1.5; 3"]


@needs("cpp")
async def test_what_a_call_gives_is_kept_while_it_is_asked():
    """The object in an optional, one that is given as constant; none is moved away."""
    program = (
        "#include <optional>\n#include <string>\n#include <utility>\n"
        "class N { std::string s; public:\n"
        "N(int n) : s(n, 'a') {} std::optional<N> twin() const { return *this; }\n"
        "const N same() const { return *this; } N& self() { return *this; }\n"
        "const N& seen() const { return *this; } void merge(N&& o) { s += std::move(o.s); }\n"
        "std::string text() { return s; } int size() const { return s.size(); } };"
    )
    text = (
        "it = N(60)\nprint(it.twin().text())\nprint(it.same().text())\nprint(it.self().size())\n"
        "print(it.seen().size())"
    )
    long = '"' + "a" * 60 + '"'
    assert await values("cpp", program, text, request="class N") == [f"{long}; {long}; 60; 60"]
    moved = "it = N(1)\nother = N(2)\nit.merge(other)\nprint(it.size())"
    assert await values("cpp", program, moved, request="class N") == ["unusable"]


# --- the mode ------------------------------------------------------------------------------------


@needs("rust")
async def test_types_are_compared_by_what_their_objects_do(pipeline_with):
    """Two that do the same need no judge; where they differ the caller sees in what session."""
    one, other, mistake, _ = STACKS["rust"]
    drafts = [f"```rust\n{text}\n```" for text in (one.replace(*mistake), one, other)]
    async with comparing(pipeline_with, coder(*drafts[1:]), JUDGED) as run:
        assert (await run(f"Rust: {ROOM}")).strip() == one
    assert run.record["final_reason"] == "not judged: 2 of 2 drafts agree on 20 calls"
    async with comparing(pipeline_with, coder(*drafts), JUDGED) as run:
        assert (await run(f"Rust: {ROOM}")).strip() == one
    (first, *_) = run.record["artefact"]["differences"]
    assert first["call"].startswith("it = Stack(")
