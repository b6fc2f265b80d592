"""What does not fit together in a project's Python files. Pure."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath

from pipeline.projects.dependencies import is_standard, provides
from pipeline.projects.fault import Fault, Promised, missing_name
from pipeline.projects.python_module import (
    PythonImport,
    PythonModule,
    dotted_names,
    packages_of,
    read_python,
)

_ALWAYS = {"__doc__", "__file__", "__name__", "__path__"}


class PythonProject:
    """The Python modules of a project, and how they find each other."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.modules: dict[str, PythonModule] = {}
        paths = [path for path in texts if path.endswith((".py", ".pyi"))]
        packages = packages_of(paths)
        self._by_name: dict[str, str] = {}
        self._directories: set[str] = set()  # those that can be imported, by their dotted names
        for path in paths:
            for name in dotted_names(path, packages):
                self._by_name.setdefault(name, path)
                parts = name.split(".")
                self._directories |= {".".join(parts[:end]) for end in range(1, len(parts))}
        self._tops = {name.partition(".")[0] for name in self._by_name}
        for path in paths:
            module = read_python(texts[path], path)
            if module:
                self.modules[path] = module

    def targets(self, importer: PythonModule, each: PythonImport) -> list[str]:
        """The files that an import reads, the one that the name is taken from first."""
        absolute = self._absolute(importer, each)
        if absolute is None:
            return []
        found = self._by_name.get(absolute)
        inside = self._by_name.get(f"{absolute}.{each.name}") if each.name else None
        both = (inside, found) if inside and not self._defines(found, each.name) else (found,)
        return [path for path in both if path is not None]

    def module_of(self, importer: PythonModule, each: PythonImport) -> PythonModule | None:
        """The module that an import names, or takes a name from; None where it is not ours."""
        path = self._by_name.get(self._absolute(importer, each) or "")
        return self.modules.get(path or "")

    def submodule(self, importer: PythonModule, each: PythonImport) -> PythonModule | None:
        """The module that `from package import module` names."""
        absolute = self._absolute(importer, each)
        path = self._by_name.get(f"{absolute}.{each.name}".lstrip("."))
        return self.modules.get(path or "")

    def is_ours(self, module: str) -> bool:
        """Whether a dotted name begins like one of the project's modules."""
        return module.partition(".")[0] in self._tops

    def _absolute(self, importer: PythonModule, each: PythonImport) -> str | None:
        if not each.level:
            return each.module
        parents = PurePosixPath(importer.path).parent.parts
        if each.level - 1 > len(parents):
            return None
        base = parents[: len(parents) - (each.level - 1)]
        return ".".join([*base, *filter(None, [each.module])])

    def _defines(self, path: str | None, name: str | None) -> bool:
        module = self.modules.get(path or "")
        return module is not None and name in module.names

    # --- faults --------------------------------------------------------------------------------

    def import_faults(self, packages: set[str], promised: Promised) -> Iterator[Fault]:
        """Imports that lead nowhere. `packages` are the declared ones of others."""
        for module in self.modules.values():
            for each in module.imports:
                detail = self._import_fault(module, each, packages)
                if detail:
                    yield Fault(module.path, "import", detail, each.line)
                elif missing := self._missing_name(module, each):
                    yield missing_name(missing, each.name or "", module.path, each.line, promised)

    def _import_fault(
        self, module: PythonModule, each: PythonImport, packages: set[str]
    ) -> str | None:
        absolute = self._absolute(module, each)
        shown = "." * each.level + each.module
        if absolute is None:
            return f"{shown} leads out of the project"
        ours = each.level > 0 or self.is_ours(absolute)
        if not ours or (not each.level and is_standard(absolute) and not self._is_known(absolute)):
            if absolute.partition(".")[0] == "setuptools" and module.path.endswith("setup.py"):
                return None  # who runs it has that
            return self._foreign_fault(absolute, each, packages)
        if not self._is_known(absolute):
            provided = any(provides(package, absolute) for package in packages)
            return None if provided else f"there is no module {shown} in the project"
        if each.name in (None, "*") or absolute in self._by_name or self._is_module(absolute, each):
            return None
        return f"{shown} has no module {each.name}"

    def _missing_name(self, module: PythonModule, each: PythonImport) -> str | None:
        """The file of the project that does not define what is taken out of it."""
        absolute = self._absolute(module, each)
        if absolute is None or each.name in (None, "*") or self._is_module(absolute, each):
            return None
        path = self._by_name.get(absolute)
        return None if path is None or self.has_name(path, each.name) else path

    def _is_module(self, absolute: str, each: PythonImport) -> bool:
        inner = f"{absolute}.{each.name}".lstrip(".")
        return inner in self._by_name or inner in self._directories

    def _is_known(self, absolute: str) -> bool:
        return not absolute or absolute in self._by_name or absolute in self._directories

    def _foreign_fault(self, absolute: str, each: PythonImport, packages: set[str]) -> str | None:
        if is_standard(absolute) or each.guarded:
            return None
        if any(provides(package, absolute) for package in packages):
            return None
        top = absolute.partition(".")[0]
        return f"{top} is neither a module of the project nor a declared dependency"

    def has_name(self, path: str, name: str | None) -> bool:
        """Whether a module has a name, or may have it: others cannot be told."""
        reached = [path]  # with those that it has everything of, each once
        for each in reached:
            module = self.modules.get(each)
            if module is None or module.open or name in module.names or name in _ALWAYS:
                return True
            for star in module.imports:
                if star.name == "*" and star.early:
                    sources = self.targets(module, star)
                    if not sources:
                        return True
                    reached += [source for source in sources if source not in reached]
        return False

    def edges(self) -> dict[str, set[str]]:
        """For each file those that importing it imports."""
        return {
            path: {
                target
                for each in module.imports
                if each.early
                for target in self.targets(module, each)[:1]
                if target != path
            }
            for path, module in self.modules.items()
        }

    def used_packages(self, packages: Iterable[str]) -> set[str]:
        """Those of the packages that a file imports."""
        names = {
            each.module
            for module in self.modules.values()
            for each in module.imports
            if not each.level
        }
        return {p for p in packages if any(provides(p, name) for name in names if name)}
