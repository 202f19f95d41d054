"""Invite people to a team by mail, and let the person who reads that mail join."""

from __future__ import annotations

import secrets
import uuid
from datetime import datetime

from sqlalchemy import ColumnElement, Select, delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.access.owned import EDITORS
from api.people.audit.actions import AuditAction
from api.people.auth.sessions import hash_token
from api.people.auth.viewer import Viewer
from api.people.membership.announcement import announce, record_in
from api.people.membership.domains import require_domain
from api.people.membership.held_team import HeldTeam, hold, lock_team, members_by_id
from api.people.membership.limits import LIFETIME, MEMBERS_MAX, OPEN_MAX
from api.people.membership.models import Invitation
from api.people.membership.schemas import InvitationView, NewInvitation
from api.people.membership.seats import check_invited, check_joining
from api.people.teams.models import Membership, Team, TeamRole, is_open
from api.people.users.models import User
from api.platform.db import clock
from api.platform.http.errors import Forbidden, Invalid, NotFound
from api.platform.mail.messages import TeamInvitation
from api.platform.mail.outgoing import send_later
from cluster.wording.message import Message, Wording

TOKEN_BYTES = 32
LINK = "{base}/invitation#{token}"
"""The token is behind the `#`, so that it reaches no server's log and no other site."""

NO_INVITATION = Message(
    "membership.no_invitation",
    "This link does not work: it is not whole, or the invitation has been withdrawn. Open the whole link from the "
    "mail, or ask for a new one.",
)
NOT_OPEN = Message("membership.not_open", "This invitation is no longer open. Somebody may have withdrawn it.")
EXPIRED = Message("membership.expired", "This invitation has expired. Ask for a new one.")
WRONG_ACCOUNT = Wording(
    "membership.wrong_account",
    "This invitation is for {email}, and you are signed in as {own}. Sign out, then open the link again and use "
    "that address.",
)
IS_MEMBER = Wording("membership.is_member", "{name} is in this team already.")
IS_INVITED = Message(
    "membership.is_invited", "This address has an open invitation already. Send that one again instead."
)
TOO_MANY_OPEN = Message(
    "membership.too_many_open", "This team has {count} open invitations. Withdraw some first.", count=OPEN_MAX
)
TEAM_FULL = Message("membership.team_full", "This team has {count:,} members, and no more fit.", count=MEMBERS_MAX)


class WrongAccount(Invalid):
    code = "wrong_account"


class InvitationExpired(Invalid):
    code = "invitation_expired"


def roles_to_give(role: TeamRole | None) -> list[TeamRole]:
    """The roles in which somebody of this role may invite others, the highest first."""
    if role not in EDITORS:
        return []
    return sorted((each for each in TeamRole if each.rank <= TeamRole(role).rank), key=lambda each: -each.rank)


async def invite(
    session: AsyncSession, viewer: Viewer, team_id: uuid.UUID, body: NewInvitation, *, base_url: str
) -> Invitation:
    """Invite an address. Raises `Invalid` where it is a member's or was invited, `Forbidden` for a higher role."""
    held = await _hold_for(session, viewer, team_id, body.role)
    for member in held.members.values():
        if member.user.email == body.email:
            raise Invalid.field("email", IS_MEMBER(name=member.user.name))
    require_domain(held.team, body.email)
    rows = (await session.scalars(_open(Invitation.team_id == team_id))).all()
    same = next((row for row in rows if row.email == body.email), None)
    now = await _now(session)
    if same is not None:
        if same.expires_at > now:
            raise Invalid.field("email", IS_INVITED)
        await session.delete(same)
        await session.flush()
    if len(rows) >= OPEN_MAX:
        raise Invalid.field("email", TOO_MANY_OPEN)
    if len(held.members) >= MEMBERS_MAX:
        raise Invalid.field("email", TEAM_FULL)
    token = secrets.token_urlsafe(TOKEN_BYTES)
    invitation = Invitation(
        team_id=team_id,
        email=body.email,
        role=body.role,
        token_hash=hash_token(token),
        inviter_id=viewer.user_id,
        sent_at=now,
        expires_at=now + LIFETIME,
    )
    session.add(invitation)
    await session.flush()
    await check_invited(session, held.team.payer_id, invitation.email)
    await _mail(session, held, viewer, invitation, token, base_url)
    record_in(session, viewer, AuditAction.INVITATION_SENT, held.team, email=body.email, role=body.role)
    announce(session, held.team, held.members)
    return invitation


