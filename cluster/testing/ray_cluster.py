"""A Ray cluster for the tests of one process, started as the product starts it.

`ray.init` would start one too, but gives its node 30 s to come up, which a busy machine exceeds.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from cluster.processes import end_leftovers
from cluster.ray.head import READY_LINE, RayHead, plan_head
from cluster.ray.runtime import connect, disconnect
from cluster.settings import ClusterSettings, get_cluster_settings

_VARIABLES = ("SAGASCRIPT_DATA_DIR", "RAY_AUTH_MODE", "RAY_AUTH_TOKEN_PATH")
_STARTS = 3
"""A start fails when another program takes one of the chosen ports."""


@contextmanager
def ray_cluster(data_dir: Path, prepare: Callable[[RayHead], None] = lambda _: None) -> Iterator[ClusterSettings]:
    """Join this process to a new cluster of the installation in `data_dir`; end the cluster afterwards.

    `prepare` changes the head before each try to start it.
    """
    before = {name: os.environ.get(name) for name in _VARIABLES}
    mark = f"test-{uuid.uuid4().hex}"
    _set_environment({"SAGASCRIPT_DATA_DIR": str(data_dir)})
    settings = ClusterSettings(data_dir=data_dir)
    head = plan_head(settings, mark)
    process = _started(head, prepare)
    try:
        head.announce()
        connect(settings)
        yield settings
    finally:
        disconnect()
        process.kill()
        process.communicate()
        end_leftovers(mark, {process.pid}, grace_s=0)
        shutil.rmtree(head.temp_dir, ignore_errors=True)
        _set_environment(before)


def _started(head: RayHead, prepare: Callable[[RayHead], None]) -> subprocess.Popen[bytes]:
    for _ in range(_STARTS):
        prepare(head)
        process = subprocess.Popen(head.argv, env=head.env, start_new_session=True, stdout=subprocess.PIPE)
        assert process.stdout is not None
        # Ends when the head is ready or has ended, however long that takes.
        if any(line.startswith(READY_LINE.encode()) for line in process.stdout):
            return process
        process.wait()
        head.choose_ports()
    raise AssertionError("The Ray head did not start.")


def _set_environment(values: Mapping[str, str | None]) -> None:
    for name, value in values.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
    get_cluster_settings.cache_clear()
