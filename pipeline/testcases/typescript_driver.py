"""The drivers of functions and objects in TypeScript: below their program. Pure.

Its engine knows no types, so that one function shows any value."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from pipeline.analysis.signatures.signature import NodeType
from pipeline.testcases.driver_parts import FunctionCall
from pipeline.testcases.node_drivers import MOST_SHOWN, known_nodes, made_of_nodes
from pipeline.testcases.object_slots import Called, Made, Session
from pipeline.testcases.type_texts import kind_of
from pipeline.testcases.value_kinds import Kind

SHOWS = r"""
  const laiosShown = [];  // what it is within
  const laiosShow = (v, depth) => {
    if (depth > 12) return "...";
    if (typeof v === "string") return JSON.stringify(v);
    if (typeof v === "number")
      return String(Number.isInteger(v) || !Number.isFinite(v) ? v + 0 : Number(v.toPrecision(6)));
    if (typeof v === "function") return "a function";
    if (v === null || typeof v !== "object") return String(v);
    if (laiosShown.includes(v)) return "...";
    laiosShown.push(v);
    try {
      return laiosShowObject(v, depth);
    } finally {
      laiosShown.pop();
    }
  };
  const laiosShowObject = (v, depth) => {
    const linked = laiosNodes(v, (each) => laiosShow(each, depth + 1));
    if (linked !== undefined) return linked;
    const all = (items) => Array.from(items, (each) => laiosShow(each, depth + 1));
    if (Array.isArray(v) || ArrayBuffer.isView(v)) return `[${all(v).join(", ")}]`;
    if (v instanceof Set) return `Set {${all(v).sort().join(", ")}}`;
    if (v instanceof Map) {
      const pairs = Array.from(v, (pair) => all(pair).join(": "));
      return `Map {${pairs.sort().join(", ")}}`;
    }
    if (v instanceof Date) return Number.isNaN(v.getTime()) ? "no date" : v.toISOString();
    if (v instanceof Error) return `${v.name}: ${v.message}`;
    if (typeof v.next === "function" && typeof v[Symbol.iterator] === "function") {
      const some = [];
      for (const each of v) if (some.push(each) > 250) break;
      return `[${all(some).join(", ")}]`;
    }
    const own = Object.keys(v).filter((key) => v[key] !== undefined).sort();
    return `{${own.map((key) => `${key}: ${laiosShow(v[key], depth + 1)}`).join(", ")}}`;
  };
  const laiosIsOwn = (error) =>
    error instanceof ReferenceError ||
    (error instanceof RangeError && /call stack/.test(error.message)) ||
    (error instanceof TypeError && /^Cannot |is not a |is not iterable/.test(error.message));
"""
"""`laiosShow`: a value as text; `laiosNodes` says what linked nodes are. `laiosIsOwn`: whether an
error comes of a mistake of the program's own."""
_HEAD = r"""
  const laiosPut = (...all) =>
    process.stdout.write(`\x02${all.map((each) => laiosShow(each, 0)).join(", ")}`);
  const laiosGave = (given, ...left) => (given === undefined ? laiosPut(...left) : laiosPut(given));
  const laiosAsked = (it, name, given) =>
    typeof it[name] === "function" ? it[name](...given) : it[name];
  const laiosStep = async (asked, it, call) => {
    try {
      const given = await call();
      if (asked) laiosPut(given === it ? "itself" : given);
    } catch (error) {
      if (laiosIsOwn(error)) throw error;
      asked = true;
      process.stdout.write("\x02raised");
    }
    if (asked) process.stdout.write("\x03");
  };
"""
_MAIN = """
  try {
    await laiosCalls[Number(process.argv[2] ?? 0)]();
    process.exit(0);
  } catch (error) {
    console.error(`${laiosIsOwn(error) ? "runtime error" : "Uncaught"}: ${error}`);
    process.exit(1);
  }
})();
"""
_ANY = ("any", "unknown")
_FUNCTION = re.compile(r"\((?:x|a, b)\) => [^\n]*")  # of those that are given


def typescript_driver(calls: Sequence[FunctionCall]) -> str:
    """Raises ValueError for functions as results."""
    if any("=>" in each.signature.result for each in calls):
        raise ValueError("no plain result")
    nodes = calls[0].signature.nodes if calls else ()
    return _file_of([_call(each) for each in calls], nodes)


def typescript_sessions(sessions: Sequence[Session]) -> str:
    return _file_of(["; ".join(_lines(each)) for each in sessions], ())


def typescript_arguments(call: FunctionCall) -> list[str]:
    """As it writes them. Raises ValueError and the like for what is not of their types."""
    return [_made(slot.kind, call.given[at]) for at, slot in enumerate(call.slots)]


def plain_argument(value: Any) -> str:
    """Of which no type is known, as JavaScript writes it. Raises TypeError and ValueError for what
    it has no such form of."""
    return _unknown(value)


def typescript_shows(result: str) -> bool:
    """Whether what is of this type can be shown: not objects of the program's classes."""
    kind = kind_of("typescript", result)
    return result in _ANY or (kind is not None and kind.name != "function")


