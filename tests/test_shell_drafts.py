"""Scripts and functions in Bash: what they take, the runs that are made of that, what comes of
these in the sandbox, and drafts that are compared so."""

import shutil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config import load_settings
from pipeline import sandbox
from pipeline.analysis.draft import Draft
from pipeline.review.agreement import compare
from pipeline.review.shell_comparison import function_asked_for, runs_of_shell
from pipeline.sandbox import ANY_VALUE, Arguments, Case, Limits
from pipeline.sandbox.test_result import CaseResult
from pipeline.testcases.shell_arguments import functions_of, taken_by_script
from pipeline.testcases.shell_cases import shell_runs
from pipeline.testcases.shell_needs import is_elsewhere, with_usual_names
from pipeline.testcases.shell_outcomes import outcomes_of_shell
from pipeline.testcases.shell_texts import read_shell
from pipeline.testcases.shown_runs import shown_texts, shown_words
from tests.test_agreement import JUDGED, coder, comparing, models_asked
from tools.bench.drafts.executed import run_of

needs_sandbox = pytest.mark.skipif(
    shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap"
)
FILES = (("a b.txt", "x\n"), ("d/e.txt", "yy\n"), ("empty/", ""), ("s.sh", "echo\n"))


def case(words=(), stdin="", files=FILES):
    return Case(Arguments(), ANY_VALUE, words=words, stdin=stdin, files=files)


async def ran(script, *cases, function=""):
    limits = Limits.of(load_settings())
    return await sandbox.run_shell(script, cases or (case(),), limits, function=function)


# --- in the sandbox ------------------------------------------------------------------------------


@needs_sandbox
async def test_a_script_has_a_folder_of_its_own_in_each_run():
    """With words and input; what it makes and removes is told, folders and blanks in names, too."""
    script = (
        'cat; echo "$# $1"; rm -r d; rmdir empty; echo y > "n w"; mkdir -p p/q; ls -A . | wc -l'
    )
    first, second = await ran(script, case(("w 1",), "in\n"), case((), ""))
    assert first.value == "in\n1 w 1\n4\n" and second.value == "0 \n4\n"
    gone = {"d/": None, "d/e.txt": None, "empty/": None}
    assert first.wrote == second.wrote == {**gone, "n w": "y\n", "p/q/": ""}
    (ended,) = await ran("echo a; exit 3")
    assert ended.value == "a\n" and ended.ended == "3" and not ended.wrote


@needs_sandbox
async def test_what_a_script_finds_around_it():
    """It is where its own file would be; the clock stands still; nothing waits; files are of
    several ages, or of the day that their names tell; its home is its folder."""
    came = await ran('cd "$(dirname "${BASH_SOURCE[0]}")"; [[ $0 == "$BASH_SOURCE" ]] && echo *')
    assert came[0].value == "a b.txt d empty s.sh\n"
    came = await ran("date +%s; sleep 60; date -d @5 +%s")
    assert int(came[0].value.split()[0]) % 86_400 == 0 and came[0].value.endswith("\n5\n")
    names = ("b-20240102.gz", "a", "b", "c")
    files = tuple((name, "x") for name in names)
    (came,) = await ran("ls -t; find . -type f -mtime +7 | wc -l", case(files=files))
    assert came.value.split() == ["a", "b", "c", "b-20240102.gz", "3"]
    (came,) = await ran("echo ~")
    assert came.value == "/tmp/run0\n"


@needs_sandbox
async def test_what_only_a_look_at_files_tells():
    """The names in archives, texts that were compressed, and modes where the script speaks of them;
    an archive that was there before and stays is not told."""
    files = (*FILES, ("old.tar.gz", "archive of x.md, y/z.md"))
    script = "tar czf d.tgz d; gzip s.sh; printf '\\377' > raw; tar xzf old.tar.gz; rm -r d"
    (came,) = await ran(script, case(files=files))
    left = {name: text for name, text in came.wrote.items() if text is not None}
    assert left == {
        "d.tgz": "archive of e.txt",
        "s.sh.gz": "compressed echo\n",
        "raw": "binary",
        "x.md": "x.md\n",
        "y/z.md": "y/z.md\n",
    }
    (came,) = await ran("chmod +x s.sh")
    assert came.wrote == {"mode of s.sh": "755"}


