"""The drivers of functions and objects in Go: a second file of their package. Pure."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pipeline.analysis.signatures.signature import Signature
from pipeline.testcases.call_slots import Slot
from pipeline.testcases.driver_parts import FunctionCall, Given
from pipeline.testcases.node_drivers import go_nodes, made_of_nodes
from pipeline.testcases.object_slots import Called, Made, Session
from pipeline.testcases.type_texts import Nodes, kind_of, split_at_commas
from pipeline.testcases.value_kinds import Kind

# Of other names: a program may have a function `sort`.
_HEAD = """
import (
\tlaios_fmt "fmt"
\tlaios_os "os"
\tlaios_reflect "reflect"
\tlaios_runtime "runtime"
\tlaios_sort "sort"
\tlaios_strconv "strconv"
\tlaios_strings "strings"
)

func laiosShow(v laios_reflect.Value, depth int) string {
\tif !v.IsValid() || depth > 12 {
\t\treturn "nil"
\t}
\tif v.CanInterface() {
\t\tif said, is := laiosNodes(v.Interface()); is {
\t\t\treturn said
\t\t}
\t}
\tswitch v.Kind() {
\tcase laios_reflect.String:
\t\treturn laios_strconv.Quote(v.String())
\tcase laios_reflect.Float32, laios_reflect.Float64:
\t\treturn laios_strconv.FormatFloat(v.Float()+0.0, 'g', 6, 64)
\tcase laios_reflect.Slice, laios_reflect.Array:
\t\tvar all []string
\t\tfor i := 0; i < v.Len(); i++ {
\t\t\tall = append(all, laiosShow(v.Index(i), depth+1))
\t\t}
\t\treturn "[" + laios_strings.Join(all, " ") + "]"
\tcase laios_reflect.Map:
\t\tvar all []string
\t\tfor _, key := range v.MapKeys() {
\t\t\tall = append(all, laiosShow(key, depth+1)+":"+laiosShow(v.MapIndex(key), depth+1))
\t\t}
\t\tlaios_sort.Strings(all)
\t\treturn "map[" + laios_strings.Join(all, " ") + "]"
\tcase laios_reflect.Struct:
\t\tvar all []string
\t\tfor i := 0; i < v.NumField(); i++ {
\t\t\tall = append(all, laiosShow(v.Field(i), depth+1))
\t\t}
\t\treturn "{" + laios_strings.Join(all, " ") + "}"
\tcase laios_reflect.Ptr, laios_reflect.Interface:
\t\tif v.IsNil() {
\t\t\treturn "nil"
\t\t}
\t\treturn laiosShow(v.Elem(), depth+1)
\tcase laios_reflect.Func, laios_reflect.Chan, laios_reflect.UnsafePointer:
\t\treturn v.Kind().String()
\t}
\treturn laios_fmt.Sprintf("%+v", v)
}

var _ laios_runtime.Error

func laiosPut(all ...any) {
\tvar said []string
\tfor _, each := range all {
\t\tsaid = append(said, laiosShow(laios_reflect.ValueOf(each), 0))
\t}
\tlaios_fmt.Print("\\x02", laios_strings.Join(said, ", "))
}

func init() {
\tdefer func() {
\t\tif r := recover(); r != nil {
\t\t\tlaios_fmt.Fprintln(laios_os.Stderr, "panic:", r)
\t\t\tlaios_os.Exit(2)
\t\t}
\t}()
\tn := 0
\tif len(laios_os.Args) > 1 {
\t\tn, _ = laios_strconv.Atoi(laios_os.Args[1])
\t}
\tlaiosCall(n)
\tlaios_os.Exit(0)
}
"""


_STEP = """
func laiosNew[T any]() *T {
\tmade := new(T)
\tif v := laios_reflect.ValueOf(made).Elem(); v.Kind() == laios_reflect.Map {
\t\tv.Set(laios_reflect.MakeMap(v.Type()))
\t}
\treturn made
}

