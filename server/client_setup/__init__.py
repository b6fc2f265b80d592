"""Connecting chat frontends and editors to the daemon: what each of them has to be told, and
writing it into the file that it reads."""