async def resend(
    session: AsyncSession, viewer: Viewer, team_id: uuid.UUID, invitation_id: uuid.UUID, *, base_url: str
) -> Invitation:
    """Send the mail again with a new link that works for the full time. The old link ends."""
    held, invitation = await _hold_invitation(session, viewer, team_id, invitation_id)
    token = secrets.token_urlsafe(TOKEN_BYTES)
    now = await _now(session)
    invitation.token_hash = hash_token(token)
    invitation.inviter_id = viewer.user_id
    invitation.sent_at, invitation.expires_at = now, now + LIFETIME
    await session.flush()
    await check_invited(session, held.team.payer_id, invitation.email)
    await _mail(session, held, viewer, invitation, token, base_url)
    record_in(session, viewer, AuditAction.INVITATION_RESENT, held.team, email=invitation.email, role=invitation.role)
    announce(session, held.team, held.members)
    return invitation


async def withdraw(session: AsyncSession, viewer: Viewer, team_id: uuid.UUID, invitation_id: uuid.UUID) -> None:
    held, invitation = await _hold_invitation(session, viewer, team_id, invitation_id)
    await session.execute(delete(Invitation).where(Invitation.id == invitation.id))
    record_in(
        session, viewer, AuditAction.INVITATION_WITHDRAWN, held.team, email=invitation.email, role=invitation.role
    )
    announce(session, held.team, held.members)


async def view(session: AsyncSession, token: str) -> InvitationView:
    """What the holder of a link sees before joining. Raises `NotFound` or `InvitationExpired`."""
    statement = (
        select(Invitation, Team.name, User.name, clock.now())
        .join(Team, Team.id == Invitation.team_id)
        .outerjoin(User, User.id == Invitation.inviter_id)
        .where(Invitation.token_hash == hash_token(token), is_open())
    )
    row = (await session.execute(statement)).one_or_none()
    if row is None:
        raise NotFound(NO_INVITATION)
    invitation, team, inviter, now = row.tuple()
    if invitation.accepted_at is None and invitation.expires_at <= now:
        raise InvitationExpired(EXPIRED)
    has_account = await session.scalar(select(User.id).where(User.email == invitation.email)) is not None
    return InvitationView(
        team=team,
        inviter=inviter,
        email=invitation.email,
        role=TeamRole(invitation.role),
        expires_at=invitation.expires_at,
        has_account=has_account,
    )


async def accept(session: AsyncSession, viewer: Viewer, token: str) -> Team:
    """Join the team of an invitation. Accepting twice is the same as once.

    Raises `NotFound` for a withdrawn one, `InvitationExpired`, and `WrongAccount` for another address's. Having the
    link proves that the viewer reads the address's mail, so it is verified from now on.
    """
    team, invitation = await _lock_by_token(session, token)
    user = await session.get_one(User, viewer.user_id)
    _require_address(invitation, user)
    members = await members_by_id(session, team.id)
    if user.id in members:
        invitation.accepted_at = invitation.accepted_at or await _now(session)
        return team
    if invitation.accepted_at is not None:
        # They were a member once and have left or been removed.
        raise NotFound(NO_INVITATION)
    if invitation.expires_at <= await _now(session):
        raise InvitationExpired(EXPIRED)
    if len(members) >= MEMBERS_MAX:
        raise Invalid(TEAM_FULL)
    require_domain(team, user.email)
    await check_joining(session, team.payer_id, user.id)
    invitation.accepted_at = await _now(session)
    if user.email_verified_at is None:
        user.email_verified_at = invitation.accepted_at
    session.add(Membership(team_id=team.id, user_id=user.id, role=invitation.role))
    await session.flush()
    record_in(session, viewer, AuditAction.MEMBER_JOINED, team, name=user.name, role=invitation.role)
    announce(session, team, [*members, user.id])
    return team


