"""The run, from prompt to output. Knows nothing of who asks, or of how runs are recorded."""
