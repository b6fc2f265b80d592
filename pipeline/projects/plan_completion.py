"""What a request says of files and a plan leaves out: a small planner forgets files that are named,
and which of them are programs. Pure."""

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import PurePosixPath

from laios.language_table import TABLE
from laios.safe_paths import BadPath, check_path, check_paths, folded
from pipeline.analysis.fences import without_fences
from pipeline.analysis.file_types import type_of_path
from pipeline.modes import split_wrappers
from pipeline.projects.dependencies import canonical, distribution
from pipeline.projects.entry_points import is_called_one, is_program, takes_arguments
from pipeline.projects.file_tree import drawn_files
from pipeline.projects.manifest import MAX_FILES, MAX_TEXT, Manifest, PlannedFile
from pipeline.projects.requested_names import requested_names
from pipeline.projects.requested_packages import requested_packages

PACKAGE = "the package: what its modules have, imported"  # a plan's word on its __init__.py
MOST = 5  # files that are added
_ENDINGS = "py|js|mjs|ts|html|css|md"
# Also right behind a bullet ("-main.py").
NAMED_FILES = re.compile(
    rf"(?:(?<![\w./:-])|(?<=\s-)|(?<=^-))(?=\w)(?:[\w-]+/)*[\w-]+\.(?:{_ENDINGS})(?![\w/-]|\.\w)"
)
_WITH = r"\b(?:with|and|plus|mit|und) (?:an? |eine[rn]? )?"
_NONE = r"(?:no|not|without|kein\w*|ohne)"
_TESTS = re.compile(
    rf"{_WITH}(?:(?!{_NONE} )[\w.]+[ -]){{0,2}}tests\b(?! (?:is|are) not\b)", re.IGNORECASE
)
_README = re.compile(rf"{_WITH}readme\b", re.IGNORECASE)
# Files that are no part of a plan by names, but might be of a planner's.
_SOURCES = {
    end for row in TABLE for end in row.endings.split() if type_of_path(f"a{end}") == "source"
}
_OTHERS = "|".join(
    re.escape(end[1:]) for end in sorted(_SOURCES) if end[1:] not in _ENDINGS.split("|")
)
_OTHER_FILES = re.compile(
    rf"[\w-]\.(?:{_OTHERS}|ya?ml|toml|ini|cfg)\b"
    r"|\b(?:requirements\.txt|(?:package|config|tsconfig)\.json|Dockerfile|Makefile)\b"
)
_PACKAGE = re.compile(
    r"\bpackage (?:called |named )?[`'\"]?([a-z_]\w*)[`'\"]?(?: with| containing| that has|:) ",
    re.I,
)
_SEVERAL = re.compile(r"\b(?:files|modules|packages?|folders?|classes in|split|separate)\b", re.I)
_CONVERTED = re.compile(
    r"\b(?:from|into|converts?|opens?|reads?|writes|liest|schreibt"
    r"|converts? [\w-]{1,30}\.\w+ to) $"
)
_BEFORE = 50  # characters before a name that say what is meant by it
_LIBRARIES = {
    *("node.js", "react.js", "vue.js", "next.js", "nuxt.js", "three.js", "d3.js", "express.js"),
    *("ember.js", "backbone.js", "chart.js", "moment.js", "discord.py", "alpine.js", "angular.js"),
    *("babylon.js", "bootstrap.css", "bun.js", "day.js", "deno.js", "electron.js", "ethers.js"),
    *("fabric.js", "fastify.js", "gatsby.js", "handlebars.js", "jquery.js", "koa.js", "konva.js"),
    *("leaflet.js", "lodash.js", "matter.js", "meteor.js", "mustache.js", "nest.js", "p5.js"),
    *("phaser.js", "pixi.js", "plotly.js", "preact.js", "socket.io.js", "solid.js", "svelte.js"),
    *("tailwind.css", "tensorflow.js", "underscore.js", "web.py", "web3.js"),
}
# "no README.md", "do not write a setup.py", "README.md is not needed"; what a file must not import
# or change is no file less.
_REFUSED_BEFORE = re.compile(
    r"\b(?:no|without|kein\w*|ohne|(?:not|n['’]t|never) (?:write|create|add|include|make|generate))"
    r" (?:(?:an?|any|the|eine[nr]?) )?[`'\"*]*$",
    re.IGNORECASE,
)
_REFUSED_BEHIND = re.compile(
    r"[`'\"*]* (?:is|are) not (?:needed|necessary|required|wanted)\b", re.I
)
_FOLDER = re.compile(r"(?<![\w./:-])[\w-]+/(?=[\s,.;:)`'\"]|$)")  # named alone: what is in it?
_CLAUSE = re.compile(r"(?<=[.;])\s+|\n+")


