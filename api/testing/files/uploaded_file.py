"""Files for tests of the control plane: rows as after a finished upload."""

from __future__ import annotations

import asyncio
import uuid

from api.content.arrivals.models import Upload, UploadStatus
from api.content.files.models import File
from api.content.preparation.creation import create_file
from api.platform.http.state import AppState
from pipelines.messages.results import IngestResult


async def uploaded_file(
    state: AppState,
    user_id: uuid.UUID,
    *,
    filename: str = "talk.mp4",
    content: bytes = b"bytes",
    language: str = "en-US",
) -> File:
    """Create a file of `user_id` with stored bytes and a waiting first job."""
    key = f"uploads/{uuid.uuid4().hex}/original"
    size = await asyncio.to_thread(_store, state, content, key)
    async with state.database.write() as session:
        upload = Upload(
            user_id=user_id, filename=filename, language=language, filesize=size, status=UploadStatus.WAITING
        )
        session.add(upload)
        await session.flush()
        return await create_file(session, upload, original_key=key, size_bytes=size)


def _store(state: AppState, content: bytes, key: str) -> int:
    state.settings.work_root.mkdir(parents=True, exist_ok=True)
    source = state.settings.work_root / uuid.uuid4().hex
    source.write_bytes(content)
    return state.storage.put(source, key)


PREPARED = IngestResult(
    kind="video",
    duration_ms=12_000,
    width=640,
    height=360,
    facts={"mime": "video/mp4"},
    audio_key="files/a/audio.wav",
    plays_in_browser=True,
    has_audio=True,
)
