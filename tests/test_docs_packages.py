"""Python packages as documentation: what is said of them, without running them in our process."""

import contextlib
import os
import sys
import time
from pathlib import Path

import pytest

from retrieval.sources import worker_process
from retrieval.sources.chunk import Chunk, ParsedPart, Symbol
from retrieval.sources.part_reader import read_parts
from retrieval.sources.source import SourceError
from retrieval.sources.source_lookup import find_source
from retrieval.sources.source_parts import list_parts
from tests.documented import environment, read, write
from tests.processes import invoke

pytestmark = pytest.mark.only_when("retrieval/", "history/", "laios/", "server/commands/")

EXTENSION = "inner.abi3.so"  # an extension module by its name, which no import can load

PLAIN = {
    "shop/__init__.py": '''
"""A shop.

It sells.

>>> from shop import Cart
>>> Cart().total
0
"""
from shop._cart import Cart, Basket as _Basket, Tea
from shop._cart import total as sum_up
from shop.stock import *
import os
__all__ = ["Cart", "sum_up", "Item", "Tea"]
''',
    "shop/_cart.py": '''
from __future__ import annotations
from dataclasses import dataclass
from shop.stock import Item

class Basket:
    """What holds things."""

    def add(self, item: Item, *, count: int = 1) -> Basket:
        """Puts an item in.

        The rest of the text.
        """
        self.items = [item]
        return self

    def clear(self):
        """Takes all out."""

class Cart(Basket):
    """A basket on wheels: :class:`~shop.stock.Item` goes in."""

    limit: int = 10

    def __init__(self, owner: str, **options: object) -> None:
        self._owner = owner

    def clear(self):
        pass

    @property
    def total(self) -> int:
        """What it costs."""
        return 0

    @classmethod
    def new(cls, owner: str) -> Cart:
        """A new one."""
        return cls(owner)

    @staticmethod
    def check(owner: str) -> bool: ...

class Tea(Cart, object):
    def clear(self):
        pass

class Open:
    """It has whatever is asked for."""
    def __getattr__(self, name): ...

@dataclass
class Line:
    item: Item
    count: int = 1

def total(carts: list[Cart], /, tax: float = 0.0) -> Item | None:
    """Sums up.

    >>> total([])
    0
    """
''',
    "shop/stock.py": '''
"""Stock."""
from enum import Enum

__all__ = ["Item"]

class Item(Enum):
    """Things."""
    TEA = 1
    MILK = 2

class Old(metaclass=Odd):
    pass
''',
    "shop/lazy.py": "def __getattr__(name): ...\n",
    "shop/stars.py": "from elsewhere import *\n",
    "shop/broken.py": "def f(:\n",
    "shop/typed.py": "def f(x): ...\n",
    "shop/typed.pyi": "from typing import overload\n@overload\ndef f(x: int) -> int: ...\n"
    "@overload\ndef f(x: str) -> str: ...\ndef g(y: float) -> float: ...\n",
    "shop/tests/test_shop.py": "def test(): ...\n",
}


def symbols(readings: dict[str, ParsedPart]) -> dict[str, Symbol]:
    return {each.name: each for reading in readings.values() for each in reading.symbols}


def chunks(readings: dict[str, ParsedPart]) -> dict[str, Chunk]:
    return {each.id: each for reading in readings.values() for each in reading.chunks}


@pytest.fixture(scope="module")
def shop(tmp_path_factory) -> dict[str, ParsedPart]:
    return read(write(tmp_path_factory.mktemp("plain"), PLAIN) / "shop")


def test_a_package_has_its_public_modules(shop):
    """Private ones are where their public names are; tests are left out; one that is no Python is
    a note."""
    below = ("broken", "lazy", "stars", "stock", "typed")
    assert set(shop) == {"shop", *(f"shop.{name}" for name in below)}
    assert "SyntaxError" in shop["shop.broken"].problems[0]


