"""The errors of the documentation index."""


class DocumentsError(Exception):
    """The index cannot be used; the message says which command mends it."""


class NameTakenError(DocumentsError):
    """Another folder is in the index under this name."""


class OutdatedError(DocumentsError):
    """The index is damaged or of another version: it has to be made anew."""
