"""The table of programming languages. Pure."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Language:
    """One row; several values stand with blanks between them. `title`: how people write it, for
    those that `POST /code` takes. `aliases`: other labels of its code. `words`: what a request
    calls it. `endings` of its files, the usual one first. `grammar`: tree-sitter's module and
    function. `interpreter`: the command that runs a program in the sandbox. `lexer`: Pygments'
    name, of those that the dashboard colours."""

    name: str
    title: str = ""
    aliases: str = ""
    words: str = ""
    endings: str = ""
    grammar: str = ""
    interpreter: str = ""
    lexer: str = ""


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
        lexer="python",
    ),
    Language("jsx", endings=".jsx", grammar=_JAVASCRIPT, lexer="javascript"),
    Language(
        "javascript",
        "JavaScript",
        aliases="js jsx node nodejs",
        words="javascript js node",
        endings=".js .mjs .cjs .jsx",
        grammar=_JAVASCRIPT,
        interpreter="node",
        lexer="javascript",
    ),
    Language("tsx", endings=".tsx", grammar=_TSX, lexer="typescript"),
    Language(
        "typescript",
        "TypeScript",
        "ts tsx",
        "typescript ts",
        ".ts .mts .cts .tsx",
        _TYPESCRIPT,
        "node",  # without its types
        "typescript",
    ),
    Language("rust", "Rust", "rs", "rust", ".rs", "tree_sitter_rust:language", lexer="rust"),
    Language("go", "Go", "golang", "go golang", ".go", "tree_sitter_go:language", lexer="go"),
    Language("java", "Java", "", "java", ".java", "tree_sitter_java:language", lexer="java"),
    Language("c", "", "", "c", ".c .h", _CPP, lexer="c"),
    Language("cpp", "C++", "c++ cxx cc", "c++", ".cpp .cc .cxx .c++ .hpp .h", _CPP, lexer="cpp"),
    Language("csharp", "C#", "c# cs", "c#", ".cs", "tree_sitter_c_sharp:language", lexer="csharp"),
    Language(
        "ruby", "Ruby", "rb", "ruby", ".rb", "tree_sitter_ruby:language", "ruby", lexer="ruby"
    ),
    Language("php", "PHP", "", "php", ".php", "tree_sitter_php:language_php", "php", lexer="php"),
    Language("swift", "Swift", "", "swift", ".swift", "tree_sitter_swift:language", lexer="swift"),
    Language(
        "kotlin",
        "Kotlin",
        "kt",
        "kotlin",
        ".kt .kts",
        "tree_sitter_kotlin:language",
        lexer="kotlin",
    ),
    Language("bash", "Bash", "zsh", "bash", ".sh .bash", _BASH, "bash", lexer="bash"),
    Language("shell", "POSIX shell", "sh", "shell", ".sh", _BASH, "sh", lexer="bash"),
    # `POST /code` has it as Bash, which cannot read all of it.
    Language("zsh", aliases="zsh", words="zsh", endings=".zsh", lexer="bash"),
    Language("fish", words="fish", endings=".fish", lexer="fish"),
    Language("awk", aliases="gawk mawk nawk", words="awk", endings=".awk", lexer="awk"),
    Language("bat", aliases="batch cmd", endings=".bat .cmd"),
    Language("lua", words="lua", endings=".lua", interpreter="lua", lexer="lua"),
    Language("perl", words="perl", endings=".pl", interpreter="perl"),
    Language("css", words="css", endings=".css", lexer="css"),
    Language("diff", aliases="patch", endings=".diff .patch", lexer="diff"),
    Language("html", words="html", endings=".html .htm", lexer="html"),
    Language("json", endings=".json", lexer="json"),
    Language("markdown", aliases="md", endings=".md"),
    Language("scss", endings=".scss", lexer="css"),
    Language(
        "sql",
        aliases="mysql plpgsql plsql postgres postgresql psql sqlite sqlite3 tsql",
        words="sql",
        endings=".sql",
        lexer="sql",
    ),
    Language("svelte", endings=".svelte", lexer="html"),
    Language("toml", endings=".toml", lexer="toml"),
    Language("vue", endings=".vue", lexer="html"),
    Language("xml", endings=".xml", lexer="html"),
    Language("yaml", aliases="yml", words="yaml", endings=".yaml .yml", lexer="yaml"),
    Language("haskell", words="haskell", endings=".hs", lexer="haskell"),
    Language("dockerfile", aliases="docker"),
    Language("makefile", aliases="make mk"),
    Language("powershell", aliases="ps1 pwsh", words="powershell", endings=".ps1"),
    *(
        Language(name, words=name)
        for name in (
            *("clojure", "cobol", "dart", "elixir", "erlang", "fortran", "julia"),
            *("matlab", "objective-c", "ocaml", "pascal", "r", "scala", "vb", "zig"),
        )
    ),
)
