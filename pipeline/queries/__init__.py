"""Queries with documentation (seed 003): plans, answers and refinements. One file for the schemas
of each phase; `task.py` is what goes into a run and what comes out."""
