"""Real ffmpeg fails to make a playback copy, and succeeds when it is retried."""

from __future__ import annotations

import os

import pytest

from api.content.files.models import File
from api.content.files.schemas import PlaybackOut, PlaybackStatus
from api.content.library import description, service
from api.people.auth.viewer import Viewer
from api.platform.jobs.states import JobState
from api.testing.jobs.installation import Installation, only_sqlite


async def _playback(installation: Installation, file: File) -> PlaybackOut:
    async with installation.database.read() as session:
        now = await session.get_one(File, file.id)
        viewer = Viewer(now.user_id, is_admin=False, team_id=None)
        return (await description.describe(session, viewer, now)).playback


@pytest.mark.long
@only_sqlite
async def test_the_copy_succeeds_once_its_source_can_be_read(installation: Installation) -> None:
    file, job_id = await installation.encoding()
    source = installation.settings.storage_root / file.original_key
    source.unlink()
    source.write_bytes(b"no video at all")
    installation.dispatcher()
    failed = await installation.until(job_id, JobState.FAILED)
    shown = await _playback(installation, file)
    assert shown.status == PlaybackStatus.FAILED
    assert shown.error is not None
    assert shown.error.endswith(f" {failed.error}")

    source.unlink()
    os.link(installation.clip, source)
    async with installation.database.write() as session:
        viewer = Viewer(user_id=file.user_id, is_admin=False, team_id=None)
        await service.retry_playback(session, viewer, str(file.id))
    assert (await installation.until(job_id, JobState.DONE)).attempt == 1
    assert (await _playback(installation, file)).status == PlaybackStatus.READY
    async with installation.database.read() as session:
        key = (await session.get_one(File, file.id)).playback_key
    assert key is not None
    assert (installation.settings.storage_root / key).stat().st_size > 0
