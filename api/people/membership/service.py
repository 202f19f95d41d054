"""Create teams and change them and their members."""

from __future__ import annotations

import uuid

from sqlalchemy import delete
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.access.belongings import Belongings
from api.people.access.owned import EDITORS, TEAM_OWNERS
from api.people.access.rules import by_member, is_same_person
from api.people.audit.actions import AuditAction
from api.people.auth.viewer import Viewer
from api.people.membership.announcement import announce, record_in
from api.people.membership.held_team import ANY_ROLE, HeldTeam, Member, hold
from api.people.membership.models import Invitation
from api.people.membership.schemas import TeamChange, TeamIn
from api.people.membership.seats import check_joining
from api.people.teams.models import Membership, Team, TeamRole
from api.people.users.models import User
from api.people.users.restrictions import has_factor
from api.people.users.teams import teams_of_user
from api.platform.http.errors import Invalid, NotFound
from api.platform.mail.messages import RemovedFromTeam
from api.platform.mail.outgoing import send_later
from cluster.wording.message import Message, Wording

TEAMS_MAX = 50
"""Teams that one person owns."""

TOO_MANY_TEAMS = Message(
    "membership.too_many_teams", "You own {count} teams, and no more fit. Delete one first.", count=TEAMS_MAX
)
MEMBER_NOT_FOUND = Message("membership.member_not_found", "This person is not in the team any more.")
LAST_OWNER = Wording("membership.last_owner", "{name} is the only owner of {team}. Make somebody else an owner first.")
YOU_LAST_OWNER = Wording(
    "membership.you_last_owner", "You are the only owner of {team}. Make somebody else an owner first."
)
ONLY_MEMBER = Wording("membership.only_member", "You are the only member of {team}. Delete the team instead.")
PAYER_LEAVES = Wording(
    "membership.payer_leaves", "You pay for {team}. Another owner has to take over the payment before you leave."
)
PAYER_STAYS = Wording(
    "membership.payer_stays", "{name} pays for {team} and must stay an owner. Take over the payment first."
)
YOURS_FIRST = Message(
    "membership.yours_first", "Add an authenticator app to your own account first, in your settings under Password."
)
MAY_BE_EMPTY = frozenset({"language", "session_hours", "keep_days"})
PAYS_ALREADY = Message("membership.pays_already", "You pay for this team already.")


class LastOwner(Invalid):
    code = "last_owner"


class PaysForTeam(Invalid):
    code = "pays_for_team"


async def create(session: AsyncSession, viewer: Viewer, body: TeamIn) -> Team:
    """Create a team that the viewer owns and pays for."""
    # The person's row is locked, so that two calls do not both take the last place.
    await session.get(User, viewer.user_id, with_for_update={"key_share": True})
    mine = await teams_of_user(session, viewer.user_id)
    if sum(each.role in TEAM_OWNERS for each in mine) >= TEAMS_MAX:
        raise Invalid.field("name", TOO_MANY_TEAMS)
    team = Team(name=body.name, language=body.language, payer_id=viewer.user_id)
    session.add(team)
    await session.flush()
    session.add(Membership(team_id=team.id, user_id=viewer.user_id, role=TeamRole.OWNER))
    await session.flush()
    record_in(session, viewer, AuditAction.TEAM_CREATED, team)
    announce(session, team, [viewer.user_id])
    return team


async def change(session: AsyncSession, viewer: Viewer, team_id: uuid.UUID, body: TeamChange) -> Team:
    held = await hold(session, viewer, team_id)
    team = held.team
    new = {name: getattr(body, name) for name in body.model_fields_set}
    new = {name: value for name, value in new.items() if value is not None or name in MAY_BE_EMPTY}
    if "email_domains" in new:
        new["email_domains"] = sorted({*new["email_domains"]})
    if new.get("requires_factor") and not has_factor(await session.get_one(User, viewer.user_id)):
        raise Invalid.field("requires_factor", YOURS_FIRST)
    changed = {name: value for name, value in new.items() if getattr(team, name) != value}
    if changed:
        before = {name: getattr(team, name) for name in changed}
        for name, value in changed.items():
            setattr(team, name, value)
        record_in(session, viewer, AuditAction.TEAM_CHANGED, team, fields=list(changed), before=before, after=changed)
        announce(session, team, held.members)
    return team


