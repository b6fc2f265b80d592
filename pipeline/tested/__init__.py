"""`///test`: tests first, then code, run in the sandbox and revised until they pass."""