def test_names_are_documented_where_a_program_imports_them_from(shop):
    """`shop.Cart` is the class of `shop._cart`; the import under another name as well; what a
    module imports for itself is an alias."""
    known = symbols(shop)
    assert known["shop.Cart"].kind == "class"
    assert known["shop.sum_up"].kind == "function"
    assert known["shop.os"].alias_of == "os"
    assert known["shop.Item"].alias_of == "shop.stock.Item"
    assert "Cart_api_0" in chunks(shop)


def test_a_class_has_its_members_bases_and_constructor(shop):
    """Members are symbols, also those that methods set; those of a base that no public module shows
    are its own; bases and returned classes are qualified; parameters are those that a call may
    name, unknown where it takes any."""
    known = symbols(shop)
    assert known["shop.Cart"].bases == ()
    assert known["shop.Cart.add"].parameters == ("item", "count")
    assert known["shop.Cart.items"].kind == "attribute"
    assert known["shop.Tea"].bases == ("shop.Cart",)
    assert known["shop.Cart"].parameters is None
    assert known["shop.Cart.new"].returns == "shop.Cart"
    assert known["shop.Cart.new"].parameters == ("owner",)
    assert known["shop.Cart.check"].parameters == ("owner",)
    assert known["shop.Cart.total"].kind == "attribute"
    assert known["shop.Cart.total"].returns == "builtins.int"
    assert known["shop.Cart._owner"].kind == "attribute"
    assert known["shop.sum_up"].parameters == ("tax",)
    assert known["shop.sum_up"].returns == "shop.stock.Item"


def test_only_what_is_sure_is_complete(shop):
    """A module or class with `__getattr__`, an unknown star import or an unknown metaclass may
    have any name."""
    known = symbols(shop)
    assert known["shop.Cart"].complete and known["shop.stock"].complete
    assert known["shop.stock.Item"].complete
    assert not known["shop.lazy"].complete
    assert not known["shop.stars"].complete
    assert not known["shop.stock.Old"].complete


def test_a_chunk_says_how_a_thing_is_imported_and_called(shop):
    """The summary comes first, then a line for each member; an override that says nothing is left
    out; marks of the docstring's format are gone."""
    cart = chunks(shop)["Cart_api_0"]
    assert cart.content.splitlines()[:2] == ["class Cart", "from shop import Cart"]
    assert "A basket on wheels: `Item` goes in." in cart.content
    assert "total: int: What it costs." in cart.content
    assert "new(owner: str) -> Cart: A new one." in cart.content
    assert "clear(): Takes all out." in cart.content
    assert "shop.Cart.total" in cart.symbols
    assert (
        chunks(shop)["Tea_api_0"].content
        == "class Tea(Cart)\nfrom shop import Tea\nTea(owner: str, **options: object)"
    )


def test_examples_in_docstrings_are_code(shop):
    """With what they print as comments; the text of the chunk is without them."""
    found = chunks(shop)
    example = found["sum_up_code_0"]
    assert example.content_type == "CODE"
    assert example.content == "# shop.sum_up: Sums up.\ntotal([])\n# 0"
    assert ">>>" not in found["sum_up_api_0"].content
    assert found["shop_concept_0"].content == "A shop.\n\nIt sells."
    assert "Classes: Cart" in found["shop_api_0"].content


def test_stubs_are_honoured(shop):
    """Overloads, and functions that only the stub has."""
    known = symbols(shop)
    assert "f(x: int) -> int\nf(x: str) -> str" in chunks(shop)["f_api_0"].content
    assert known["shop.typed.g"].returns == "builtins.float"


def test_a_plain_package_is_not_imported(tmp_path):
    """Nothing of it runs, in our process or in another one."""
    marker = tmp_path / "ran"
    write(tmp_path, {"danger/__init__.py": f"open({str(marker)!r}, 'w')\nx = 1\n"})
    assert "danger.x" in symbols(read(tmp_path / "danger"))
    assert not marker.exists()


