"""Evidence for requests that change how code is written and not what it does: what the code did
tells what the draft has to do."""

import ast
import asyncio
import re
from dataclasses import replace

from pipeline.analysis.draft import Draft, DraftSource
from pipeline.analysis.evidence import Finding
from pipeline.analysis.python_syntax import parse
from pipeline.given_code import split_code
from pipeline.review.last_answer import answered_in
from pipeline.review.original_comparison import Original, kept
from pipeline.run import Run
from pipeline.task import Task

_MOST_READ = 1000  # characters of the words; who says more wants more
_KEEPS = re.compile(
    r"\b(?:faster|speed (?:\w+ )?up|optimi[sz]e|(?:more|most) efficient(?:ly)?|refactor|simplify"
    r"|clean(?:er|ed)?(?: \w+)? ?(?:up|code|version)?|readable|pythonic|tidy|shorter|shorten"
    r"|renam\w+|(?:type )?hints?|annotations?|docstrings?|comments?|one-?liner"
    r"|(?:without|instead of|no|avoid) recursion|iterative(?:ly)?|memoi[sz]\w+|lru_cache"
    r"|comprehensions?|schneller|optimier\w*|vereinfach\w*|lesbarer|kürzer|plus rapide|simplifier?"
    r"|más rápid[oa]|optimiz\w+)\b|\bO\(",
    re.IGNORECASE,
)
# It wants something else besides, or code of another kind.
_ALSO = re.compile(
    r"\b(?:also|as well|too|even|should|must|needs? to|but|except|fix(?:es|ed)?|bugs?|wrong"
    r"|crash\w*|errors?|exceptions?|rais(?:e|es|ing)|returns?|returning|handl\w+|supports?|ignor\w+"
    r"|accepts?|reject\w*|skip\w*|allow\w*|valid\w+|checks?|limits?|defaults?|options?"
    r"|parameters?|arguments?|prints?|logs?|convert|translate|async|generators?|yield|class|tests?"
    r"|when|if|unless|only|new|from the|of the (?:text|file|string|lines?)|why|what|how|which"
    r"|explain|auch|aber|soll|aussi|mais|también|pero)\b",
    re.IGNORECASE,
)
_NO_RECURSION = re.compile(
    r"\b(?:without|instead of|no|avoid) recursion|\b(?:non-?recursive|iterative)", re.IGNORECASE
)
_POLITE = re.compile(r"\W*(?:can|could|would) you\b", re.IGNORECASE)


def original_of(task: Task) -> Original | None:
    """The code that is to do what it did, in the request or the last answer; None where there is
    none, or something else is wanted as well."""
    said = task.prompt
    if not _KEEPS.search(task.prompt):
        return None
    if (given := split_code(task.prompt)).code:
        said, code, language = given.request, given.code, given.language
    elif task.talk:
        code, language = task.talk[-1].answer, answered_in(task.talk[-1])
    else:
        return None
    keeps = len(said) <= _MOST_READ and _KEEPS.search(said) and not _ALSO.search(said)
    asks = "?" in said and not _POLITE.match(said)
    return Original(code, language, task.prompt) if language and keeps and not asks else None


def recursive_function(code: str) -> str:
    """The first function of Python that calls itself by its name; "" where there is none."""
    tree = parse(code)
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.FunctionDef):
            called = (each.func for each in ast.walk(node) if isinstance(each, ast.Call))
            if any(isinstance(each, ast.Name) and each.id == node.name for each in called):
                return node.name
    return ""


async def held_against_original(run: Run, task: Task, draft: Draft, source: DraftSource) -> Draft:
    """The draft with what it does otherwise than the code that it is made of; where nothing
    differs, that decides."""
    original = await asyncio.to_thread(original_of, task)
    if not original or original.language != draft.language:
        return draft
    is_to_go = _NO_RECURSION.search(task.prompt[:_MOST_READ])
    if is_to_go and (name := await asyncio.to_thread(recursive_function, draft.text)):
        return replace(draft, findings=(Finding(source, "unchanged", f"{name} calls itself"),))
    came = await kept(run, original, draft.text)
    if came.difference:
        return replace(draft, findings=(Finding(source, "differs", came.difference),))
    if not came.is_enough:
        return draft
    return replace(draft, decided=f"it does what the code did, in {came.calls} calls")
