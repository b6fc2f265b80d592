"""What the tests of compiled languages share: which compilers are there (for TypeScript: Node), and
one cache."""

import shutil

import pytest

from pipeline.sandbox import can_build

LANGUAGES = ("c", "cpp", "go", "java", "rust")


def in_one_worker(name):
    """The tests of a file, one after the other: compilers need memory."""
    return pytest.mark.xdist_group(name)


@pytest.fixture(autouse=True)
def kept_packages(request, monkeypatch):
    """Go's compiled packages are one for all workers, and for the runs of the suite to come: to
    make them takes 10 s."""
    kept = request.config.cache.mkdir("go-packages")
    monkeypatch.setattr("config.go_packages_dir", lambda: kept)


def needs(language):
    has = shutil.which("bwrap") and can_build(language)
    return pytest.mark.skipif(not has, reason=f"it needs bubblewrap and what runs {language}")
