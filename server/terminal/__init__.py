"""What the commands share: the client of the daemon, progress, and output on the terminal."""
