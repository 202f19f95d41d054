"""The same sweep where people pay, on PostgreSQL, and both at once."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from api.openapi import openapi_document
from api.testing.databases.migrated import migrated_database
from api.testing.proof.sweep import Sweep
from api.testing.proof.world import World, opened_world
from api.testing.stripe.server import running_stripe
from api.tests.proof.test_access import REFUSALS, lines, nothing_is_personal

pytestmark = pytest.mark.long

PAID, POSTGRES, BOTH = "paid", "postgresql", "paid on postgresql"
TRIES = [
    *((kind, "eve") for kind in (PAID, POSTGRES)),
    *((BOTH, role) for role in REFUSALS if role != "patient eve"),
]


@pytest.fixture(scope="module")
def shared_world(
    runner: asyncio.Runner, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[World]:
    with ExitStack() as stack:
        url = None
        if request.param != PAID:
            url = stack.enter_context(migrated_database(request.getfixturevalue("postgres_server")))
        bank = None if request.param == POSTGRES else stack.enter_context(running_stripe())
        opening = opened_world(tmp_path_factory.mktemp("world"), bank, database_url=url)
        yield runner.run(opening.__aenter__())
        runner.run(opening.__aexit__(None, None, None))


@pytest.mark.parametrize(("shared_world", "role"), TRIES, indirect=["shared_world"])
def test_nobody_reaches_what_is_not_theirs(world: World, runner: asyncio.Runner, role: str) -> None:
    sweep = Sweep(world, openapi_document(), role)
    runner.run(sweep.run())
    assert lines(sweep.findings) == []
    assert sweep.answers.get(REFUSALS[role], 0) > 60, sweep.answers


@pytest.mark.parametrize("shared_world", [PAID, POSTGRES, BOTH], indirect=True)
def test_the_sweep_finds_a_rule_that_is_switched_off(
    world: World, runner: asyncio.Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing_is_personal(monkeypatch)
    role = "root" if world.state.settings.billing else "eve"
    assert runner.run(Sweep(world, openapi_document(), role).run(stops_at_first=True))
