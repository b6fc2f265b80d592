"""The drivers of functions and objects in Rust. Pure."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pipeline.analysis.signatures.signature import ObjectType, Signature
from pipeline.testcases.call_slots import Slot
from pipeline.testcases.driver_parts import FunctionCall, Given
from pipeline.testcases.node_drivers import made_of_nodes, rust_nodes
from pipeline.testcases.object_slots import Called, Made, Session, gives_own
from pipeline.testcases.type_texts import Nodes, arguments_of
from pipeline.testcases.value_kinds import Kind

_HEAD = r"""
trait LaiosShow { fn laios(&self) -> String; }
macro_rules! laios_plain { ($form:expr, $($t:ty),*) => { $(
  impl LaiosShow for $t { fn laios(&self) -> String { format!($form, self) } } )* } }
laios_plain!("{}", i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize, bool);
laios_plain!("{:?}", str, String, ());
impl LaiosShow for char { fn laios(&self) -> String { self.to_string().laios() } }
impl LaiosShow for f64 { fn laios(&self) -> String {
  let plain: f64 = format!("{:.5e}", self).parse().unwrap_or(*self);
  format!("{}", plain + 0.0)
} }
impl LaiosShow for f32 { fn laios(&self) -> String { (*self as f64).laios() } }
impl<T: LaiosShow + ?Sized> LaiosShow for &T { fn laios(&self) -> String { (**self).laios() } }
impl<T: LaiosShow + ?Sized> LaiosShow for &mut T { fn laios(&self) -> String { (**self).laios() } }
impl<T: LaiosShow + ?Sized> LaiosShow for ::std::boxed::Box<T> {
  fn laios(&self) -> String { (**self).laios() }
}
impl<T: LaiosShow> LaiosShow for [T] { fn laios(&self) -> String {
  format!("[{}]", self.iter().map(|x| x.laios()).collect::<::std::vec::Vec<_>>().join(", "))
} }
impl<T: LaiosShow, const N: usize> LaiosShow for [T; N] {
  fn laios(&self) -> String { self[..].laios() }
}
impl<T: LaiosShow> LaiosShow for ::std::vec::Vec<T> {
  fn laios(&self) -> String { self[..].laios() }
}
impl<T: LaiosShow> LaiosShow for ::std::collections::VecDeque<T> {
  fn laios(&self) -> String { self.iter().collect::<::std::vec::Vec<_>>().laios() }
}
impl<T: LaiosShow> LaiosShow for ::std::option::Option<T> { fn laios(&self) -> String {
  match self { Some(x) => format!("Some({})", x.laios()), None => "None".to_string() }
} }
impl<T: LaiosShow, E> LaiosShow for ::std::result::Result<T, E> { fn laios(&self) -> String {
  match self { Ok(x) => format!("Ok({})", x.laios()), Err(_) => "Err".to_string() }
} }
impl<T: LaiosShow> LaiosShow for ::std::rc::Rc<::std::cell::RefCell<T>> {
  fn laios(&self) -> String { self.borrow().laios() }
}
fn laios_sorted(all: impl Iterator<Item = String>) -> String {
  let mut all: ::std::vec::Vec<String> = all.collect();
  all.sort();
  format!("{{{}}}", all.join(", "))
}
macro_rules! laios_maps { ($($t:ident),*) => { $(
  impl<K: LaiosShow, V: LaiosShow> LaiosShow for ::std::collections::$t<K, V> {
    fn laios(&self) -> String {
      laios_sorted(self.iter().map(|(k, v)| format!("{}: {}", k.laios(), v.laios())))
    }
  } )* } }
laios_maps!(HashMap, BTreeMap);
macro_rules! laios_sets { ($($t:ident),*) => { $(
  impl<T: LaiosShow> LaiosShow for ::std::collections::$t<T> {
    fn laios(&self) -> String { laios_sorted(self.iter().map(|x| x.laios())) }
  } )* } }
laios_sets!(HashSet, BTreeSet);
macro_rules! laios_tuples { ($(($($t:ident $n:tt),*)),*) => { $(
  impl<$($t: LaiosShow),*> LaiosShow for ($($t,)*) {
    fn laios(&self) -> String { format!("({})", [$(self.$n.laios()),*].join(", ")) }
  } )* } }
