"""Programs that make objects of another one, in the same language, and call their methods: the
driver that stands beside it runs the session whose number is its only argument. Pure."""

from collections.abc import Callable, Mapping, Sequence

from pipeline.analysis.signatures.signature import ObjectType
from pipeline.sandbox import Case
from pipeline.testcases.c_driver import c_sessions, c_shows
from pipeline.testcases.cpp_driver import cpp_sessions, cpp_shows
from pipeline.testcases.driver_parts import NoDriver
from pipeline.testcases.go_driver import go_sessions, go_shows
from pipeline.testcases.java_driver import java_sessions, java_shows
from pipeline.testcases.object_calls import read_session
from pipeline.testcases.object_slots import Session, session_with
from pipeline.testcases.rust_driver import rust_sessions, rust_shows
from pipeline.testcases.typescript_driver import typescript_sessions, typescript_shows


def object_driver(language: str, kind: ObjectType, cases: Sequence[Case]) -> str:
    """Its source. What a call that is asked something gives stands between the marks of RESULT; of
    sessions in which nothing is asked what the methods print counts. Raises NoDriver."""
    try:
        sessions = [session_with(language, kind, read_session(case.session)) for case in cases]
        return _WRITERS[language](sessions)
    except (ValueError, TypeError, AttributeError, KeyError):
        raise NoDriver("what its objects give cannot be shown") from None


def shows(language: str, result: str) -> bool:
    """Whether what is of this type, or these types, can be shown."""
    return result not in ("", "()", "void") and _SHOWS[language](result)


_WRITERS: Mapping[str, Callable[[Sequence[Session]], str]] = {
    "c": c_sessions,
    "cpp": cpp_sessions,
    "go": go_sessions,
    "java": java_sessions,
    "rust": rust_sessions,
    "typescript": typescript_sessions,
}
_SHOWS: Mapping[str, Callable[[str], bool]] = {
    "c": c_shows,
    "cpp": cpp_shows,
    "go": go_shows,
    "java": java_shows,
    "rust": rust_shows,
    "typescript": typescript_shows,
}