async def change_role(
    session: AsyncSession,
    belongings: Belongings,
    viewer: Viewer,
    team_id: uuid.UUID,
    user_id: uuid.UUID,
    role: TeamRole,
) -> None:
    held = await hold(session, viewer, team_id)
    member = _member(held, user_id)
    before = member.role
    if role == before:
        return
    if before in TEAM_OWNERS:
        _require_other_owner(held, viewer, member)
        if held.is_payer(user_id):
            raise PaysForTeam(PAYER_STAYS(name=member.user.name, team=held.team.name))
    member.row.role = role
    if role not in EDITORS:
        await belongings.end_uploads(session, user_id, team_id)
    await _withdraw_above(session, user_id, team_id, role)
    record_in(
        session,
        viewer,
        AuditAction.MEMBER_ROLE_CHANGED,
        held.team,
        subject_id=user_id,
        name=member.user.name,
        before=before,
        after=role,
    )
    announce(session, held.team, held.members)


async def remove_member(
    session: AsyncSession, belongings: Belongings, viewer: Viewer, team_id: uuid.UUID, user_id: uuid.UUID
) -> None:
    """Remove a member at once. Leaving is the same for oneself, in any role."""
    is_leaving = is_same_person(user_id, viewer.user_id)
    held = await hold(session, viewer, team_id, roles=ANY_ROLE if is_leaving else TEAM_OWNERS)
    member = _member(held, user_id)
    if len(held.members) == 1:
        raise LastOwner(ONLY_MEMBER(team=held.team.name))
    if member.role in TEAM_OWNERS:
        _require_other_owner(held, viewer, member)
    if held.is_payer(user_id):
        sentence = PAYER_LEAVES if is_leaving else PAYER_STAYS
        raise PaysForTeam(sentence(name=member.user.name, team=held.team.name))
    await end_membership(session, belongings, team_id, user_id)
    action = AuditAction.MEMBER_LEFT if is_leaving else AuditAction.MEMBER_REMOVED
    record_in(session, viewer, action, held.team, subject_id=user_id, name=member.user.name, role=member.role)
    announce(session, held.team, held.members)
    if not is_leaving:
        user = member.user
        send_later(session, RemovedFromTeam(to=user.email, locale=user.locale, name=user.name, team=held.team.name))


async def end_membership(session: AsyncSession, belongings: Belongings, team_id: uuid.UUID, user_id: uuid.UUID) -> None:
    """Take a person out of a team, with all that lets them reach it. The caller holds the team."""
    await session.execute(delete(Membership).where(by_member(user_id, team_id, Membership)))
    await belongings.end_uploads(session, user_id, team_id)
    await _withdraw_above(session, user_id, team_id, None)


async def _withdraw_above(session: AsyncSession, user_id: uuid.UUID, team_id: uuid.UUID, role: TeamRole | None) -> None:
    """Withdraw the open invitations of a person who may no longer give such a role; all when they leave."""
    may_give = (
        [] if role in (None, TeamRole.VIEWER) else [each for each in TeamRole if each.rank <= TeamRole(role).rank]
    )
    await session.execute(
        delete(Invitation).where(
            Invitation.team_id == team_id,
            Invitation.inviter_id == user_id,
            Invitation.accepted_at.is_(None),
            Invitation.role.not_in(may_give),
        )
    )


async def take_over_payment(session: AsyncSession, viewer: Viewer, team_id: uuid.UUID) -> Team:
    """Make the viewer, an owner, the one whose plan pays for the team from now on. Nobody can make another pay."""
    held = await hold(session, viewer, team_id)
    if held.is_payer(viewer.user_id):
        raise Invalid(PAYS_ALREADY)
    before = held.members.get(held.team.payer_id) if held.team.payer_id is not None else None
    await check_joining(session, viewer.user_id, *held.members)
    held.team.payer_id = viewer.user_id
    record_in(
        session, viewer, AuditAction.TEAM_PAYER_CHANGED, held.team, before=None if before is None else before.user.name
    )
    announce(session, held.team, held.members)
    return held.team


def _member(held: HeldTeam, user_id: uuid.UUID) -> Member:
    member = held.members.get(user_id)
    if member is None:
        raise NotFound(MEMBER_NOT_FOUND)
    return member


def _require_other_owner(held: HeldTeam, viewer: Viewer, member: Member) -> None:
    if held.owners != [member.user.id]:
        return
    if is_same_person(member.user.id, viewer.user_id):
        raise LastOwner(YOU_LAST_OWNER(team=held.team.name))
    raise LastOwner(LAST_OWNER(name=member.user.name, team=held.team.name))
