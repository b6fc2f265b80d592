"""What `laios doctor` looks at, one subject per file."""
