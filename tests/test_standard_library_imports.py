"""Imports of the standard library that code in C, Go, Java or Rust lacks."""

import shutil
import subprocess
import time

import pytest

from pipeline.analysis.draft import read_draft
from pipeline.analysis.standard_library_imports import (
    with_library_imports,
    without_unused_imports,
)

C = '#include <stdio.h>\n\nint main(void) {\n    printf("%zu", strlen("exit(1)"));\n}\n'
GO = 'package main\n\nimport "fmt"\n\nfunc main() {\n\tfmt.Println(strings.ToUpper("x"))\n}\n'
JAVA = "public class A {\n    private List<Integer> all = new ArrayList<>();\n}\n"
RUST = "fn main() {\n    let m: HashMap<i32, i32> = HashMap::new();\n    drop(m);\n}\n"


LONG = (
    "use ",
    "use\n",
    "import (\n",
    "abs(\n",
    "abs(1) ",
    "var (\n",
    "sort.A\nvar (\n",
    "#if\n",
    "\n#!",
)
PLACES = [
    (
        "c",
        "#include <stdio.h>\n#ifdef _WIN32\n#include <windows.h>\n#endif\n\n"
        'int main(void) {\n    printf("%zu", strlen("x"));\n}\n',
        "#include <stdio.h>\n#include <string.h>\n#ifdef",
    ),
    (
        "c",
        "/*\n#include <a.h>\n*/\nint f(char *s) { return strlen(s); }\n",
        "#include <string.h>\n\n/*",
    ),
    (
        "c",
        "#ifndef A_H\n#define A_H\n#include <stdint.h>\nint f(uint8_t n, bool b);\n#endif\n",
        "<stdint.h>\n#include <stdbool.h>\nint",
    ),
    (
        "go",
        'package main\n\nimport (\n\t"os" // for (some) words\n)\n\n'
        "func main() {\n\tfmt.Println(os.Args)\n}\n",
        ')\nimport "fmt"\n',
    ),
    (
        "go",
        'package main\n\nimport "os"\n\nconst page = `\nimport "a"\npackage b\n`\n\n'
        "func main() {\n\tfmt.Print(os.Args, page)\n}\n",
        'import "os"\nimport "fmt"\n',
    ),
    (
        "go",
        'package main; import "fmt"\n\nfunc main() {\n\tfmt.Println(os.Args)\n}\n',
        '"fmt"\n\nimport "os"\n',
    ),
    (
        "go",
        'package main\n\nimport "fmt"\n\ntype T struct {\n\ttime time.Time `json:"time"`\n}\n\n'
        'func main() {\n\tvar t T\n\tt.time = time.Now()\n\tfmt.Println("time ", t)\n}\n',
        'import "fmt"\nimport "time"\n',
    ),
    (
        "go",
        'package main\n\nimport s "strings"\n\n'
        'func main() {\n\tprintln(s.ToUpper("a"), strings.ToLower("B"))\n}\n',
        'import s "strings"\nimport "strings"\n',
    ),
    (
        "java",
        "/*\npackage a is\nimport b\n*/\npublic class A {\n    List<Integer> all;\n}\n",
        "import java.util.List;\n\n/*",
    ),
    (
        "java",
        "import java.util.Map.Entry;\n\npublic class A {\n"
        "    Map<String, Integer> all;\n    Entry<String, Integer> one;\n}\n",
        "Entry;\nimport java.util.Map;\n",
    ),
    ("rust", f"use std::{{\n    fs,\n    io,\n}};\n\n{RUST}", "};\nuse std::collections::"),
    ("rust", f"// A\n#![allow(dead_code)]\n//! Docs.\n\n/// It.\n{RUST}", "Docs.\n\nuse std::coll"),
    ("rust", f"//! Docs.\n{RUST}", "Docs.\n\nuse std::coll"),
    ("rust", f"pub use std::fmt;\n\n{RUST}", "fmt;\nuse std::coll"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "code", "where"), PLACES)
def test_import_lines_stand_where_they_count(language, code, where, tmp_path):
    """Under no condition, in no comment, string or brackets, behind what has to come first; the
    language's own compiler, where there is one, then takes the code."""
    mended, put_in = with_library_imports(code, language)
    assert put_in and where in mended
    assert with_library_imports(mended, language) == (mended, [])
    compiled(language, mended, tmp_path)


COMPILERS = {
    "c": ["gcc", "-fsyntax-only", "a.c"],
    "go": ["gofmt", "-e", "a.go"],
    "java": ["javac", "A.java"],
}


