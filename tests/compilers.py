"""What the tests of compiled languages share: which compilers are there, and one cache."""

import shutil

import pytest

from pipeline.sandbox import compiler_of

LANGUAGES = ("c", "cpp", "go", "java", "rust")


def in_one_worker(name):
    """The tests of a file, one after the other: compilers need memory."""
    return pytest.mark.xdist_group(name)


@pytest.fixture(scope="session")
def cache(tmp_path_factory, worker_id):
    """One for all workers: to compile Go's packages takes 15 s."""
    own = tmp_path_factory.getbasetemp()
    made = (own if worker_id == "master" else own.parent) / "compilers"
    made.mkdir(exist_ok=True)
    return made


@pytest.fixture(autouse=True)
def one_cache(cache, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))


def needs(language):
    has = shutil.which("bwrap") and compiler_of(language)
    return pytest.mark.skipif(not has, reason=f"it needs bubblewrap and a compiler for {language}")
