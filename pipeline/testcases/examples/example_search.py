"""The examples that the user wrote → test cases that nobody may change. Pure.

Forms: `f(1, 2) == 3` (also `->`, `returns`, `raises`, …), doctest `>>>`, `assert` lines and those
of unittest and pytest (also rows of values), assertions and logged calls of JavaScript, checks and
commands of Bash, programs' arguments, sessions of a shell, `Input: … Output: …`, Markdown tables,
sentences ("for 3 it returns 9"), pairs (`[1, 2] -> 3`, `racecar -> True`), texts without quotation
marks (`A b → a-b`), lines of two words (`cat   cats`), calls and values in two columns, tables and
arrays beside those that are to come of them, and what an object answers after other calls. What
cannot be read is left out and noted."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice

from pipeline.analysis.call_columns import with_signs
from pipeline.modes import split_wrappers
from pipeline.sandbox.testcase import Arguments, Case
from pipeline.testcases.examples import (
    argument_examples,
    assert_examples,
    call_examples,
    command_examples,
    doctest_examples,
    empty_examples,
    input_output_examples,
    listed_pairs,
    pair_examples,
    parametrized_examples,
    program_examples,
    prose_examples,
    script_asserts,
    session_examples,
    shell_sessions,
    table_examples,
    traceback_reports,
    truth_examples,
    unittest_examples,
    unquoted_texts,
    word_columns,
)
from pipeline.testcases.examples.bug_reports import tells_only_what_is_wrong
from pipeline.testcases.examples.example import Found
from pipeline.testcases.examples.ipython_prompts import as_python_session
from pipeline.testcases.examples.loose_examples import LOOSE, shows_loosely
from pipeline.testcases.examples.named_values import by_place, hangs_on_draft, parameters_in, placed
from pipeline.testcases.examples.open_results import Results
from pipeline.testcases.examples.requested_function import NamedCallable, named_callable
from pipeline.testcases.examples.table_results import (
    lines_of_tables,
    of_named_function,
    with_tables_made,
)
from pipeline.testcases.examples.written_numbers import untold_kinds
from pipeline.testcases.suite import MAX_ANCHORS, Suite

FINDERS = (
    doctest_examples,
    assert_examples,
    parametrized_examples,
    unittest_examples,
    script_asserts,
    call_examples,
    command_examples,
    shell_sessions,
    argument_examples,
    input_output_examples,
    program_examples,
    table_examples,
    prose_examples,
    empty_examples,
    pair_examples,
    listed_pairs,
    truth_examples,
    session_examples,
    word_columns,
    unquoted_texts,
    traceback_reports,
)
# Forms that say exactly what comes; words may say it loosely.
_EXACT = (
    doctest_examples,
    assert_examples,
    parametrized_examples,
    unittest_examples,
    script_asserts,
    command_examples,
)
# Characters that are searched: examples stand near the request, and the event loop waits.
MAX_PROMPT = 20_000
OF_NODES = "the examples of linked nodes could not be run"
MAY_BE_READ = (OF_NODES, LOOSE)  # elsewhere, for a draft that is known
# Another value than a function that is written there.
_SETS = r"(?:(?:^[ \t>]*|`){0}|\b(?:const|let|var|auto)[ \t]{{1,9}}{0}[ \t]*(?::[^=\n]{{0,60}})?)"
_TO_A_VALUE = (
    r"[ \t]*(?:=(?![=>])|:=)"
    r"(?![ \t]*(?:(?:async|class|function|null|undefined)\b|\w+[ \t]*=>"
    r"|(?:<[^()\n]{0,60}>)?\([^()]{0,200}\)[ \t]*(?::[^=\n]{0,60})?=>))"
)
_MOST_LINKED = 20  # examples of nodes
_MOST_ABOVE = 4  # lines between what gives a table and the table


@lru_cache(maxsize=32)  # each draft of a run asks, and runs go side by side
def find_examples(prompt: str) -> Suite:
    """The prompt's examples as cases, the callable that it names ("" if none), and warnings of what
    looked like an example and could not be read."""
    _, words = split_wrappers(prompt)  # attached files have examples of their own
    shown = as_python_session(words[:MAX_PROMPT].replace("\r\n", "\n"))
    text = with_signs(with_tables_made(shown), "->")
    found = [each.find(text) for each in FINDERS]
    results = Results.of(text)
    called = named_callable(text, Counter(e.function for each in found for e in each.examples)).name
    untold = untold_kinds((example for each in found for example in each.examples), text)
    read = [
        results.settled(
            example,
            called,
            in_words=finder not in _EXACT,
            is_shown=finder is doctest_examples,
            is_untold=example.function in untold,
        )
        for finder, each in zip(FINDERS, found, strict=True)
        for example in each.examples
    ]
    examples = list(_unique(_of_programs(list(filter(None, read)))))
    examples = [each for each in examples if not _is_set(each.function, text)]
    named = named_callable(text, Counter(example.function for example in examples))
    examples = [*_fitting(examples, named)]
    known = {each.input for each in examples}
    of_tables = of_named_function(shown, named.name, named.signature)
    examples += [each for each in of_tables if each.input not in known]
    warnings = list(dict.fromkeys(_warnings(found, text)))
    reported = examples if tells_only_what_is_wrong(text) else []
    if reported:
        examples = []
        warnings.append("the results that a bug report states are no examples")
    if len(words) > MAX_PROMPT:
        warnings.append(f"examples were looked for in the first {MAX_PROMPT} characters alone")
    if len(examples) > MAX_ANCHORS:
        warnings.append(f"{len(examples)} examples: the first {MAX_ANCHORS} are used")
    cases = [_named(n, each, named) for n, each in enumerate(islice(examples, MAX_ANCHORS), 1)]
    by_name = tuple(each for each in cases if each.arguments.labels)
    cases = [each for each in cases if not hangs_on_draft(each, by_name, named.parameters)]
    warnings += _contradictions(cases)
    program = any(case.stdin is not None for case in cases)
    errors = (one for each in found for one in each.reported)
    reported += _fitting(errors, named)
    wrong = (_named(n, each, named) for n, each in enumerate(islice(reported, MAX_ANCHORS), 1))
    of_nodes = _fitting((one for each in found for one in each.linked), named)
    fitting = islice(of_nodes, _MOST_LINKED)
    linked = [_named(n, each, named) for n, each in enumerate(fitting, len(cases) + 1)]
    warnings += [OF_NODES] if linked else []
    if not (cases or reported or warnings) and shows_loosely(text):
        warnings.append(LOOSE)
    suite = Suite(tuple(cases), named.name, named.signature, program, tuple(warnings), (*wrong,))
    return replace(suite, linked=(*linked,), named=by_name)


def _is_set(function: str, text: str) -> bool:
    """Whether the text gives the name a value first, as by `count = counter()` or `let init =
    once(start)`: a session says what it gives then."""
    setting = f"{_SETS.format(re.escape(function))}{_TO_A_VALUE}"
    return bool(function) and re.search(setting, text, re.MULTILINE) is not None


def _warnings(found: Sequence[Found], text: str) -> Iterator[str]:
    """Not on what another form could read, or a draft tells how to."""
    read = set().union(*(each.lines for each in found))
    if any(each.unread for each in found):
        read |= {line for at in lines_of_tables(text) for line in range(at - _MOST_ABOVE, at + 1)}
    for each in found:
        yield from each.warnings
        yield from (warning for line, warning in each.unread.items() if line not in read)


def _of_programs(examples: list[Case]) -> list[Case]:
    """Of a program what it reads and prints; the same forms give calls of nobody knows what."""
    runs = [each for each in examples if each.stdin is not None]
    named = [each for each in examples if each.function]
    return runs if runs and not named else examples


def _unique(examples: Iterable[Case]) -> Iterable[Case]:
    """Without those that several forms have found."""
    first: dict[tuple[str, str, str, str | None], Case] = {}
    for each in examples:
        first.setdefault((each.function, each.input, each.output, each.stdin), each)
    return first.values()


def _fitting(examples: Iterable[Case], named: NamedCallable) -> Iterator[Case]:
    """Those that can be of this callable, their values in the order of its parameters."""
    inside = named.signature.partition("(")[2].removesuffix(")")
    for each in placed(by_place(examples), parameters_in(inside)):
        if fitted := _fitted(each, named):
            yield fitted


def _fitted(example: Case, named: NamedCallable) -> Case | None:
    """An example that names no callable, with as many arguments as the signature has parameters:
    `(2, 3) -> 5` gives `add(a, b)` two. None where it cannot be one of this callable: `half(2,5)`,
    with a comma in a fraction, gives `half(x)` two."""
    args, names = example.arguments.args, named.parameters
    if example.function == named.name and names and not example.session:
        return example if len(args) <= len(names) or "*" in named.signature else None
    if example.function or example.stdin is not None or not names:
        return example
    optional = named.signature.count("=")
    given = len(args) + len(example.arguments.kwargs)
    if len(names) - optional <= given <= len(names):
        return example
    if len(args) == 1 and isinstance(args[0], tuple) and len(args[0]) == len(names):
        return replace(example, arguments=Arguments(args[0]))
    return None


def _named(number: int, example: Case, named: NamedCallable) -> Case:
    """The example as a test of the callable that is asked for."""
    function = "" if example.function == named.name else example.function
    return replace(example, name=f"example {number}", function=function, anchor=True)


def _contradictions(cases: list[Case]) -> list[str]:
    first: dict[tuple[str, str, bool], Case] = {}
    warnings = []
    for case in cases:
        other = first.setdefault(case.subject, case)
        if other.output != case.output:
            warnings.append(f"{other.name} and {case.name} contradict each other")
    return warnings
