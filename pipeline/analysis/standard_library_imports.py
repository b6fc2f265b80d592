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


def with_library_imports(text: str, language: str | None) -> tuple[str, list[str]]:
    """The text with the import lines that it lacks, and those lines. Of Go only a whole file: what
    has no `package` is a part of one."""
    finders = {"c": _of_c, "go": _of_go, "java": _of_java, "rust": _of_rust}
    find = finders.get(language or "")
    if find is None or len(text) > _MOST_READ:
        return text, []
    code = _STRING_OR_COMMENT.sub(lambda each: " " if each[0][0] in "/'" else '""', text)
    missing = list(find(text, code))
    return (_put_in(text, missing, _BEHIND[language or ""]), missing) if missing else (text, [])


def without_unused_imports(text: str, language: str | None) -> tuple[str, list[str]]:
    """A Go file without the packages of the standard library that it imports under their own name
    and does not use, and their paths."""
    if language != "go" or len(text) > _MOST_READ:
        return text, []
    code = _STRING_OR_COMMENT.sub(" ", text)
    unused = [path for path, name in _GO.items() if not re.search(rf"\b{name}\b", code)]
    gone = [path for path in unused if re.search(_GO_LINE.format(path), text, re.MULTILINE)]
    for path in gone:
        text = re.sub(_GO_LINE.format(path), "", text, count=1, flags=re.MULTILINE)
    return _EMPTY_IMPORT.sub("", text) if gone else text, gone


_GO_LINE = r'^(?:import[ \t]+|[ \t]+)"{0}"[ \t]*\n'
_EMPTY_IMPORT = re.compile(r"^import[ \t]*\([ \t\n]*\)\n+", re.MULTILINE)
_BEHIND = {
    "c": re.compile(r"^[ \t]*#[ \t]*include\b.*$", re.M),
    "go": re.compile(r"^import[ \t]+(?:\([^)]*\)|.*)$|^package[ \t].*$", re.M),
    "java": re.compile(r"^(?:import|package)[ \t].*$", re.M),
    "rust": re.compile(r"^use[ \t].*$", re.M),
}


def _put_in(text: str, lines: Sequence[str], behind: re.Pattern[str]) -> str:
    """Behind the last of the lines that are such, else at the top."""
    places = [each.end() for each in behind.finditer(text)]
    block = "\n".join(lines)
    if not places:
        return f"{block}\n\n{text}"
    blank = "\n" if text[: places[-1]].rpartition("\n")[2].startswith("package") else ""
    return f"{text[: places[-1]]}\n{blank}{block}{text[places[-1] :]}"


def _of_c(text: str, code: str) -> Iterator[str]:
    for header, names in _C.items():
        if re.search(rf"#[ \t]*include[ \t]*<{header}>", text):
            continue
        used = re.findall(rf"(?<![\w.>])({'|'.join(names.split())})\b(?=[ \t]*\(|[ \t]+\w)", code)
        if any(not _is_defined(name, code) for name in used):
            yield f"#include <{header}>"


def _is_defined(name: str, code: str) -> bool:
    """Whether the code has a function, a type or a macro of its own of that name."""
    macro = rf"^[ \t]*(?:#define|typedef)\b[^\n]*\b{name}\b"
    function = rf"^[\w*][\w \t*]*[ \t*]{name}[ \t]*\([^;{{}}]*\)\s*\{{"
    return re.search(f"{macro}|{function}", code, re.MULTILINE) is not None


def _of_go(text: str, code: str) -> Iterator[str]:
    if not re.search(r"^package\b", code, re.MULTILINE):
        return
    for path, name in _GO.items():
        is_used = re.search(rf"(?<![\w.]){name}\.[A-Z]", code)
        is_known = re.search(rf'"(?:[\w./-]*/)?{name}(?:/v\d+)?"|\b{name}[ \t]+"', text)
        is_own = re.search(rf"\b{name}[ \t]*(?:,[ \t\w]*)?:?=|[(,][ \t]*{name}[ \t]+[\w*\[]", code)
        if is_used and not (is_known or is_own):
            yield f'import "{path}"'


def _of_java(text: str, code: str) -> Iterator[str]:
    for package, name in _each(_JAVA):
        is_known = re.search(rf"\bimport[ \t]+(?:static[ \t]+)?[\w.]+\.{name}\b", code)
        is_whole = re.search(rf"\bimport[ \t]+{re.escape(package)}\.\*", code)
        is_own = re.search(rf"\b(?:class|interface|enum|record)[ \t]+{name}\b", code)
        if _is_named(name, code) and not (is_known or is_whole or is_own):
            yield f"import {package}.{name};"


def _of_rust(text: str, code: str) -> Iterator[str]:
    for module, name in _each(_RUST):
        is_known = re.search(rf"\buse\b[^;]*(?:\b{name}\b|{module}::\*)", code)
        is_own = re.search(rf"\b(?:struct|enum|type|trait)[ \t]+{name}\b", code)
        if _is_named(name, code) and not (is_known or is_own):
            yield f"use {module}::{name};"


def _each(names: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    return ((home, name) for home, some in names.items() for name in some.split())


def _is_named(name: str, code: str) -> bool:
    """By itself, not as a part of a path."""
    return re.search(rf"(?<![\w.:]){name}\b", code) is not None
