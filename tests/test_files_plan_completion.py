"""What a request says of files that a plan leaves out: `pipeline/projects/plan_completion.py`."""

from dataclasses import replace

import pytest

from pipeline.analysis.file_types import type_of_path
from pipeline.projects.manifest import Manifest, PlannedFile
from pipeline.projects.plan_completion import completed, named_plan

PLACED = ["src/b.py", "src/main.py", "main.py"]


def plan(*paths, setup=""):
    files = [PlannedFile(path, type_of_path(path), "d", "s", "c") for path in paths]
    return Manifest("t", "p", tuple(files), setup_instructions=setup)


@pytest.mark.parametrize(
    ("request_", "paths", "added"),
    [
        ("book.py with a class. demo.py shows it", ["book.py"], ["demo.py"]),
        (
            "convert.py, test_convert.py and a README.md",
            ["app/convert.py"],
            ["test_convert.py", "README.md"],
        ),
        ("it writes notes.json and out.txt", ["a.py"], []),
        (
            "a package `units`, with tests",
            ["units/core.py", "tests/test_core.py"],
            ["units/__init__.py"],
        ),
        ("a tool for units", ["units/core.py"], []),
        ("it works like this:\n```\nimport other.py\nsee other.py\n```", ["a.py"], []),
        ("see https://x.org/a/page.html and v1.py.bak", ["a.py"], []),
        ("a Node.js server with Express.js", ["server.js"], []),
        ("a bot with discord.py; p5.js draws", ["bot.py"], []),
        ("a calculator. Main.py prints the sum", ["main.py"], []),
        ("Book.py is a book. demo.py shows what book.py does", ["a.py"], ["book.py", "demo.py"]),
        ("a calculator, no README.md please", ["calc.py"], []),
        ("ohne README.md, und keine `test_calc.py`", ["calc.py"], []),
        ("do not write a setup.py. README.md is not needed", ["calc.py"], []),
        ("do not write a setup.py that imports calc.py", ["a.py"], ["calc.py"]),
        ("core.py must not import cli.py", ["core.py"], ["cli.py"]),
        ("it reads in.md and writes out.html; convert a.md to b.html", ["a.py"], []),
        ("a page index.html that links to style.css", ["a.js"], ["index.html", "style.css"]),
        (
            "it has:\n-main.py: asks\n-calc.py: adds\n-README.md",
            ["main.py"],
            ["calc.py", "README.md"],
        ),
        ("see https://x.org/a-b/c.py and x/-y.py", ["a.py"], []),
        ("write aux.js, -nul.py, con.py and b.py", ["a.py"], ["b.py"]),
    ],
)
def test_files_that_the_request_names_are_planned(request_, paths, added):
    """Code and documents that the plan has in no folder and in no other case; what it has stays
    first. Libraries, files that are converted and files that are not wanted are none of them."""
    assert list(completed(plan(*paths), request_).paths) == [*paths, *added]


def test_a_forgotten_file_is_for_what_the_request_says():
    """It may use the sources that are planned; a document uses none."""
    known = plan("book.py", "test_book.py")
    made = completed(known, "book.py is a book. demo.py adds two entries; README.md explains")
    demo, readme = made["demo.py"], made["README.md"]
    assert (demo.description, demo.depends_on) == ("demo.py adds two entries;", ("book.py",))
    assert (readme.file_type, readme.depends_on) == ("documentation", ())


@pytest.mark.parametrize(
    ("request_", "setup", "programs"),
    [
        ("a to-do list", "Install it, then `python src/todo.py`", ["src/todo.py"]),
        ("`todo.py add TEXT` adds a task", "", ["src/todo.py"]),
        ("todo.py takes a file and prints its tasks", "", ["src/todo.py"]),
        ("todo.py has a function that prints the tasks", "python -m unittest", []),
        ("todo.py with `add(x)`; other.py prints", "", []),
        ("todo.py: all tasks", "python test_todo.py", []),
    ],
    ids=["the plan", "a command", "it prints", "a function", "another file", "a test"],
)
def test_programs_are_known_by_how_they_are_started(request_, setup, programs):
    """Source files that request or plan show as commands, or that print something."""
    made = completed(plan("src/todo.py", "test_todo.py", setup=setup), request_)
    assert [path for path in made.programs if path != "other.py"] == programs


