"""Runs to try a whole program with that reads its input, its arguments or files: words and lines of
the forms that the request gives, of what the program compares them with, and of the usual kinds.
Pure.

Which of them say something is found out by running the program: most lines are nothing to most
programs."""

import ast
import random
import re
from collections.abc import Iterator, Sequence
from itertools import chain, count, islice

from pipeline.analysis.python_syntax import parse
from pipeline.sandbox.testcase import ANY_VALUE, Arguments, Case
from pipeline.testcases.inputs.described_input import is_one_line
from pipeline.testcases.sample_files import Files, sample_files, table_in, works_on_files

_READS_INPUT = re.compile(
    r"\binput\(|\bstdin\b|\bfileinput\b"
    # C's and C++'s, Go's, Java's
    r"|\b(?:scanf|getchar|getline)\s*\(|\bcin\b|\b(?:os\.)?Stdin\b|\bfmt\.Scan|\bSystem\.in\b"
)
_READS_WORDS = re.compile(
    r"\bsys\.argv\b|\bargparse\b|\bargv\b|\bos\.Args\b|\benv::args\b|\bargs\[\d\]"
)
_ELSEWHERE = re.compile(r"\b(?:requests|urllib|socket|subprocess|http|tkinter|curses|getpass)\b")
_UNPACKS = "= sys.argv[1:"
_NAMED_FILE = re.compile(r"\b[\w-]{1,40}\.(?:txt|csv|json|log|ini|md|dat|db)\b")
_OPTION = re.compile(r"--?[a-zA-Z][\w-]{0,20}")
_QUOTED = re.compile(r"`([^`\n]{1,80})`|'([^'\n]{1,80})'|\"([^\"\n]{1,80})\"")
_PLACEHOLDER = re.compile(r"\b[A-Z][A-Z_]{0,14}\b|<[a-z][\w -]{0,20}>|\b\d{1,4}\b")
_SCRIPT = re.compile(r"^(?:\$ )?(?:python3? )?[\w-]+\.py\s*")
_LITERAL = re.compile(r'"((?:[^"\\\n]|\\.){0,300})"|\'([^\'\\\n])\'')
_COMPARED = re.compile(
    r"(?:[=!]=|\bcase|equals(?:IgnoreCase)?\(|strcmp\(\w+,)\s*"
    r'(?:"([^"\\\n]{1,16})"|\'([^\'\\\n])\'|(\d{1,3})\b)'
)
_SHOWN = re.compile(r"(?<![\w.])\d{1,3}(?!\w|\.\d)")  # numbers in a request
_SIGN = re.compile(r"[^\w\s]")
_CLOSING, _CLOSED = ")]}>", str.maketrans("([{<", ")]}>")
# Many programs read on and on where no number comes.
_READS_NUMBERS = re.compile(r'\bscanf\s*\(\s*"[^"%]*%l*[dfiu]|\bnext(?:Int|Long|Double)\(')
_READS_TEXTS = re.compile(r"%\d*[sc\[]|\bgetchar\b|\b[fs]?gets?\s*\(|\bgetline\b|\bnext(?:Line)?\(")
_ENDS = ("quit", "exit", "q", "stop", "end", "bye")
_MOST_READ = 20_000  # characters of a request
_MOST_CODE = 30_000  # of a program in another language than Python
_LONGEST = 16  # characters of a command
_WORDS = ("cat", "dog", "two words", "B", "3", "abc")
_NUMBERS = ("3", "1", "10", "2", "-5", "2.5", "20", "0", "100", "7")
_TEXTS = (
    "The cat saw the dog, the end!",
    "",
    "A dog. one two three",
    "racecar",
    "the Cat's dog",
    "hello world",
)
_NUMBER_ROWS = ("1 2 3", "10 -5", "7 7", "4 100 2 9", "20")
_ROWS = ("a\tb c\td", "1\t\t3", "x\ty\tz", "4\t5\t6")
_TABLE = ("name,age", "Ann,33", "Bob,4", "Li,33")
_ENTRIES = ("Ann 33", "Bob 4", "Li 33", "Zoe -2", "Cid 10")
_COUNT_FIRST = re.compile(
    r"\bfirst line\b|\bfirst (?:the )?number\b|\bnumber n\b|\bhow many\b", re.I
)
_LINES, _FORMS = 6, 10  # of input, at most
_OF_FORM = 100  # runs
_COUNTED = 0.9  # of the inputs that begin with how many lines there are
_MOST_WORDS = 3


def reads(program: str, request: str) -> bool:
    """Whether a program reads input, arguments or a file that the request names, and nothing that a
    sandbox has not."""
    takes = _READS_INPUT.search(program) or _READS_WORDS.search(program)
    if not takes and works_on_files(program):
        takes = _NAMED_FILE.search(request[:_MOST_READ])
    return bool(takes) and not _ELSEWHERE.search(program)


