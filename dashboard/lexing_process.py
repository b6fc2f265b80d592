"""A text's tokens, from a process that is ended when it takes too long (`lexing_worker.py`)."""

import orjson

from laios.answering_process import AnsweringProcess

DEADLINE_S = 2.0  # a text; between two tokens the process itself stops long before
PROCESS = AnsweringProcess("dashboard.lexing_worker")


def tokens(text: str, lexer: str) -> list[tuple[str, int]]:
    """Types (`Name.Function`) and lengths, one behind the other from the text's beginning; none
    where that takes too long. `lexer` is one of Pygments' names."""
    question = orjson.dumps([text.encode("utf-8", "replace").decode(), lexer])
    answer = PROCESS.ask(question, DEADLINE_S)
    return [(kind, size) for kind, size in orjson.loads(answer)] if answer else []
