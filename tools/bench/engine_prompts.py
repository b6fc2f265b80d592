"""What the benches of the engine ask."""

PROMPTS = (
    "Write a Python function merge(intervals) that merges overlapping [start, end] intervals.",
    "Write a Python function roman(n) that writes a whole number from 1 to 3999 in Roman numerals.",
    "Write a Python function is_balanced(text) that says whether (), [] and {} are balanced.",
    "Write a Python function rle(text) that writes each run of a letter as letter and length.",
)
WITH_EXAMPLES = (
    "Write a Python function merge(intervals) that merges overlapping [start, end] intervals, "
    "sorted.\n\n>>> merge([[1, 3], [2, 6], [8, 10]])\n[[1, 6], [8, 10]]\n>>> merge([])\n[]",
    "Write a Python function roman(n) that writes a whole number from 1 to 3999 in Roman numerals."
    "\n\n>>> roman(1994)\n'MCMXCIV'\n>>> roman(4)\n'IV'",
    "Write a Python function is_balanced(text) that says whether (), [] and {} are balanced.\n\n"
    ">>> is_balanced('([]{})')\nTrue\n>>> is_balanced('(]')\nFalse",
    "Write a Python function rle(text) that encodes runs.\n\n>>> rle('aaab')\n'a3b1'\n"
    ">>> rle('')\n''",
)
LONG_PROMPTS = (
    "Write a Python class Matrix of rows of numbers: __init__ (checks that the rows are equally "
    "long), __add__, __mul__ (by a number or a Matrix), __eq__, __repr__, transposed, determinant.",
    "Write a Python class LinkedList: append, prepend, insert(index, value), remove(value), "
    "reverse, __len__, __iter__, __getitem__ with negative indices, __repr__.",
)
DRAFT = '''\
import re
from collections import Counter


class TextStats:
    """Counts words, lines and characters of a text."""

    def __init__(self, text):
        self.text = text
        self.words = re.findall(r"[A-Za-z']+", text)

    def word_count(self):
        return len(self.words)

    def line_count(self):
        return len(self.text.split("\\n"))

    def longest_word(self):
        longest = ""
        for word in self.words:
            if len(word) > len(longest):
                longest = word
        return longest

    def most_common(self, n):
        counts = Counter(word.lower() for word in self.words)
        return counts.most_common(n)

    def average_length(self):
        total = 0
        for word in self.words:
            total += len(word)
        return total / len(self.words)
'''
ASKED = "Write a Python class TextStats: word_count, line_count, longest_word, most_common, \
average_length."
WRONG = "average_length divides by zero for an empty text; line_count counts a line in no text"
WRONG_INDEX = "a wrong index or a value of a wrong type has to raise IndexError or TypeError"
