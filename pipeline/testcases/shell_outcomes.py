"""What the runs of a script in Bash come to, without its own words: what it prints, what is in its
folder then, and how it ends. Pure.

Two right scripts print the same data in lines of their own words, name files with or without their
folders, say that there is nothing to do or say nothing. Where a script is to change files and not
to tell of it, what it prints does not count."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from pipeline.sandbox.test_result import CaseResult
from pipeline.testcases.printed_values import plain_number
from pipeline.testcases.program_runs import quoted_in
from pipeline.testcases.shell_texts import read_shell
from pipeline.testcases.shell_wishes import Wishes

NOTHING, FAILED, SUCCEEDED = "printed nothing", "ended with an error", "ended well"
_MOST_READ = 20_000  # characters of a request
_MOST_SHOWN = 2_000  # of what a run printed
_COLOUR = re.compile(r"\x1b\[[\d;]{0,20}[A-Za-z]")
_FORMS = re.compile(r"%[-+ #0-9.*]{0,9}[a-zA-Z]|\\[a-z0-9\[;]{1,8}|\$\{[^}]{0,80}\}|\$\w{1,40}")
_WORD, _DIGIT = re.compile(r"[^\W\d_]+"), re.compile(r"\d")
_PIECE = re.compile(r"[^\s,;:=(){}\[\]'\"|!?<>*]+")
_SIZE = re.compile(r"\d{1,20}(?:[.,]\d{1,9})?(?:[KMGTkmg]i?[Bb]?|[Bb])")
_RUN_FOLDER = re.compile(r"/tmp/run\d{1,4}(?:/|(?=\W|$))")
_AROUND = ".€$£%`"  # a number, or a word
# What `mv -v` and others say.
_OF_COMMANDS = {
    "renamed",
    "removed",
    "removing",
    "directory",
    "created",
    "rm",
    "mv",
    "mkdir",
    "rmdir",
}
_BLANK = "\u2423"  # in names of files
_SHORT = 6  # words of an input that a script may tell again
_PADDED = re.compile(r"0\d")
_DATED = re.compile(
    r"(?:19|20)\d\d[-_.]?[01]\d[-_.]?[0-3]\d|(?<!\d)[0-3]\d[-_.]?[01]\d[-_.]?20\d\d"
)
_COMPRESSED = re.compile(r"(\.tar\.\w{2,3}|\.\w{1,5})?$")


def outcomes_of_shell(results: Sequence[CaseResult], request: str, script: str) -> list[str]:
    """Of each run, in their order."""
    own = _Said(request[:_MOST_READ], script)
    acts = any(result.wrote for result in results) and not own.wishes.is_to_tell
    printed = [""] * len(results)
    if not acts:
        printed = own.printed_in(results)
    left = [own.left_by(result) for result in results]
    silent, answers = not any(printed) and not any(left), own.wishes.has_status
    came = [
        _outcome(result, said, files, silent or answers)
        for result, said, files in zip(results, printed, left, strict=True)
    ]
    return [SUCCEEDED if each == NOTHING and silent and answers else each for each in came]


def _outcome(result: CaseResult, said: str, left: str, counts: bool) -> str:
    """`counts`: whether it ends well is of interest."""
    if not result.gave:
        return f"raised {result.raised[0]}" if result.raised else result.came
    came = [f"printed {said}" if said else "", f"wrote {left}" if left else ""]
    if counts and result.ended:
        came.append(FAILED)
    return " and ".join(filter(None, came)) or NOTHING


@dataclass(frozen=True, slots=True)
class _Row:
    """The data of a line: what is told besides what the script was given, and all of it.
    `is_labelled`: it has words of the script's own, too."""

    told: tuple[str, ...]
    given: tuple[str, ...]
    is_labelled: bool

    @property
    def has_names(self) -> bool:
        return any(map(_WORD.search, (*self.told, *self.given)))


