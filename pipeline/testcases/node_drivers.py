"""How drivers make linked nodes of a program's own type, and show them: a list as `1 -> 2`, a tree
as `1(2, -)`, with what is left and right below. Pure."""

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

from pipeline.analysis.signatures.signature import NodeType
from pipeline.testcases.linked_values import Nested, nested
from pipeline.testcases.type_texts import kind_of
from pipeline.testcases.value_kinds import Kind

MOST_SHOWN = 250  # more are a circle
_NOTHING = {"c": "NULL", "cpp": "nullptr", "go": "nil", "java": "null", "rust": "None"}
_NOTHING |= {"typescript": "null"}


def made_of_nodes(
    language: str, kind: Kind, value: Sequence[Any], plain: Callable[[Kind, Any], str]
) -> str:
    """The expression that makes them; `plain` writes a value that one holds."""
    assert kind.node
    make, nothing = f"laios_make_{kind.node.word}", _NOTHING[language]

    def linked(below: str, held: Any) -> str:
        return f"{make}({plain(kind.items[0], held)}, {below})"

    def tree(of: Nested | None) -> str:
        if of is None:
            return nothing
        return f"{make}({plain(kind.items[0], of[0])}, {tree(of[1])}, {tree(of[2])})"

    if kind.name == "tree":
        return tree(nested(value))
    return reduce(linked, reversed(value), nothing)


def holds(language: str, node: NodeType) -> Kind | None:
    """What its nodes hold; None where no plain value is of that type."""
    kind = kind_of(language, node.value_type)
    return None if kind is None or kind.items else kind


def known_nodes(language: str, nodes: Sequence[NodeType]) -> list[tuple[NodeType, Kind]]:
    """Those that hold plain values."""
    found = ((node, holds(language, node)) for node in nodes)
    return [(node, kind) for node, kind in found if kind]


# --- C and C++ -----------------------------------------------------------------------------------


def c_nodes(nodes: Sequence[NodeType], show: Callable[[Kind], str]) -> str:
    """Functions that make and show them, as `laios_show_…`. `show`: the function that shows a
    plain value."""
    return "".join(_c_nodes(node, kind, show(kind)) for node, kind in known_nodes("c", nodes))


def _c_nodes(node: NodeType, kind: Kind, show: str) -> str:
    head = f"static void laios_show_{node.word}({node.name} *p) {{"
    if node.is_tree:
        left, right = node.links
        body = f"""
  if (!p) {{ putchar('-'); return; }}
  {show}(p->{node.value});
  if (!p->{left} && !p->{right}) return;
  putchar('('); laios_show_{node.word}(p->{left}); printf(", ");
  laios_show_{node.word}(p->{right}); putchar(')');"""
    else:
        body = f"""
  int n = 0;
  if (!p) printf("NULL");
  for (; p && n < {MOST_SHOWN}; p = p->{node.links[0]}) {{
    if (n++) printf(" -> ");
    {show}(p->{node.value});
  }}"""
    new = f"{node.name} *p = calloc(1, sizeof *p);"
    return f"{_c_maker(node, kind, new)}{head}{body}\n}}\n"


def _c_maker(node: NodeType, kind: Kind, new: str) -> str:
    taken = "".join(f", {node.name} *a{n}" for n in range(len(node.links)))
    links = " ".join(f"p->{link} = a{n};" for n, link in enumerate(node.links))
    back = f" if (a0) a0->{node.back} = p;" if node.back else ""
    return (
        f"static {node.name} *laios_make_{node.word}({kind.text} v{taken}) {{\n"
        f"  {new} p->{node.value} = v; {links}{back} return p;\n}}\n"
    )


_CPP_NEW = """
template <class T, class V> static T *laios_new(const V &v) {
  if constexpr (std::is_default_constructible_v<T>) return new T();
  else if constexpr (std::is_constructible_v<T, V>) return new T(v);
  else if constexpr (std::is_constructible_v<T, V, T *>) return new T(v, nullptr);
  else return new T(v, nullptr, nullptr);
}
"""


def cpp_nodes(nodes: Sequence[NodeType]) -> tuple[str, str]:
    """Functions that make them, and those that show them, which stand in `LaiosShow`."""
    known = known_nodes("cpp", nodes)
    makers = (_cpp_maker(node, kind) for node, kind in known)
    shows = "".join(_cpp_show(node) for node, _ in known)
    return (_CPP_NEW + "".join(makers) if known else ""), shows


def _cpp_maker(node: NodeType, kind: Kind) -> str:
    if pointer := _pointer(node):
        taken = "".join(f", {pointer} a{n}" for n in range(len(node.links)))
        links = " ".join(f"p->{link} = std::move(a{n});" for n, link in enumerate(node.links))
        return (
            f"static {pointer} laios_make_{node.word}({kind.text} v{taken}) {{\n"
            f"  {pointer} p(laios_new<{node.name}>(v));\n"
            f"  p->{node.value} = v; {links} return p;\n}}\n"
        )
    alone = f" p->{node.back} = nullptr;" if node.back else ""
    return _c_maker(node, kind, f"{node.name} *p = laios_new<{node.name}>(v);{alone}")


