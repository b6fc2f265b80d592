"""The table of programming languages, and a language by any of its names. Pure."""

import difflib
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Language:
    """One row; several values stand with blanks between them. `title`: how people write it, for
    those that `POST /code` takes. `aliases`: other labels of its code. `words`: what a request
    calls it. `endings` of its files, the usual one first. `grammar`: tree-sitter's module and
    function. `interpreter`: the command that runs a program in the sandbox."""

    name: str
    title: str = ""
    aliases: str = ""
    words: str = ""
    endings: str = ""
    grammar: str = ""
    interpreter: str = ""


_CPP = "tree_sitter_cpp:language"
_JAVASCRIPT = "tree_sitter_javascript:language"
_BASH = "tree_sitter_bash:language"
_TSX = "tree_sitter_typescript:language_tsx"
_TYPESCRIPT = "tree_sitter_typescript:language_typescript"

# An ending that several languages have is the first one's, unless not all of them are asked about:
# `.h` is C, and C++ where that is what there is.
TABLE = (
    Language(
        "python",
        "Python",
        aliases="py py3 python3",
        words="python python3",
        endings=".py .pyi",
        grammar="tree_sitter_python:language",
        interpreter="python",
    ),
    Language("jsx", endings=".jsx", grammar=_JAVASCRIPT),
    Language(
        "javascript",
        "JavaScript",
        aliases="js jsx node nodejs",
        words="javascript js node",
        endings=".js .mjs .cjs .jsx",
        grammar=_JAVASCRIPT,
        interpreter="node",
    ),
    Language("tsx", endings=".tsx", grammar=_TSX),
    Language(
        "typescript", "TypeScript", "ts tsx", "typescript ts", ".ts .mts .cts .tsx", _TYPESCRIPT
    ),
    Language("rust", "Rust", "rs", "rust", ".rs", "tree_sitter_rust:language"),
    Language("go", "Go", "golang", "go golang", ".go", "tree_sitter_go:language"),
    Language("java", "Java", "", "java", ".java", "tree_sitter_java:language"),
    Language("c", "", "", "c", ".c .h", _CPP),
    Language("cpp", "C++", "c++ cxx cc", "c++", ".cpp .cc .cxx .c++ .hpp .h", _CPP),
    Language("csharp", "C#", "c# cs", "c#", ".cs", "tree_sitter_c_sharp:language"),
    Language("ruby", "Ruby", "rb", "ruby", ".rb", "tree_sitter_ruby:language", "ruby"),
    Language("php", "PHP", "", "php", ".php", "tree_sitter_php:language_php", "php"),
    Language("swift", "Swift", "", "swift", ".swift", "tree_sitter_swift:language"),
    Language("kotlin", "Kotlin", "kt", "kotlin", ".kt .kts", "tree_sitter_kotlin:language"),
    Language("bash", "Bash", "zsh", "bash", ".sh .bash", _BASH, "bash"),
    Language("shell", "POSIX shell", "sh", "shell", ".sh", _BASH, "sh"),
    Language("lua", words="lua", endings=".lua", interpreter="lua"),
    Language("perl", words="perl", endings=".pl", interpreter="perl"),
    Language("css", words="css", endings=".css"),
    Language("diff", endings=".diff .patch"),
    Language("html", words="html", endings=".html"),
    Language("json", endings=".json"),
    Language("markdown", endings=".md"),
    Language("scss", endings=".scss"),
    Language("sql", words="sql", endings=".sql"),
    Language("svelte", endings=".svelte"),
    Language("toml", endings=".toml"),
    Language("vue", endings=".vue"),
    Language("xml", endings=".xml"),
    Language("yaml", aliases="yml", words="yaml", endings=".yaml .yml"),
    *(
        Language(name, words=name)
        for name in (
            *("clojure", "cobol", "dart", "elixir", "erlang", "fortran", "haskell", "julia"),
            *("matlab", "objective-c", "ocaml", "pascal", "powershell", "r", "scala", "vb", "zig"),
        )
    ),
)
LANGUAGES = {row.name: row for row in TABLE if row.title}  # those of `POST /code`
KNOWN = {name: name for name in LANGUAGES} | {
    alias: row.name for row in LANGUAGES.values() for alias in row.aliases.split()
}
_ALIASES = {alias: row.name for row in TABLE for alias in row.aliases.split()}
_SAME = {"shell": "bash"}  # the code of one is code of the other


def canonical(label: str, field: str = "language") -> str:
    """The language's name for any of its names, whatever their case. Raises ValueError, naming the
    field and the nearest one."""
    found = KNOWN.get(label.strip().lower())
    if found:
        return found
    titles = [row.title.lower() for row in LANGUAGES.values()]
    label = label.strip()[:100]  # to compare megabytes takes half a second
    near = difflib.get_close_matches(label.lower(), [*KNOWN, *titles], n=1, cutoff=0.5)
    hint = f"Did you mean {near[0]!r}? " if near else ""
    raise ValueError(
        f'The field "{field}" cannot be {label!r}. {hint}Languages: {", ".join(LANGUAGES)}.'
    )


def title(language: str) -> str:
    """As people write it, where that is known."""
    return LANGUAGES[language].title if language in LANGUAGES else language


def same_language(one: str, other: str) -> bool:
    return _SAME.get(one, one) == _SAME.get(other, other)


def normal_language(label: str | None) -> str | None:
    """The usual name of any language, in lower case: `Py` → `python`."""
    if not label:
        return None
    name = _ALIASES.get(label.lower(), label.lower())
    return _SAME.get(name, name)


def language_of_ending(ending: str, rows: Iterable[Language] = TABLE) -> str | None:
    """The first of the languages whose files end like that (`.py`)."""
    ending = ending.lower()
    return next((row.name for row in rows if ending in row.endings.split()), None)
