"""Events of a team's work reach the private channel of each member, and nobody else's."""

from __future__ import annotations

import pytest
from sqlalchemy import update

from api.content.arrivals.models import UploadStatus
from api.content.captions.models import CaptionLineRow, CaptionTrack, TrackOrigin
from api.content.captions.speech.jobs import TranscribeHandler
from api.content.exports.jobs import ExportHandler
from api.content.exports.models import Export, ExportStatus
from api.content.files.models import File, FileStatus
from api.content.preparation.jobs import EncodingHandler, UploadHandler
from api.content.uploads.completion import fail_upload
from api.people.access.audience import audience_of
from api.platform.jobs.models import Job
from api.platform.jobs.queue import enqueue
from api.platform.jobs.states import JobKind
from api.platform.realtime.messages import channel_of
from api.testing.newsroom import Newsroom
from pipelines.messages.attempt import Progress, StageFailed
from pipelines.messages.json_message import JsonMessage

SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


async def job_of(newsroom: Newsroom, file: File, kind: JobKind) -> Job:
    async with newsroom.state.database.write() as session:
        subject = file.id
        if kind is JobKind.TRANSCRIBE:
            # As the job that prepares the file leaves it.
            await session.execute(update(File).where(File.id == file.id).values(status=FileStatus.TRANSCRIBING))
        if kind is JobKind.EXPORT:
            export = Export(
                file_id=file.id, user_id=newsroom.bob.user_id, language="en-US", status=ExportStatus.SUBMITTED
            )
            session.add(export)
            await session.flush()
            subject = export.id
        return await enqueue(
            session,
            kind=kind,
            subject_id=subject,
            file_id=file.id,
            user_id=file.user_id,
            dedup_key=f"{kind}:{subject}",
            request=JsonMessage(),
        )


@SQLITE
@pytest.mark.parametrize(
    ("kind", "handler"),
    [
        (JobKind.UPLOAD, UploadHandler()),
        (JobKind.TRANSCRIBE, TranscribeHandler()),
        (JobKind.ENCODING, EncodingHandler()),
        (JobKind.EXPORT, ExportHandler()),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
async def test_each_step_of_a_job_reaches_every_member(
    newsroom: Newsroom,
    kind: JobKind,
    handler: UploadHandler | TranscribeHandler | EncodingHandler | ExportHandler,
) -> None:
    file = await newsroom.file_of(newsroom.bob)
    job = await job_of(newsroom, file, kind)
    before = await newsroom.last_event()
    async with newsroom.state.database.write() as session:
        if kind == JobKind.TRANSCRIBE:
            await session.execute(update(File).where(File.id == file.id).values(status=FileStatus.PROCESSING))
        await handler.on_started(session, job)
        notices = await handler.on_progress(session, job, Progress("working", 1, 4, "audio_ms"))
        await handler.on_failed(session, job, StageFailed("broken", "It broke.", retryable=False))
    assert await newsroom.heard_by(after=before) == [newsroom.channels] * 2
    assert [{channel_of(user) for user in notice.audience.user_ids} for notice in notices] == [newsroom.channels]


@SQLITE
async def test_what_a_member_does_reaches_the_others(newsroom: Newsroom) -> None:
    file = await newsroom.file_of(newsroom.ada)
    before = await newsroom.last_event()
    assert (await newsroom.bob.post(f"/api/files/{file.slug}/cancel")).status_code == 200
    assert (await newsroom.bob.post(f"/api/files/{file.slug}/retry")).status_code == 200
    assert await newsroom.heard_by(after=before) == [newsroom.channels] * 2


@SQLITE
async def test_a_colleague_who_exports_a_file_tells_its_owner(newsroom: Newsroom) -> None:
    file = await newsroom.file_of(newsroom.ada)
    async with newsroom.state.database.write() as session:
        await session.execute(update(File).where(File.id == file.id).values(status=FileStatus.COMPLETED))
        track = CaptionTrack(file_id=file.id, language="en-US", origin=TrackOrigin.TRANSCRIPTION)
        session.add(track)
        await session.flush()
        session.add(CaptionLineRow(track_id=track.id, start_ms=0, end_ms=900, text="Closed.", words=[]))
    before = await newsroom.last_event()
    started = await newsroom.bob.post(f"/api/video/export/{file.slug}", json={"language": "en-US"})
    assert started.status_code == 201, started.text
    assert await newsroom.heard_by(after=before) == [newsroom.channels]


@SQLITE
async def test_an_upload_whose_bytes_were_lost_reaches_every_member(newsroom: Newsroom) -> None:
    upload = await newsroom.upload_of(newsroom.bob, UploadStatus.UPLOADING)
    assert upload.tus_id is not None
    async with newsroom.state.database.write() as session:
        await fail_upload(session, upload.tus_id, "Its bytes are gone.")
    assert await newsroom.heard_by() == [newsroom.channels]


@SQLITE
async def test_once_a_team_is_deleted_nobody_hears_of_its_files(newsroom: Newsroom) -> None:
    file = await newsroom.file_of(newsroom.ada)
    await newsroom.delete()
    async with newsroom.state.database.read() as session:
        assert (await audience_of(session, file)).user_ids == ()
