"""The packages of others that a request names: a plan may leave them out, and a small model's has
none. Pure."""

import re
from collections.abc import Iterable, Iterator, Mapping

from pipeline.analysis.file_types import ECMASCRIPT, language_of_path

# The words that people use for them, and the package where it has another name.
_PYTHON = {
    name: name
    for name in (
        *("aiohttp", "customtkinter", "django", "fastapi", "flask", "flask-login"),
        *("flask-sqlalchemy", "httpx", "jinja2", "keras", "kivy", "lxml", "matplotlib"),
        *("networkx", "numpy", "openpyxl", "pandas", "plotly", "polars", "psutil", "pydantic"),
        *("pygame", "pyqt5", "pyqt6", "pyside6", "pytest", "pyyaml", "scikit-learn", "scipy"),
        *("seaborn", "selenium", "sqlalchemy", "streamlit", "sympy", "tensorflow", "tqdm"),
        *("typer", "uvicorn"),
    )
}
_PYTHON |= {"beautifulsoup": "beautifulsoup4", "beautiful soup": "beautifulsoup4"}
_PYTHON |= {"bs4": "beautifulsoup4", "discord.py": "discord-py", "opencv": "opencv-python"}
_PYTHON |= {"pytorch": "torch", "sklearn": "scikit-learn"}
_SCRIPT = {name: name for name in ("axios", "lodash", "mongoose", "react", "socket.io", "vue")}
_SCRIPT |= {"express.js": "express", "expressjs": "express", "react.js": "react", "vue.js": "vue"}
# Words of other meanings: packages where the request says that it is to be done with them.
_DOUBTFUL_PYTHON = ("click", "pillow", "redis", "requests", "rich")
_DOUBTFUL_SCRIPT = ("express",)
_WITH = r"(?:with|using|uses?|via|librar(?:y|ies)|packages?|mit|verwendet?)"
_REFUSED = re.compile(
    r"\b(?:no|not|without|never|avoid|ohne|kein\w*|nicht)\b[^.;,\n]*$", re.IGNORECASE
)
_NEAR = 30  # characters before a name that say that it is not wanted


def requested_packages(words: str, paths: Iterable[str]) -> list[str]:
    """Those for the languages that the files are in."""
    languages = {language_of_path(path) for path in paths}
    found: list[str] = []
    if "python" in languages:
        found += _named(_PYTHON, _DOUBTFUL_PYTHON, words)
    if not languages.isdisjoint(ECMASCRIPT):
        found += _named(_SCRIPT, _DOUBTFUL_SCRIPT, words)
    return list(dict.fromkeys(found))


def _named(known: Mapping[str, str], doubtful: Iterable[str], words: str) -> Iterator[str]:
    sure, unsure = ("|".join(map(re.escape, each)) for each in (known, doubtful))
    form = re.compile(
        rf"(?<![\w./-])(?:({sure})|{_WITH} (?:the )?[`'\"]?({unsure}))(?![\w/-]|\.\w)",
        re.IGNORECASE,
    )
    for found in form.finditer(words):
        if not _REFUSED.search(words[max(0, found.start() - _NEAR) : found.start()]):
            name = (found[1] or found[2]).lower()
            yield known.get(name, name)
