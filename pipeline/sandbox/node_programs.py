"""What Node is given of a program: TypeScript without its types, under a name that says whether it
is a module."""

import asyncio
import re

# Only a module may import, export and wait outside of functions.
_EXCHANGES = r"^[^\S\n]*(?:import\b(?!\s*\()|export\b"
_WAITS = r"|(?:(?:const|let|var)\b[^=\n]*=\s*)?await\b"
IS_MODULE = re.compile(rf"{_EXCHANGES}{_WAITS})", re.MULTILINE)
_HAS_STATEMENTS = re.compile(rf"{_EXCHANGES})", re.MULTILINE)
_IS_COMMON = re.compile(r"\brequire\s*\(|\bmodule\.exports\b|^exports\.", re.MULTILINE)


class NotRunnable(Exception):
    """TypeScript whose types cannot be taken out."""


def node_file(program: str) -> str:
    """A name by which Node reads the program as a module or, where it knows no better, as a script:
    what waits at the beginning of a line may do so within a function."""
    is_common = _IS_COMMON.search(program) and not _HAS_STATEMENTS.search(program)
    return "program.mjs" if IS_MODULE.search(program) and not is_common else "program.js"


async def javascript_of(program: str) -> str:
    """Of TypeScript, on the same lines. Raises NotRunnable, which says why not."""
    # They need a process of their own, which nothing else does that is run here.
    from pipeline.analysis.grammar import syntax_error
    from pipeline.analysis.syntax_process import Unread
    from pipeline.analysis.type_erasure import NotErasable, without_types

    try:
        return await asyncio.to_thread(without_types, program)
    except Unread:
        raise NotRunnable("it takes too long to parse") from None
    except NotErasable:
        error = await asyncio.to_thread(syntax_error, "typescript", program)
        raise NotRunnable(error or "it has namespaces or decorators") from None