@pytest.mark.parametrize(
    ("request_", "given"),
    [
        ("`todo.py add TEXT` adds a task", True),
        ("todo.py prints the file that is named on the command line", True),
        ("todo.py prints a password, as long as --length says", True),
        ("todo.py takes the name of a file and prints its tasks", True),
        ("todo.py prints all tasks. The command line is not used", False),
        ("todo.py takes guesses from the player and prints how near they are", False),
        ("todo.py prints the output of `add(1, 2)`", False),
        ("start it with `python todo.py`", False),
        ("todo.py add TEXT saves a task, todo.py list shows all", True),
        ("todo.py is what prints it; todo.py that prints it", False),
    ],
)
def test_what_a_program_is_given_stands_in_the_request(request_, given):
    """As a command, or in the words about that file."""
    made = completed(plan("todo.py"), request_)
    assert made.programs == ("todo.py",)
    assert made.given == (("todo.py",) if given else ())


@pytest.mark.parametrize(
    ("request_", "paths"),
    [
        ("cli.py prints what core.py computes", ["core.py", "cli.py"]),
        ("README.md, test_core.py and core.py", ["core.py", "README.md", "test_core.py"]),
        ("core.py with tests and a readme", ["core.py", "test_core.py", "README.md"]),
        ("a page in index.html, style.css and x.js", ["index.html", "style.css", "x.js"]),
        ("a package `u`: u/core.py, and tests", ["u/core.py", "test_core.py", "u/__init__.py"]),
        ("core.py without tests", ["core.py"]),
        ("these files:\n-main.py: asks\n-calc.py: adds", ["calc.py", "main.py"]),
        ("split it: app.py is one of the files", None),
        (
            "a package shapes with circle.py and test_circle.py; main.py prints 1",
            ["shapes/circle.py", "main.py", "test_circle.py", "shapes/__init__.py"],
        ),
        ("a package with core.py and main.py", ["core.py", "main.py"]),
        ("core.py and cli.py, no unit tests", ["core.py", "cli.py"]),
        ("core.py with add(a, b) and no tests", ["core.py"]),
        ("core.py and cli.py; more files and tests are not needed", ["core.py", "cli.py"]),
        ("core.py und cli.py, mit Unit-Tests", ["core.py", "cli.py", "test_core.py"]),
        ("core.py mit Tests und einer README", ["core.py", "test_core.py", "README.md"]),
        ("core.py und cli.py ohne Tests und ohne README.md", ["core.py", "cli.py"]),
        ("core.py, cli.py, but do not write a test_core.py", ["core.py", "cli.py"]),
        ("prime.py tests a number, main.py prints it", ["prime.py", "main.py"]),
        ("cli.py and core.py with tests", ["core.py", "cli.py", "test_core.py"]),
        ("app.js and lib.js with tests", None),
        ("a to-do app with React.js and Node.js", None),
        ("main.py prints it. Reading it goes into lib.py", ["lib.py", "main.py"]),
        ("main.py and lib.py convert input.md into output.html", None),
        ("app.py, models.py and requirements.txt", None),
        ("index.html, style.css and App.jsx", None),
        ("main.py and core.lua", None),
        ("<attached_files>a.py, b.py</attached_files> a to-do list", None),
        ("a to-do list with tests", None),
        ("README.md and NOTES.md", None),
        ("a.py and A.py", None),
        ("src/core.py and src/cli.py; core.py has add(a, b)", ["src/core.py", "src/cli.py"]),
        ("main.py starts src/main.py", ["main.py", "src/main.py"]),
        ("src/\n├── main.py\nall:\n├── src\n│   └── b.py\n└── main.py", PLACED),
        ("put core.py and cli.py in src/, with tests", None),
        ("in src/: src/core.py and src/cli.py", ["src/core.py", "src/cli.py"]),
    ],
)
def test_a_request_that_names_its_files_is_a_plan(request_, paths):
    """Programs after what they use; tests and a README that are asked for without a name are in it.
    One file of several, no source, or paths that cannot stand beside each other are none."""
    made = named_plan(request_, "R")
    assert (list(made.paths) if made else None) == paths
    if made:
        assert made.task_id == "R"
        assert all(file.description for file in made.files)


