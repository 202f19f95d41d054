"""What people and teams own that this house does not know: files, uploads, terms. `api/content/belongings/` has it."""

from __future__ import annotations

import uuid
from typing import Annotated, Protocol

from fastapi import Depends, Request
from sqlalchemy.ext.asyncio import AsyncSession

from api.platform.jobs.job_type import JobTypes


class Belongings(Protocol):
    """What happens to them when a session, a membership, an account or a team ends. Each call is part of the caller's
    transaction. Calls that purge take some at a time, and return whether there may be more.
    """

    async def continue_uploads(self, session: AsyncSession, old_hash: str | None, new_hash: str) -> None:
        """Let the uploads of a browser session continue under its new token."""

    async def end_uploads(self, session: AsyncSession, user_id: uuid.UUID, team_id: uuid.UUID) -> None:
        """End what a person is uploading into a team."""

    async def stop_of_person(self, session: AsyncSession, types: JobTypes, user_id: uuid.UUID) -> None:
        """Stop the work on what a person owns alone, and everything that could add to it."""

    async def stop_of_team(self, session: AsyncSession, types: JobTypes, team_id: uuid.UUID) -> None:
        """Stop the work on what a team owns, so that it can be started again."""

    async def hand_over_work(
        self, session: AsyncSession, user_id: uuid.UUID, team_id: uuid.UUID, heir_id: uuid.UUID
    ) -> None:
        """Give somebody else the work on what a person added to a team, before that itself changes hands."""

    async def purge_of_person(self, session: AsyncSession, user_id: uuid.UUID) -> bool:
        """Remove what a person owns, with every stored byte."""

    async def purge_of_team(self, session: AsyncSession, types: JobTypes, team_id: uuid.UUID) -> bool:
        """Remove what a team owns, with every stored byte."""

    async def purge_rest_of_team(self, session: AsyncSession, team_id: uuid.UUID) -> None:
        """Remove the rows that remain once everything with stored bytes is gone."""


# A coroutine, because FastAPI would run a plain function in a thread for each request.
async def _belongings(request: Request) -> Belongings:
    belongings: Belongings = request.app.state.belongings
    return belongings


SharedBelongings = Annotated[Belongings, Depends(_belongings)]
