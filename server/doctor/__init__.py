"""The checks of `laios doctor`, one subject per file."""
