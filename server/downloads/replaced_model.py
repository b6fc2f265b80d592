"""The model that had a name before another one got it."""

from contextlib import suppress

from pipeline.models.local_library import LocalEntry


def let_go(before: LocalEntry | None, now: LocalEntry) -> str:
    """Deletes the files of `before` that `now`, in its place, does not have. What to tell about it,
    "" where it came from the same source."""
    if before is None:
        return ""
    given = before.manifest.source.startswith("/")  # imported: a file that is no link is a person's
    kept = {part.file.casefold() for part in now.manifest.parts}  # on a Mac `A` and `a` are one
    for part in before.manifest.parts:
        file = before.path.parent / part.file
        if part.file.casefold() not in kept and (file.is_symlink() or not given):
            with suppress(OSError):  # the new one works, whatever cannot be deleted
                file.unlink()
    source = before.manifest.source
    same = source == now.manifest.source
    return "" if same else f"It takes the place of {source}, which had this name."
