"""Where the indexed libraries are installed."""

import sqlite3
from collections.abc import Collection
from pathlib import Path


def environment_of(database: sqlite3.Connection, modules: Collection[str]) -> Path | None:
    """The virtual environment whose Python the sources of all of these modules were read with."""
    fits: set[str] | None = None
    for module in modules:
        rows = database.execute(
            "SELECT DISTINCT python FROM sources JOIN parts ON source = sources.id"
            " WHERE path = ? AND kind != 'folder'",
            (module,),
        )
        pythons = {python for (python,) in rows}
        fits = pythons if fits is None else fits & pythons
    for python in sorted(fits or ()):
        place = Path(python).parent.parent
        if (place / "pyvenv.cfg").is_file() and (place / "bin" / "python").exists():
            return place
    return None
