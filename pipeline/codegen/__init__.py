"""`POST /code`: a typed request in; code with explanation, confidence, warnings and tests out
(seed 000)."""
