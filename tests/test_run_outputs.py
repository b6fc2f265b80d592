"""What runs of programs printed is compared without the programs' own words."""

import pytest

from pipeline.testcases.run_outputs import said_in_runs

ASKED = "Read lines such as `3 + 4` and print the result of each; division by zero prints error."
LABELLED = """\
print("Enter an expression, or quit:")
while (line := input()) != "quit":
    try:
        print(f"Result: {eval(line)}")
    except ZeroDivisionError:
        print("Error: Division by zero is not allowed.")
print("Goodbye!")
"""
BARE = "for line in open(0):\n    print('error' if '/ 0' in line else eval(line))\n"


def said(request, program, *outputs):
    return said_in_runs(outputs, program, request)


def test_labels_banners_and_farewells_are_the_program_s_own():
    """Numbers are left, however they are written, and the words that the request has for what goes
    wrong."""
    banner, end = "Enter an expression, or quit:\n", "Goodbye!\n"
    labelled = [
        f"{banner}Result: 7.0\nResult: 2.5\n{end}",
        f"{banner}Error: Division by zero is not allowed.\nResult: 1\n{end}",
    ]
    assert said(ASKED, LABELLED, *labelled) == ["7 2.5", "error division zero 1"]
    assert said(ASKED, BARE, "7\n2.50€\n", "error\n1\n") == ["7 2.5", "error 1"]


def test_words_that_come_of_the_input_stay():
    """Also where the program's own stand beside them, and what the request has in quotation marks
    stays too."""
    program = "print(f'The longest word is {word}')"
    assert said(
        "the longest word", program, "The longest word is cat\n", "The longest word is a b\n"
    ) == [
        "cat",
        "a b",
    ]
    program = "print(f'{n} is too low'); print(f'{n} is too high')"
    asked = "print 'too low' or 'too high'"
    assert said(asked, program, "3 is too low\n", "9 is too high") == ["3 too low", "9 too high"]


def test_answers_in_the_program_s_own_words_stay_apart():
    """What tells them apart is in the request."""
    program = "print('The number is even' if n % 2 == 0 else 'The number is odd')"
    found = said("is a number even or odd?", program, "The number is even\n", "The number is odd\n")
    assert len(set(found)) == 2 and "even" in found[0] and "odd" in found[1]
    assert said("even or odd?", program, "The number is odd\n") == ["odd"]


@pytest.mark.parametrize(
    "request_",
    [
        "print the sum with two decimals",
        "writes the values separated by tabs",
        "shows a table, aligned",
    ],
)
def test_where_a_format_is_asked_for_lines_stay_as_they_are(request_):
    """But for blanks at their ends; that the input has one is none."""
    assert said(request_, "print(f'Sum: {n:.2f}')", "Sum: 7.00 \n") == ["Sum: 7.00"]
    asked = "numbers separated by commas. Print their sum."
    assert said(asked, "print(f'Sum: {n:.2f}')", "Sum: 7.00 \n") == ["7"]


def test_lines_count_where_they_are_spoken_of():
    """Else they are one."""
    program = "for word in words: print(word)"
    assert said("print the words", program, "a\nb\n") == ["a b"]
    assert said("print each word on its own line", program, "a\nb\n") == ["a\nb"]


def test_what_all_runs_print_alike_is_not_left_out_where_there_is_nothing_else():
    """One run, or the same in all."""
    assert said("", "print(3)", "3\n") == ["3"]
    assert said("", "print(3)", "3\n", "3\n") == ["3", "3"]
    assert said("", "not python (", "x 3\n", "x 4\n") == ["x 3", "x 4"]
