"""What runs of scripts in Bash are made of where a request speaks of it, and what of what they
print counts then."""

import pytest

from pipeline.sandbox.sandbox_scripts.shell_surroundings import lacking
from pipeline.testcases.shell_arguments import taken_by_script
from pipeline.testcases.shell_cases import shell_runs
from tests.test_shell_drafts import kinds, outcomes


def runs_of(request, script, function=""):
    return shell_runs(taken_by_script(script, request, function), request, script, 30, function)


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ('found=$(grep -iw -- error "$1" | tail -n 3)\n[ -n "$found" ] && echo "$found"', "file"),
        ('grep -rn "TODO" "$1"\necho done', "folder"),
        ('a=$1\ncp "$a" x', "file"),
        ('s=$1\necho "$((s / 60))"', "number"),
        ('s=$1\necho "${s//\\"/\'}"', "word"),
        ("pw=$1\n[[ ${#pw} -ge 8 && $pw =~ [0-9] ]]", "word"),
        ('mkdir -p "$1"/{src,docs}', "new folder"),
        ('mkdir -p "$1"\nfor f in "$1"/*; do echo "$f"; done', "folder"),
    ],
)
def test_what_is_done_with_an_argument_tells_its_kind(script, expected):
    """More than the letter that it is called by."""
    assert kinds(script)[0] == [expected]


def test_choices_between_letters_in_brackets():
    """Of `[Cc])` either letter is given."""
    _, taken = kinds('case "$1" in [Cc]) echo c ;; f|F) echo f ;; esac')
    assert taken.places[0].choices == ("C", "c", "f", "F")


def test_runs_are_made_of_what_the_request_speaks_of():
    """A folder that is there already, records, two files, whole numbers; what is to be written is
    not there before."""
    made = runs_of("makes a folder, an error if it exists already", 'mkdir "$1" || exit 1')
    assert {run.words for run in made} == {("new0",), ("my new0",)}
    assert any(name == f"{run.words[0]}/plum.txt" for run in made for name, _ in run.files)
    files = dict(runs_of("users.txt has lines name:uid:shell", "cut -d: -f3 users.txt")[0].files)
    assert "Ann:20:toys\n" in files["users.txt"]
    both = runs_of("swaps two files", 'mv "$1" t\nmv "$2" "$1"\nmv t "$2"')
    assert all(len(set(run.words)) == 2 for run in both)
    given = {run.stdin for run in runs_of("sums whole numbers from stdin", "while read -r n; do :")}
    assert given and not any("-" in text for text in given)
    merged = runs_of("puts two or more files together and writes them to all.txt", 'cat "$@"')
    assert not any(name == "all.txt" for run in merged for name, _ in run.files)
    assert all(len(run.words) > 1 for run in merged)


def test_what_the_request_quotes_counts():
    """Also where a script says it in a line of its own words; one word of a choice for its line."""
    request = "prints the lines, or `no errors`"
    say = 'echo "no errors"'
    assert outcomes(request, say, ("no errors\n", {}, "")) == ["printed no errors"]
    either = "prints yes or no for a year"
    say = 'echo "yes, indeed"; echo "no"'
    said = outcomes(either, say, ("yes, indeed\n", {}, ""), ("no\n", {}, ""))
    assert said == ["printed yes", "printed no"]


def test_zeros_before_a_number_count_where_the_request_has_them():
    """As in the hours and minutes of 1:02:05."""
    padded, plain = ("1:02:05\n", {}, ""), ("1:2:5\n", {}, "")
    assert len(set(outcomes("turns seconds into H:MM:SS", "", padded, plain))) == 2
    assert len(set(outcomes("takes a number of seconds", "", padded, plain))) == 1


def test_a_function_that_answers_by_its_status():
    """To end well is an answer there."""
    rows = (("", {}, ""), ("", {}, "1"))
    assert outcomes("exits with status 1 if", "", *rows) == ["ended well", "ended with an error"]
    assert outcomes("checks it", "", *rows)[0] == "printed nothing"


@pytest.mark.parametrize(
    ("complaint", "lacks"),
    [
        (b"script.sh: line 3: jqq: command not found\n", True),
        (b"script.sh: 3: jqq: not found\n", True),
        (b"mawk: line 2: function gensub never defined\n", True),
        (b"a b.txt: not found\n", False),
        (b"Error: -x is not an option\n", False),
    ],
)
def test_what_a_script_says_of_its_files_is_no_lack_of_a_command(complaint, lacks):
    """Only a shell and awk tell of that."""
    assert bool(lacking(complaint)) is lacks
