"""What stands in files that scripts are tried with: of the kinds of a request's words, with the
words that it names and the texts that it shows. Pure."""

import re
from collections.abc import Iterator, Sequence

from pipeline.testcases.sample_files import columns_of
from pipeline.testcases.shown_runs import shown_texts

_MOST_READ = 20_000  # characters of a request, and of a script
_NUMBERS = re.compile(
    r"\b(?:a|one|two|whole|positive) (?:number|integer)\b"
    r"|\bnumbers\b|\bnumeric\b|\bintegers?\b|\bzahlen\b|\baverage\b|\bmean\b|\bmedian\b|\bsums?\b",
    re.IGNORECASE,
)
_ACCESS = re.compile(
    r"\baccess[ ._]?logs?\b|\bapache\b|\bnginx\b|\bIPs?\b|\bIP address|\bHTTP\b|\brequests? per"
)
_TEXTS = (
    "apple pear\nfig apple\nkiwi pear\napple fig\napple pear\n",
    "kiwi\nfig\napple\nfig\nfig\nkiwi\n",
    "red red red\nblue blue\ngreen\n",
    "plum\n",
)
# A request's `name:uid:shell` for the lines of a file.
_RECORD = re.compile(
    r"(?<![\w/:.;|])([A-Za-z]\w{0,20}([:;|])[A-Za-z]\w{0,20}(?:\2[A-Za-z]\w{0,20}){1,6})(?![\w:/])"
)
_OF_NUMBERS = ("10\n3\n25\n8\n", "4\n-2\n7\n-12\n", "5\n", "1\n2\n3\n4\n5\n6\n", "10\n\n3\n\n-1\n")
_DECIMALS = "2.5\n4\n-0.25\n"
_NATURAL = re.compile(
    r"\b(?:whole|natural|positive|non-?negative) (?:number|integer)", re.IGNORECASE
)
_OF_DECIMALS = re.compile(r"\bdecimals?\b|\bfloat|\bfraction|\b\d\.\d\b|\bkommazahl", re.IGNORECASE)
_LONG = "".join(f"apple {n}\n" for n in range(1, 31))
_SPEAKS_OF_LINES = re.compile(r"\blines?\b|\bhead\b|\btail\b", re.IGNORECASE)
_LOGS = (
    "2024-05-01 13:45:10 ERROR disk full\n2024-05-01 13:59:59 INFO started\n"
    "2024-05-02 08:00:00 WARNING low memory\n2024-05-02 09:30:00 ERROR disk full\n"
    "2024-05-03 10:00:00 ERROR no route\n",
    "2024-05-01 00:00:01 INFO started\n2024-05-01 00:00:09 INFO stopped\n",
    "2024-06-01 00:00:01 WARNING low memory\n2024-06-01 10:00:09 ERROR no route\n",
)
_ACCESSES = (
    "".join(
        f'10.0.0.{ip} - - [1{n // 4}/Oct/2024:{6 + n // 3:02}:55:{n}6 +0000] "GET /{page} HTTP/1.1"'
        f' {status} {size} "-" "Mozilla/5.0 (X11)"\n'
        for n, (ip, page, status, size) in enumerate(
            (
                *((1, "index.html", 200, 512), (2, "about.html", 404, 5316)),
                *(
                    (1, "index.html", 200, 77),
                    (3, "index.html", 500, 200),
                    (1, "shop.html", 500, 0),
                ),
                *((2, "about.html", 404, 404), (1, "about.html", 503, 900)),
                *((2, "index.html", 301, 500), (4, "login", 404, 12), (1, "index.html", 404, 8)),
            )
        )
    ),
    '10.0.0.9 - - [01/Nov/2024:00:00:01 +0000] "POST /login HTTP/1.1" 403 12 "-" "curl/8"\n',
)
_CODE = {
    "py": (
        "import os\n\n# TODO: names\ndef f(x):\n    return x\n",
        "def g():\n    # FIXME: this\n    pass\n\n\ndef h():\n    return g()\n",
        "print(1)\n",
    ),
    "sh": ("#!/bin/bash\necho apple\n", "#!/bin/sh\n# TODO: this\nls\n"),
    "js": ("// TODO: this\nconst x = 1;\n", "function f() {\n  return 1;\n}\n"),
    "html": ('<html><a href="http://a.org/x">apple</a></html>\n', "<p>pear</p>\n"),
    "md": ("# Apple\n\nA [link](b.md).\n\n## Pear\n", "text\n"),
    "env": ("# A=0\nA=1\nAB=two words\n\nXA=3\nC=x=y\n", "A=2\nB=\n"),
    "ini": (
        "; host = no\n[first]\nhost = a\nport = 80\n\n[second]\n# port = 1\nhost = b = c\n"
        "name = two words\n",
        "[second]\nhost = d\n[first]\nhostname = f\nhost=e\n",
    ),
    "json": (
        '{"name": "Ann", "age": 33, "tags": ["x", "y"]}\n',
        '{"name": "Bob", "age": 4, "tags": []}\n',
    ),
}  # fmt: skip
WITH_FORM = ("csv", "tsv", "json", "env", "ini", "conf", "cfg", "tar", "tgz", "zip", "tar.gz")
_BETWEEN = {"csv": ",", "tsv": "\t", "env": "=", "conf": "=", "cfg": "="} | dict.fromkeys(
    ("json", "ini", "tar", "tgz", "zip", "tar.gz"), "\0"
)
_RESULTS = ("output", "outputs", "prints", "print", "gives", "result", "ausgabe", "becomes")
_ARCHIVES = ("archive of a.txt, b/c.txt, b/d e.txt", "archive of x.md", "none\n")
_CODE |= dict.fromkeys(("tar", "tgz", "zip", "tar.gz"), _ARCHIVES)
_CODE |= {"conf": _CODE["env"], "cfg": _CODE["env"], "markdown": _CODE["md"]}
# Texts that are only in a folder where the request speaks of what they have.
_OF_REQUEST: tuple[tuple[str, str], ...] = (
    (r"\bblank\b|\bempty lines?\b", "apple\n\npear\n\n\nfig\n"),
    (r"\bcase\b|\bcapital|\bupper|\blower", "Apple apple\nPEAR pear fig\nFig\n"),
    (r"\btrim|\btrailing|\bleading|\bwhite ?space", "  apple  \n\tpear \nfig\n"),
    (r"\bcomments?\b", "# note\napple\n  # second\npear # fig\n"),
    (
        r"\bcharacters\b|\blonger\b|\blong lines?\b",
        "fig\n" + "apple " * 20 + "\npear\n" + "x" * 81 + "\n",
    ),
    (r"\bpunctuation\b|\bsentences?\b|\bvowels?\b", "Apple, pear. Fig!\nWhy fig?\n"),
    (r"\btabs?\b", "apple\tpear\tplum\n\t\tfig\n"),
    (r"\bCRLF\b|\bcarriage|\bwindows\b|\bline endings?\b|\bdos2unix", "apple\r\npear\r\n"),
    (r"\be-?mails?\b", "write to ann@a.org or bob@b.com\nnobody\nann@a.org\n"),
    (r"\burls?\b|\blinks?\b", "see http://a.org/x and https://b.com\nnothing\n"),
    (r"\bdates?\b(?!.{0,40}name)", "2024-02-29 apple\n2023-12-31 pear\n"),
)  # fmt: skip
_OF_PATTERN = re.compile(
    r"\bs([/|#,])([^/|#,\n]{1,40})\1|\bgrep\b(?:\s+-\w+)*\s+[\"']?([\w .-]{2,40})|//?([\w ]{2,40})/"
)
_QUOTED = re.compile(r"[`'\"]([^`'\"\n]{2,40})[`'\"]|\b([A-Z]{3,12})\b")
_LEVELS = ("ERROR", "WARN", "WARNING", "INFO", "DEBUG", "TODO", "FIXME", "FATAL")
_WORD = re.compile(r"[A-Za-z][\w-]{1,30}")
_CELLS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"date|day", ("2024-02-29", "2023-12-31", "2024-02-29", "2024-01-15")),
    (r"mail", ("ann@a.org", "bob@b.com", "li@c.net", "cid@a.org")),
    (r"^id$|_id", ("1", "2", "3", "4")),
    (r"city|town|country", ("Rome", "Oslo", "Rome", "Paris")),
    (
        r"department|category|type|group|team|status|region|shell|role",
        ("toys", "books", "toys", "games"),
    ),
    (r"name|product|item|user|title|author|customer|employee|student", ("Ann", "Bob", "Li", "Cid")),
)
_MOST_WORDS = 4
_FIGURES = (("33", "4", "33", "18"), ("20", "10", "20", "45"), ("100", "250", "75", "300"))


