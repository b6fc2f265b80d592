"""Folders that scripts are tried in: files of the kinds that the request and the script speak of,
some with blanks in their names, further down where that is spoken of, empty. Pure.

What the request leaves open is not in them, as far as that is known: hidden files, text without an
end of line, words in two cases, several that are equally frequent."""

import re
from collections.abc import Iterator, Sequence
from itertools import cycle, islice

from pipeline.testcases.sample_files import Files
from pipeline.testcases.shell_contents import WITH_FORM, Contents

_MOST_READ = 20_000  # characters of a request, and of a script
_MOST_KINDS, _MOST_NAMED = 3, 5
_EXTENSIONS = (
    "avi|bak|bash|c|cfg|conf|cpp|css|csv|dat|db|env|gif|go|gz|h|htm|html|ini|java|jpeg|jpg|js|json|log|markdown|md"
    "|mkv|mov|mp3|mp4|old|out|pdf|php|png|py|rb|rs|rst|sh|sql|svg|swp|tar|tgz|tmp|toml|ts|tsv|txt|wav|webp|xml"
    "|yaml|yml|zip"
)
_EXTENSION = re.compile(rf"\.({_EXTENSIONS})\b(?![\w/])", re.IGNORECASE)
_OWN_NAME = re.compile(r"\b[\w-]{1,40}\.(?:ba)?sh\b")  # of the script that is asked for
_SPOKEN = {
    "py": r"\bpython files?",
    "txt": r"\btext files?",
    "log": r"\blog ?files?|\blogs\b|\blog-?datei",
    "ini": r"\bini\b",
    "csv": r"\bcsv\b",
    "json": r"\bjson\b",
    "md": r"\bmarkdown\b",
    "sh": r"\bshell scripts?\b(?= (?:in|under))",
    "jpg": r"\b(?:images?|photos?|pictures?|jpgs?)\b",
    "jpeg": r"\bjpegs?\b",
    "png": r"\bpngs?\b",
    "html": r"\bhtml\b",
    "mp3": r"\bmp3s?\b",
    "tmp": r"\b(?:temp(?:orary)?|tmp) files?",
    "bak": r"\bbackup files?",
    "js": r"\bjavascript files?",
    "java": r"\bjava files?",
    "c": r"\bC (?:source )?files\b",
    "yaml": r"\byaml\b",
    "env": r"\.env\b",
    "tsv": r"\btsv\b",
    "xml": r"\bxml\b",
    "pdf": r"\bpdfs?\b",
}
_NAME = re.compile(rf"(?<![\w/.*$}}~-])([A-Za-z][\w-]{{0,30}}\.(?:{_EXTENSIONS}))\b(?![\w/])")
_WRITTEN = re.compile(
    r"(?:>|\btee\b(?:\s-a)?|-o|--output|\btouch\b|\bzip\b|\btar\s+-?\w+)\s{0,9}\"?$"
)
# A file that a request names as what is to be made.
_MADE = re.compile(
    r"\b(?:writ|sav|stor|put|creat|generat|produc|schreib|speicher)[^.\n]{0,60}"
    r"\b(?:to|into|as|in|nach|called|named|file) (?:a )?(?:file )?(?:called |named )?[`'\"]?$",
    re.IGNORECASE,
)
_FOLDER = re.compile(r"(?<![\w/.~${}*-])([a-z][\w-]{1,20})/(?![\w/.-]{0,40}\.com)")
_NAMED_FOLDER = re.compile(
    r"\b(?:director(?:y|ies)|folders?) (?:named |called )?[`'\"]([\w-]{1,20})/?[`'\"]",
    re.IGNORECASE,
)
_DEEP = re.compile(
    r"recurs|\bsub-?(?:director|folder)|\bnested\b|\bbelow\b|\bunder(?:neath)?\b|\btree\b|\bdeep"
    r"|\b(?:not|only) (?:in|the) (?:current|top)|\bdirectly\b|\ball levels\b|\bmaxdepth",
    re.IGNORECASE,
)
_EMPTY_FOLDERS = re.compile(r"\bempty (?:sub-?)?(?:director|folder)", re.IGNORECASE)
_DOUBLES = re.compile(
    r"\bduplicate (?:files|images|photos)|\bidentical|\bsame (?:content|file)|\bchecksum|\bhash",
    re.I,
)
_HIDDEN = re.compile(r"(?<!no )(?<!assume there are no )\bhidden\b|\bdotfiles?\b", re.IGNORECASE)
_OF_CASE = re.compile(
    r"\b(?:lower|upper) ?-?case\b|\bcase-?insens|\b(?:klein|groß)buchst", re.IGNORECASE
)
_EXISTS = re.compile(r"\bexist|\balready\b|\bgibt es\b|\boverwrit", re.IGNORECASE)
_BY_EXTENSION = re.compile(r"\bextensions?\b", re.IGNORECASE)
_KEEPS = re.compile(
    r"\bkeep|\bold(?:er|est)?\b|\bnewest\b|\bmost recent\b|\blast \d|\brotat", re.IGNORECASE
)
_GLOB = re.compile(r"(?<![\w*])([A-Za-z][\w-]{1,20}[-_.])\*([\w.-]{1,12})")
_DAYS = "2024010{}-120000"
_UNPACKS = re.compile(r"\bunpack|\bextract|\buncompress|\bunzip|\barchive\b", re.IGNORECASE)
_FILES = 5  # in a folder


