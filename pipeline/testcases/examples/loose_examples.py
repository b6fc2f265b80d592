"""Whether a request seems to show an example, in whatever form. Nothing is read from it: it is for
the note that says so where no form is known. Pure."""

import re

LOOSE = "what looks like an example was not read"
# No signature (`f(a: int) -> None`) and no function of JavaScript (`(a) => {`).
_VALUE = (
    r"(?:[\"'`“][^\n\"“”]{0,60}[\"'`”]|\((?=[\"'\[({\d-])[^\n]{0,60}\)|\[[^\n]{0,60}\]"
    r"|\{(?=[\"'}\d])[^\n]{0,60}\}|-?\d[\w.,:/-]{0,40}|\b(?:true|false)\b)"
)
_GIVES = r"(?:-{1,2}>|={1,2}>|[→⇒]|\b(?:becomes?|gives|turns into|yields|ergibt|wird zu)\b)"
_PAIR = re.compile(rf"{_VALUE}[ \t]{{0,8}}{_GIVES}[ \t]{{0,8}}{_VALUE}", re.IGNORECASE)
_SENTENCE = re.compile(
    r"(?:\bfor (?:example|instance)|\be\.g\.|\bzum beispiel|\bz\. ?b\.)[^\n]{0,100}?"
    rf"\b(?:gives?|returns?|becomes|yields|prints|is|wird|ergibt|ist)\b[^\n]{{0,20}}?{_VALUE}",
    re.IGNORECASE,
)
_HEADING = re.compile(
    r"^[^\n]{0,40}\b(?:examples?(?! usage)|beispiele?|sample (?:run|(?:in|out)put)"
    r"|(?:expected|desired|wanted)(?: output| result)?)\b[^\n]{0,40}:[ \t]{0,8}$",
    re.IGNORECASE | re.MULTILINE,
)


def shows_loosely(text: str) -> bool:
    """Whether two values stand on both sides of an arrow or a word like it, a sentence says what
    comes "for example", or a line announces examples."""
    return any(form.search(text) for form in (_PAIR, _SENTENCE, _HEADING))
