"""What does not fit together in a project's JavaScript and TypeScript files. Pure."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import PurePosixPath
from posixpath import normpath

from pipeline.analysis.ecmascript import parses
from pipeline.analysis.file_types import ECMASCRIPT, language_of_path
from pipeline.analysis.syntax_process import Unread
from pipeline.projects.dependencies import node_package
from pipeline.projects.ecmascript_module import Arity, ScriptImport, ScriptModule, read_module
from pipeline.projects.fault import Fault, Promised, missing_name

_ENDINGS = ("", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", ".d.ts", ".json")
_WRITTEN_AS = {".js": (".ts", ".tsx", ".jsx"), ".mjs": (".mts",), ".cjs": (".cts",)}
_ALIASES = ("@/", "~/")  # what bundlers' templates make of the source directory


def _is_inside(source: str) -> bool:
    return source.startswith((".", "/", *_ALIASES))


class ScriptProject:
    """The modules of a project, and how they find each other."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._paths = set(texts)
        self.modules: dict[str, ScriptModule] = {}
        for path, text in texts.items():
            if language_of_path(path) in ECMASCRIPT and parses(text, path):
                with suppress(Unread):
                    self.modules[path] = read_module(text, path)

    def import_faults(self, packages: set[str], promised: Promised) -> Iterator[Fault]:
        """Imports that lead nowhere. `packages` are the declared ones of others."""
        for path, module in self.modules.items():
            for each in module.imports:
                if _is_inside(each.source):
                    yield from self._own_faults(path, each, promised)
                    continue
                package = node_package(each.source)
                if not (package is None or package in packages or each.erased):
                    detail = f"{package} is not a declared dependency"
                    yield Fault(path, "import", detail, each.line)

    def _own_faults(self, path: str, each: ScriptImport, promised: Promised) -> Iterator[Fault]:
        target = self.target(path, each.source)
        if target is None:
            yield Fault(path, "import", f"there is no {each.source!r} in the project", each.line)
            return
        for name, _ in each.names:
            if not self.has_name(target, name):
                yield missing_name(target, name, path, each.line, promised)

    def target(self, importer: str, source: str) -> str | None:
        """The file of the project that an import names; None for a package, which may be called as
        a file beside the importer is."""
        if not _is_inside(source):
            return None
        source = source.partition("?")[0]
        if source.startswith(_ALIASES):
            bases = [f"src/{source[2:]}", f"app/{source[2:]}", source[2:]]
        elif source.startswith("/"):
            bases = [source[1:], f"public{source}"]
        else:
            bases = [f"{PurePosixPath(importer).parent}/{source}"]
        found = (self._file(normpath(base)) for base in bases)
        return next(filter(None, found), None)

    def _file(self, base: str) -> str | None:
        pure = PurePosixPath(base)
        tried = [base + ending for ending in _ENDINGS]
        tried += [str(pure.with_suffix(ending)) for ending in _WRITTEN_AS.get(pure.suffix, ())]
        tried += [f"{base}/index{ending}" for ending in _ENDINGS[1:]]
        return next((path for path in tried if path in self._paths), None)

    def has_name(self, path: str, name: str) -> bool:
        """Whether a file exports a name, or may: a default stands for any CommonJS module too."""
        reached = [path]  # with those that it exports everything of, each once
        for each in reached:
            module = self.modules.get(each)
            if module is None or module.open or name in ("*", *module.exports):
                return True
            targets = [self.target(each, source) for source in module.reexports]
            if None in targets:
                return True
            reached += [target for target in targets if target and target not in reached]
        return False

    def edges(self) -> dict[str, set[str]]:
        """For each file those that importing it imports."""
        return {
            path: {
                target
                for each in module.imports
                if not each.erased and (target := self.target(path, each.source)) in self.modules
                if target != path
            }
            for path, module in self.modules.items()
        }

    def call_faults(self) -> Iterator[Fault]:
        """Calls with more arguments than the function of another file takes; in TypeScript also
        those with fewer."""
        for path, module in self.modules.items():
            known = self._functions(path, module)
            typed = language_of_path(path) in ("typescript", "tsx")
            for call in module.calls:
                if call.name in known and call.arguments is not None:
                    target, takes = known[call.name]
                    detail = _count_fault(call.arguments, takes, typed)
                    if detail:
                        shown = f"{call.name}() of {target}: {detail}"
                        yield Fault(path, "call", shown, call.line)

    def _functions(self, path: str, module: ScriptModule) -> dict[str, tuple[str, Arity]]:
        found = {}
        for each in module.imports:
            target = self.target(path, each.source)
            source = self.modules.get(target or "")
            for name, local in each.names if source else ():
                if source and target and name in source.functions:
                    found[local] = (target, source.functions[name])
        return found

    def used_packages(self) -> set[str]:
        """The packages of others that a file imports."""
        sources = (each.source for module in self.modules.values() for each in module.imports)
        foreign = (source for source in sources if not _is_inside(source))
        return {package for source in foreign if (package := node_package(source))}


def _count_fault(given: int, takes: Arity, typed: bool) -> str | None:
    if takes.most is not None and given > takes.most:
        return f"{given} arguments for {takes.most} parameters"
    if typed and given < takes.least:
        return f"{given} arguments where {takes.least} are needed"
    return None
