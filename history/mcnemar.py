"""The exact test for two ways of doing the same things. Pure."""


def mcnemar(only_one: int, only_other: int) -> float:
    """The two-sided exact p of McNemar's test (1947): how likely discordant pairs split at least
    this unevenly if both arms are equally good."""
    pairs = only_one + only_other
    tail = way = 1  # each way to choose k pairs from the one before: thousands are quick
    for k in range(min(only_one, only_other)):
        way = way * (pairs - k) // (k + 1)
        tail += way
    return min(1.0, float(2 * tail / 2**pairs))
