"""Text that UTF-8 can hold. Pure."""


def without_surrogates(text: str) -> str:
    """The text with \N{REPLACEMENT CHARACTER} for each half of a surrogate pair, which models and
    broken backends write and no UTF-8 has; a whole pair is its character."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