@needs_sandbox
async def test_scripts_that_hurt_nobody():
    """They remove all they find, never end, print on and on, start what goes on, lack a command:
    the next run is as if they had not been."""
    (came, after) = await ran(
        '[ "$1" ] && rm -rf /tmp/* ../* 2>/dev/null; ls', case(("x",)), case()
    )
    assert set(came.wrote.values()) == {None} and after.value == "a b.txt\nd\nempty\ns.sh\n"
    (came, *_) = await ran("while :; do :; done")
    assert came.raised == ("Endless",)
    (came,) = await ran("yes")
    assert came.raised == ("Exception",)
    (came,) = await ran("(sleep 1; while :; do :; done) & echo on")
    assert came.value == "on\n"
    (came,) = await ran("nosuchcommand | cat; echo on")
    assert came.raised == ("CommandNotFound",)


@needs_sandbox
async def test_a_function_is_called_and_its_program_says_nothing():
    """What it does when it is read is no part of that; `main "$@"` has no words then."""
    program = 'f() {\n    printf "%s|" "$@"\n    return 2\n}\nf demo\necho "$#"\n'
    (came,) = await ran(program, case(("a b", "c")), function="f")
    assert came.value == "a b|c|" and came.ended == "2"


# --- what is taken -------------------------------------------------------------------------------


def kinds(script, request="", function=""):
    taken = taken_by_script(script, request, function)
    return [each.kind for each in taken.places], taken


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ('dir="${1:-.}"\nn=${2:-5}\ndu -a "$dir" | sort -rn | head -n "$n"', ["folder", "number"]),
        ('if [ ! -f "$1" ]; then exit 1; fi\nwc -l < "$1"', ["file"]),
        ('for f in "$@"; do wc -l "$f"; done', ["file"]),
        ('main() {\n  local file="$1"\n  sort "$file"\n}\nmain "$@"', ["file"]),
        ('echo "Usage: $0 <dir> <pattern>"\ngrep -r "$2" "$1"', ["folder", "word"]),
        ("awk '{print $1}' | sort", []),
        ("x=$(ls | awk '{print $2}')\necho \"$x\" # $1", []),
        ("usage() { cat <<EOF\nIt's $1\nEOF\n}\nls", []),
    ],
)
def test_the_arguments_of_a_script(script, expected):
    """By their names, what is done with them and what the script says of its use; not those of awk,
    of functions and of comments."""
    assert kinds(script)[0] == expected


def test_options_and_choices():
    """The letters of getopts, and the texts that an argument is compared with."""
    options = (
        "while getopts 'n:vh' o; do case $o in n) n=$OPTARG;; v) v=1;; esac; done\n"
        'shift $((OPTIND-1))\ncat "$1"'
    )
    found, taken = kinds(options)
    assert found == ["file"] and taken.options == (("-n", "number"), ("-v", ""))
    _, taken = kinds('case $1 in\n  start) echo 1;;\n  "stop") echo 2;;\n  *) exit 1;;\nesac')
    assert taken.places[0].choices == ("start", "stop") == taken.commands
    assert taken_by_script('read -p "n? " n; echo $((n*2))', "").reads_input
    assert taken_by_script('while read -r l; do echo "$l"; done < "$1"', "").reads_input is False
    assert taken_by_script('f() {\n  "$@"\n}', "", "f").more == "command"
    assert functions_of("a() {\n  :\n}\nfunction b {\n  :\n}\n") == ["a", "b"]


def test_the_function_that_is_called():
    """Where one is asked for: the one that is named, else the last but for `main` and `usage`."""
    script = "a() {\n  :\n}\nb() {\n  :\n}\nmain() {\n  b\n}\n"
    assert function_asked_for(script, "a bash function", "") == "b"
    assert function_asked_for(script, "a bash function a", "a") == "a"
    assert function_asked_for(script, "a bash script", "a") == ""