def completed(plan: Manifest, request: str) -> Manifest:
    """The plan with the files that the request names and the plan has nowhere, the `__init__.py` of
    a package that it names, the packages of others that it names, and which files are programs and
    are given something."""
    words = _with_paths(without_fences(split_wrappers(request)[1]))
    whole = replace(plan, files=(*plan.files, *_forgotten(plan, words)))
    said = f"{words}\n{plan.setup_instructions}"
    programs = tuple(
        file.path
        for file in whole.files
        if file.file_type == "source" and is_program(file.path, said)
    )
    names = requested_names(words, NAMED_FILES)
    files = (replace(file, requested=_of(names, file)) for file in whole.files)
    given = tuple(path for path in programs if takes_arguments(path, said))
    packages = _with_requested(plan.dependencies, requested_packages(words, whole.paths))
    return replace(whole, files=tuple(files), programs=programs, given=given, dependencies=packages)


def _with_requested(listed: Sequence[str], requested: Iterable[str]) -> tuple[str, ...]:
    known = {canonical(distribution(each)) for each in listed}
    return (*listed, *(each for each in requested if canonical(each) not in known))


def _of(names: Mapping[str, tuple[str, ...]], file: PlannedFile) -> tuple[str, ...]:
    """What the request says that a source has; it may have named it without its folder."""
    if file.file_type != "source":
        return ()
    return names.get(file.path) or names.get(PurePosixPath(file.path).name, ())


def named_plan(request: str, task_id: str) -> Manifest | None:
    """The plan of a request that names its files: these, and the README and the tests in Python
    that it asks for without a name. None in doubt: it names no source, one and speaks of several, a
    library, files that are converted, a folder and files without one, or others that are not known
    here."""
    _, said = split_wrappers(request)
    rest, drawn = drawn_files(said)  # also in a fence, where else is only what is not meant
    words = "\n".join([*drawn, without_fences(rest)])
    named = _in_package(_named(words, {line.split()[0] for line in drawn}), words)
    sources = [path for path in named if type_of_path(path) == "source"]
    if not sources or len(named) > MAX_FILES or _OTHER_FILES.search(words):
        return None
    if _FOLDER.search(words) and not all("/" in path for path in named):
        return None
    if _TESTS.search(words) and not any(type_of_path(path) == "test" for path in named):
        tested = [path for path in sources if _is_tested(path, words)]
        if not tested:
            return None
        named.append(f"test_{PurePosixPath(tested[0]).name}")
    if _README.search(words) and not any("README" in path for path in named):
        named.append("README.md")
    try:
        check_paths(named)
    except BadPath:
        return None
    if len(named) > MAX_FILES or (len(named) < 2 and _SEVERAL.search(words)):
        return None
    plan = Manifest(task_id, "project", ())
    for path in sorted(named, key=lambda path: (path not in sources, _is_last(path, words))):
        plan = replace(plan, files=(*plan.files, _planned(path, plan, words)))
    return completed(plan, words)


def _with_paths(words: str) -> str:
    rest, drawn = drawn_files(words)
    return "\n".join([rest, *drawn])


def _named(words: str, drawn: Container[str]) -> list[str]:
    """The files that a text names; [] where one of them is something else. A name without a folder
    behind one with it is the same file, unless it is `drawn` itself."""
    found = list(NAMED_FILES.finditer(words))
    if any(_is_no_part(each, words) for each in found):
        return []
    named: dict[str, None] = {}
    inside: set[str] = set()  # the names of those in folders
    for each in found:
        path, name = each[0], PurePosixPath(each[0]).name
        is_again = path in named or (path in inside and path not in drawn)
        if not is_again and not _is_refused(each, words):
            named[path] = None
            inside |= {name} if name != path else set()
    return list(named)


