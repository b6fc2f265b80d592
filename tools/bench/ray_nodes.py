"""A Ray cluster on this machine, its nodes with a history each, in a process that ends it:
`python -m tools.bench.ray_nodes DIRECTORY [--nodes N]`; prints its address. `kill` on stdin takes
the last node away, the end of stdin all of them."""

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"  # before Ray is loaded: it calls nobody

from ray.cluster_utils import Cluster

CPUS = 2  # of a node, on paper: an actor, and what reads the requests
STORE_BYTES = 100 << 20


def node(directory: Path, number: int) -> dict[str, Any]:
    history = {"LAIOS_HISTORY_DIR": str(directory / f"node-{number}")}
    return {"num_cpus": CPUS, "object_store_memory": STORE_BYTES, "env_vars": history}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("directory", type=Path)
    options.add_argument("--nodes", type=int, default=2)
    arguments = options.parse_args()
    head = node(arguments.directory, 1) | {"include_dashboard": False}
    cluster = Cluster(initialize_head=True, connect=False, head_node_args=head)
    others = [
        cluster.add_node(**node(arguments.directory, number))
        for number in range(2, arguments.nodes + 1)
    ]
    print(cluster.address, flush=True)
    for line in sys.stdin:
        if line == "kill\n":
            cluster.remove_node(others.pop(), allow_graceful=False)
            print("killed", flush=True)
    end: Callable[[], None] = cluster.shutdown
    end()


if __name__ == "__main__":
    main()
