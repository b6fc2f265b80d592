"""The languages of the structured coder, by all their names. Pure."""

import difflib

from pipeline.errors import BadRequest

# Name in requests and answers → how people write it, other names it goes by.
LANGUAGES: dict[str, tuple[str, tuple[str, ...]]] = {
    "python": ("Python", ("py", "py3", "python3")),
    "javascript": ("JavaScript", ("js", "jsx", "node", "nodejs")),
    "typescript": ("TypeScript", ("ts", "tsx")),
    "rust": ("Rust", ("rs",)),
    "go": ("Go", ("golang",)),
    "java": ("Java", ()),
    "cpp": ("C++", ("c++", "cxx", "cc")),
    "csharp": ("C#", ("c#", "cs")),
    "ruby": ("Ruby", ("rb",)),
    "php": ("PHP", ()),
    "swift": ("Swift", ()),
    "kotlin": ("Kotlin", ("kt",)),
    "bash": ("Bash", ("zsh",)),
    "shell": ("POSIX shell", ("sh",)),
}
ALIASES = {alias: name for name, (_, aliases) in LANGUAGES.items() for alias in aliases}
KNOWN = {name: name for name in LANGUAGES} | ALIASES
_SAME = {"shell": "bash"}  # the code of one is code of the other


def canonical(label: str, field: str = "language") -> str:
    """The language's name for any of its names, whatever their case. Raises BadRequest, naming the
    field and the nearest one."""
    found = KNOWN.get(label.strip().lower())
    if found:
        return found
    titles = {title.lower(): name for name, (title, _) in LANGUAGES.items()}
    near = difflib.get_close_matches(label.strip().lower(), [*KNOWN, *titles], n=1, cutoff=0.5)
    hint = f"Did you mean {near[0]!r}? " if near else ""
    raise BadRequest(
        f'The field "{field}" cannot be {label[:100]!r}. {hint}Languages: {", ".join(LANGUAGES)}.'
    )


def title(language: str) -> str:
    return LANGUAGES[language][0]


def same_language(one: str, other: str) -> bool:
    return _SAME.get(one, one) == _SAME.get(other, other)
