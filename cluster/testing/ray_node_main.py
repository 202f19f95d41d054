"""The program that is one more node of a test's Ray cluster: `python -m cluster.testing.ray_node_main` with JSON.

`ray start` does the same after 3 s of imports, and with Ray's own agent: see `cluster/ray/raylet.py`.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from ray._private.parameter import RayParams

from cluster.ray.raylet import LeanNode
from cluster.testing.ray_node import JOINED


def main(fields: dict[str, Any]) -> None:
    """Run the node until standard input ends."""
    node = LeanNode(RayParams(**fields), head=False, shutdown_at_exit=True, spawn_reaper=False)
    sys.stdout.write(f"{JOINED}{node._node_id}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
