"""Which examples of a request say nothing of a draft that fails them: what they give hangs on
files, a network, chance or the clock, on code that the request has or the order of its values, or
is what a bug report wants gone."""

import asyncio
import re
from collections.abc import Mapping
from dataclasses import replace

from pipeline.given_code import split_code
from pipeline.review.agreement import results_of
from pipeline.review.last_answer import python_of
from pipeline.run import Run
from pipeline.sandbox import Case, CaseResult, Raises
from pipeline.task import Task
from pipeline.testcases.chance import depends_on_chance
from pipeline.testcases.entry_point import entry_of
from pipeline.testcases.examples.bug_reports import reports_a_bug, says_what_shall_be
from pipeline.testcases.suite import Suite
from pipeline.testcases.surroundings import SURROUNDINGS, classes_of, is_of_surroundings

# What a program may hang on that is asked for in such words.
_OF_CHANCE = re.compile(
    r"random|shuffl|dice|\bdie\b|\broll|lotter|lucky|toss|coin|draw|sampl|noise|seed|simulat|jitter"
    r"|uuid|\bids?\b|token|passwor|secret|unique|\bnow\b|today|current|tomorrow|yesterday|clock"
    r"|\btime\b|\bage\b|\bold\b|birth|\bago\b|\bsince\b|until|\btill\b|\bleft\b|remain|expir|\bpast\b"
    r"|futur|elapsed|timer|timestamp|zuf[aä]ll|w[uü]rfel|heute|jetzt|uhr|aktuell|alter|al[eé]atoire"
    r"|\bpick|choos|choice|guess|\bpins?\b|\botp\b|salt|nonce|\bdates?\b|days? (?:to|before)"
    r"|\bnext\b|this (?:year|month|week)|deadline|countdown|\bdue\b|hasard|azar|misch|datum|gestern"
    r"|случайн|сейчас|随机|现在|aleatori|maintenant|aujourd|hoy|ahora|edad",
    re.IGNORECASE,
)
_ENDED = re.compile(r"status \d+: ([A-Za-z_]\w*)(?:: |$)")
_LACKING = ("OSError", "EOFError")
# What may leave something for the next run, and a network.
_OUTSIDE = re.compile(
    r"\bopen\([^()\n]{0,80},\s?(?:mode=)?['\"](?:[wax]|r\+)|\bwrite_(?:text|bytes)\("
    r"|(?<!stdout)(?<!stderr)\.write(?:rows?)?\("
    r"|(?:writeFile|appendFile|createWriteStream|WriteFile|FileWriter|ofstream|to_csv|json\.dump)\b"
    r"|\b(?:sqlite3|sed -i|mv|cp|rm|touch|mkdir|tee|rename|unlink|curl|wget|fetch)\b[ (]"
    r"|\b(?:requests|urllib|httpx|aiohttp|socket|axios)\b|os\.Create"
    r"|(?<![\d&>=-])>>?[ \t]?[\"'$~./{](?!/?dev/)"
)
_OF_NODE = re.compile(r"\bCannot find (?:module|package)\b")
_MOST_READ = 20_000  # characters of a request
# Where an error is to be caught it may still be raised.
_CATCHES = re.compile(r"\bcatch(?:es|ing)?\b|\btry\W{1,3}except\b", re.IGNORECASE)
_OF_THE_SANDBOX = ("Exception", "MemoryError", "NameError", "RecursionError", "TimeoutError")
# Where a value is that is no text: a path, an address.
_PLACE = re.compile(r"['\"](?:[~.]{0,2}/\w|[A-Za-z]:\\|\w+://|[\w-]+\.[a-z]{2,4}['\"])")
_LOOKS = re.compile(
    r"\b(?:open|os|Path|glob|shutil|requests|urllib|urlopen|httpx|aiohttp|socket|subprocess)\b\s*[.(]"
)

_LACKS_NAME = re.compile(r"\b(?:NameError: name '|ReferenceError: )([\w$]+)'? is not defined")


def lacks_given(error: str, task: Task, code: str) -> bool:
    """Whether the error is for want of a name that the request or earlier work gives a value, and
    the code does not: it is to be put beside that."""
    lacks = _LACKS_NAME.search(error)
    if lacks is None:
        return False
    name = re.escape(lacks[1])
    gives = re.compile(
        rf"(?:^|`|;)[ \t]{{0,20}}(?:(?:export|const|let|var)[ \t]{{1,9}}){{0,2}}(?:async[ ])?"
        rf"(?:def {name}\(|{name}(?:[ \t]{{0,9}}:[^=\n]{{1,60}})?[ \t]{{0,9}}=(?![=>])"
        rf"|(?:function {name}\([^()\n]{{0,200}}\)|class {name}\b)[^{{\n]{{0,60}}\{{)",
        re.MULTILINE,
    )
    return bool(gives.search(f"{task.said}\n{task.context}")) and not gives.search(code)


def _sets(case: Case, error: str) -> bool:
    """Whether the example itself gives the name that is lacking a value: it is not the code's."""
    lacks = _LACKS_NAME.search(error)
    own = f"{case.setup}\n{case.session}"
    return lacks is not None and re.search(rf"\b{re.escape(lacks[1])}[ \t]*=(?!=)", own) is not None


