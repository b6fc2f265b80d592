"""Task families on classes, files and the command line, and in Bash."""

from tools.starter.family import BASH, Family

PROGRAMS_SLOTS: dict[str, tuple[str, ...]] = {
    "p_class": ("a class", "a class", "a python class", "a simple class", "a small class"),
    "p_with": ("with", "that has", "which has", "having", "that supports", "with methods"),
    "p_make": ("implement", "write", "create", "make", "build", "define", "code", "design"),
    "p_having": ("with", "that has", "which has", "having", "that contains"),
    "p_somebody": ("a name", "a user", "a person", "somebody"),
    "p_cli": ("command line program", "cli", "command line tool", "command line script"),
    "p_whose": ("with the methods", "that supports", "that has methods for", "with methods for"),
    "p_file": (
        "a file", "a text file", "the file", "a given file", "some file", "a file on disk",
        "a file at a path", "a file with a given path",
    ),
    "p_json": ("a json file", "a JSON file", "json from a file", "a file of json", "a .json file"),
    "p_csv": ("a csv file", "a CSV file", "a .csv file", "a comma separated file"),
    "p_data": ("data", "an object", "a dict", "a dictionary", "a python object", "some data"),
    "p_args": (
        "its arguments", "all arguments", "the arguments", "all its arguments",
        "the given arguments", "the command line arguments", "all parameters",
    ),
    "p_name": ("a name", "a given name", "the name of a person", "the first argument", "a user"),
    "p_path": ("a path", "a file path", "a given path", "a full path", "a path name"),
}  # fmt: skip

