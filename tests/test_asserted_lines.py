"""The assertions of a request in C, C++ and Rust: which are read, and what they say of drafts."""

import pytest

from config import load_settings
from pipeline.analysis.draft import Draft
from pipeline.review.draft_evidence import run_evidence
from pipeline.task import Task
from pipeline.testcases.examples.assert_statements import assert_blocks
from tests.compilers import in_one_worker, kept_packages, needs  # noqa: F401
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

# --- which are read ------------------------------------------------------------------------------

OWN = "fn half(n: i32) -> i32 {\n    n / 2\n}\n\nfn main() {\n    assert_eq!(half(3), 1);\n}\n"
READ = {
    "with remarks": (
        "rust",
        "these have to hold:\nassert_eq!(f(1), 2);  // panicked with mine\nassert!(g(1)); // :-(",
        ["assert_eq!(f(1), 2);", "assert!(g(1));"],
    ),
    "several on a line": ("c", "assert(f(1) == 2); assert(!f(0));", None),
    "on several lines": ("rust", "assert_eq!(\n    f(1),\n    2,\n);", None),
    "a bullet": ("rust", "- `assert_ne!(f(1), 2)`", ["assert_ne!(f(1), 2);"]),
    "a document": ("rust", "/// ```\n/// assert_eq!(f(1), 2);\n/// ```", ["assert_eq!(f(1), 2);"]),
    "a comment": ("rust", "// assert_eq!(f(1), 2);", []),
    "taken back": ("rust", "assert_eq!(f(1), 2); // wrong, should be 3", []),
    "it should fail": ("rust", "assert_eq!(f(0), 2); // must panic", []),
    "in a sentence": ("rust", "assert_eq!(f(1), 2) fails with mine", []),
    "how it is": ("rust", "Write f anew, currently it is so:\n\nassert_eq!(f(1), 2);", []),
    "how it was": ("rust", "My old code satisfied\n\nassert_eq!(f(1), 2);\n\nf adds 2 now", []),
    "how it is, and shall be": (
        "rust",
        "I have\n\nassert_eq!(f(1), 2);\n\nand need\n\nassert_eq!(f(1), 3);",
        [],
    ),
    "what shall end": (
        "rust",
        "These shall no longer hold:\n```rust\nfn main() {\n    assert_eq!(f(1), 2);\n}\n```",
        [],
    ),
    "a test that panics": (
        "rust",
        "#[test]\n#[should_panic]\nfn t() {\n    assert_eq!(f(0), 2);\n    assert_eq!(f(9), 2);\n}",
        [],
    ),
    "in any order": ("rust", "f gives them in any order\nassert_eq!(f(1), vec![1, 2]);", []),
    "a bug": ("rust", "My f is broken, it gives wrong results:\nassert_eq!(f(2), -1);", []),
    "of code to be changed": ("rust", f"{OWN}\nPlease change half to round up.", []),
    "of code to be mended": (
        "rust",
        f"{OWN}\nMake it so that the tests pass.",
        ["assert_eq!(half(3), 1);"],
    ),
    "of no call": ("rust", "assert!(n > 0);", []),
    "of another language": ("go", "assert(f(1) == 2);", []),
}


@pytest.mark.parametrize(("language", "request_", "read"), READ.values(), ids=READ)
def test_assertions_are_read_where_they_are_wished(language, request_, read):
    """None: each as it stands there. Not what is denied, doubted, or of code that shall change."""
    statements = [one for each in assert_blocks(language, request_) for one in each.statements]
    codes = [f"{each.code}".replace("\n", "") for each in statements]
    if read is None:
        assert " ".join(codes) == request_.replace("\n", "")
    else:
        assert codes == read


def test_what_is_done_before_them_goes_with_them():
    """Up to the next words that are no code."""
    session = "let mut s = Stack::new();\ns.push(1);\n\nassert_eq!(s.pop(), Some(1));"
    one, other = assert_blocks("rust", f"{session}\nAnd:\nassert!(f(1));")
    assert one.is_session and len(one.statements) == 3 and one.names >= {"Stack", "push", "pop"}
    assert not other.is_session and other.names == {"f"}


def test_hostile_requests_are_read_in_time():
    """Whatever stands in them."""
    for text in hostile_texts.TEXTS:
        assert_blocks("rust", f"assert!(f(1));\n{text}")


# --- what they say -------------------------------------------------------------------------------

