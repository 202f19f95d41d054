"""Real ffmpeg fails to make a playback copy, and succeeds when it is retried."""

from __future__ import annotations

import os

from api.auth.viewer import Viewer
from api.files import queries, service
from api.files.models import File
from api.files.schemas import PlaybackOut, PlaybackStatus
from api.jobs.states import JobState
from api.testing.jobs.installation import Installation, only_sqlite


async def _playback(place: Installation, file: File) -> PlaybackOut:
    async with place.database.read() as session:
        now = await session.get_one(File, file.id)
        return (await queries.describe(session, now)).playback


@only_sqlite
async def test_the_copy_succeeds_once_its_source_can_be_read(place: Installation) -> None:
    file, job_id = await place.encoding()
    source = place.settings.storage_root / file.original_key
    source.unlink()
    source.write_bytes(b"no video at all")
    place.dispatcher()
    failed = await place.until(job_id, JobState.FAILED)
    shown = await _playback(place, file)
    assert shown.status == PlaybackStatus.FAILED
    assert shown.error is not None
    assert shown.error.endswith(f" {failed.error}")

    source.unlink()
    os.link(place.clip, source)
    async with place.database.write() as session:
        viewer = Viewer(user_id=file.user_id, is_admin=False, team_id=None)
        await service.retry_playback(session, viewer, str(file.id))
    assert (await place.until(job_id, JobState.DONE)).attempt == 1
    assert (await _playback(place, file)).status == PlaybackStatus.READY
    async with place.database.read() as session:
        key = (await session.get_one(File, file.id)).playback_key
    assert key is not None
    assert (place.settings.storage_root / key).stat().st_size > 0