def imported(tmp_path: Path, files: dict[str, str]) -> dict[str, ParsedPart]:
    """The readings of an installed package `pack` that has an extension, with the user's word."""
    files = {f"pack/{name}": text for name, text in (files | {EXTENSION: ""}).items()}
    return read("pack", environment(tmp_path, files), imports=True)


MARK = "open({marker!r}, 'w')\nx = 1\n"


@pytest.mark.parametrize("target", ["pack", "", "pack/inner.abi3.so"])
def test_what_lies_at_a_path_is_never_imported(tmp_path, target):
    """A file with an extension module's name does not make a folder's code run: it is read as
    text. The import of it cannot be asked for."""
    marker = tmp_path / "ran"
    code = MARK.format(marker=str(marker))
    write(tmp_path / "dir", {"pack/__init__.py": code, f"pack/{EXTENSION}": ""})
    path = tmp_path / "dir" / target
    if path.is_dir():
        assert "pack.x" in symbols(read(path))
    with pytest.raises(SourceError, match="installed"):
        find_source(str(path), imports=True)
    with contextlib.suppress(SourceError):
        read(path)
    assert not marker.exists()


def test_a_name_that_is_no_package_but_a_folder_here_is_never_imported(tmp_path, monkeypatch):
    """Neither with the user's word for an installed one, nor without it."""
    marker = tmp_path / "ran"
    write(tmp_path, {"pack_here/__init__.py": MARK.format(marker=str(marker))})
    write(tmp_path, {f"pack_here/{EXTENSION}": ""})
    monkeypatch.chdir(tmp_path)
    assert "pack_here.x" in symbols(read("pack_here"))
    with pytest.raises(SourceError, match="installed"):
        find_source("pack_here", imports=True)
    assert not marker.exists()


def test_an_installed_package_is_imported_with_the_user_s_word_alone(tmp_path):
    """Without it a compiled one is read as text; the two readings are told apart by their
    fingerprints, so that the one replaces the other in an index."""
    marker = tmp_path / "ran"
    code = MARK.format(marker=str(marker))
    python = environment(tmp_path, {"pack/__init__.py": code, f"pack/{EXTENSION}": ""})
    assert "pack.x" in symbols(read("pack", python))
    assert not marker.exists()
    assert "pack.x" in symbols(read("pack", python, imports=True))
    assert marker.exists()
    plain, word = (find_source("pack", python=python, imports=each) for each in (False, True))
    assert list_parts(plain)[0].fingerprint != list_parts(word)[0].fingerprint


def test_the_command_imports_with_the_option_alone(tmp_path):
    """Without it, it says how the compiled modules can be had."""
    marker = tmp_path / "ran"
    code = MARK.format(marker=str(marker))
    python = environment(tmp_path, {"pack/__init__.py": code, f"pack/{EXTENSION}": ""})
    words = ("docs", "add", "pack", "--python", str(python))
    asked = invoke(*words, LAIOS_DOCS_DIR=str(tmp_path / "index"))
    assert "--import" in asked.stderr and not marker.exists()
    invoke(*words, "--import", LAIOS_DOCS_DIR=str(tmp_path / "index"))
    assert marker.exists()


DAEMON = """
import os, sys
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        mine = {pid!r} + str(os.getpid())  # it may be imported again, and ended in the middle
        open(mine, "w").write(str(os.getpid()))
        os.replace(mine, {pid!r})
        import time
        time.sleep(600)
    os._exit(0)
while not os.path.exists({pid!r}) or not open({pid!r}).read():
    pass
"""


@pytest.mark.skipif(sys.platform != "linux", reason="macOS cannot say what left a session")
@pytest.mark.parametrize("end", ["", "import os; os.kill(os.getpid(), 11)", "while True: pass"])
def test_what_an_import_started_is_gone_with_it(tmp_path, end, monkeypatch):
    """A daemon in a session of its own as well, however the import ends."""
    monkeypatch.setattr(worker_process, "SILENCE_S", 1.5)
    pid = tmp_path / "pid"
    imported(tmp_path, {"__init__.py": DAEMON.format(pid=str(pid)) + end})
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)


