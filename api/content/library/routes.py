"""A person's files: list, open, rename, delete, cancel and restart."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from api.content.files import queries, request_summary
from api.content.files.models import FileKind
from api.content.files.schemas import FileJobOut
from api.content.library import description, improvement, service, transcription
from api.content.library.bin import service as bin
from api.content.library.list_answers import answer
from api.content.library.listing import FileQuery
from api.content.library.schemas import (
    FileChange,
    FileIds,
    FileOut,
    ImproveFiles,
    Improvement,
    ImprovementCount,
    TranscribeAgain,
)
from api.content.preparation import shots
from api.content.preparation.shots import ShotsOut
from api.people.auth.viewer import SignedIn
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.paging import Page
from api.platform.http.state import ReadSession, State, WriteSession
from api.platform.jobs.dependency import Types

router = APIRouter(prefix="/api/files", tags=["files"])

Wanted = Annotated[FileQuery, Query()]


@router.get("", response_model=Page[FileOut], responses=error_responses(401, 422))
async def list_files(viewer: SignedIn, state: State, query: Wanted, request: Request) -> Response:
    """A page of the viewer's files, the newest first unless `sort` says otherwise."""
    body = await answer(state.database, request.app.state.file_lists, viewer, query)
    return Response(body, media_type="application/json")


@router.get("/videos", response_model=Page[FileOut], responses=error_responses(401, 422))
async def list_videos(viewer: SignedIn, state: State, query: Wanted, request: Request) -> Response:
    """The same for videos alone. Before a file is prepared, its kind is unknown."""
    body = await answer(state.database, request.app.state.file_lists, viewer, query, FileKind.VIDEO)
    return Response(body, media_type="application/json")


@router.delete("/delete-multiple", status_code=204, responses=error_responses(401, 404, 419, 422))
async def delete_files(body: FileIds, viewer: SignedIn, session: WriteSession, types: Types) -> None:
    """Move the files to the bin, all or none."""
    await bin.move_to_bin(session, types, viewer, body.ids)


@router.get("/improvable", responses=error_responses(401))
async def improvable_files(viewer: SignedIn, session: ReadSession) -> Data[Improvement]:
    """Files that the built-in engine transcribed or could not transcribe, when a better model is loaded now."""
    return Data(data=await improvement.improvement(session, viewer))


@router.post("/improve", responses=error_responses(401, 402, 409, 419, 422))
async def improve_files(
    body: ImproveFiles, viewer: SignedIn, session: WriteSession, types: Types
) -> Data[ImprovementCount]:
    """Transcribe such files again. Their captions stay until the new ones arrive; one undo restores them."""
    return Data(data=ImprovementCount(queued=await improvement.improve(session, types, viewer, body.ids)))


@router.get("/{slug}", responses=error_responses(401, 404))
async def get_file(slug: str, viewer: SignedIn, session: ReadSession) -> Data[FileOut]:
    return Data(data=await description.describe(session, viewer, await queries.find(session, viewer, slug)))


@router.get("/{slug}/jobs", responses=error_responses(401, 404))
async def file_jobs(slug: str, viewer: SignedIn, session: ReadSession, types: Types) -> Data[list[FileJobOut]]:
    """The file's jobs, what each was requested to do, and how each attempt ended."""
    return Data(data=await request_summary.jobs_of(session, types, await queries.find(session, viewer, slug)))


@router.put("/{slug}", responses=error_responses(401, 404, 409, 419, 422))
async def change_file(slug: str, body: FileChange, viewer: SignedIn, session: WriteSession) -> Data[FileOut]:
    return Data(data=await description.describe(session, viewer, await service.change(session, viewer, slug, body)))


@router.delete("/{slug}", status_code=204, responses=error_responses(401, 404, 419))
async def delete_file(slug: str, viewer: SignedIn, session: WriteSession, types: Types) -> None:
    """Move the file to the bin, from which it can be restored for 30 days."""
    await bin.move_to_bin(session, types, viewer, [(await queries.find(session, viewer, slug)).id])


@router.post("/{slug}/cancel", responses=error_responses(401, 404, 409, 419))
async def cancel_file(slug: str, viewer: SignedIn, session: WriteSession, types: Types) -> Data[FileOut]:
    return Data(data=await description.describe(session, viewer, await service.cancel(session, types, viewer, slug)))


@router.post("/{slug}/transcribe", responses=error_responses(401, 402, 404, 409, 419, 422))
async def transcribe_file(
    slug: str, body: TranscribeAgain, viewer: SignedIn, session: WriteSession, types: Types
) -> Data[FileOut]:
    """Transcribe the file in a language, again if it was before. Its captions stay until the new ones arrive."""
    return Data(
        data=await description.describe(
            session, viewer, await transcription.transcribe_in(session, types, viewer, slug, body.language)
        )
    )


@router.post("/{slug}/playback", responses=error_responses(401, 402, 404, 409, 419))
async def retry_playback(slug: str, viewer: SignedIn, session: WriteSession) -> Data[FileOut]:
    """Make the playback copy again after it failed or was cancelled."""
    return Data(data=await description.describe(session, viewer, await service.retry_playback(session, viewer, slug)))


@router.get("/{slug}/shots", responses=error_responses(401, 404))
async def get_shots(slug: str, viewer: SignedIn, session: ReadSession) -> Data[ShotsOut]:
    """Where the picture cuts, as far as somebody looked for it."""
    return Data(data=await shots.read(session, viewer, slug))


@router.post("/{slug}/shots", status_code=202, responses=error_responses(401, 402, 404, 409, 419))
async def find_shots(slug: str, viewer: SignedIn, session: WriteSession) -> Data[ShotsOut]:
    """Look for the shots of a video."""
    return Data(data=await shots.start(session, viewer, slug))


@router.post("/{slug}/retry", responses=error_responses(401, 402, 404, 409, 419))
async def retry_file(slug: str, viewer: SignedIn, session: WriteSession) -> Data[FileOut]:
    return Data(data=await description.describe(session, viewer, await service.retry(session, viewer, slug)))
