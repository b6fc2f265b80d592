"""The drivers of methods and objects in Java: a second class with `main`. Pure."""

from collections.abc import Iterator, Sequence
from typing import Any

from pipeline.analysis.signatures.signature import Signature
from pipeline.testcases.call_slots import Slot
from pipeline.testcases.driver_parts import FunctionCall, Given, quoted, switch
from pipeline.testcases.node_drivers import java_nodes, made_of_nodes
from pipeline.testcases.object_slots import Called, Made, Session
from pipeline.testcases.type_texts import arguments_of, kind_of
from pipeline.testcases.value_kinds import Kind

_HEAD = r"""
public class LaiosTest {
  static String show(Object o, int depth) {
    if (o == null || depth > 12) return "null";
    String linked = nodes(o);
    if (linked != null) return linked;
    if (o instanceof CharSequence || o instanceof Character)
      return '"' + o.toString().replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    if (o instanceof Double || o instanceof Float)
      return show(((java.lang.Number) o).doubleValue());
    if (o instanceof java.util.Optional<?> some)
      return some.isPresent() ? "some " + show(some.get(), depth + 1) : "none";
    if (o instanceof java.util.Map<?, ?> map) {
      java.util.List<String> all = new java.util.ArrayList<>();
      map.forEach((k, v) -> all.add(show(k, depth + 1) + "=" + show(v, depth + 1)));
      java.util.Collections.sort(all);
      return "{" + String.join(", ", all) + "}";
    }
    if (o instanceof java.util.Map.Entry<?, ?> pair)
      return show(pair.getKey(), depth + 1) + "=" + show(pair.getValue(), depth + 1);
    if (o instanceof java.util.Collection<?> many) {
      java.util.List<String> all = new java.util.ArrayList<>();
      for (Object each : many) all.add(show(each, depth + 1));
      if (o instanceof java.util.Set) java.util.Collections.sort(all);
      return "[" + String.join(", ", all) + "]";
    }
    if (o.getClass().isArray()) {
      java.util.List<String> all = new java.util.ArrayList<>();
      for (int i = 0; i < java.lang.reflect.Array.getLength(o); i++)
        all.add(show(java.lang.reflect.Array.get(o, i), depth + 1));
      return "[" + String.join(", ", all) + "]";
    }
    String said = String.valueOf(o);
    return said.matches("[\\w.$;\\[]+@[0-9a-f]+") ? "" : said;
  }
  static String show(double d) {
    if (Double.isNaN(d) || Double.isInfinite(d)) return String.valueOf(d);
    java.math.BigDecimal all = new java.math.BigDecimal(d);
    return all.round(new java.math.MathContext(6)).stripTrailingZeros().toPlainString();
  }
  static void put(Object... all) {
    StringBuilder said = new StringBuilder("\2");
    for (Object each : all) said.append(said.length() > 1 ? ", " : "").append(show(each, 0));
    System.out.print(said);
    System.out.flush();
  }
"""
_MAIN = """
  public static void main(String[] words) throws Throwable {
    call(words.length > 0 ? Integer.parseInt(words[0]) : 0);
    System.exit(0);
  }
}
"""
# What is made where a type is none that can be.
_MADE = {"List": "ArrayList", "Collection": "ArrayList", "Iterable": "ArrayList"}
_MADE |= {"Set": "LinkedHashSet", "Map": "LinkedHashMap"}


_STEP = """
  static void step(boolean asked, java.util.concurrent.Callable<Object> call) throws Throwable {
    try { call.call(); }
    catch (NullPointerException | ClassCastException
        | java.util.ConcurrentModificationException own) { throw own; }
    catch (Exception meant) { asked = true; System.out.print("\\2raised"); }
    if (asked) System.out.print("\\3");
    System.out.flush();
  }
"""


def java_driver(calls: Sequence[FunctionCall]) -> str:
    # Each in a method of its own: a class with hundreds of values in one is slow to check.
    bodies = [_call(each.signature, each.slots, each.given) for each in calls]
    return _class_of(_HEAD + java_nodes(calls[0].signature.nodes if calls else ()), bodies)


def java_sessions(sessions: Sequence[Session]) -> str:
    return _class_of(_HEAD + java_nodes(()) + _STEP, ["\n".join(_lines(each)) for each in sessions])