def test_a_library_of_gigabytes_does_not_hold_up_the_look_for_modules(tmp_path):
    """Only its head is searched for the name that a module has; in a folder nothing is."""
    python = environment(tmp_path, {"pack/__init__.py": "", "pack/large.so": ""})
    large = next(tmp_path.rglob("large.so"))
    os.truncate(large, 16 << 30)
    begun = time.monotonic()
    assert find_source("pack", python=python, imports=True).kind == "package"
    assert [part.path for part in list_parts(find_source(str(large.parent)))] == ["pack"]
    assert time.monotonic() - begun < 10


def test_an_imported_package_is_imported_in_a_process_of_its_own(tmp_path):
    """Its environment is empty and its home is not the user's; what it prints goes nowhere."""
    code = "import os\nprint('noise' * 10_000)\n"
    code += "class A:\n  def f(self, x: int) -> 'A':\n    'Does it.'\n    self.y = x\n"
    code += "def seen(): pass\n"
    code += "seen.__doc__ = '\\n\\n'.join([str(os.getpid()), os.environ['HOME'], *os.environ])\n"
    readings = imported(tmp_path, {"__init__.py": code})
    known, seen = symbols(readings), chunks(readings)["seen_api_0"].content
    assert "pack" not in sys.modules
    _, pid, home, *keys = seen.split("\n\n")
    assert pid != str(os.getpid())
    assert home and home != str(Path.home())
    assert {*keys} <= {"HOME", "LC_CTYPE"}
    assert known["pack.A.y"].kind == "attribute"
    assert known["pack.A.f"].returns == "pack.A"
    assert known["pack.A"].complete


def test_an_import_that_crashes_or_hangs_costs_one_module(tmp_path, monkeypatch):
    """The others are read; what is Python is read from its text, with the reason as a note; what
    is not is a note alone."""
    monkeypatch.setattr(worker_process, "SILENCE_S", 1.5)
    modules = {
        "__init__": "def first(): ...",
        "crashes": "import os; os.kill(os.getpid(), 11)\ndef one(): ...",
        "leaves": "import os; os._exit(3)\ndef two(): ...",
        "hangs": "while True: pass\ndef three(): ...",
        "raises": "raise SystemExit('no')\ndef four(): ...",
        "good": "def five(): ...",
    }
    readings = imported(tmp_path, {f"{name}.py": f"{code}\n" for name, code in modules.items()})
    known = symbols(readings)
    assert {f"pack.{name}" for name in ("first", "good.five")} <= known.keys()
    for module, function, why in (
        ("crashes", "one", "killed by SIGSEGV"),
        ("leaves", "two", "status 3"),
        ("hangs", "three", "nothing was heard"),
        ("raises", "four", "SystemExit: no"),
    ):
        assert f"pack.{module}.{function}" in known
        assert why in readings[f"pack.{module}"].problems[0]
    assert not readings["pack.good"].problems
    assert "ImportError" in readings["pack.inner"].problems[0]


HOSTILE = r"""
import sys, threading, time, types

class Meta(type):
    def __getattribute__(cls, name):
        if name in ("__doc__", "__module__", "__qualname__"):
            raise RuntimeError(name)
        return super().__getattribute__(name)

class Angry(metaclass=Meta):
    def fine(self): "Still here."

class Liar:
    __class__ = int
    __doc__ = 17
    __name__ = ["x"]
    def __call__(self): ...
    def __repr__(self): raise ValueError

class Bad:
    def f(self, x=Liar()): "Doc."
    @property
    def p(self): raise OSError

Bad.__doc__ = Bad.f.__doc__ = "half " + chr(0xd800) + " a pair, and " + chr(0) + " nothing"

liar = Liar()
good = 1
globals()["no identifier"] = 1
globals()["x" * 100_000] = 1
globals()[7] = 1
deep = type("Deep", (), {})
deep.me = deep
many = types.SimpleNamespace(**{f"n{i}": i for i in range(1000)})
Huge = type("Huge", (), {f"method_{i}": (lambda self: None) for i in range(30_000)})
Huge.__doc__ = "word " * 200_000
threading.Thread(target=time.sleep, args=(3600,)).start()
sys.stdout = sys.stderr = None
"""


