"""The locked environments: what running needs, and what tests and checks need as well."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
LOCKS = ("requirements.lock", "requirements-dev.lock")


def locked(lock: str) -> set[tuple[str, str]]:
    """Names and versions; one name may have two, for different versions of Python."""
    return set(re.findall(r"^([\w.-]+)==(\S+)", (ROOT / lock).read_text(), re.MULTILINE))


def missing(requirements: list[str], lock: str) -> list[str]:
    """The requirements that the lock does not meet."""
    versions = locked(lock)
    return [
        text
        for text in requirements
        for wanted in [Requirement(text)]
        if not any(
            name == canonicalize_name(wanted.name) and wanted.specifier.contains(version)
            for name, version in versions
        )
    ]


@pytest.fixture(scope="module")
def declared() -> dict[str, list[str]]:
    """What pyproject.toml asks for, by purpose."""
    table = tomllib.loads((ROOT / "pyproject.toml").read_text())
    project, groups = table["project"], table["dependency-groups"]
    return {
        "run": project["dependencies"],
        "build": table["build-system"]["requires"],
        "dev": [
            *(each for each in groups["dev"] if isinstance(each, str)),
            *project["optional-dependencies"]["litellm"],
            *project["optional-dependencies"]["mcp"],
        ],
    }


def test_running_has_what_it_needs_and_nothing_else(declared: dict[str, list[str]]) -> None:
    """What links the checkout into its environment is part of that."""
    assert not missing(declared["run"] + declared["build"], "requirements.lock")
    assert missing(declared["dev"], "requirements.lock") == declared["dev"]


def test_tests_and_checks_add_to_the_same_versions(declared: dict[str, list[str]]) -> None:
    """What is tested is what runs."""
    assert locked("requirements.lock") < locked("requirements-dev.lock")
    assert not missing(declared["dev"], "requirements-dev.lock")


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_has_hashes_and_no_index(lock: str) -> None:
    """Whoever installs from it says where from."""
    text = (ROOT / lock).read_text()
    assert len(re.findall(r" \\\n    --hash=sha256:", text)) >= len(locked(lock))
    assert re.sub(r"    --hash=sha256:[0-9a-f]{64}", "", text).count("--") == 0
    assert "://" not in text
