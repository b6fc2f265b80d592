"""The dashboard: web pages over the history."""
