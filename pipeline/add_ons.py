"""What installed packages add: modes and stages of their own, by entry points."""

from importlib.metadata import entry_points

GROUPS = {"laios.modes": "mode", "laios.stages": "stage"}


def load_add_ons() -> list[str]:
    """Imports the modules that installed packages offer in these groups; their decorators do the
    rest.

    Returns a line for each one that failed: a broken add-on must not stop the daemon.
    """
    problems = []
    for group, what in GROUPS.items():
        for point in entry_points(group=group):
            try:
                point.load()
            except Exception as error:
                problems.append(
                    f"{what} add-on {point.name!r} ({point.value}) was left out: {error!r}"
                )
    return problems
