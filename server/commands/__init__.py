"""One file per command of `laios`."""
