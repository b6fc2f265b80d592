"""`python -m laios` is `laios`."""

from laios.launcher import main

main()
