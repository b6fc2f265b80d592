"""The calls of the API: what is sent, and what the answer is read as. Pure; `Client` and
`AsyncClient` carry them out."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, NotRequired, TypedDict, TypeVar
from urllib.parse import quote

from laios import types
from laios.errors import BadRequest
from laios.generated_project import Project

T = TypeVar("T")
Json = Mapping[str, Any]

QUICK_S = 10.0  # for what needs no model; a search may have to take in new records first

QueryResult = (
    types.FinalResult
    | types.APILookupOutput
    | types.ExplanationOutput
    | types.DataToCodeOutput
    | types.CodeToDataOutput
    | types.CodeRefinementResult
    | types.ExplanationEnrichmentOutput
)
_BY_CONTENT: Mapping[str, type[QueryResult]] = {
    "api": types.APILookupOutput,
    "explanation": types.ExplanationOutput,
    "code": types.DataToCodeOutput,
    "data": types.CodeToDataOutput,
    "code_refinement": types.CodeRefinementResult,
}


class RunOptions(TypedDict):
    """`session`: whose earlier runs `///ctx` reads. `no_log`: keep no texts in the history."""

    session: NotRequired[str]
    no_log: NotRequired[bool]


class LimitedOptions(RunOptions):
    """What holds for this run alone. `test_max_rounds`: at most the setting. `min_confidence`: a
    draft that is judged less confident (0 to 1) is reviewed. `sandbox`: `wall_s`, `cpu_s`,
    `memory_mb`, `processes`, `output_bytes`, `files_mb`, each at most its setting."""

    test_max_rounds: NotRequired[int]
    min_confidence: NotRequired[float]
    sandbox: NotRequired[Mapping[str, float]]


class PromptOptions(LimitedOptions):
    """`mode`: a mode's name or its tag's word, in place of a tag in the prompt. `literal`: no tag
    in the prompt counts. `format`: the form of the answer, where the mode has a choice."""

    mode: NotRequired[str]
    literal: NotRequired[bool]
    format: NotRequired[str]


class CodeOptions(RunOptions):
    """Fields of `POST /code` (docs/code.md). `min_confidence` is 0 to 1, `max_attempts` 1 to 5."""

    constraints: NotRequired[Sequence[str]]
    min_confidence: NotRequired[float]
    max_attempts: NotRequired[int]


class OneLanguageOptions(CodeOptions):
    """`code` is the code in question, `tests` are those that the new code has to pass."""

    code: NotRequired[str]
    tests: NotRequired[str]
    language_version: NotRequired[str]
    framework: NotRequired[str]


class QueryOptions(RunOptions):
    """`data_files`: names of files, or `{"name", "head"}` with how their text begins."""

    data_files: NotRequired[Sequence[str | Mapping[str, str]]]


class AskOptions(QueryOptions):
    """`code` is the code that the question is about. `type`: `api`, `explanation`, `data_to_code`,
    `code_to_data` or `enrich`, as well as the types of `plan` and `refine`; without it the
    question's words decide, and there is no plan."""

    code: NotRequired[str]
    type: NotRequired[str]


class JudgeOptions(RunOptions):
    """`tests` are tests that the code has to pass; where they cannot be run, it is not valid."""

    tests: NotRequired[str]
    language: NotRequired[str]


class SearchOptions(TypedDict):
    """`since` is a date or time in ISO 8601, `limit` 1 to 200 records."""

    session: NotRequired[str]
    mode: NotRequired[str]
    since: NotRequired[str]
    limit: NotRequired[int]


@dataclass(frozen=True, slots=True)
class ApiCall(Generic[T]):
    """`is_run`: models work for it, so it takes as long as it takes."""

    method: str
    path: str
    read: Callable[[Any], T]
    body: Json | None = None
    query: Json = field(default_factory=dict)
    is_run: bool = False


def path_of(directory: str, name: str) -> str:
    """The path of what has this name, be it `..` or half a surrogate pair, which nothing is called.
    Raises BadRequest for an empty one, which would be the directory's."""
    if not name:
        raise BadRequest("The id is empty.")
    return f"{directory}/{quote(name, safe='', errors='replace').replace('.', '%2E')}"


