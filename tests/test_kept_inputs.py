"""Requests that say that what is given must stay as it is: how they are read."""

import pytest

from pipeline.testcases.examples.kept_inputs import keeps_input

pytestmark = pytest.mark.only_when(
    "pipeline/analysis/", "pipeline/review/", "pipeline/sandbox/", "pipeline/testcases/"
)
# --- how they are read ---------------------------------------------------------------------------

KEPT = [
    "Merge intervals. The input must not be modified.",
    "The input may be unsorted and must not be changed; empty input gives [].",
    "The inputs and their objects must not be modified.",
    "the list that i pass in must not change",
    "The list that is passed in is not changed.",
    "The list of cards is not changed.",
    "list isnt sorted (and must not be changed), None if its empty",
    "Sort a list. Do not modify the input.",
    "Don't modify the array.",
    "Do **not** mutate the `input` list!",
    "Please don't alter the original list, return a new one",
    "It must not change its arguments.",
    "The function should never mutate its input",
    "Write a function that reverses a list without modifying the original.",
    "return the sorted list without changing the input",
    "without mutating the input array",
    "Return a new dict instead of modifying the original dict",
    "It leaves the original untouched.",
    "Leave the input list unchanged.",
    "The input stays unchanged",
    "the inputs are left unchanged",
    "The original list should remain unchanged.",
    "Returns a new list (the original unchanged).",
    "Return a new list, with the original unchanged",
    "Given two lists, return their union. Do not modify them.",
    "rotate(nums, k): returns a new list; nums must not be changed.",
    "symdiff(a, b) returning a new set. don't change a or b.",
    "deep_merge(base, data) merges. Also data itself must not change, on no level.",
    "union(a: list, b: list). Neither a nor b is changed.",
    "Rules:\n- returns a list\n- must not modify the input list\n- fast",
    "The original array\nmust not be modified.",
    "Do not sort in place.",
    "The arguments must not be modified.",
    "It does not mutate its arguments",
    "Return the total, and the cart must stay as it is; the items must not be changed.",
    "Avoid mutating the input.",
    "without any mutation",
    "Die Eingabe darf nicht verändert werden.",
    "Sortiere sie, ohne die Liste zu verändern.",
    "Die übergebene Liste soll nicht verändert werden",
    "Die ursprüngliche Liste bleibt unverändert.",
    "Verändere die Eingabeliste nicht.",
    "Bitte die Originalliste nicht ändern",
    "Écris une fonction qui trie une liste sans modifier la liste d'origine.",
    "sans modifier l'original",
    "La liste ne doit pas être modifiée.",
    "Ne modifie pas le tableau.",
    "Ordena la lista sin modificar la lista original",
    "La entrada no debe modificarse.",
    "No modifiques el arreglo.",
    "La lista original no debe ser modificada.",
]
NOT_KEPT = [
    "Sort the list in place.",
    "Modify the list in place and return nothing.",
    "Sort the array in-place. Do not modify the input size.",
    "The input may be modified.",
    "Sort it in place, the list must not be changed otherwise",
    "Do not change the function's name.",
    "Don't change the signature.",
    "do not change other code",
    "don't change anything else",
    "Do not change the behaviour.",
    "The order must not be changed.",
    "must not change the order of the list",
    "The order of the list must not be changed.",
    "Remove duplicates from the list, the order must not change.",
    "don't change the list order",
    "Do not change the list's order.",
    "without changing case",
    "without changing the order",
    "without modifying the code",
    "Do not modify the function.",
    "Don't modify it, just explain it.",
    "Text of at most `limit` characters is returned unchanged.",
    "If n is 0, return the list unchanged.",
    "If k is 0, the list is unchanged.",
    "For an empty list the input is not changed.",
    "a failed call leaves the list unchanged",
    "The list must not be changed if the index is invalid.",
    "don't change the parameters of the function",
    "Don't change the argument names.",
    "do not change the input format",
    "Do not modify the input validation.",
    "The returned list must not be modified.",
    "The original order must not be changed.",
    "Trimming must not change the relative structure of the nodes that stay",
    "the current song must not change if another one is removed\ndef play(song): ...",
    "With no functions it returns its argument unchanged.",
    "The balance of that person must not be changed",
    "Write a script that renames all jpg files to their modification date",
    "which itself is not changed",
    "Return a modified copy of the list.",
    "The list must not be empty.",
    "sort(items, order): do not change order",
    "Ändere den Namen der Funktion nicht.",
    "ohne die Reihenfolge zu ändern",
    "Die Reihenfolge der Liste darf nicht verändert werden",
    "sans modifier l'ordre",
    "L'ordre de la liste ne doit pas être modifié.",
    "El orden de la lista no debe cambiar.",
    "Die Liste bleibt unverändert, wenn der Index fehlt.",
    "sin cambiar el orden",
    "Die Liste darf verändert werden.",
    "",
]


@pytest.mark.parametrize("request_", KEPT)
def test_a_request_says_that_its_input_is_kept(request_):
    """In usual words of four languages."""
    assert keeps_input(request_)


@pytest.mark.parametrize("request_", NOT_KEPT)
def test_what_is_said_of_other_things_is_none_of_the_input(request_):
    """Of code, order and other properties, under a condition, or where a change is wanted."""
    assert not keeps_input(request_)
