"""People with a list of files each, signed in, written into an empty database."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from sqlalchemy import insert

from api.content.captions.models import CaptionTrack, TrackOrigin
from api.content.files.models import File, FileKind, FileStatus
from api.content.preparation.work import ingest_work
from api.people.auth import sessions
from api.people.users.models import User
from api.platform.db.engine import Database
from api.platform.jobs.queue import enqueue
from api.platform.jobs.states import JobKind

HOURS = 24


async def people(database: Database, count: int) -> dict[uuid.UUID, str]:
    """People with the value of their session's cookie."""
    async with database.write() as session:
        users = [
            User(name=f"Person {number}", email=f"{uuid.uuid4().hex}@example.com", password_hash="-")
            for number in range(count)
        ]
        session.add_all(users)
        await session.flush()
        return {user.id: await sessions.start(session, user_id=user.id, hours=HOURS) for user in users}


async def finished_files(database: Database, owners: Sequence[uuid.UUID], each: int) -> None:
    """Transcribed files with a track each."""
    files = [_file(owner, FileStatus.COMPLETED) for owner in owners for _ in range(each)]
    tracks = [
        {"id": uuid.uuid4(), "file_id": file["id"], "language": "is-IS", "origin": TrackOrigin.TRANSCRIPTION}
        for file in files
    ]
    async with database.write() as session:
        await session.execute(insert(File), files)
        await session.execute(insert(CaptionTrack), tracks)


async def waiting_files(database: Database, owners: Sequence[uuid.UUID], each: int) -> None:
    """Files whose first job waits."""
    async with database.write() as session:
        for owner in owners:
            for _ in range(each):
                file = File(**_file(owner, FileStatus.WAITING))
                session.add(file)
                await session.flush()
                await enqueue(
                    session,
                    kind=JobKind.UPLOAD,
                    subject_id=file.id,
                    file_id=file.id,
                    user_id=owner,
                    dedup_key=f"upload:{file.id}",
                    request=ingest_work(file).request,
                    work=1_000_000,
                )


def _file(owner: uuid.UUID, status: FileStatus) -> dict[str, object]:
    return {
        "id": uuid.uuid4(),
        "user_id": owner,
        "name": "talk",
        "search_text": "talk",
        "filename": "talk.mp4",
        "kind": FileKind.VIDEO,
        "status": status,
        "language": "is-IS",
        "duration_ms": 60_000,
        "width": 1280,
        "height": 720,
        "original_key": f"originals/{uuid.uuid4()}/talk.mp4",
        "plays_in_browser": True,
    }
