"""What `ray start` has no option for; Ray calls `adjust` because the environment names it in `RAY_START_HOOK`."""

from __future__ import annotations

from typing import Any


def adjust(ray_params: Any, head: bool) -> None:
    """Leave out the Ray Client server: one process and one open port that nothing here uses."""
    ray_params.ray_client_server_port = None
