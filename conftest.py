"""The order of all tests: cheap ones first, then those that start Ray or a whole installation, last the browser."""

from __future__ import annotations

import pytest

DEAR_LAST = (
    "serve/tests/test_cluster",
    "pipelines/tests/media/test_tasks",
    "pipelines/tests/speech/test_on_serve",
    "cluster/tests/test_ray",
    "api/tests/jobs",
    "api/tests/cli",
    "benchmarks/tests/test_lost",
    "api/tests/e2e",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=_cost)


def _cost(item: pytest.Item) -> int:
    return next((place for place, start in enumerate(DEAR_LAST, 1) if item.nodeid.startswith(start)), 0)
