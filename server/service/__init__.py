"""laios as a service of its user: the unit that is written, and who is asked to run it."""
