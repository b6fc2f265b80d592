"""Which paths a file of a project may have: those that lead into its directory on every system."""

import unicodedata
from collections.abc import Iterable
from pathlib import PurePosixPath

MAX_PATH = 200  # characters
MAX_NAME_BYTES = 200  # of a component, in UTF-8; most file systems take 255

_FORBIDDEN = set('<>:"|?*\\`')  # Windows' own, separators, and what ends a Markdown heading's code
_DEVICES = {"con", "prn", "aux", "nul", "conin$", "conout$", "clock$"}
_DEVICES |= {f"{port}{n}" for port in ("com", "lpt") for n in "0123456789¹²³"}
_REPOSITORIES = {".git", ".hg", ".svn", ".bzr", "_darcs"}  # what is written there is run by a tool
# Names that a program obeys by itself: hidden ones (of shells, editors, keys, what a server runs
# after a push) but for those that only describe a project, and these.
_HARMLESS = {".gitignore", ".gitattributes", ".gitkeep", ".editorconfig", ".dockerignore"}
_HARMLESS |= {".npmignore", ".prettierignore", ".env.example", ".python-version", ".nvmrc"}
_OBEYED = {"sitecustomize.py", "usercustomize.py", "autorun.inf", "desktop.ini", "jenkinsfile"}
_OBEYED |= {f"{name}.yml" for name in ("azure-pipelines", "bitbucket-pipelines", "appveyor")}
_OBEYED_ENDINGS = (".pth", ".desktop", ".code-workspace")
_INVISIBLE = {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"}


class BadPath(ValueError):
    """A path that no file of a project may have; the message names it and says why."""


def check_path(path: str) -> None:
    """Raises BadPath for everything but a relative path with `/` between plain names."""
    why = _fault(path)
    if why:
        raise BadPath(f"the path {path[:MAX_PATH]!r} {why}")


def check_paths(paths: Iterable[str]) -> None:
    """Checks each path, and that they can stand beside each other also where letters' case does
    not count. Raises BadPath."""
    known: dict[str, str] = {}
    for path in paths:
        check_path(path)
        key = folded(path)
        if key in known:
            raise BadPath(f"the paths {known[key]!r} and {path!r} are the same")
        known[key] = path
    for key, path in known.items():
        for parent in PurePosixPath(key).parents:
            if str(parent) in known:
                raise BadPath(f"the path {known[str(parent)]!r} is a directory of {path!r}")


def is_obeyed(path: str) -> bool:
    """Whether some program does what the file says without being told to: a shell that enters the
    directory (`.envrc`), an editor that opens it (`.vscode/tasks.json`), a server that it is pushed
    to (`.github/workflows/…`)."""
    names = folded(path).split("/")
    hidden = any(name.startswith(".") and name not in _HARMLESS for name in names)
    return hidden or names[-1] in _OBEYED or names[-1].endswith(_OBEYED_ENDINGS)


def folded(path: str) -> str:
    """What two paths have in common that some file systems take for the same."""
    return unicodedata.normalize("NFKC", path).casefold()


def _fault(path: str) -> str | None:
    if not path:
        return "is empty"
    if len(path) > MAX_PATH:
        return f"is longer than {MAX_PATH} characters"
    if path.startswith(("/", "~")):
        return "is not relative"
    if unicodedata.normalize("NFC", path) != path:
        return "is not in Unicode's normal form NFC"
    if any(unicodedata.category(letter) in _INVISIBLE for letter in path):
        return "holds characters that cannot be seen"
    forbidden = sorted(_FORBIDDEN & set(path))
    if forbidden:
        return f"holds {forbidden[0]!r}"
    return next(filter(None, map(_fault_of_name, path.split("/"))), None)


def _fault_of_name(name: str) -> str | None:
    if not name:
        return "has an empty part"
    plain = folded(name)
    if plain in (".", ".."):
        return f"has a part {name!r}"
    if len(name.encode()) > MAX_NAME_BYTES:
        return "has a part that is too long"
    if name != name.strip() or name.endswith("."):
        return "has a part with a blank or a full stop at its end"
    if name.startswith(("-", "~")):
        return f"has a part that begins with {name[0]!r}"
    if plain.partition(".")[0].strip() in _DEVICES:
        return f"has a reserved name, {name!r}"
    if plain in _REPOSITORIES or plain.startswith("git~"):
        return f"leads into a repository's own directory, {name!r}"
    if plain.startswith(".laios-"):
        return f"has a name that laios needs itself, {name!r}"
    return None
