"""The driver of a function in Go: a second file of its package. Pure."""

import json
from collections.abc import Sequence
from typing import Any

from pipeline.analysis.call_signatures import Signature
from pipeline.testcases.call_slots import Slot
from pipeline.testcases.driver_parts import Given
from pipeline.testcases.type_texts import Kind, kind_of, split_at_commas

_HEAD = """
import (
\t"fmt"
\t"os"
\t"reflect"
\t"sort"
\t"strconv"
\t"strings"
)

func laiosShow(v reflect.Value, depth int) string {
\tif !v.IsValid() || depth > 12 {
\t\treturn "nil"
\t}
\tswitch v.Kind() {
\tcase reflect.String:
\t\treturn strconv.Quote(v.String())
\tcase reflect.Float32, reflect.Float64:
\t\treturn strconv.FormatFloat(v.Float()+0.0, 'g', 6, 64)
\tcase reflect.Slice, reflect.Array:
\t\tvar all []string
\t\tfor i := 0; i < v.Len(); i++ {
\t\t\tall = append(all, laiosShow(v.Index(i), depth+1))
\t\t}
\t\treturn "[" + strings.Join(all, " ") + "]"
\tcase reflect.Map:
\t\tvar all []string
\t\tfor _, key := range v.MapKeys() {
\t\t\tall = append(all, laiosShow(key, depth+1)+":"+laiosShow(v.MapIndex(key), depth+1))
\t\t}
\t\tsort.Strings(all)
\t\treturn "map[" + strings.Join(all, " ") + "]"
\tcase reflect.Struct:
\t\tvar all []string
\t\tfor i := 0; i < v.NumField(); i++ {
\t\t\tall = append(all, laiosShow(v.Field(i), depth+1))
\t\t}
\t\treturn "{" + strings.Join(all, " ") + "}"
\tcase reflect.Ptr, reflect.Interface:
\t\tif v.IsNil() {
\t\t\treturn "nil"
\t\t}
\t\treturn laiosShow(v.Elem(), depth+1)
\tcase reflect.Func, reflect.Chan, reflect.UnsafePointer:
\t\treturn v.Kind().String()
\t}
\treturn fmt.Sprintf("%+v", v)
}

func laiosPut(all ...any) {
\tvar said []string
\tfor _, each := range all {
\t\tsaid = append(said, laiosShow(reflect.ValueOf(each), 0))
\t}
\tfmt.Print("\\x02", strings.Join(said, ", "))
}

func init() {
\tdefer func() {
\t\tif r := recover(); r != nil {
\t\t\tfmt.Fprintln(os.Stderr, "panic:", r)
\t\t\tos.Exit(2)
\t\t}
\t}()
\tn := 0
\tif len(os.Args) > 1 {
\t\tn, _ = strconv.Atoi(os.Args[1])
\t}
\tlaiosCall(n)
\tos.Exit(0)
}
"""


def go_driver(signature: Signature, slots: Sequence[Slot], calls: Sequence[Given]) -> str:
    """Raises ValueError for results of types that the program has of its own: right programs may
    keep other things in them."""
    if not all(map(_is_plain, _results(signature.result))):
        raise ValueError("no plain result")
    cases = (f"\tcase {n}:\n{_call(signature, slots, given)}" for n, given in enumerate(calls))
    return f"{_HEAD}\nfunc laiosCall(n int) {{\n\tswitch n {{\n{''.join(cases)}\t}}\n}}\n"


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


def _is_plain(result: str) -> bool:
    return result in ("error", "any", "interface{}") or kind_of("go", result) is not None


def _made(kind: Kind, value: Any) -> str:
    match kind.name:
        case "str":
            return json.dumps(value)
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
