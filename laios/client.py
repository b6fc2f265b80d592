"""The client of a running daemon, for plain Python programs."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Literal, Self, TypeVar, Unpack

import httpx

from laios import api_call, types
from laios.api_call import ApiCall
from laios.generated_project import Project
from laios.heard_events import events_of
from laios.transport import Transport, answer_of, fault_of, refuse_strangers

T = TypeVar("T")


class Client(Transport):
    """The daemon's API as methods; used with `with`, or closed by `close`. It may be shared by
    threads.

    Every method raises LaiosError, whose kinds stand in `laios.errors`: DaemonUnreachable,
    InvalidSettings, Busy, ModelError, TimedOut and so on; each has a `code`, and a message that
    says what to do. Keyword arguments are those of the API, in `laios.api_call`.
    """

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections; of a local client, also ends its process."""
        if "_http" in self.__dict__:
            self._http.close()
        self._end()

    # --- runs ----------------------------------------------------------------------------------

    def run(self, prompt: str, **options: Unpack[api_call.PromptOptions]) -> types.Answer:
        """Runs a prompt, with its `///` tags: the code, and what is known of it."""
        return self._send(api_call.run(prompt, options))

    def test(self, prompt: str, **options: Unpack[api_call.LimitedOptions]) -> types.TestedAnswer:
        """The same with tests first (`///test`), and the tests; `passed` says whether they hold."""
        return self._send(api_call.test(prompt, options))

    def stream(
        self, prompt: str, **options: Unpack[api_call.PromptOptions]
    ) -> Iterator[types.RunEvent | types.Answer]:
        """Stages and the models' text as they come; the Answer is the last item. Who stops reading
        cancels the run."""
        call = api_call.stream(prompt, options)
        try:
            with self._http.stream(**self._request(call)) as response:
                refuse_strangers(response)
                if response.is_error:
                    response.read()
                    answer_of(call, response)
                for event in events_of(response, self._timeout_s).iter_sse():
                    value = event.json()
                    if event.event == "error":
                        raise fault_of(value, response)
                    yield call.read(value)
        except httpx.HTTPError as error:
            raise self._fault(error, call) from None

    def files(self, prompt: str, **options: Unpack[api_call.LimitedOptions]) -> Project:
        """A small project (`///files`): its files, dependencies, set-up and findings."""
        return self._send(api_call.files(prompt, options))

    def code(
        self,
        instruction: str,
        *,
        language: str = "python",
        request_type: types.RequestType = "generate",
        **options: Unpack[api_call.OneLanguageOptions],
    ) -> types.CodeGeneration:
        """Code generation; confidence (0 to 1), warnings and tests come with it."""
        return self._send(api_call.code(instruction, language, request_type, options))

    def code_in(
        self,
        instruction: str,
        languages: Sequence[str],
        **options: Unpack[api_call.CodeOptions],
    ) -> types.CodeEnvelope:
        """The same in several languages: the answer for each, and the best one's language."""
        return self._send(api_call.code_in(instruction, languages, options))

    def judge(
        self, request: str, code: str, **options: Unpack[api_call.JudgeOptions]
    ) -> types.Judgement:
        """Whether code does what the request says: scores (1 to 10), issues, evidence."""
        return self._send(api_call.judge(request, code, options))

    def plan(self, query: str, **options: Unpack[api_call.QueryOptions]) -> types.FinalResult:
        """A program in steps, each with its documentation."""
        return self._send(api_call.plan(query, options))

    def refine(
        self, code: str, change: str, **options: Unpack[api_call.RunOptions]
    ) -> types.CodeRefinementResult:
        """Given code, changed no further than asked, with the difference."""
        return self._send(api_call.refine(code, change, options))

    def ask(self, question: str, **options: Unpack[api_call.AskOptions]) -> api_call.QueryResult:
        """An answer about an API, a concept, data or code, with its sources."""
        return self._send(api_call.ask(question, options))

    def run_code(
        self, code: str, language: str = "python", stdin: str = ""
    ) -> types.ProgramOutcome:
        """Runs a program in the sandbox; no model is asked. One that cannot be built has `ended` as
        `compile_error`. Raises SandboxUnavailable where that is not safe here, or where the
        language's interpreter or compiler is missing."""
        return self._send(api_call.run_code(code, language, stdin))

    # --- the daemon ----------------------------------------------------------------------------

    def runs(self) -> list[types.RunRow]:
        """Running and queued runs, oldest first."""
        return self._send(api_call.runs())

    def cancel(self, run_id: str) -> types.Cancellation:
        """Cancels a run, and returns when it is on record. Raises NotFound for one that is over."""
        return self._send(api_call.cancel(run_id))

    def rate(
        self, run_id: str, rating: Literal["up", "down", "none"], note: str | None = None
    ) -> types.Rating:
        """Says whether a run's answer was good, for later filters and exports; `none` takes it
        back. Raises NotFound for a run that is not on record."""
        return self._send(api_call.rate(run_id, rating, note))

    def models(self) -> dict[str, str]:
        """The model that plays each role: coder, judge, reviewer."""
        return self._send(api_call.models())

    @cached_property
    def history(self) -> "History":
        """The runs on record."""
        return History(self)

    @cached_property
    def docs(self) -> "Documentation":
        """The index of documentation."""
        return Documentation(self)

    # --- calls ---------------------------------------------------------------------------------

    @cached_property
    def _http(self) -> httpx.Client:
        return httpx.Client(**self._connection().http_options)

    def _send(self, call: ApiCall[T]) -> T:
        try:
            return answer_of(call, self._http.request(**self._request(call)))
        except httpx.HTTPError as error:
            raise self._fault(error, call) from None


class History:
    """What is kept of the runs, newest first."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def get(self, run_id: str) -> types.Record:
        """Raises NotFound."""
        return self._client._send(api_call.record(run_id))

    def search(
        self, words: str | None = None, **filters: Unpack[api_call.SearchOptions]
    ) -> list[types.Record]:
        """Runs with all of these words, or a "phrase", in their texts, or that fit a filter of the
        dashboard's (`rating:up`); 20 at most unless `limit` says otherwise."""
        return self._client._send(api_call.records(q=words, **filters))

    def iterate(self, page: int = 50) -> Iterator[types.Record]:
        """All runs, fetched `page` (1 to 200) at a time."""
        before: str | None = None
        while found := self._client._send(api_call.records(before=before, limit=page)):
            yield from found
            before = found[-1].id


class Documentation:
    """What `laios docs add` took in."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def get(self, chunk_id: str) -> types.CitedChunk:
        """A piece by the id that citations name. Raises NotFound."""
        return self._client._send(api_call.chunk(chunk_id))

    def search(self, words: str, limit: int = 5) -> list[types.CitedChunk]:
        """What a model would be offered for a question, the best first; 50 at most."""
        return self._client._send(api_call.chunks(words, limit))