_CLASSES = (
    Family(
        name="stack",
        does="is a stack with push and pop",
        source="""
        class NAME:
            def __init__(self):
                self.items = []

            def push(self, item):
                self.items.append(item)

            def pop(self):
                return self.items.pop()

            def is_empty(self):
                return not self.items
        """,
        driver="""
def check(items):
    made = NAME()
    empty = [made.is_empty()]
    for item in items:
        made.push(item)
    empty.append(made.is_empty())
    return [made.pop() for _ in items], empty
""",
        checks=((([1, 2, 3],), ([3, 2, 1], [True, False])), ((["a"],), (["a"], [True, False]))),
        verbs=(
            "{p_make} a stack",
            "{p_make} a stack {p_with} push and pop",
            "{p_make} {p_class} for a stack",
            "{p_make} {p_class} {p_whose} push and pop",
            "define {p_class} that [is|works as|represents|behaves like] a stack",
            "{p_make} a stack [class|data structure]",
            "{p_make} a stack {p_with} push, pop and is_empty",
            "{p_make} a [lifo|LIFO|last in first out] [stack|structure|collection|class]",
            "model a last in first out collection",
            "implement the [push and pop|push, pop and is_empty] methods of a stack",
        ),
        nouns=(
            "a stack",
            "a stack {p_with} push and pop",
            "[a|the] [stack class|stack data structure|stack implementation]",
            "a [lifo|LIFO|last in first out] [stack|structure|collection]",
        ),
        held=(
            "model a stack where one can push and pop items",
            "write the class of a last in first out stack",
        ),
        critic_only=("build a collection where the last item in is the first one out",),
        asks=(
            "stack",
            "stack class",
            "stack [implementation|data structure]",
            "how to implement a stack",
            "stack with push and pop",
        ),
    ),
    Family(
        name="queue",
        does="is a queue with enqueue and dequeue",
        source="""
        from collections import deque

        class NAME:
            def __init__(self):
                self.items = deque()

            def enqueue(self, item):
                self.items.append(item)

            def dequeue(self):
                return self.items.popleft()

            def is_empty(self):
                return not self.items
        """,
        driver="""
def check(items):
    made = NAME()
    empty = [made.is_empty()]
    for item in items:
        made.enqueue(item)
    empty.append(made.is_empty())
    return [made.dequeue() for _ in items], empty
""",
        checks=((([1, 2, 3],), ([1, 2, 3], [True, False])), ((["a"],), (["a"], [True, False]))),
        verbs=(
            "{p_make} a queue",
            "{p_make} a queue {p_with} enqueue and dequeue",
            "{p_make} {p_class} for a queue",
            "{p_make} {p_class} {p_whose} enqueue and dequeue",
            "define {p_class} that [is|works as|represents|behaves like] a queue",
            "{p_make} a queue [class|data structure]",
            "{p_make} a queue {p_with} enqueue, dequeue and is_empty",
            "{p_make} a [fifo|FIFO|first in first out] [queue|structure|collection|class]",
            "model a first in first out collection",
            "implement the [enqueue and dequeue|enqueue, dequeue and is_empty] methods of a queue",
        ),
        nouns=(
            "a queue",
            "a queue {p_with} enqueue and dequeue",
            "[a|the] [queue class|queue data structure|queue implementation]",
            "a [fifo|FIFO|first in first out] [queue|structure|collection]",
        ),
        held=(
            "model a queue where one can enqueue and dequeue items",
            "write the class of a first in first out queue",
        ),
        critic_only=("build a collection where the first item in is the first one out",),
        asks=(
            "queue",
            "queue class",
            "queue [implementation|data structure]",
            "how to implement a queue",
            "queue with enqueue and dequeue",
        ),
    ),
    Family(
        name="counter",
        does="is a counter that can be incremented and reset",
        source="""
        class NAME:
            def __init__(self):
                self.count = 0

            def increment(self):
                self.count += 1

            def reset(self):
                self.count = 0
        """,
        driver="""
def check(times):
    made = NAME()
    for _ in range(times):
        made.increment()
    reached = made.count
    made.reset()
    return reached, made.count
""",
        checks=(((3,), (3, 0)), ((0,), (0, 0)), ((7,), (7, 0))),
        verbs=(
            "{p_make} a counter",
            "{p_make} a counter {p_with} increment and reset",
            "{p_make} {p_class} for a counter",
            "{p_make} {p_class} {p_whose} increment and reset",
            "define {p_class} that [is|works as|represents|behaves like] a counter",
            "{p_make} a counter [class|object]",
            "{p_make} a counter that can be [incremented|increased] and reset",
            "{p_make} a counter that [goes up by one|starts at zero|can be reset]",
            "{p_make} a counter {p_having} an increment method",
            "implement the increment and reset methods of a counter",
        ),
        nouns=(
            "a counter",
            "a counter {p_with} increment and reset",
            "[a|the] counter [class|object]",
            "a counter that can be [incremented|increased|reset]",
        ),
        held=(
            "model a counter that can be increased by one and set to zero",
            "write the class of a counter",
        ),
        critic_only=("build an object that starts at 0 and goes up by one",),
        asks=(
            "counter class",
            "class counter",
            "counter class with increment",
            "Counter class",
            "how to write a counter class",
        ),
    ),
    Family(
        name="bank_account",
        does="is a bank account with deposit and withdraw",
        source="""
        class NAME:
            def __init__(self, balance=0):
                self.balance = balance

            def deposit(self, amount):
                self.balance += amount

            def withdraw(self, amount):
                if amount > self.balance:
                    raise ValueError("not enough money")
                self.balance -= amount
        """,
        driver="""
def check(start, put, take):
    made = NAME(start)
    made.deposit(put)
    try:
        made.withdraw(take)
    except ValueError:
        return "refused", made.balance
    return made.balance, NAME().balance
""",
        checks=(
            ((10, 5, 3), (12, 0)),
            ((0, 5, 5), (0, 0)),
            ((1, 1, 3), ("refused", 2)),
        ),
        verbs=(
            "{p_make} a bank account",
            "{p_make} a bank account {p_with} deposit and withdraw",
            "{p_make} {p_class} for a bank account",
            "{p_make} {p_class} {p_whose} deposit and withdraw",
            "define {p_class} that [is|works as|represents|behaves like] a bank account",
            "{p_make} a [BankAccount|bank account|simple bank account] class",
            "model a bank account",
            "{p_make} [an|a bank] account {p_having} a balance",
            "{p_make} an account {p_with} deposit and withdraw",
            "simulate a bank account {p_having} a balance",
            "implement the deposit and withdraw methods of an account",
        ),
        nouns=(
            "a bank account",
            "a bank account {p_with} deposit and withdraw",
            "[a|the] bank account class",
            "[an|a bank] account {p_having} a balance",
        ),
        held=(
            "model an account that one can deposit into and withdraw from",
            "write the class of a bank account with a balance",
        ),
        critic_only=("build an object with a balance that one can put into and take from",),
        asks=(
            "bank account",
            "bank account class",
            "BankAccount class",
            "class for an account",
            "how to model a bank account",
        ),
    ),
    Family(
        name="point",
        does="is a point with a distance to another one",
        source="""
        import math

        class NAME:
            def __init__(self, x, y):
                self.x = x
                self.y = y

            def distance(self, other):
                return math.hypot(self.x - other.x, self.y - other.y)
        """,
        driver="""
def check(a, b, c, d):
    made = NAME(a, b)
    return made.distance(NAME(c, d)), made.x, made.y
""",
        checks=(
            ((0, 0, 3, 4), (5.0, 0, 0)),
            ((1, 2, 1, 2), (0.0, 1, 2)),
            ((5, 1, 0, 13), (13.0, 5, 1)),
        ),
        verbs=(
            "{p_make} a point",
            "{p_make} a point {p_with} a distance method",
            "{p_make} {p_class} for a point",
            "{p_make} {p_class} {p_whose} a distance method",
            "define {p_class} that [is|works as|represents|behaves like] a point",
            "{p_make} a [point|2d point] {p_having} [x and y|coordinates x and y]",
            "{p_make} a [point|2d point] class",
            "{p_make} a point class {p_having} [x and y|a distance to another point]",
            "model a point in [the plane|2d]",
            "define {p_class} that represents a 2d point",
        ),
        nouns=(
            "a point",
            "a point {p_with} a distance method",
            "[a|the] [point|2d point] class",
            "a [point|2d point] {p_having} x and y",
            "a point in [the plane|2d]",
        ),
        held=(
            "model a point that can tell its distance to another one",
            "write the class of a point in the plane",
        ),
        critic_only=(
            "build an object with coordinates x and y that can tell how far another one is",
        ),
        asks=(
            "point class",
            "2d point class",
            "class point with x and y",
            "Point class",
            "how to write a point class",
        ),
    ),
    Family(
        name="rectangle",
        does="is a rectangle with area and perimeter",
        source="""
        class NAME:
            def __init__(self, width, height):
                self.width = width
                self.height = height

            def area(self):
                return self.width * self.height

            def perimeter(self):
                return 2 * (self.width + self.height)
        """,
        driver="""
def check(width, height):
    made = NAME(width, height)
    return made.area(), made.perimeter(), made.width, made.height
""",
        checks=(((2, 3), (6, 10, 2, 3)), ((1, 1), (1, 4, 1, 1)), ((5, 4), (20, 18, 5, 4))),
        verbs=(
            "{p_make} a rectangle",
            "{p_make} a rectangle {p_with} area and perimeter",
            "{p_make} {p_class} for a rectangle",
            "{p_make} {p_class} {p_whose} area and perimeter",
            "define {p_class} that [is|works as|represents|behaves like] a rectangle",
            "{p_make} a rectangle [class|object]",
            "{p_make} a rectangle [|class ]{p_having} [width and height|a width and a height]",
            "{p_make} a rectangle class {p_having} an area method",
            "model a rectangle",
            "implement the area and perimeter methods of a rectangle",
        ),
        nouns=(
            "a rectangle",
            "a rectangle {p_with} area and perimeter",
            "[a|the] rectangle [class|object]",
            "a rectangle {p_having} width and height",
        ),
        held=(
            "model a rectangle that can tell its area and its perimeter",
            "write the class of a rectangle with two sides",
        ),
        critic_only=("build an object with width and height that can tell its area and perimeter",),
        asks=(
            "rectangle class",
            "Rectangle class",
            "class rectangle",
            "rectangle with an area method",
            "how to write a rectangle class",
        ),
    ),
    Family(
        name="linked_list",
        does="is a linked list with append and to_list",
        source="""
        class NAME:
            def __init__(self):
                self.head = None

            def append(self, value):
                node = [value, None]
                if self.head is None:
                    self.head = node
                    return
                last = self.head
                while last[1] is not None:
                    last = last[1]
                last[1] = node

            def to_list(self):
                values = []
                node = self.head
                while node is not None:
                    values.append(node[0])
                    node = node[1]
                return values
        """,
        driver="""
def check(values):
    made = NAME()
    for value in values:
        made.append(value)
    return made.to_list(), made.head is None
""",
        checks=(
            (([1, 2, 3],), ([1, 2, 3], False)),
            (([],), ([], True)),
            ((["a", 1],), (["a", 1], False)),
        ),
        verbs=(
            "{p_make} a linked list",
            "{p_make} a linked list {p_with} append and to_list",
            "{p_make} {p_class} for a linked list",
            "{p_make} {p_class} {p_whose} append and to_list",
            "define {p_class} that [is|works as|represents|behaves like] a linked list",
            "{p_make} a singly linked list",
            "{p_make} a [linked list|singly linked list] [class|data structure]",
            "{p_make} a [linked list|singly linked list] {p_having} [append|an append method]",
            "{p_make} a linked list of nodes",
            "implement the append method of a linked list",
        ),
        nouns=(
            "a linked list",
            "a linked list {p_with} append and to_list",
            "[a|the] linked list [class|data structure|implementation]",
            "a singly linked list",
            "a linked list {p_having} [append|an append method]",
        ),
        held=(
            "model a linked list where one can append values",
            "write the class of a singly linked list",
        ),
        critic_only=("build a list of nodes where each one holds a value and another one",),
        asks=(
            "linked list",
            "linked list class",
            "singly linked list",
            "linked list implementation",
            "how to implement a linked list",
        ),
    ),
)

