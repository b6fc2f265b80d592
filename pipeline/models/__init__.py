"""The backends: each model's provider behind the one protocol of `pipeline.model`."""
