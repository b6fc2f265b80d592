"""The driver of a method in Java: a second class with `main`. Pure."""

from collections.abc import Sequence
from typing import Any

from pipeline.analysis.call_signatures import Signature
from pipeline.testcases.call_slots import Slot
from pipeline.testcases.driver_parts import Given, quoted, switch
from pipeline.testcases.type_texts import Kind, arguments_of

_HEAD = r"""
public class LaiosTest {
  static String show(Object o, int depth) {
    if (o == null || depth > 12) return "null";
    if (o instanceof CharSequence || o instanceof Character)
      return '"' + o.toString().replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    if (o instanceof Double || o instanceof Float) return show(((Number) o).doubleValue());
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


def java_driver(signature: Signature, slots: Sequence[Slot], calls: Sequence[Given]) -> str:
    # Each in a method of its own: a class with hundreds of values in one is slow to check.
    bodies = [_call(signature, slots, given) for given in calls]
    methods = "".join(
        f"  static void call{n}() throws Throwable {{\n{body}\n  }}\n"
        for n, body in enumerate(bodies)
    )
    chosen = switch(f"call{n}();" for n in range(len(bodies)))
    one = f"  static void call(int n) throws Throwable {{\n{chosen}\n  }}"
    return f"{_HEAD}{methods}{one}{_MAIN}"


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