laios_tuples!((A 0), (A 0, B 1), (A 0, B 1, C 2), (A 0, B 1, C 2, D 3));
"""
# The types that the trait shows; others show themselves where they are Debug.
_SHOWN = re.compile(
    r"std|collections|vec|string|option|result|str|String|Vec|VecDeque|Option|Result|HashMap"
    r"|BTreeMap|HashSet|BTreeSet|Box|Rc|RefCell|rc|cell|bool|char|f32|f64|mut|[iu](?:8|16|32|64|128|size)|\d+|'\w+"
)
_WORD = re.compile(r"'?\w+")


_STEP = """
fn laios_step(asked: bool, call: impl FnOnce()) {
  let came = ::std::panic::catch_unwind(::std::panic::AssertUnwindSafe(call));
  if came.is_err() { print!("\\x02raised"); }
  if asked || came.is_err() { print!("\\x03"); }
}
"""


def rust_driver(calls: Sequence[FunctionCall]) -> str:
    bodies = (_call(each.signature, each.slots, each.given) for each in calls)
    return rust_program(_HEAD + rust_nodes(calls[0].signature.nodes if calls else ()), bodies)


def rust_sessions(sessions: Sequence[Session]) -> str:
    return rust_program(_HEAD + _STEP, ("\n".join(_lines(each)) for each in sessions))


def rust_shows(result: str) -> bool:
    """Whether what is of this type can be shown; an error is one as any other."""
    name, inner = arguments_of(result)
    if name.rpartition("::")[2] == "Result" and inner:
        result = inner[0]
    return all(map(_SHOWN.fullmatch, _WORD.findall(result)))


def rust_program(head: str, bodies: Iterable[str]) -> str:
    """One that does the body whose number it is given."""
    arms = (f"    {n} => {{\n{body}\n    }}\n" for n, body in enumerate(bodies))
    number = "::std::env::args().nth(1).and_then(|n| n.parse::<u32>().ok()).unwrap_or(0)"
    body = f"  let n: u32 = {number};\n  match n {{\n{''.join(arms)}    _ => {{}}\n  }}"
    return f"{head}fn main() {{\n{body}\n}}\n"


def _lines(session: Session) -> Iterator[str]:
    for name, made in session.made.items():
        yield from _new(name, session.kind, made)
    for each in session.calls:
        done = " ".join(_steps(session.kind, each.on, each))
        yield f"laios_step({str(each.is_asked).lower()}, || {{ {done} }});"


def _steps(kind: ObjectType, on: str, called: Called) -> Iterator[str]:
    for at, slot in enumerate(called.slots):
        if at not in called.others:
            yield f"let mut a{at}: {_owned(slot.kind)} = {_made(slot.kind, called.given[at])};"
    given = (
        _object(called.others[at], called.method.parameters[at][1])
        if at in called.others
        else _argument(at, slot)
        for at, slot in enumerate(called.slots)
    )
    text = f"{on}.{called.method.name}({', '.join(given)})"
    result = called.method.result
    if called.then:
        yield f"let mut m = {text}{_unwrapped(kind, called.method)};"
        yield from _steps(kind, "m", called.then)
    elif not called.is_asked:
        yield f"let _ = {text};"
    elif result in ("", "()"):
        yield f'{text}; print!("\\x02");'
    else:
        yield f"let r = {text};"
        yield from _shown(result)


def _object(name: str, text: str) -> str:
    """As a parameter of this type takes it."""
    refers = re.match(r"&\s*(?:'\w+\s+)?(mut\s)?", text)
    return ("&mut " if refers[1] else "&") + name if refers else name


def _unwrapped(kind: ObjectType, called: Signature) -> str:
    is_wrapped = re.match(r"(?:\w+::)*(?:Option|Result)\s*<", called.result)
    return ".unwrap()" if is_wrapped and gives_own("rust", kind, called) else ""


def _new(name: str, kind: ObjectType, made: Made) -> Iterator[str]:
    """What it is made of lives as long as it does: it may keep references."""
    for at, slot in enumerate(made.slots):
        yield f"let mut a{at}: {_owned(slot.kind)} = {_made(slot.kind, made.given[at])};"
    whole = re.sub(r"<", "::<", kind.name, count=1)
    if not made.maker.name:
        fields = (f"{field}: a{at}" for at, (field, _) in enumerate(made.maker.parameters))
        yield f"let mut {name} = {whole} {{ {', '.join(fields)} }};"
        return
    given = ", ".join(_argument(at, slot) for at, slot in enumerate(made.slots))
    yield f"let mut {name} = {whole}::{made.maker.name}({given}){_unwrapped(kind, made.maker)};"


def _call(signature: Signature, slots: Sequence[Slot], given: Given) -> str:
    lines = [
        f"let mut a{at}: {_owned(slot.kind)} = {_made(slot.kind, given[at])};"
        for at, slot in enumerate(slots)
    ]
    of = f"{signature.owner}::" if signature.owner else ""
    taken = ", ".join(_argument(n, slot) for n, slot in enumerate(slots))
    called = f"{of}{signature.name}({taken});"
    if signature.result and signature.result != "()":
        shown = _shown(signature.result, signature.nodes)
        return "\n".join([*lines, f"let r = {called}", *shown])
    left = [f'print!("{{}}\\n", a{n}.laios());' for n, slot in enumerate(slots) if slot.is_changed]
    return "\n".join([*lines, called, 'print!("\\x02");', *left])


def _shown(result: str, nodes: Nodes = ()) -> list[str]:
    """An error says as much as any other."""
    name, inner = arguments_of(result)
    if name.rpartition("::")[2] == "Result" and inner:
        ok, shown = _form(inner[0], "x", nodes)
        done = f'Ok(x) => print!("\\x02Ok({ok})", {shown})'
        return [f'match r {{ {done}, Err(_) => print!("\\x02Err") }}']
    form, shown = _form(result, "r", nodes)
    return [f'print!("\\x02{form}", {shown});']


def _form(result: str, name: str, nodes: Nodes) -> tuple[str, str]:
    linked = {each.word for each in nodes}
    words = [each for each in _WORD.findall(result) if each not in linked]
    is_known = all(map(_SHOWN.fullmatch, words))
    return ("{}", f"{name}.laios()") if is_known else ("{:?}", name)


def _owned(kind: Kind) -> str:
    """A slice is of a vector."""
    return f"Vec<{kind.items[0].text}>" if kind.text.startswith("&[") else kind.text


def _argument(at: int, slot: Slot) -> str:
    if slot.kind.node and slot.type.startswith("Option<&"):
        return f"a{at}.as_ref()" if "Box" in slot.type else f"a{at}.as_deref()"
    if not slot.type.startswith("&") or slot.kind.text == "&str":
        return f"a{at}"
    return f"&mut a{at}" if slot.is_changed else f"&a{at}"


def _made(kind: Kind, value: Any, *, is_inner: bool = False) -> str:
    match kind.name:
        case "nodes" | "tree":
            return made_of_nodes("rust", kind, value, _made)
        case "str":
            return _text(value) if kind.text == "&str" else f"String::from({_text(value)})"
        case "char":
            return f"char::from({ord(value)}u8)"
        case "bool":
            return "true" if value else "false"
        case "tuple":
            both = zip(kind.items, value, strict=True)
            return f"({', '.join(_made(item, each, is_inner=True) for item, each in both)})"
        case "list" | "set" | "dict":
            return _many(kind, value, is_inner=is_inner)
    return repr(value)


def _many(kind: Kind, value: Any, *, is_inner: bool) -> str:
    if kind.name == "dict":
        key, held = kind.items
        pairs = (f"({_made(key, k)}, {_made(held, v)})" for k, v in value.items())
        return f"[{', '.join(pairs)}].into_iter().collect()"
    items = ", ".join(_made(kind.items[0], each, is_inner=True) for each in value)
    if kind.size is not None:
        return f"[{items}]"
    if kind.text.startswith("&["):
        return f"&[{items}]" if is_inner else f"vec![{items}]"
    is_vector = kind.text.startswith("Vec")
    return f"vec![{items}]" if is_vector else f"[{items}].into_iter().collect()"


def _text(value: str) -> str:
    return '"' + "".join(c if c.isalnum() else f"\\u{{{ord(c):x}}}" for c in value) + '"'
