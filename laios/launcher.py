"""Start the command line and the processes that laios starts itself.

The packages of laios have plain names (config, pipeline, server), which are other people's names
too. So they stand on nobody's import path: each of these processes puts them first on its own.
Run as a file, this one calls `main` of a module: `python -P launcher.py MODULE [ARGUMENT…]`.
"""

import os
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))
_INSTALLED = os.path.join(_HERE, "_app")


def main() -> None:
    """The command line of laios."""
    try:
        _call_main("server.commands.cli")
    except KeyboardInterrupt:  # before the commands are there to take it
        sys.exit(130)


def command(module: str, *arguments: str) -> list[str]:
    """The words that start a process which calls `main` of a module of ours."""
    return [sys.executable, "-P", __file__, module, *arguments]


def packages_directory() -> str:
    """Where our packages stand: inside of an installed `laios`, else beside it."""
    return _INSTALLED if os.path.isdir(_INSTALLED) else os.path.dirname(_HERE)


def _call_main(module: str) -> None:
    put_ours_first()
    import importlib  # only now: before, it could be anybody's

    importlib.import_module(module).main()


def put_ours_first() -> None:
    """Ours, then the standard library and the installed packages, and last what Python puts first:
    the directory of the command, and PYTHONPATH. A `json.py` in there is not meant for laios."""
    library = os.path.dirname(os.__file__)
    start = sys.path.index(library) if library in sys.path else 0
    sys.path[:] = [packages_directory(), *sys.path[start:], *sys.path[:start]]


if __name__ == "__main__":
    del sys.argv[0]
    _call_main(sys.argv[0])
