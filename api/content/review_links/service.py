"""The review links of a file, for those who may change it: list them, make one, revoke one."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

from cryptography.fernet import InvalidToken
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.files import queries as files
from api.content.files.models import File
from api.content.review_links.schemas import NewReviewLink, ReviewerOut, ReviewLinkOut
from api.people.access.rules import changes, offers_change
from api.people.audit.actions import AuditAction
from api.people.audit.service import record_for
from api.people.auth.sessions import hash_token, new_token
from api.people.auth.viewer import Viewer
from api.people.reviewers.entry import maker_of
from api.people.reviewers.models import Reviewer, ReviewLink
from api.platform.db import clock
from api.platform.db.expressions import in_list
from api.platform.http.errors import Conflict, Forbidden, NotFound
from api.platform.sealing import seal, unseal
from api.platform.settings import ApiSettings
from cluster.wording.message import Message

PURPOSE = b"review link"
ADDRESS = "{base}/review/{id}#{secret}"
"""The secret is behind the `#`, so that it reaches no server's log and no other site."""
LINKS_MAX = 50
"""Of one file that work."""
DAY_S = 24 * 3600.0

NO_LINK = Message("review_links.no_link", "This link is no longer there. Somebody may have revoked it.")
FULL = Message(
    "review_links.full", "This file has {count} links that work, and no more fit. Revoke one first.", count=LINKS_MAX
)

State = Literal["open", "expired", "revoked", "maker_gone"]


async def links(session: AsyncSession, settings: ApiSettings, viewer: Viewer, slug: str) -> list[ReviewLinkOut]:
    """The newest first. Raises `Forbidden` for people who may only look at the file."""
    file = await _file(session, viewer, slug)
    statement = (
        select(ReviewLink, clock.now())
        .where(ReviewLink.file_id == file.id)
        .order_by(ReviewLink.created_at.desc(), ReviewLink.id)
    )
    rows = (await session.execute(statement)).tuples().all()
    reviewers = await _reviewers(session, [link.id for link, _ in rows])
    names, may = await _makers(session, file, {link.user_id for link, _ in rows if link.user_id})
    return [
        ReviewLinkOut(
            id=link.id,
            url=_address(settings, viewer, link),
            rights=link.rights,
            has_password=link.password_hash is not None,
            state=_state(link, now, may.get(link.user_id, False)),
            by=names.get(link.user_id),
            created_at=link.created_at,
            expires_at=link.expires_at,
            reviewers=reviewers[link.id],
        )
        for link, now in rows
    ]


async def make(
    session: AsyncSession,
    settings: ApiSettings,
    viewer: Viewer,
    slug: str,
    body: NewReviewLink,
    *,
    password_hash: str | None,
) -> None:
    """Raises `Conflict` when the file has too many that work."""
    file = await _file(session, viewer, slug, hold=True)
    working = select(func.count()).where(
        ReviewLink.file_id == file.id, ReviewLink.revoked_at.is_(None), ReviewLink.expires_at > clock.now()
    )
    if (await session.scalar(working) or 0) >= LINKS_MAX:
        raise Conflict(FULL)
    secret = new_token()
    ends: datetime = (await session.scalars(select(clock.now(body.days * DAY_S)))).one()
    link = ReviewLink(
        file_id=file.id,
        user_id=viewer.user_id,
        rights=body.rights,
        secret_hash=hash_token(secret),
        sealed_secret=seal(settings, PURPOSE, secret),
        password_hash=password_hash,
        expires_at=ends,
    )
    session.add(link)
    await session.flush()
    _record(session, viewer, AuditAction.REVIEW_LINK_CREATED, file, link, until=f"{ends:%Y-%m-%d}", rights=body.rights)


async def revoke(session: AsyncSession, viewer: Viewer, slug: str, link_id: uuid.UUID) -> None:
    """End a link, and the reviews that were opened with it. What reviewers wrote stays."""
    file = await _file(session, viewer, slug)
    mine = select(ReviewLink).where(ReviewLink.id == link_id, ReviewLink.file_id == file.id).with_for_update()
    link = (await session.scalars(mine)).one_or_none()
    if link is None:
        raise NotFound(NO_LINK)
    if link.revoked_at is None:
        link.revoked_at = (await session.scalars(select(clock.now()))).one()
        _record(session, viewer, AuditAction.REVIEW_LINK_REVOKED, file, link)


async def _file(session: AsyncSession, viewer: Viewer, slug: str, *, hold: bool = False) -> File:
    file = await files.find(session, viewer, slug, hold=hold)
    if not offers_change(viewer, file):
        raise Forbidden
    return file


def _record(
    session: AsyncSession, viewer: Viewer, action: AuditAction, file: File, link: ReviewLink, **details: Any
) -> None:
    record_for(
        session,
        viewer,
        action,
        team_id=file.team_id,
        object_kind="review link",
        object_id=str(link.id),
        file=file.name,
        **details,
    )


async def _reviewers(session: AsyncSession, link_ids: Sequence[uuid.UUID]) -> Mapping[uuid.UUID, list[ReviewerOut]]:
    found: dict[uuid.UUID, list[ReviewerOut]] = defaultdict(list)
    if link_ids:
        mine = in_list(session, Reviewer.link_id, list(link_ids))
        statement = select(Reviewer).where(mine).order_by(Reviewer.entered_at, Reviewer.id)
        for row in await session.scalars(statement):
            found[row.link_id].append(ReviewerOut(name=row.name, entered_at=row.entered_at, seen_at=row.seen_at))
    return found


async def _makers(
    session: AsyncSession, file: File, ids: set[uuid.UUID]
) -> tuple[dict[uuid.UUID | None, str], dict[uuid.UUID | None, bool]]:
    """What the makers of links are called, and whether each may change the file now."""
    names: dict[uuid.UUID | None, str] = {}
    may: dict[uuid.UUID | None, bool] = {}
    for user_id in ids:
        maker = await maker_of(session, user_id)
        if maker is not None:
            names[user_id] = maker.user.name
            may[user_id] = changes(maker.viewer, file.user_id, file.team_id)
    return names, may


def _state(link: ReviewLink, now: datetime, maker_may: bool) -> State:
    if link.revoked_at is not None:
        return "revoked"
    if link.expires_at <= now:
        return "expired"
    return "open" if maker_may else "maker_gone"


def _address(settings: ApiSettings, viewer: Viewer, link: ReviewLink) -> str | None:
    """None for support, who must not leave with a link into somebody's file."""
    if viewer.admin_id is not None:
        return None
    try:
        secret = unseal(settings, PURPOSE, link.sealed_secret)
    except InvalidToken:
        return None
    return ADDRESS.format(base=settings.base_url, id=link.id, secret=secret)
