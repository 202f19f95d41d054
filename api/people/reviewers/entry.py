"""From a link to a review: the secret, the password and the name of whoever opens it, and the cookie they get."""

from __future__ import annotations

import hmac
import uuid
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request
from sqlalchemy import ColumnElement, and_, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.audit.actions import AuditAction
from api.people.audit.service import record
from api.people.auth.address import client_network
from api.people.auth.attempts import Attempts, Limit
from api.people.auth.passwords import password_matches
from api.people.auth.sessions import USE_EVERY, hash_token, new_token
from api.people.auth.viewer import CHANGING_METHODS, Viewer, check_csrf
from api.people.reviewers.cookies import reviewer_cookie
from api.people.reviewers.errors import LINK_FULL, REVIEWERS_MAX, LinkClosed, NotAllowed, NotEntered, WrongPassword
from api.people.reviewers.models import Reviewer, ReviewLink, ReviewRights
from api.people.users.models import User
from api.people.users.restrictions import is_locked
from api.people.users.teams import roles_of
from api.platform.db import clock
from api.platform.db.engine import Database
from api.platform.http.errors import Conflict
from api.platform.http.state import State
from api.platform.settings import ApiSettings
from cluster.logs.context import add_to_log_context

LINK_ADDRESS = Limit("review link address", 30, 60.0)
LINK_PASSWORD = Limit("review link password", 30, 600.0)
"""Of one link over all addresses. Only who has the link itself can use it up."""
_ORDER = tuple(ReviewRights)
"""Each right includes those before it."""


@dataclass(frozen=True, slots=True)
class Maker:
    """Whoever made a link, and what they may do now."""

    user: User
    viewer: Viewer


@dataclass(frozen=True, slots=True)
class Review:
    """A reviewer at work. Calls name the file of the link alone, in `key`."""

    link: ReviewLink
    reviewer: Reviewer
    maker: Maker

    @property
    def viewer(self) -> Viewer:
        """Who can do what the maker of the link can, and names the reviewer as the author."""
        return self.maker.viewer

    @property
    def key(self) -> str:
        """Names the file in the calls of other rooms."""
        return str(self.link.file_id)

    def allows(self, wanted: ReviewRights) -> bool:
        return _ORDER.index(self.link.rights) >= _ORDER.index(wanted)

    def require(self, wanted: ReviewRights) -> None:
        """Raise `NotAllowed` when the link gives less."""
        if not self.allows(wanted):
            raise NotAllowed


def works() -> ColumnElement[bool]:
    """The links that are neither expired nor revoked."""
    return and_(ReviewLink.revoked_at.is_(None), ReviewLink.expires_at > clock.now())


async def maker_of(
    session: AsyncSession,
    user_id: uuid.UUID | None,
    *,
    reviewer_id: uuid.UUID | None = None,
    is_changing: bool = False,
    network: str | None = None,
) -> Maker | None:
    """The person who made a link, and what they may do now. None when their account is gone."""
    user = None if user_id is None else await session.get(User, user_id)
    if user is None or user.deleted_at is not None or user.suspended_at is not None:
        return None
    viewer = Viewer(
        user_id=user.id,
        is_admin=False,
        team_id=None,
        teams=await roles_of(session, user.id),
        is_changing=is_changing,
        network=network,
        reviewer_id=reviewer_id,
    )
    return Maker(user, viewer)


async def link_of(
    session: AsyncSession, settings: ApiSettings, link_id: uuid.UUID, secret: str
) -> tuple[ReviewLink, Maker]:
    """A link that works, for somebody who has its secret. Raises `LinkClosed`."""
    link = (await session.scalars(select(ReviewLink).where(ReviewLink.id == link_id, works()))).one_or_none()
    if link is None or not hmac.compare_digest(link.secret_hash, hash_token(secret)):
        raise LinkClosed
    return link, _present(settings, await maker_of(session, link.user_id))


async def check_password(database: Database, attempts: Attempts, link: ReviewLink, password: str) -> None:
    """Raises `WrongPassword`, and `TooManyRequests` after too many of them."""
    if link.password_hash is None:
        return
    await attempts.add(database, (LINK_PASSWORD, str(link.id)))
    if not await password_matches(password, link.password_hash):
        raise WrongPassword


async def enter(session: AsyncSession, link: ReviewLink, name: str, *, network: str, file_name: str) -> str:
    """Add a reviewer, and return the value of their cookie. Raises `Conflict` when no more fit."""
    count = select(func.count()).select_from(Reviewer).where(Reviewer.link_id == link.id)
    if (await session.scalar(count) or 0) >= REVIEWERS_MAX:
        raise Conflict(LINK_FULL)
    token = new_token()
    session.add(Reviewer(link_id=link.id, name=name, token_hash=hash_token(token)))
    record(
        session,
        AuditAction.REVIEW_LINK_OPENED,
        actor_id=None,
        subject_id=link.user_id,
        object_kind="review link",
        object_id=str(link.id),
        network=network,
        name=name,
        file=file_name,
    )
    return token


async def leave(session: AsyncSession, review: Review) -> None:
    """End the reviewer's cookie. Their name stays with what they wrote."""
    gone = update(Reviewer).where(Reviewer.id == review.reviewer.id).values(token_hash=hash_token(new_token()))
    await session.execute(gone)


async def current_review(link_id: uuid.UUID, request: Request, state: State) -> Review:
    """Who reviews. Raises `NotEntered`, `LinkClosed`, and `CsrfMismatch` for a change without the page's token."""
    check_csrf(request, state.settings)
    token = request.cookies.get(reviewer_cookie(state.settings))
    if not token:
        raise NotEntered
    mine = (Reviewer.link_id == link_id, Reviewer.token_hash == hash_token(token))
    is_due = Reviewer.seen_at < clock.now(-USE_EVERY.total_seconds())
    async with state.database.read() as session:
        statement = select(Reviewer, ReviewLink, works(), is_due).join(ReviewLink, ReviewLink.id == Reviewer.link_id)
        found = (await session.execute(statement.where(*mine))).tuples().one_or_none()
        if found is None:
            raise NotEntered
        reviewer, link, is_open_link, has_to_be_noted = found
        if not is_open_link:
            raise LinkClosed
        maker = await maker_of(
            session,
            link.user_id,
            reviewer_id=reviewer.id,
            is_changing=request.method in CHANGING_METHODS,
            network=client_network(request),
        )
    present = _present(state.settings, maker)
    if has_to_be_noted:
        async with state.database.write() as session:
            await session.execute(update(Reviewer).where(Reviewer.id == reviewer.id).values(seen_at=clock.now()))
    add_to_log_context(reviewer_id=str(reviewer.id))
    return Review(link, reviewer, present)


Reviewing = Annotated[Review, Depends(current_review)]


def _present(settings: ApiSettings, maker: Maker | None) -> Maker:
    if maker is None or is_locked(settings, maker.user):
        raise LinkClosed
    return maker
