"""Code held against tests: what a test is, a program's results, and the rounds until they pass."""
