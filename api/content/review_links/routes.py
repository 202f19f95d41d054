"""The review links of a file, for those who may change it."""

from __future__ import annotations

import uuid

from fastapi import APIRouter

from api.content.review_links import service
from api.content.review_links.schemas import NewReviewLink, ReviewLinkOut
from api.people.auth.passwords import hash_password
from api.people.auth.viewer import SignedIn
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.state import ReadSession, State, WriteSession

router = APIRouter(prefix="/api/files", tags=["review"])


@router.get("/{slug}/review-links", responses=error_responses(401, 403, 404))
async def list_review_links(
    slug: str, viewer: SignedIn, session: ReadSession, state: State
) -> Data[list[ReviewLinkOut]]:
    """With who opened each, the newest link first."""
    return Data(data=await service.links(session, state.settings, viewer, slug))


@router.post("/{slug}/review-links", status_code=201, responses=error_responses(401, 403, 404, 409, 419, 422, 429))
async def make_review_link(slug: str, body: NewReviewLink, viewer: SignedIn, state: State) -> Data[list[ReviewLinkOut]]:
    """Let people without an account review the captions of a file, until a day."""
    # A hash takes a while, for which nobody should wait with SQLite's write lock.
    password_hash = None if body.password is None else await hash_password(body.password)
    async with state.database.write() as session:
        await service.make(session, state.settings, viewer, slug, body, password_hash=password_hash)
        return Data(data=await service.links(session, state.settings, viewer, slug))


@router.delete("/{slug}/review-links/{link_id}", responses=error_responses(401, 403, 404, 419))
async def revoke_review_link(
    slug: str, link_id: uuid.UUID, viewer: SignedIn, session: WriteSession, state: State
) -> Data[list[ReviewLinkOut]]:
    """End a link at once, also for those who have it open."""
    await service.revoke(session, viewer, slug, link_id)
    return Data(data=await service.links(session, state.settings, viewer, slug))
