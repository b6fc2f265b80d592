"""Of which kind an argument of a script in Bash is: a folder, a file, a number, a word. Pure."""

import re

# By the words of a variable's name, the first that fits.
_NAMED: tuple[tuple[str, frozenset[str]], ...] = tuple(
    (kind, frozenset(words.split()))
    for kind, words in (
        (
            "new folder",
            "dest destination destdir outdir to target_dir archive_dir backup_dir output_dir",
        ),
        ("new", "output out outfile outputfile dst result new_name newname"),
        ("extension", "ext extension suffix extensions exts newext oldext"),
        (
            "folder",
            "dir directory folder root dirname src srcdir workdir basedir d path_dir dirs source",
        ),
        (
            "number",
            "n num number count limit days day size top max min lines k m x y a b c year month"
            " start end first last length len width height rows cols age kb mb threshold"
            " times total integer value seconds minutes hours depth keep temp celsius"
            " fahrenheit base exp exponent step low high percent index i j bytes amount zahl"
            " anzahl",
        ),
        (
            "file",
            "file filename input infile csv log logfile f filepath inputfile list json textfile",
        ),
        (
            "word",
            "pattern word search term keyword str string text s name user prefix query needle"
            " section phrase message msg find old new replace replacement from sep separator delim"
            " column col field"
            " delimiter char letter key line1 input_string",
        ),
    )
)
_TESTED: tuple[tuple[str, str], ...] = (
    ("word", r"-v\s{0,3}\w{1,20}=\"?REF"),
    (
        "new folder",
        r"\bmkdir(?:\s{1,3}-\w{1,3}){0,2}\s{1,9}(?:--\s)?\"?REF\}?\"?(?:\s{0,3}(?:[;&|)\n]|\Z)|/\{)",
    ),
    ("folder", r"-d\s{1,9}\"?REF|\bcd\s{1,9}(?:--\s)?\"?REF|\bfind\s{1,9}\"?REF|WHOLE\"?/"),
    ("file", r"(?:\[\s{1,3}!?|\btest)\s{0,3}-[fres]\s{1,9}\"?REF|(?<!<)<\s{0,9}\"?REF"),
    ("extension", r"\.\"?REF"),
    (
        "number",
        r"REF\"?\s{1,9}-(?:gt|lt|ge|le|eq|ne)\b|\(\([^()\n]{0,80}BARE|\$\(\([^\n]{0,80}BARE"
        r"|\bseq\s[^\n|]{0,40}REF"
        r"|(?:head|tail)[^\S\n][^\n|]{0,20}-n\s?\"?-?\+?REF|-(?:mtime|size|mmin)\s{1,9}\"?[+-]?REF|REF\"?\s{1,9}=~\s{1,3}\^\S{0,12}\[0-9\]"
        r"|\.\.REF",
    ),
    (
        "folder",
        r"\bgrep\b\s{1,9}-\w{0,5}[rR]\w{0,5}\s[^\n|]{1,80}\s\"?REF\"?[^\S\n]{0,9}(?:\Z|[\n|)&;>])",
    ),
    (
        "file",  # behind the pattern
        r"\bgrep\b(?:\s{1,9}-[\w-]{1,20}){0,4}"
        r"\s{1,9}(?:\"[^\"\n]{0,80}\"|'[^'\n]{0,80}'|[a-zA-Z.^]\S{0,40})\s{1,9}\"?REF",
    ),
    ("word", r"\bgrep\b[^\n|]{0,40}\"REF"),
    (
        "file",
        r"\b(?:cp|mv|cmp|diff|cat|wc|sort|awk|sed|head|tail|tac|uniq|cut|jq|tr)\b[^\n|]{0,200}\"?REF",
    ),
    ("folder", r"\b(?:ls|du|tar)\b[^\n|]{0,80}REF"),
)
_WALKED = r"\b(?:find|ls)\s[^\n]{0,20}REF|REF\}?\"?/\*"
_HERE_STRING = re.compile(r"<<<[^\S\n]{0,9}\S{1,80}")
_SPOKEN: tuple[tuple[str, str], ...] = (
    ("folder", r"\b(?:director(?:y|ies)|folders?|verzeichnis|ordner)"),
    ("file", r"\bfiles?(?:names?)?\b|\bdatei(?:en)?\b"),
    (
        "number",
        r"\b(?:numbers?|integers?|n|seconds|temperatures?|factorial|fibonacci|prime|year|zahl(?:en)?|sum|product"
        r"|average|maximum|minimum)\b",
    ),
)


def kind_of(told: str, code: str, name: str, request: str, place: str = "") -> str:
    """By the words of its name, what the code does with it, what the request speaks of."""
    words = told.lower().replace("-", "_").replace(" ", "_")
    parts = [words, *reversed(words.split("_"))]
    known = next((k for part in parts for k, of in _NAMED if part in of), "")
    names = "|".join(re.escape(each) for each in (name, place) if each) or "$^"
    ref, whole = rf"(?:\$\{{?(?:{names})\b)", rf"\$(?:(?:{names})\b|\{{(?:{names})\}})"
    bare = "|".join(re.escape(each) for each in (name, place and f"${place}") if each) or "$^"
    code = _HERE_STRING.sub(" ", code)
    tested, is_walked = "", bool(re.search(_WALKED.replace("REF", ref), code))
    for kind, form in _TESTED if name or place else ():
        pattern = form.replace("REF", ref).replace("BARE", rf"(?<![\w#])(?:{bare})\b")
        is_there = kind == "new folder" and is_walked
        if not is_there and re.search(pattern.replace("WHOLE", whole), code):
            tested = kind
            break
    if tested == "new folder":
        return tested
    if tested == "folder" and re.search(rf"-d\s{{1,9}}\"?{ref}", code):
        return tested
    if known in ("folder", "file", "") and tested in ("folder", "file") and known != tested:
        return tested
    spoken = next((k for k, form in _SPOKEN if re.search(form, request, re.I)), "word")
    if words in ("input", "list", "json") and not tested and spoken != "file":
        return spoken
    if len(told) == 1 and tested not in ("", "word", known):  # a letter stands for anything
        return tested
    return known or tested or spoken