_MADE = """
def check(*given):
    import os
    import tempfile

    path = tempfile.mktemp()
    try:
        return _checked(path, *given)
    finally:
        if os.path.exists(path):
            os.remove(path)


def _write(path, text):
    with open(path, "w") as file:
        file.write(text)


def _read(path):
    with open(path) as file:
        return file.read()
"""

_FILES = (
    Family(
        name="read_lines",
        does="reads the lines of the file",
        source="""
        def NAME(path):
            with open(path) as file:
                return file.read().splitlines()
        """,
        driver=_MADE
        + """
def _checked(path, text):
    _write(path, text)
    return NAME(path)
""",
        checks=((("a\nb\n",), ["a", "b"]), (("",), []), (("one\n\nx y",), ["one", "", "x y"])),
        verbs=(
            "read the lines of {p_file}",
            "read {p_file} into a list of lines",
            "read all [the|] lines [of|from] {p_file}",
            "get [the|all] lines of {p_file}",
            "read {p_file} line by line",
            "load the lines of {p_file} into a list",
            "open {p_file} and return its lines",
            "return [a list of the|the|all] lines in {p_file}",
        ),
        nouns=(
            "[the|all] lines of {p_file}",
            "reading {p_file} line by line",
            "a list of the lines in {p_file}",
            "reading the lines of {p_file}",
        ),
        held=("give back the lines that are in {p_file}", "collect the lines of {p_file}"),
        critic_only=("split the content of {p_file} line by line",),
        asks=("read lines of a file", "read file line by line", "file to list of lines"),
    ),
    Family(
        name="count_file_lines",
        does="counts the lines of the file",
        source="""
        def NAME(path):
            with open(path) as file:
                return sum(1 for line in file)
        """,
        driver=_MADE
        + """
def _checked(path, text):
    _write(path, text)
    return NAME(path)
""",
        checks=((("a b c\n",), 1), (("",), 0), (("one\n\nx y",), 3)),
        verbs=(
            "count the lines [of|in] {p_file}",
            "{find} the number of lines [of|in] {p_file}",
            "count how many lines {p_file} has",
            "{find} how many lines are in {p_file}",
            "{find} how many lines {p_file} [has|contains]",
            "{find} the line count of {p_file}",
            "open {p_file} and count its lines",
            "count all [the|] lines in {p_file}",
        ),
        nouns=(
            "[the|] number of lines in {p_file}",
            "[the|] line count of {p_file}",
            "counting the lines of {p_file}",
            "counting lines in {p_file}",
        ),
        held=(
            "work out how long {p_file} is in lines",
            "tell the number of lines that {p_file} holds",
        ),
        critic_only=("tally up all lines that are in {p_file}",),
        asks=("how many lines are in a file", "line count of a file", "count lines in file"),
    ),
    Family(
        name="write_text",
        does="writes the text into the file",
        source="""
        def NAME(path, text):
            with open(path, "w") as file:
                file.write(text)
        """,
        driver=_MADE
        + """
def _checked(path, text):
    _write(path, "before")
    return NAME(path, text), _read(path)
""",
        checks=((("a\nb\n",), (None, "a\nb\n")), (("",), (None, "")), (("x y",), (None, "x y"))),
        verbs=(
            "write [a text|text|a string] [to|into] {p_file}",
            "save [a text|text|a string] [to|in|into] {p_file}",
            "store [a text|text|a string] in {p_file}",
            "create {p_file} with a given text",
            "put [a text|text|a string] into {p_file}",
            "open {p_file} and write [a text|a string] into it",
            "overwrite {p_file} with [a text|text|a string]",
            "write some text to {p_file}",
        ),
        nouns=(
            "writing [text|a string] to {p_file}",
            "saving [text|a string] to {p_file}",
            "writing [a text|a string] into {p_file}",
            "storing text in {p_file}",
        ),
        held=("take a text and put it in {p_file}", "make a text the content of {p_file}"),
        critic_only=("make a given string the only content of {p_file}",),
        asks=("write text to a file", "write string to file", "save text to file"),
    ),
    Family(
        name="append_line",
        does="appends a line to the file",
        source="""
        def NAME(path, line):
            with open(path, "a") as file:
                file.write(line + "\\n")
        """,
        driver=_MADE
        + """
def _checked(path, lines):
    for line in lines:
        NAME(path, line)
    return _read(path)
""",
        checks=(((["a", "b"],), "a\nb\n"), ((["x y"],), "x y\n"), ((["", "z"],), "\nz\n")),
        verbs=(
            "append a line to {p_file}",
            "add a line [to|to the end of|at the end of] {p_file}",
            "append [text|a text|a string] as a line to {p_file}",
            "append a new line of text to {p_file}",
            "write a line at the end of {p_file}",
            "open {p_file} and append a line",
            "append one line to the end of {p_file}",
            "add one more line to {p_file}",
        ),
        nouns=(
            "appending a line to {p_file}",
            "adding a line to {p_file}",
            "appending to {p_file}",
            "adding a line at the end of {p_file}",
        ),
        held=("make {p_file} one line longer", "take a line and append it to {p_file}"),
        critic_only=("put another line after the last line of {p_file}",),
        asks=("append a line to a file", "append to file", "add line to file"),
    ),
    Family(
        name="count_file_words",
        does="counts the words in the file",
        source="""
        def NAME(path):
            with open(path) as file:
                return len(file.read().split())
        """,
        driver=_MADE
        + """
def _checked(path, text):
    _write(path, text)
    return NAME(path)
""",
        checks=((("a b\nc\n",), 3), (("",), 0), (("one",), 1), (("x  y\n\nz w",), 4)),
        verbs=(
            "count the words [of|in] {p_file}",
            "{find} the number of words in {p_file}",
            "count how many words {p_file} has",
            "{find} how many words are in {p_file}",
            "{find} the word count of {p_file}",
            "open {p_file} and count its words",
            "count all [the|] words in {p_file}",
            "{find} how many words {p_file} contains",
        ),
        nouns=(
            "[the|] number of words in {p_file}",
            "[the|] word count of {p_file}",
            "counting the words of {p_file}",
            "counting words in {p_file}",
        ),
        held=(
            "work out how long {p_file} is in words",
            "tell the number of words that {p_file} holds",
        ),
        critic_only=("tally up all words that are in {p_file}",),
        asks=("how many words are in a file", "word count of a file", "count words in file"),
    ),
    Family(
        name="read_json",
        does="reads the JSON file",
        source="""
        import json

        def NAME(path):
            with open(path) as file:
                return json.load(file)
        """,
        driver=_MADE
        + """
def _checked(path, text):
    _write(path, text)
    return NAME(path)
""",
        checks=((('{"a": [1, 2]}',), {"a": [1, 2]}), (("[]",), []), (("3",), 3)),
        verbs=(
            "[read|load|parse|open] {p_json}",
            "[read|load|parse] {p_json} into a [dict|dictionary|python object]",
            "open and parse {p_json}",
            "[read|load|parse] {p_json} and return [the data|its content|the result]",
            "open {p_json} and return its content",
            "[get|load] the [data|content] of {p_json}",
            "read the data from {p_json}",
            "load [the|] data from {p_json}",
            "parse the content of {p_json}",
        ),
        nouns=(
            "[reading|loading|parsing] {p_json}",
            "the [content|data] of {p_json}",
            "[reading|loading] data from {p_json}",
            "a json file [reader|parser|loader]",
        ),
        held=("get the data out of {p_json}", "turn {p_json} into a dict"),
        critic_only=("take {p_json} and give back what it contains",),
        asks=(
            "read json file",
            "load json [file|from file]",
            "parse json file",
            "json file to dict",
            "how to [read|load] a json file",
        ),
    ),
    Family(
        name="write_json",
        does="writes the data into a JSON file",
        source="""
        import json

        def NAME(path, data):
            with open(path, "w") as file:
                json.dump(data, file, indent=2)
        """,
        driver=_MADE
        + """
def _checked(path, data):
    NAME(path, data)
    return _read(path)
""",
        checks=((({"a": 1},), '{\n  "a": 1\n}'), (([],), "[]"), (([1],), "[\n  1\n]")),
        verbs=(
            "write {p_data} [to|into] a json file",
            "save {p_data} [as json|to a json file]",
            "dump {p_data} [to|into] a json file",
            "store {p_data} in a json file",
            "write {p_data} as json to {p_file}",
            "save {p_data} as json in {p_file}",
            "export {p_data} to a json file",
            "put {p_data} into a json file",
        ),
        nouns=(
            "writing {p_data} to a json file",
            "saving {p_data} as json",
            "dumping {p_data} to a json file",
            "storing {p_data} in a json file",
        ),
        held=("make a json file of {p_data}", "turn {p_data} into a json file"),
        critic_only=("take {p_data} and make a json file that contains it",),
        asks=("write json file", "save json", "dump json to file", "dict to json file"),
    ),
    Family(
        name="read_csv",
        does="reads the CSV file as dictionaries",
        source="""
        import csv

        def NAME(path):
            with open(path, newline="") as file:
                return list(csv.DictReader(file))
        """,
        driver=_MADE
        + """
def _checked(path, text):
    _write(path, text)
    return NAME(path)
""",
        checks=(
            (("a,b\n1,2\n",), [{"a": "1", "b": "2"}]),
            (("x\n",), []),
            (('n,m\n"p,q",r\ns,t\n',), [{"n": "p,q", "m": "r"}, {"n": "s", "m": "t"}]),
        ),
        verbs=(
            "[read|load|parse|open] {p_csv}",
            "[read|load|parse] {p_csv} into [dicts|dictionaries|a list of dictionaries]",
            "open {p_csv} and return its rows",
            "[read|load|get] the rows of {p_csv}",
            "read {p_csv} with a header [row|]",
            "return the rows of {p_csv} as [dicts|dictionaries]",
            "[read|load] {p_csv} row by row",
            "convert {p_csv} [to|into] a list of [dicts|dictionaries]",
        ),
        nouns=(
            "[reading|loading|parsing] {p_csv}",
            "the rows of {p_csv}",
            "{p_csv} as [dicts|a list of dictionaries]",
            "a csv [reader|parser|loader]",
        ),
        held=("get the rows out of {p_csv}", "turn {p_csv} into dictionaries"),
        critic_only=("take {p_csv} and give back each of its rows",),
        asks=(
            "read csv [file|]",
            "load csv [file|]",
            "parse csv [file|]",
            "csv file to list of dicts",
            "how to read a csv file",
        ),
    ),
    Family(
        name="greet_program",
        does="greets the name on its command line",
        source="""
        import argparse

        def NAME(arguments=None):
            parser = argparse.ArgumentParser()
            parser.add_argument("name")
            options = parser.parse_args(arguments)
            print(f"Hello, {options.name}!")
        """,
        driver="""
def check(*words):
    import contextlib
    import io

    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        NAME(list(words))
    return said.getvalue()
""",
        checks=((("Ada",), "Hello, Ada!\n"), (("you",), "Hello, you!\n")),
        verbs=(
            "greet {p_somebody} with argparse",
            "use argparse to greet {p_somebody}",
            "greet {p_somebody} from the command line",
            "[parse|read|take] a name with argparse and [greet it|say hello|print a greeting]",
            "[say hello to|greet] [a|the] name [on|from|given on] the command line",
            "take a name as a command line argument and print [a greeting|hello]",
            "print a greeting for a name [from|on] the command line",
            "{p_make} a [small|simple|tiny|] {p_cli} that [greets|says hello to] {p_somebody}",
            "say hello to [a|the] name given as a command line argument",
        ),
        nouns=(
            "a [small|simple|] {p_cli} that [greets|says hello to] {p_somebody}",
            "a [greeting|hello program] with argparse",
            "an argparse [program|example] that says hello",
            "an argparse program that greets {p_somebody}",
        ),
        held=(
            "say hello on the command line with argparse",
            "take the name of a person with argparse and greet it",
        ),
        critic_only=("print hello and the name that is on the command line",),
        asks=(
            "argparse greeting",
            "argparse hello [example|program]",
            "hello cli",
            "greet command line program",
            "argparse name example",
        ),
    ),
)