func laiosStep(asked bool, call func()) {
\tdefer func() {
\t\tr := recover()
\t\tif own, is := r.(laios_runtime.Error); is && laios_strings.Contains(own.Error(), "nil") {
\t\t\tpanic(r)
\t\t}
\t\tif r != nil {
\t\t\tlaios_fmt.Print("\\x02raised")
\t\t}
\t\tif asked || r != nil {
\t\t\tlaios_fmt.Print("\\x03")
\t\t}
\t}()
\tcall()
}
"""


def go_driver(calls: Sequence[FunctionCall]) -> str:
    """Raises ValueError for results of types that the program has of its own: right programs may
    keep other things in them."""
    if not all(go_shows(each.signature.result, each.signature.nodes) for each in calls):
        raise ValueError("no plain result")
    bodies = (_call(each.signature, each.slots, each.given) for each in calls)
    return _file_of(_HEAD, bodies, calls[0].signature.nodes if calls else ())


def go_sessions(sessions: Sequence[Session]) -> str:
    return _file_of(_HEAD + _STEP, ("\n".join(_lines(each)) + "\n" for each in sessions))


def go_shows(result: str, nodes: Nodes = ()) -> bool:
    """Whether what is of these types can be shown."""
    return all(_is_plain(each, nodes) for each in _results(result))


def _file_of(head: str, bodies: Iterable[str], nodes: Nodes = ()) -> str:
    head += go_nodes(nodes)
    cases = (f"\tcase {n}:\n{body}" for n, body in enumerate(bodies))
    return f"{head}\nfunc laiosCall(n int) {{\n\tswitch n {{\n{''.join(cases)}\t}}\n}}\n"


def _lines(session: Session) -> Iterator[str]:
    for name, made in session.made.items():
        yield f"{name} := {_new(made)}"
        yield f"_ = {name}"
    is_address = _is_address(next(iter(session.made.values())).maker)
    for each in session.calls:
        body = "; ".join(_steps(each.on, each, is_address=is_address))
        yield f"laiosStep({str(each.is_asked).lower()}, func() {{ {body} }})"


def _steps(on: str, called: Called, *, is_address: bool) -> Iterator[str]:
    """`is_address`: whether the session's objects are."""
    given = ", ".join(_arguments(called, is_address=is_address))
    text = f"{on}.{called.method.name}({given})"
    kinds = _results(called.method.result)
    if called.then:  # what comes beside an error is no object
        names = ", ".join(f"m{n}" for n in range(len(kinds)))
        yield f"{names} := {text}"
        failed = [f"m{n} != nil" for n, kind in enumerate(kinds) if kind == "error"]
        if failed:
            yield f'if {" || ".join(failed)} {{ laiosPut("error"); return }}'
        yield from (f"_ = m{n}" for n in range(len(kinds)))
        then = "; ".join(_steps("m0", called.then, is_address=is_address))
        yield f"func() {{ {then} }}()"
    elif not called.is_asked:
        yield text
    elif not kinds:
        yield f"{text}; laiosPut()"
    else:
        yield f"{', '.join(f'r{n}' for n in range(len(kinds)))} := {text}"
        yield from _shown(kinds)


def _arguments(called: Called, *, is_address: bool) -> Iterator[str]:
    for at, slot in enumerate(called.slots):
        if at not in called.others:
            yield _made(slot.kind, called.given[at])
            continue
        takes_address = called.method.parameters[at][1].startswith("*")
        yield {0: "", 1: "&", -1: "*"}[takes_address - is_address] + called.others[at]


def _is_address(maker: Signature) -> bool:
    return not maker.name or _results(maker.result)[0].startswith("*")


def _new(made: Made) -> str:
    given = ", ".join(_made(slot.kind, made.given[at]) for at, slot in enumerate(made.slots))
    if not made.maker.name:
        of = made.maker.owner
        return f"&{of}{{{given}}}" if given else f"laiosNew[{of}]()"
    called = f"{made.maker.name}({given})"
    kinds = _results(made.maker.result)
    if len(kinds) == 1:
        return called
    failed = "!err" if kinds[1] == "bool" else "err != nil"
    done = f"if {failed} {{ panic(err) }}; return made"
    return f"func() {kinds[0]} {{ made, err := {called}; {done} }}()"


def _call(signature: Signature, slots: Sequence[Slot], given: Given) -> str:
    lines = [f"var a{n} {s.kind.text} = {_made(s.kind, given[n])}" for n, s in enumerate(slots)]
    called = f"{signature.name}({', '.join(f'a{at}' for at in range(len(slots)))})"
    kinds = _results(signature.result)
    if not kinds:
        left = ", ".join(f"a{at}" for at, slot in enumerate(slots) if slot.is_changed)
        lines += [called, f"laiosPut({left})"]
    else:
        lines += [f"{', '.join(f'r{n}' for n in range(len(kinds)))} := {called}", *_shown(kinds)]
    return "".join(f"\t\t{line}\n" for line in lines)


def _shown(kinds: Sequence[str]) -> list[str]:
    """What is given beside an error is no result."""
    plain = [f"r{n}" for n, kind in enumerate(kinds) if kind != "error"]
    errors = [f"r{n} != nil" for n, kind in enumerate(kinds) if kind == "error"]
    if not errors:
        return [f"laiosPut({', '.join(plain)})"]
    beside = [f"_ = {each}" for each in plain]
    shown = ", ".join(['"ok"', *plain])
    failed = f'if {" || ".join(errors)} {{ laiosPut("error") }}'
    return [*beside, f"{failed} else {{ laiosPut({shown}) }}"]


def _results(result: str) -> list[str]:
    is_many = result.startswith("(") and result.endswith(")")
    return [*split_at_commas(result[1:-1])] if is_many else [result] if result else []


def _is_plain(result: str, nodes: Nodes) -> bool:
    return result in ("error", "any", "interface{}") or kind_of("go", result, nodes) is not None


def _made(kind: Kind, value: Any) -> str:
    match kind.name:
        case "nodes" | "tree":
            return made_of_nodes("go", kind, value, _made)
        case "str":
            return json.dumps(value, ensure_ascii=False)
        case "char":
            return f"rune({ord(value)})"
        case "bool":
            return "true" if value else "false"
        case "list":
            return f"{kind.text}{{{', '.join(_made(kind.items[0], each) for each in value)}}}"
        case "dict":
            key, held = kind.items
            pairs = (f"{_made(key, k)}: {_made(held, v)}" for k, v in value.items())
            return f"{kind.text}{{{', '.join(pairs)}}}"
    return repr(value)
