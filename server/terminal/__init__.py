"""What the commands share: the daemon as a client sees it, progress, and words on the terminal."""