def closed(
    suite: Suite, ran: Mapping[str, CaseResult], task: Task, code: str, language: str
) -> tuple[Suite, str]:
    """The suite without those that the code fails and that say nothing of it, and how many they
    are, in words; "" for none. A program that hangs on chance or the clock where the request has no
    word of them is just wrong."""
    is_of_chance = _OF_CHANCE.search(task.prompt[:_MOST_READ])
    by_chance = bool(is_of_chance) and depends_on_chance(code, language)

    def is_open(case: Case) -> bool:
        came = ran.get(case.name)
        if came is None or came.of(case).passed:
            return False
        is_of_place = set(came.raised) & SURROUNDINGS or (
            _PLACE.search(case.input) and _LOOKS.search(code)
        )
        is_kept = case.words and _OUTSIDE.search(code)  # by another run before
        is_sorted = language == "bash" and "sort" in code and _has_lines_of(came)
        is_of_order = len(case.arguments.labels) > 1  # of which the code has no name
        is_outside = bool(is_of_place or is_kept or is_sorted or is_of_order)
        is_given = lacks_given(came.error, task, code) and not _sets(case, came.error)
        return by_chance or is_outside or is_given or _lacks(came, code)

    left = tuple(case for case in suite.cases if not is_open(case))
    n = len(suite.cases) - len(left)
    hang = "may depend on what is given, its order, files, a network, chance or the clock"
    return replace(suite, cases=left), f"{n} of its examples {hang}" if n else ""


def _has_lines_of(came: CaseResult) -> bool:
    """Whether it printed what is expected in another order: that of `sort` is another one in each
    language that people have set."""
    lines = [sorted(str(text).split("\n")) for text in (came.value, came.case.expected)]
    return came.came == "printed" and lines[0] == lines[1]


def _lacks(came: CaseResult, code: str) -> bool:
    """Whether a program ended for want of a package or, where no input is said that it reads, of a
    file or input."""
    raised = _ENDED.match(came.error) if came.case.stdin is not None else None
    if raised is None or came.came != "died":
        return False
    kinds = classes_of(raised[1]) & {"ImportError", *(() if came.case.stdin else _LACKING)}
    of_node = _OF_NODE.search(came.error)
    return bool(of_node or (kinds and is_of_surroundings(kinds, came.error[raised.end() :], code)))


def _reported(task: Task) -> str:
    """The Python that a report is about: in it, or the last answer; "" for none."""
    given = split_code(task.prompt)
    if given.code:
        return given.code if given.language == "python" else ""
    return python_of(task.talk)


async def without_reported(run: Run, task: Task, suite: Suite) -> Suite:
    """The suite of a bug report without what the code that it is about does already: that may be
    the bug. "No, f(3) gives 4" is one in a chat whose last answer gives that, if no word says what
    shall be. Raises SandboxUnavailable."""
    may_report = task.talk and not says_what_shall_be(task.prompt)
    if suite.program or not (may_report or reports_a_bug(task.prompt)):
        return suite
    code = await asyncio.to_thread(_reported, task)
    if not code:
        return suite
    came = await results_of(run, code, suite.cases, entry_of(code, suite.function))
    done = [result.case for result in came if result.passed]
    wrong = [case for case in done if may_report and isinstance(case.expected, Raises)]
    left = tuple(case for case in suite.cases if case not in done)
    return replace(suite, cases=left, reported=(*suite.reported, *wrong))


def _tells_of_code(case: Case, said: str) -> bool:
    """Whether what a report states could not come of the sandbox as well, or of a missing name, and
    is no error that is `said` to be raised: it may be to be caught elsewhere."""
    if not isinstance(case.expected, Raises):
        return True
    name = case.expected.name
    is_of_sandbox = name in _OF_THE_SANDBOX or classes_of(name) & SURROUNDINGS
    if is_of_sandbox or _CATCHES.search(said):
        return False
    return re.search(rf"\braise\s+(?:\w+\.)*{re.escape(name)}\b", said) is None


async def still_reported(run: Run, task: Task, suite: Suite, text: str) -> list[str]:
    """What a bug report states, if the code that it is about gives that, and so does this one, as
    phrases. Without that code errors alone: they are what a draft should not repeat, whatever code
    there was. Raises SandboxUnavailable."""
    code = await asyncio.to_thread(_reported, task)
    suite = replace(suite, function=entry_of(code or text, suite.function))
    said = f"{code}\n{task.prompt[:_MOST_READ]}"
    wrong = [case for case in suite.reported if _tells_of_code(case, said)]
    if code and wrong:
        before = await results_of(run, code, wrong, suite.function)
        wrong = [result.case for result in before if result.passed]
    else:
        wrong = [case for case in wrong if isinstance(case.expected, Raises)]
    now = await results_of(run, text, wrong, suite.function) if wrong else ()
    return [
        f"it still does what was reported: {suite.described(result.case)}"
        for result in now
        if result.passed
    ]
