"""`laios docs`: manage and search the index of documentation, which `///plan`, `///refine` and
`///ask` use."""

import asyncio
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from server.commands.completion import documented
from server.terminal.console import (
    INTERRUPTED,
    RUN_FAILED,
    USAGE,
    one_line,
    progress_bar,
    refuse,
    say,
    settings_or_exit,
    tell,
)
from server.terminal.output import print_json, print_table, print_text

if TYPE_CHECKING:
    from config import Settings
    from retrieval.document_index import Change, DocumentIndex, Indexed
    from retrieval.sources.chunk import Chunk

app = typer.Typer(
    help="Index documentation of libraries, for ///plan, ///refine and ///ask.",
    no_args_is_help=True,
)

AS_JSON = typer.Option(False, "--json", help="Print JSON.")
PROBLEMS_SHOWN = 5
WIDTH = 100  # characters of a line that a search shows
EMPTY = "Nothing is indexed yet. Start with a library that you use: laios docs add NAME"


@app.command()
def add(
    targets: list[str] = typer.Argument(
        metavar="PACKAGE|PATH", help="Installed packages (numpy), folders or files (./docs)."
    ),
    name: str = typer.Option("", "--name", help="What the source is called in the index."),
    python: Path | None = typer.Option(
        None, "--python", help="The interpreter or virtual environment that has the packages."
    ),
    imports: bool = typer.Option(
        False,
        "--import",
        help="Import compiled packages, which runs their code as you. Without it, files are only "
        "read as text.",
    ),
    as_json: bool = AS_JSON,
) -> None:
    """Index documentation, or update it: what has not changed is not read again.

    Nothing is downloaded.
    """
    if name and len(targets) > 1:
        refuse("bad_request", "--name is for one target.", USAGE, as_json=as_json)
    settings = settings_or_exit(as_json=as_json)
    from retrieval.document_index import DocumentIndex
    from retrieval.sources.source_lookup import find_source

    index = DocumentIndex(settings.DOCS_DIR)
    changes = []
    with _explained(as_json):
        sources = [
            find_source(target, python=python, name=name, imports=imports) for target in targets
        ]
        sources += _again(index, {source.name for source in sources})
        for source in sources:
            with progress_bar(f"reading {source.name}") as progress:
                changes.append(index.add(source, progress))
        vectors = _embed(settings, index)
    if as_json:
        print_json({"sources": [asdict(change) for change in changes], "vectors": vectors})
        return
    for change in changes:
        _tell(index, change)
    if vectors:
        say(f"{vectors} pieces got a vector, for a search by meaning as well.")


def _again(index: "DocumentIndex", named: set[str]) -> list[Any]:
    """An index that cannot be used is made anew, with the sources that were in it."""
    from retrieval.sources.source import SourceError
    from retrieval.sources.source_lookup import find_source

    found = []
    for name, target, python in index.renew():
        if name in named:
            continue
        try:
            found.append(find_source(target, python=Path(python) if python else None, name=name))
        except SourceError as error:
            say(f"{name} is left out of the new index: {error}")
    return found


def _embed(settings: "Settings", index: "DocumentIndex") -> int:
    """Makes the vectors that are missing, where there is a model for it; how many."""
    from pipeline.models.registry import Registry
    from retrieval.embeddings import embed_chunks
    from server.runtime.async_closing import async_closing

    async def work() -> int:
        async with async_closing(Registry(settings)) as models:
            with progress_bar("vectors") as progress:
                return await embed_chunks(index.file, models.embed, progress)

    return asyncio.run(work())


def _tell(index: "DocumentIndex", change: "Change") -> None:
    from server.runtime.units import counted

    (now,) = (each for each in index.sources() if each.name == change.name)
    parts = ", ".join(
        f"{count} {word}"
        for word in ("added", "changed", "removed", "unchanged", "skipped", "left")
        if (count := getattr(change, word))
    )
    sizes = f"{counted(now.chunks, 'piece')}, {counted(now.symbols, 'name')}"
    tell(f"{change.name}: {parts or 'nothing to read'} ({sizes})")
    for path, problems in list(change.problems.items())[:PROBLEMS_SHOWN]:
        say(f"  {path}: {problems[0]}")
    more = len(change.problems) - PROBLEMS_SHOWN
    if more > 0:
        say(f"  … and problems with {more} more")
    if change.left:
        say("  Run the same command again to read the rest.")


@app.command("list")
def list_sources(as_json: bool = AS_JSON) -> None:
    """Show what is indexed."""
    settings = settings_or_exit(as_json=as_json)
    from retrieval.document_index import DocumentIndex

    with _explained(as_json):
        sources = DocumentIndex(settings.DOCS_DIR).sources()
    if as_json:
        print_json([asdict(source) for source in sources])
    elif not sources:
        say(EMPTY)
    else:
        print_table(("source", "kind", "version", "pieces", "names", "from"), map(_row, sources))


