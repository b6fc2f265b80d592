"""Where the interpreter of a command lives, and what of the disk it needs."""

import os
import shutil
import site
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from pipeline.errors import SandboxUnavailable

SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"
PYTHON = ("python", "python3")
_ASKED_S = 10.0


@dataclass(frozen=True, slots=True)
class Toolchain:
    """`executable`, the directories besides the system's that it needs (`trees`), and directories
    in them that a program is not to see (`hidden`)."""

    executable: Path
    trees: list[Path] = field(default_factory=list)
    hidden: list[Path] = field(default_factory=list)

    @property
    def search_path(self) -> str:
        return f"{self.executable.parent}:{SYSTEM_PATH}"


def toolchain(word: str, environment: Path | None) -> Toolchain:
    """What a command's first word stands for. Raises SandboxUnavailable where it is not installed,
    or lies so that it cannot be shown without showing the user's own files."""
    if word in PYTHON:
        return _of_environment(environment) if environment else _of_this_python()
    found = shutil.which(word, path=SYSTEM_PATH) or shutil.which(word)
    if not found:
        raise SandboxUnavailable(f"There is no {word!r} here. Install it to run such programs.")
    executable = _behind_rustup(Path(found).absolute())
    if executable is None:
        raise SandboxUnavailable(f"rustup names no toolchain for {word}.")
    return Toolchain(executable, [*_trees(executable), *_settings(executable)])


def _of_this_python() -> Toolchain:
    """The interpreter under laios, without the packages beside it: none of them is promised."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    base = Path(sys.base_prefix)
    named = (base / "bin" / version, base / "bin" / "python3", Path(sys.executable))
    executable = next(path for path in named if path.exists())
    packages = [Path(path) for path in site.getsitepackages([sys.base_prefix])]
    return Toolchain(executable, _trees(executable), [path for path in packages if path.is_dir()])


def _of_environment(environment: Path) -> Toolchain:
    environment = environment.absolute()
    executable = environment / "bin" / "python"
    if not executable.exists():
        raise SandboxUnavailable(f"{environment} is no virtual environment: it has no bin/python.")
    return Toolchain(executable, [shown_tree(environment), *_trees(executable)])


@cache  # it takes a process to find out
def _behind_rustup(executable: Path) -> Path | None:
    """What stands for a tool of Rust's is often rustup, which starts that of a toolchain and has to
    read the user's settings for it. None where it knows none."""
    if executable.resolve().name != "rustup":
        return executable
    beside = {"RUSTUP_HOME": str(executable.parent.parent.with_name(".rustup"))}
    asked = [str(executable.with_name("rustc")), "--print", "sysroot"]
    for variables in (None, beside):
        with suppress(OSError, subprocess.SubprocessError):
            said = subprocess.run(
                asked, cwd="/", env=variables, check=True, capture_output=True, timeout=_ASKED_S
            )
            return Path(os.fsdecode(said.stdout.strip())) / "bin" / executable.name
    return None


def _settings(executable: Path) -> list[Path]:
    """Where a JDK has its settings, which it does not start without: Debian's are in /etc."""
    settings = executable.resolve().parent.parent / "conf" / "net.properties"
    return [shown_tree(settings.resolve().parent)] if settings.is_symlink() else []


def _trees(executable: Path) -> list[Path]:
    """The installations along the chain of links from `executable` to the real file."""
    trees: list[Path] = []
    while True:
        prefix = executable.parent.parent
        is_system = prefix == Path("/") or prefix.is_relative_to("/usr")
        if executable.parent.name == "bin" and not is_system:
            trees.append(shown_tree(prefix))
        if not executable.is_symlink():
            return list(dict.fromkeys(trees))
        executable = executable.parent / executable.readlink()
        executable = executable.parent.resolve() / executable.name


def shown_tree(tree: Path) -> Path:
    """The tree, if it can be shown to code that nobody trusts."""
    if tree == tree.parent or Path.home().resolve().is_relative_to(tree.resolve()):
        raise SandboxUnavailable(
            f"The interpreter's installation is {tree}, which holds the user's own files. "
            "Install it into a directory of its own."
        )
    return tree
