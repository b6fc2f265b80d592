"""laios for Python programs: the only name that installing it adds to an environment.

The daemon's own packages stand beside it in the repository and in `laios/_app` once installed;
`laios.launcher` starts them.
"""

__version__ = "0.1.0"