def _pointer(node: NodeType) -> str:
    """What owns one; "" for an address."""
    owners = ("unique_ptr", "shared_ptr")
    owner = next((each for each in owners for text in node.written if text.startswith(each)), "")
    return f"std::{owner}<{node.name}>" if owner else ""


def _cpp_show(node: NodeType) -> str:
    pointer = _pointer(node)
    owned = (
        f"  static std::string show(const {pointer} &p) {{ return show(p.get()); }}\n"
        if pointer
        else ""
    )
    return owned + _cpp_show_at(node, ".get()" if pointer else "")


def _cpp_show_at(node: NodeType, address: str) -> str:
    head = f"  static std::string show(const {node.name} *p) {{"
    if node.is_tree:
        left, right = node.links
        body = f"""
    if (!p) return "-";
    if (!p->{left} && !p->{right}) return show(p->{node.value});
    return show(p->{node.value}) + "(" + show(p->{left}) + ", " + show(p->{right}) + ")";"""
    else:
        body = f"""
    std::string out;
    for (int n = 0; p && n < {MOST_SHOWN}; n++, p = p->{node.links[0]}{address})
      out += (n ? " -> " : "") + show(p->{node.value});
    return out.empty() ? "NULL" : out;"""
    return f"{head}{body}\n  }}\n"


# --- Go ------------------------------------------------------------------------------------------


def go_nodes(nodes: Sequence[NodeType]) -> str:
    """Functions that make them, and `laiosNodes`, which shows them and says whether they are any.
    Those of the same program only: they are in one package."""
    known = known_nodes("go", nodes)
    makers = "".join(_go_maker(node, kind) for node, kind in known)
    cases = "".join(f"\tcase *{node.name}:\n{_go_show(node)}" for node, _ in known)
    head = "func laiosNodes(v any) (string, bool) {\n"
    body = f"\tswitch p := v.(type) {{\n{cases}\t}}\n" if known else ""
    return f'{makers}{head}{body}\treturn "", false\n}}\n'


def _go_maker(node: NodeType, kind: Kind) -> str:
    taken = "".join(f", a{n} *{node.name}" for n in range(len(node.links)))
    links = "".join(f", {link}: a{n}" for n, link in enumerate(node.links))
    back = f"\tif a0 != nil {{\n\t\ta0.{node.back} = p\n\t}}\n" if node.back else ""
    return (
        f"func laios_make_{node.word}(v {kind.text}{taken}) *{node.name} {{\n"
        f"\tp := &{node.name}{{{node.value}: v{links}}}\n{back}\treturn p\n}}\n"
    )


def _go_show(node: NodeType) -> str:
    if not node.is_tree:
        return _go_list(node)
    left, right = (f"laiosShow(laios_reflect.ValueOf(p.{link}), 0)" for link in node.links)
    held = f"laiosShow(laios_reflect.ValueOf(p.{node.value}), 0)"
    return f"""\t\tif p == nil {{
\t\t\treturn "-", true
\t\t}}
\t\tif p.{node.links[0]} == nil && p.{node.links[1]} == nil {{
\t\t\treturn {held}, true
\t\t}}
\t\treturn {held} + "(" + {left} + ", " + {right} + ")", true
"""


def _go_list(node: NodeType) -> str:
    return f"""\t\tvar all []string
\t\tfor ; p != nil && len(all) < {MOST_SHOWN}; p = p.{node.links[0]} {{
\t\t\tall = append(all, laiosShow(laios_reflect.ValueOf(p.{node.value}), 0))
\t\t}}
\t\tif all == nil {{
\t\t\treturn "nil", true
\t\t}}
\t\treturn laios_strings.Join(all, " -> "), true
"""


# --- Java ----------------------------------------------------------------------------------------

