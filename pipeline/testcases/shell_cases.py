"""Runs that scripts and functions in Bash are compared on. Pure."""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count, islice

from pipeline.sandbox.testcase import ANY_VALUE, Arguments, Case
from pipeline.testcases.sample_files import Files
from pipeline.testcases.shell_arguments import Taken
from pipeline.testcases.shell_folders import Folders
from pipeline.testcases.shown_runs import shown_words

# What a request says of wrong use; what comes of it otherwise is a script's own business.
_USAGE = re.compile(
    r"\busage\b|\bwithout (?:an? )?(?:any )?arg|\bno arg|\b(?:number|count) of arg"
    r"|\bexactly \w+ arg"
    r"|\b(?:arguments?|it) (?:is|are) (?:missing|omitted|not given)|\bmissing arg",
    re.IGNORECASE,
)
_SPEAKS_OF_ERRORS = re.compile(
    r"\berrors?\b|\bmessage\b|\bstderr\b|\bexit|\bfails?\b|\breturn", re.I
)
_MISSING: tuple[tuple[str, str, str], ...] = (
    (
        "folder",
        "nowhere",
        r"\bexist|\bis(?:n't| not) (?:a|an|there)|\bmissing|\bnot (?:a dir|a folder|there|found)",
    ),
    (
        "file",
        "missing.txt",
        r"\bexist|\bis(?:n't| not) there|\bmissing|\bnot (?:there|found|readable)",
    ),
    (
        "number",
        "abc",
        r"\bnot an? (?:\w+ )?(?:number|integer)|\bnon-?numeric|\binvalid|\bvalid|\bnot numeric",
    ),
)
_NUMBERS = ("3", "1", "5", "2", "10", "7", "4")
_OF_NUMBERS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"\bleap\b|\byear\b", ("2024", "1900", "2000", "2023", "2100", "1996")),
    (r"\bdays?\b", ("7", "30", "1", "90", "5")),
    (r"\bbytes?\b", ("500", "1536", "1048576", "0", "1023", "1024", "5368709120")),
    (r"\bseconds\b", ("3661", "59", "3600", "86400", "125")),
    (r"\bprimes?\b", ("7", "8", "1", "2", "97", "91", "9", "0")),
    (r"\bbinary\b|\bhex", ("10", "255", "1", "8", "0")),
    (r"\bnegative\b|\bsign\b|\babsolute\b|\bintegers\b", ("5", "-3", "0", "12")),
    (r"\bfactorial\b|\bfibonacci\b", ("5", "1", "0", "10", "7")),
    (r"\bcelsius\b|\bfahrenheit\b|\btemperature", ("0", "100", "37", "-40", "25")),
    (r"\bport\b|\bpercent", ("80", "0", "100", "65535", "70000")),
)
_STRINGS = ("hello", "racecar", "apple pear", "abcabc", "x", "level", "banana")
_OF_STRINGS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"\bIP(?:v4)?\b", ("192.168.1.1", "256.1.1.1", "1.2.3", "10.0.0.255", "a.b.c.d", "1.2.3.4.5")),
    (r"\be-?mails?\b", ("ann@a.org", "ann", "a@b", "bob.x@mail.example.com", "@a.org")),
    (r"\burls?\b", ("http://a.org/x", "https://b.com", "ftp:/x", "a.org")),
    (r"\bdates?\b", ("2024-02-29", "2023-02-29", "2024-13-01", "2024-01-15", "x")),
    (r"\bnumber|\binteger|\bnumeric|\bdigits?\b", ("12", "-3", "abc", "3.5", "0", "1a", "007")),
    (r"\bupper|\blower|\bcapital|\bcase\b", ("Hello World", "abc", "ABC dEF ghi", "x", "miXed")),
    (r"\btrim|\bstrip|\bwhite ?space|\bspaces\b", ("  apple  ", "pear", " a  b ", "\tfig")),
    (r"\bhex", ("ff", "10", "0", "1A")),
    (r"\bbinary\b", ("101", "1", "1111", "10")),
    (r"\broman\b", ("XIV", "III", "MCMXC")),
    (
        r"\bpalindrom",
        ("racecar", "abca", "No lemon, no melon", "Nope", "12321", "a1", "Was it a car?"),
    ),
    (r"\benvironment variable", ("TERM", "HOME", "NOT_SET_1")),
    (r"\bescap|\bquot(?:e|ing)\b", ('say "hi"', "a\\b", "one\ntwo", "a\tb", "it's", "x")),
    (r"\bpassword", ("Abcdef12!", "short1A", "alllowercase1", "NoDigitsHere", "Abcdefg123")),
    (
        r"\bextension|\bfile ?name|\bbasename|\bpath\b",
        ("a.txt", "dir/b.tar.gz", "/x/y z.md", "none"),
    ),
    (r"\bversion", ("1.2.3", "1.10.0", "2.0", "1.2.10")),
    (r"\bvowels?\b|\bwords?\b", ("hello world", "sky", "the quick brown fox", "a")),
    (r"\banagram", ("listen", "silent", "apple", "pale")),
    (r"\bseparat|\bdelimit|\bjoin|\bsplit", (",", "a,b,c", "x", "a b", ":")),
)
_COMMAND = re.compile(r"^[-* `]{0,4}([a-z]{2,12})((?: [A-Z]{1,12}\b){0,3})`?:", re.MULTILINE)
_PLAINER = {"file": "word", "folder": "word"}
_DIGIT = re.compile(r"\d")
_PLACEHOLDER = re.compile(r"\b[A-Z]{1,12}\b")
_RUN = (
    *(("true",), ("false",), ("test", "-d", "no where"), ("echo", "a  b", "c")),
    ("sh", "-c", "echo; exit 3"),
)
_OPTIONAL = re.compile(
    r"\bdefault|\boptional|\bwithout\b|\bomitted\b|\bif (?:no|none)\b"
    r"|\b(?:not|isn't) given|\bmissing\b"
    r"|\bcurrent dir|\[[A-Za-z ]{1,20}\]",
    re.IGNORECASE,
)
_MOST_MORE, _MOST_TEXT = 4, 5_000
_SEVERAL = re.compile(r"\b(?:two|2) or more\b|\bat least (?:two|2)\b|\bseveral\b", re.I)
# Of what is one argument or many, as it is put in quotation marks or not.
_IN_WORDS = re.compile(r"\bsentences?\b|\bwords?\b(?=[^.\n]{0,30}\barg)", re.IGNORECASE)
_KEY = re.compile(r"^\s{0,9}([A-Za-z]\w{0,20})\s{0,3}=", re.MULTILINE)
_SECTION = re.compile(r"^\s{0,9}\[\s{0,3}(\w{1,20})", re.MULTILINE)
_WORD = re.compile(r"[A-Za-z]{2,20}")
_ANYWHERE, _OTHER = ("data", "my data", "."), "other"


