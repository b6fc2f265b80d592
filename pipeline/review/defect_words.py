"""Whether a judge's sentence names a defect, whatever its scores say. Pure.

Small judges write "does not run" beside 10 out of 10. The words are those of real verdicts of two
models (docs/studies/judges.md); a sentence that denies a defect ("has no errors", "does not crash")
names none."""

import re

_DENIED = re.compile(
    r"\b(?:no|not any|without(?: any)?|free of|nor any)\s+(?:\w+\s+){0,2}?"
    r"(?:errors?|bugs?|defects?|issues?|problems?|faults?|flaws?|crash\w*|exceptions?)\b"
    r"|\b(?:does|do|did|will|would|should)(?: not|n't)\s+"
    r"(?:crash|fail|raise|throw|contain|have|need|require|break|violate|lead|cause|use|depend)\b"
    r"|\bnot (?:only|necessarily|needed|necessary|required|applicable)\b"
    r"|\b(?:wrong|incorrect|invalid|missing|bad) (?:inputs?|values?|types?|arguments?|data)\b",
    re.IGNORECASE,
)
_DEFECT = re.compile(
    r"\b(?:does|do|did|will|would|is|are|was)(?: not|n't)\b"
    r"|\b(?:cannot|can't|can not|never|fails?|failed|failing|crash(?:es)?"
    r"|incorrect(?:ly)?|wrong(?:ly)?|missing|misses|lacks?|lacking|bugs?|defects?|flaw(?:s|ed)?|incomplete|undefined|broken"
    r"|inefficient|unsafe|insecure|violates?|ignores?|infinite loop)\b"
    r"|\b(?:contains?|has|have|with)\s+(?:\w+\s+){0,3}?(?:errors?|issues?|problems?|mistakes?)\b"
    r"|\braises? (?:an? )?\w*(?:Error|Exception)\b"
    r"|\bshould (?:be|have|return|raise|check|handle|use)\b",
    re.IGNORECASE,
)


def defect_in(sentence: str) -> str:
    """The words that name it, "" where none is named."""
    found = _DEFECT.search(_DENIED.sub(" ", sentence))
    return found[0] if found else ""
