"""Examples whose texts stand there without quotation marks: how they are read, and what only looks
like them."""

import pytest

from pipeline.testcases.examples.example_search import find_examples

pytestmark = pytest.mark.only_when("pipeline/testcases/")

SLUGS = "Necesito una función slugify en JavaScript:\n\n"
SLUG = "Write a function slug(text).\n\n"


def read(text):
    cases = find_examples(text).cases
    return [(case.function or "", *case.arguments.args, case.expected) for case in cases]


def test_pairs_of_texts():
    """In bullets, to the end of the line, with quotation marks or words where nothing stands."""
    text = SLUGS + (
        "- ¡Hola, Mundo! → hola-mundo\n- El niño   y → el-nino-y   (dos)\n"
        '- "---" → una cadena vacia'
    )
    assert read(text) == [
        ("", "¡Hola, Mundo!", "hola-mundo"),
        ("", "El niño   y", "el-nino-y"),
        ("", "---", ""),
    ]
    marked = "- `Große Häuser` -> `grosse-haeuser`\n- `fooBar` -> `foo-bar`"
    assert read(SLUG + marked) == [
        ("", "Große Häuser", "grosse-haeuser"),
        ("", "fooBar", "foo-bar"),
    ]


def test_numbers_that_are_formatted():
    """As the words say; a text of digits is not known from a number without fraction or sign."""
    text = "Eine Funktion euro(betrag), die formatiert, nicht mit locale.\n\n"
    lines = "1234.5  →  1.234,50 €\n-9  →  -9,00 €\n"
    lines += '"1.5"  →  1,50 €   (aus der CSV)\nNone  →  (leerer String)'
    assert [row[1:] for row in read(text + lines)] == [
        (1234.5, "1.234,50 €"),
        (-9, "-9,00 €"),
        ("1.5", "1,50 €"),
        (None, ""),
    ]
    assert not read(text + "1250  →  12,50 €\n990  →  9,90 €")
    assert not read("A function area(r).\n\n1.5  →  1.5 cm\n2.5  →  2.5 cm")


def test_calls_with_texts():
    """Of a function that takes one text, as the call without a comma says."""
    lines = "flip(big world) gives gib dlrow\nflip(hello, world!) gives olleh, dlrow!"
    text = f"{lines}\nflip() of an empty string gives an empty string"
    assert sorted(read(text)) == [
        ("", "", ""),
        ("", "big world", "gib dlrow"),
        ("", "hello, world!", "olleh, dlrow!"),
    ]
    assert not read("swap(big, world) gives world big\nswap(a, b) gives b a")
    assert not read("flip(some text) gives the text reversed\nflip(big world) gives gib dlrow")


@pytest.mark.parametrize(
    "text",
    [
        f"{SLUG}- spaces → dashes\n- uppercase letters → lowercase letters",
        f"{SLUG}- YYYY-MM-DD → DD.MM.YYYY\n- YYYY/MM/DD → DD.MM.YYYY",
        f"{SLUG}- Big World → big-world",
        f"{SLUG}- Big World → big-world ✓\n- Good Day → good_day ✗",
        f"{SLUG}- Big World → big-world\n- Good Day → True",
        f"{SLUG}What it does now:\n- Big World → big--world\n- Good Day → good--day",
        f"{SLUG}- Big World → big-world.\n- Good Day → good-day.",
        f"{SLUG}- one dash: Big World → big-world\n- lower case: Good Day → good-day",
        "Write a function clean(df):\n- First Name → first_name\n- Last Name → last_name",
        "A function for the column names:\n- First Name → first_name\n- Last Name → last_name",
        "Write a function short(date):\nJanuary → Jan\nFebruary → Feb",
        "Write a function grams(kg):\n2 kg → 2000 g\n3 kg → 3000 g",
        "Write functions a(s) and b(s):\n- Big World → big-world\n- Good Day → good-day",
        "A list of titles for a function:\n- Big World → big-world\n- Good Day → good-day",
        "My slugify is wrong:\n- Big World → big--world\n- Good Day → good--day",
        "Rename them:\n- Big World → big-world\n- Good Day → good-day",
    ],
)
def test_what_only_looks_like_texts(text):
    """Rules, placeholders, one pair alone, what is or shall not be, names of other things."""
    assert not read(text)