async def decline(session: AsyncSession, viewer: Viewer, token: str) -> None:
    """Remove an invitation for the person it was sent to. Raises `NotFound`, and `WrongAccount` for anybody else.

    A mail may be forwarded: its link alone takes the choice from nobody.
    """
    team, invitation = await _lock_by_token(session, token)
    _require_address(invitation, await session.get_one(User, viewer.user_id))
    if invitation.accepted_at is not None:
        raise NotFound(NO_INVITATION)
    await session.execute(delete(Invitation).where(Invitation.id == invitation.id))
    record_in(session, viewer, AuditAction.INVITATION_DECLINED, team, email=invitation.email, role=invitation.role)
    announce(session, team, await members_by_id(session, team.id))


async def _lock_by_token(session: AsyncSession, token: str) -> tuple[Team, Invitation]:
    """The team and then the invitation, locked in this order as everywhere. Raises `NotFound`."""
    has_token = Invitation.token_hash == hash_token(token)
    team_id = await session.scalar(select(Invitation.team_id).where(has_token))
    team = await lock_team(session, team_id) if team_id is not None else None
    invitation = (
        await session.scalars(
            select(Invitation).where(has_token).with_for_update().execution_options(populate_existing=True)
        )
    ).one_or_none()
    if team is None or invitation is None or not team.is_active:
        raise NotFound(NO_INVITATION)
    return team, invitation


def _require_address(invitation: Invitation, user: User) -> None:
    if user.email != invitation.email:
        raise WrongAccount(WRONG_ACCOUNT(email=invitation.email, own=user.email))


async def _hold_for(session: AsyncSession, viewer: Viewer, team_id: uuid.UUID, role: str) -> HeldTeam:
    held = await hold(session, viewer, team_id, roles=EDITORS)
    if role not in roles_to_give(held.role):
        raise Forbidden
    return held


async def _hold_invitation(
    session: AsyncSession, viewer: Viewer, team_id: uuid.UUID, invitation_id: uuid.UUID
) -> tuple[HeldTeam, Invitation]:
    held = await hold(session, viewer, team_id, roles=EDITORS)
    statement = _open(Invitation.team_id == team_id, Invitation.id == invitation_id)
    invitation = (await session.scalars(statement)).one_or_none()
    if invitation is None:
        raise NotFound(NOT_OPEN)
    if invitation.role not in roles_to_give(held.role):
        raise Forbidden
    return held, invitation


def _open(*which: ColumnElement[bool]) -> Select[Invitation]:
    return select(Invitation).where(*which, Invitation.accepted_at.is_(None)).order_by(Invitation.sent_at)


async def _now(session: AsyncSession) -> datetime:
    now: datetime = (await session.scalars(select(clock.now()))).one()
    return now


async def _mail(
    session: AsyncSession, held: HeldTeam, viewer: Viewer, invitation: Invitation, token: str, base_url: str
) -> None:
    inviter = held.members[viewer.user_id].user
    invited = (await session.scalars(select(User).where(User.email == invitation.email))).one_or_none()
    send_later(
        session,
        TeamInvitation(
            to=invitation.email,
            locale=(invited or inviter).locale,
            name="" if invited is None else invited.name,
            inviter=inviter.name,
            team=held.team.name,
            role=invitation.role,
            link=LINK.format(base=base_url, token=token),
            days=LIFETIME.days,
        ),
    )
