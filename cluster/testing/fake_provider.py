"""A Ray head whose autoscaler starts nodes on this machine, by Ray's own fake provider.

`ray.cluster_utils.AutoscalingCluster` would first end every Ray on the machine.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ray.autoscaler._private.fake_multi_node.node_provider import FAKE_HEAD_NODE_ID, FakeMultiNodeProvider

from cluster.ray.head import RayHead

HEAD, WORKER = "ray.head.default", "worker"
IDLE_MINUTES = 0.1
OBJECT_STORE_BYTES = 100_000_000
MOST_NODES = 4


def add_autoscaler(head: RayHead, config: Path, slots: float) -> None:
    """Let this head, which has not started, grow by nodes with so many slots and shrink after `IDLE_MINUTES`."""
    config.write_text(json.dumps(_config(head.address, slots)))
    *program, fields = head.argv
    monitored = {**json.loads(fields), "no_monitor": False, "autoscaling_config": str(config), "num_cpus": 0}
    head.argv = (*program, json.dumps(monitored))
    head.env.update(
        {
            "AUTOSCALER_UPDATE_INTERVAL_S": "1",
            "RAY_FAKE_CLUSTER": "1",
            "RAY_enable_autoscaler_v2": "1",
            "RAY_CLOUD_INSTANCE_ID": FAKE_HEAD_NODE_ID,
            "RAY_OVERRIDE_NODE_ID_FOR_TESTING": FAKE_HEAD_NODE_ID,
            "RAY_NODE_TYPE_NAME": HEAD,
        }
    )


def _config(gcs_address: str, slots: float) -> Mapping[str, Any]:
    return {
        "cluster_name": "fake",
        "max_workers": MOST_NODES,
        "upscaling_speed": 20,
        "idle_timeout_minutes": IDLE_MINUTES,
        "provider": {
            # By its type Ray would look for a file that its wheel does not contain.
            "type": "external",
            "module": f"{FakeMultiNodeProvider.__module__}.{FakeMultiNodeProvider.__name__}",
            # All nodes share one address.
            "use_node_id_as_ip": True,
            "disable_node_updaters": True,
            "disable_launch_config_check": True,
            "launch_multiple": True,
            "head_node_id": FAKE_HEAD_NODE_ID,
            "gcs_address": gcs_address,
        },
        "available_node_types": {
            HEAD: {"resources": {"CPU": 0}, "node_config": {}, "max_workers": 0},
            WORKER: {
                "resources": {"CPU": slots, "object_store_memory": OBJECT_STORE_BYTES},
                "node_config": {},
                "min_workers": 0,
                "max_workers": MOST_NODES,
            },
        },
        "head_node_type": HEAD,
        "auth": {},
        "docker": {},
        "file_mounts": {},
        "cluster_synced_files": [],
        "file_mounts_sync_continuously": False,
        "rsync_exclude": [],
        "rsync_filter": [],
        **{
            name: []
            for name in (
                "initialization_commands",
                "setup_commands",
                "head_setup_commands",
                "worker_setup_commands",
                "head_start_ray_commands",
                "worker_start_ray_commands",
            )
        },
    }
