"""Imports of the standard library that code in C, Go, Java and Rust forgot, put in; those that a
Go file does not use, which its compiler refuses, left out. Pure.

No such code is run, so nothing else would tell; only names that have one meaning are looked for.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

_STRING_OR_COMMENT = re.compile(
    r"""'(?:\\.|[^'\\\n])'|"(?:\\.|[^"\\\n])*"?|`[^`]*`?|//[^\n]*|/\*.*?(?:\*/|\Z)""", re.DOTALL
)
_MOST_READ = 30_000  # characters
_C = {
    "ctype.h": "isalnum isalpha isdigit islower ispunct isspace isupper tolower toupper",
    "stdbool.h": "bool",
    "math.h": "ceil fabs floor pow sqrt",
    "stdint.h": "int32_t int64_t uint16_t uint32_t uint64_t uint8_t",
    "stdio.h": "fclose fgets fopen fprintf fputs fread fwrite getchar printf putchar puts scanf"
    " snprintf sprintf sscanf",
    "stdlib.h": "abs atof atoi calloc exit free malloc qsort rand realloc srand strtod strtol",
    "string.h": "memcmp memcpy memmove memset strcat strchr strcmp strcpy strcspn strdup strlen"
    " strncat strncmp strncpy strrchr strspn strstr strtok",
    "time.h": "clock localtime strftime",
}
_GO = {
    "encoding/csv": "csv",
    "encoding/json": "json",
    "net/http": "http",
    "path/filepath": "filepath",
    **{name: name for name in ("bufio", "bytes", "errors", "fmt", "io", "math", "os", "regexp")},
    **{name: name for name in ("sort", "strconv", "strings", "sync", "time", "unicode")},
}
_JAVA = {
    "java.io": "BufferedReader File FileReader FileWriter IOException InputStreamReader",
    "java.nio.file": "Files Paths",
    "java.util": "ArrayDeque ArrayList Arrays Collections Comparator Deque HashMap HashSet Iterator"
    " LinkedHashMap LinkedList List Map Optional PriorityQueue Queue Scanner Set TreeMap TreeSet",
    "java.util.stream": "Collectors IntStream",
}
_RUST = {"std::collections": "BTreeMap BTreeSet BinaryHeap HashMap HashSet VecDeque"}


def with_library_imports(
    text: str, language: str | None, beside: str = ""
) -> tuple[str, list[str]]:
    """The text with the import lines that it lacks, and those lines; what `beside` defines, code
    that it goes with, needs none. Of Go only a whole file: what has no `package` is a part of
    one, and what has several is no file."""
    finders = {"c": _of_c, "go": _of_go, "java": _of_java, "rust": _of_rust}
    find = finders.get(language or "")
    if find is None or len(text) > _MOST_READ:
        return text, []
    code = _code_of(text)
    missing = list(find(text, code)) if len(_PACKAGE.findall(code)) < 2 else []
    missing = [line for line in missing if not _is_beside(line, beside)]
    mended = _put_in(text, missing, _place(text, code, language)) if missing else text
    return mended, missing


def _is_beside(line: str, beside: str) -> bool:
    """Whether a type that an import line names is one of that text's own."""
    name = re.search(r"(\w+);$", line)
    kind = rf"\b(?:class|enum|interface|record|struct|trait)[ \t]+{name[1]}\b" if name else r"\Z."
    return re.search(kind, beside) is not None


def without_unused_imports(text: str, language: str | None) -> tuple[str, list[str]]:
    """A Go file without the packages of the standard library that it imports under their own name
    and does not use, and their paths."""
    if language != "go" or len(text) > _MOST_READ:
        return text, []
    code = _code_of(text)
    unused = [path for path, name in _GO.items() if not re.search(rf"\b{name}\b", code)]
    imports = [*_GO_IMPORT.finditer(code)] if len(_PACKAGE.findall(code)) < 2 else []
    gone = list[str]()

    def left(line: re.Match[str]) -> str:
        if not any(each.start() <= line.start() < each.end() for each in imports):
            return line[0]
        gone.append(line[1])
        return ""

    text = re.sub(_GO_LINE.format("|".join(unused)), left, text, flags=re.MULTILINE)
    return _EMPTY_IMPORT.sub("", text) if gone else text, gone


def _code_of(text: str) -> str:
    """The text with blanks in place of what stands in strings and comments."""

    def blanked(each: re.Match[str]) -> str:
        return re.sub('[^\n"]' if each[0][0] == '"' else "[^\n]", " ", each[0])

    return _STRING_OR_COMMENT.sub(blanked, text)


_PACKAGE = re.compile(r"^package\b", re.M)
_GO_IMPORT = re.compile(r"(?:^|;[ \t]*)import\b[ \t]*(?:\([^)]{0,2000}\)|[^\n]*)", re.M)
_GO_LINE = r'^(?:import[ \t]+|[ \t]+)"({0})"[ \t]*\n'
_EMPTY_IMPORT = re.compile(r"^import[ \t]*\([ \t\n]*\)\n+", re.M)
_BEHIND = {
    "go": re.compile(rf"{_GO_IMPORT.pattern}|^package[ \t].*", re.M),
    "java": re.compile(r"^(?:import|package)[ \t].*", re.M),
    "rust": re.compile(r"^(?:pub[ \t]+)?use\b[^;]{0,1000};", re.M),
}
# What is said of a whole file in Rust has to come first.
_RUST_HEAD = re.compile(r"\A(?:(?:[ \t]*(?://(?![/!]).*)?\n)*(?:#!\[[^\]]*\].*|#!.*|//!.*)\n)+")
_C_LINE = re.compile(
    r"^[ \t]*#[ \t]*(?:(ifndef)[ \t]+(\w+)\s+#[ \t]*define[ \t]+\2\b|(if|endif|include)).*", re.M
)


