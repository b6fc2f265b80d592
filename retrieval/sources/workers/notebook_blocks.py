"""A Jupyter notebook → blocks."""

import json
import re
from collections.abc import Iterator
from typing import Any

from retrieval.sources.block import Block
from retrieval.sources.workers.code_blocks import code_block
from retrieval.sources.workers.markdown_blocks import markdown_blocks

MAX_CELLS = 5_000

_MAGIC = re.compile(r"^\s*[%!?].*\n?", re.MULTILINE)


def notebook_blocks(text: str) -> Iterator[Block]:
    """Its cells in their order; what they printed is left out. ValueError where it is none."""
    try:
        notebook = json.loads(text)
    except RecursionError:
        raise ValueError("no notebook: it is nested too deeply") from None
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list):
        raise ValueError("no notebook of format 4: it has no list of cells")
    for cell in cells[:MAX_CELLS]:
        if isinstance(cell, dict):
            source = _source(cell.get("source"))
            if cell.get("cell_type") == "markdown":
                yield from markdown_blocks(source)
            elif cell.get("cell_type") == "code":
                yield from code_block(_MAGIC.sub("", source), "python")


def _source(source: Any) -> str:
    lines = source if isinstance(source, list) else [source]
    return "".join(line for line in lines if isinstance(line, str))