class _Said:
    """A script's own words, and those of the request."""

    def __init__(self, request: str, script: str) -> None:
        self.wishes = Wishes(request)
        texts = [_FORMS.sub(" ", each) for each in read_shell(script).said]
        self._own = {w.lower() for text in texts for w in _WORD.findall(text)} | _OF_COMMANDS
        self._lines = {" ".join(line.split()) for text in texts for line in text.splitlines()}
        self._quoted = {word.lower() for word in _WORD.findall(" ".join(quoted_in(request)))}
        self._quoted_lines = {" ".join(text.split()) for text in quoted_in(request)}
        self._asked = {word.lower() for word in _WORD.findall(request)}

    def printed_in(self, results: Sequence[CaseResult]) -> list[str]:
        texts = [_shown(result) for result in results]
        if self.wishes.is_format:
            return [self._plain(each) for each in texts]
        if self.wishes.is_exact and not any(map(self._has_own_words, texts, results)):
            return [repr(each) if each else "" for each in texts]
        runs = [self._rows(text, each) for text, each in zip(texts, results, strict=True)]
        if any(row.told for rows in runs for row in rows):
            joined = [self._joined([row.told or row.given for row in rows]) for rows in runs]
            return [each.replace(_BLANK, " ") for each in joined]
        if any(row.is_labelled for rows in runs for row in rows) or not any(runs):
            return self._verdicts(texts, results)
        return [self._joined([row.given for row in rows]) for rows in runs]

    def _has_own_words(self, text: str, result: CaseResult) -> bool:
        known = _vocabulary(result)
        return any(self._is_own(piece, known) for piece in _PIECE.findall(text))

    def _plain(self, text: str) -> str:
        lines = [" ".join(line.split()) for line in text.splitlines()]
        kept = [line for line in lines if line]
        return "\n".join(kept if self.wishes.in_order else sorted(kept))

    def _verdicts(self, texts: Sequence[str], results: Sequence[CaseResult]) -> list[str]:
        """Where only its own words come: which runs have the same."""
        known: dict[str, int] = {}
        came = list[str]()
        for text, result in zip(texts, results, strict=True):
            given = {each.lower() for each in _given(result, with_input=True)}
            pieces = (piece.strip(_AROUND).lower() for piece in _PIECE.findall(text))
            said = " ".join(piece for piece in pieces if piece not in given) or " ".join(
                text.split()
            )
            chosen = self.wishes.choices.intersection(word.lower() for word in _WORD.findall(said))
            if len(chosen) == 1:
                came.append(chosen.pop())
            else:
                came.append(f"message {known.setdefault(said, len(known) + 1)}" if said else "")
        return came

    def _rows(self, text: str, result: CaseResult) -> list["_Row"]:
        """The lines that have data."""
        known = _vocabulary(result)
        given = _given(result), _given(result, with_input=True)
        lines = [*filter(None, map(str.strip, _in_one_piece(text, result).splitlines()))]
        found = [self._row(line, known, given, len(lines) > 1) for line in lines]
        rows = [row for row in found if row.told or row.given]
        if self.wishes.counts or not any(row.has_names for row in rows):
            return rows
        return [row for row in rows if not row.is_labelled or row.has_names]  # no "Total: 5"

    def _row(
        self, line: str, known: set[str], given: tuple[set[str], set[str]], is_one_of_many: bool
    ) -> "_Row":
        """`given`: the arguments, and these with the input, of which only a sentence tells."""
        if " ".join(line.split()) in self._quoted_lines:
            return _Row((line,), (), is_labelled=False)
        pieces = [piece for piece in _PIECE.findall(line) if any(map(str.isalnum, piece))]
        data = [piece for piece in pieces if not self._is_own(piece, known)]
        is_own = " ".join(line.split()) in self._lines
        if is_own and not all(piece.lower() in known for piece in pieces):
            data = []
        if not data:
            return _Row(self._answer(pieces) if is_one_of_many else (), (), is_labelled=True)
        named = [self._name(piece) for piece in data]
        is_labelled = len(data) < len(pieces)
        known = given[is_labelled]
        told = [each for each in named if each not in known and not _SIZE.fullmatch(each)]
        echoed = tuple(dict.fromkeys(named)) if is_labelled else tuple(named)
        return _Row(tuple(told), echoed, is_labelled)

    def _answer(self, pieces: Sequence[str]) -> tuple[str, ...]:
        """A line of one or two words that the request has, as it is asked for: `Fizz`."""
        words = tuple(piece.lower() for piece in pieces)
        return words if 0 < len(words) < 3 and self._asked.issuperset(words) else ()

    def _is_own(self, piece: str, known: set[str]) -> bool:
        words = [word.lower() for word in _WORD.findall(piece)]
        if not words or _DIGIT.search(piece) or piece.strip("./").lower() in known:
            return False
        return all(word in self._own and word not in self._quoted for word in words)

    def _name(self, piece: str) -> str:
        """A number in its shortest form; a path without its folders, unless they are asked for."""
        is_number = _DIGIT.search(piece) and not (self.wishes.pads and _PADDED.match(piece))
        number = plain_number(piece.strip(_AROUND)) if is_number else ""
        if number:
            return number
        path = piece.rstrip("/.").removeprefix("./")
        if "/" in path and not self.wishes.with_folders:
            path = path.rpartition("/")[2]
        return path or piece

    def _joined(self, rows: Sequence[tuple[str, ...]]) -> str:
        if not self.wishes.in_order:
            return " ".join(" ".join(row) for row in sorted(rows))
        if self.wishes.has_ties:
            return " ".join(" ".join(row) for row in rows)
        runs = groupby(rows, key=lambda row: tuple(p for p in row if plain_number(p)))
        parts = list[tuple[str, ...]]()
        for numbers, alike in runs:  # of equals, any may be the first
            parts += sorted(alike) if numbers else alike
        return " ".join(" ".join(row) for row in parts)

    def left_by(self, result: CaseResult) -> str:
        """What became of files and folders."""
        if not result.wrote:
            return ""
        before = dict(result.case.files or ())
        kept = {
            self._file_name(name, before, result): self._content(text, before, result)
            for name, text in sorted(result.wrote.items())
            if not self._is_beside(name, text, before) and before.get(name) != text
        }
        return ", ".join(f"{name}: {text}" for name, text in sorted(kept.items()))

    def _is_beside(self, name: str, text: str | None, before: Mapping[str, str]) -> bool:
        """A folder that nothing was put into, a log that nobody asked for."""
        if name.endswith("/") and text is not None:
            return not self.wishes.makes_folders
        is_new = name not in before and text is not None
        return is_new and name.endswith(".log") and not self.wishes.of_logs

    def _file_name(self, name: str, before: Mapping[str, str], result: CaseResult) -> str:
        """Of a new file whose name nobody told, only its kind."""
        if name in before or result.wrote[name] is None or name.startswith("mode of "):
            return name
        base = name.rpartition("/")[2]
        ending = _COMPRESSED.search(base)
        kind = ending[0] if ending else ""
        if _DATED.search(base):
            return f"(dated){kind}"
        stem = base.removesuffix(kind).lower()
        told = {part for each in (*before, *result.case.words) for part in _stems(each)}
        is_told = (
            stem in told or base.lower() in self.wishes.request.lower() or name in result.case.words
        )
        if is_told or any(part and part in stem for part in told if len(part) > 2):
            return name
        if any(word in self._asked for word in _WORD.findall(stem)):
            return name
        return f"(new){kind}"

    def _content(self, text: str | None, before: Mapping[str, str], result: CaseResult) -> str:
        if text is None:
            return "gone"
        if text in before.values() or text.startswith(("archive of ", "compressed ")):
            return repr(text)
        lines = [line.rstrip() for line in text.splitlines()]
        return repr("\n".join(lines).strip())