class Contents:
    """`words` of the request that files have; `shown`: the texts that the request shows."""

    def __init__(self, request: str, script: str) -> None:
        self._request, self._script = request[:_MOST_READ], script[:_MOST_READ]
        self.words = list(dict.fromkeys(self._words()))[:_MOST_WORDS]
        self.shown = shown_texts(self._request)
        self._known: dict[str, Sequence[str]] = {}

    def of_kind(self, kind: str = "txt") -> Sequence[str]:
        """That stand in files of that extension."""
        if kind not in self._known:
            self._known[kind] = self._of_kind(kind)
        return self._known[kind]

    def _of_kind(self, kind: str) -> Sequence[str]:
        if kind in ("csv", "tsv"):
            made = [*self._shown(kind)] or [*self._tables("," if kind == "csv" else "\t")]
        elif kind in _CODE:
            made = [*_CODE[kind]]
        elif _ACCESS.search(self._request):
            return [*self._shown(kind), *_ACCESSES]
        elif kind not in WITH_FORM and (record := _RECORD.search(self._request)):
            return [*self._shown(kind), *_tables(record[1].split(record[2]), record[2], head=False)]
        elif kind == "log" or re.search(
            r"\blogs?\b|\blog-?(?:file|datei)|\bERROR\b", self._request
        ):
            return [*self._shown(kind), *_LOGS]
        elif _NUMBERS.search(self._request):
            decimal = [_DECIMALS] if _OF_DECIMALS.search(self._request) else []
            natural = _NATURAL.search(self._request)
            made = [each for each in _OF_NUMBERS if not natural or "-" not in each]
            return [*self._shown(kind), *decimal, *made]
        else:
            made = [*self._of_words(), *_TEXTS]
        spoken = [text for said, text in _OF_REQUEST if re.search(said, self._request, re.I)]
        found = [*self._of_words(), *spoken] if kind not in WITH_FORM else []
        if _SPEAKS_OF_LINES.search(self._request) and kind not in WITH_FORM:
            found.append(_LONG)
        return list(dict.fromkeys([*self._shown(kind), *found, *made]))

    def _shown(self, kind: str) -> Iterator[str]:
        """Texts that the request shows, as they are and with their last lines first."""
        for label, text in self.shown:
            lines = text.splitlines(keepends=True)
            if kind not in WITH_FORM and label not in _RESULTS:
                yield text
                if len(lines) > 2:
                    yield "".join([*lines[2:], *lines[:1]])
            elif kind in _BETWEEN and all(_BETWEEN[kind] in line for line in lines if line.strip()):
                head = 1 if kind in ("csv", "tsv") else 0
                yield text
                yield "".join([*lines[:head], *reversed(lines[head:])])

    def _of_words(self) -> Iterator[str]:
        if self.words:
            first, last = self.words[0], self.words[-1]
            yield f"{first} apple {last}\npear\n{first} {first} fig\n"
            yield f"kiwi\nfig {last} {first}\n"

    def _tables(self, between: str) -> Iterator[str]:
        columns = columns_of(self._request, self._script)
        return _tables([*columns, f"old_{columns[-1]}"], between, head=True)

    def _words(self) -> Iterator[str]:
        """That the request names, and the script looks for."""
        said = {word.lower() for word in _WORD.findall(self._request)}
        for found in _OF_PATTERN.finditer(self._script):
            text = (found[2] or found[3] or found[4]).strip()
            if text and any(word.lower() in said for word in _WORD.findall(text)):
                yield text.replace("\\", "")
        for found in _QUOTED.finditer(self._request):
            if found[1] and found[1] in self._script and _WORD.fullmatch(found[1]):
                yield found[1]
            if found[2] in _LEVELS and found[2] in self._script:
                yield found[2]


def _tables(columns: Sequence[str], between: str, *, head: bool) -> Iterator[str]:
    """`head`: with a line of the names of the columns."""
    cells = [_column(n, name) for n, name in enumerate(columns)]
    rows = [between.join(row) for row in zip(*cells, strict=True)]
    header = [between.join(columns)] if head else []
    for picked in (rows, rows[:1], [*rows[2:], rows[0]]):
        yield "\n".join([*header, *picked]) + "\n"


def _column(number: int, name: str) -> tuple[str, ...]:
    found = (cells for said, cells in _CELLS if re.search(said, name.lower()))
    return next(found, _FIGURES[number % len(_FIGURES)])
