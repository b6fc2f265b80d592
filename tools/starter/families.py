"""The tasks that the starter model knows; it knows nothing else."""

from dataclasses import replace

from tools.starter.families_algorithms import ALGORITHMS, ALGORITHMS_GROUPS, ALGORITHMS_SLOTS
from tools.starter.families_collections import COLLECTIONS, COLLECTIONS_GROUPS, COLLECTIONS_SLOTS
from tools.starter.families_lists import LISTS
from tools.starter.families_numbers import NUMBERS
from tools.starter.families_programs import PROGRAMS, PROGRAMS_GROUPS, PROGRAMS_SLOTS
from tools.starter.families_strings import STRINGS
from tools.starter.families_text import TEXT, TEXT_GROUPS, TEXT_SLOTS
from tools.starter.family import Family
from tools.starter.javascript import JAVASCRIPT

_BASICS = tuple(
    replace(family, javascript=JAVASCRIPT.get(family.name, family.javascript))
    for family in LISTS + STRINGS + NUMBERS
)
FAMILIES: tuple[Family, ...] = _BASICS + ALGORITHMS + COLLECTIONS + TEXT + PROGRAMS

TOPIC_SLOTS: dict[str, tuple[str, ...]] = (
    ALGORITHMS_SLOTS | COLLECTIONS_SLOTS | TEXT_SLOTS | PROGRAMS_SLOTS
)

# Tasks that are easily taken for each other: wrong code is most often of one of these.
GROUPS: tuple[tuple[str, ...], ...] = (
    ("find_max", "find_min", "second_largest", "median", "mean", "longest_word"),
    ("sum_list", "product_list", "mean", "running_total", "digit_sum", "median"),
    ("sort_ascending", "sort_descending", "reverse_list", "reverse_string"),
    ("filter_even", "filter_odd", "is_even", "is_odd", "squares"),
    ("remove_duplicates", "common_elements", "flatten", "count_occurrences"),
    ("count_vowels", "count_words", "char_frequency", "count_occurrences"),
    ("to_upper", "to_lower", "title_case"),
    ("is_palindrome", "is_anagram", "reverse_string"),
    ("fibonacci", "fibonacci_up_to", "first_fibonacci", "primes_up_to"),
    ("is_prime", "primes_up_to", "is_even", "is_leap_year"),
    ("gcd", "lcm", "factorial"),
    *ALGORITHMS_GROUPS,
    *COLLECTIONS_GROUPS,
    *TEXT_GROUPS,
    *PROGRAMS_GROUPS,
)

# Code of the first is right for the second as well.
ALIKE: frozenset[tuple[str, str]] = frozenset(
    {
        ("reverse_list", "reverse_string"),
        ("reverse_string", "reverse_list"),
        ("nested_sum", "sum_list"),
        ("bubble_sort", "sort_ascending"),
        ("merge_sort", "sort_ascending"),
        ("quicksort", "sort_ascending"),
        ("most_common_char", "mode"),
        ("count_substring", "count_occurrences"),
        ("sum_arguments_bash", "add_numbers_bash"),
    }
)
