"""The drivers of functions and objects in C. Pure."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pipeline.analysis.signatures.signature import ObjectType, Signature
from pipeline.testcases.call_slots import Slot
from pipeline.testcases.driver_parts import TRUTH, FunctionCall, Given, quoted, switch
from pipeline.testcases.node_drivers import c_nodes, made_of_nodes
from pipeline.testcases.object_slots import Called, Made, Session, gives_own, links_of
from pipeline.testcases.type_texts import kind_of
from pipeline.testcases.value_kinds import Kind

_BUFFER = 256
_PLACES = 64  # of an array that a function fills
_HEAD = """
#include <stdio.h>
#include <stdlib.h>
static void laios_text(const char *s) {
  if (!s) { printf("NULL"); return; }
  putchar('"');
  for (; *s; s++) {
    if (*s == '"' || *s == '\\\\') putchar('\\\\');
    putchar(*s);
  }
  putchar('"');
}
static void laios_char(char c) { char s[2] = {c, 0}; laios_text(s); }
static void laios_int(long long n) { printf("%lld", n); }
static void laios_float(double d) { printf("%.6g", d + 0.0); }
"""
_TAIL = """
int main(int argc, char **argv) {
  laios_call(argc > 1 ? atoi(argv[1]) : 0);
  fflush(stdout);
  return 0;
}
"""
# They give a place in the list, not what it has become.
_FINDS = re.compile(r"find|search|look|get|last|tail|middle|nth|next|peek|front|copy|clone", re.I)
_SHOWS = {"str": "laios_text", "char": "laios_char", "float": "laios_float"}


def c_driver(calls: Sequence[FunctionCall]) -> str:
    """Raises ValueError where what they give cannot be shown."""
    bodies = ("\n".join(_called(each.signature, each.slots, each.given)) for each in calls)
    return _program_of(bodies, c_nodes(calls[0].signature.nodes if calls else (), shows))


def _called(signature: Signature, slots: Sequence[Slot], given: Given) -> Iterator[str]:
    yield from _declared(slots, given)
    yield _call(signature, slots)
    yield from _after(signature, slots)


def c_sessions(sessions: Sequence[Session]) -> str:
    """Raises ValueError where what it gives cannot be shown."""
    nodes = sessions[0].kind.nodes if sessions else ()
    return _program_of(("\n".join(_lines(each)) for each in sessions), c_nodes(nodes, shows))


def c_shows(result: str) -> bool:
    """Whether what is of this type can be shown."""
    plain = re.sub(r"\bconst\b", " ", result).strip()
    return bool(re.fullmatch(r"char \*", plain)) or kind_of("c", plain) is not None


def _program_of(bodies: Iterable[str], nodes: str = "") -> str:
    return f"{_HEAD}{nodes}static void laios_call(int n) {{\n{switch(bodies)}\n}}\n{_TAIL}"


def _lines(session: Session) -> Iterator[str]:
    """A list that is nothing yet becomes what its functions give."""
    for name, made in session.made.items():
        yield _new(name, session.kind, made)
    for each in session.calls:
        yield f"{{ {' '.join(_steps(session.kind, each.on, each))} }}"
    for name in session.made:
        yield _walk(name, session.kind)


def _steps(kind: ObjectType, on: str, called: Called) -> Iterator[str]:
    method = called.method
    for at, slot in enumerate(called.slots):
        if at not in called.others:
            yield _declaration(at, slot, called.given)
    given = [_object(on, method.receiver)]
    given += [
        _object(called.others[at], method.parameters[at][1])
        if at in called.others
        else argument(at, slot)
        for at, slot in enumerate(called.slots)
    ]
    text = f"{method.name}({', '.join(given)});"
    if called.then:
        then = " ".join(_steps(kind, "m", called.then))
        is_address = method.result.endswith("*")
        held = (
            f"{kind.name} *m = {text}"
            if is_address
            else f"{kind.name} h = {text} {kind.name} *m = &h;"
        )
        yield f'{held} if (!m) {{ printf("\\2NULL\\3"); }} else {{ {then} }}'
    elif links_of(kind) and gives_own("c", kind, method):
        yield text if _FINDS.search(method.name) else f"{on} = {text}"
    elif not called.is_asked:
        yield text
    else:
        yield (
            f"{text} putchar(2);"
            if method.result == "void"
            else (f"{method.result} r = {text} putchar(2);")
        )
        yield from _after(method, called.slots)
        yield "putchar(3);"


def _walk(name: str, kind: ObjectType) -> str:
    """Shows what the nodes of a list or a tree hold; "" for what is none."""
    links = links_of(kind)
    node = kind_of("c", f"{kind.name} *", kind.nodes)
    if node and node.node and links:
        return f"putchar(2); {shows(node)}({name}); putchar(3);"
    plain = [(field, held) for field, text in kind.fields if (held := kind_of("c", text))]
    if len(links) != 1 or not plain:
        return ""
    shown = " ".join(f"{shows(held)}(p->{field}); putchar(' ');" for field, held in plain)
    nodes = f"{kind.name} *p = {name}; p && n++ < {_PLACES}; p = p->{links[0]}"
    return f"{{ int n = 0; putchar(2); for ({nodes}) {{ {shown} }} putchar(3); }}"


def _object(name: str, taken: str) -> str:
    """As a parameter of this type takes what is an address."""
    return {0: "*", 1: "", 2: "&"}[taken.count("*")] + name


def _new(name: str, kind: ObjectType, made: Made) -> str:
    """Declares its address."""
    maker = made.maker
    if not maker.name:
        return f"{kind.name} *{name} = NULL;"
    return f'{_made_object(name, kind, made)} if (!{name}) {{ printf("\\2NULL\\3"); break; }}'


def _made_object(name: str, kind: ObjectType, made: Made) -> str:
    maker = made.maker
    declared = " ".join(_declared(made.slots, made.given))
    given = [argument(at, slot) for at, slot in enumerate(made.slots)]
    if maker.receiver:
        held = f"static {kind.name} {name}_held; {kind.name} *{name} = &{name}_held;"
        return f"{held} {{ {declared} {maker.name}({', '.join([name, *given])}); }}"
    called = f"({{ {declared} {maker.name}({', '.join(given)}); }})"
    if maker.result.endswith("*"):
        return f"{kind.name} *{name} = {called};"
    return f"{kind.name} {name}_held = {called}; {kind.name} *{name} = &{name}_held;"


def _call(signature: Signature, slots: Sequence[Slot]) -> str:
    given = ", ".join(argument(at, slot) for at, slot in enumerate(slots))
    called = f"{signature.name}({given});"
    if signature.result == "void":
        return f"{called} putchar(2);"
    return f"{signature.result} r = {called} putchar(2);"


def _after(signature: Signature, slots: Sequence[Slot]) -> Iterator[str]:
    """Shows what came. What is written where a function says that it failed is no result."""
    changed = [(at, slot) for at, slot in enumerate(slots) if slot.role == "out" or slot.is_changed]
    if signature.result == "void":
        yield from (left(at, slot) for at, slot in changed)
        return
    node = kind_of("c", signature.result, signature.nodes)
    if node and node.node:
        yield f"{shows(node)}(r);"
        return
    if signature.result.endswith("*") and "char" not in signature.result:
        yield _array_result(signature, slots)
        return
    text = signature.result.endswith("*")
    kind = Kind("str", "char *") if text else kind_of("c", signature.result)
    if kind is None or signature.result.count("*") > 1:
        raise ValueError("no plain result")
    truth = "!!" if kind.name == "bool" or TRUTH.fullmatch(signature.name) else ""
    yield f"{shows(kind)}({truth}r);"
    if kind.name in ("int", "bool"):
        done = "r" if kind.name == "bool" or truth else "(long long)r >= 0"
        shown = "".join(left(at, slot) for at, slot in changed if slot.role == "out")
        shown += "".join(_beginning(at, slot) for at, slot in changed if slot.role != "out")
        yield f"if ({done}) {{ putchar(' '); {shown} }}" if shown else ""


def _array_result(signature: Signature, slots: Sequence[Slot]) -> str:
    """As many as an out-parameter says. Raises ValueError where there is none."""
    kind = kind_of("c", signature.result.replace("*", ""))
    sizes = [at for at, slot in enumerate(slots) if slot.role == "out" and slot.kind.name == "int"]
    if kind is None or signature.result.count("*") > 1 or not sizes:
        raise ValueError("no known size")
    size = f"(long long)a{sizes[-1]}[0]"
    return f'if (!r) printf("NULL"); else {_each(kind, "r", f"i < {size} && i < 1000")}'


def shows(kind: Kind) -> str:
    if kind.node:
        return f"laios_show_{kind.node.word}"
    return _SHOWS.get(kind.name, "laios_int")


def left(at: int, slot: Slot) -> str:
    """Shows what a parameter holds after the call."""
    end = "putchar('\\n');"
    if slot.role == "out" and slot.kind.name != "str":  # but for zeros that it does not reach
        reached = f"int k = {_PLACES}; while (k > 1 && !a{at}[k - 1]) k--;"
        return f"{{ {reached} {_each(slot.kind, f'a{at}', 'i < k')} {end} }}"
    if slot.kind.name != "list":
        return f"{shows(slot.kind)}(a{at}); {end}"
    return f"{_each(slot.kind.items[0], f'a{at}', f'i < a{at}_n')} {end}"


def _each(kind: Kind, name: str, so_far: str) -> str:
    shown = f"{shows(kind)}({name}[i]); putchar(' ');"
    return f"for (long long i = 0; {so_far}; i++) {{ {shown} }}"


def _beginning(at: int, slot: Slot) -> str:
    """Of an array so many as the result says: what removes some from it gives how many are left."""
    if slot.kind.name != "list":
        return left(at, slot) if slot.kind.node and slot.is_pointer else ""
    return _each(slot.kind.items[0], f"a{at}", f"i < a{at}_n && i < (long long)r")


def argument(at: int, slot: Slot) -> str:
    if slot.role == "size":
        return f"a{at}"
    if slot.role == "out" and not slot.is_pointer:
        return f"a{at}[0]"
    if slot.is_pointer and slot.kind.name not in ("list", "str") and slot.role == "value":
        return f"&a{at}"
    return f"(void *)a{at}" if slot.kind.name == "list" else f"a{at}"


def _declared(slots: Sequence[Slot], given: Given) -> Iterator[str]:
    for at, slot in enumerate(slots):
        yield _declaration(at, slot, given)


def _declaration(at: int, slot: Slot, given: Given) -> str:
    return pointed(at, slot, given) or f"{slot.kind.text} a{at} = {_plain(slot.kind, given[at])};"


def pointed(at: int, slot: Slot, given: Given) -> str:
    """The declaration of what is an address in C, and of sizes; "" for a plain value. It is there
    until the end: objects may keep the address."""
    if slot.role == "out":
        places = _BUFFER if slot.kind.name == "str" else _PLACES
        plain = "char" if slot.kind.name == "str" else slot.kind.text
        return f"static {plain} a{at}[{places}] = {{0}};"
    if slot.role == "size":
        return f"{slot.kind.text} a{at} = {_size(slot, given)};"
    if slot.is_pointer and slot.kind.name == "str":
        return f"static char a{at}[{_BUFFER}] = {quoted(given[at])};"
    if slot.is_pointer and slot.kind.name == "list":
        return f"int a{at}_n = {len(given[at])}; {_array(at, slot.kind.items[0], given[at])}"
    return ""


def _size(slot: Slot, given: Given) -> int:
    """Of arrays with one size the shortest's; of a buffer its own."""
    return min(len(given[each]) if each in given else _BUFFER for each in slot.of)


def _array(at: int, item: Kind, values: Sequence[Any]) -> str:
    """One place at least: C has no empty arrays."""
    if item.name == "str":
        texts = ", ".join(map(quoted, values)) or '""'
        held = ", ".join(f"a{at}_s[{n}]" for n in range(len(values))) or "0"
        return (
            f"static char a{at}_s[][{_BUFFER}] = {{{texts}}};"
            f" static char *a{at}[{len(values) + 1}] = {{{held}}};"
        )
    written = ", ".join(_plain(item, each) for each in values) or "0"
    if item.node:
        return f"{item.text}a{at}[{len(values) + 1}] = {{{written}}};"
    return f"static {item.text} a{at}[{len(values) + 1}] = {{{written}}};"


def _plain(kind: Kind, value: Any) -> str:
    if kind.node:
        return made_of_nodes("c", kind, value, _plain)
    if kind.name == "char":
        return quoted(value, "'")
    return repr(float(value)) if kind.name == "float" else str(int(value))
