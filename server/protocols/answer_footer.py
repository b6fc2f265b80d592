"""The lines below an answer in a chat: what is known to be wrong with it, or not certain."""

from laios.markdown_text import code_span
from pipeline.run import Run
from server.runtime.record_details import details_of_run

_WRONG, _UNCHECKED, _OPEN = "Known to be wrong", "Not checked", "Not certain"
_BEGINNINGS = tuple(f"**{title}:** `" for title in (_WRONG, _UNCHECKED, _OPEN))


def footer_of(run: Run) -> str:
    """A line for what is known to be wrong, one for what could not be checked, one for what nobody
    said; "" where there is none of it."""
    if not run.settings.FRONTEND_WARNINGS:
        return ""
    known = details_of_run(run)
    wrong = [each for each in known.warnings if each not in known.unchecked]
    told = ((_WRONG, wrong), (_UNCHECKED, known.unchecked), (_OPEN, known.open_questions))
    lines = ((title, "; ".join(map(_in_a_line, said))) for title, said in told)
    return "".join(f"\n\n**{title}:** {line}" for title, line in lines if line)


def without_footer(answer: str) -> str:
    """An earlier answer as a client sends it back, without the lines that were ours: a model that
    reads them as its own words writes such lines itself."""
    lines = answer.split("\n")
    end = len(lines)
    while end and (not lines[end - 1].strip() or lines[end - 1].startswith(_BEGINNINGS)):
        end -= 1
    has_footer = any(map(str.strip, lines[end:]))
    return "\n".join(lines[:end]) if has_footer else answer


def _in_a_line(said: str) -> str:
    """What a program raised or gave is in it: no Markdown."""
    return code_span(" ".join(said.split()))
