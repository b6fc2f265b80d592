"""Texts of a form of their own, by the words of a request: what checks an e-mail address or a card
number says nothing where it is called with other words. Pure."""

import re
from functools import lru_cache

_MOST_READ = 20_000  # characters of a request
_FORMS = {
    r"e-?mails?": ("me@example.com", "a.b+c@mail.example.org", "a@b", "@x.com", "me@@x.com"),
    r"urls?|links?|websites?|domains?": (
        *("https://example.com", "http://example.org:80/a/b?c=1&d=2#e", "ftp://x", "example.com"),
    ),
    r"ips?|ipv4": ("192.168.0.1", "255.255.255.255", "256.1.1.1", "1.2.3", "01.2.3.4"),
    r"dates?|days?|birthdays?|years?": (
        *("2024-02-29", "2023-02-29", "03-11-2000", "04-0-2040", "31/12/1999", "15-01-2012"),
    ),
    r"times?|clock|hours?|minutes?|duration": ("12:30", "00:05", "23:59:59", "9:05 PM", "24:00"),
    r"luhn|cards?|isbn|ean|checksums?|barcodes?|digits?|numeric|imei": (
        *("4539578763621486", "79927398713", "79927398710", "0306406152", "9780306406157"),
        *("080442957X", "12", "0"),
    ),
    r"ibans?": ("DE89370400440532013000", "GB82 WEST 1234 5698 7654 32", "DE00123"),
    r"phones?|telephone": ("+49 170 1234567", "(555) 123-4567", "555-1234", "12345"),
    r"hex|hexadecimal|colou?rs?|rgb": ("#ff0000", "#0Fa", "FF", "1a2b3c", "#12345"),
    r"binary|bits?|base": ("1011", "0", "11111111", "0b101", "102"),
    r"romans?": ("XIV", "MCMXCIV", "IX", "III", "LVIII"),
    r"versions?|semver": ("1.2.10", "1.10.2", "2.0.0", "1.2"),
    r"passwords?|strong|strength": ("Passw0rd!", "abcdefgh", "Abcdef12", "A1!a", "ABCDEFG1!"),
    r"parenthes[ei]s|brackets?|balanced|nested|nesting": (
        "([{}])",
        "([)]",
        "(()",
        "())(",
        "[]{}()",
    ),
    r"files?|filenames?|extensions?|paths?": (
        *("report.txt", "archive.tar.gz", "1file.exe", "/home/me/a b.py", ".bashrc"),
    ),
    r"palindromes?": ("A man, a plan, a canal: Panama", "Was it a car", "abba", "12321"),
    r"expressions?|calculat\w*|evaluat\w*|operators?|arithmetic": (
        *("1 + 2 * 3", "(1+2)*3", "10 / 4 - 1", "2 3 +"),
    ),
    r"json": ('{"a": 1, "b": [2, 3]}', "[1, null]", "{a: 1}"),
    r"csv|commas?": ("a,b,c", "1,2\n3,4", "x,,y", '"a,b",c'),
    r"snake|camel\w*|kebab|pascal\w*|slugs?|slugify": (
        *("hello_world", "helloWorld", "HTTPServer", "Hello World, again!", "my-var"),
    ),
    r"dna|rna|nucleotides?|codons?": ("GATTACA", "AUGGCC", "ACGT"),
    r"morse": ("... --- ...", ".- -..."),
    r"(?:number|digit)s? words|numerals|zero|nine": ("three one five", "nine zero", "seven"),
}
_BY_WORD = [
    (re.compile(rf"\b(?:{words})\b", re.IGNORECASE), forms) for words, forms in _FORMS.items()
]


@lru_cache(maxsize=8)  # every comparison of a run asks
def texts_of_form(request: str) -> tuple[str, ...]:
    """The texts of all forms that the request has a word for, the words of names too."""
    words = request[:_MOST_READ].replace("_", " ")
    found = (forms for named, forms in _BY_WORD if named.search(words))
    return tuple(dict.fromkeys(form for forms in found for form in forms))
