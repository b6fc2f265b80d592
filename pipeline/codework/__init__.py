"""The structured coder: a typed request in, code with explanation, confidence, warnings and tests
out. The contract of `POST /code`."""
