"""The order of all tests: cheap ones first, then those that start Ray or an installation, browser tests last."""

from __future__ import annotations

import os
from importlib.util import find_spec

import pytest

for package in ("api", "cluster", "pipelines", "serve"):
    pytest.register_assert_rewrite(f"{package}.testing")

# Several installations may start at once on two cores. Ray's own limit of 30 s is too short on a loaded machine.
os.environ.setdefault("RAY_raylet_start_wait_time_s", "120")
# No test downloads a real model; tests of the download run their own hub and override this.
os.environ.setdefault("SAGASCRIPT_ALLOW_HUB", "false")

EXPENSIVE_LAST = (
    "serve/tests/test_cluster",
    "pipelines/tests/media/test_tasks",
    "pipelines/tests/speech/test_on_serve",
    "pipelines/tests/flows/test_texts_on_serve",
    "cluster/tests/test_ray",
    "api/tests/jobs",
    "api/tests/cli",
    "soak/tests/test_durability",
    "api/tests/e2e",
)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if find_spec("torch") is None:
        left_out = [item for item in items if item.get_closest_marker("gpu_env")]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]
    items.sort(key=_cost)


def _cost(item: pytest.Item) -> int:
    return next((index for index, start in enumerate(EXPENSIVE_LAST, 1) if item.nodeid.startswith(start)), 0)