_JAVA_FIELDS = """
  static java.lang.reflect.Field field(Class<?> of, String name) throws Exception {
    java.lang.reflect.Field found = of.getDeclaredField(name);
    found.setAccessible(true);
    return found;
  }
  static Object made(Class<?> of) throws Exception {
    Exception last = null;
    for (java.lang.reflect.Constructor<?> each : of.getDeclaredConstructors()) {
      Class<?>[] kinds = each.getParameterTypes();
      Object[] given = new Object[kinds.length];
      for (int i = 0; i < kinds.length; i++) {
        if (kinds[i].isPrimitive())
          given[i] = java.lang.reflect.Array.get(
            java.lang.reflect.Array.newInstance(kinds[i], 1), 0);
        else if (kinds[i] == of.getEnclosingClass()) given[i] = made(kinds[i]);
      }
      try { each.setAccessible(true); return each.newInstance(given); }
      catch (Exception error) { last = error; }
    }
    throw last;
  }
  static Object get(Object of, String name) {
    try { return field(of.getClass(), name).get(of); }
    catch (Exception error) { throw new IllegalStateException(error); }
  }
  static <T> T linked(Class<T> of, String[] names, Object... values) {
    try {
      Object one = made(of);
      for (int i = 0; i < names.length; i++) field(of, names[i]).set(one, values[i]);
      return of.cast(one);
    } catch (Exception error) { throw new IllegalStateException(error); }
  }
"""


def java_nodes(nodes: Sequence[NodeType]) -> str:
    """Methods that make them, and `nodes`, which shows them; null for anything else. The fields
    may be private."""
    known = known_nodes("java", nodes)
    makers = "".join(_java_maker(node, kind) for node, kind in known)
    shows = "".join(
        f"    if (o instanceof {node.name}) {{\n{_java_show(node)}    }}\n" for node, _ in known
    )
    fields = _JAVA_FIELDS if known else ""
    return f"{fields}{makers}  static String nodes(Object o) {{\n{shows}    return null;\n  }}\n"


def _java_maker(node: NodeType, kind: Kind) -> str:
    taken = "".join(f", {node.name} a{n}" for n in range(len(node.links)))
    names = ", ".join(f'"{each}"' for each in (node.value, *node.links))
    given = "".join(f", a{n}" for n in range(len(node.links)))
    back = (
        f'    try {{ if (a0 != null) field({node.name}.class, "{node.back}").set(a0, p); }}\n'
        "    catch (Exception error) { throw new IllegalStateException(error); }\n"
        if node.back
        else ""
    )
    return (
        f"  static {node.name} laios_make_{node.word}({kind.text} v{taken}) {{\n"
        f"    {node.name} p = linked({node.name}.class, new String[]{{{names}}}, v{given});\n"
        f"{back}    return p;\n  }}\n"
    )


def _java_show(node: NodeType) -> str:
    if not node.is_tree:
        return _java_list(node)
    left, right = (f'get(o, "{link}")' for link in node.links)
    held = f'show(get(o, "{node.value}"), 0)'
    below = '"(" + (l == null ? "-" : show(l, 0)) + ", " + (r == null ? "-" : show(r, 0)) + ")"'
    return (
        f"      Object l = {left}, r = {right};\n"
        f'      return {held} + (l == null && r == null ? "" : {below});\n'
    )


def _java_list(node: NodeType) -> str:
    return f"""      java.util.List<String> all = new java.util.ArrayList<>();
      for (; o != null && all.size() < {MOST_SHOWN}; o = get(o, "{node.links[0]}"))
        all.add(show(get(o, "{node.value}"), 0));
      return String.join(" -> ", all);
"""


# --- Rust ----------------------------------------------------------------------------------------


def rust_nodes(nodes: Sequence[NodeType]) -> str:
    """Functions that make them, and how they are shown."""
    return "".join(_rust_nodes(node, kind) for node, kind in known_nodes("rust", nodes))


def _rust_nodes(node: NodeType, kind: Kind) -> str:
    is_shared = any("Rc<" in each for each in node.written)
    held = "::std::rc::Rc<::std::cell::RefCell<{}>>" if is_shared else "Box<{}>"
    linked = f"Option<{held.format(node.name)}>"
    made = "::std::rc::Rc::new(::std::cell::RefCell::new(p))" if is_shared else "Box::new(p)"
    taken = "".join(f", a{n}: {linked}" for n in range(len(node.links)))
    links = "".join(f", {link}: a{n}" for n, link in enumerate(node.links))
    if node.is_tree:
        left, right = (
            f'self.{link}.as_ref().map_or(String::from("-"), |n| n.laios())' for link in node.links
        )
        below = f'format!("{{}}({{}}, {{}})", held, {left}, {right})'
        is_leaf = " && ".join(f"self.{link}.is_none()" for link in node.links)
        shown = f"if {is_leaf} {{ held }} else {{ {below} }}"
    else:
        after = 'Some(n) => format!("{} -> {}", held, n.laios()), None => held'
        shown = f"match &self.{node.links[0]} {{ {after} }}"
    return (
        f"#[allow(non_snake_case)]\nfn laios_make_{node.word}(v: {kind.text}{taken}) -> {linked}"
        f" {{\n  let p = {node.name} {{ {node.value}: v{links} }};\n  Some({made})\n}}\n"
        f"impl LaiosShow for {node.name} {{ fn laios(&self) -> String {{\n"
        f"  let held = self.{node.value}.laios();\n  {shown}\n}} }}\n"
    )
