"""The drivers of functions and objects in C++. Pure."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pipeline.analysis.signatures.signature import Signature
from pipeline.testcases.c_driver import pointed
from pipeline.testcases.call_slots import Slot
from pipeline.testcases.driver_parts import TRUTH, FunctionCall, Given, quoted, switch
from pipeline.testcases.node_drivers import cpp_nodes, made_of_nodes
from pipeline.testcases.object_slots import Called, Made, Session
from pipeline.testcases.type_texts import arguments_of, kind_of
from pipeline.testcases.value_kinds import Kind

_HEAD = r"""
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>
struct LaiosShow {
  static std::string show(std::string_view s) {
    std::string out = "\"";
    for (char c : s) { if (c == '"' || c == '\\') out += '\\'; out += c; }
    return out + "\"";
  }
  static std::string show(const std::string &s) { return show(std::string_view(s)); }
  static std::string show(const char *s) { return s ? show(std::string_view(s)) : "NULL"; }
  static std::string show(char *s) { return show((const char *)s); }
  static std::string show(char c) { return show(std::string(1, c)); }
  template <class T> requires std::is_arithmetic_v<T> static std::string show(T v) {
    if constexpr (std::is_floating_point_v<T>) {
      char text[40];
      std::snprintf(text, sizeof text, "%.6g", (double)v + 0.0);
      return text;
    } else return std::to_string((long long)v);
  }
  template <class T> requires std::is_enum_v<T> static std::string show(T v) {
    return show((long long)v);
  }
  template <class A, class B> static std::string show(const std::pair<A, B> &p) {
    return "(" + show(p.first) + ", " + show(p.second) + ")";
  }
  template <class... T> static std::string show(const std::tuple<T...> &t) {
    return std::apply([](const auto &...each) {
      std::string out;
      ((out += (out.empty() ? "" : ", ") + show(each)), ...);
      return "(" + out + ")";
    }, t);
  }
  template <class T> static std::string show(const std::optional<T> &o) {
    return o ? "some " + show(*o) : "none";
  }
  template <class C> requires requires(const C &c) { c.begin(); c.end(); typename C::value_type; }
  static std::string show(const C &c) {
    std::vector<std::string> all;
    for (const auto &each : c) all.push_back(show((const typename C::value_type &)each));
    if constexpr (requires { typename C::key_type; }) std::sort(all.begin(), all.end());
    std::string out;
    for (const auto &each : all) out += (out.empty() ? "" : ", ") + each;
    return "[" + out + "]";
  }
  template <class T> requires (std::is_class_v<T>
    && requires(std::ostream &o, const T &t) { o << t; }
    && !requires(const T &t) { t.begin(); })
  static std::string show(const T &t) { std::ostringstream o; o << t; return o.str(); }
  static void put(const std::string &text) { std::fflush(stdout); std::cout << text << std::flush; }
  template <class F> static void step(bool asked, F f) {
    try { f(); } catch (...) { asked = true; put("\2raised"); }
    if (asked) put("\3");
  }
  // Whether what the call may have written elsewhere is a result, too.
  template <class F> static bool call(F f, bool truth) {
    if constexpr (std::is_void_v<std::invoke_result_t<F>>) {
      f();
      put("\2");
      return true;
    } else {
      auto &&r = f();
      put("\2");
      using R = std::remove_cvref_t<decltype(r)>;
      if constexpr (std::is_integral_v<R>) {
        put(truth ? (r ? "1" : "0") : show(r));
        return std::is_same_v<R, bool> || truth ? (bool)r : (long long)r >= 0;
      } else put(show(r));
      return false;
    }
  }
};
"""
_OPENED = "struct LaiosShow {\n"
_TAIL = """
int main(int argc, char **argv) {
  laios_call(argc > 1 ? std::atoi(argv[1]) : 0);
  std::fflush(stdout);
  return 0;
}
"""


def cpp_driver(calls: Sequence[FunctionCall]) -> str:
    bodies = ("\n".join(_called(each.signature, each.slots, each.given)) for each in calls)
    return _program_of(bodies, *cpp_nodes(calls[0].signature.nodes if calls else ()))


def _called(signature: Signature, slots: Sequence[Slot], given: Given) -> Iterator[str]:
    yield from _declared(slots, given)
    after = " ".join(_after(signature, enumerate(slots)))
    yield f"if ({_call(signature, slots)}) {{ {after} }}"


def cpp_sessions(sessions: Sequence[Session]) -> str:
    return _program_of("\n".join(_lines(each)) for each in sessions)


def cpp_shows(result: str) -> bool:
    """Whether what is of this type can be shown."""
    plain = re.sub(r"\bconst\b|&", " ", result).strip()
    name, inner = arguments_of(plain)
    is_some = name.rpartition("::")[2] == "optional" and inner
    return kind_of("cpp", inner[0] if is_some else plain) is not None


def _program_of(bodies: Iterable[str], makers: str = "", shows: str = "") -> str:
    head = _HEAD.replace(_OPENED, f"{_OPENED}{shows}")
    return f"{head}{makers}static void laios_call(int n) {{\n{switch(bodies)}\n}}\n{_TAIL}"


def _lines(session: Session) -> Iterator[str]:
    for name, made in session.made.items():
        yield f"{session.kind.name} {name} = {_new(session.kind.name, made)};"
    for each in session.calls:
        done = " ".join(_steps(each.on, each))
        yield f"LaiosShow::step({str(each.is_asked).lower()}, [&]() {{ {done} }});"


def _steps(on: str, called: Called) -> Iterator[str]:
    others = called.others
    plain = {at: slot for at, slot in enumerate(called.slots) if at not in others}
    yield from (_declaration(at, slot, called.given) for at, slot in plain.items())
    given = (
        ("&" if "*" in called.method.parameters[at][1] else "") + others[at]
        if at in others
        else _argument(at, slot)
        for at, slot in enumerate(called.slots)
    )
    operator = called.method.name.removeprefix("operator")
    if operator == called.method.name:
        text = f"{on}.{operator}({', '.join(given)})"
    elif operator == "[]":
        text = f"{on}[{', '.join(given)}]"
    else:
        text = f"({on} {operator} {', '.join(given)})"
    if called.then:
        then = " ".join(_steps("m", called.then))
        some = ".value()" if "optional" in called.method.result else ""
        # What is in an optional ends with it.
        held = "auto &" if "&" in called.method.result else "auto"
        yield f"{held} m = {text}{some}; {{ {then} }}"
    elif not called.is_asked:
        yield f"{text};"
    else:
        truth = "true" if TRUTH.fullmatch(called.method.name) else "false"
        after = " ".join(_after(called.method, plain.items()))
        shown = f"LaiosShow::call([&]() -> decltype(auto) {{ return {text}; }}, {truth})"
        yield f"if ({shown}) {{ {after} }}" if after else f"{shown};"


def _new(kind: str, made: Made) -> str:
    declared = " ".join(_declared(made.slots, made.given))
    given = ", ".join(_argument(at, slot) for at, slot in enumerate(made.slots))
    opened, closed = "()" if made.maker.name else "{}"
    return f"[&]() {{ {declared} return {kind}{opened}{given}{closed}; }}()"


def _call(signature: Signature, slots: Sequence[Slot]) -> str:
    of = f"{signature.owner}()." if signature.owner else "::"
    given = ", ".join(_argument(at, slot) for at, slot in enumerate(slots))
    truth = "true" if TRUTH.fullmatch(signature.name) else "false"
    called = f"{of}{signature.name}({given})"
    return f"LaiosShow::call([&]() -> decltype(auto) {{ return {called}; }}, {truth})"


def _after(signature: Signature, slots: Iterable[tuple[int, Slot]]) -> Iterator[str]:
    """Of a function that gives something, what it writes to out-parameters alone."""
    for at, slot in slots:
        is_plain = slot.is_changed and not slot.kind.items and slot.kind.name != "str"
        is_list = slot.kind.node and (slot.is_pointer or "&" in slot.type) and slot.is_changed
        is_left = is_plain or is_list or slot.role == "out"
        if is_left or (slot.is_changed and signature.result == "void"):
            yield f"LaiosShow::put({_left(at, slot)});"


def _left(at: int, slot: Slot) -> str:
    if slot.role == "out" and slot.kind.name != "str":
        return f"LaiosShow::show(std::vector<{slot.kind.text}>(a{at}, a{at} + 64))"
    if slot.is_pointer and slot.kind.name == "list":
        item = slot.kind.items[0].text.replace("char *", "std::string")
        return f"LaiosShow::show(std::vector<{item}>(a{at}, a{at} + a{at}_n))"
    return f"LaiosShow::show(a{at})"


def _argument(at: int, slot: Slot) -> str:
    if slot.role == "out" and not slot.is_pointer:
        return f"a{at}[0]"
    if slot.is_pointer and slot.role == "value":
        if slot.kind.name == "list" and "const" in slot.type and slot.kind.items[0].name == "str":
            return f"(const char **)a{at}"
        return f"a{at}" if slot.kind.name in ("list", "str") else f"&a{at}"
    is_given_away = "&&" in slot.type or ("unique_ptr" in slot.kind.text and "&" not in slot.type)
    return f"std::move(a{at})" if is_given_away else f"a{at}"


def _declared(slots: Sequence[Slot], given: Given) -> Iterator[str]:
    for at, slot in enumerate(slots):
        yield _declaration(at, slot, given)


def _declaration(at: int, slot: Slot, given: Given) -> str:
    """Of what is there until the end: objects may keep references."""
    made = f"static {slot.kind.text} a{at} = {_made(slot.kind, given[at])};"
    return pointed(at, slot, given) or made


def _made(kind: Kind, value: Any) -> str:
    match kind.name:
        case "nodes" | "tree":
            return made_of_nodes("cpp", kind, value, _made)
        case "str":
            return f"std::string({quoted(value)})"
        case "char":
            return quoted(value, "'")
        case "float":
            return repr(value)
        case "list" | "set" if kind.size is None:
            return f"{kind.text}{{{', '.join(_made(kind.items[0], each) for each in value)}}}"
        case "list":
            return f"{kind.text}{{{{{', '.join(_made(kind.items[0], each) for each in value)}}}}}"
        case "tuple":
            both = zip(kind.items, value, strict=True)
            return f"{kind.text}{{{', '.join(_made(item, each) for item, each in both)}}}"
        case "dict":
            key, held = kind.items
            pairs = (f"{{{_made(key, k)}, {_made(held, v)}}}" for k, v in value.items())
            return f"{kind.text}{{{', '.join(pairs)}}}"
    return str(int(value))
