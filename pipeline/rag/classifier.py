"""The classifier: what kind of answer does a query want?"""

import re
from collections.abc import Collection
from functools import partial

from pipeline.errors import RoleNotPlayed, Unreadable
from pipeline.model import Message
from pipeline.model_request import ModelRequest
from pipeline.prompts import messages
from pipeline.rag.instructions import as_data
from pipeline.rag.query_task import QueryTask
from pipeline.rag.registration import CLASSIFIER
from pipeline.reply_schema import one_of, table
from pipeline.run import Run
from pipeline.strict_json import read_object, text_of
from pipeline.structured_output import ask_structured

CLASSIFIER_TOKENS = 128

KINDS = {
    "code": "a program or a piece of code is to be written",
    "api": "what a named function, class, method or option does, takes or returns",
    "explanation": "how something works or why, a concept, a comparison",
    "data_to_code": "there is data (a file, a format), and the question is what to do with it in "
    "code",
    "code_to_data": "there is code, and the question is which data or files it needs or works with",
    "refine": "the given code is to be changed",
    "enrich": "the given code is to be explained",
}

INSTRUCTIONS = """\
You sort queries by the kind of answer that they want. You do not answer them.
Answer with one JSON object and nothing else: {{"type": <one of the kinds>}}
The kinds:
{kinds}"""


def write_prompt(task: QueryTask, kinds: Collection[str]) -> list[Message]:
    listed = "\n".join(f'"{kind}": {KINDS[kind]}' for kind in kinds)
    return messages(
        INSTRUCTIONS.format(kinds=listed),
        f"{as_data([('QUERY', task.request)])}\n\nThe kind as JSON:",
    )


_ASKS = re.compile(
    r"\?(?=[\"')\]]?(?:\s|$))|^\W*(?:please\s+)?"
    r"(are|can|describe|does|explain|how|is|should|tell|what|when|where|which|who|why)\b",
    re.IGNORECASE,
)


def reads_as_question(words: str) -> bool:
    """It begins as one, or a question mark ends a word of it."""
    return _ASKS.search(words) is not None


_READ = 2_000  # characters of a question that are looked at
_HOW_IT_WORKS = re.compile(
    r"\bhow (?:do|does|did|is|are)\b(?! (?:i|we|you|one|people)\b)(?:[^?.]|\.(?=\w)){0,100}"
    r"\b(?:different|implemented|works?|worked)\b",
    re.IGNORECASE,
)
_HOW_TO = re.compile(
    r"\bhow (?:do|can|could|should|would) (?:i|we|you|one|people)\b|\bhow to\b", re.IGNORECASE
)
_WANTS_WORDS = re.compile(
    r"\b(?:compar\w+|concepts?|describe|differs?|differences?|explain\w*|should (?:i|we) use"
    r"|versus|vs|why|what happens|when should)\b",
    re.IGNORECASE,
)
# "What are generators?", but not "What is SetMapper?", "What is zip()?"
_WHAT_IS = re.compile(
    r"\b[Ww]hat(?: is| are|'s|’s) (?:an? |the )?[a-z]+(?: [a-z]+)?(?: in \w+)?(?:\?|$)"
)


def kind_by_words(words: str) -> str:
    """Of a question without code and data: `explanation`, or `api` for a use of something, which is
    what it is as well where nothing tells (in another language than English, say)."""
    words = words[:_READ]
    if _HOW_IT_WORKS.search(words):
        return "explanation"
    how, why = _HOW_TO.search(words), _WANTS_WORDS.search(words)
    if how and why:  # what comes first is what the question is about
        return "explanation" if why.start() < how.start() else "api"
    return "explanation" if why or (not how and _WHAT_IS.search(words)) else "api"


async def classify(run: Run, task: QueryTask, kinds: Collection[str], default: str) -> str:
    """One of `kinds`; `default` where the model cannot tell, for no query is refused for that.
    Raises RoleNotPlayed where no model is there that could."""
    question = ModelRequest(
        CLASSIFIER,
        partial(write_prompt, kinds=kinds),
        {"task": task},
        label="kind of query",
        max_tokens=CLASSIFIER_TOKENS,
        schema=table(type=one_of(list(kinds))),
    )

    def read(text: str) -> str:
        kind = text_of(read_object(text), "type")
        if kind not in kinds:
            raise Unreadable(f"type is none of {', '.join(kinds)}")
        return kind

    answer = await ask_structured(run, question, read)
    if isinstance(answer.fault, RoleNotPlayed):
        raise answer.fault
    return answer.value or default