_SHELL = (
    Family(
        name="add_numbers_bash",
        does="adds the two numbers",
        language=BASH,
        source="""
        NAME() {
          echo $(($1 + $2))
        }
        """,
        checks=((("2", "3"), "5"), (("-1", "1"), "0"), (("10", "7"), "17")),
        verbs=(
            "add {pair}",
            "{find} the sum of {pair}",
            "sum {pair}",
            "print the sum of {pair}",
            "take {pair} and print their sum",
            "add [up|] its two arguments",
            "compute a plus b",
        ),
        nouns=("[the|] sum of {pair}", "adding {pair}", "the addition of {pair}", "a plus b"),
        held=("calculate what {pair} make together", "add one number to another"),
        critic_only=("print the total of two arguments",),
        asks=("add two numbers", "sum of two numbers", "a + b"),
    ),
    Family(
        name="greet_bash",
        does="greets the name",
        language=BASH,
        source="""
        NAME() {
          echo "Hello, ${1:-world}!"
        }
        """,
        checks=((("Ada",), "Hello, Ada!"), ((), "Hello, world!"), (("a b",), "Hello, a b!")),
        verbs=(
            "greet {p_name}",
            "say hello to {p_name}",
            "print [a greeting|hello|a hello] for {p_name}",
            "print hello [and|to] {p_name}",
            "[print|say|echo|output] hello world",
            "say hello",
            "take {p_name} and [greet it|say hello]",
            "[print|echo|output] a greeting",
            "[print|echo] hello [and|followed by] {p_name}",
            "say hello to {p_name} or to the world",
            "greet {p_name} or the world",
        ),
        nouns=(
            "a greeting for {p_name}",
            "[a|] hello world",
            "greeting {p_name}",
            "saying hello to {p_name}",
            "a [hello world|greeting] program",
            "[a|the] hello for {p_name}",
        ),
        held=("give {p_name} a greeting", "say hello to the world"),
        critic_only=("output a hello with {p_name} in it",),
        asks=("hello world", "greeting", "say hello", "hello name", "hello world program"),
    ),
    Family(
        name="sum_arguments_bash",
        does="adds up all its arguments",
        language=BASH,
        source="""
        NAME() {
          local total=0
          for number in "$@"; do
            total=$((total + number))
          done
          echo "$total"
        }
        """,
        checks=((("1", "2", "3"), "6"), ((), "0"), (("-4", "10", "5"), "11")),
        verbs=(
            "add up {p_args}",
            "sum {p_args}",
            "{find} the sum of {p_args}",
            "{find} the total of {p_args}",
            "print the sum of {p_args}",
            "loop over {p_args} and add them up",
            "sum up {p_args}",
        ),
        nouns=(
            "[the|] sum of {p_args}",
            "[the|] total of {p_args}",
            "adding up {p_args}",
            "summing {p_args}",
        ),
        held=("take {p_args} and sum them", "calculate what {p_args} add up to"),
        critic_only=("print what {p_args} make when they are put together with plus",),
        asks=("sum of all arguments", "sum arguments", "add up arguments"),
    ),
    Family(
        name="largest_argument_bash",
        does="finds the largest of its arguments",
        language=BASH,
        source="""
        NAME() {
          local largest=$1
          for number in "$@"; do
            if [ "$number" -gt "$largest" ]; then
              largest=$number
            fi
          done
          echo "$largest"
        }
        """,
        checks=(
            (("3", "9", "2"), "9"),
            (("-5", "-2"), "-2"),
            (("7",), "7"),
            (("1", "2", "10"), "10"),
        ),
        verbs=(
            "{find} the {largest} of {p_args}",
            "print the {largest} of {p_args}",
            "{find} the {largest} number among {p_args}",
            "{find} the {largest} argument",
            "print the {largest} argument",
            "pick the {largest} of {p_args}",
        ),
        nouns=(
            "[the|] {largest} of {p_args}",
            "[the|] {largest} argument",
            "finding the {largest} of {p_args}",
            "the {largest} number among {p_args}",
        ),
        held=("take {p_args} and print the {largest} one", "look for the {largest} of {p_args}"),
        critic_only=("tell which of {p_args} is greater than all other ones",),
        asks=("{largest} argument", "max of arguments", "{largest} of all arguments"),
    ),
    Family(
        name="countdown_bash",
        does="counts down from n to 1",
        language=BASH,
        source="""
        NAME() {
          for ((i = $1; i > 0; i--)); do
            echo "$i"
          done
        }
        """,
        checks=((("3",), "3\n2\n1"), (("1",), "1"), (("0",), "")),
        verbs=(
            "[count|loop|step] down from {number}",
            "[print|show|output|make] a countdown [from {number}|]",
            "count down from {number} to [1|one]",
            "[print|list|show] the numbers from n down to [1|one]",
            "count backwards from {number} [to 1|]",
            "loop from n down to [1|one]",
            "count from {number} down to [1|one]",
            "[print|list] the numbers from {number} to 1 backwards",
        ),
        nouns=(
            "[a|the] countdown",
            "[a|the] countdown from {number}",
            "counting [down|backwards] from {number}",
            "a countdown from n to [1|one]",
            "a loop that counts down from {number}",
        ),
        held=("step from {number} down to one", "print the numbers of a countdown"),
        critic_only=("print {number} and every number below it, the largest first",),
        asks=(
            "countdown",
            "count down from 10",
            "countdown loop",
            "countdown from n",
            "count backwards",
        ),
    ),
    Family(
        name="is_even_bash",
        does="checks for an even number",
        language=BASH,
        source="""
        NAME() {
          if (($1 % 2 == 0)); then
            echo yes
          else
            echo no
          fi
        }
        """,
        checks=((("4",), "yes"), (("7",), "no"), (("0",), "yes"), (("-3",), "no")),
        verbs=(
            "{check} {whether} {number} is even",
            "{check} {whether} {number} is even or odd",
            "{check} {whether} an argument is even",
            "print yes if {number} is even",
            "say {whether} {number} is even",
            "test for even numbers",
            "detect even numbers",
        ),
        nouns=(
            "an even number check",
            "[a|] test for even numbers",
            "checking for even numbers",
            "even or odd",
        ),
        held=(
            "tell even from odd numbers",
            "decide {whether} {number} is even and print yes or no",
        ),
        critic_only=("{check} {whether} {number} can be divided by two",),
        asks=("is even", "even or odd", "even check", "is {number} even"),
    ),
    Family(
        name="factorial_bash",
        does="computes the factorial",
        language=BASH,
        source="""
        NAME() {
          local result=1
          for ((i = 2; i <= $1; i++)); do
            result=$((result * i))
          done
          echo "$result"
        }
        """,
        checks=((("5",), "120"), (("0",), "1"), (("1",), "1"), (("3",), "6")),
        verbs=(
            "{find} the factorial of {number}",
            "{find} n factorial",
            "print the factorial of {number}",
            "{find} [factorials|the factorial|a factorial]",
            "multiply the numbers from 1 to n",
            "take {number} and print its factorial",
        ),
        nouns=(
            "[the|] factorial of {number}",
            "[the|a|] factorial",
            "n factorial",
            "factorial calculation",
        ),
        held=("work out n!", "{find} the factorial for {number}"),
        critic_only=("multiply {number} by all positive numbers below it",),
        asks=("factorial", "what is the factorial of {number}", "n!"),
    ),
    Family(
        name="reverse_string_bash",
        does="reverses the string",
        language=BASH,
        source="""
        NAME() {
          local text=$1 result=""
          for ((i = ${#text} - 1; i >= 0; i--)); do
            result+=${text:i:1}
          done
          echo "$result"
        }
        """,
        checks=((("abc",), "cba"), (("",), ""), (("a b",), "b a"), (("xyzz",), "zzyx")),
        verbs=(
            "reverse {string}",
            "print {string} [backwards|reversed]",
            "turn {string} around",
            "{find} the reverse of {string}",
            "take {string} and print it backwards",
            "reverse the {letters} of {string}",
        ),
        nouns=(
            "[the|] reverse of {string}",
            "a reversed string",
            "string reversal",
            "reversing {string}",
        ),
        held=("print the {letters} of {string} backwards", "output {string} in reverse order"),
        critic_only=("write {string} from its end to its start",),
        asks=("reverse string", "string backwards", "reverse a string"),
    ),
    Family(
        name="to_upper_bash",
        does="converts the text to upper case",
        language=BASH,
        source="""
        NAME() {
          echo "${1^^}"
        }
        """,
        checks=((("abc",), "ABC"), (("a B c",), "A B C"), (("",), "")),
        verbs=(
            "convert {string} to {upper}",
            "make {string} {upper}",
            "turn {string} into {upper}",
            "print {string} in {upper}",
            "change {string} to {upper}",
            "uppercase {string}",
        ),
        nouns=(
            "{string} in {upper}",
            "{upper} conversion",
            "converting {string} to {upper}",
            "[the|] {upper} version of {string}",
        ),
        held=("output {string} in {upper}", "give {string} {upper}"),
        critic_only=("write {string} with nothing but {upper}",),
        asks=("{upper}", "string to {upper}", "to upper"),
    ),
    Family(
        name="string_length_bash",
        does="prints the length of the string",
        language=BASH,
        source="""
        NAME() {
          echo "${#1}"
        }
        """,
        checks=((("abc",), "3"), (("",), "0"), (("a b",), "3"), (("hello world",), "11")),
        verbs=(
            "{find} the length of {string}",
            "print the length of {string}",
            "count the {letters} of {string}",
            "{find} how long {string} is",
            "{find} the number of {letters} in {string}",
            "count how many {letters} {string} has",
        ),
        nouns=(
            "[the|] length of {string}",
            "[the|] number of {letters} in {string}",
            "string length",
            "counting the {letters} of {string}",
        ),
        held=("measure {string}", "tell how many {letters} long {string} is"),
        critic_only=("print how many {letters} {string} is made of",),
        asks=("string length", "length of a string", "how long is a string"),
    ),
    Family(
        name="repeat_string_bash",
        does="prints the string n times",
        language=BASH,
        source="""
        NAME() {
          for ((i = 0; i < $2; i++)); do
            echo "$1"
          done
        }
        """,
        checks=((("a", "2"), "a\na"), (("x y", "1"), "x y"), (("b", "0"), "")),
        verbs=(
            "repeat {string} n times",
            "print {string} n times",
            "print {string} [several|many] times",
            "echo {string} n times",
            "print {string} a given number of times",
            "loop n times and print {string}",
        ),
        nouns=(
            "{string} n times",
            "repeating {string} n times",
            "printing {string} n times",
            "[a|the] repetition of {string}",
        ),
        held=("output {string} n times", "take {string} and repeat it n times"),
        critic_only=("show {string} once for each number up to n",),
        asks=("repeat string n times", "print text n times", "echo n times"),
    ),
    Family(
        name="file_extension_bash",
        does="prints the extension of the path",
        language=BASH,
        source="""
        NAME() {
          echo "${1##*.}"
        }
        """,
        checks=((("a/b.txt",), "txt"), (("x.tar.gz",), "gz"), (("m.py",), "py")),
        verbs=(
            "{find} the extension of {p_path}",
            "print the file extension of {p_path}",
            "{find} the file extension",
            "extract the extension from {p_path}",
            "print the extension of a file name",
            "take {p_path} and print its extension",
        ),
        nouns=(
            "[the|] file extension of {p_path}",
            "[the|] extension of a file name",
            "[the|] file extension",
            "getting the extension of {p_path}",
        ),
        held=("tell which extension {p_path} has", "show the extension of {p_path}"),
        critic_only=("print what is after the last dot of {p_path}",),
        asks=("file extension", "extension of a file", "get file extension"),
    ),
    Family(
        name="base_name_bash",
        does="prints the last part of the path",
        language=BASH,
        source="""
        NAME() {
          echo "${1##*/}"
        }
        """,
        checks=((("a/b.txt",), "b.txt"), (("/x/y/z",), "z"), (("m.py",), "m.py")),
        verbs=(
            "{find} the base name of {p_path}",
            "print the file name of {p_path}",
            "{find} the file name from {p_path}",
            "extract the file name from {p_path}",
            "print the last part of {p_path}",
            "strip the directory from {p_path}",
            "remove the directories from {p_path}",
        ),
        nouns=(
            "[the|] base name of {p_path}",
            "[the|] file name of {p_path}",
            "[the|] basename",
            "[the|] last part of {p_path}",
        ),
        held=("tell which file name {p_path} has", "show the base name of {p_path}"),
        critic_only=("print what is after the last directory of {p_path}",),
        asks=("basename", "file name of a path", "get file name from path"),
    ),
    Family(
        name="fizz_buzz_bash",
        does="plays FizzBuzz",
        language=BASH,
        source="""
        NAME() {
          for ((i = 1; i <= $1; i++)); do
            if ((i % 15 == 0)); then
              echo FizzBuzz
            elif ((i % 3 == 0)); then
              echo Fizz
            elif ((i % 5 == 0)); then
              echo Buzz
            else
              echo "$i"
            fi
          done
        }
        """,
        checks=(
            (("5",), "1\n2\nFizz\n4\nBuzz"),
            (("15",), "1\n2\nFizz\n4\nBuzz\nFizz\n7\n8\nFizz\nBuzz\n11\nFizz\n13\n14\nFizzBuzz"),
        ),
        verbs=(
            "[play|print|solve|implement|do|run|write|output] {fizz}",
            "[play|print|run|implement|do] {fizz} [up to|until] {limit}",
            "[print|output] {fizz} from 1 to {limit}",
            "[play|solve|write] the {fizz} game",
            "loop from 1 to {limit} and print {fizz}",
            "print fizz for multiples of [3|three] and buzz for multiples of [5|five]",
        ),
        nouns=(
            "{fizz}",
            "[the|] {fizz} game",
            "{fizz} [up to|until] {limit}",
            "[a|the] {fizz} [program|solution|loop]",
            "{fizz} from 1 to {limit}",
        ),
        held=("show {fizz} for the numbers up to n", "print the game of {fizz} from 1 to n"),
        critic_only=("loop up to n and print fizz, buzz or the number",),
        asks=("{fizz}", "{fizz} program", "{fizz} loop", "how to [do|write] {fizz}"),
    ),
)

PROGRAMS: tuple[Family, ...] = _CLASSES + _FILES + _SHELL

PROGRAMS_GROUPS: tuple[tuple[str, ...], ...] = (
    ("stack", "queue", "linked_list", "counter", "bank_account"),
    ("point", "rectangle", "circle_area", "hypotenuse"),
    (
        "read_lines",
        "count_file_lines",
        "count_file_words",
        "count_words",
        "write_text",
        "append_line",
    ),
    ("read_json", "write_json", "read_csv", "read_lines"),
    ("write_text", "append_line", "write_json"),
    ("add_numbers_bash", "sum_arguments_bash", "largest_argument_bash", "factorial_bash"),
    ("countdown_bash", "fizz_buzz_bash", "repeat_string_bash"),
    ("reverse_string_bash", "to_upper_bash", "string_length_bash"),
    ("file_extension_bash", "base_name_bash"),
)
