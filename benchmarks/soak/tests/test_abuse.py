"""The attacks' short form: whatever one person sends, the server answers another, and the web process stays up."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from benchmarks.soak.abuse.attacks.every import ATTACKS
from benchmarks.soak.abuse.campaign import Outcome, endure
from benchmarks.soak.abuse.installation import running

pytestmark = [pytest.mark.soak, pytest.mark.timeout(300)]

SECONDS = 0.3
"""Enough to finish what each attack does at least once; `make soak` attacks for longer."""


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Outcome]:
    """Run all attacks in turn on one web process."""
    return asyncio.run(_run(tmp_path_factory.mktemp("abuse")))


async def _run(folder: Path) -> dict[str, Outcome]:
    async with running(folder) as installation:
        return {name: await endure(installation, name, SECONDS) for name in ATTACKS}


@pytest.mark.parametrize("name", ATTACKS)
def test_nobody_else_notices_an_attack(outcomes: dict[str, Outcome], name: str) -> None:
    outcome = outcomes[name]
    assert sum(outcome.attacked.outcomes.values()) > 0
    assert outcome.experience.seconds
    assert outcome.experience.failures == []
    assert outcome.restarts == 0
    assert outcome.server_errors == 0, outcome.attacked.outcomes