def test_a_hostile_package_gets_what_is_good_of_it_in(tmp_path):
    """Attributes that raise or lie, halves of characters, endless texts, a thread that stays."""
    begun = time.monotonic()
    readings = imported(tmp_path, {"__init__.py": HOSTILE})
    known = symbols(readings)
    assert {"pack.good", "pack.Bad.f", "pack.Huge.method_7"} <= known.keys()
    for chunk in chunks(readings).values():
        chunk.content.encode()
        assert len(chunk.content) < 3_000
    assert time.monotonic() - begun < 20


def test_a_module_that_is_gone_or_has_no_text_is_a_note(tmp_path):
    """Whether the package is imported or read as text; a compiled module names the way."""
    files = {"pack/__init__.py": "x = 1", "pack/gone.py": "", f"pack/{EXTENSION}": ""}
    python = environment(tmp_path, files)
    for imports in (False, True):
        source = find_source("pack", python=python, imports=imports)
        parts = list_parts(source)
        gone = source.packages[0].path / "gone.py"
        gone.unlink()
        notes = {reading.path: reading.problems for reading in read_parts(source, parts)}
        gone.touch()
        assert not notes["pack"]
        assert len(notes["pack.gone"]) == len(notes["pack.inner"]) == 1
        assert ("--import" in notes["pack.inner"][0]) is not imports


def test_what_a_package_writes_to_the_pipe_cannot_break_the_reading(tmp_path):
    """It may send what it likes: nonsense ends its child, and the rest is read from the text."""
    code = "import os\nfor fd in range(3, 30):\n  try: os.write(fd, b'{]\\n' * 100)\n"
    code += "  except OSError: pass\ndef f(): ...\n"
    readings = imported(tmp_path, {"__init__.py": code})
    assert "pack.f" in symbols(readings)
    assert "something else than its messages" in readings["pack"].problems[0]


def test_structlog_which_is_plain_python():
    """Public names lead to the functions of private modules; its own `__getattr__` is known."""
    readings = read("structlog")
    known = symbols(readings)
    assert {"structlog.configure", "structlog.get_logger"} <= known.keys()
    assert "processors" in (known["structlog.configure"].parameters or ())
    assert known["structlog.stdlib.BoundLogger"].bases == ("structlog.BoundLoggerBase",)
    assert "structlog.stdlib.BoundLogger.bind" in known
    assert not known["structlog"].complete
    assert "configure_api_0" in chunks(readings)


def test_orjson_which_is_compiled():
    """Its functions have their parameters; its description is read as well."""
    readings = read("orjson", imports=True)
    known = symbols(readings)
    assert known["orjson.dumps"].parameters == ("default", "option")
    assert known["orjson"].complete
    assert "dumps_api_0" in chunks(readings)
    assert any(chunk.content_type == "CODE" for chunk in readings["README"].chunks)


def test_rich_which_is_large():
    """Every id is its own, from one reading to the next; no chunk is too large for a prompt."""
    first, second = read("rich"), read("rich")
    ids = [chunk.id for reading in first.values() for chunk in reading.chunks]
    assert len(set(ids)) == len(ids) > 300
    assert sorted(ids) == sorted(chunks(second))
    assert max(len(chunk.content) for chunk in chunks(first).values()) < 3_000
    names = [symbol.name for reading in first.values() for symbol in reading.symbols]
    assert len(set(names)) == len(names)
    assert "Table_api_0" in ids
    assert "rich.table.Table.add_row" in symbols(first)
