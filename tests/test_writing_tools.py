"""What agents' calls write, and which files their conversations hold: each client's own tools."""

import json

import pytest

from pipeline.agents.code_answer import is_code_answer
from pipeline.agents.known_files import files_of, whole_text
from pipeline.agents.shell_files import written_files
from pipeline.agents.text_edits import patched_files
from pipeline.agents.writing_tools import MOST_WRITES, can_write, writes_of
from pipeline.tool_calls import Tool, ToolCall

BEFORE = "a = 1\nb = 2\nc = 3\n"
AFTER = "a = 1\nb = 5\nc = 3\n"
PATCH = "*** Begin Patch\n*** Update File: x.py\n@@\n a = 1\n-b = 2\n+b = 5\n c = 3\n*** End Patch"
BLOCK = "------- SEARCH\nb = 2\n=======\nb = 5\n+++++++ REPLACE"
HEREDOC = f"cat > x.py <<'EOF'\n{AFTER}EOF"
SWAP = {"old_string": "b = 2", "new_string": "b = 5"}


def call(name, **arguments):
    return ToolCall("1", name, json.dumps(arguments))


def result(made, text):
    return {"role": "tool", "content": text, "result_of": made}


@pytest.mark.parametrize(
    "made",
    [
        pytest.param(call("write", filePath="x.py", content=AFTER), id="opencode write"),
        pytest.param(
            call("edit", filePath="x.py", oldString="b = 2", newString="b = 5"), id="opencode edit"
        ),
        pytest.param(call("patch", patchText=PATCH), id="opencode patch"),
        pytest.param(call("Write", file_path="x.py", content=AFTER), id="Claude Code Write"),
        pytest.param(call("Edit", file_path="x.py", **SWAP), id="Claude Code Edit"),
        pytest.param(call("MultiEdit", file_path="x.py", edits=[SWAP]), id="Claude Code MultiEdit"),
        pytest.param(call("apply_patch", input=PATCH), id="Codex apply_patch"),
        pytest.param(
            call("shell", command=["bash", "-lc", f"apply_patch <<'EOF'\n{PATCH}\nEOF"]),
            id="Codex shell",
        ),
        pytest.param(call("exec_command", cmd=HEREDOC), id="Codex exec_command"),
        pytest.param(
            call("bash", command=f"mkdir a; echo 1 > a/b; if true; then {HEREDOC}\nfi"),
            id="behind other commands",
        ),
        pytest.param(
            call("bash", command=f"cd a && cat <<'EOF' | sudo tee x.py >/dev/null\n{AFTER}EOF"),
            id="through tee",
        ),
        pytest.param(call("create_new_file", filepath="x.py", contents=AFTER), id="Continue"),
        pytest.param(
            call("single_find_and_replace", filepath="x.py", **SWAP), id="Continue replace"
        ),
        pytest.param(call("write_to_file", path="x.py", content=AFTER), id="Cline write"),
        pytest.param(call("replace_in_file", path="x.py", diff=BLOCK), id="Cline replace"),
        pytest.param(call("create_file", filePath="x.py", content=AFTER), id="Copilot create"),
        pytest.param(
            call("replace_string_in_file", filePath="x.py", oldString="b = 2", newString="b = 5"),
            id="Copilot replace",
        ),
        pytest.param(call("mcp__fs__write_file", path="x.py", content=AFTER), id="MCP"),
    ],
)
def test_every_client_s_tool_is_understood(made):
    """Its name and its fields say which file it leaves, and how."""
    (write,) = writes_of(made, {"x.py": BEFORE})
    assert (write.path, write.text, write.before) == ("x.py", AFTER, BEFORE)


@pytest.mark.parametrize(
    "made",
    [
        call("read", filePath="x.py"),
        call("grep", path=".", pattern="b = 2"),
        call("bash", command="pytest -q > log.txt"),
        call("bash", command="cat >> x.py <<'EOF'\nb = 5\nEOF"),
        call("bash", command="cat > x.py <<EOF\n$HOME\nEOF"),
        call("bash", command="sqlite3 a.db > x.py <<'EOF'\nSELECT line FROM lines;\nEOF"),
        call("bash", command="echo 1 > x.py; python - <<'EOF'\nprint(1)\nEOF"),
        ToolCall("1", "write", "[]"),
    ],
)
def test_what_writes_no_known_file_is_left_alone(made):
    """Reading, running, appending, what the shell itself would change, and what other programs make
    of a document."""
    assert writes_of(made, {"x.py": BEFORE}) == []


def test_an_edit_without_its_file_is_not_judged_by_halves():
    """Its new text is known, the file is not; nor where the old text has no place in it."""
    made = call("Edit", file_path="x.py", **SWAP)
    for files in ({}, {"x.py": "other"}):
        (write,) = writes_of(made, files)
        assert (write.text, write.written) == (None, "b = 5")


def test_the_conversation_s_files_follow_what_was_done():
    """Read whole, then edited; by a shorter path too. A failed edit or a part that was read leaves
    nothing known."""
    read = call("read", filePath="/p/x.py")
    edit = call("Edit", file_path="x.py", **SWAP)
    talk = [result(read, BEFORE), result(edit, "done")]
    assert files_of(talk)["/p/x.py"] == files_of(talk)["x.py"] == AFTER
    assert not files_of([*talk, result(edit, "Error: old_string not found")])
    assert not files_of([result(call("read", filePath="x.py", offset=10), BEFORE)])
    assert files_of([result(call("bash", command="cat x.py"), BEFORE)])["x.py"] == BEFORE


