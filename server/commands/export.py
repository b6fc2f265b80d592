"""`laios export`"""


def export() -> None:
    """x"""
