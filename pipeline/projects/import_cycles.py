"""Files that import each other in a circle. Pure."""

from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter

from pipeline.projects.fault import Fault

MOST = 5


def cycle_faults(edges: Mapping[str, set[str]]) -> Iterator[Fault]:
    """A fault for each circle of `edges` (path → paths that it imports), at most five. Its cause
    is the file of the circle that stands last in `edges`: it was written last."""
    graph = {path: set(targets) for path, targets in edges.items()}
    order = list(graph)
    for _ in range(MOST):
        try:
            TopologicalSorter(graph).prepare()
        except CycleError as error:
            circle: list[str] = error.args[1][::-1]  # it names each one before what imports it
            cause = max(circle, key=lambda path: order.index(path) if path in order else -1)
            start = circle.index(cause)
            shown = [*circle[start:-1], *circle[:start], cause]
            yield Fault(cause, "cycle", f"import cycle: {' → '.join(shown)}")
            graph[cause].discard(shown[1])
        else:
            return