@pytest.mark.parametrize(
    ("shown", "text"),
    [
        ("a = 1\nb = 2", "a = 1\nb = 2"),
        ("     1\ta = 1\n     2\tb = 2", "a = 1\nb = 2\n"),
        ("     1→a = 1\n     2→b = 2", "a = 1\nb = 2\n"),
        ("<content>\n1: a = 1\n2: \n\n(End of file - total 2 lines)\n</content>", "a = 1\n\n"),
        ("1: a = 1\n2: b = 2\n\n(File has more lines. Use offset)", None),
        ("\n".join(f"{n}\tx" for n in range(1, 2001)), None),
        ("<error>none</error>", None),
        ("Here is `cat -n` of x.py:\n     1\ta = 1\n     2\tb = 2\n", "a = 1\nb = 2\n"),
        ("[File: x.py (2 lines total)]\n1:a = 1\n2:b = 2\n<note>x</note>", "a = 1\nb = 2\n"),
        ("Notes on it\n1: a\n2: b\n", None),
        ("names:\n  1: one\n  2: two\n", None),
        ("1: a = 1\n2: b = 2\nand so on", None),
    ],
)
def test_numbers_of_lines_are_taken_off(shown, text):
    """Of what may not be all of a file nothing is known."""
    assert whole_text(shown) == text


def test_a_file_with_numbers_of_its_own_is_read_as_it_is():
    """The keys of a dictionary are no numbers of lines: an edit of it is taken for what it is."""
    text = 'NAMES = {\n    1: "one",\n    2: "two",\n}\n'
    assert whole_text(text) == text
    edit = call("Edit", file_path="x.py", old_string='"one"', new_string='"un"')
    (write,) = writes_of(edit, files_of([result(call("read", filePath="x.py"), text)]))
    assert write.text == text.replace("one", "un")


def test_here_documents_end_where_the_shell_ends_them():
    """Several in one command; one that never ends goes to the end."""
    command = "cat <<'A' > a.py && tee b.py <<-B\nx = 1\nA\n\ty = 2\nB\n"
    assert list(written_files(command)) == [("a.py", "x = 1\n")]
    assert list(written_files("cat > c.py <<'E'\nz = 3")) == [("c.py", "z = 3\n")]


@pytest.mark.parametrize(
    ("name", "fields", "writes"),
    [
        ("bash", ["command"], True),
        ("edit", ["filePath", "oldString", "newString"], True),
        ("get_current_timestamp", [], False),
        ("read_file", ["path"], False),
    ],
)
def test_a_tool_that_can_write_is_known_by_its_schema(name, fields, writes):
    """What decides whether a model without tools is an error."""
    schema = {"type": "object", "properties": {key: {} for key in fields}}
    assert can_write(Tool(name, "", schema)) is writes


@pytest.mark.parametrize(
    ("reply", "is_code"),
    [
        ("```python\nx = 1\n```", True),
        ("Here:\n\n```python\ndef add(a, b):\n    return a + b\n```", True),
        ("def add(a, b):\n    return a + b", True),
        ("Done", False),
        ("I changed `add` so that it returns the sum.\n\n```python\nx\n```", False),
        ("```python\nx = 1\n```\n```python\ny = 2\n```", False),
    ],
)
def test_code_is_told_from_a_word_about_it(reply, is_code):
    """Only where nearly all of it is one program nothing is lost by showing that alone."""
    assert is_code_answer(reply) is is_code


def test_an_edit_makes_no_more_of_a_file_than_any_file_has():
    """A few kilobytes of calls made gigabytes: each place that is replaced, and edit after edit."""
    everywhere = {"old_string": "a", "new_string": "a" * 50_000, "replace_all": True}
    large = "a" * 40_000
    for made in (
        call("Edit", file_path="x", **everywhere),
        call("MultiEdit", file_path="x", edits=[everywhere] * 3),
    ):
        [write] = writes_of(made, {"x": large})
        assert write.text is None and write.before == large
    [write] = writes_of(call("MultiEdit", file_path="x", edits=[SWAP] * 1), {"x": BEFORE})
    assert write.text == AFTER


def test_of_a_very_long_conversation_the_newest_results_count():
    """What was read before them is not known any more; nothing wrong is said of it."""
    written = [result(call("write", path=f"{n}.py", content="x"), "ok") for n in range(401)]
    files = files_of(written)
    assert "400.py" in files and "0.py" not in files


def test_of_a_call_that_writes_hundreds_of_files_nothing_is_known():
    """What it does to those beyond the first hundred is not looked at."""
    before = result(call("write", path="x.py", content=BEFORE), "ok")
    command = "".join(f"cat >a{n} <<A\nA\n" for n in range(500))
    many = call("bash", command=command)
    assert len(writes_of(many, {})) == MOST_WRITES
    assert "x.py" not in files_of([before, result(many, "ok")])


def test_the_end_of_a_file_is_where_a_patch_looks_for_its_last_line():
    """Not at a line that begins as the last one, which has no end of line."""
    patch = "*** Update File: x.py\n@@\n-a\n+b\n"
    [(_, text)] = patched_files(patch, {"x.py": "ab\na"})
    assert text == "ab\nb"