def _sendable(value: Any) -> Any:
    """Without half surrogate pairs, which no address can carry."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def _run(path: str, read: Callable[[Any], T], **body: Any) -> ApiCall[T]:
    return ApiCall("POST", path, read, body, is_run=True)


def run(prompt: str, options: Json) -> ApiCall[types.Answer]:
    return _run("/prompt", types.Answer.model_validate, prompt=prompt, details=True, **options)


def test(prompt: str, options: Json) -> ApiCall[types.TestedAnswer]:
    asked = {"prompt": prompt, "mode": "test", "format": "json", "details": True}
    return _run("/prompt", _tested, **asked, **options)


def _tested(value: Json) -> types.TestedAnswer:
    made = types.TestedCode.model_validate_json(value["output"])
    details = types.RunDetails.model_validate(value["details"])
    return types.TestedAnswer(
        output=made.code, details=details, tests=made.tests, rounds=made.rounds
    )


def stream(prompt: str, options: Json) -> ApiCall[types.RunEvent | types.Answer]:
    body = {"prompt": prompt, "details": True, "stream": True, **options}
    return _run("/prompt", _event, **body)


def _event(value: Json) -> types.RunEvent | types.Answer:
    kind = types.Answer if value["event"] == "answer" else types.RunEvent
    return kind.model_validate(value)


def files(prompt: str, options: Json) -> ApiCall[Project]:
    body = {"prompt": prompt, "mode": "files", "format": "json", "details": True, **options}
    return _run("/prompt", _project, **body)


def _project(value: Json) -> Project:
    return Project.model_validate({**json.loads(value["output"]), "details": value["details"]})


def code(
    instruction: str, language: str, request_type: types.RequestType, options: Json
) -> ApiCall[types.CodeGeneration]:
    asked = {"instruction": instruction, "language": language, "request_type": request_type}
    return _run("/code", types.CodeGeneration.model_validate, **asked, **options)


def code_in(
    instruction: str, languages: Sequence[str], options: Json
) -> ApiCall[types.CodeEnvelope]:
    asked = {"instruction": instruction, "languages": [*languages], "request_type": "generate"}
    return _run("/code", types.CodeEnvelope.model_validate, **asked, **options)


def judge(request: str, code: str, options: Json) -> ApiCall[types.Judgement]:
    return _run("/judge", types.Judgement.model_validate, request=request, code=code, **options)


def plan(query: str, options: Json) -> ApiCall[types.FinalResult]:
    return _run("/query", types.FinalResult.from_dict, query=query, type="plan", **options)


def refine(code: str, change: str, options: Json) -> ApiCall[types.CodeRefinementResult]:
    asked = {"query": change, "code": code, "type": "refine"}
    return _run("/query", types.CodeRefinementResult.from_dict, **asked, **options)


def ask(question: str, options: Json) -> ApiCall[QueryResult]:
    return _run("/query", _answer, **{"query": question, "type": "ask", **options})


def _answer(value: Json) -> QueryResult:
    if "improved_explanation" in value:
        return types.ExplanationEnrichmentOutput.from_dict(value)
    if "final_code" in value:
        return types.FinalResult.from_dict(value)
    return _BY_CONTENT[value["content_type"]].from_dict(value)


def run_code(code: str, language: str, stdin: str) -> ApiCall[types.ProgramOutcome]:
    asked = {"code": code, "language": language, "stdin": stdin}
    return _run("/sandbox/run", types.ProgramOutcome.model_validate, **asked)


def runs() -> ApiCall[list[types.RunRow]]:
    return ApiCall("GET", "/runs", _all("runs", types.RunRow.model_validate))


def cancel(run_id: str) -> ApiCall[types.Cancellation]:
    path = path_of("/runs", run_id)
    return ApiCall("DELETE", path, types.Cancellation.model_validate)


def rate(
    run_id: str, rating: Literal["up", "down", "none"], note: str | None
) -> ApiCall[types.Rating]:
    path, body = f"{path_of('/runs', run_id)}/rating", {"rating": rating, "note": note}
    return ApiCall("POST", path, types.Rating.model_validate, body)


def models() -> ApiCall[dict[str, str]]:
    return ApiCall("GET", "/readyz", lambda value: dict(value["models"]))


def record(run_id: str) -> ApiCall[types.Record]:
    return ApiCall("GET", path_of("/history", run_id), types.Record.read)


def records(**query: Any) -> ApiCall[list[types.Record]]:
    given = {name: _sendable(value) for name, value in query.items() if value is not None}
    return ApiCall("GET", "/history", _all("records", types.Record.read), query=given)


def chunk(chunk_id: str) -> ApiCall[types.CitedChunk]:
    path = path_of("/docs/chunks", chunk_id)
    return ApiCall("GET", path, types.CitedChunk.model_validate)


def chunks(words: str, limit: int) -> ApiCall[list[types.CitedChunk]]:
    read = _all("chunks", types.CitedChunk.model_validate)
    return ApiCall("GET", "/docs/chunks", read, query={"q": _sendable(words), "limit": limit})


def _all(name: str, read: Callable[[Any], T]) -> Callable[[Json], list[T]]:
    """Reads each object of the list under this name."""
    return lambda value: [*map(read, value[name])]
