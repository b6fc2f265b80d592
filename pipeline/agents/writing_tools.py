"""What a call of an agent's tool writes: the clients' tools, told by name and by schema. Pure.

The schema says most: a path and a content is a whole file, a path with an old and a new text is an
edit, whatever the tool's name. Names tell where a schema says too little.
Which tools the clients have stands in the README.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal

from pipeline.agents.shell_files import here_documents, written_files
from pipeline.agents.text_edits import TextEdit, edited, patched_files, search_blocks
from pipeline.tool_calls import Tool, ToolCall

Kind = Literal["whole", "edit", "edits", "blocks", "patch", "shell"]

PATH = ("filePath", "file_path", "filepath", "path", "target_file", "pathInProject")
CONTENT = ("content", "contents", "file_text")
OLD = ("oldString", "old_string", "old_str", "old_text", "oldText")
NEW = ("newString", "new_string", "new_str", "new_text", "newText")
EVERYWHERE = ("replaceAll", "replace_all")
EDITS = ("edits", "replacements")
PATCH = ("patchText", "patch", "input")
COMMAND = ("command", "cmd")
PATCHES = {"patch", "applypatch"}
BLOCKS = {"replaceinfile"}
CREATES = {"createnewfile"}  # whose content may be a `text`, which is anything elsewhere
TEXT = ("text",)
MOST_WRITES = 100  # files of one call: each is looked for in the conversation, and checked
SHELLS = {
    *("bash", "shell", "terminal", "shellcommand", "execcommand", "executecommand"),
    *("runcommand", "runterminalcommand", "runinterminal", "localshell", "executeterminalcommand"),
}


@dataclass(frozen=True, slots=True)
class FileWrite:
    """A file as a call would leave it. `text` is None where that is not known: then `written` is
    all there is. `before` is what the conversation holds of it."""

    path: str
    written: str
    text: str | None
    before: str | None


def short_name(name: str) -> str:
    """A tool's name without its server's, in lower case and without marks: `mcp__fs__write_file` is
    `writefile`."""
    return re.sub(r"[^a-z0-9]", "", re.split(r"__|[.:/]", name)[-1].lower())


def kind_of(name: str, fields: Collection[str]) -> Kind | None:
    """How a tool with these fields writes, None where it does not."""
    short, there = short_name(name), set(fields)
    if short in SHELLS and there & {*COMMAND}:
        return "shell"
    if short in PATCHES and there & {*PATCH}:
        return "patch"
    if not there & {*PATH}:
        return None
    if short in BLOCKS and "diff" in there:
        return "blocks"
    if there & {*OLD} and there & {*NEW}:
        return "edit"
    if there & {*EDITS}:
        return "edits"
    content = (*CONTENT, *TEXT) if short in CREATES else CONTENT
    return "whole" if there & {*content} else None


def can_write(tool: Tool) -> bool:
    """Whether files can be changed by it."""
    properties = tool.parameters.get("properties")
    return kind_of(tool.name, properties if isinstance(properties, Mapping) else ()) is not None


def writes_of(call: ToolCall, files: Mapping[str, str]) -> list[FileWrite]:
    """The files that a call writes, the first MOST_WRITES of them; `files` are those that the
    conversation holds, by any of their names. A shell command counts with what it writes from
    here-documents."""
    values = call.values() or {}
    match kind_of(call.name, values):
        case "shell":
            return list(islice(_of_shell(command_of(values), files), MOST_WRITES))
        case "patch":
            return list(islice(_of_patch(_text(values, PATCH), files), MOST_WRITES))
        case None:
            return []
        case kind:
            return list(_of_file(kind, values, files))


def _of_file(
    kind: Kind, values: Mapping[str, Any], files: Mapping[str, str]
) -> Iterator[FileWrite]:
    path = _text(values, PATH)
    before = files.get(path)
    if kind == "whole":
        content = _text(values, (*CONTENT, *TEXT))
        yield FileWrite(path, content, content, before)
        return
    edits = list(_edits(kind, values))
    written = "\n".join(edit.new for edit in edits)
    yield FileWrite(path, written, None if before is None else edited(before, edits), before)


def _edits(kind: Kind, values: Mapping[str, Any]) -> Iterator[TextEdit]:
    if kind == "blocks":
        yield from search_blocks(_text(values, ("diff",)))
    elif kind == "edit":
        yield _edit(values)
    else:
        given = next((values[name] for name in EDITS if name in values), None)
        many = given if isinstance(given, list) else []
        yield from (_edit(each) for each in many if isinstance(each, Mapping))


def _edit(values: Mapping[str, Any]) -> TextEdit:
    everywhere = any(values.get(name) is True for name in EVERYWHERE)
    return TextEdit(_text(values, OLD), _text(values, NEW), everywhere)


def _of_patch(patch: str, files: Mapping[str, str]) -> Iterator[FileWrite]:
    for path, text in patched_files(patch, files):
        yield FileWrite(path, patch if text is None else text, text, files.get(path))


def _of_shell(command: str, files: Mapping[str, str]) -> Iterator[FileWrite]:
    for path, text in written_files(command):
        yield FileWrite(path, text, text, files.get(path))
    for document in here_documents(command):
        if "apply_patch" in document.command:
            yield from _of_patch(document.text, files)


def command_of(values: Mapping[str, Any]) -> str:
    """A shell tool's command; of a list (`["bash", "-lc", "…"]`) its last word."""
    given = next((values[name] for name in COMMAND if name in values), None)
    if isinstance(given, list) and given:
        given = given[-1]
    return given if isinstance(given, str) else ""


def path_of(values: Mapping[str, Any]) -> str:
    return _text(values, PATH)


def _text(values: Mapping[str, Any], names: Collection[str]) -> str:
    found = next((values[name] for name in names if name in values), None)
    return found if isinstance(found, str) else ""
