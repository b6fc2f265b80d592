"""Filter near duplicates and texts with secrets out of training data."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from server.training_data.examples import Example

SIMILAR = 0.8
"""Jaccard similarity of shingles from which two examples count as one."""
_WORDS = 3  # in a shingle
_PERMUTATIONS = 128
_SEED = 1
PIECE = 2000  # characters of a line that are scanned at once
OVERLAP = 1000  # a secret this long is whole in one of them
_NOT_ASKED = "detect_secrets.filters.allowlist.is_line_allowlisted"  # the text would say it itself


class MissingExtra(Exception):
    """A library of the extra is not installed; the message says how to get it."""

    def __init__(self, package: str) -> None:
        super().__init__(
            f"{package} is not installed. `pip install 'laios[export]'` adds what an export needs."
        )


@dataclass
class LeftOut:
    """How many examples were left out: as near duplicates, and for which kinds of secrets."""

    duplicates: int = 0
    secrets: Counter[str] = field(default_factory=Counter)


def clean(examples: Iterable[Example], left_out: LeftOut) -> Iterator[Example]:
    """Those that are neither a near duplicate of one before them nor hold what looks like a secret.
    Raises MissingExtra."""
    seen = _Seen()
    for example in examples:
        if kind := secret_in(*_texts(example)):
            left_out.secrets[kind] += 1
        elif seen.has_like(example):
            left_out.duplicates += 1
        else:
            yield example


class _Seen:
    """MinHash signatures of what came before, in an LSH index (datasketch)."""

    def __init__(self) -> None:
        try:
            from datasketch import MinHashLSH
        except ImportError as error:
            raise MissingExtra("datasketch") from error
        self._index = MinHashLSH(threshold=SIMILAR, num_perm=_PERMUTATIONS)
        self._count = 0

    def has_like(self, example: Example) -> bool:
        """Whether one like it was there; if not, it is from now on."""
        from datasketch import MinHash

        signature = MinHash(num_perm=_PERMUTATIONS, seed=_SEED)
        signature.update_batch(sorted(_shingles(example)))
        if self._index.query(signature):
            return True
        self._index.insert(str(self._count), signature)
        self._count += 1
        return False


def _texts(example: Example) -> list[str]:
    turns = ("prompt", "completion", "chosen", "rejected")
    return [turn["content"] for name in turns for turn in example.get(name, ())]


def _shingles(example: Example) -> set[bytes]:
    words = "\n".join(_texts(example)).split()
    runs = range(max(1, len(words) - _WORDS + 1))
    return {" ".join(words[at : at + _WORDS]).encode("utf-8", "replace") for at in runs}


def secret_in(*texts: str) -> str | None:
    """The kind of the first thing in the texts that looks like a secret, with detect-secrets' own
    plugins and filters; None for clean texts. Raises MissingExtra and OSError."""
    try:
        from detect_secrets.core.scan import scan_file
        from detect_secrets.settings import default_settings
    except ImportError as error:
        raise MissingExtra("detect-secrets") from error
    # It reads files: of a line by itself it takes any word for a secret. Code has its names in
    # quotes where they are values, which the ending says.
    with TemporaryDirectory(prefix="laios-") as private, default_settings() as settings:
        settings.disable_filters(_NOT_ASKED)
        file = Path(private) / "example.py"
        file.write_text("\n".join(pieces("\n".join(texts))), encoding="utf-8", errors="replace")
        return next((str(found.type) for found in scan_file(str(file))), None)


def pieces(text: str) -> Iterator[str]:
    """The text's lines, of which long ones come in pieces that overlap: to scan a line takes time
    with the square of its length."""
    for line in text.split("\n"):
        for at in range(0, max(1, len(line) - OVERLAP), PIECE - OVERLAP):
            yield line[at : at + PIECE]
