"""Where the indexed libraries are installed."""

import sqlite3
from collections.abc import Collection
from pathlib import Path


def environment_of(database: sqlite3.Connection, modules: Collection[str]) -> Path | None:
    """The virtual environment whose Python the sources of all of these modules were read with."""
    query = (
        "SELECT python FROM sources JOIN parts ON source = sources.id"
        " WHERE path = ? AND kind != 'folder'"
    )
    pythons = [{python for (python,) in database.execute(query, (each,))} for each in modules]
    for python in sorted(set.intersection(*pythons)) if pythons else ():
        place = Path(python).parent.parent
        if (place / "pyvenv.cfg").is_file() and (place / "bin" / "python").exists():
            return place
    return None
