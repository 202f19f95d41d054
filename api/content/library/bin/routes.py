"""The bin: list it, restore files, delete them for good."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from api.content.files.models import File, FileKind
from api.content.library.bin import service as bin
from api.content.library.bin.schemas import BinnedFile, BinQuery, PurgeCount
from api.content.library.schemas import FileIds
from api.people.access.rules import offers_change, offers_purge
from api.people.auth.viewer import SignedIn, Viewer
from api.platform.db.base import utc_now
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.paging import Page, page_of
from api.platform.http.state import ReadSession, WriteSession

router = APIRouter(prefix="/api/files/bin", tags=["bin"])


@router.get("", responses=error_responses(401, 422))
async def list_bin(viewer: SignedIn, session: ReadSession, query: Annotated[BinQuery, Query()]) -> Page[BinnedFile]:
    """Deleted files that the viewer may restore, the newest first."""
    files, total = await bin.listed(session, viewer, query)
    return page_of([_describe(viewer, file) for file in files], query, total)


@router.post("/restore", status_code=204, responses=error_responses(401, 404, 419, 422))
async def restore_files(body: FileIds, viewer: SignedIn, session: WriteSession) -> None:
    """Take the files out of the bin, all or none."""
    await bin.restore(session, viewer, body.ids)


@router.post("/purge", responses=error_responses(401, 404, 419, 422))
async def purge_files(body: FileIds, viewer: SignedIn, session: WriteSession) -> Data[PurgeCount]:
    """Delete files of the bin for good, all or none."""
    return Data(data=PurgeCount(deleted=await bin.purge_from_bin(session, viewer, body.ids)))


@router.delete("", responses=error_responses(401, 419))
async def empty_bin(viewer: SignedIn, session: WriteSession) -> Data[PurgeCount]:
    """Delete everything in the bin for good."""
    return Data(data=PurgeCount(deleted=await bin.purge_from_bin(session, viewer, None)))


def _describe(viewer: Viewer, file: File) -> BinnedFile:
    return BinnedFile(
        id=file.id,
        slug=file.slug,
        name=file.name,
        kind=FileKind(file.kind),
        team_id=file.team_id,
        duration_ms=file.duration_ms,
        size_bytes=file.size_bytes,
        created_at=file.created_at,
        deleted_at=file.deleted_at or utc_now(),
        days_left=bin.days_left(file),
        may_change=offers_change(viewer, file),
        may_purge=offers_purge(viewer, file),
    )
