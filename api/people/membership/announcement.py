"""Tell the pages of a team's members that something about the team changed, and record who changed it."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from api.people.audit.actions import AuditAction
from api.people.audit.service import record_for
from api.people.auth.viewer import Viewer
from api.people.teams.models import Team
from api.platform.jobs.outbox import add_event
from api.platform.realtime.events import event
from api.platform.realtime.messages import Action, Topic
from api.platform.realtime.notices import Audience, Notice


def announce(session: AsyncSession, team: Team, user_ids: Collection[uuid.UUID]) -> None:
    """Have the pages of these people read the team again. People who were just removed are among them."""
    changed = event(Topic.TEAM, Action.CHANGED, slug=str(team.id), name=team.name)
    add_event(session, Notice(Audience(tuple(user_ids)), changed))


def record_in(
    session: AsyncSession,
    viewer: Viewer,
    action: AuditAction,
    team: Team,
    *,
    subject_id: uuid.UUID | None = None,
    **details: Any,
) -> None:
    """Add an entry to the team's account log."""
    record_for(
        session,
        viewer,
        action,
        subject_id=subject_id,
        team_id=team.id,
        object_kind="team",
        object_id=str(team.id),
        team=team.name,
        **details,
    )