def is_for_want_of_input(error: str, program: str, request: str) -> bool:
    """Whether a program could not be run since it was given nothing that it reads."""
    return "ModuleNotFoundError" not in error and reads(program, request)


def sample_runs(program: str, request: str, n: int) -> tuple[Case, ...]:
    """`n` runs, many of which say nothing; () for a program that reads nothing. The same for the
    same program and request."""
    if not reads(program, request):
        return ()
    made = _Runs(program, request[:_MOST_READ])
    return tuple(
        Case(
            Arguments(),
            ANY_VALUE,
            name=f"run {number}",
            words=words,
            stdin="".join(f"{line}\n" for line in lines),
            files=made.files(words),
        )
        for number, (words, lines) in enumerate(islice(made, n), 1)
    )


def reads_input_alone(program: str) -> bool:
    """Whether it reads its input, and no arguments."""
    return bool(_READS_INPUT.search(program)) and not _READS_WORDS.search(program)


def numbers_shown(request: str) -> list[str]:
    """Small whole numbers of which the request speaks."""
    return _SHOWN.findall(request[:_MOST_READ])


class _Runs(random.Random):
    """Words and lines, without end."""

    def __init__(self, program: str, request: str) -> None:
        super().__init__(f"{len(program)} {request}")
        constants = [*_constants(program)]
        compared = [*_compared(program)]
        said = set(re.findall(r"[\w-]+", request))
        shown = numbers_shown(request)
        numbers = [*(each for each in compared if each.isdigit()), *shown]
        self._asks = bool(_READS_INPUT.search(program))
        self._options = [each for each in constants if _OPTION.fullmatch(each)]
        self._commands = [
            each for each in compared if each[:1].isalpha() and each.lower() not in _ENDS
        ]
        ends = (each for each in compared if each in _ENDS and each in said)
        self._end = next(chain(ends, numbers), "")
        self._numbers = (*_NUMBERS, *numbers)
        forms = [*_forms(request)]
        known = {*self._commands}
        named = [form for form in forms if known.intersection(form.split()[:1])]
        self._forms = named or [form for form in forms if _PLACEHOLDER.search(form)]
        self._usages = [*_usages(request)]
        self._takes_numbers = bool(
            _READS_NUMBERS.search(program) and not _READS_TEXTS.search(program)
        )
        self._signs = "".join(each for each in compared if _SIGN.fullmatch(each))
        self._arity = _arity(program)
        self._request = request
        self._disk: Files = ()
        if works_on_files(program):
            self._disk = sample_files(request, program)
        self._is_one_line = is_one_line(request)
        self._counts_first = bool(_COUNT_FIRST.search(request))
        self._named = list(dict.fromkeys(_NAMED_FILE.findall(request)))

    def __iter__(self) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
        """First those of the request's own forms, where it shows some: what a program does with
        anything else is its own business."""
        for number in count():
            of_form = number < _OF_FORM
            yield tuple(self._argument_words(of_form)), tuple(self._input_lines(of_form))

    def files(self, words: Sequence[str]) -> Files:
        """Those that the words name, and mostly the files that the request names."""
        files = [each for each in self._disk if each[0] in words]
        given = {name for name, _ in files}
        named = [name for name in self._named if name not in given]
        if self._disk and named and self.random() < 0.8:
            files += [(name, self._content(name)) for name in named]
        return tuple(files)

    def _content(self, name: str) -> str:
        if described := [*table_in(self._request, name)]:
            return self.choice(described)
        kind = name.rpartition(".")[2]
        fitting = [text for each, text in self._disk if each.endswith(f".{kind}")]
        return self.choice(fitting or ["one\ntwo\nthree\n"])

    def _argument_words(self, of_form: bool) -> Iterator[str]:
        if not self._arity:
            return
        if self._usages and (of_form or self.random() < 0.5):
            yield from self._filled(self.choice(self._usages)).split()
            return
        if self._options and self.random() < 0.4:
            yield self.choice(self._options)
        wanted = self._arity + self.choice((0, 0, 0, 0, -1, 1))
        for place in range(min(max(wanted, 0), _MOST_WORDS)):
            yield self._word(first=place == 0)

    def _word(self, *, first: bool) -> str:
        if self._commands and self.random() < (0.8 if first else 0.3):
            return self.choice(self._commands)
        if self._disk and self.random() < (0.8 if first else 0.4):
            new = f"new.{self._disk[0][0].rpartition('.')[2]}"
            return self.choice([*(name for name, _ in self._disk), new])
        return self.choice(self._numbers if self.random() < 0.5 else _WORDS)

    def _input_lines(self, of_form: bool) -> Iterator[str]:
        if not self._asks:
            return
        kinds: list[Sequence[str]] = [self._numbers, _TEXTS, self._numbers + _WORDS]
        kinds += [_ROWS] if not self._forms else []
        kinds += [_TABLE, _ENTRIES]
        if any(each in _CLOSING for each in self._signs):  # most other lines say nothing then
            kinds += [self._sign_lines()] * len(kinds)
        if self._takes_numbers:
            kinds = [self._numbers, _NUMBER_ROWS]
        lines = self._forms if self._forms and of_form else self.choice(kinds)
        n = self.randint(1, _FORMS if lines is self._forms else _LINES)
        n = 1 if self._is_one_line else n
        if self._counts_first and self.random() < _COUNTED:
            yield str(n)
        for _ in range(n):
            yield self._filled(self.choice(lines))
        if self._end and not self._is_one_line and self.random() < 0.9:
            yield self._end

    def _sign_lines(self) -> Sequence[str]:
        """Of the brackets and other signs that the program looks for, in half of them closed."""
        signs = self._signs + "a"
        made = ["".join(self.choices(signs, k=self.randint(1, 5))) for _ in range(_LINES)]
        opening = ["".join(each for each in line if each not in _CLOSING) for line in made]
        closed = [line + line[::-1].translate(_CLOSED) for line in opening]
        return [*made, *closed, self._signs]

    def _filled(self, form: str) -> str:
        """With a word, a number or a file in place of each placeholder (`add NAME`), mostly with
        another number in place of each, and sometimes with another word of those that the program
        compares with."""

        def value(found: re.Match[str]) -> str:
            name = found[0].strip("<>").lower()
            if found[0].isdigit():
                return found[0] if self.random() < 0.3 else self.choice(_NUMBERS)
            if found[0] in self._commands:
                return found[0] if self.random() < 0.7 else self.choice(self._commands)
            if re.search("file|path|input", name) and self._disk:
                return self.choice(self._disk)[0]
            if name in ("n", "number", "num", "index", "count", "amount", "value", "id"):
                return self.choice(_NUMBERS)
            return self.choice(_WORDS[:2] + _WORDS[3:])

        return _PLACEHOLDER.sub(value, form)