def _row(source: "Indexed") -> tuple[str, ...]:
    sizes = f"{source.chunks:,}", f"{source.symbols:,}"
    return source.name, source.kind, source.version or "-", *sizes, source.target


@app.command()
def remove(
    name: str = typer.Argument(
        metavar="NAME",
        help="A source, as `laios docs list` shows it.",
        autocompletion=documented,
    ),
    as_json: bool = AS_JSON,
) -> None:
    """Remove a source from the index."""
    settings = settings_or_exit(as_json=as_json)
    from pipeline.unicode_text import without_surrogates
    from retrieval.document_index import DocumentIndex

    name = without_surrogates(name)
    with _explained(as_json):
        index = DocumentIndex(settings.DOCS_DIR)
        if not index.remove(name):
            known = ", ".join(each.name for each in index.sources()) or "none"
            message = f"There is no source {name!r}. Indexed: {known}."
            refuse("not_found", message, RUN_FAILED, as_json=as_json)
    if as_json:
        print_json({"removed": name})
    else:
        say(f"{name} was removed from the index.")


@app.command()
def search(
    words: list[str] = typer.Argument(metavar="QUESTION", help="A question, or names."),
    limit: int = typer.Option(5, "--limit", "-n", min=1, max=50, help="Pieces to show."),
    as_json: bool = AS_JSON,
) -> None:
    """Show which pieces a model would be given for a question.

    Exit status 1 if nothing is found.
    """
    settings = settings_or_exit(as_json=as_json)
    from retrieval.document_index import DocumentIndex

    with _explained(as_json):
        found = asyncio.run(_search(settings, " ".join(words), limit))
    if as_json:
        print_json([asdict(chunk) for chunk in found])
    elif not found:
        is_empty = not DocumentIndex(settings.DOCS_DIR).sources()
        say(EMPTY if is_empty else "Nothing matches. `laios docs list` shows what is indexed.")
    else:
        for number, chunk in enumerate(found, start=1):
            _show(number, chunk)
        say("The whole of one, by the id at the end of its first line: laios docs show ID")
    if not found:
        raise typer.Exit(RUN_FAILED)


@app.command()
def show(
    id: str = typer.Argument(
        metavar="ID", help="The `chunk_id` of a citation, as `search` shows it too."
    ),
    as_json: bool = AS_JSON,
) -> None:
    """Print the piece of documentation that a citation names."""
    settings = settings_or_exit(as_json=as_json)
    from pipeline.unicode_text import without_surrogates
    from retrieval.index_retriever import IndexRetriever

    id = without_surrogates(id)
    with _explained(as_json):
        chunk = asyncio.run(IndexRetriever(settings.DOCS_DIR).chunk(id))
    if chunk is None:
        message = f"There is no {id[:100]!r} in the index. `laios docs search` finds others."
        refuse("not_found", message, RUN_FAILED, as_json=as_json)
    if as_json:
        print_json(asdict(chunk))
        return
    say(f"{chunk.title}  ({chunk.content_type}, {one_line(f'{chunk.source} {chunk.path}', 80)})")
    print_text(chunk.content)


async def _search(settings: "Settings", query: str, limit: int) -> "list[Chunk]":
    from pipeline.models.registry import Registry
    from retrieval.index_retriever import IndexRetriever
    from server.runtime.async_closing import async_closing

    async with async_closing(Registry(settings)) as models:
        retriever = IndexRetriever(settings.DOCS_DIR, models.embed)
        return await retriever.search(query, limit=limit, by_chance=True)


def _show(number: int, chunk: "Chunk") -> None:
    typer.secho(f"[{number}] {one_line(chunk.title, 80)}", bold=True, nl=False)
    place = one_line(f"{chunk.source} {chunk.path}", 80)
    typer.secho(f"  {chunk.content_type}  {place}  {one_line(chunk.id, 100)}", dim=True)
    lines = [line for line in chunk.content.splitlines() if line.strip()][:4]
    tell(textwrap.indent("\n".join(map(_cut, lines)), "    "))


def _cut(line: str) -> str:
    """The line; a long one ends with a word that is whole, if it has any, and a mark."""
    if len(line) <= WIDTH:
        return line
    words = line[:WIDTH].rpartition(" ")[0].rstrip()
    return (words or line[: WIDTH - 1]) + "…"


@contextmanager
def _explained(as_json: bool) -> Iterator[None]:
    from retrieval.errors import DocumentsError, NameTakenError
    from retrieval.sources.source import SourceError

    try:
        yield
    except SourceError as error:
        refuse("not_found", str(error), USAGE, as_json=as_json)
    except NameTakenError as error:
        refuse("bad_request", str(error), USAGE, as_json=as_json)
    except DocumentsError as error:
        refuse("internal", str(error), RUN_FAILED, as_json=as_json)
    except KeyboardInterrupt:
        say("Stopped. The same command continues from here.")
        raise typer.Exit(INTERRUPTED) from None
