"""What the tests of queries stand on: a small documentation in memory, a library that is installed
nowhere but in a test's own environment, and scripted answers."""

import json
import re
import venv
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from pipeline.scheduler import Scheduler

_WORD = re.compile(r"[A-Za-z]\w+")


@dataclass(frozen=True)
class Passage:
    id: str
    content: str
    content_type: str = "API_DOC"
    title: str = ""
    symbols: tuple[str, ...] = ()
    path: str = ""
    source: str = "shapes"


@dataclass(frozen=True)
class Invented:
    name: str
    line: int
    context: str
    message: str
    kind: str = "AttributeError"


@dataclass(frozen=True)
class KnownFile:
    filename: str
    description: str = ""
    source_example: str = ""
    download_url: str = ""
    file_type: str = ""
    file_size: str = ""


@dataclass
class Library:
    """Documentation in memory. `members`: every attribute that the code's objects have; `asked` are
    the queries that came."""

    passages: list = field(default_factory=list)
    members: set = field(default_factory=set)
    files: list = field(default_factory=list)
    where: Path | None = None
    broken: str = ""
    asked: list = field(default_factory=list)

    async def is_empty(self):
        self._open()
        return not self.passages

    async def libraries(self, query):
        return ()

    async def search(self, query, *, limit=8, sketch=""):
        self._open()
        self.asked.append(query)
        words = set(_WORD.findall(query.lower()))

        def alike(passage):
            return len(words & set(_WORD.findall(f"{passage.id} {passage.content}".lower())))

        found = [each for each in self.passages if alike(each)]
        return sorted(found, key=alike, reverse=True)[:limit]

    async def unknown_names(self, code):
        self._open()
        found = []
        for n, line in enumerate(code.split("\n"), 1):
            for name in re.findall(r"\.([A-Z]\w+)\(", line):
                if self.members and name not in self.members:
                    message = f"'Actor' has no attribute '{name}'; did you mean 'SetMapper'?"
                    found.append(Invented(f"Actor.{name}", n, line, message))
        return found

    async def data_files(self, query):
        self._open()
        return self.files

    async def environment(self, modules):
        return self.where if self.where and set(modules) <= {"shapes"} else None

    def _open(self):
        if self.broken:
            raise RuntimeError(self.broken)


@asynccontextmanager
async def queries(pipeline_with, *rules, documentation=None, **settings):
    """A pipeline on scripted rules that has this documentation. Rules for a talk's later turn, in
    which the first one stands too, go first."""
    rules = sorted(rules, key=lambda rule: "as JSON" not in (rule.get("prompt") or ""))
    async with pipeline_with(*rules, **settings) as made:
        settings = made.scheduler.settings
        made.scheduler = Scheduler(
            settings, made.models, made.history, made.history, documentation=documentation
        )
        yield made


def says(role, reply, prompt=None, **rule):
    """A rule: an object is sent as JSON, a text as it is."""
    text = reply if isinstance(reply, str | list) else json.dumps(reply)
    return {"role": role, "reply": text, **({"prompt": prompt} if prompt else {}), **rule}


def kind(name):
    return says("intake", {"type": name})


GOOD = {"role": "judge", "verdict": [9, 1, "It is right."]}


# --- the cylinder --------------------------------------------------------------------------------

QUERY = "How can I create a basic rendering of a polygonal cylinder in VTK?"


def plan_of(*steps, **fields):
    """A planner's answer; each step is (description, search query, focus)."""
    rows = [
        {"step_number": n, "description": said, "search_query": query, "focus": focus}
        for n, (said, query, focus) in enumerate(steps, 1)
    ]
    return {
        "understanding": "User wants to create a basic rendering of a polygonal cylinder",
        "requires_visualization": True,
        "libraries_needed": ["vtk"],
        "data_files": [],
        "steps": rows,
    } | fields


STEPS = (
    ("Create a polygonal cylinder geometry source", "Cylinder geometry source", "geometry"),
    ("Create a mapper to convert geometry to graphics", "Mapper geometry", "rendering"),
    ("Create an actor and a renderer", "Actor SetMapper Renderer AddActor", "rendering"),
    ("Render it", "Renderer Render", "rendering"),
)
PLAN = plan_of(*STEPS, libraries_needed=["shapes"])

SHAPES = """
class Cylinder:
    def SetResolution(self, n):
        self.n = n
    def GetOutputPort(self):
        return self

class Mapper:
    def SetInputConnection(self, port):
        self.port = port

class Actor:
    def SetMapper(self, mapper):
        self.mapper = mapper

class Renderer:
    def AddActor(self, actor):
        self.actor = actor
    def Render(self):
        print("rendered", self.actor.mapper.port.n)
"""
MEMBERS = set(re.findall(r"def (\w+)", SHAPES))
CODE = (
    "from shapes import Cylinder\n\n# the source\ncylinder = Cylinder()\n"
    "cylinder.SetResolution(8)\n",
    "from shapes import Mapper\n\nmapper = Mapper()\n"
    "mapper.SetInputConnection(cylinder.GetOutputPort())\n",
    "from shapes import Actor, Renderer\n\nactor = Actor()\nactor.SetMapper(mapper)\n"
    "renderer = Renderer()\nrenderer.AddActor(actor)\n",
    "renderer.Render()\n",
)
WHOLE = (
    "from shapes import Actor, Cylinder, Mapper, Renderer\n\n"
    "# the source\ncylinder = Cylinder()\ncylinder.SetResolution(8)\n\n"
    "mapper = Mapper()\nmapper.SetInputConnection(cylinder.GetOutputPort())\n\n"
    "actor = Actor()\nactor.SetMapper(mapper)\nrenderer = Renderer()\nrenderer.AddActor(actor)\n\n"
    "renderer.Render()\n"
)
PASSAGES = [
    Passage("Cylinder_api_0", "Cylinder: a geometry source. SetResolution(n)", title="Cylinder"),
    Passage("Mapper_api_0", "Mapper: maps geometry to graphics", title="Mapper"),
    Passage("Actor_api_0", "Actor: SetMapper(mapper)", title="Actor"),
    Passage("Renderer_code_0", "renderer.AddActor(actor); Renderer Render()", "CODE", "Example"),
]


def shapes(where=None):
    return Library(list(PASSAGES), set(MEMBERS), where=where)


def installed(directory):
    """A virtual environment in which `shapes` is there."""
    venv.create(directory, symlinks=True, with_pip=False)
    (packages,) = directory.glob("lib/python*/site-packages")
    (packages / "shapes.py").write_text(SHAPES)
    return directory


def coders(*codes):
    """The coder's rules: one for each step, by its place."""
    return [says("coder", code, f"The code of step {n} ") for n, code in enumerate(codes, 1)]


def notes(*cited):
    """The explainer's notes on the steps, each with its citations; by the step's place."""
    return [
        says(
            "explainer",
            {"understanding": f"It does {n}.", "citations": list(numbers)},
            f"The code of step {n} ",
        )
        for n, numbers in enumerate(cited, 1)
    ]


PLANNED = [says("planner", PLAN), *coders(*CODE), *notes([1], [2], [3], [4])]
