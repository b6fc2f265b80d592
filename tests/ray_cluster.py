"""A Ray cluster of two nodes on this machine, each with its own history, in a process that ends
it: prints its address; `kill` on stdin takes the second node away, the end of stdin both.
`python ray_cluster.py DIRECTORY`"""

import os
import sys
from pathlib import Path

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"  # before Ray is loaded: it calls nobody

from ray.cluster_utils import Cluster

STORE_BYTES = 100 << 20


def node(directory: Path, name: str) -> dict[str, object]:
    history = {"LAIOS_HISTORY_DIR": str(directory / name)}
    return {"num_cpus": 2, "object_store_memory": STORE_BYTES, "env_vars": history}


def main() -> None:
    directory = Path(sys.argv[1])
    head = node(directory, "first") | {"include_dashboard": False}
    cluster = Cluster(initialize_head=True, connect=False, head_node_args=head)
    second = cluster.add_node(**node(directory, "second"))
    print(cluster.address, flush=True)
    for line in sys.stdin:
        if line == "kill\n":
            cluster.remove_node(second, allow_graceful=False)
            print("killed", flush=True)
    cluster.shutdown()


if __name__ == "__main__":
    main()
