"""A Ray cluster below this process, with as many slots as the goals count cores."""

from __future__ import annotations

import logging
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

import ray

CORES = 2


@contextmanager
def cluster() -> Iterator[None]:
    """Run Ray below this process."""
    # Paths of sockets in this folder are limited to 107 letters.
    folder = tempfile.mkdtemp(prefix="ray-")
    os.environ |= {"RAY_AUTH_MODE": "disabled", "RAY_USAGE_STATS_ENABLED": "0"}
    ray.init(
        num_cpus=CORES, include_dashboard=False, _temp_dir=folder, log_to_driver=False, logging_level=logging.ERROR
    )
    try:
        yield
    finally:
        ray.shutdown()
        shutil.rmtree(folder, ignore_errors=True)
