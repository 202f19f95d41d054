"""Who may see and who may change what people own: what is theirs alone, and what belongs to a team of theirs.

What belongs to a team is the team's: its uploader loses sight of it with the membership. This is the only place that
compares owners. Exports, captions and jobs belong to a file, so the file's rule is theirs.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection
from typing import Annotated, Any

from fastapi import Depends
from sqlalchemy import ColumnElement, and_, exists, or_
from sqlalchemy.orm import InstrumentedAttribute

from api.people.access.owned import EDITORS, TEAM_OWNERS, Owned, Restorable
from api.people.auth.viewer import SignedIn, Viewer
from api.people.teams.models import Membership, Team, TeamRole, is_open
from api.people.users.models import User
from api.platform.http.errors import Forbidden


def may_see(viewer: Viewer, table: type[Owned]) -> ColumnElement[bool]:
    """The rows a viewer may see, whichever team they act for. What is in the bin is hidden."""
    own = _personal(viewer.user_id, table)
    return _outside_bin(table, or_(own, table.team_id.in_(viewer.teams)) if viewer.teams else own)


def may_change(viewer: Viewer, table: type[Owned]) -> ColumnElement[bool]:
    """The rows a viewer may change. What is in the bin must be restored first."""
    return _outside_bin(table, _changed(viewer, table))


def may_restore(viewer: Viewer, table: type[Restorable]) -> ColumnElement[bool]:
    """The rows in the bin that a viewer may see there, restore and delete for good: those they may change."""
    return and_(_changed(viewer, table), table.deleted_at.is_not(None))


def changes(
    viewer: Viewer, user_id: uuid.UUID, team_id: uuid.UUID | None, *, changed_by: Collection[TeamRole] = EDITORS
) -> bool:
    """`may_change` for one owner and team that are already loaded."""
    is_own = user_id == viewer.user_id
    if team_id is None:
        return is_own
    role = viewer.teams.get(team_id)
    return role is not None and (is_own or role in changed_by)


def require_change(viewer: Viewer, row: Owned) -> None:
    """Raise `Forbidden` when this call changes things and the viewer may only look at the row."""
    if viewer.is_changing and not changes(viewer, row.user_id, row.team_id, changed_by=row.changed_by):
        raise Forbidden


def offers_change(viewer: Viewer, row: Owned) -> bool:
    """Whether a page should offer the viewer changes of a row they see: what `require_change` would let pass.

    False for an administrator who may only look into the account.
    """
    return offers(viewer, row.user_id, row.team_id, changed_by=row.changed_by)


def offers(
    viewer: Viewer, user_id: uuid.UUID, team_id: uuid.UUID | None, *, changed_by: Collection[TeamRole] = EDITORS
) -> bool:
    """`offers_change` for one owner and team that are already loaded."""
    return viewer.may_change and changes(viewer, user_id, team_id, changed_by=changed_by)


def moves(viewer: Viewer, user_id: uuid.UUID, team_id: uuid.UUID | None) -> bool:
    """Whether the viewer may take a file that they see out of its team, or give one of their own to a team.

    What a colleague added leaves a team only by an owner's hand, what they added themselves while they may edit there.
    """
    is_own = user_id == viewer.user_id
    if team_id is None:
        return is_own
    return viewer.teams.get(team_id) in (EDITORS if is_own else TEAM_OWNERS)


def offers_move(viewer: Viewer, user_id: uuid.UUID, team_id: uuid.UUID | None) -> bool:
    """Whether a page should offer to move a file: what `moves` lets pass, and nothing while support only looks."""
    return viewer.may_change and moves(viewer, user_id, team_id)


def offers_purge(viewer: Viewer, row: Restorable) -> bool:
    """Whether a page should offer to delete something of the bin for good. Nobody does that in another's account."""
    return viewer.admin_id is None and offers_change(viewer, row)


