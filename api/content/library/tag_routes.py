"""The tags that files have: the list with counts, those of one file, and those of several."""

from __future__ import annotations

from fastapi import APIRouter

from api.content.library import description, tagging
from api.content.library.schemas import FileTags, TagFiles
from api.content.tags.schemas import CountedTag, TagOut
from api.people.auth.viewer import SignedIn
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.state import ReadSession, WriteSession

router = APIRouter(prefix="/api", tags=["tags"])


@router.get("/tags", responses=error_responses(401, 422))
async def list_tags(viewer: SignedIn, session: ReadSession) -> Data[list[CountedTag]]:
    """One's own tags and those of the active team, or of all one's teams when none is active."""
    return Data(data=await tagging.counted(session, viewer))


@router.put("/tags/{slug}", responses=error_responses(401, 403, 404, 419, 422))
async def set_file_tags(slug: str, body: FileTags, viewer: SignedIn, session: WriteSession) -> Data[list[TagOut]]:
    """Set the whole list of tags of the file with this slug."""
    file = await tagging.set_tags(session, viewer, slug, body.tags)
    return Data(data=(await description.describe(session, viewer, file)).tags)


@router.post("/files/tags", status_code=204, responses=error_responses(401, 403, 404, 419, 422))
async def tag_files(body: TagFiles, viewer: SignedIn, session: WriteSession) -> None:
    """Add tags to several files and take others from them, all or none."""
    await tagging.tag_files(session, viewer, body)