HEX = 'assert_eq!(hex("0F"), Some(15)); // mine panics\nassert_eq!(hex("é"), None);\n'
STACK = (
    "let mut s = Stack::new();\nassert!(s.is_empty());\ns.push(1);\ns.push(2);\n"
    "assert_eq!(s.pop(), Some(2));\nassert_eq!(s.pop(), Some(1));"
)
STACKED = (
    "pub struct Stack<T> { v: Vec<T> }\nimpl<T> Stack<T> {\n"
    "pub fn new() -> Self { Stack { v: Vec::new() } }\n"
    "pub fn push(&mut self, t: T) { self.v.push(t) }\n"
    "pub fn pop(&mut self) -> Option<T> { self.v.pop() }\n"
    "pub fn is_empty(&self) -> bool { self.v.is_empty() }\n}"
)
COUNTED = (
    "use std::sync::atomic::{AtomicU32, Ordering::SeqCst};\nstatic N: AtomicU32 = "
    "AtomicU32::new(0);\nfn next() -> u32 { N.fetch_add(1, SeqCst) + 1 }"
)
STRICT = STACKED.replace("self.v.push(t)", "assert!(self.v.is_empty()); self.v.push(t)")
SPLIT = (
    "#include <sstream>\n#include <string>\n#include <vector>\n"
    "std::vector<std::string> split(const std::string& s, char c) {\n"
    "std::vector<std::string> v; std::stringstream t(s); std::string x;\n"
    "while (std::getline(t, x, c)) v.push_back(x);\nreturn v; }"
)
COMPILED = "fn mean(v: &[f64]) -> f64 { v.iter().sum::<f64>() / v.len() as f64 }\nfn main() {}"
NAMED = 'const char *name(int d) { static char b[] = "Mon"; return d ? b : 0; }'
SAID = [
    ("rust", HEX, "fn hex(s: &str) -> Option<u32> { u32::from_str_radix(s, 16).ok() }", "holds"),
    ("rust", HEX, "fn hex(s: &str) -> Option<u32> { s[..1].parse().ok() }", "fails"),
    ("rust", STACK, STACKED, "holds"),
    ("rust", STACK, STACKED.replace("self.v.pop()", "Some(self.v.remove(0))"), "fails"),
    ("rust", STACK.replace("push(2);", "push(2); // panics"), STRICT, ""),
    ("rust", STACK.replace("Some(2));", "Some(2)); // or 1"), STACKED, ""),
    ("rust", "assert_eq!(next(), 1);\nassert_eq!(next(), 2);", COUNTED, "holds"),
    ("rust", "assert_eq!(next(), 1);\nassert_eq!(next(), 2);", "fn next() -> u32 { 1 }", "fails"),
    ("rust", "assert_eq!(mean(&[0.1, 0.2, 0.3]), 0.2);", COMPILED, ""),
    ("rust", "assert!(mean(&[1.0, 2.0]) > 1.5);", COMPILED, "fails"),
    ("rust", "assert_eq!(2 + 2, 4);\nassert_eq!(min(1, 2), 1);", COMPILED, ""),
    ("rust", "assert_eq!(mean(&[1, 2]), Ok(1));", COMPILED, ""),
    ("rust", "assert!(mean(&[1.0]) > 0.0);\nlater:\nassert!(median(&[1.0]) > 0.0);", COMPILED, ""),
    ("rust", "assert!(wait(1));", "fn wait(n: u32) -> bool { let mut i = n; loop { i ^= 1 } }", ""),
    (
        "rust",
        'assert_eq!(size("x.txt").unwrap(), 3);',
        "fn size(p: &str) -> std::io::Result<u64> { Ok(std::fs::metadata(p)?.len()) }",
        "",
    ),
    ("c", "assert(strlen(name(1)) == 3);\nassert(!name(0));", NAMED, "holds"),
    ("c", "assert(strlen(name(1)) == 3);\nassert(name(0));", NAMED, "fails"),
    ("cpp", 'assert(std::string(name(1)).size() == 3);\nassert(name(1) == "Mon");', NAMED, "holds"),
    (
        "cpp",
        'assert(split("a,b", \',\') == std::vector<std::string>{"a", "b"});',
        SPLIT,
        "holds",
    ),
    ("cpp", "auto v = split(\"a,b\", ',');\nassert(v.size() == 3);", SPLIT, "fails"),
]


@pytest.mark.parametrize(
    ("language", "request_", "text", "said"),
    [pytest.param(*each, marks=needs(each[0]), id=f"{each[0]}-{n}") for n, each in enumerate(SAID)],
)
async def test_drafts_are_held_against_the_assertions(language, request_, text, said):
    """Those that cannot be built with a draft, are of nothing that it defines, compare fractions or
    places of texts, take long, or want a file say nothing of it."""
    prompt = f"Write it in {language}:\n\n{request_}"
    with run_of(prompt, load_settings(), None) as run:
        draft = await run_evidence(run, Task(prompt), Draft(text, language, ()), "coder")
    assert ("fails" if draft.findings else "holds" if draft.decided else "") == said


@needs("rust")
async def test_one_that_fails_hides_no_other():
    """Each is run by itself, and what came stands beside it."""
    prompt = "Rust:\nassert_eq!(f(1), 2);\nassert_eq!(f(2), 2);\nassert_eq!(f(3), 4);"
    with run_of(prompt, load_settings(), None) as run:
        text = 'fn f(n: i32) -> i32 { n }\nfn main() { println!("{}", f(1)); }'
        draft = await run_evidence(run, Task(prompt), Draft(text, "rust", ()), "coder")
    one, other = draft.findings
    assert one.detail == "the example assert_eq!(f(1), 2); fails" and "left: 1" in one.came
    assert other.detail == "the example assert_eq!(f(3), 4); fails" and "right: 4" in other.came
