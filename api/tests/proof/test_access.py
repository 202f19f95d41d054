"""Nobody reaches what is not theirs: every call, every form of id, every role.

Seeded holes show that the sweep would notice.
"""

from __future__ import annotations

import asyncio
import re
import uuid
from collections.abc import Callable

import pytest
from sqlalchemy import true

from api.openapi import openapi_document
from api.people.access import rules
from api.people.auth import browsing, viewer
from api.testing.proof.sweep import Finding, Sweep
from api.testing.proof.world import World

REFUSALS = {"eve": 404, "visitor": 401, "vera": 403, "root": 404, "looking": 403, "changing": 403, "patient eve": 404}
"""How most calls of each role are refused."""
SHORT = {"eve", "visitor"}
"""A stranger and somebody without an account. "patient eve" tries every form of every id, which takes as long as all
other roles together."""


def lines(findings: list[Finding]) -> list[str]:
    return [f"{each.role}: {each.method} {each.url}: {each.problem}" for each in findings]


@pytest.mark.parametrize(
    "role", [pytest.param(each, marks=[pytest.mark.long] * (each not in SHORT)) for each in REFUSALS]
)
def test_nobody_reaches_what_is_not_theirs(world: World, runner: asyncio.Runner, role: str) -> None:
    sweep = Sweep(world, openapi_document(), role)
    runner.run(sweep.run())
    assert lines(sweep.findings) == []
    # Enough calls got past the checks of their form.
    assert sweep.answers.get(REFUSALS[role], 0) > 60, sweep.answers


def nothing_is_personal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "_personal", lambda _user_id, _table: true())


def viewers_change(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "changes", lambda *_arguments, **_named: True)


def any_team_is_active(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(viewer, "_active_team", lambda _teams, header: uuid.UUID(header) if header else None)


def everything_is_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browsing, "NEVER", re.compile("nothing"))
    monkeypatch.setattr(browsing, "MAY_CHANGE", re.compile(".*"))


def looking_is_changing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browsing, "OnlyLooking", browsing.BrowseAsEnded)


@pytest.mark.long
@pytest.mark.parametrize(
    ("role", "seed"),
    [
        ("eve", nothing_is_personal),
        ("vera", viewers_change),
        ("eve", any_team_is_active),
        ("changing", everything_is_for_others),
        ("looking", looking_is_changing),
    ],
)
def test_the_sweep_finds_a_rule_that_is_switched_off(
    world: World,
    runner: asyncio.Runner,
    monkeypatch: pytest.MonkeyPatch,
    role: str,
    seed: Callable[[pytest.MonkeyPatch], None],
) -> None:
    seed(monkeypatch)
    assert runner.run(Sweep(world, openapi_document(), role).run(stops_at_first=True))


@pytest.mark.long
def test_the_sweep_finds_an_admin_area_that_is_open(world: World, runner: asyncio.Runner) -> None:
    world.override(rules.require_admin, viewer.current_viewer)
    findings = runner.run(Sweep(world, openapi_document(), "eve").run(stops_at_first=True))
    assert any("an administrator's call answered" in each.problem for each in findings)
