"""The readers of what agents send, and of what their models call. As in `readers.py`."""

import json
from collections.abc import Callable

from pipeline.agents import write_evidence
from pipeline.agents.agent_task import AgentTask
from pipeline.agents.code_answer import is_code_answer
from pipeline.agents.known_files import KnownFiles, files_of, whole_text
from pipeline.agents.text_edits import TextEdit, edited, patched_files, search_blocks
from pipeline.agents.write_evidence import syntax_of
from pipeline.agents.writing_tools import FileWrite, writes_of
from pipeline.agents.written_calls import written_calls
from pipeline.model import Message
from pipeline.tool_calls import ToolCall
from server.protocols.agent_messages import read_conversation
from server.protocols.agent_request import read_tools

_MOST_MESSAGES = 5000  # more do not fit into a model's window


def of_tools(text: str) -> object:
    """Raises LaiosError."""
    tool = {"type": "function", "function": {"name": text[:64], "description": text}}
    call = {"id": "1", "function": {"name": "f", "arguments": text}}
    talk = [{"role": "user", "content": text}, {"role": "assistant", "tool_calls": [call]}]
    return read_conversation([*talk, {"role": "tool", "content": text}]), read_tools([tool])


def _written_by_calls(text: str) -> object:
    fields = ("content", "old_string", "new_string", "diff", "input", "command")
    arguments = json.dumps({"path": "a.py"} | dict.fromkeys(fields, text))
    names = ("write", "replace_in_file", "apply_patch", "bash")
    files = KnownFiles({"a.py": text})
    return [writes_of(ToolCall("1", name, arguments), files) for name in names]


def _with_files(text: str) -> list[Message]:
    """A conversation in which each line of the text is a file that was written."""
    return [
        _result(ToolCall(str(n), "write", json.dumps({"path": f"{n}/a", "content": line})))
        for n, line in enumerate(text.split("\n")[:_MOST_MESSAGES])
    ]


def _result(call: ToolCall) -> Message:
    return {"role": "tool", "content": "ok", "result_of": call}


def _names_of_file(text: str) -> list[str]:
    return list(write_evidence._names(AgentTask(text), FileWrite("a.py", text, text, None)))


AGENT_READERS: dict[str, Callable[[str], object]] = {
    "a conversation with files": lambda text: files_of(_with_files(text)),
    "files that a shell has written": lambda text: files_of(
        [_result(ToolCall("1", "bash", json.dumps({"command": text})))]
    ),
    "files that calls write": _written_by_calls,
    "files that a tool has read": whole_text,
    "a patch of an agent": lambda text: [*patched_files(text, {"a.py": text})],
    "blocks of an agent": search_blocks,
    "an edit of an agent": lambda text: edited(
        text, [TextEdit(text[:1], text, everywhere=True)] * 2
    ),
    "JavaScript that a call writes": lambda text: syntax_of("javascript", text),
    "names that a call's file brings": _names_of_file,
    "TOML that a call writes": lambda text: syntax_of("toml", text),
    "code or a word about it": is_code_answer,
    "calls written as text": lambda text: written_calls(text, ("read",)),
}