class Folders:
    """Files that a script is tried with. `kinds`: the extensions; `named`: files that it looks for
    under their own names, `folders`: the same of folders; `may_exist`: whether what is to be made
    may be there already; `words` and `texts`: what stands in the
    files (`Contents`)."""

    def __init__(self, request: str, script: str) -> None:
        self._request, self._script = request[:_MOST_READ], script[:_MOST_READ]
        self._said: dict[re.Pattern[str], bool] = {}
        self.kinds = self._kinds()
        self._contents = Contents(request, script)
        self.words, self.texts = self._contents.words, self._contents.of_kind
        self.named = self._named_files()
        self.folders = self._named_folders()
        self._is_deep, self.may_exist = self._says(_DEEP), self._says(_EXISTS)
        self._kept = [*self._kept_names()]

    def _says(self, pattern: re.Pattern[str]) -> bool:
        if pattern not in self._said:
            self._said[pattern] = bool(pattern.search(self._request))
        return self._said[pattern]

    def _kinds(self) -> list[str]:
        said = _OWN_NAME.sub("", self._request)
        found = [each.lower() for each in _EXTENSION.findall(said)]
        found += [kind for kind, said in _SPOKEN.items() if re.search(said, self._request, re.I)]
        if re.search(r"\.tar\.gz\b|\btarballs?\b", said) and _UNPACKS.search(said):
            return ["tar.gz"]
        if re.search(
            r"\bconfig(?:uration)? files?\b|\w=\w{1,30}`? (?:lines|pairs)|\bkey=value", said, re.I
        ):
            found.append("conf")
        globs = re.findall(rf"\*\\?\.({_EXTENSIONS})\b", self._script)
        return list(dict.fromkeys([*found, *globs]))[:_MOST_KINDS]

    def _named_files(self) -> list[str]:
        """Those of the request, and those that the script reads."""
        names = [
            each[1]
            for each in _NAME.finditer(self._request)
            if not _MADE.search(self._request[max(0, each.start() - 80) : each.start()])
        ]
        names += [
            each[1]
            for each in _NAME.finditer(self._script)
            if not _WRITTEN.search(self._script[max(0, each.start() - 20) : each.start()])
            and not re.search(rf">\s{{0,3}}[\"']?{re.escape(each[1])}", self._script)
        ]
        made = {each for each in names if each.endswith((".sh", ".gz", ".zip", ".tar", ".tgz"))}
        return [each for each in dict.fromkeys(names) if each not in made][:_MOST_NAMED]

    def _named_folders(self) -> list[str]:
        found = [*_NAMED_FOLDER.findall(self._request), *_FOLDER.findall(self._request)]
        found += _FOLDER.findall(self._script)
        known = (each for each in dict.fromkeys(found) if each not in ("bin", "usr", "dev", "and"))
        return [each for each in known if re.search(rf"\b{each}\b", self._script)][:2]

    def _kept_names(self) -> Iterator[str]:
        """Files of several days as the script looks for them, where only some are to be kept."""
        if not self._says(_KEEPS):
            return
        for before, behind in islice(_GLOB.findall(self._script), 2):
            for day in range(7, 0, -1):
                yield f"{before}{_DAYS.format(day)}{behind}"

    def kept(self, within: str) -> Files:
        """Those of earlier days, which a script makes, and others beside them."""
        made = [(f"{within}{name}", "old\n") for name in dict.fromkeys(self._kept)]
        return ((f"{within}other.txt", "plum\n"), *made) if made else ()

    def files(self, number: int, within: str = "") -> Files:
        """Of the folder `within`; others for each number: all, a half, one, none of the kinds."""
        kinds = self.kinds or ["txt", "log", "md"]
        names = [f"{stem}.{kind}" for stem in ("a", "b c", "{0}-1", "d.e", "z") for kind in kinds]
        names = [name.format(name.rpartition(".")[2]) for name in names]
        texts = {kind: cycle(self.texts(kind)) for kind in kinds}
        picked = {0: names, 1: names[::2], 2: names[1:2], 3: [], 4: names[1:4]}[number % 5]
        made = [
            (each, next(texts[_kind_of(each, kinds)])) for each in picked[: _FILES * len(kinds)]
        ]
        made = made[: 2 * _FILES] or made
        if self._says(_BY_EXTENSION) and number % 5 != 3:
            made += [("Makefile", "fig\n"), ("no ext", "kiwi\n")]
            made += [("c.d/x.dat", "fig\n")] if self._is_deep else []
        elif self.kinds and number % 5 != 2:
            made += [("notes.rst", "plum\n"), ("README", "an apple\n")][: 1 + number % 2]
        if number % 5 in (0, 4) and made and kinds[0] not in WITH_FORM:
            made.append((f"nil.{kinds[0]}", ""))
        made += self._special(number, kinds)
        made += [
            (f"{label}.txt", text)
            for label, text in self._contents.shown
            if label and number % 5 != 3
        ]
        made += [(name, self._text_of(name, number)) for name in self.named if number % 5 != 3]
        for n, folder in enumerate(self.folders):
            made += [
                (f"{folder}/in {name}", text) for name, text in made[n : n + 4] if "/" not in name
            ]
        return tuple((f"{within}{name}", text) for name, text in dict(made).items())

    def _special(self, number: int, kinds: Sequence[str]) -> list[tuple[str, str]]:
        made, texts = list[tuple[str, str]](), cycle(self.texts(kinds[0]))
        next(texts)
        if self._is_deep and number % 5 != 3:
            made += [
                (f"sub/f.{kinds[-1]}", next(texts)),
                (f"sub/deep er/g.{kinds[0]}", next(texts) * 2),
            ]
        if self._says(_EMPTY_FOLDERS):
            empty = (("void/", "kilo mega/", "sub/void2/"), ("void/",), ())[number % 3]
            made += [(name, "") for name in empty]
            made += [("full/h.txt", "h\n")]
        if self._says(_DOUBLES) and number % 5 != 2:
            made += [(f"twin.{kinds[0]}", "plum\n"), (f"twin 2.{kinds[0]}", "plum\n")]
            made += [("sub/twin.dat", "plum\n")] if self._is_deep else []
        if self._says(_OF_CASE) and number % 5 != 3:
            made += [("Big Name.TXT", "big\n"), ("README.Md", "an apple\n")][: 1 + number % 2]
            if self.may_exist and number % 3:
                made += [("Pear.txt", "upper\n"), ("pear.txt", "lower\n")]
        if self._says(_HIDDEN):
            made += [(".hidden", "h\n"), (f".b.{kinds[0]}", "b\n")]
        return made

    def _text_of(self, name: str, number: int) -> str:
        texts = self.texts(name.rpartition(".")[2])
        return texts[(number + self.named.index(name)) % len(texts)]


def _kind_of(name: str, kinds: Sequence[str]) -> str:
    return next(kind for kind in kinds if name.endswith(f".{kind}"))
