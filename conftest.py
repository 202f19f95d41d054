"""The order of all tests: cheap ones first, then those that start Ray or a whole installation, last the browser."""

from __future__ import annotations

import os

import pytest

for package in ("api", "cluster", "pipelines", "serve"):
    pytest.register_assert_rewrite(f"{package}.testing")

# Two installations may start at once on two cores: Ray gives itself 30 s, which a loaded machine can pass.
os.environ.setdefault("RAY_raylet_start_wait_time_s", "120")
# No test fetches a real model; those that fetch one have a hub of their own and say so.
os.environ.setdefault("SAGASCRIPT_ALLOW_HUB", "false")

DEAR_LAST = (
    "serve/tests/test_cluster",
    "pipelines/tests/media/test_tasks",
    "pipelines/tests/speech/test_on_serve",
    "cluster/tests/test_ray",
    "api/tests/jobs",
    "api/tests/cli",
    "soak/tests/test_durability",
    "api/tests/e2e",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=_cost)


def _cost(item: pytest.Item) -> int:
    return next((place for place, start in enumerate(DEAR_LAST, 1) if item.nodeid.startswith(start)), 0)
