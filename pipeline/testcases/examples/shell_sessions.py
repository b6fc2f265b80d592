"""Examples as a session of a shell shows them: `$ ./temp.sh 100 C` with what the program prints
below, the files that `cat` shows before, what `echo` pipes into it, a status that `echo $?` tells.

What keeps something between its runs, looks around or asks for its input prints something else in
another place: in doubt a session is none."""

import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice

from pipeline.analysis.fences import fences
from pipeline.sandbox.shown_text import ShownText
from pipeline.sandbox.testcase import Arguments, Case, Raises
from pipeline.testcases.examples.bug_reports import reports_a_bug
from pipeline.testcases.examples.corrections import is_taken_back
from pipeline.testcases.examples.example import Found
from pipeline.testcases.examples.program_examples import NO_OUTPUT
from pipeline.testcases.examples.stated_examples import is_stated

_MOST = 60
_PROMPT = re.compile(
    r"^([ \t]{0,8})(?:[\w.-]{1,30}@[\w.-]{1,30}[^$\n]{0,40})?\$ (\S[^\n]{0,500})$", re.MULTILINE
)
_NAME = r"[A-Za-z_][\w-]{0,40}(?:\.[\w-]{1,20}){0,2}"
_RUN = re.compile(
    r"(?:(?P<maker>echo|printf|cat) (?P<made>[^|\n]{1,400}?) ?\| ?)?"
    r"(?:(?:python3?|node|bash|sh|go run|java) (?:\./|~/)?|\./|~/|(?=[\w-]{1,40}\.(?:py|sh|js) ))"
    rf"(?P<program>{_NAME})(?P<words>(?: [^\n]{{1,400}}?)??)"
    rf"(?: ?< ?(?P<file>{_NAME})| ?<<< ?(?P<text>'[^'\n]*'|\"[^\"$`\\\n]*\"|[\w.-]+))?[ \t]*"
)
_SHOWS = re.compile(rf"cat ({_NAME})")
_THERE = re.compile(rf"(?:^cat |> ?)({_NAME})$")
_MAKES = re.compile(rf"(echo|printf) ([^|>\n]{{1,400}}?) ?> ?({_NAME})")
_HARMLESS = re.compile(
    r"(?:ls|chmod|gcc|g\+\+|clang|make|javac|rustc|pwd|clear|wc|head|tail|which)(?![\w.-])[^>|]*"
)
_LITERAL = re.compile(r"'[^'\n]*'|\"[^\"$`\\\n]*\"")
_PLACEHOLDER = re.compile(r"(?:IN|OUT)?(?:FILE|PATH|DIR|NAME|NUMBER|VALUE|STRING|TEXT|ARG)\w*")
_OF_SHELL = re.compile(r"[|<>;&$`*?#(){}~\\!\[]|\.\.\.|…")
_PLACE = re.compile(r"\w[/*]|[/*]\w|\.[A-Za-z]")  # a file, an address: it is not there
_PROSE = re.compile(r"\b[A-Za-z'’]{1,20},? [a-z'’]{1,20},? [a-z'’]")
_CODE = re.compile(
    r"^[ \t>]*(?:#!/|#include|(?:import|from|def|const|let|function) \w)", re.MULTILINE
)
_FILE = re.compile(
    r"[\w-]{1,60}\.(?:txt|csv|tsv|json|log|ini|ya?ml|toml|xml|md|dat|db|conf|env|html?|sql)\b", re.I
)
_SOURCE = re.compile(r"\b([\w-]{1,60})\.(?:py|sh|js|ts|c|cpp|go|rs|java|rb|pl)\b")
_OF_FILES = re.compile(r"\bfiles?\b|\bdatei", re.IGNORECASE)
_OF_TABS = re.compile(r"\btabs?\b|\btsv\b|\\t", re.IGNORECASE)
_SAYS_WRONG = re.compile(
    r"\b(?:usage|errors?|invalid|not|isn['’]t|missing|can(?:not|['’]t)|must|unknown|no(?:ne|thing)?"
    r"|required|needs?|expect(?:s|ed)|unable|failed|please|bad|wrong|illegal|warning|denied|too \w+"
    r"|skipp\w+|ignor\w+|fehler\w*|ungültig\w*|unbekannt\w*|keine?|nicht)\b",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"\b(?:warning|skipp\w+|ignor\w+)\b", re.IGNORECASE)  # may go to stderr
