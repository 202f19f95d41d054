"""What a copy says about a team: its rules and its members."""

from __future__ import annotations

import uuid

from api.people.account.export.json_parts import json_bytes
from api.people.membership.schemas import TeamRules
from api.people.teams.models import Team
from api.people.users.teams import members_with_accounts
from api.platform.db.engine import Database


async def team_facts(database: Database, team_id: uuid.UUID) -> bytes:
    async with database.read() as session:
        team = await session.get_one(Team, team_id)
        members = await members_with_accounts(session, team_id)
    return json_bytes(
        {
            "id": team.id,
            "name": team.name,
            "language": team.language,
            "created_at": team.created_at,
            "rules": TeamRules.model_validate(team, from_attributes=True).model_dump(),
            "members": [
                {"name": user.name, "email": user.email, "role": row.role, "joined_at": row.created_at}
                for row, user in members
            ],
        }
    )
