"""The history: a record of every run, JSON lines in files that are only ever appended to."""

from history.append_log import check_writable
from history.merged_history import MergeError, merge
from history.pruned_history import old_files, prune
from history.ratings import Rating, Ratings
from history.reader import Reader
from history.record import Record, decode, encode
from history.run_index import Index
from history.store import Store

__all__ = [
    "Index",
    "MergeError",
    "Rating",
    "Ratings",
    "Reader",
    "Record",
    "Store",
    "check_writable",
    "decode",
    "encode",
    "merge",
    "old_files",
    "prune",
]
