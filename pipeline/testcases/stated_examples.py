"""Whether an example in running text is said to be so: not denied, not taken back, no part of code
that computes with it. Pure."""

import re

ARROW = r"={1,3}>|-{1,2}>|[→⇒➞➜➔⟶↦]"
# Code that computes with a call, and text that says what is not so.
_CODE_LINE = re.compile(
    r"\s*(?:(?:if|elif|while|for\s+\w+\s+in)\b.*:|(?:return|yield|def|class|assert|import|@)\b)"
)
_CODE_BEFORE = re.compile(r"(?:(?<![-=])[=+*/%<{\[@]|\w[-(]|>>>|\b(?:lambda|await|not)\b)\s*$")
_DENIED = re.compile(
    r"\b(?:not|never|currently|wrongly|incorrectly|mistakenly|instead of|rather than|buggy|"
    r"(?:at|for) the moment|right now)\b(?:(?!\b(?:but|should|must|and)\b)[^.;\n])*$",
    re.IGNORECASE,
)
_TAKEN_BACK = re.compile(
    r"[`*\s]*,?\s*(?:but|instead|(?:which|that) is (?:wrong|not)|when it should|rather than)\b"
)
_GOES_ON = re.compile(
    r"[ \t]*(?:[%<>&^~@/]|==|!=|\*\s*[\d(]|\*\s+\w\b|\+|-\s*[\d(]|if\b|is\b|in\b|for\b)|\w|[.(\[]\w"
)
_SENTENCE_GOES_ON = re.compile(
    r"[`*]{0,3}[ \t]+(?!and\b|or\b|but\b|as\b|because\b|since\b|while\b|whereas\b|for\b|when\b"
    r"|if\b|so\b|not\b|[#(—–|-])\w"
)
_BULLET = re.compile(r"^[ \t>]*(?:[-*+•]|\d+[.)])[ \t]+")


def is_stated(text: str, start: int) -> bool:
    """Whether the text before a call or a value lets it be a statement of its own."""
    begin = max(text.rfind("\n", 0, start) + 1, start - 200)
    end = text.find("\n", start, start + 400)
    if _CODE_LINE.match(text[begin : end if end >= 0 else start + 400]):
        return False
    before = _BULLET.sub("", text[begin:start]).rstrip("`*")
    return not (_DENIED.search(before) or _CODE_BEFORE.search(before))


def goes_on(text: str, stop: int) -> bool:
    """Whether what stands behind a value makes it part of something larger, or takes it back."""
    return bool(_GOES_ON.match(text, stop) or _TAKEN_BACK.match(text, stop))


def sentence_goes_on(text: str, stop: int) -> bool:
    """Whether the value does not end its clause: "is 3 of them"."""
    return bool(_SENTENCE_GOES_ON.match(text, stop))
