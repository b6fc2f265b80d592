"""Benchmarks: `python -m tools.bench`."""