def java_shows(result: str) -> bool:
    """Whether what is of this type can be shown."""
    name, inner = arguments_of(result)
    plain = inner[0] if name.rpartition(".")[2] == "Optional" and inner else result
    return kind_of("java", plain) is not None or plain.startswith("Optional")


def _class_of(head: str, bodies: Sequence[str]) -> str:
    methods = "".join(
        f"  static void call{n}() throws Throwable {{\n{body}\n  }}\n"
        for n, body in enumerate(bodies)
    )
    chosen = switch(f"call{n}();" for n in range(len(bodies)))
    one = f"  static void call(int n) throws Throwable {{\n{chosen}\n  }}"
    return f"{head}{methods}{one}{_MAIN}"


def _lines(session: Session) -> Iterator[str]:
    kind = session.kind.name
    for name, made in session.made.items():
        yield f"{kind} {name} = {_new(kind, made)};"
    for each in session.calls:
        called, last = _written(each.on, each)
        if not each.is_asked or last.method.result == "void":
            done = f"{called}; put();" if each.is_asked else f"{called};"
        else:
            done = f"Object r = {called}; put(r);"
        yield f"step({str(each.is_asked).lower()}, () -> {{ {done} return null; }});"


def _written(on: str, called: Called) -> tuple[str, Called]:
    """The call, and the last one on what it gives."""
    given = ", ".join(
        called.others[at] if at in called.others else _cast(slot, called.given[at])
        for at, slot in enumerate(called.slots)
    )
    text = f"{on}.{called.method.name}({given})"
    some = ".get()" if called.method.result.startswith("Optional") else ""
    return _written(text + some, called.then) if called.then else (text, called)


def _new(kind: str, made: Made) -> str:
    given = (_cast(slot, made.given[at]) for at, slot in enumerate(made.slots))
    called = f"{arguments_of(kind)[0]}.{made.maker.name}" if made.maker.is_static else f"new {kind}"
    return f"{called}({', '.join(given)})"


def _cast(slot: Slot, value: Any) -> str:
    small = f"({slot.kind.text}) " if slot.kind.text in ("byte", "short") else ""
    return small + _made(slot.kind, value)


def _call(signature: Signature, slots: Sequence[Slot], given: Given) -> str:
    made = [f"{s.kind.text} a{at} = {_made(s.kind, given[at])};" for at, s in enumerate(slots)]
    of = signature.owner if signature.is_static else f"new {signature.owner}()"
    called = f"{of}.{signature.name}({', '.join(f'a{at}' for at in range(len(slots)))});"
    if signature.result != "void":
        return "\n".join([*made, f"Object r = {called}", "put(r);"])
    left = [f"(Object) a{at}" for at, slot in enumerate(slots) if slot.is_changed]
    return "\n".join([*made, called, f"put({', '.join(left)});"])


def _made(kind: Kind, value: Any) -> str:
    match kind.name:
        case "nodes" | "tree":
            return made_of_nodes("java", kind, value, _made)
        case "str":
            return quoted(value)
        case "char":
            return quoted(value, "'")
        case "bool":
            return "true" if value else "false"
        case "float":
            return f"{value!r}{'f' if kind.text == 'float' else ''}"
        case "list" | "set":
            return _many(kind, value)
        case "dict":
            return _map(kind, value)
    return f"{value}L" if kind.text in ("long", "Long") else str(value)


def _many(kind: Kind, value: Any) -> str:
    items = ", ".join(_made(kind.items[0], each) for each in value)
    if kind.text.endswith("]"):
        return f"new {kind.text}{{{items}}}"
    return f"new {_class(kind)}(java.util.Arrays.<{kind.items[0].text}>asList({items}))"


def _map(kind: Kind, value: Any) -> str:
    key, held = kind.items
    puts = " ".join(f"put({_made(key, k)}, {_made(held, v)});" for k, v in value.items())
    return f"new {_class(kind)}() {{{{ {puts} }}}}"


def _class(kind: Kind) -> str:
    """That is made; the interfaces' names alone stand in the types of variables."""
    name = arguments_of(kind.text)[0].rpartition(".")[2]
    inner = ", ".join(each.text for each in kind.items)
    return f"java.util.{_MADE.get(name, name)}<{inner}>"