@pytest.mark.parametrize(
    ("request_", "paths", "packages"),
    [
        ("a Flask server: app.py", ["app.py"], ["flask"]),
        ("core.py, with pytest tests", ["core.py", "test_core.py"], ["pytest"]),
        ("scrape it with requests and BeautifulSoup", ["a.py"], ["requests", "beautifulsoup4"]),
        ("count the requests of an express train", ["a.py", "b.js"], []),
        ("an Express.js server", ["a.js"], ["express"]),
        ("an Express.js server, no Flask", ["a.md"], []),
        ("without numpy, and do not use pandas. Plot it with matplotlib", ["a.py"], ["matplotlib"]),
        ("read flask.py and https://x.org/flask/doc", ["a.py"], []),
    ],
)
def test_packages_that_the_request_names_are_the_plan_s(request_, paths, packages):
    """A small model's plan has none of its own; code that imports them has no fault."""
    assert list(completed(plan(*paths), request_).dependencies) == packages


def test_a_package_that_is_planned_is_not_planned_again():
    """Whatever version the plan asks for."""
    made = replace(plan("a.py"), dependencies=("Flask>=3",))
    assert completed(made, "a Flask server").dependencies == ("Flask>=3",)


TREE = """\
shop/
├── src/
│   ├── __init__.py
│   ├── cart.py        # has add(a, b)
│   └── cli.py – starts it
├── tests/
│   └── test_cart.py
└── README.md"""
IN_ASCII = """\
.
|-- src/
|   |-- __init__.py
|   |-- cart.py
|   `-- cli.py
|-- tests
|   `-- test_cart.py
`-- README.md"""


@pytest.mark.parametrize(
    "said",
    [
        f"a shop:\n{TREE}\ncart.py has add(a, b)",
        f"a shop:\n\n```\n{TREE}\n```\n\ncart.py has add(a, b)",
        f"a shop:\n\n```text\n{IN_ASCII}\n```\n\ncart.py has add(a, b)",
    ],
    ids=["plain", "fenced", "ASCII"],
)
def test_a_drawn_tree_says_where_files_are(said):
    """Whatever it is drawn with; the project's own folder is none of theirs."""
    made = named_plan(said, "R")
    assert made
    wanted = ["src/__init__.py", "src/cart.py", "src/cli.py", "README.md", "tests/test_cart.py"]
    assert sorted(made.paths) == sorted(wanted)
    assert made["src/cart.py"].requested == ("add(a, b)",)


def test_folders_at_the_top_of_several_trees_are_part_of_the_paths():
    """So is a single one that is a usual part of a project."""
    made = named_plan("two:\nsrc/\n├── a.py\n└── b.py\n\ntests/\n└── test_a.py\n", "R")
    assert made and list(made.paths) == ["src/a.py", "src/b.py", "tests/test_a.py"]


def test_the_project_s_own_folder_is_no_part_of_the_paths():
    """Also where it has no mark of a folder, or a usual name."""
    for root in ("app/", "app", "."):
        made = named_plan(f"one:\n{root}\n├── a.py\n└── b.py\n", "R")
        assert made and list(made.paths) == ["a.py", "b.py"]


def test_more_files_than_a_project_may_have_are_no_plan_at_once():
    """However many are named: none of them is looked at any closer."""
    names = " ".join(f"f{n}.py" for n in range(10_000))
    assert named_plan(f"Write this with tests: {names}", "R") is None


def test_a_table_is_no_tree():
    """Its bars are no branches."""
    made = named_plan("| file | what |\n|---|---|\n| a.py | add |\n| b.py | prints |", "R")
    assert made and list(made.paths) == ["a.py", "b.py"]