def _place(text: str, code: str, language: str | None) -> int:
    """Where import lines may stand: behind those that are there, but for C's under a condition."""
    if language == "c":
        return _behind_includes(code)
    places = [each.end() for each in _BEHIND[language or ""].finditer(code)]
    head = _RUST_HEAD.match(text) if language == "rust" else None
    return places[-1] if places else head.end() - 1 if head else 0


def _behind_includes(code: str) -> int:
    place = depth = 0
    for line in _C_LINE.finditer(code):
        depth += {"if": 1, "endif": -1}.get(line[3], 0)  # none for what guards a whole header
        if line[3] == "include" and depth <= 0:
            place = line.end()
    return place


def _put_in(text: str, lines: Sequence[str], place: int) -> str:
    block = "\n".join(lines)
    if not place:
        return f"{block}\n\n{text}"
    before = text[:place].rpartition("\n")[2]
    blank = "\n" if before.startswith(("package", "#!", "//!")) else ""
    return f"{text[:place]}\n{blank}{block}{text[place:]}"


def _of_c(text: str, code: str) -> Iterator[str]:
    if re.search(r"#[ \t]*include[ \t]*<linux/", code):  # the kernel has a library of its own
        return
    for header, names in _C.items():
        if re.search(rf"#[ \t]*include[ \t]*<{header}>", code):
            continue
        used = re.findall(rf"(?<![\w.>])({'|'.join(names.split())})\b(?=[ \t]*\(|[ \t]+\w)", code)
        if any(not _is_defined(name, code) for name in dict.fromkeys(used)):
            yield f"#include <{header}>"


def _is_defined(name: str, code: str) -> bool:
    """Whether the code has a function, a type or a macro of its own of that name."""
    macro = rf"^[ \t]*#[ \t]*define[ \t]+{name}\b"
    kind = rf"\btypedef\b[^;]{{0,500}}\b{name}[ \t]*;|\b(?:enum|struct|union)[ \t]+{name}\b"
    function = rf"^(?:[\w*][\w \t*]*[ \t*])?{name}[ \t]*\([^;{{}}]{{0,500}}\)\s*\{{"
    return re.search(f"{macro}|{kind}|{function}", code, re.MULTILINE) is not None


def _of_go(text: str, code: str) -> Iterator[str]:
    if not _PACKAGE.search(code):
        return
    imports = "\n".join(text[each.start() : each.end()] for each in _GO_IMPORT.finditer(code))
    for path, name in _GO.items():
        is_used = re.search(rf"(?<![\w.]){name}\.[A-Z]", code)
        if is_used and not (_is_imported(name, imports) or _is_own(name, code)):
            yield f'import "{path}"'


def _is_imported(name: str, imports: str) -> bool:
    """By that name, whatever its path is: `"math/rand/v2"` is `rand`, `j "a/json"` is `j`."""
    of_path = rf'(?:^|[(;]|\bimport\b)[ \t]*"(?:[\w./-]*/)?{name}(?:/v\d+)?"'
    return re.search(rf'{of_path}|\b{name}[ \t]+"', imports, re.MULTILINE) is not None


def _is_own(name: str, code: str) -> bool:
    """Whether the code has a variable or a parameter of its own of that name."""
    assigned = rf"(?<![\w.]){name}[ \t]*(?:,[ \t\w]*)?:?="
    parameter = rf"[(,][ \t]*{name}[ \t]+[\w*\[]"
    inside = r"\((?:(?!\n\))[\s\S]){0,1000}?\n[ \t]*"
    variable = rf"\b(?:var|const)[ \t]+(?:{inside})?{name}\b(?!\.)"
    return re.search(f"{assigned}|{parameter}|{variable}", code) is not None


def _of_java(text: str, code: str) -> Iterator[str]:
    for package, name in _each(_JAVA):
        is_known = re.search(rf"\bimport[ \t]+(?:static[ \t]+)?[\w.]+\.{name}\b(?!\.)", code)
        is_whole = re.search(rf"\bimport[ \t]+{re.escape(package)}\.\*", code)
        is_own = re.search(rf"\b(?:class|interface|enum|record)[ \t]+{name}\b", code)
        if _is_named(name, code) and not (is_known or is_whole or is_own):
            yield f"import {package}.{name};"


def _of_rust(text: str, code: str) -> Iterator[str]:
    uses = "\n".join(re.findall(r"\buse\b[^;]{0,1000}", code))
    for module, name in _each(_RUST):
        is_known = re.search(rf"\b{name}\b|{module}::\*", uses)
        is_own = re.search(rf"\b(?:struct|enum|type|trait)[ \t]+{name}\b", code)
        if _is_named(name, code) and not (is_known or is_own):
            yield f"use {module}::{name};"


def _each(names: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    return ((home, name) for home, some in names.items() for name in some.split())


def _is_named(name: str, code: str) -> bool:
    """By itself, not as a part of a path."""
    return re.search(rf"(?<![\w.:]){name}\b", code) is not None
