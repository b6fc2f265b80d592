"""Whether what a program gives depends on chance or on the clock: no two runs of it need be alike.
Pure."""

import re

_CHANCE = re.compile(
    r"\b(?:import|from)[ \t]{1,5}(?:random|secrets|uuid)\b|\burandom\(|\b(?:np|numpy)\.random\b"
    r"|\b(?:datetime|date)\.(?:now|today|utcnow)\(|\btime\.time(?:_ns)?\("
)


def depends_on_chance(code: str) -> bool:
    return _CHANCE.search(code) is not None
