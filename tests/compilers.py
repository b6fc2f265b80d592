"""What the tests of compiled languages share: which compilers are there, and one cache."""

import shutil
from pathlib import Path

import pytest

from pipeline.sandbox import compiler_of

LANGUAGES = ("c", "cpp", "go", "java", "rust")
# In one worker: what Go's packages cost is paid once, and compilers need memory.
IN_ONE_WORKER = pytest.mark.xdist_group("compilers")
_CACHES: list[Path] = []  # one for all modules: to compile Go's packages takes 15 s


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    if not _CACHES:
        _CACHES.append(tmp_path_factory.mktemp("cache"))
    return _CACHES[0]


@pytest.fixture(autouse=True)
def one_cache(cache, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))


def needs(language):
    has = shutil.which("bwrap") and compiler_of(language)
    return pytest.mark.skipif(not has, reason=f"it needs bubblewrap and a compiler for {language}")