def _constants(program: str) -> Iterator[str]:
    tree = parse(program)
    if tree is None:  # of another language
        yield from (text for text in literals_in(program) if 0 < len(text) <= _LONGEST)
    for node in ast.walk(tree) if tree else ():
        match node:
            case ast.Constant(str(text)) if 0 < len(text) <= _LONGEST:
                yield text


def _compared(program: str) -> Iterator[str]:
    """The short texts and whole numbers that a program compares with, or chooses by."""
    tree = parse(program)
    if tree is None:
        found = _COMPARED.findall(program[:_MOST_CODE])
        yield from (text or letter or number for text, letter, number in found)
    for node in ast.walk(tree) if tree else ():
        match node:
            case ast.Compare(left, _, others):
                values: Sequence[ast.AST | None] = [left, *others]
            case ast.MatchValue(value):
                values = [value]
            case ast.Dict(keys):
                values = keys
            case ast.keyword("choices", value) | ast.Call(ast.Attribute(_, "add_parser"), [value]):
                values = [value]
            case _:
                continue
        for each in (inner for value in values if value for inner in ast.walk(value)):
            match each:
                case ast.Constant(str(text)) if 0 < len(text) <= _LONGEST:
                    yield text
                case ast.Constant(int(number)) if 2 < number < 1000:
                    yield str(number)


def literals_in(program: str) -> Iterator[str]:
    """Texts and letters between quotation marks, as most languages have them."""
    yield from (text or letter for text, letter in _LITERAL.findall(program[:_MOST_CODE]))


def quoted_in(request: str) -> Iterator[str]:
    """What stands in quotation marks or backticks."""
    for found in _QUOTED.finditer(request):
        yield (found[1] or found[2] or found[3]).strip()


def _usages(request: str) -> Iterator[str]:
    """What the request says stands behind the program's name: `convert.py 20 C`."""
    for text in quoted_in(request):
        if script := _SCRIPT.match(text):
            yield text[script.end() :]


def _forms(request: str) -> Iterator[str]:
    """Lines that the request shows in quotation marks: `add NAME`, `3 + 4`; words that end the
    program are put at the end."""
    for text in quoted_in(request):
        if not _SCRIPT.match(text) and text not in _ENDS and not _OPTION.fullmatch(text):
            yield text


def _arity(program: str) -> int:
    """How many arguments a program wants, about."""
    if not _READS_WORDS.search(program):
        return 0
    indices = [int(each) for each in re.findall(r"argv\[(\d)\]", program)]
    positional = len(re.findall(r"add_argument\(\s*[\"'][^-\"']", program))
    unpacked = (line.partition("=") for line in program.splitlines() if _UNPACKS in line)
    return max(*indices, positional, *(names.count(",") + 1 for names, _, _ in unpacked), 1)
