"""What a request says of what a script in Bash prints, leaves and ends with. Pure."""

import re

from pipeline.testcases.run_outputs import asks_for_format

_ORDER = re.compile(
    r"\bsort|\border|\brevers|\blargest\b|\bbiggest\b|\bsmallest\b|\bnewest\b|\boldest\b|\btop\b|\bascend"
    r"|\bdescend|\balphabetic|\bfirst\b|\blast\b|\brank|\bmost\b|\bnumbered\b|\bbackward|\bshift|\bsequence",
    re.IGNORECASE,
)
# With what it prints below, or behind the command line.
_SHOWS_OUTPUT = re.compile(
    r"^\$ [^\n]{1,200}\n(?!\$)\S"
    r"|\b(?:prints?|outputs?|gives?|results?|becomes?|ausgabe)\b[^\n.]{0,30}:?[^\S\n]{0,9}\n",
    re.IGNORECASE | re.MULTILINE,
)
_ANY_ORDER = re.compile(
    r"\border\b.{0,30}\bmatter|\bany order\b|\bno .{0,20}order\b", re.IGNORECASE
)
_TELLS = re.compile(
    r"\bprint|\bshow|\blist(?:s|ing)?\b|\bdisplay|\boutput|\breports?\b(?!\.)|\bcount|\bhow many\b"
    r"|\btells?\b"
    r"|\bausg[ei]b|\bzeig|\bdruck|\bsummar|\becho|\blogs? (?:each|every|the|what)",
    re.IGNORECASE,
)
# What it is to say of its errors.
_TO_STDERR = re.compile(
    r"\b(?:print|show|display|output|write|report)\w*\b[^.,;:\n]{0,40}\b(?:errors?|messages?|usage|warnings?|help)\b",
    re.IGNORECASE,
)
_TIES = re.compile(r"\bequal|\bsame (?:count|number|freq|size)|\bties?\b|\balphabetic", re.I)
_EXACT = re.compile(
    r"\btrim|\bstrip|(?<!contain )(?<!containing )(?<!have )(?<!with )\bspaces?\b|\bindent"
    r"|\bexactly\b|\bpad|\btabs?\b|\bwhite ?space|\bjoin"
    r"|\bseparat|\bformat\b",
    re.IGNORECASE,
)
_COUNTS = re.compile(
    r"\bcount|\bhow many\b|\btotal|\bsum\b|\bnumber of\b|\bsummar|\baverage|\bmean\b|\bsize", re.I
)
_STATUS = re.compile(
    r"\bexit(?:s|ing)?\b.{0,30}(?:\b(?:code|status|error|1|0)\b|zero)|\bnon-?zero\b"
    r"|\b(?:exits?|returns?|ends? with) (?:code|status|value|0|1|true|false|success)"
    r"|\bstatus (?:code )?[01]\b",
    re.IGNORECASE,
)
_FULL = re.compile(
    r"\b(?:full|absolute|relative|complete) paths?|\bwith (?:its|their) paths?", re.I
)
_MAKES_FOLDERS = re.compile(
    r"\b(?:mak|creat|set)\w{0,4}\b.{0,60}\b(?:director|folder|structure|skeleton)|\bmkdir\b"
    r"|\bscaffold|\b(?:anleg|erstell)\w{0,4}\b.{0,60}\b(?:ordner|verzeichnis)"
    r"|\b(?:ordner|verzeichnis).{0,40}\b(?:anleg|anlegt|erstellt)",
    re.IGNORECASE,
)
# `prints yes or no`
_EITHER = re.compile(
    r"\b(?:print|say|output|echo|answer|writ|display|show)\w{0,4} [`'\"]?([A-Za-z]{2,20})[`'\"]?"
    r" or [`'\"]?([A-Za-z]{2,20})\b",
    re.IGNORECASE,
)
# That a number has zeros before it.
_PADS = re.compile(
    r"(?<![\w.,/-])0[0-9]\b|:0\d\b|\bHH\b|\bMM\b|\bleading zero|\bpad", re.IGNORECASE
)


class Wishes:
    """`in_order`: the order of lines counts, with `has_ties` also of equals. `is_format`: lines
    are as the request has them; `is_exact`: with their blanks; `pads`: numbers with zeros before
    them. `is_to_tell`: it prints something also where it changes files; `counts`: numbers;
    `with_folders`: names of files with their folders. `choices`: the words one of which it prints.
    `has_status`: how it ends counts. `makes_folders`, `of_logs`: those are asked for."""

    def __init__(self, request: str) -> None:
        self.request = request
        self.in_order = bool(_ORDER.search(request)) and not _ANY_ORDER.search(request)
        self.has_ties = bool(_TIES.search(request))
        self.is_format = asks_for_format(request) or bool(_SHOWS_OUTPUT.search(request))
        self.is_exact = bool(_EXACT.search(request))
        self.pads = bool(_PADS.search(request))
        self.is_to_tell = bool(_TELLS.search(_TO_STDERR.sub(" ", request)))
        self.counts = bool(_COUNTS.search(request))
        self.with_folders = bool(_FULL.search(request))
        self.choices = {word.lower() for pair in _EITHER.findall(request) for word in pair}
        self.has_status = bool(_STATUS.search(request))
        self.makes_folders = bool(_MAKES_FOLDERS.search(request))
        self.of_logs = bool(re.search(r"\blog", request, re.I))
