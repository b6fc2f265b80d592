"""Blocks that a request asks for beside the code."""

import time

import pytest

from pipeline.analysis.draft import read_draft

CODE = "import os\n\nprint(os.name)\n"
PROGRAM = f"```python\n{CODE}```\n"
CONFIG = f'{PROGRAM}\n**Example config.json:**\n```json\n{{\n  "a": 1\n}}\n```\n'
INSTALL = f"Install:\n```bash\npip install x\n```\n{PROGRAM}Run:\n```sh\npython x.py\n```\n"
CRON = (
    f"{PROGRAM}Edit:\n```bash\ncrontab -e\n```\n"
    "Then add:\n```\n0 2 * * * /usr/bin/python3 /x.py\n```\n```sh\npip install x\n```\n"
)


def answer(request, reply):
    return read_draft("coder", reply, request).text


@pytest.mark.parametrize(
    ("request_", "reply", "behind"),
    [
        ("Read config.json; show an example config.json", CONFIG, '{\n  "a": 1\n}'),
        ("A bot and its `config.json`", CONFIG, '{\n  "a": 1\n}'),
        ("A tool + config.json", CONFIG.replace("config.json", "file"), '{\n  "a": 1\n}'),
        ("With its requirements.txt", f"{PROGRAM}```requirements.txt\nos\nx\n```", "os\nx"),
        ("plus requirements.txt", f"{PROGRAM}`requirements.txt`:\n```\nos\nx\n```", "os\nx"),
        ("include a sample people.csv", f"{PROGRAM}```csv\nage\n3\n```", "age\n3"),
    ],
)
def test_a_file_that_is_asked_for_stands_behind_the_code_as_comments(request_, reply, behind):
    """Under its name, by which the request calls it; what runs is the code alone."""
    code, _, comment = answer(request_, reply).partition("\n# ")
    name, _, said = comment.replace("\n# ", "\n").partition(":\n")
    assert code == CODE and name in request_ and said == f"{behind}\n"


@pytest.mark.parametrize(
    ("request_", "reply", "behind"),
    [
        ("and give me the crontab line", CRON, ["crontab -e", "0 2 * * * /usr/bin/python3 /x.py"]),
        ("show the commands to install it", INSTALL, ["pip install x", "python x.py"]),
        ("and how to run it", INSTALL, ["pip install x", "python x.py"]),
        ("and how do I run it?", f"{PROGRAM}```\n./x.py\n```\n```\n3 it is\n```", ["./x.py"]),
        ("Add some sample data", CONFIG, ["{", '  "a": 1', "}"]),
    ],
)
def test_what_is_asked_for_without_a_name_stands_there_too(request_, reply, behind):
    """The line for cron, commands, data: several blocks of a kind under one title."""
    code, _, comment = answer(f"Write a script, {request_}", reply).partition("\n# ")
    title, *lines = comment.splitlines()
    assert code == CODE and title in ("crontab:", "Commands:", "Sample:")
    assert [line.removeprefix("# ") for line in lines] == behind


@pytest.mark.parametrize("reply", [CONFIG, INSTALL, CRON])
@pytest.mark.parametrize(
    "request_",
    [
        "Write a script",
        "Write a Python script that reads config.json and prints the host",
        "Read n. Sample input: 5",
        "A bot with commands to kick and ban users",
    ],
)
def test_other_blocks_are_left_out(request_, reply):
    """What to install, an example that nobody asked for, a file that is only read."""
    assert answer(request_, reply) == CODE


def test_what_is_printed_is_left_out_whatever_is_asked_for():
    """A model's guess at what comes out."""
    reply = f"{PROGRAM}This prints:\n```json\n1\n```\n"
    assert answer("Write a script with an example config.json", reply) == CODE


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        (
            "```Dockerfile\nFROM x\n```\nSo:\n```sh\ndocker build .\n\ndocker run y\n```",
            "FROM x\n\n# Commands:\n# docker build .\n#\n# docker run y\n",
        ),
        ("```go\npackage x\n```\n```\ngo run .\n```", "package x\n\n// Commands:\n// go run .\n"),
        ("```css\na {}\n```\n```sh\nls */*.css\n```", "a {}\n"),
        ("```xml\n<a/>\n```\n```sh\nxmllint --noout a.xml\n```", "<a/>\n"),
        (
            "```php\n<?php\nf();\n?>\n```\n```sh\nphp a.php\n```",
            "<?php\nf();\n?>\n\n<!-- Commands: -->\n<!-- php a.php -->\n",
        ),
        ("```json\n[1]\n```\n```text\n./x\n```", "[1]\n"),
    ],
)
def test_comments_are_those_of_the_code_s_language(reply, text):
    """Where it has none, or a line would end its comment, the code stays as it is."""
    assert answer("Write it, and the commands to run it", reply) == text


def test_a_document_of_several_files_has_it_as_a_part():
    """Each in a fence of its own, as the files are."""
    reply = "```c\nint x;\n```\n```makefile\nall:\n```\nBuild it:\n```sh\nmake\n```\n"
    draft = read_draft("coder", reply, "A C program and a Makefile, and how to run it")
    files = "```c\nint x;\n```\n\n```makefile\nall:\n```\n"
    assert draft.text == f"{files}\n```bash\nmake\n```\n"
    assert (draft.language, read_draft("coder", reply, "A C program").text) == ("markdown", files)


def test_a_script_is_not_lost_beside_the_line_that_starts_it():
    """Though a block for cron has a label of its own, and a script's first line may be missing."""
    reply = "```bash\nrm -f x\n```\n```cron\n0 3 * * * /x.sh\n```\n"
    assert answer("Write a script", reply) == "rm -f x\n"
    assert answer("Write a script and a cron job", reply).startswith("rm -f x\n\n# crontab:\n# 0 3")


def test_a_program_beside_its_requirements_is_python():
    """The file's name in the request is none of the program's language."""
    draft = read_draft("coder", PROGRAM, "A Flask app and its requirements.txt")
    assert draft.language == "python"


@pytest.mark.parametrize(
    "request_",
    [
        "show an example " * 1300,
        "and " + "a/" * 9000,
        "".join(f", {n}.json" * 9 for n in range(200)),
    ],
)
def test_hostile_requests_and_replies_are_read_in_bounded_time(request_):
    """Many files, many blocks, long lines."""
    many = PROGRAM + "a.json " * 20 + "\n```text\n1 1 1 1 \n```\n" * 1500
    long = f"{PROGRAM}```text\n{'*/5 ' * 100_000}\n```\n"
    started = time.perf_counter()
    for reply in (many, long):
        answer(f"{request_} with a cron job and how to run it", reply)
    assert time.perf_counter() - started < 5
