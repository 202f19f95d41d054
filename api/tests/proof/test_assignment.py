"""No body sets what is not the sender's to set, and none reaches somebody else's things. Seeded holes are found."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest
from fastapi import Request
from sqlalchemy import update

from api.openapi import openapi_document
from api.people.auth import viewer
from api.people.auth.viewer import Viewer
from api.people.teams.models import TeamRole
from api.people.users.models import User
from api.platform.http.state import State
from api.testing.proof.assignment import Assignment
from api.testing.proof.calls import with_some_paths
from api.testing.proof.world import World


@pytest.mark.parametrize(
    ("chosen", "compared"),
    [(with_some_paths, 5), pytest.param(dict, 20, marks=pytest.mark.long)],
    ids=["some", "all"],
)
def test_no_body_sets_what_is_not_the_senders(
    world: World, runner: asyncio.Runner, chosen: Callable[[dict[str, Any]], dict[str, Any]], compared: int
) -> None:
    assignment = Assignment(world, chosen(openapi_document()))
    found = runner.run(assignment.run())
    assert [f"{each.operation.method} {each.operation.path}: {each.problem}" for each in found] == []
    # Enough calls succeeded and could have stored something.
    assert assignment.compared > compared


async def _body(request: Request) -> dict[str, Any]:
    if not request.headers.get("content-type", "").startswith("application/json"):
        return {}
    body = await request.json()
    return body if isinstance(body, dict) else {}


async def honours_user(request: Request, state: State) -> Viewer:
    current = await viewer.current_viewer(request, state)
    return replace(current, user_id=uuid.UUID((await _body(request)).get("user_id", str(current.user_id))))


async def honours_team(request: Request, state: State) -> Viewer:
    """A team id of the body, which is not looked up in the teams of the person."""
    current = await viewer.current_viewer(request, state)
    team_id = (await _body(request)).get("team_id")
    if team_id is None:
        return current
    team = uuid.UUID(team_id)
    return replace(current, team_id=team, teams={**current.teams, team: TeamRole.OWNER})


async def honours_admin(request: Request, state: State) -> Viewer:
    current = await viewer.current_viewer(request, state)
    if (await _body(request)).get("is_admin"):
        async with state.database.write() as session:
            await session.execute(update(User).where(User.id == current.user_id).values(is_admin=True))
    return current


@pytest.mark.long
@pytest.mark.parametrize("hole", [honours_user, honours_team, honours_admin])
def test_a_body_that_sets_too_much_is_found(
    world: World, runner: asyncio.Runner, hole: Callable[..., Awaitable[Viewer]]
) -> None:
    world.override(viewer.current_viewer, hole)
    assert runner.run(Assignment(world, openapi_document()).run(stops_at_first=True))