def _file_of(bodies: Sequence[str], nodes: Sequence[NodeType]) -> str:
    listed = "".join(f"    async () => {{ {body} }},\n" for body in bodies)
    head = f"\n;(async () => {{{SHOWS}{_HEAD}{node_functions(nodes)}"
    return f"{head}  const laiosCalls = [\n{listed}  ];{_MAIN}"


def _call(call: FunctionCall) -> str:
    signature, slots = call.signature, call.slots
    made = [f"const a{at} = {text};" for at, text in enumerate(typescript_arguments(call))]
    given = ", ".join(f"a{at}" for at in range(len(slots)))
    name = f"{signature.owner}.{signature.name}" if signature.owner else signature.name
    left = "".join(f", a{at}" for at, slot in enumerate(slots) if slot.is_changed)
    return " ".join([*made, f"laiosGave(await {name}({given}){left})"])


def _lines(session: Session) -> Iterator[str]:
    for name, made in session.made.items():
        yield f"const {name} = {_new(made)}"
    for each in session.calls:
        asked, call = json.dumps(each.is_asked), _asked(each.on, each)
        yield f"await laiosStep({asked}, {each.on}, async () => {call})"


def _new(made: Made) -> str:
    given = ", ".join(_made(slot.kind, made.given[at]) for at, slot in enumerate(made.slots))
    return f"new {made.maker.owner.partition('<')[0]}({given})"


def _asked(on: str, called: Called) -> str:
    given = ", ".join(
        called.others.get(at) or _made(slot.kind, called.given[at])
        for at, slot in enumerate(called.slots)
    )
    text = f"await laiosAsked({on}, {json.dumps(called.method.name)}, [{given}])"
    return _asked(f"({text})", called.then) if called.then else text


def _made(kind: Kind, value: Any) -> str:
    match kind.name:
        case "nodes" | "tree":
            return made_of_nodes("typescript", kind, value, _made)
        case "unknown":
            return _unknown(value)
        case "function":
            return str(value)  # of those that its kind names
        case "union":
            return _made(kind.one_of(value), value)
        case "optional":
            return kind.text if value is None else _made(kind.items[0], value)
        case "object":
            pairs = zip(kind.fields, kind.items, strict=True)
            return _object({name: _made(item, value[name]) for name, item in pairs})
        case "tuple":
            made = map(_made, kind.items, value)
            return f"[{', '.join(made)}]"
        case "list" | "set":
            listed = f"[{', '.join(_made(kind.items[0], each) for each in value)}]"
            return f"new Set({listed})" if kind.name == "set" else listed
        case "dict":
            key, held = kind.items
            if kind.text == "Record":
                return _object({str(k): _made(held, v) for k, v in value.items()})
            entries = (f"[{_made(key, k)}, {_made(held, v)}]" for k, v in value.items())
            return f"new Map([{', '.join(entries)}])"
    return f"{value}n" if kind.text == "bigint" else json.dumps(value)


def _unknown(value: Any) -> str:
    """As another draft has it, whose types are known."""
    match value:
        case str() if _FUNCTION.fullmatch(value):
            return value
        case list() | tuple():
            return f"[{', '.join(map(_unknown, value))}]"
        case dict():
            return _object({str(name): _unknown(each) for name, each in value.items()})
    return json.dumps(value)


def _object(fields: dict[str, str]) -> str:
    return f"{{{', '.join(f'{json.dumps(name)}: {text}' for name, text in fields.items())}}}"


def node_functions(nodes: Sequence[NodeType]) -> str:
    """Functions that make them, and how they are shown: by their fields, since an interface is
    nothing where it runs."""
    known = [node for node, _ in known_nodes("typescript", nodes)]
    shows = "".join(_node_show(node) for node in known)
    shown = f"  const laiosNodes = (v, show) => {{\n{shows}    return undefined;\n  }};\n"
    return "".join(map(_node_maker, known)) + shown


def _node_maker(node: NodeType) -> str:
    taken = "".join(f", a{n}" for n in range(len(node.links)))
    links = "".join(f" p.{link} = a{n};" for n, link in enumerate(node.links))
    back = f" p.{node.back} = null; if (a0) a0.{node.back} = p;" if node.back else ""
    new = f'typeof {node.name} === "undefined" ? {{}} : Object.create({node.name}.prototype)'
    return (
        f"  const laios_make_{node.word} = (v{taken}) => {{\n"
        f"    const p = {new}; p.{node.value} = v;{links}{back} return p;\n  }};\n"
    )


def _node_show(node: NodeType) -> str:
    fields = " && ".join(f'"{each}" in v' for each in (node.value, *node.links))
    if node.is_tree:
        left, right = (f"v.{link}" for link in node.links)
        below = f'${{{left} ? show({left}) : "-"}}, ${{{right} ? show({right}) : "-"}}'
        shown = f'show(v.{node.value}) + ({left} || {right} ? `({below})` : "")'
        return f"    if ({fields}) return {shown};\n"
    after = f"v && all.length < {MOST_SHOWN}; v = v.{node.links[0]}"
    return (
        f"    if ({fields}) {{\n      const all = [];\n"
        f"      for (; {after}) all.push(show(v.{node.value}));\n"
        f'      return all.join(" -> ");\n    }}\n'
    )
