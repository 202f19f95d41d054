"""Each event is reported to the endpoints of whoever owns the file, and to nobody else."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select

from api.content.captions.speech.jobs import TranscribeHandler
from api.content.exports.jobs import ExportHandler
from api.platform.http.state import AppState
from api.platform.jobs.attempts import endings
from api.platform.jobs.models import Job
from api.platform.jobs.states import ErrorCode, JobKind
from api.platform.webhooks.events import EventType
from api.testing.browser import Browser
from api.testing.files.ai_texts import WRITER, install, written_text
from api.testing.files.live import HANDLER, LiveFlow, LivePage, passage_chunk, words_chunk
from api.testing.files.transcribed import captioned_file, transcribing_file
from api.testing.files.translated import translate
from api.testing.processes.webhook_receiver import WebhookReceiver
from api.tests.webhooks.calls import add, deliveries, send_all
from pipelines.messages.attempt import StageFailed
from pipelines.messages.results import ExportResult

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


async def reported(browser: Browser, webhook: dict[str, Any]) -> list[str]:
    """The types of a webhook's messages, the oldest first."""
    return [each["event"] for each in reversed(await deliveries(browser, webhook))]


async def test_a_file_is_reported_from_its_upload_to_its_end(
    ada: Browser, bob: Browser, state: AppState, receiver: WebhookReceiver
) -> None:
    webhook, others = await add(ada, receiver.url), await add(bob, receiver.url)
    file = await captioned_file(state, ada.user_id, "One line.", "Another line.")
    assert (await ada.delete(f"/api/files/{file.slug}")).status_code == 204
    gone = await ada.request("POST", "/api/files/bin/purge", json={"ids": [str(file.id)]})
    assert gone.status_code < 300, gone.text
    await send_all(state)
    said = [each.verified(webhook["secret"]) for each in receiver.messages]
    by_type = {each["type"]: each["data"] for each in said}
    assert await reported(ada, webhook) == ["file.created", "file.transcribed", "file.deleted", "file.deleted"]
    assert by_type["file.created"]["file"] | {"created_at": ""} == {
        "id": file.slug,
        "name": file.name,
        "status": "waiting",
        "language": "en-US",
        "duration_ms": None,
        "team_id": None,
        "created_at": "",
    }
    assert by_type["file.transcribed"]["lines"] == 2
    assert by_type["file.transcribed"]["file"]["duration_ms"] == 60_000
    assert sorted(each["data"]["permanent"] for each in said if each["type"] == "file.deleted") == [False, True]
    assert await deliveries(bob, others) == []


@pytest.mark.long
async def test_what_is_made_of_a_file_is_reported_when_it_is_ready(
    ada: Browser, state: AppState, receiver: WebhookReceiver
) -> None:
    webhook = await add(ada, receiver.url)
    file = await captioned_file(state, ada.user_id)
    await translate(state, ada, file, "es")
    await install(state, WRITER)
    text = await written_text(state, ada, file)
    export = (await ada.post(f"/api/video/export/{file.slug}", json={"language": "en-US", "mode": "soft"})).json()
    async with state.database.write() as session:
        job = (await session.scalars(select(Job).where(Job.kind == JobKind.EXPORT))).one()
        await ExportHandler().on_started(session, job)
        await ExportHandler().on_done(session, job, ExportResult(export_key="k", size_bytes=7))
    _, failing = await transcribing_file(state, ada.user_id)
    async with state.database.write() as session:
        row = await session.get_one(Job, failing.id)
        await TranscribeHandler().on_failed(session, row, StageFailed("transcribe", "No room.", retryable=False))
    await send_all(state)
    data = {}
    for message in receiver.messages:
        said = message.verified(webhook["secret"])
        data[said["type"]] = said["data"]
    ready = data["translation.ready"]
    assert (ready["language"], ready["source_language"], ready["file"]["id"]) == ("es", "en-US", file.slug)
    assert data["ai_text.ready"]["text"] == {"id": text["id"], "type": "minutes", "language": text["language"]}
    made = data["export.ready"]["export"]
    assert made == {"id": export["data"]["id"], "language": "en-US", "mode": "soft", "size_bytes": 7}
    assert data["file.failed"]["step"] == "transcription"
    assert "No room." in data["file.failed"]["reason"]


async def test_a_live_recording_is_reported_sentence_by_sentence(
    ada: Browser, state: AppState, receiver: WebhookReceiver
) -> None:
    webhook = await add(ada, receiver.url)
    page = await LivePage.begin(ada, name="Board meeting")
    await page.sent(0)
    flow = await LiveFlow.begin(state, page.slug)
    await flow.hand_over(words_chunk(0, "good morning"))
    await flow.hand_over(passage_chunk(0, "good morning"))
    await page.end()
    await send_all(state)
    said = {each["type"]: each["data"] for each in (m.verified(webhook["secret"]) for m in receiver.messages)}
    assert {"live.started", "live.captions", "live.ended"} <= set(said)
    assert said["live.started"]["file"]["name"] == "Board meeting"
    captions = said["live.captions"]
    assert (captions["index"], captions["text"], captions["start_ms"]) == (0, "good morning", 0)
    assert (said["live.ended"]["recorded_ms"], said["live.ended"]["reason"]) == (500, None)


async def test_a_live_recording_that_ends_by_itself_says_why(
    ada: Browser, state: AppState, receiver: WebhookReceiver
) -> None:
    webhook = await add(ada, receiver.url, events=[EventType.LIVE_ENDED])
    page = await LivePage.begin(ada)
    await page.sent(0)
    flow = await LiveFlow.begin(state, page.slug)
    failure = StageFailed("live", "It is broken.", retryable=False)
    async with state.database.write() as session:
        await endings.fail(session, HANDLER, flow.lease, failure, ErrorCode.STAGE)
    await send_all(state)
    (ended,) = [message.verified(webhook["secret"])["data"] for message in receiver.messages]
    assert ended["reason"] == "It is broken."
