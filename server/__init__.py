"""The daemon's doors: HTTP and the command line."""
