"""Check whether there is documentation for plans and answers."""

from collections.abc import Iterator

from config import Settings
from server.doctor.check_result import CheckResult
from server.runtime.units import counted

SHOWN = 5  # names


def check_documents(settings: Settings) -> Iterator[CheckResult]:
    """None at all is a state that is all right: answers then say that they go without."""
    from retrieval.document_index import DocumentIndex
    from retrieval.errors import DocumentsError, OutdatedError

    facts = {"directory": str(settings.DOCS_DIR)}
    try:
        sources = DocumentIndex(settings.DOCS_DIR).sources()
    except DocumentsError as error:
        old = isinstance(error, OutdatedError)
        fix = "laios docs add" if old else f"Let this user read and write {settings.DOCS_DIR}."
        yield CheckResult("documentation", "warning", str(error), fix, facts)
        return
    if not sources:
        seen = "No documentation is indexed; `laios docs add` indexes packages and folders."
        yield CheckResult("documentation", "ok", seen, "", facts | {"sources": 0, "chunks": 0})
        return
    chunks = sum(source.chunks for source in sources)
    names = ", ".join(source.name for source in sources[:SHOWN])
    more = f" and {len(sources) - SHOWN} more" if len(sources) > SHOWN else ""
    seen = f"Documentation of {names}{more} is indexed: {counted(chunks, 'piece')}."
    yield CheckResult(
        "documentation", "ok", seen, "", facts | {"sources": len(sources), "chunks": chunks}
    )
