"""The code that a query is about. Pure."""

from dataclasses import replace

from pipeline.analysis.code_extraction import extract_code
from pipeline.analysis.evidence import language_of
from pipeline.analysis.prose import reads_as_prose
from pipeline.analysis.python_syntax import is_python
from pipeline.errors import BadRequest
from pipeline.given_code import split_code
from pipeline.rag.query_task import QueryTask

UNKNOWN_LANGUAGE = "text"


def code_to_refine(query: QueryTask, last_answer: str) -> QueryTask:
    """The query with its code: its own, else the prompt's, else what the last run or the chat's
    last answer gave. Raises BadRequest."""
    if query.code.strip():
        return query
    given = split_code(query.prompt)
    if given.code and not given.request:
        raise BadRequest("Say what to change in the code.")
    if given.code:
        return replace(query, prompt=given.request, code=given.code, language=given.language)
    last = extract_code(query.previous_output or last_answer)
    if not last.text.strip() or reads_as_prose(last.text):
        raise BadRequest(
            "There is no code to refine. Put it into the prompt as a fenced block, or begin with "
            "///ctx ///refine to change what the last run gave."
        )
    return replace(query, code=last.text, language=query.language or last.language)


def code_in_question(query: QueryTask) -> QueryTask:
    """Code that stands in the prompt is the code in question."""
    if query.code:
        return query
    given = split_code(query.prompt)
    if not (given.code and given.request):
        return query
    return replace(query, prompt=given.request, code=given.code, language=given.language)


def language_of_code(query: QueryTask) -> str:
    """The query's own, else what the code looks like."""
    spoken = query.language or language_of(query.code, None, "")
    return spoken or ("python" if is_python(query.code) else UNKNOWN_LANGUAGE)
