"""The answers of `POST /query` as text for people. Pure, and it leaves out what is empty."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from laios.markdown_text import fenced

Answer = Mapping[str, Any]


def answer_text(answer: Answer) -> str:
    """An answer of any kind but a plan: its text with the marks `[N]`, and its sources below."""
    return "\n\n".join(filter(None, (*_parts(answer), sources_text(answer))))


def plan_text(result: Answer) -> str:
    """What was planned, each step with its citations and what it does; the sources below."""
    chunks: dict[int, str] = {}
    for step in result["steps"]:
        chunks |= dict(zip(step["citations"], step["chunks_used"], strict=True))
    cited = [{"number": number, "title": chunks[number]} for number in sorted(chunks)]
    parts = (result["explanation"]["formatted"], sources_text({"citations": cited}))
    return "\n\n".join(filter(None, parts))


def refined_text(result: Answer) -> str:
    """What was changed and why, and the sources."""
    lines = [
        f"{each['step_number']}. {each['modification']}: {each['explanation']}"
        for each in result["modifications"]
    ]
    return "\n\n".join(filter(None, ("\n".join(lines), sources_text(result))))


def sources_text(answer: Answer) -> str:
    """The list that the marks in an answer lead to; "" without citations."""
    rows = [_source(each) for each in answer.get("citations") or ()]
    return "\n".join(["Sources:", *rows]) if rows else ""


def _source(citation: Answer) -> str:
    name = citation.get("title") or citation.get("chunk_id") or ""
    said = dict.fromkeys(filter(None, (name, citation.get("reason"))))
    return f"[{citation['number']}] {': '.join(said)}"


def _parts(answer: Answer) -> Iterator[str]:
    """In the order in which they are read, whichever of them the answer has."""
    yield answer.get("data_analysis") or ""
    yield answer.get("improved_explanation") or answer.get("explanation") or ""
    yield _bulleted("Key points", answer.get("key_points"))
    yield _defined("Key concepts", answer.get("key_concepts"), "concept", "description")
    yield _defined("Names", _explained(answer), "name", "purpose")
    yield _fenced("Example", answer.get("usage_example"))
    yield _defined("Parameters", _parameters(answer), "name", "description")
    yield _line("Returns", answer.get("return_value"))
    yield _fenced("Code", answer.get("code"))
    yield _bulleted("Examples", answer.get("examples"))
    yield _bulleted("Techniques", answer.get("suggested_techniques"))
    yield _bulleted("Other ways", [_way(way) for way in answer.get("alternative_approaches") or ()])
    yield _line("What the code needs", answer.get("code_requirements"))
    yield _bulleted("Data files", [_file(file) for file in answer.get("data_files") or ()])
    yield _line("See also", ", ".join(_related(answer)))


def _explained(answer: Answer) -> Any:
    return answer.get("symbols_explained") or answer.get("vtk_classes_explained")


def _parameters(answer: Answer) -> list[Answer]:
    return [
        each | {"name": f"{each['name']} ({each['type']})"} if each.get("type") else each
        for each in answer.get("parameters") or ()
    ]


def _related(answer: Answer) -> Iterable[str]:
    return [*(answer.get("related_methods") or ()), *(answer.get("related_concepts") or ())]


def _way(way: Answer) -> str:
    title = (
        f"{way['technique']} ({way['complexity']})" if way.get("complexity") else way["technique"]
    )
    return ": ".join(filter(None, (title, way.get("description"))))


def _file(file: Answer) -> str:
    facts = ", ".join(filter(None, (file.get("file_type"), file.get("file_size"))))
    name = f"{file['filename']} ({facts})" if facts else file["filename"]
    said = ": ".join(filter(None, (name, file.get("description"))))
    return "\n  ".join(filter(None, (said, file.get("download_url"))))


def _line(title: str, text: str | None) -> str:
    return f"{title}: {text}" if text else ""


def _bulleted(title: str, items: Iterable[str] | None) -> str:
    rows = [f"- {item}" for item in items or ()]
    return "\n".join([f"{title}:", *rows]) if rows else ""


def _defined(title: str, items: Iterable[Answer] | None, name: str, said: str) -> str:
    pairs = ((each.get(name), each.get(said)) for each in items or ())
    return _bulleted(title, (": ".join(filter(None, pair)) for pair in pairs))


def _fenced(title: str, code: str | None) -> str:
    return f"{title}:\n{fenced(code.strip(chr(10)), 'python')}" if code and code.strip() else ""