class ShellRuns(random.Random):
    """Runs without end, the same for the same script and request."""

    def __init__(
        self, taken: Taken, folders: Folders, request: str, script: str, function: str
    ) -> None:
        super().__init__(f"{len(script)} {request}")
        self._taken, self._folders, self._request = taken, folders, request
        self._is_fixed = bool(re.search(r"\b(?:fixed|literal)|\bregular exp", request, re.I))
        self._asks = re.search(r"\b(?:asks?|prompts?|enters?|user|interactive)", request)
        self._speaks_of_numbers = re.search(r"\b(?:numbers?|integers?|age|year)\b", request, re.I)
        self._may_leave = bool(_OPTIONAL.search(request))
        self._may_lack = bool(_USAGE.search(request))
        speaks = _SPEAKS_OF_ERRORS.search(request)
        missing = (each for each in _MISSING if speaks and re.search(each[2], request, re.I))
        self._missing = {kind: [word] for kind, word, _ in missing}
        if "number" in self._missing and re.search(r"\bpositive\b", request):
            self._missing["number"] += ["0", "-2"]
        self._shown = shown_words(request, function)
        if self._shown and function and not _names_files(self._shown):
            places = (replace(p, kind=_PLAINER.get(p.kind, p.kind)) for p in taken.places)
            self._taken = taken = replace(taken, places=tuple(places))
        self._commands = [*_commands(taken, request)]
        self._new = ""  # the beginning of what a folder is called that is not there yet
        self._numbers = _fitting(_OF_NUMBERS, request, _NUMBERS)
        self._strings = _fitting(_OF_STRINGS, request, _STRINGS)
        self._has_two = [each.kind for each in taken.places].count("folder") > 1
        kinds = [*(each.kind for each in taken.places), taken.more]
        self._on_files = any(each in ("file", "folder", "new folder") for each in kinds)
        self._least_more = 1 if _SEVERAL.search(request) and len(taken.places) == 1 else 0
        self._in_words = bool(_IN_WORDS.search(request))

    def __iter__(self) -> Iterator[Case]:
        for number in count():
            folder = self._place_of_files(number)
            self._new = ("new", "my new")[number // 2 % 2]
            files = dict(self._folders.files(self._variant(number), within=folder))
            if self._has_two:
                files |= self._other_files(number, files, folder)
            elif folder and number % 2:
                files |= {"outside.txt": "plum\n"}
            if number % 5 != 2:
                within = next((f"{self._new}{at}/" for at in self._new_folders()), folder)
                files |= dict(self._folders.kept(within))
            if self._folders.may_exist and number % 3 == 1:
                files |= {f"{self._new}{at}/plum.txt": "plum\n" for at in self._new_folders()}
            words = (*self._options(), *self._words(number, folder, files))
            if self._shown and not self._on_files and number % 4 < 3:
                words = self._of_shown()
            yield Case(
                Arguments(),
                ANY_VALUE,
                name=f"run {number + 1}",
                words=words,
                stdin=self._input(number) if self._taken.reads_input else "",
                files=self._files(files),
            )

    def _variant(self, number: int) -> int:
        """Of the files; not a folder without any where the name of one is given."""
        named = [each.kind for each in self._taken.places].count("file")
        if named > 1 and number % 5 in (2, 3):  # there is only one, or none
            return 5 * number + 1
        is_named = named or self._folders.named
        return number + 1 if is_named and number % 5 == 3 else number

    def _of_shown(self) -> tuple[str, ...]:
        """A command line that the request shows, with a word of another one in it."""
        words = list(self.choice(self._shown))
        at = self.randrange(len(words))
        others = [word for each in self._shown for word in each if word[:1] != "-"]
        if words[at][:1] != "-" and (chance := self.random()) < 0.75:
            words[at] = self.choice(others) if others and chance < 0.5 else words[at]
            if chance > 0.25:
                words[at] = _DIGIT.sub(lambda _: self.choice("1234569"), words[at])
        elif len(words) == 2 and not any(each.startswith("-") for each in words):
            words.reverse()
        return tuple(words)

    def _new_folders(self) -> list[int]:
        return [at for at, each in enumerate(self._taken.places) if each.kind == "new folder"]

    def _other_files(self, number: int, files: dict[str, str], folder: str) -> dict[str, str]:
        """Of a second folder: some of the same, some with another text, some of its own."""
        own = {f"{_OTHER}/own.txt": "own\n"}
        for at, (name, text) in enumerate(files.items()):
            if (at + number) % 3:
                same = text if at % 2 else f"{text}more\n"
                own[f"{_OTHER}/{name.removeprefix(folder)}"] = "" if name[-1:] == "/" else same
        return own

    def _files(self, files: dict[str, str]) -> Files:
        needs = self._on_files or self._taken.looks_around or self._folders.named
        return tuple(files.items()) if needs else ()

    def _place_of_files(self, number: int) -> str:
        """The folder in which the files are, with a slash; "" for the current one."""
        if not any(each.kind == "folder" for each in self._taken.places):
            return ""
        other = self._has_two or self._new_folders()
        place = _ANYWHERE[number % (2 if other else 3)]
        return "" if place == "." else f"{place}/"

    def _options(self) -> Iterator[str]:
        for option, kind in self._taken.options:
            if self.random() < 0.5:
                yield option
                if kind:
                    yield self._value(kind, 0, "", {})

    def _words(self, number: int, folder: str, files: dict[str, str]) -> Iterator[str]:
        places = [*self._taken.places]
        while self._may_leave and places and places[-1].is_optional and self.random() < 0.3:
            places.pop()
        if self._may_lack and self.random() < 0.1:
            places = places[:-1]
        left = dict(files)
        for at, place in enumerate(places):
            if place.kind in self._missing and self.random() < 0.12:
                yield self.choice(self._missing[place.kind])
            elif place.choices and self.random() < 0.9:
                yield self.choice(place.choices)
            else:
                word = self._value(place.kind, at, folder, left, place.name)
                yield word
                if len(self._fitting_files(left)) > 1:  # not the same one twice
                    left.pop(word, None)
        if self._taken.more == "command":
            yield from self.choice(_RUN)
        elif self._taken.more and places:
            for _ in range(self.randrange(self._least_more, _MOST_MORE)):
                if self._taken.more in self._missing and self.random() < 0.2:
                    yield self.choice(self._missing[self._taken.more])
                else:
                    yield self._value(self._taken.more, 0, folder, files)

    def _value(self, kind: str, at: int, folder: str, files: dict[str, str], name: str = "") -> str:
        match kind:
            case "folder":
                is_second = at and any(each.kind == "folder" for each in self._taken.places[:at])
                return _OTHER if is_second else folder.rstrip("/") or "."
            case "file":
                fitting = self._fitting_files(files)
                called = [each for each in fitting if name and each.startswith(name.lower())]
                return self.choice(called or fitting or ["a.txt"])
            case "new folder":
                return f"{self._new}{at}"
            case "new":
                return "made.txt"
            case "extension":
                return self.choice((self._folders.kinds or ["txt", "log", "md"])[:3])
            case "number":
                return self.choice(self._numbers)
        if self._on_files:
            known = _words_in([*files.values()], name)
            known += ["appl.", "p*"] if self._is_fixed else []
            return self.choice([*self._folders.words, *known] or ["apple"])
        word = self.choice(self._strings)
        return word.partition(" ")[0] if self._in_words and self._taken.more else word

    def _fitting_files(self, files: dict[str, str]) -> list[str]:
        """Of the kinds of which the request speaks, or that it names; any where it names none."""
        names = [name for name in files if name[-1:] != "/"]
        kinds = tuple(f".{kind}" for kind in self._folders.kinds)
        fitting = [n for n in names if n.endswith(kinds) or n in self._folders.named]
        return fitting or ([] if kinds else names)

    def _input(self, number: int) -> str:
        """As many lines as a script may ask for, or a text."""
        if self._commands:
            forms = self.choices(self._commands, k=self.randint(2, 8))
            return "".join(f"{self._filled(form)}\n" for form in forms)
        if self._asks and not self._taken.looks_around:
            values = self._numbers if self._speaks_of_numbers else self._strings
            return "".join(f"{self.choice(values)}\n" for _ in range(3))
        texts = self._folders.texts(next(iter(self._folders.kinds), "txt"))
        return texts[number % len(texts)]

    def _filled(self, form: str) -> str:
        """With a number or one of few words in place of each placeholder."""

        def value(found: re.Match[str]) -> str:
            is_number = found[0] in ("N", "NUMBER", "COUNT", "AMOUNT", "QTY", "QUANTITY")
            return self.choice(_NUMBERS if is_number else ("apple", "pear"))

        return _PLACEHOLDER.sub(value, form)


def shell_runs(
    taken: Taken, request: str, script: str, n: int, function: str = ""
) -> tuple[Case, ...]:
    """At most `n`, each once. `function`: what is called in place of the script."""
    folders = Folders(request, script)
    runs = islice(ShellRuns(taken, folders, request, script, function), 2 * n)
    seen = dict[object, Case]()
    for each in runs:
        seen.setdefault((each.words, each.stdin, each.files), each)
    return tuple(islice(seen.values(), n))


def _names_files(shown: Sequence[Sequence[str]]) -> bool:
    return any(re.search(r"\.[a-z]|/", word) for words in shown for word in words)


def _commands(taken: Taken, request: str) -> Iterator[str]:
    """The lines that a script reads which does what they begin with: `add ITEM N`."""
    if not taken.reads_input or taken.places:
        return
    forms = [f"{found[1]}{found[2]}" for found in _COMMAND.finditer(request)]
    if len(forms) > 1 and any(map(_PLACEHOLDER.search, forms)):
        yield from forms
        return
    for command in taken.commands:
        found = re.search(rf"\b{re.escape(command)}((?: [A-Z]{{1,12}}\b){{0,3}})", request)
        yield f"{command}{found[1]}" if found else command


def _words_in(texts: Sequence[str], name: str) -> list[str]:
    """A few words, keys or names of columns that stand in the files."""
    whole = "\n".join(texts)[:_MOST_TEXT]
    if re.search(r"col|field|header", name.lower()):
        return [each for text in texts for each in text.partition("\n")[0].split(",") if each]
    if "section" in name.lower():
        return _SECTION.findall(whole)
    if re.search(r"\bkey|setting|variable|option", name.lower()):
        return _KEY.findall(whole)
    return [*dict.fromkeys(_WORD.findall(whole))][:6]


def _fitting(
    table: Sequence[tuple[str, tuple[str, ...]]], request: str, usual: tuple[str, ...]
) -> tuple[str, ...]:
    """Those of the rows of whose words the request speaks, the usual ones where it is of none."""
    rows = [values for said, values in table if re.search(said, request, re.I)]
    return tuple(dict.fromkeys(each for row in rows for each in row)) or usual
