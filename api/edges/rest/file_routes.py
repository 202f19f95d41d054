"""REST v1: files, and the uploads that become files."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import urljoin

from fastapi import APIRouter, Query

from api.content.files import queries
from api.content.library import description, listing, transcription
from api.content.library.bin import service as bin
from api.content.library.listing import FileQuery
from api.content.uploads import queries as uploads
from api.content.uploads import tokens
from api.content.uploads.storage import check_storage
from api.edges.rest.schemas import (
    ListQuery,
    RestFile,
    RestUpload,
    TranscribeWanted,
    TranscriptionOptions,
    UploadTicket,
    UploadWanted,
    file_of,
    upload_of,
)
from api.people.access.rules import require_addition
from api.people.api_keys.caller import ApiCaller, requires
from api.people.api_keys.scopes import Scope
from api.people.plans.payer import payer_of
from api.platform.capabilities import queries as capabilities
from api.platform.capabilities.advice import capability_for
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.paging import Page, PageMeta
from api.platform.http.state import ReadSession, State, WriteSession
from api.platform.jobs.dependency import Types
from serve.tasks.diarization.messages import DIARIZATION
from serve.tasks.engine_labels import engine_label
from serve.tasks.transcription.messages import TRANSCRIPTION

router = APIRouter(prefix="/api/v1", tags=["files"])
READS = [requires(Scope.FILES_READ)]
WRITES = [requires(Scope.FILES_WRITE)]
TRANSCRIBES = [requires(Scope.TRANSCRIBE)]


@router.get("/files", dependencies=READS, responses=error_responses(422))
async def list_rest_files(
    caller: ApiCaller, session: ReadSession, query: Annotated[ListQuery, Query()]
) -> Page[RestFile]:
    """A page of the files that the key's person may see, the newest first; for a key of a team, the team's."""
    team = caller.viewer.team_id
    wanted = FileQuery(page=query.page, per_page=query.per_page, status=query.status, q=query.q, team=team)
    rows, total = await listing.listed(session, caller.viewer, wanted)
    files = [file_of(each) for each in await description.describe_all(session, caller.viewer, rows)]
    return Page(data=files, meta=PageMeta(total=total, page=query.page, per_page=query.per_page))


@router.get("/files/{file_id}", dependencies=READS, responses=error_responses(404))
async def get_rest_file(file_id: str, caller: ApiCaller, session: ReadSession) -> Data[RestFile]:
    return Data(data=await _described(session, caller, file_id))


@router.delete("/files/{file_id}", status_code=204, dependencies=WRITES, responses=error_responses(404))
async def delete_rest_file(file_id: str, caller: ApiCaller, session: WriteSession, types: Types) -> None:
    """Move the file to the bin, from which people can restore it for 30 days."""
    file = await queries.find(session, caller.viewer, file_id)
    await bin.move_to_bin(session, types, caller.viewer, [file.id])


@router.post(
    "/files/{file_id}/transcribe", status_code=202, dependencies=TRANSCRIBES, responses=error_responses(402, 404, 409)
)
async def transcribe_rest_file(
    file_id: str, body: TranscribeWanted, caller: ApiCaller, session: WriteSession, types: Types
) -> Data[RestFile]:
    """Transcribe the file, again if it was before. New files are transcribed without this call."""
    await transcription.transcribe_in(session, types, caller.viewer, file_id, body.language)
    return Data(data=await _described(session, caller, file_id))


@router.get("/transcription", dependencies=READS)
async def transcription_options(caller: ApiCaller, session: ReadSession) -> Data[TranscriptionOptions]:
    """What this installation can transcribe."""
    speech = await capability_for(session, TRANSCRIPTION, is_admin=caller.viewer.is_admin)
    speakers = await capabilities.capability_of(session, DIARIZATION)
    loaded = speech.loaded
    options = TranscriptionOptions(
        model=None if loaded is None else engine_label(loaded.engine, loaded.model),
        reason=speech.sentence or None,
        languages=[] if loaded is None else sorted(loaded.languages),
        detects_language=loaded is not None and loaded.detects_language,
        detects_speakers=speakers.may_work,
    )
    return Data(data=options)


@router.post("/uploads", status_code=201, dependencies=WRITES, responses=error_responses(402), tags=["uploads"])
async def start_rest_upload(
    body: UploadWanted, caller: ApiCaller, session: WriteSession, state: State
) -> Data[UploadTicket]:
    """A token for one upload by the tus protocol. It ends after 15 minutes, the upload that it began does not."""
    viewer, settings = caller.viewer, state.settings
    require_addition(viewer)
    await check_storage(session, await payer_of(session, viewer.user_id, viewer.team_id), body.size_bytes or 1)
    token, expires_at = await tokens.issue(session, viewer)
    ticket = UploadTicket(
        tus_url=urljoin(f"{settings.base_url}/", settings.uploads_endpoint),
        token=token,
        expires_at=expires_at,
        max_bytes=settings.max_upload_bytes,
    )
    return Data(data=ticket)


@router.get("/uploads/{upload_id}", dependencies=READS, responses=error_responses(404), tags=["uploads"])
async def get_rest_upload(upload_id: str, caller: ApiCaller, session: ReadSession) -> Data[RestUpload]:
    """An upload by the last part of its tus address. It names its file once all bytes have arrived."""
    upload = await uploads.find_by_url(session, caller.viewer, f"/{upload_id}")
    return Data(data=upload_of(await uploads.describe(session, upload)))


async def _described(session: ReadSession, caller: ApiCaller, file_id: str) -> RestFile:
    viewer = caller.viewer
    return file_of(await description.describe(session, viewer, await queries.find(session, viewer, file_id)))