@pytest.mark.parametrize(
    ("script", "does"),
    [
        ("curl -s https://example.com | jq .", True),
        ("ps aux | sort -nrk 3 | head", True),
        ('if ! ping -c1 "$1"; then echo down; fi', True),
        ("echo $((RANDOM % 6))", True),
        ("tail -n 20 /var/log/syslog", True),
        ("#!/usr/bin/env python3\nprint(1)", True),
        ("#!/usr/bin/env bash\n# no curl, no git here\necho 'git curl' | wc -c", False),
        ("ls *.txt 2>/dev/null | wc -l", False),
        ('tar czf "b-$(date +%F).tar.gz" "$1"', False),
    ],
)
def test_what_is_not_compared(script, does):
    """Other machines, processes, users, chance: not what only comments and texts name."""
    assert is_elsewhere(script) is does


def test_names_that_stand_for_others_have_one_name():
    """But for those that the request gives, and those that the script writes."""
    script = "awk '{print $2}' /path/to/file.txt data.csv > out.txt\ncat users.csv > output.txt\n"
    found = with_usual_names(script, "the second column of users.csv")
    assert found == ("awk '{print $2}' input.txt input.csv > out.txt\ncat users.csv > output.txt\n")
    assert with_usual_names("ls /path/to/dir", "") == "ls folder"


def test_what_a_request_shows():
    """Command lines but for those of placeholders and prose; texts below a colon."""
    request = (
        "Bash function join_by that joins.\n\njoin_by , a b     prints a,b\njoin_by SEP X\n"
        "`join_by ' - ' x` prints x\n\nThe input is:\n\n1 2\n3\n\noutput:\n4\n"
    )
    assert shown_words(request, "join_by") == [(",", "a", "b"), (" - ", "x")]
    assert shown_texts(request) == [("is", "1 2\n3\n"), ("output", "4\n")]
    assert shown_words("$ ./greet.sh -n Ann\nHello", "") == [("-n", "Ann")]


def test_runs_are_made_of_what_is_taken():
    """The same each time; files of the kinds of which the request speaks, some with blanks."""
    script = 'for f in *.jpeg; do mv "$f" "${f%.jpeg}.jpg"; done'
    request = "renames all .jpeg files in the current directory to .jpg"
    taken = taken_by_script(script, request)
    runs = shell_runs(taken, request, script, 30)
    assert runs == shell_runs(taken, request, script, 30)
    names = {name for run in runs for name, _ in run.files}
    assert {"a.jpeg", "b c.jpeg"} <= names and not any(run.words for run in runs)
    request = "takes a directory, deletes empty subdirectories"
    runs = shell_runs(taken_by_script('find "$1" -type d -empty', request), request, "", 30)
    assert {"data", "my data", "."} == {run.words[0] for run in runs}
    assert any(name.endswith("void/") for run in runs for name, _ in run.files)


# --- what comes of runs --------------------------------------------------------------------------


def outcomes(request, script, *rows):
    """Of runs that printed and wrote so."""
    results = [
        CaseResult(case(), "printed", printed, wrote=wrote, ended=ended)
        for printed, wrote, ended in rows
    ]
    return outcomes_of_shell(results, request, script)


def test_a_scripts_own_words_are_left_out():
    """Labels, the order where none is asked for, `./` and folders before names, colours."""
    say = 'echo "Found file: $f"\necho "Total: $n"'
    first = outcomes("lists the text files", say, ("Found file: ./a b.txt\nTotal: 1\n", {}, ""))
    second = outcomes("lists the text files", "ls", ("\x1b[1ma b.txt\x1b[0m\n", {}, ""))
    assert first == second == ["printed a b.txt"]
    unordered = [("b.txt\na.txt\n", {}, ""), ("a.txt\nb.txt\n", {}, "")]
    assert len(set(outcomes("lists files", "ls", *unordered))) == 1
    assert len(set(outcomes("lists files sorted by size", "ls", *unordered))) == 2