_ASIDE_TO = re.compile(
    r"^(?![^\n]{0,400}\b(?:errors?|usage|invalid|unknown|wrong|fails?|messages?)\b)[^\n]{0,400}"
    r"\b(?:stderr|standard error)\b",
    re.IGNORECASE | re.MULTILINE,
)
_OF_STDERR = re.compile(r"\bstderr\b|\bstandard error\b|\bwarn|>&2", re.IGNORECASE)
_DIALOG = re.compile(
    r"^[^\n]*(?:\benter\b|\bplease\b|\byour\b|\?|: ?$|\^[CDZ]\b)", re.I | re.MULTILINE
)
_ASKS = re.compile(
    r"\b(?:asks?|prompts? (?:for|me|the)|enters?|typed?|interactive\w*|menu|keyboard|guess\w*"
    r"|stdin|standard input|piped?)\b|\binput\(",
    re.IGNORECASE,
)
_NOT_SO = re.compile(
    r"[\s`~]{0,20}(?:but|sorry|oops|instead|however|which|expected|I (?:want|expect|need)\w*"
    r"|(?:\w{1,10} ){1,2}(?:should|must|ought to) (?:be|have|print|give|say|show|read))\b",
    re.IGNORECASE,
)
# Where a session is no example, but loose or of what is now, or does not come to the same anywhere.
_OTHERWISE = re.compile(
    r"\b(?:some|any)thing (?:like|similar)|\b(?:roughly|approximately|similar to|made[- ]up"
    r"|invented|dummy|fictional|illustrat\w+|currently|at the moment|right now|so far|I get|getting"
    r"|so ähnlich|ungefähr|aktuell|derzeit|bisher|momentan|snip|and so on|passwords?|uuids?|tokens?"
    r"|gives me|actual(?:ly)?|today|current \w+|days (?:left|until)|how old|birth\w*|random\w*"
    r"|dice|disks?|cpu|memory|process(?:es)?|pids?|ports?|ping|networks?|servers?|urls?|https?|api|download\w*"
    r"|weather|uptime|timer|sleeps?|waits?|count(?:down|s? down)|battery|wifi|git|docker|folders?"
    r"|director(?:y|ies)|functions?|methods?)\b"
    # of another program than is asked for
    r"|\b(?:I|we) have (?:[\w.-]{1,20} ){0,3}(?:programs?|tools?|scripts?|commands?|binary"
    r"|executable|\w+\.\w+)\b|\b(?:wrap|tests? for)"
    r"|\b(?:output|results?) of (?:[\w-]{1,20} ){0,3}(?:program|tool|script|command|\./)"
    # wording, numbers of digits
    r"|\b(?:wording|texts?|messages?|format(?:ting)?|output|prints?|digits|decimals|rounding)\b"
    r"(?![^.\n]{0,60}\b(?:errors?|json)\b)(?<!error messages)(?<!error texts)[^.\n]{0,40}"
    r"\b(?:up to you|does(?: not|n['’]t) matter|not important|don['’]t (?:really )?care|your choice"
    r"|suggestions?)\b",
    re.IGNORECASE,
)
_COLUMNS = re.compile(r"\w\w {2,9}\S|\t")
_SAYS_WIDTH = re.compile(r"\b(?:align|widths?|columns?|justif|padd|tabs?\b)", re.IGNORECASE)
# What one run leaves for the next.
_KEEPS = re.compile(
    r"\b(?:sav(?:es?|ed|ing)(?! (?:it|this|that|the script) (?:as|in|to))|stor(?:es?|ed|ing)"
    r"|remember\w*|persist\w*|to-?dos?|databases?|sqlite|append\w*|overwrit\w+|in[- ]place"
    r"|mov(?:es?|ed)|renam\w+|delet\w+|keeps (?:its|the|a|track)|history|stack|queue|counter)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Step:
    """`printed`: None where nobody knows where it ends."""

    command: str
    printed: str | None
    start: int
    stop: int


def find(text: str) -> Found:
    """None where several programs are run, or a run may hang on another one."""
    found = Found()
    if "$ " not in text or reports_a_bug(text):
        return found
    if any(each.search(text) for each in (_OTHERWISE, _CODE, _ASIDE_TO)):
        return found
    steps = list(islice(_steps(text), _MOST))
    runs = [(step, run) for step in steps if (run := _RUN.fullmatch(step.command))]
    named = {run["program"].partition(".")[0] for _, run in runs} | {*_SOURCE.findall(text)}
    if len(named) != 1 or (len(runs) > 1 and _KEEPS.search(text)):
        return found
    for step, _ in runs:
        acts = step.printed == "" and not _status_of(step, steps)  # others may find what it does
        if acts or _NOT_SO.match(text, step.stop) or is_taken_back(text, step.stop):
            return found
    files = {name[1] for step in steps if (name := _THERE.search(step.command))}
    cases = list(_cases(text, steps)) if files.issuperset(_FILE.findall(text)) else []
    if any(isinstance(case.expected, str) for case in cases):
        found.examples = cases
    return found


def _steps(text: str) -> Iterator[_Step]:
    at = 0
    for fence in fences(text):
        yield from _of_block(text, at, fence.start, is_fenced=False)
        yield from _of_block(text, fence.start, fence.end, is_fenced=True)
        at = fence.end
    yield from _of_block(text, at, len(text), is_fenced=False)


def _of_block(text: str, start: int, stop: int, *, is_fenced: bool) -> Iterator[_Step]:
    prompts = list(islice(_PROMPT.finditer(text, start, stop), _MOST))
    ends = [*(each.start() for each in prompts[1:]), stop] if prompts else []
    for prompt, end in zip(prompts, ends, strict=True):
        below = text[prompt.end() + 1 : end]
        if is_fenced and end == stop:
            below = below.rpartition("\n")[0] if below.rstrip().endswith(("```", "~~~")) else below
        elif len(prompt[1]) > 1:  # to what is no longer part of it
            below = re.split(rf"^(?!{prompt[1]})(?=\S)", below, maxsplit=1, flags=re.M)[0]
        is_all = is_fenced or len(prompt[1]) > 1
        shown = re.sub(rf"^{prompt[1]}", "", below, flags=re.MULTILINE)
        printed = _printed(shown, is_all=is_all, is_last=end == stop)
        length = len(below.rstrip() if is_all else printed or "")
        yield _Step(prompt[2].rstrip(), printed, prompt.start(2), prompt.end() + 1 + length)


def _printed(below: str, *, is_all: bool, is_last: bool) -> str | None:
    """What stands below a command; of what is in no fence as far as no sentence follows."""
    if is_all:
        return below.rstrip()
    if not below.partition("\n")[0].strip():
        return ""
    first, *others = re.split(r"\n(?:[ \t]*\n)+", below.rstrip())
    if not others and not is_last:
        return first
    is_prose = [bool(_PROSE.search(each)) for each in others]
    if _PROSE.search(first):
        return None
    if all(is_prose):
        return first
    return None if is_last or any(is_prose) else below.rstrip()


def _status_of(step: _Step, steps: list[_Step]) -> str:
    """What `echo $?` says below it; "" for nothing."""
    behind = steps[steps.index(step) + 1 :][:1]
    return (behind[0].printed or "") if behind and behind[0].command == "echo $?" else ""


def _cases(text: str, steps: list[_Step]) -> Iterator[Case]:
    """As far as every command is known."""
    files: dict[str, str | None] = {}
    for step in steps:
        if shows := _SHOWS.fullmatch(step.command):
            is_lost = _OF_TABS.search(text) and "\t" not in (step.printed or "")
            files[shows[1]] = None if is_lost else step.printed and f"{step.printed}\n"
        elif makes := _MAKES.fullmatch(step.command):
            files[makes[3]] = _made(makes[1], makes[2], files)
        elif run := _RUN.fullmatch(step.command):
            case = _case(step, run, files, _status_of(step, steps), text)
            if case and is_stated(text, step.start):
                is_given = bool(case.stdin) or any(each in files for each in case.words)
                if is_given or not (_ASKS.search(text) or _OF_FILES.search(text)):
                    yield case
        elif not (step.command == "echo $?" or _HARMLESS.fullmatch(step.command)):
            return


def _case(
    step: _Step, run: re.Match[str], files: Mapping[str, str | None], status: str, request: str
) -> Case | None:
    """What the program is given, and what comes of it; None where that is not known."""
    words = _words(run["words"], files)
    stdin: str | None = ""
    if run["maker"]:
        stdin = _made(run["maker"], run["made"], files)
    elif run["file"]:
        stdin = files.get(run["file"])
    elif run["text"]:
        stdin = run["text"].strip("'\"") + "\n"
    if words is None or stdin is None:
        return None
    there = tuple((name, text) for name, text in files.items() if text is not None)
    if stdin and not any(name in words for name, _ in there):
        there = ()  # one that it reads by its name is none that it is given
    asked = Case(Arguments(), "", stdin=stdin, words=words, files=there or None)
    if status.isdigit() and int(status):
        return replace(asked, expected=Raises("SystemExit"))
    if not (words or stdin) or not step.printed or not _is_clear(step.printed, request):
        return None
    is_open = _COLUMNS.search(step.printed) and not _SAYS_WIDTH.search(request)
    shown = f"{step.printed}\n"
    return replace(asked, expected=ShownText(shown, ["in any columns"]) if is_open else shown)


def _words(said: str, files: Mapping[str, str | None]) -> tuple[str, ...] | None:
    """The arguments; None where a shell makes others of them, or they name what is not known."""
    if _OF_SHELL.search(_LITERAL.sub("", said)):
        return None
    try:
        words = shlex.split(said)
    except ValueError:
        return None
    unknown = any(files.get(each, "") is None or _is_place(each, files) for each in words)
    return None if unknown else tuple(words)


def _is_place(word: str, files: Mapping[str, str | None]) -> bool:
    return word not in files and bool(_PLACE.search(word) or _PLACEHOLDER.fullmatch(word))


def _made(maker: str, said: str, files: Mapping[str, str | None]) -> str | None:
    """What a command prints; None for what shells do not agree on."""
    words = _words(said, files) if maker == "echo" else _words(said.replace("\\n", "\0"), files)
    if not words or words[0].startswith("-"):
        return None
    if maker == "echo":
        return None if "\\" in said else " ".join(words) + "\n"
    if len(words) > 1:
        return None
    if maker == "cat":
        return files.get(words[0])
    return None if re.search(r"[%\\]", words[0]) else words[0].replace("\0", "\n")


def _is_clear(printed: str, request: str) -> bool:
    """Whether it is all what a program prints that does what it should, and not what went wrong, a
    remark or a dialog."""
    lines = printed.split("\n")
    may_be_wrong = len(lines) < 3 or _OF_STDERR.search(request)
    if any(each.startswith("#") for each in lines) or _ASIDE.search(printed):
        return False
    return not (
        (may_be_wrong and _SAYS_WRONG.search(printed))
        or _SAYS_WRONG.match(printed)
        or NO_OUTPUT.search(printed)
        or _DIALOG.search(printed)
    )
