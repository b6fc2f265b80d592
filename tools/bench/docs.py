"""The documentation index on VTK: `python -m tools.bench.docs --vtk WHEEL_OR_VENV`.

Recall of the search on questions (`docs_queries.jsonl`), invented names that are caught and false
alarms (`docs_snippets.py`), and the time of a question on this index and on one of 10^5 chunks.
`--vtk` is a wheel, or a virtual environment that has VTK; `--download` lets pip fetch the wheel.
"""

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Iterator, Sequence
from pathlib import Path
from unittest import mock

from retrieval.document_index import DocumentIndex
from retrieval.index_retriever import IndexRetriever
from retrieval.sources.chunk import Chunk, ParsedPart, Progress
from retrieval.sources.source import Part, Source
from retrieval.sources.source_lookup import find_source
from tools.bench.docs_snippets import SNIPPETS

QUERIES = Path(__file__).with_name("docs_queries.jsonl")
FIRST = 5
MANY = 100_000


def environment(given: Path | None, *, download: bool) -> Path:
    """A virtual environment that has VTK."""
    if given and (given / "bin" / "python").exists():
        return given
    if not given and not download:
        sys.exit("Say where VTK is: --vtk WHEEL_OR_VENV, or --download to have pip fetch it.")
    place = Path(".cache/bench/vtk")
    if not (place / ".ready").exists():
        venv.create(place, with_pip=True)
        what = str(given) if given else "vtk"
        pip = [str(place / "bin" / "python"), "-m", "pip", "install", "--quiet"]
        subprocess.run([*pip, "--disable-pip-version-check", what], check=True)
        (place / ".ready").touch()
    return place


def build(folder: Path, source: Source) -> float:
    """Seconds to index the source."""
    began = time.perf_counter()
    DocumentIndex(folder).add(source)
    return time.perf_counter() - began


async def recall(documents: IndexRetriever) -> tuple[float, list[str]]:
    """The share of questions whose symbol is among the first chunks, and the other questions."""
    missed = []
    queries = [json.loads(line) for line in QUERIES.read_text("utf-8").splitlines()]
    for asked in queries:
        found = await documents.search(asked["query"], limit=FIRST)
        names = {name for chunk in found for name in _names(chunk)}
        wanted = asked["symbol"]  # or several, any of which answers the question
        if not names.intersection([wanted] if isinstance(wanted, str) else wanted):
            missed.append(f"{asked['query']} → {asked['symbol']}")
    return 1 - len(missed) / len(queries), missed


def _names(chunk: Chunk) -> Iterator[str]:
    """What a chunk is about: its title and the symbols that it documents."""
    for name in (chunk.title.removesuffix(" (continued)"), *chunk.symbols):
        yield name
        yield name.rpartition(".")[2]


async def inventions(documents: IndexRetriever) -> tuple[float, float, list[str]]:
    """The share of programs with an invented name that are caught, the share of right ones that
    are blamed, and what went wrong."""
    wrong, missed, blamed = [], 0, 0
    for program, there, invented in SNIPPETS:
        assert there in program
        if not await documents.unknown_names(program.replace(there, invented)):
            missed += 1
            wrong.append(f"not caught: {invented}")
        found = await documents.unknown_names(program)
        if found:
            blamed += 1
            wrong.append(f"false alarm: {found[0].message}")
    return 1 - missed / len(SNIPPETS), blamed / len(SNIPPETS), wrong


async def times(documents: IndexRetriever) -> tuple[float, float]:
    """Milliseconds of a question: p50 and p95."""
    queries = [json.loads(line)["query"] for line in QUERIES.read_text("utf-8").splitlines()]
    taken = []
    for query in [*queries[:5], *queries, *queries]:
        began = time.perf_counter()
        await documents.search(query)
        taken.append((time.perf_counter() - began) * 1000)
    taken = sorted(taken[5:])
    return statistics.median(taken), taken[int(0.95 * len(taken))]


def grow(folder: Path, wanted: int) -> int:
    """Adds chunks like those that are there until there are as many as wanted; how many there
    are. Their words are mixed anew, so that the index has more of the same and not the same."""
    index = DocumentIndex(folder)
    with index.file.reading() as database:
        assert database is not None
        rows = database.execute("SELECT title, content FROM chunks").fetchall()
    missing = wanted - sum(source.chunks for source in index.sources())

    def readings(
        source: Source, parts: Sequence[Part], progress: Progress | None
    ) -> Iterator[ParsedPart]:
        for number in range(0, missing, 500):
            reading = ParsedPart(f"{number}.md")
            for each in range(number, min(number + 500, missing)):
                title, _ = rows[each % len(rows)]
                _, content = rows[(7 * each + each // len(rows)) % len(rows)]
                chunk = Chunk(f"more_{each}", "API_DOC", f"{title}{each // len(rows)}", content)
                reading.chunks.append(chunk)
            yield reading

    with tempfile.TemporaryDirectory() as name:
        more = Path(name)
        for number in range(0, missing, 500):
            (more / f"{number}.md").touch()
        with mock.patch("retrieval.document_index.read_parts", readings):
            index.add(find_source(name, name="more"))
    return sum(source.chunks for source in index.sources())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vtk", type=Path, help="a wheel of VTK, or a venv that has it")
    parser.add_argument("--download", action="store_true", help="let pip fetch the wheel")
    options = parser.parse_args()
    python = environment(options.vtk, download=options.download)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        seconds = build(folder, find_source("vtk", python=python, imports=True))
        (source,) = DocumentIndex(folder).sources()
        size = sum(file.stat().st_size for file in folder.iterdir()) / 1e6
        print(
            f"VTK {source.version}: {source.chunks:,} chunks, {source.symbols:,} names, "
            f"{size:.0f} MB, read in {seconds:.0f} s ({os.cpu_count()} cores)"
        )
        documents = IndexRetriever(folder)
        share, missed = asyncio.run(recall(documents))
        print(f"recall@{FIRST}: {share:.3f} (target 0.85)")
        for line in missed:
            print(f"  missed: {line}")
        caught, blamed, wrong = asyncio.run(inventions(documents))
        print(
            f"invented names caught: {caught:.3f} (target 0.95); "
            f"false alarms: {blamed:.3f} (target 0.02); {len(SNIPPETS)} programs of each kind"
        )
        for line in wrong:
            print(f"  {line}")
        print("a question: p50 {:.1f} ms, p95 {:.1f} ms".format(*asyncio.run(times(documents))))
        many = grow(folder, MANY)
        print(
            "on {:,} chunks: p50 {:.1f} ms, p95 {:.1f} ms (target 30)".format(
                many, *asyncio.run(times(documents))
            )
        )


if __name__ == "__main__":
    main()
