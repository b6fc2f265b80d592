"""Examples in the form `Input: … Output: …` (as LeetCode and contests write them)."""

import re
from dataclasses import replace
from itertools import islice, takewhile
from typing import Any

from pipeline.sandbox.testcase import Arguments, Case, Raises
from pipeline.testcases.examples.corrections import ALSO_RIGHT
from pipeline.testcases.examples.example import Found
from pipeline.testcases.examples.stated_examples import ARROW, says_how_it_is
from pipeline.testcases.inputs.described_input import inputs_described
from pipeline.testcases.linked_values import without_ends
from pipeline.testcases.literals import ERROR_NAME, read_arguments, read_literal, read_word

_MOST_OUTPUTS = 5
_LABEL = re.compile(
    r"(?:^[ \t>#*_`-]*(?:(?:sample|example)[ \t]+)?|(?<=[\s;,.(*`]))"
    r"(?P<label>input|eingabe|entr[ée]e|entrada|ввод|输入"
    r"|(?:(?:expected|desired|correct|actual|current|wrong|my|your|received)[ \t]+)?output"
    r"|(?:expected|actual)(?=[*_`]{0,2}[ \t]*[:：])"
    r"|in(?=[ \t]*:[ \t]*$)|out(?=[ \t]*:[ \t]*$)"
    r"|(?:(?<=\n\n)|(?<=```\n))(?:in|out)(?=[ \t]*\n[ \t]*(?:\n|```|[\[{\d\"]))"
    r"|ausgabe|sortie|salida|вывод|输出)s?(?:[ \t]+#?\d+)?[*_`]{0,2}"
    r"(?:[ \t]*[:：][*_`]{0,2}|(?=[ \t]*$))",
    re.IGNORECASE | re.MULTILINE,
)
_SECTION = re.compile(
    r"^[ \t>#*_`-]*(?:explanation|example|sample|note|constraints?|follow[- ]?up|hint|remark|"
    r"example \d+)s?\b[^\n]*$|^[ \t]*(?:```|~~~)[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
# One block may hold several labels, so that its parts are no blocks for a Markdown parser.
_FENCE = re.compile(r"[ \t]*(?:```|~~~)[\w+-]*[ \t]*\n")
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_EXPLAINED = re.compile(r"[ \t]+\b(?:explanation|because|since)\b.*$", re.IGNORECASE | re.DOTALL)
_PROGRAM = re.compile(
    r"\bstdin\b|\bstandard input\b|\bfrom (?:the )?(?:console|keyboard|terminal)\b|\binput\(\)"
    r"|\bSystem\.in\b|\bcin\b|\bStandardeingabe\b|\bentrada est[áa]ndar\b|\bentr[ée]e standard\b"
    r"|\bstdout\b|\bstandard output\b"
    # a contest's section
    r"|^[ \t>#*_-]*input(?: format)?[ \t*_:]*\s[^.\n]{0,60}\blines?\b[^.\n]{0,20}\bcontains?\b",
    re.IGNORECASE | re.MULTILINE,
)
# Words that a function's request may have as well.
_READS = re.compile(
    r"\b(?:first|second|only|each|next)\b[^.\n]{0,40}\blines?\b[^.\n]{0,20}"
    r"\b(?:has|have|holds?|gives?|contains?)\b"
    r"|\binput lines?\b|\b(?:until|up to|till) (?:the )?(?:EOF|end of (?:the )?(?:input|file))\b"
    r"|\bprogram\b(?![^.\n]{0,200}\b(?:files?|arguments?|argv|urls?|api)\b)[^.\n]{0,60}\breads?\b"
    r"[^.\n]{0,80}\b(?:prints?|outputs?|writes?)\b",
    re.IGNORECASE,
)
_FUNCTION = re.compile(r"\b(?:functions?|methods?|class(?! Main\b)|def)\b|\w\(", re.IGNORECASE)
_OF_RESULT = re.compile(
    r"\s*(?:print|output|the|their|its|an?|one|la|el|los|las|le|les|das|die|der)"
    r"[ \t]+[^\W\d_]{2}",
    re.IGNORECASE,
)
_INDENT = re.compile(r"^(?: {4}|\t)", re.MULTILINE)
_OF_VALUES = re.compile(
    r"^[ \t>#*_-]*inputs?[*_ ]{0,3}:[*_ ]{0,3}`?(?:\w+ ?=|\[|[\"'])", re.IGNORECASE | re.MULTILINE
)
_PRINTS = re.compile(
    r"\bprint(?:s|ed|ing)?\b|\bprograms?\b|\bscript\b|\b(?:first line|line 1)\b", re.I
)
_OF_FILE = re.compile(
    r"\bconfig(?:uration)?\b|\bparsers?\b|\bargv\b|\bas (?:an? |its |the )?(?:\w+ )?arguments?\b"
    r"|\b(?:my|this|csv|log|text|(?:from|in|to|reads?) an?) files?\b"
    r"|\w\.(?:csv|txt|json|ini|log|tsv|ya?ml|xml|toml)\b",
    re.IGNORECASE,
)
# Sentences of values that may as well be arguments, of a function or of a command.
_MAY_BE_ARGUMENTS = re.compile(r"\b(?:takes?|given)\b", re.IGNORECASE)
_READ = re.compile(
    r"\b(?:reads?|reading|asks? for|inputs?|enters?|typ(?:es?|ed))\b"
    r"|\b(?:first|second|next|each) (?:\w+ ){0,2}lines?\b|\blines? \d"
    r"|\b(?:on|in) (?:one|a single|the same) line\b",
    re.IGNORECASE,
)
_OF_PROGRAM = re.compile(r"\bprograms?\b", re.IGNORECASE)
_SENTENCES = re.compile(r"(?<=[.\n])")
# What has its values from elsewhere, or gives them elsewhere.
_ELSEWHERE = re.compile(
    r"\breturn(?:s|ed|ing)?\b|\bargv\b|\barg(?:ument|parse)s?\b|\bcommand[- ]line|\bCLI\b"
    r"|\btkinter\b|\bwindow\b|\bHTML\b|\bpages?\b|\bendpoint\b|\bAPI\b|\bserver\b|\bSQL\b|\bExcel\b|\bVBA\b"
    r"|\bcomponent\b|\blambda\b|\bfn\b|\b(?:chat)?bots?\b|\bchat\b|\btelegram\b|\bdiscord\b"
    r"|\benvironment\b",
    re.IGNORECASE,
)
_DESCRIBED = re.compile(r"(?:^|\s)[A-Za-z]+,?(?: [a-z()A-Z]+,?){2}")  # three words in a row
_OF_KIND = re.compile(r"\s*(?:an?|the|one|two|three|four|five|some|several) [A-Za-z]+\b", re.I)
_TICKED = re.compile(r"`([^`\n]+)`")
_ALL_TICKED = re.compile(rf"\s*{_TICKED.pattern}(?:[ \t]*\n[ \t]*{_TICKED.pattern})*\s*")
# What ends a value in a sentence: "5. Example output: 120."
_MARKS = re.compile(
    r"(?<=[^\s.,;])[.,;]?"
    r"(?:\s+(?:and )?(?:(?:an?|another|the) )?(?:example|sample|expected)s?)?\s*\Z",
    re.IGNORECASE,
)
_GOES_ON = re.compile(r"[.;!]\s+[A-Z][a-z']+ [a-z]|\n[A-Z][a-z']+ [a-z]")
_REMARK = re.compile(r"\A[^\n]*\d[ \t]+\((?=[^()\n]*[ =])[^()\n]*\)\s*\Z")  # "7 (3 + 4)"
_NO_VALUE = re.compile(
    r"\(?(?:empty|none|nothing|no input)\)?|\w+ ?= ?[^=\n]+(?:, ?\w+ ?= ?[^=\n]+)*",
    re.IGNORECASE,
)
_BUILT = re.compile(r"\b(?:TreeNode|ListNode|linked[ -]?list|binary tree)\b", re.IGNORECASE)
_ROOT = re.compile(r"root\w*[ \t]*=")
# Labels of what comes today, and of what shall come.
_SEEN = re.compile(r"actual|current|wrong|my\b|your\b|received", re.IGNORECASE)
_WANTED = re.compile(r"expected|desired|correct", re.IGNORECASE)
_ARROW_BEHIND = re.compile(rf"[ \t]*(?:{ARROW})$")
# A sentence below a value: "Time complexity should be O(n)".
_SENTENCE = re.compile(r"\n[A-Z][a-z']+ [a-z][^\n]*")
_INPUTS = frozenset(("input", "in", "eingabe", "entrée", "entree", "entrada", "ввод", "输入"))
_ERROR = re.compile(ERROR_NAME)
_LEFT_OUT = re.compile(r"\.\.\.|…")
_LAYOUT = re.compile(r"(?=.*(?:_|\.\.\.|…))(?:[A-Za-z](?:_?\w)?|\.\.\.|…|\s)+", re.DOTALL)
_CALL = re.compile(r"([A-Za-z_]\w*)\((.*)\)", re.DOTALL)


def asks_for_function(text: str) -> bool:
    """Whether a function, a method or a class is spoken of."""
    return bool(_FUNCTION.search(text))


def speaks_of_input(text: str) -> bool:
    """Whether a program is asked for that reads standard input."""
    if _PROGRAM.search(text):
        return True
    if asks_for_function(text) or _OF_FILE.search(text):
        return False
    if _READS.search(text):
        return True
    return _is_described(text) and bool(inputs_described(_without_arguments(text)))


def _is_described(text: str) -> bool:
    """Whether values are described that a program may read."""
    if asks_for_function(text) or _ELSEWHERE.search(text) or _OF_VALUES.search(text):
        return False
    return bool(_PRINTS.search(text) and inputs_described(text))


def _without_arguments(text: str) -> str:
    said = _SENTENCES.split(text)
    return "".join(
        each for each in said if _READ.search(each) or not _MAY_BE_ARGUMENTS.search(each)
    )


def find(text: str) -> Found:
    """Pairs of an input with the output that follows it. Where the request speaks of standard
    input the code is a program, and the texts themselves are what it reads and prints."""
    found = Found()
    program, built = speaks_of_input(text), bool(_BUILT.search(text))
    if not program and _OF_PROGRAM.search(text) and _is_described(text):
        return found  # it may be a program, and it may have arguments
    labels = list(islice(_LABEL.finditer(text), 1000))
    for n, label in enumerate(labels[:-1]):
        output = _output_of(labels, n)
        if output is None:
            continue
        given = _content(text, label.end(), labels[n + 1].start(), program, is_input=program)
        stop = labels[output + 1].start() if output + 1 < len(labels) else len(text)
        wanted = _content(text, labels[output].end(), stop, program)
        if program and "\n" not in text[label.end() : labels[output].end()]:
            given, wanted = _as_sentence(given, wanted)
        if not given or not wanted:
            continue
        if _DESCRIBED.search(given) and _DESCRIBED.search(wanted):
            continue
        if ALSO_RIGHT.search(text, labels[output].end(), min(stop, labels[output].end() + 600)):
            continue
        if says_how_it_is(_line_above(text, label.start())):
            continue
        if program and _is_in_words(given, wanted):
            continue
        example = as_program(*unindented(given, wanted)) if program else _as_call(given, wanted)
        if example and not _is_built(example, given, built):
            found.examples.append(example)
        elif example and _is_of_lists(example):
            found.linked.append(_without_ends(example) if _ROOT.match(given) else example)
        else:
            line = text.count("\n", 0, labels[output].start())
            found.unread[line] = "an Input/Output pair could not be read as values"
    return found


def _is_in_words(given: str, wanted: str) -> bool:
    """Whether a program's input and output are described, not shown."""
    if _NO_VALUE.fullmatch(given.strip()) or _REMARK.search(given) or _REMARK.search(wanted):
        return True
    of_result = (_DESCRIBED.search(given) or _OF_KIND.match(given)) and _OF_RESULT.match(wanted)
    named = re.fullmatch(r"\s*([A-Za-z])\s*", given)
    says_name = named and re.search(rf"\b{named[1]}\b", wanted)
    return bool(of_result or says_name or _LEFT_OUT.search(wanted) or _LAYOUT.fullmatch(given))


def unindented(given: str, wanted: str) -> tuple[str, str]:
    """Without the four blanks before each line that make both of them code in Markdown."""
    lines = [line for line in f"{given}\n{wanted}".split("\n") if line.strip()]
    if not all(line.startswith((" " * 4, "\t")) for line in lines):
        return given, wanted
    return _INDENT.sub("", given), _INDENT.sub("", wanted)


def _output_of(labels: list[re.Match[str]], n: int) -> int | None:
    """Which label has what shall come of the input `n`: of several, the one that says so."""
    if not _is_input(labels[n]):
        return None
    behind = islice(range(n + 1, len(labels)), _MOST_OUTPUTS)
    outputs = list(takewhile(lambda each: not _is_input(labels[each]), behind))
    outputs = [each for each in outputs if not _SEEN.match(labels[each]["label"])]
    wanted = [each for each in outputs if _WANTED.match(labels[each]["label"])]
    return next(iter(wanted or outputs), None)


def _line_above(text: str, start: int) -> str:
    """The last line before it that has words, without the marks of a fence."""
    lines = (line.strip() for line in reversed(text[max(0, start - 400) : start].splitlines()))
    return next((line for line in lines if line.strip("`~")), "")


def _is_input(label: re.Match[str]) -> bool:
    return label["label"].lower() in _INPUTS


def _content(text: str, start: int, stop: int, program: bool, *, is_input: bool = False) -> str:
    """What stands behind a label: to the next section, fence or blank line (in a program's fenced
    text blank lines count, and nobody knows whether its input ends at another)."""
    body = text[start:stop][:20_000].lstrip(" \t*_").lstrip("\n")
    fenced = _FENCE.match(body)
    body = body[fenced.end() :] if fenced else body
    end = _SECTION.search(body)
    body = body[: end.start()] if end else body
    if not (fenced and program):
        body, *beyond = _BLANK_LINE.split(body.strip("\n"), maxsplit=1)
        if is_input and "".join(beyond).strip():
            return ""
    if program:
        body = _ARROW_BEHIND.sub("", body)
        return body if fenced else _unticked(body)
    return _ARROW_BEHIND.sub("", body.strip()).strip("`*").rstrip(",;").strip()


def _unticked(body: str) -> str:
    """Without the backticks around it, or around each line."""
    return "\n".join(_TICKED.findall(body)) if _ALL_TICKED.fullmatch(body) else body


def _as_sentence(given: str, wanted: str) -> tuple[str, str]:
    """Of `Input: 5, Output: 120.`, without the marks of the sentence; two empty texts where it goes
    on behind them, or explains the value."""
    given, wanted = _unticked(_MARKS.sub("", given)), _unticked(_MARKS.sub("", wanted))
    return ("", "") if _GOES_ON.search(wanted) else (given, wanted)


def _is_built(example: Case, given: str, spoken_of: bool) -> bool:
    """Whether the values stand for something that is built of them: nodes (of which the text may
    speak), or calls of a class."""
    match example.arguments.args:
        case ([str(first), *_], [[*_], *_]) if first[:1].isupper():
            return True
    named = _ROOT.match(given) or re.match(r"head\w*[ \t]*=", given)
    return bool(example.stdin is None and (named or spoken_of))


def _is_of_lists(example: Case) -> bool:
    """Of values as LeetCode writes nodes; not of calls of a class, which stand in texts."""
    lists = [each for each in example.arguments.values if isinstance(each, list)]
    return bool(lists) and not any(isinstance(each[0], str) for each in lists if each)


def _without_ends(example: Case) -> Case:
    """A tree's rows may be written with what is missing at the end, or without."""
    wanted = example.expected
    return replace(example, expected=without_ends(wanted)) if isinstance(wanted, list) else example


def as_program(given: str, wanted: str) -> Case:
    """A program that reads this and prints that."""
    return Case(Arguments(), wanted.strip("\n") + "\n", stdin=given.strip("\n") + "\n")


def _as_call(given: str, wanted: str) -> Case | None:
    try:
        call = _CALL.fullmatch(given)
        arguments = read_arguments(call[2] if call else _listed(given))
        if not (arguments.args or arguments.kwargs or call):
            return None
        expected = _output(wanted)
    except ValueError:
        return None
    if call:
        return Case(arguments, expected, call[1])
    return Case(replace(arguments, labelled=True), expected)


def _listed(given: str) -> str:
    """Lines of values as one list of arguments."""
    lines = [line.strip().strip("`").rstrip(",") for line in re.split(r"[\n;]", given)]
    try:
        read_arguments(given)
    except ValueError:
        return ", ".join(line for line in lines if line)
    return given


def _output(wanted: str) -> Any:
    """A literal, `name = literal`, or one bare word (`Fizz`), which is a text."""
    wanted = _EXPLAINED.sub("", wanted).strip().rstrip(".").strip("`*")
    try:
        return read_literal(wanted)
    except ValueError:
        value = _SENTENCE.split(wanted, maxsplit=1)[0]
        if value != wanted:
            return _output(value)
        name, equals, value = wanted.partition("=")
        if equals and name.strip().isidentifier():
            return read_literal(value)
        return Raises(wanted) if _ERROR.fullmatch(wanted) else read_word(wanted)
