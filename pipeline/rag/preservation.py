"""Preservation of code that is changed: what of it has to stay, and which changes nobody planned.
Pure."""

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from laios.types.refinement import ModificationDecompositionOutput
from laios.types.validation import ValidationError
from pipeline.analysis.definitions import public_names
from pipeline.analysis.line_matcher import LineMatcher
from pipeline.analysis.python_syntax import Definition, parse
from pipeline.analysis.similarity import words_of

_VARIABLES = re.compile(r"\bvariables?\b", re.IGNORECASE)
_DEFINED = re.compile(
    r"\b(functions?|methods?|class(es)?|signatures?|structure|interfaces?|names?)\b", re.IGNORECASE
)
_GOES = re.compile(
    r"\b(?:renam|remov|delet|drop|replac|merg|split|inlin|convert|extract"
    r"|(?:um)?benenn|nenn|entfern|lösch|ersetz|heißen\b"
    r"|(?:chang|änder)\w* (?:\S{1,60} ){0,2}names?n?\b"
    r"|(?:better|clearer|shorter|other|different|descriptive) names?\b"
    r"|be (?:named|called) (?:`|'|\"|(?-i:[A-Z]\w)|\w+_\w|something else))",
    re.IGNORECASE,
)
_RENAMES = re.compile(
    r"\b(class(es)?|data_?class\w*|into|turn|rewrite|nam(e|es|ed|ing)|call(ed)?|private|camel\w*"
    r"|snake\w*|pep ?-?8|identifiers?|propert\w*|getters?|rid|eliminat\w*|combin\w*|unif\w*"
    r"|swap\w*)\b",
    re.IGNORECASE,
)
_NO_CHANGE = re.compile(r"\s*(?:#.*|//.*|(?:import|from|use|using|#include)\b.*)?")
_SHOWN = 120  # characters of a line
_MOST = 20


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines that came in the place of others; `line` is the first one's number in the new code."""

    line: int
    old: Sequence[str]
    new: Sequence[str]
    around: str = ""

    @property
    def words(self) -> frozenset[str]:
        return words_of("\n".join((*self.old, *self.new, self.around)))


def hunks(before: str, after: str) -> Iterator[Hunk]:
    old, new = before.split("\n"), after.split("\n")
    places = _places(after)
    for tag, i, j, k, m in LineMatcher(old, new).get_opcodes():
        if tag != "equal":
            around = " ".join(name for name, first, last in places if first <= k + 1 <= last)
            yield Hunk(k + 1, old[i:j], new[k:m], around)


def names_stay(wish: str) -> bool:
    """Whether a wish leaves functions and classes their names, as far as its words tell."""
    return not _GOES.search(wish) and not _RENAMES.search(wish)


@dataclass(frozen=True, slots=True)
class Preservation:
    """`known` are the errors (as `ValidationError.brief`) that the code had already. `is_planned`:
    the plan says more than the request, so that a change can be outside of it."""

    language: str
    code: str
    request: str
    plan: ModificationDecompositionOutput
    known: frozenset[str] = frozenset()
    is_planned: bool = True

    def losses(self, after: str) -> list[str]:
        """As phrases: what was to stay and is gone, or that nothing was changed at all."""
        if self.code.strip() == after.strip():
            return ["the code came back unchanged"]
        if self.language == "python" and parse(after) is None:
            return []  # nothing can be told from a text that does not parse
        gone = sorted(self.kept_names() - _all_names(self.language, after))
        return [f"{name} is gone, and it was to stay" for name in gone]

    def kept_names(self) -> set[str]:
        """The names that the plan says are preserved: by name, or as all variables, all functions
        and classes."""
        defined, variables = names_of(self.language, self.code)
        kept: set[str] = set()
        for element in self.plan.preserved_elements:
            kept |= (defined | variables) & set(re.findall(r"[A-Za-z_][\w.]*", element))
            kept |= variables if _VARIABLES.search(element) else set()
            kept |= defined if _DEFINED.search(element) else set()
        return {name for name in kept if not self._may_go(name.split("."))}

    def _may_go(self, parts: Sequence[str]) -> bool:
        """Whether the request speaks of the name so that it may go. Without a plan nobody else has
        said what stays, so to be spoken of is enough; a class is more than its methods."""
        spoken = set(re.findall(r"\w+", self.request))
        if _GOES.search(self.request):
            return not spoken.isdisjoint(parts)
        return not self.is_planned and parts[-1] in spoken

    def remarks(self, after: str, found: Iterable[ValidationError]) -> list[ValidationError]:
        """Changes that nobody planned, and errors that were there before."""
        old = [
            each.model_copy(update={"message": f"{each.message} (as before the change)"})
            for each in found
            if each.brief in self.known
        ]
        unplanned = [
            ValidationError(
                type="OutsidePlan",
                message="a change that the plan does not name",
                line=hunk.line,
                context=_first(hunk),
            )
            for hunk in (self._outside(after) if self.is_planned else ())
        ]
        return [*old, *unplanned][:_MOST]

    def _outside(self, after: str) -> Iterator[Hunk]:
        """Changes that have no word in common with request and plan."""
        steps = self.plan.modification_steps
        said = [self.request, self.plan.understanding]
        said += [f"{step.description} {' '.join(step.targets or ())}" for step in steps]
        planned = words_of("\n".join(said))
        for hunk in hunks(self.code, after):
            changes = not all(map(_NO_CHANGE.fullmatch, (*hunk.old, *hunk.new)))
            if changes and not hunk.words & planned:
                yield hunk


def _first(hunk: Hunk) -> str:
    line = next((line for line in (*hunk.new, *hunk.old) if line.strip()), "")
    return line.strip()[:_SHOWN]


def names_of(language: str, code: str) -> tuple[set[str], set[str]]:
    """The functions and classes of a code (methods as `Class.method`), and its top-level
    variables."""
    tree = parse(code) if language == "python" else None
    if tree is None:
        return public_names(language, code), set()
    defined: set[str] = set()
    variables: set[str] = set()
    for node in tree.body:
        if isinstance(node, Definition):
            defined.add(node.name)
        if isinstance(node, ast.ClassDef):
            methods = (each for each in node.body if isinstance(each, Definition))
            defined |= {f"{node.name}.{each.name}" for each in methods}
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = (name for target in targets for name in ast.walk(target))
            variables |= {
                name.id
                for name in names
                if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
            }
    return defined, variables


def _all_names(language: str, code: str) -> set[str]:
    """Also what is made deeper inside: to be moved is not to be gone."""
    defined, variables = names_of(language, code)
    tree = parse(code) if language == "python" else None
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            variables.add(node.id)
        elif isinstance(node, Definition):
            defined.add(node.name)
    return defined | variables


def _places(code: str) -> list[tuple[str, int, int]]:
    """Names of definitions with the lines that they span."""
    tree = parse(code)
    nodes = ast.walk(tree) if tree else ()
    return [
        (node.name, node.lineno, node.end_lineno or node.lineno)
        for node in nodes
        if isinstance(node, Definition)
    ]
