from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from api.testing.proof.world import World, opened_world


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    """The loop in which a module's world lives."""
    with asyncio.Runner() as opened:
        yield opened


@pytest.fixture(scope="module")
def shared_world(runner: asyncio.Runner, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    opening = opened_world(tmp_path_factory.mktemp("world"))
    yield runner.run(opening.__aenter__())
    runner.run(opening.__aexit__(None, None, None))


@pytest.fixture
def world(shared_world: World) -> Iterator[World]:
    """The module's world as it was at first."""
    shared_world.reset()
    routes = list(shared_world.app.router.routes)
    yield shared_world
    shared_world.app.router.routes[:] = routes
    shared_world.app.dependency_overrides.clear()
