"""Who may see and who may change what people own: their own, and what belongs to a team of theirs.

This is the only place that compares owners. Exports, captions and jobs belong to a file, so the file's rule is theirs.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection
from typing import Annotated

from fastapi import Depends
from sqlalchemy import ColumnElement, and_, or_

from api.access.owned import EDITORS, Binned, Owned
from api.auth.viewer import SignedIn, Viewer
from api.http.errors import Forbidden
from api.teams.models import TeamRole


def may_see(viewer: Viewer, table: type[Owned]) -> ColumnElement[bool]:
    """The rows a viewer may see, whichever team they act for. What is in the bin is hidden."""
    return _outside_bin(table, _owned(viewer, table, viewer.teams))


def may_change(viewer: Viewer, table: type[Owned]) -> ColumnElement[bool]:
    """The rows a viewer may change. What is in the bin must be restored first."""
    return _outside_bin(table, _owned(viewer, table, _changing_teams(viewer, table)))


def may_restore(viewer: Viewer, table: type[Binned]) -> ColumnElement[bool]:
    """The rows in the bin that a viewer may see there, restore and delete for good: those they may change."""
    return and_(_owned(viewer, table, _changing_teams(viewer, table)), table.deleted_at.is_not(None))


def changes(
    viewer: Viewer, user_id: uuid.UUID, team_id: uuid.UUID | None, *, changed_by: Collection[TeamRole] = EDITORS
) -> bool:
    """`may_change` for one owner and team that are already loaded."""
    if user_id == viewer.user_id:
        return True
    return team_id is not None and viewer.teams.get(team_id) in changed_by


def require_change(viewer: Viewer, row: Owned) -> None:
    """Raise `Forbidden` when this call changes things and the viewer may only look at the row."""
    if viewer.is_changing and not changes(viewer, row.user_id, row.team_id, changed_by=row.changed_by):
        raise Forbidden


def require_addition(viewer: Viewer) -> None:
    """Raise `Forbidden` when what the viewer adds would belong to a team in which they may only look."""
    if viewer.team_id is not None and viewer.teams.get(viewer.team_id) not in EDITORS:
        raise Forbidden


def shared_with(user_id: uuid.UUID, team_id: uuid.UUID | None, table: type[Owned]) -> ColumnElement[bool]:
    """The rows that a person uses while acting for a team: their own that belong to no team, and the team's."""
    own = and_(table.user_id == user_id, table.team_id.is_(None))
    return own if team_id is None else or_(own, table.team_id == team_id)


def of_owner(user_id: uuid.UUID, team_id: uuid.UUID | None, table: type[Owned]) -> ColumnElement[bool]:
    """The rows of one owner: of the team, or of the person alone when there is no team."""
    return table.team_id == team_id if team_id is not None else shared_with(user_id, None, table)


def is_same_person(one: uuid.UUID, other: uuid.UUID) -> bool:
    """For credentials that carry a person and no roles, such as upload tokens."""
    return one == other


def _changing_teams(viewer: Viewer, table: type[Owned]) -> list[uuid.UUID]:
    return [team for team, role in viewer.teams.items() if role in table.changed_by]


def _outside_bin(table: type[Owned], owned: ColumnElement[bool]) -> ColumnElement[bool]:
    return and_(owned, table.deleted_at.is_(None)) if issubclass(table, Binned) else owned


def _owned(viewer: Viewer, table: type[Owned], teams: Collection[uuid.UUID]) -> ColumnElement[bool]:
    own = table.user_id == viewer.user_id
    return or_(own, table.team_id.in_(teams)) if teams else own


# A coroutine: FastAPI would send a plain function through a thread, for each request.
async def require_admin(viewer: SignedIn) -> Viewer:
    """A dependency of routes that only administrators may call. Raises `Forbidden`."""
    if not viewer.is_admin:
        raise Forbidden
    return viewer


AdminOnly = Annotated[Viewer, Depends(require_admin)]
"""The administrator who makes a call. Nobody is one while browsing as somebody else."""
