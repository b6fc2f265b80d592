"""The history: a record of every run, JSON lines in files that are only ever appended to."""
