"""`///files`: a small project, planned, written file by file and checked together."""
