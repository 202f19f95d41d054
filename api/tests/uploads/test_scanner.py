"""What the virus scanner found is gone, and what it has not passed nobody gets."""

from __future__ import annotations

import pytest
from sqlalchemy import select, update

from api.content.files.models import File
from api.content.preparation.jobs import UploadHandler
from api.platform.http.state import AppState
from api.platform.jobs.attempts.cleanup import cleanup_delivery
from api.platform.jobs.models import Job
from api.platform.jobs.sending.outbox_sender import OutboxSender
from api.platform.settings import ApiSettings
from api.testing.browser import Browser
from api.testing.files.uploaded_file import uploaded_file
from pipelines.media.virus_scan import FOUND, MALWARE, STAGE
from pipelines.messages.attempt import StageFailed

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture
def settings(settings: ApiSettings) -> ApiSettings:
    return settings.model_copy(update={"clamd": "127.0.0.1:3310"})


async def test_an_infected_upload_is_deleted_and_says_so(ada: Browser, state: AppState) -> None:
    file = await uploaded_file(state, ada.user_id)
    failure = StageFailed(STAGE, FOUND(name="Eicar"), retryable=False, code=MALWARE)
    async with state.database.write() as session:
        job = (await session.scalars(select(Job))).one()
        await UploadHandler().on_started(session, job)
    async with state.database.write() as session:
        await UploadHandler().on_failed(session, await session.get_one(Job, job.id), failure)
    delivery = cleanup_delivery(state.storage)
    await OutboxSender(state.database, [delivery]).send_batch(delivery)
    assert not state.storage.exists(file.original_key)
    shown = (await ada.get(f"/api/files/{file.slug}")).json()["data"]
    assert shown["status"] == "failed"
    assert shown["error"].startswith("The virus scanner found Eicar in this file, so it was deleted.")
    log = (await ada.get("/api/user/log")).json()["data"]
    assert log[0]["sentence"] == f"Removed what was uploaded as {file.name}: it is infected"


async def test_nobody_downloads_what_was_not_passed(ada: Browser, state: AppState) -> None:
    file = await uploaded_file(state, ada.user_id)
    waiting = await ada.get(f"/api/files/{file.slug}/original")
    assert (waiting.status_code, waiting.json()["message"]) == (
        409,
        "The virus scanner has not passed this file, so nobody can download it.",
    )
    async with state.database.write() as session:
        await session.execute(update(File).values(facts={"mime": "video/mp4"}))
    assert (await ada.get(f"/api/files/{file.slug}/original")).status_code == 200