def compiled(language, text, tmp_path):
    """The language's compiler takes the text, where there is one."""
    command = COMPILERS.get(language)
    if command is None or shutil.which(command[0]) is None:
        return
    (tmp_path / command[-1]).write_text(text)
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("language", "code", "lines"),
    [
        ("c", C, ["#include <string.h>"]),
        ("c", "int f(char *s) { return strlen(s); }", ["#include <string.h>"]),
        ("c", "void f(char *s) { s[strcspn(s, 0)] = 0; }", ["#include <string.h>"]),
        ("c", "bool is_odd(int n) { return n % 2; }", ["#include <stdbool.h>"]),
        ("go", GO, ['import "strings"']),
        ("go", GO.replace('"fmt"', '(\n\t"fmt"\n)'), ['import "strings"']),
        ("go", "package main\n\nfunc f() error { return errors.New(``) }\n", ['import "errors"']),
        ("java", JAVA, ["import java.util.ArrayList;", "import java.util.List;"]),
        ("java", f"import java.util.List;\n\n{JAVA}", ["import java.util.ArrayList;"]),
        ("rust", RUST, ["use std::collections::HashMap;"]),
    ],
)
def test_what_is_used_and_not_imported_is_put_in(language, code, lines):
    """Behind the imports that there are; the code is otherwise as it was, and a draft says so."""
    mended, put_in = with_library_imports(code, language)
    assert put_in == lines
    rest = [line for line in mended.split("\n") if line not in lines and line]
    assert rest == [line for line in code.split("\n") if line]
    assert with_library_imports(mended, language) == (mended, [])
    draft = read_draft("coder", f"```{language}\n{code}```", "", complete=True)
    assert list(draft.put_in) == lines and lines[0] in draft.text


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("c", 'int main(void) { f("strlen(x)"); } // malloc(1)'),
        ("c", "size_t strlen(const char *s) {\n  return 0;\n}\nint n = strlen(0);"),
        ("c", "void f(struct list *l) { l->free(l); }"),
        ("c", "typedef enum {\n    false,\n    true\n} bool;\nbool f(void) { return true; }"),
        ("c", "static int\nisdigit(int c)\n{\n  return 0;\n}\nint n(int c) { return isdigit(c); }"),
        ("c", "# define floor(x) ((int)(x))\nint f(void) { return floor(2); }"),
        ("c", "#include <linux/module.h>\nstatic bool on;\nint n(char *s) { return strlen(s); }"),
        ("go", "package a\n\nvar (\n\tn = f()\n\ttime Clock\n)\n\nvar _ = time.Now()"),
        ("go", "package a\n\nvar time Clock\n\nvar _ = time.Now()"),
        ("go", "package a\n\nvar _ = os.Args\n\npackage a\n\nvar _ = os.Args"),
        ("go", "func Reverse(s string) string { return strings.ToUpper(s) }"),
        ("go", 'package a\n\nimport j "encoding/json"\n\nvar _ = j.Marshal'),
        ("go", "package a\n\nfunc f(sort Sorter) { sort.Do() }"),
        ("go", 'package a\n\nimport "math/rand/v2"\n\nvar _ = rand.Int()'),
        ("java", "import java.util.*;\n\nclass A { List<Integer> all = new ArrayList<>(); }"),
        ("java", "class List {}\nclass A { List all; java.util.Set<Integer> s; }"),
        ("rust", "use std::collections::{HashMap, HashSet};\nfn f(m: HashMap<i32, i32>) {}"),
        ("rust", "fn f(m: std::collections::HashMap<i32, i32>) {}"),
        ("python", "x = strlen(s)"),
        (None, "strlen(s)"),
    ],
)  # fmt: skip
def test_what_is_there_or_means_something_else_is_left(language, code):
    """Words in texts and comments are no use of a name."""
    assert with_library_imports(code, language) == (code, [])


@pytest.mark.parametrize(
    ("imports", "left"),
    [
        ('import (\n\t"fmt"\n\t"unicode"\n)', 'import (\n\t"fmt"\n)'),
        ('import "os"\nimport "fmt"', 'import "fmt"'),
        ('import (\n\t"os"\n)\n\nimport "fmt"', 'import "fmt"'),
        ('import _ "net/http"\nimport "fmt"', 'import _ "net/http"\nimport "fmt"'),
        (
            'import "fmt"\n\nconst x = `\nimport "os"\n`',
            'import "fmt"\n\nconst x = `\nimport "os"\n`',
        ),
    ],
)
def test_what_a_go_file_does_not_use_is_left_out(imports, left):
    """Its compiler refuses it; what is imported for its effects stays, and a draft says so."""
    code = GO.replace("strings.ToUpper", "f").replace('import "fmt"', imports)
    wanted = GO.replace("strings.ToUpper", "f").replace('import "fmt"', left)
    mended, gone = without_unused_imports(code, "go")
    assert mended == wanted and bool(gone) == (imports != left)
    draft = read_draft("coder", f"```go\n{code}```", "", complete=True)
    assert list(draft.mended) == [f"unused import left out: {path}" for path in gone]


@pytest.mark.parametrize(
    ("language", "code", "command"),
    [
        ("c", C, ["gcc", "-Werror", "-fsyntax-only", "a.c"]),
        ("java", JAVA, ["javac", "A.java"]),
    ],
)
def test_the_compiler_takes_what_was_mended(language, code, command, tmp_path):
    """And did not take what was not."""
    if shutil.which(command[0]) is None:
        pytest.skip(f"there is no {command[0]}")
    file = tmp_path / command[-1]
    for text, works in ((code, False), (with_library_imports(code, language)[0], True)):
        file.write_text(text)
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
        assert (done.returncode == 0) is works, done.stderr


@pytest.mark.parametrize("piece", ["/*", '"', "`", "'", "//", "x(", "strlen ", "* ", "\\", *LONG])
def test_long_texts_are_read_soon(piece):
    """Whatever they repeat."""
    began = time.process_time()
    for language in ("c", "go", "java", "rust"):
        text = f"package a\n{piece * (29_000 // len(piece))}"
        without_unused_imports(*with_library_imports(text, language)[:1], language)
    assert time.process_time() - began < 2


def test_types_of_the_code_that_it_goes_with_are_not_imported():
    """A list of the request's own is not the library's."""
    code = "class Main { LinkedList l; Map<String, Integer> m; }"
    beside = "here is mine:\n\nclass LinkedList {\n}\n"
    assert with_library_imports(code, "java", beside)[1] == ["import java.util.Map;"]
