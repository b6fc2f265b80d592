"""The run, from prompt to output. Knows nothing of HTTP, files or the dashboard."""