def require_addition(viewer: Viewer) -> None:
    """Raise `Forbidden` when what the viewer adds would belong to a team in which they may only look."""
    if viewer.team_id is not None and viewer.teams.get(viewer.team_id) not in EDITORS:
        raise Forbidden


def shared_with(user_id: uuid.UUID, team_id: uuid.UUID | None, table: type[Owned]) -> ColumnElement[bool]:
    """The rows that a person uses while acting for a team: their own that belong to no team, and the team's."""
    own = _personal(user_id, table)
    return own if team_id is None else or_(own, table.team_id == team_id)


def of_owner(user_id: uuid.UUID, team_id: uuid.UUID | None, table: type[Owned]) -> ColumnElement[bool]:
    """The rows of one owner: of the team, or of the person alone when there is no team."""
    return table.team_id == team_id if team_id is not None else shared_with(user_id, None, table)


def added_by(user_id: uuid.UUID, table: type[Any]) -> ColumnElement[bool]:
    """All rows that a person added, for themselves and for teams."""
    author: InstrumentedAttribute[uuid.UUID | None] = table.user_id
    return author == user_id


def of_team(team_id: uuid.UUID, table: type[Owned]) -> ColumnElement[bool]:
    """All rows of a team, whoever added them."""
    return table.team_id == team_id


def has_owner(table: type[Owned]) -> ColumnElement[bool]:
    """The rows whose owner is there: an open team, or a person whose account is not deleted."""
    person = exists().where(User.id == table.user_id, User.deleted_at.is_(None))
    team = exists().where(Team.id == table.team_id, is_open())
    return or_(and_(table.team_id.is_(None), person), team)


def is_same_person(one: uuid.UUID, other: uuid.UUID | None) -> bool:
    """For credentials that carry a person and no roles, such as upload tokens."""
    return one == other


def author_of(table: type[Any]) -> ColumnElement[bool]:
    """Joins the people who wrote the rows of a table with the column `user_id`."""
    author: InstrumentedAttribute[uuid.UUID | None] = table.user_id
    return User.id == author


def _outside_bin(table: type[Owned], owned: ColumnElement[bool]) -> ColumnElement[bool]:
    return and_(owned, table.deleted_at.is_(None)) if issubclass(table, Restorable) else owned


def _changed(viewer: Viewer, table: type[Owned]) -> ColumnElement[bool]:
    """In a team, by the viewer's role there, and what they added themselves."""
    own = _personal(viewer.user_id, table)
    if not viewer.teams:
        return own
    teams = [team for team, role in viewer.teams.items() if role in table.changed_by]
    added = and_(table.user_id == viewer.user_id, table.team_id.in_(viewer.teams))
    return or_(own, added, table.team_id.in_(teams)) if teams else or_(own, added)


def may_add(table: type[Any]) -> ColumnElement[bool]:
    """The rows of a table with the columns of `Owned` whose person may still add to the team named there, if any."""
    is_editor = exists().where(
        Membership.team_id == table.team_id,
        Membership.user_id == table.user_id,
        Membership.role.in_(EDITORS),
        Team.id == Membership.team_id,
        is_open(),
    )
    return or_(table.team_id.is_(None), is_editor)


def by_member(user_id: uuid.UUID, team_id: uuid.UUID, table: type[Any]) -> ColumnElement[bool]:
    """The rows that one person added to a team, of a table with the columns of `Owned`."""
    return and_(table.user_id == user_id, table.team_id == team_id)


def _personal(user_id: uuid.UUID, table: type[Owned]) -> ColumnElement[bool]:
    return and_(table.user_id == user_id, table.team_id.is_(None))


# A coroutine: FastAPI would send a plain function through a thread, for each request.
async def require_admin(viewer: SignedIn) -> Viewer:
    """A dependency of routes that only administrators may call. Raises `Forbidden`."""
    if not viewer.is_admin:
        raise Forbidden
    return viewer


AdminOnly = Annotated[Viewer, Depends(require_admin)]
"""The administrator who makes a call. Nobody is one while browsing as somebody else."""
