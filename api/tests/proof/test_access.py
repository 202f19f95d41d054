"""Nobody reaches what is not theirs: every call, every form of id, every role.

Seeded holes show that the sweep would notice.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from fastapi import APIRouter, FastAPI
from sqlalchemy import true

from api.access import rules
from api.auth.viewer import current_viewer
from api.openapi import openapi_document
from api.routers import ROUTERS
from api.testing.proof.sweep import Finding, Sweep
from api.testing.proof.world import opened_world

DOCUMENT = openapi_document()


async def swept(folder: Path, role: str, hole: Callable[[FastAPI], None] | None = None) -> Sweep:
    """Try everything as one role; with a hole, stop once it is found."""
    async with opened_world(folder) as world:
        if hole is not None:
            hole(world.app)
        sweep = Sweep(world, DOCUMENT)
        await sweep.run(role, stops_at_first=hole is not None)
        return sweep


def lines(findings: list[Finding]) -> list[str]:
    return [f"{each.role}: {each.method} {each.url}: {each.problem}" for each in findings]


@pytest.mark.parametrize("role", ["eve", "visitor", "vera", "root"])
def test_nobody_reaches_what_is_not_theirs(tmp_path: Path, role: str) -> None:
    sweep = asyncio.run(swept(tmp_path, role))
    assert lines(sweep.findings) == []
    statuses = sweep.answers[role]
    refused = {"eve": 404, "visitor": 401, "vera": 403, "root": 404}[role]
    # So many calls got past the checks of their form.
    assert statuses.get(refused, 0) > 60, statuses


def nothing_is_personal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "_personal", lambda _user_id, _table: true())


def viewers_change(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "changes", lambda *_arguments, **_named: True)


@pytest.mark.parametrize(("role", "seed"), [("eve", nothing_is_personal), ("vera", viewers_change)])
def test_the_sweep_finds_a_rule_that_is_switched_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, role: str, seed: Callable[[pytest.MonkeyPatch], None]
) -> None:
    sweep = asyncio.run(swept(tmp_path, role, lambda _app: seed(monkeypatch)))
    assert sweep.findings


def test_the_sweep_finds_an_admin_area_that_is_open(tmp_path: Path) -> None:
    def open_admin_area(app: FastAPI) -> None:
        overridable = APIRouter(dependency_overrides_provider=app)
        for router in ROUTERS:
            overridable.include_router(router)
        app.router.routes[:0] = overridable.routes
        app.dependency_overrides[rules.require_admin] = current_viewer

    findings = asyncio.run(swept(tmp_path, "eve", open_admin_area)).findings
    assert any("an administrator's call answered" in each.problem for each in findings)
