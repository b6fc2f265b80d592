"""Replies of a scripted model that make a known project, damaged as models damage them."""

import json
import re
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from pipeline.analysis.file_types import language_of_path, type_of_path
from pipeline.projects.ecmascript_checks import ScriptProject
from pipeline.projects.python_project import PythonProject

# How often each thing happens. Half of the answers with code in JSON are taken to fail and none
# of the small ones; the other rates are harder than what is expected of raw files (98 %).
RATES = {
    "code in JSON": 0.5,
    "plan": 0.10,  # each answer, the second as well
    "file fenced": 0.30,
    "file narrated": 0.20,
    "file unusable": 0.10,  # each answer: cut off, thinking only, an error, a torn stream
}
Rule = dict[str, Any]


def script(texts: Mapping[str, str], random: Random) -> list[Rule]:
    """The rules of a scripted model that is asked for the project in one call or by `///files`."""
    rules: list[Rule] = [{"role": "judge", "verdict": [9, 1, "It is right."]}]
    rules.append(_one_call(texts, random))
    rules += _plan(texts, random)
    for path, text in texts.items():
        asked = re.escape(f"The file to write: {path} ")
        for role in ("coder", "reviewer"):
            while random.random() < RATES["file unusable"]:
                rules.append({"role": role, "prompt": asked, "times": 1} | _unusable(text, random))
            rules.append({"role": role, "prompt": asked, "reply": _wrapped(text, path, random)})
    return rules


def _one_call(texts: Mapping[str, str], random: Random) -> Rule:
    """The whole project in JSON; damaged, one of its files is not escaped as it should be."""
    files = [{"file_path": path, "content": text} for path, text in texts.items()]
    body = json.dumps({"files": files}, ensure_ascii=False)
    if random.random() < RATES["code in JSON"]:
        escaped = [json.dumps(text, ensure_ascii=False)[1:-1] for text in texts.values()]
        prone = [text for text in escaped if '\\"' in text] or escaped
        text = random.choice(prone)
        body = body.replace(text, random.choice(_MISTAKES)(text))
    return {"role": "coder", "prompt": "The project as JSON:", "reply": body}


_MISTAKES: list[Callable[[str], str]] = [
    lambda text: text.replace('\\"', '"'),  # no quote is escaped
    lambda text: text.replace('\\"', '"', 1),  # one is forgotten
    lambda text: text.replace("\\n", "\n"),  # raw line breaks
    lambda text: text.replace("\\\\", "\\").replace('\\"', '"', 2),  # backslashes too
    lambda text: text.rstrip("\\") + "\\",  # the closing quote is escaped
]


def _plan(texts: Mapping[str, str], random: Random) -> list[Rule]:
    python, scripts = PythonProject(texts), ScriptProject(texts)
    uses = {**python.edges(), **scripts.edges()}
    files = [
        {
            "file_path": path,
            "file_type": type_of_path(path),
            "description": f"The part of the project that stands in {path}.",
            "depends_on": sorted(uses.get(path, ())),
            "exports": _exports(path, python, scripts),
        }
        for path in texts
    ]
    plan = {"files": files, "dependencies": [], "setup_instructions": "", "total_files": len(files)}
    body = json.dumps(plan, indent=1)
    rules: list[Rule] = []
    while random.random() < RATES["plan"]:
        damaged = random.choice(
            [
                f"Here is the plan:\n{body}\nTell me if you need more.",
                body.replace('",\n', '"\n', 1),  # a comma is missing
                body.replace("}", "},", 1).replace("},,", "},"),
                body[: len(body) // 2],
                "I am sorry, I cannot plan this.",
            ]
        )
        rules.append({"role": "manifest", "reply": damaged, "times": 1})
    rules.append({"role": "manifest", "reply": body})
    return rules


def _exports(path: str, python: PythonProject, scripts: ScriptProject) -> list[str]:
    """An __init__.py that holds something has to promise something, or it would be left empty."""
    if path in python.modules:
        module = python.modules[path]
        return sorted(module.names - {each.local for each in module.imports}) or sorted(
            module.names
        )
    return sorted(scripts.modules[path].exports) if path in scripts.modules else []


def _wrapped(text: str, path: str, random: Random) -> str:
    """A file as models send it: bare, in a fence, or with words around that."""
    if not text or language_of_path(path) == "markdown":
        return text
    fence = "`" * 3 if "```" not in text else "`" * 4
    block = f"{fence}{language_of_path(path) or ''}\n{text}{fence}"
    chance = random.random()
    if chance < RATES["file narrated"]:
        return f"Here is `{path}`:\n\n{block}\n\nIt is complete."
    return block if chance < RATES["file narrated"] + RATES["file fenced"] else text


def _unusable(text: str, random: Random) -> Rule:
    return random.choice(
        [
            {"reply": text[: len(text) // 2], "finish_reason": "length"},
            {"reply": "", "thinking": "I wonder …"},
            {"fault": "failed"},
            {"fault": "cut", "reply": text[:20]},
        ]
    )
