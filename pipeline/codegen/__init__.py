"""Code generation (`POST /code`): code with explanation, confidence, warnings and tests."""
