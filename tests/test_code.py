"""Model text → code."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.analysis.code_document import Code, is_code_document
from pipeline.analysis.code_extraction import extract_code
from pipeline.analysis.draft import read_draft
from pipeline.analysis.python_syntax import is_python
from pipeline.given_code import split_code

SCRIPT = "#!/bin/sh\ncat > README.md <<EOF\n```\nrun me\n```\nEOF\necho done\n"
ADD = "def add(a, b):\n    return a + b\n"


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (ADD, Code(ADD)),
        ("SELECT 1;\n\n", Code("SELECT 1;\n\n")),
        (f"```python\n{ADD}```", Code(ADD, "python")),
        (f"Sure! Here it is:\n\n```py\n{ADD}```\n\nHope it helps.", Code(ADD, "python")),
        (f"~~~\n{ADD}~~~\n", Code(ADD)),
        (f"\ufeff{ADD}", Code(ADD)),
        (f"\ufeff```python\n{ADD}```", Code(ADD, "python")),
        (f"````python\n{ADD}````", Code(ADD, "python")),
        (f"```python\n{ADD}", Code(ADD, "python")),
        ("```js\na()\n```\ntext\n```js\nb()\n```", Code("a()\n\nb()\n", "javascript")),
        (f"```bash\npip install x\n```\n```python\n{ADD}```", Code(ADD, "python")),
        ("```bash\nls\n```", Code("ls\n", "bash")),
        (f"1. Do this:\n\n   ```python\n   {ADD.splitlines()[0]}\n       pass\n   ```", None),
        (f"<think>hm ```x```</think>\n{ADD}", Code(ADD)),
        (f"hm, let me see\n</think>\n\n{ADD}", Code(ADD)),
        ("Sure!\n<think>```py\nno\n```</think>\n```py\nyes\n```", Code("yes\n", "python")),
        (f"<thought>so:\n```python\nno(\n```</thought>\n\n{ADD}", Code(ADD)),
        (f"[THINK]hm[/THINK]```python\n{ADD}```", Code(ADD, "python")),
        ("<reasoning>an XML text</reasoning>\n", Code("<reasoning>an XML text</reasoning>\n")),
        (f"<think>hm</think>\n<answer>\n{ADD}</answer>", Code(ADD)),
        ("<answer><a/></answer>", Code("<answer><a/></answer>")),
        ("<think>it never ends\n```python\nx\n```", Code("")),
        (f'x = """\n```\n{ADD}```\n"""\n', Code(f'x = """\n```\n{ADD}```\n"""\n')),
        (
            f"# REVIEWER_NOTE: no key\n```python\n{ADD}```",
            Code(f"# REVIEWER_NOTE: no key\n{ADD}", "python"),
        ),
        (
            "// REVIEWER_NOTE: a\n<!-- REVIEWER_NOTE: b -->\n```js\nx()\n```",
            Code("// REVIEWER_NOTE: a\n<!-- REVIEWER_NOTE: b -->\nx()\n", "javascript"),
        ),
        (f"```python\n# REVIEWER_NOTE: a\n{ADD}```", Code(f"# REVIEWER_NOTE: a\n{ADD}", "python")),
        (f"```diff\n-a\n+b\n```\nWhole:\n```python\n{ADD}```", Code(ADD, "python")),
        (f"```{{.python .lines}}\n{ADD}```", Code(ADD, "python")),
        (f"```python:src/add.py\n{ADD}```", Code(ADD, "python")),
        (f"```src/add.py\n{ADD}```", Code(ADD, "python")),
        (f"```python3.12\n{ADD}```", Code(ADD, "python")),
        (f"```\npython\n{ADD}```", Code(ADD, "python")),
        (f"```python\n{ADD}```<|im_end|>", Code(ADD, "python")),
        (f"{ADD}<|eot_id|>\n", Code(ADD)),
        ("Here:\n```js\ncut('</think>')\n```", Code("cut('</think>')\n", "javascript")),
        (
            f"It lacks a colon:\n```python\ndef add(a, b)\n```\nSo:\n```python\n{ADD}```",
            Code(ADD, "python"),
        ),
        (f"```python\ndef add(a, b) -> int:\n```\nand\n```python\n{ADD}```", Code(ADD, "python")),
        (f"Here:\n```\n\nPython3 \n{ADD}```", Code(ADD, "python")),
        (f"python\n{ADD}", Code(ADD)),
        (f"python = 1\n{ADD}", Code(f"python = 1\n{ADD}")),
        ("python\nis a language, and a snake.\n", Code("python\nis a language, and a snake.\n")),
        (f"<answer>\n```python\n{ADD}```\n</answer>", Code(ADD, "python")),
        ("``` \n\n```", Code("``` \n\n```")),
        (SCRIPT, Code(SCRIPT)),
    ],
)
def test_code_is_taken_out_of_a_reply_and_not_touched(reply, expected):
    """Fences, narration and thinking go; the code inside stays to the letter."""
    if expected is None:
        expected = Code("def add(a, b):\n    pass\n", "python")
    assert extract_code(reply) == expected


def test_a_nested_fence_inside_a_longer_one_belongs_to_the_code():
    """A Markdown file in four backticks keeps its own three."""
    inner = "# Title\n```sh\nls\n```\n"
    assert extract_code(f"````markdown\n{inner}````").text == inner


@pytest.mark.parametrize(
    "reply",
    [
        f"{ADD}```\n",
        f"{ADD}```\n\nIt adds two numbers.",
        f"{ADD}```\n\nUse it so:\n\n```python\nprint(add(1, 2))\n```\n",
        f"python\n{ADD}```",
    ],
)
def test_a_block_that_nothing_opened_is_what_stands_before_its_end(reply):
    """Some replies begin with the code and close a fence behind it: the words that follow are no
    code."""
    assert extract_code(reply).text == ADD


def test_code_in_other_languages_ends_at_such_a_mark_before_prose_or_nothing():
    """Behind a block that was only never closed stands code."""
    code = "package main\n\nfunc main() {}\n"
    assert extract_code(f"{code}```\n").text == code
    assert extract_code(f"{code}```\n\nThis program does nothing at all.\n").text == code
    assert extract_code(f"Here is the program:\n```\n{code}").text == code


@pytest.mark.parametrize("words", ["Sure! Here is\n", "Of course: the page.\n\n", ""])
def test_words_around_a_page_without_a_fence_are_no_part_of_it(words):
    """A browser would show them."""
    page = "<!DOCTYPE html>\n<html>\n<p>x</p>\n</html>\n"
    assert extract_code(f"{words}{page}").text == page
    assert extract_code(f"{words}{page}\nThis page shows one letter alone.\n").text == page


@pytest.mark.parametrize(
    "code", ["package main\n\nfunc main() {}\n", "#!/bin/sh\nls\n", "#include <stdio.h>\n"]
)
def test_words_before_a_file_s_first_line_are_no_part_of_it(code):
    """Where nothing but a file begins so, and nothing but words stands before it."""
    assert extract_code(f"Sure! Here it is:\n\n{code}").text == code
    for other in ("{% load x %}\n<html>\n", "Content-Type: text/html\n\n<html>\n", "a\nb\n"):
        assert extract_code(other).text == other
        assert extract_code(other + code).text == other + code


@pytest.mark.parametrize(
    "end",
    [
        "```",
        "```\nIt adds.",
        "\n    ```\nIt adds.",
        "```\n\nUse:\n```python\nprint(add(1, 2))\n```",
    ],
)
def test_a_mark_behind_the_last_line_s_code_ends_its_block(end):
    """Markdown takes it for text, which no Python can have there."""
    assert extract_code(f"```python\n{ADD.rstrip()}{end}") == Code(ADD, "python")


def test_a_mark_behind_code_in_another_language_counts_at_the_reply_s_end():
    """Whether such code is whole is not known here."""
    assert extract_code("```js\na()\nb()```") == Code("a()\nb()\n", "javascript")


@pytest.mark.parametrize("end", ["```\n", "```\nAnd run it:\n```bash\nls\n```\n", ""])
def test_a_document_s_own_blocks_do_not_end_it(end):
    """A README in three backticks, whose commands have three of their own."""
    document = "# Title\n\n```bash\nls\n```\n\n## Use\n\n```python\nx()\n```\n\nMore.\n"
    assert extract_code(f"Here:\n\n```markdown\n{document}{end}") == Code(document, "markdown")


def test_a_script_that_writes_a_document_is_whole():
    """The document's blocks open and end within the script's."""
    script = "cat > README.md <<'EOF'\n# Title\n\n```bash\nmake\n```\nEOF\necho done\n"
    for label, language in (("bash", "bash"), ("", None)):
        reply = f"Here:\n\n```{label}\n{script}```\n\nIt writes a file.\n"
        assert extract_code(reply) == Code(script, language)
    unended = "```js\na()\n```py\nb()\n```\n"
    assert extract_code(unended) == Code("a()\n```py\nb()\n", "javascript")


@pytest.mark.parametrize(
    ("label", "start"),
    [
        ("bash", "# Make it executable\nchmod +x add.sh\n\n./add.sh 1 2\n"),
        ("sh", "$ sudo bash add.sh"),
        ("bash", "nano add.sh"),
    ],
)
def test_how_a_script_is_started_is_no_part_of_it(label, start):
    """With it, the script would start itself for ever. By itself it is an answer."""
    script = "#!/bin/bash\necho $(($1 + $2))\n"
    start = f"```{label}\n{start}\n```\n"
    assert extract_code(f"```bash\n{script}```\nRun it:\n{start}") == Code(script, "bash")
    assert extract_code(f"Open it:\n{start}```bash\n{script}```\n") == Code(script, "bash")
    assert extract_code(f"```powershell\nGet-Date\n```\n{start}").text == "Get-Date\n"
    assert extract_code(start).text.strip() in start
    both = "```bash\nadd() { :; }\n```\nThen:\n```bash\nadd 1 2\n```\n"
    assert extract_code(both).text == "add() { :; }\n\nadd 1 2\n"


def test_a_command_between_back_quotes_is_that_command():
    """The marks of a code span would run its output in a shell."""
    assert extract_code("`ls | wc -l`\n") == Code("ls | wc -l")
    assert extract_code("echo `date`") == Code("echo `date`")


@pytest.mark.parametrize(
    ("session", "code", "language"),
    [
        ("```bash\n$ ls | wc -l\n```", "ls | wc -l\n", "bash"),
        ("`$ ls | wc -l`", "ls | wc -l\n", "bash"),
        ("$ ls | wc -l\n5\n", "ls | wc -l\n", "bash"),
        ("```console\n# all\n$ ls \\\n> -l\nx\n\n$ ls\n```", "# all\nls \\\n-l\n\nls\n", "bash"),
        ("```\nme@pc:~/x$ cat <<E\na\nE\n```", "cat <<E\na\nE\n", "bash"),
        ("```powershell\nPS C:\\Users> Get-Date\nMonday\n```", "Get-Date\n", "powershell"),
        ("```cmd\nC:\\>dir /b\nx.txt\n```", "dir /b\n", "bat"),
        ("```bash\nls\n$ y\n```", "ls\n$ y\n", "bash"),
        ("```powershell\n$x = 1\n```", "$x = 1\n", "powershell"),
        ("$ x^2 $", "$ x^2 $", None),
    ],
)
def test_of_a_session_with_a_shell_the_commands_are_the_code(session, code, language):
    """No shell takes its prompt for a command, nor what was printed. Of a session in a request all
    is kept: it may be about what was printed."""
    assert extract_code(session) == Code(code, language)
    assert split_code("Why?\n\n```\n$ ls\nx: 5\n```\n").code == "$ ls\nx: 5\n"


def test_a_document_s_own_blocks_need_no_labels():
    """Where headings go on behind what Markdown takes for its end, it ends at the last line."""
    document = "# Tool\n\n```sh\ntool a\n```\n\nIt prints:\n```\n10\n```\n\n## Licence\n\nMIT\n"
    assert extract_code(f"```markdown\n{document}```\n") == Code(document, "markdown")
    beside = f"```markdown\n# Tool\n```\n\nAnd:\n\n```python\n{ADD}```\n"
    assert "And:" not in extract_code(beside).text


@pytest.mark.parametrize(
    "beside",
    [
        "```\n3 items found\n```",
        "```python\n>>> add(1, 2)\n3\n```",
        "```text\n3 found\n```",
        "```txt\nrequests==2\n```",
        "```\nHello\n```",
        "```\nsum: three\n```",
        '```json\n{"done": true}\n```',
    ],
)
def test_what_a_program_prints_is_no_part_of_it(beside):
    """An output or a session beside a Python program must not break it."""
    for reply in (f"```python\n{ADD}```\nOutput:\n{beside}\n", f"{beside}\n```python\n{ADD}```\n"):
        assert extract_code(reply) == Code(ADD, "python")


@pytest.mark.parametrize("output", ["Hello World", "Hello", "$ python add.py", "pip install x"])
def test_what_is_printed_or_typed_is_no_part_of_a_program_without_labels_either(output):
    """Of blocks without any label those count that are Python and do something."""
    assert extract_code(f"```\n{ADD}```\nOutput:\n```\n{output}\n```\n") == Code(ADD)
    assert extract_code(f"```\n{output}\n```\nFile:\n```\n{ADD}```\n") == Code(ADD)


def test_python_in_several_blocks_without_labels_is_joined():
    """A part that defines, assigns or calls something belongs to the program."""
    reply = f"```python\n{ADD}```\nThen:\n```\nprint(add(1, 2))\n```\nOutput:\n```\n3 it is\n```"
    assert extract_code(reply).text == f"{ADD}\nprint(add(1, 2))\n"


def test_beside_labelled_code_of_another_language_what_has_no_label_is_left_out():
    """It is what the program prints, or how it is started: with it no compiler takes the code."""
    reply = "```go\npackage main\n```\nRun it:\n```\ngo run main.go\n```\n"
    assert extract_code(reply) == Code("package main\n", "go")


def test_a_program_in_several_languages_is_a_document_of_its_files():
    """A page beside its server is code too, and nothing of it is dropped in silence. Joined, it
    would be code in neither: each stands in its own fence, under its file's name where it has one.
    Where the caller knows the language, code in that is the answer."""
    reply = (
        f"Sure!\n\n**src/add.py:**\n```python\n{ADD}```\nThe page:\n```html\n<p>x</p>\n```\n"
        "And `start.sh`:\n```sh\n#!/bin/sh\n./add\n```\nRun it:\n```bash\nsh start.sh\n```\nBye."
    )
    document = (
        f"`src/add.py`:\n\n```python\n{ADD}```\n\n```html\n<p>x</p>\n```\n\n"
        "`start.sh`:\n\n```bash\n#!/bin/sh\n./add\n```\n"
    )
    assert extract_code(reply) == Code(document, "markdown") == extract_code(document)
    assert extract_code(reply, "html") == Code("<p>x</p>\n", "html")
    assert extract_code(reply, "go") == Code(document, "markdown")
    assert read_draft("coder", reply, "a page").language == "markdown"
    assert not is_code_document("Some words.\n\n```sh\nls\n```\n\n```sh\nls\n```\n")


@pytest.mark.parametrize(
    ("head", "path"),
    [
        ("### 1. `src/main.rs`\n```rust", "src/main.rs"),
        ("File: main.rs\n```rust", "main.rs"),
        ("2. main.rs:\n\n```rust", "main.rs"),
        ("Now:\n```rust:src/main.rs", "src/main.rs"),
        ('```rust title="main.rs"', "main.rs"),
        ("With Node.js it is\n```rust", ""),
        ("As in `a.rs` and `b.rs`:\n```rust", ""),
    ],
)
def test_a_block_s_file_is_named_beside_it(head, path):
    """In the line before, or behind its mark."""
    reply = f"```toml\na = 1\n```\n{head}\nfn main() {{}}\n```\n"
    name = f"`{path}`:\n\n" if path else ""
    document = f"```toml\na = 1\n```\n\n{name}```rust\nfn main() {{}}\n```\n"
    assert extract_code(reply) == Code(document, "markdown")


@pytest.mark.parametrize(
    "beside",
    [
        '```json\n{"id": 1}\n```',
        "**Output:**\n```yaml\nid: 1\n```",
        "This prints:\n```css\n1\n```",
        "```csv\n1,2\n```",
    ],
)
def test_what_other_code_prints_is_no_part_of_it_either(beside):
    """Small models label an output as anything. A file of data that has a name is code."""
    assert extract_code(f"```js\na()\n```\n{beside}\n") == Code("a()\n", "javascript")
    page = "```js\na()\n```\nThe results page:\n```html\n<p>\n```\n"
    assert extract_code(page).language == "markdown"
    named = "```js\na()\n```\n`package.json`:\n```json\n{}\n```\n"
    assert extract_code(named).language == "markdown"


def test_a_program_that_does_not_parse_is_not_left_out_for_one_that_does():
    """Broken code stays in the draft, where evidence finds it."""
    reply = "```python\ndef add(a, b:\n```\n```python\nprint(add(1, 2))\n```"
    assert extract_code(reply).text == "def add(a, b:\n\nprint(add(1, 2))\n"


def test_fences_in_a_program_s_strings_do_not_end_it():
    """A Python program that writes Markdown comes out whole."""
    program = f'TEXT = """\n```python\nx\n```\n\nand\n\n```\ny\n```\n"""\n{ADD}'
    assert extract_code(f"Sure:\n\n```python\n{program}```\nDone.") == Code(program, "python")


@given(st.text())
def test_python_survives_extraction_to_the_letter(text):
    """Whatever parses as Python is untouched, even when it is full of fences."""
    if is_python(text) and "think" not in text:
        assert extract_code(text).text == text


@given(st.text(alphabet="`~ \n>-x<think/", max_size=200))
def test_no_reply_breaks_the_extraction(reply):
    """Any soup of marks gives some text."""
    assert isinstance(extract_code(reply).text, str)


@pytest.mark.parametrize(
    "reply",
    [
        *("```\n" * 20_000, "> " * 30_000 + "```\nx", "<think>" * 20_000, "(" * 100_000),
        "```python\ndef f(\n```\n" * 1000 + "```python\ndef f(): pass\n```\n" * 1000,
    ],
)
def test_hostile_replies_are_read_in_bounded_time(reply):
    """Pathological Markdown or nesting of the size of the longest answer costs no more than 5 s."""
    started = time.perf_counter()
    extract_code(reply)
    assert time.perf_counter() - started < 5