def _is_no_part(name: re.Match[str], words: str) -> bool:
    """Whether a library has the name, or a file that the program converts."""
    before = words[max(0, name.start() - _BEFORE) : name.start()]
    is_data = name[0].endswith(("html", "css", "md")) and bool(_CONVERTED.search(before))
    return is_data or name[0].lower() in _LIBRARIES


def _is_refused(name: re.Match[str], words: str) -> bool:
    """Whether the file is named as one that is not to be written."""
    before = words[max(0, name.start() - _BEFORE) : name.start()]
    return bool(_REFUSED_BEFORE.search(before) or _REFUSED_BEHIND.match(words, name.end()))


def _in_package(named: list[str], words: str) -> list[str]:
    """The modules that a sentence says a package has ("a package shapes with circle.py and …") in
    its folder."""
    package = _PACKAGE.search(words)
    if not package:
        return named
    inside = set(NAMED_FILES.findall(_CLAUSE.split(words[package.end() :])[0]))
    return [
        f"{package[1]}/{path}"
        if path in inside
        and "/" not in path
        and not is_called_one(path)
        and type_of_path(path) == "source"
        else path
        for path in named
    ]


def _is_last(path: str, words: str) -> bool:
    return is_called_one(path) or is_program(path, words)


def _is_tested(path: str, words: str) -> bool:
    return path.endswith(".py") and "__" not in path and not _is_last(path, words)


def _forgotten(plan: Manifest, request: str) -> list[PlannedFile]:
    there = {folded(PurePosixPath(path).name) for path in plan.paths}
    named: dict[str, str] = {}  # a sentence may begin with a name that is written small elsewhere
    for each in NAMED_FILES.finditer(request):
        if not (_is_no_part(each, request) or _is_refused(each, request) or not _can_be(each[0])):
            named[folded(each[0])] = max(each[0], named.get(folded(each[0]), ""))
    missing = [path for path in named.values() if folded(PurePosixPath(path).name) not in there]
    packages = [path for path in _packages(plan, request) if path not in missing]
    return [_planned(path, plan, request) for path in [*missing, *packages][:MOST]]


def _can_be(path: str) -> bool:
    with suppress(BadPath):
        check_path(path)
        return True
    return False


def _packages(plan: Manifest, request: str) -> Iterator[str]:
    """The `__init__.py` of folders with modules, where the request speaks of them as packages."""
    if not re.search(r"\bpackage\b", request, re.IGNORECASE):
        return
    folders = {PurePosixPath(file.path).parent for file in plan.files if _is_module(file)}
    for folder in sorted(folders):
        path = str(folder / "__init__.py")
        named = folder.name and re.search(rf"\b{re.escape(folder.name)}\b", request)
        if named and path not in plan.paths:
            yield path


def _is_module(file: PlannedFile) -> bool:
    return file.file_type == "source" and file.path.endswith(".py")


def _planned(path: str, plan: Manifest, request: str) -> PlannedFile:
    """It may use every source of its language: nothing that was planned uses it."""
    name = PurePosixPath(path).name
    clauses = [clause for clause in _CLAUSE.split(request) if name in clause]
    about = " ".join(" ".join(clauses).split()) or PACKAGE
    kind, ending = type_of_path(path), PurePosixPath(path).suffix
    uses = [each.path for each in plan.files if each.file_type == "source"]
    uses = [each for each in uses if each.endswith(ending)] if kind in ("source", "test") else []
    if name == "__init__.py":
        beside = [each for each in uses if PurePosixPath(each).parent == PurePosixPath(path).parent]
        uses = [each for each in beside if not _is_last(each, request)]
    number = f"{len(plan.files) + 1:03}"
    return PlannedFile(path, kind, about[:MAX_TEXT], f"SU-{number}", f"COMP-{number}", tuple(uses))
