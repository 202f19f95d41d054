"""Tags themselves: create, rename, recolour, delete. Which files have them is in `api.content.library.tag_routes`."""

from __future__ import annotations

from fastapi import APIRouter

from api.content.tags import queries, service
from api.content.tags.schemas import CountedTag, NewTag, TagChange, TagOut
from api.people.auth.viewer import SignedIn
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.state import WriteSession

router = APIRouter(prefix="/api/tags", tags=["tags"])


@router.post("", status_code=201, responses=error_responses(401, 403, 419, 422))
async def create_tag(body: NewTag, viewer: SignedIn, session: WriteSession) -> Data[CountedTag]:
    """Create a tag of the active team, or one's own without a team."""
    return Data(data=queries.describe(viewer, await service.create(session, viewer, body)))


@router.patch("/{slug}", responses=error_responses(401, 403, 404, 419, 422))
async def change_tag(slug: str, body: TagChange, viewer: SignedIn, session: WriteSession) -> Data[TagOut]:
    """Rename or recolour the tag of this slug."""
    return Data(data=queries.describe(viewer, await service.change(session, viewer, slug, body)))


@router.delete("/{slug}", status_code=204, responses=error_responses(401, 403, 404, 419))
async def delete_tag(slug: str, viewer: SignedIn, session: WriteSession) -> None:
    """Delete the tag of this slug. Its files stay."""
    await service.remove(session, viewer, slug)