def test_where_only_words_come_it_counts_which_runs_have_the_same():
    """ "7 is prime" and "yes" are the same answer; a symbol is one, too."""
    first = outcomes(
        "is it prime", 'echo "prime"; echo "no"', ("prime\n", {}, ""), ("no\n", {}, "")
    )
    second = outcomes(
        "is it prime", 'echo "yes"; echo "nope"', ("yes\n", {}, ""), ("nope\n", {}, "")
    )
    assert first == second and len(set(first)) == 2
    assert len(set(outcomes("compares", "", ("<\n", {}, ""), (">\n", {}, "")))) == 2


def test_what_is_left_counts_where_files_are_changed():
    """And not what is said of it, unless that is asked for; of a new name that nobody gave, and of
    one with a date, only the kind; the status where the request speaks of it."""
    moved = {"a b.txt": None, "a.md": "x\n"}
    quiet = outcomes("renames the files", "mv", ("", moved, ""))
    assert quiet == outcomes("renames the files", 'echo "ok"', ("ok 1 file\n", moved, ""))
    told = outcomes("renames the files and prints each", "mv", ("a b.txt\n", moved, ""))
    assert told != quiet
    for name in ("backup_2026-01-05.tar.gz", "20260105-d.tar.gz"):
        made = outcomes("backup", "tar", ("", {name: "archive of e.txt"}, ""))
        assert made == ["wrote (dated).tar.gz: 'archive of e.txt'"]
    assert outcomes("saves it", "", ("", {"q": "1"}, "")) == ["wrote (new): '1'"]
    failed = ("a b.txt\n", {}, "1")
    assert outcomes("lists files", "", failed) == ["printed a b.txt"]
    assert outcomes("lists files, exits with 1 if", "", failed)[0].endswith("ended with an error")


@given(
    st.text(alphabet="$\"'(){}<>|;&#\\\n EOFabc123*.-/=[]!", max_size=200), st.text(max_size=200)
)
def test_any_text_is_read(script, request):
    """As a script and as a request; nothing is raised."""
    read_shell(script)
    taken = taken_by_script(script, request)
    taken_by_script(f"f() {{\n{script}\n}}\n", request, "f")
    shell_runs(taken, f"{request}\n{script}", script, 5)
    is_elsewhere(script)
    with_usual_names(script, request)
    shown_words(f"f {script}\nf.sh {request}", "f")
    shown_texts(f"{request}:\n\n{script}")
    outcomes(script + request, script, (request, {script: request, "a b.txt": None}, ""))


# --- drafts --------------------------------------------------------------------------------------

EMPTY = "Write a bash script that deletes the empty directories below a path and prints each one."
FIND = 'find "$1" -mindepth 1 -type d -empty -print -delete\n'
LOOP = """\
dir="${1:-.}"
find "$dir" -mindepth 1 -depth -type d | while IFS= read -r each; do
    if [ -z "$(ls -A "$each")" ]; then
        rmdir "$each"
        echo "Removed empty directory: $each"
    fi
done
"""
SILENT = 'find "$1" -mindepth 1 -type d -empty -delete\n'
FLAT = 'rmdir -v "$1"/*/ 2>/dev/null\n'


def fenced(script):
    return f"```bash\n{script}```\n"


@needs_sandbox
async def test_two_scripts_that_do_the_same_need_no_opinion(pipeline_with):
    """The first one is the answer."""
    async with comparing(pipeline_with, coder(fenced(FIND), fenced(LOOP)), JUDGED) as run:
        assert await run(EMPTY) == FIND
    record = run.record
    assert models_asked(record) == ["coder", "coder"]
    assert record["final_reason"].startswith("not judged: 2 of 2 drafts agree on ")


