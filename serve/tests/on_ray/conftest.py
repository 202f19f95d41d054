"""One Ray cluster for all tests of this folder: starting it and Serve takes 15 core-seconds."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from ray import serve as ray_serve

from cluster.testing.ray_cluster import ray_cluster
from serve.application import remove, shutdown


@pytest.fixture(scope="package", autouse=True)
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Ray alone; the first module that deploys something starts Serve."""
    with ray_cluster(tmp_path_factory.mktemp("installation")):
        try:
            yield
        finally:
            shutdown()


@pytest.fixture(scope="module", autouse=True)
def no_application_stays(cluster: None) -> Iterator[None]:
    """Each module finds a cluster without applications."""
    yield
    for name in ray_serve.status().applications:
        remove(name)