def _stems(name: str) -> Iterator[str]:
    base = name.rstrip("/").rpartition("/")[2].lower()
    yield base
    yield base.partition(".")[0]


def _shown(result: CaseResult) -> str:
    text = str(result.value)[:_MOST_SHOWN] if result.gave else ""
    return _RUN_FOLDER.sub("./", _COLOUR.sub("", text))


def _in_one_piece(text: str, result: CaseResult) -> str:
    """With another sign for the blanks in names of files and folders."""
    names = {part for name, _ in result.case.files or () for part in name.rstrip("/").split("/")}
    for name in sorted({each for each in names if " " in each}, key=len, reverse=True):
        text = text.replace(name, name.replace(" ", _BLANK))
    return text


def _given(result: CaseResult, *, with_input: bool = False) -> set[str]:
    """The arguments, whole and in words; with the first words of the input."""
    words = [*result.case.words, *(each for word in result.case.words for each in word.split())]
    words += (result.case.stdin or "").split()[:_SHORT] if with_input else []
    plain = (plain_number(word) for word in words)
    return {word.rstrip("/").removeprefix("./") for word in words}.union(filter(None, plain))


def _vocabulary(result: CaseResult) -> set[str]:
    """The words of what the run was given: names of files, their texts, its input and arguments."""
    case = result.case
    texts = [case.stdin or "", *case.words]
    for name, text in case.files or ():
        texts += [name, text, *name.split("/"), name.rpartition("/")[2].partition(".")[0]]
    texts += [_in_one_piece(name, result) for name, _ in case.files or ()]
    known = {word.lower() for text in texts for word in text.split()}
    return known | {word.lower() for text in texts for word in _PIECE.findall(text)}
