"""Sources of documentation: installed packages, folders of text, example scripts.

    source = find_source("vtk", python=Path("/home/me/.venv/bin/python"))   # or SourceError
    parts = list_parts(source)                     # quick: names and fingerprints, nothing is read
    for parsed in read_parts(source, changed, progress):   # one ParsedPart a part, the same `path`
        ...

`Source(name, kind, target, python, …)` is a name that is kept with the index: `find_source(
source.target, python=source.python)` finds it again. `Part(path, fingerprint, label, kind)` is a
module (`rich.table`) or a file relative to the folder (`guide/start.md`); a part whose fingerprint
is the one in the index need not be read again, a part that is no longer listed is gone. All modules
of a package share one fingerprint, because a name of one may be an alias of a name of another.
`read_parts` takes some or all of the parts and gives exactly one `ParsedPart` for each of them, in
no promised order; what could not be read (too large, an import that crashed) is in
`ParsedPart.problems`, never an exception. Both are plain blocking functions for a thread; closing
the iterator ends the child processes behind it.

Symbols: `complete` of a module or class speaks of its own members alone; a class has also those of
its `bases`, each a qualified name: of this source, of another one, or of the standard library
(`builtins.dict`, `enum.Enum`); `builtins.object` is left out. Names that begin with two underscores
are no symbols. `alias_of` may name what no source holds (`numpy.sys` → `sys`).
"""