@needs_sandbox
async def test_a_script_on_which_drafts_differ_is_uncertain(pipeline_with):
    """The answer is what two of three do; the caller hears on which run they differ."""
    replies = coder(fenced(SILENT), fenced(FIND), fenced(LOOP))
    async with comparing(pipeline_with, replies, JUDGED) as run:
        assert await run(EMPTY) == FIND
    made = run.record["artefact"]
    assert made["agreement"]["classes"] == [[1, 2], [0]]
    assert made["chosen_because"].startswith("2 of 3 drafts agree on ")
    assert "the program with" in made["differences"][0]["call"]


@needs_sandbox
async def test_a_script_that_never_prints_what_it_shall_is_held_against_another(pipeline_with):
    """Not the judge's matter: the next draft says something."""
    counts = 'find "$1" -type f | wc -l\n'
    silent = 'n=0\nfind "$1" -type f | while read -r f; do ((n++)); done\n((n)) && echo "$n"\n'
    others = 'find "$1" -type f -printf x | wc -c\n'
    replies = coder(fenced(silent), fenced(counts), fenced(others))
    async with comparing(pipeline_with, replies, JUDGED) as run:
        assert await run("bash script DIR: prints how many files are below it") == counts
    assert models_asked(run.record)[:3] == ["coder", "coder", "coder"]
    assert run.record["artefact"]["agreement"]["classes"] == [[1, 2], [0]]


@needs_sandbox
async def test_a_script_for_another_machine_is_judged(pipeline_with):
    """Nothing is said of what it does."""
    script = 'curl -fsS "$1" | grep -c error\n'
    async with comparing(pipeline_with, coder(fenced(script)), JUDGED) as run:
        await run("Write a bash script that downloads a URL and counts the lines with error.")
    assert models_asked(run.record) == ["coder", "judge"]
    assert "agreement" not in (run.record["artefact"] or {})


SUM = "Write a bash function add_all that prints the sum of its arguments."
ADDS = (
    'add_all() {\n    local sum=0\n    for n in "$@"; do ((sum += n)); done\n    echo "$sum"\n}\n'
)
WORDS = (  # request, two right programs, one wrong
    (EMPTY, FIND, LOOP, FLAT),
    (SUM, ADDS, 'add_all() {\n    local IFS=+\n    echo $(("$*"))\n}\n', ADDS.replace("+=", "-=")),
    (
        "bash one-liner that counts the lines of all .py files in the current directory and below",
        "find . -name '*.py' -type f -exec cat {} + | wc -l",
        "cat $(find . -name '*.py' | tr ' ' '?') | wc -l",
        "wc -l *.py | tail -n 1",
    ),
    (
        "Shell script that reads a number from standard input and says whether it is even or odd.",
        'read -p "Number: " n\nif (( n % 2 == 0 )); then echo "even"; else echo "odd"; fi\n',
        'read n\n[ $((n % 2)) -eq 0 ] && echo "$n is even" || echo "$n is odd"\n',
        'read n\n[ $((n % 3)) -eq 0 ] && echo "$n is even" || echo "$n is odd"\n',
    ),
    (
        "Bash script: for each .txt file in the current directory make a copy that ends in .bak",
        'for f in *.txt; do [ -e "$f" ] && cp -- "$f" "$f.bak"; done',
        "find . -maxdepth 1 -name '*.txt' -exec cp {} {}.bak ';' -exec echo copied {} ';'",
        "for f in $(ls *.txt); do cp $f $f.bak; done",
    ),
)


@needs_sandbox
@pytest.mark.parametrize("row", WORDS, ids=[row[0][:30] for row in WORDS])
async def test_right_scripts_agree_and_wrong_ones_do_not(row):
    """Whichever of the right ones the runs are made of."""
    request, *scripts = row
    drafts = {n: Draft(script, "bash", ()) for n, script in enumerate(scripts)}
    with run_of(request, load_settings(), None) as run:
        for n in (0, 1):
            calls = await runs_of_shell(run, request, drafts[n], "")
            assert calls, n
            found = await compare(run, drafts, calls, "")
            assert found.classes[0] == (0, 1), found.differences
