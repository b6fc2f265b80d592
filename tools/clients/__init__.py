"""Real chat clients, run against a real daemon: `python -m tools.clients`."""
