"""Exports through the API: started once, announced, downloaded under their name, stopped and removed."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions.models import CaptionTrack, TrackOrigin
from api.content.captions.tracks import add_track
from api.content.exports.jobs import ExportHandler
from api.content.exports.models import Export, ExportMode, ExportStatus
from api.content.exports.queries import EXPORT_NOT_FOUND
from api.content.exports.service import NO_SUCH_LANGUAGE, STILL_LISTENING, forget_parts
from api.content.files.models import File
from api.platform.db.transitions import IllegalTransition
from api.platform.http.state import AppState
from api.platform.jobs.attempts.cleanup import STORAGE_CLEANUP, cleanup_delivery
from api.platform.jobs.models import Job, OutboxMessage
from api.platform.jobs.sending.outbox_sender import OutboxSender
from api.platform.jobs.states import JobKind, JobState
from api.platform.realtime.messages import Action, Topic
from api.testing.browser import Browser
from api.testing.editor import Editor
from api.testing.events import events_of
from api.testing.files.transcribed import captioned_file, transcribing_file
from pipelines.captions.fonts.glyphs import boxes_sentence
from pipelines.captions.quality.sentences import refusal
from pipelines.flows.export.flow import GPU_FAILED
from pipelines.messages.attempt import Progress, StageFailed
from pipelines.messages.lines import CaptionLine
from pipelines.messages.results import ExportResult, parts_folder


@pytest.fixture
async def file(ada: Browser, state: AppState) -> File:
    return await captioned_file(state, ada.user_id)


async def _start(browser: Browser, file: File, mode: ExportMode = ExportMode.BURNED) -> dict[str, object]:
    answer = await browser.post(f"/api/video/export/{file.slug}", json={"language": file.language, "mode": mode})
    assert answer.status_code == 201, answer.text
    data: dict[str, object] = answer.json()["data"]
    return data


async def _job(state: AppState, export: dict[str, object]) -> Job:
    async with state.database.read() as session:
        wanted = select(Job).where(Job.kind == JobKind.EXPORT, Job.subject_id == uuid.UUID(str(export["id"])))
        return (await session.scalars(wanted)).one()


async def test_an_export_goes_from_submitted_to_a_download(ada: Browser, file: File, state: AppState) -> None:
    export = await _start(ada, file)
    child = f"lang_{file.language}"
    assert (export["status"], export["child"], export["download_url"]) == (ExportStatus.SUBMITTED, child, None)
    job = await _job(state, export)
    assert "The harbour is closed today." in [line["text"] for line in job.request["tracks"][0]["lines"]]
    handler = ExportHandler()
    async with state.database.write() as session:
        await handler.on_started(session, job)
        job.progress = 40
        ticks = await handler.on_progress(session, job, Progress("burning", 40, 100, "frames"))
    assert [(tick.message.queue, tick.message.action, tick.message.child, tick.message.progress) for tick in ticks] == [
        (Topic.EXPORT, Action.PROGRESS, child, 40)
    ]
    source = state.settings.data_dir / "rendered"
    await asyncio.to_thread(source.write_bytes, b"a video")
    key = f"files/{file.id}/export/video.mp4"
    size = await asyncio.to_thread(state.storage.put, source, key)
    async with state.database.write() as session:
        await handler.on_done(session, job, ExportResult(export_key=key, size_bytes=size, notice=GPU_FAILED))
    listed = (await ada.get(f"/api/video/exports/{file.slug}")).json()["data"]
    assert [(one["status"], one["progress"], one["size_bytes"], one["notice"]) for one in listed] == [
        (ExportStatus.COMPLETE, 100, len(b"a video"), GPU_FAILED)
    ]
    download = await ada.get(listed[0]["download_url"])
    assert download.content == b"a video"
    assert "attachment" in download.headers["content-disposition"]
    assert (await ada.get(f"/api/files/{file.slug}")).json()["data"]["exports"] == listed


async def test_the_same_captions_are_rendered_once(ada: Browser, file: File) -> None:
    first = await _start(ada, file)
    assert (await _start(ada, file))["id"] == first["id"]
    assert (await _start(ada, file, ExportMode.SOFT))["id"] != first["id"]
    page = await Editor(ada, file.slug).look()
    await page.save("Edit", 0, content="The harbour is open today.")
    assert (await _start(ada, file))["id"] != first["id"]


async def test_other_captions_under_the_same_revision_are_rendered_anew(
    ada: Browser, file: File, state: AppState
) -> None:
    """A translation that was deleted and made again is another track in the same language."""
    first = await _start(ada, file)
    async with state.database.write() as session:
        track = (await session.scalars(select(CaptionTrack).where(CaptionTrack.file_id == file.id))).one()
        language, revision = track.language, track.revision
        await session.delete(track)
        await session.flush()
        lines = [CaptionLine(str(uuid.uuid4()), 0, 2_000, "Other words.")]
        other = await add_track(session, file, language, TrackOrigin.TRANSCRIPTION, lines)
        other.revision = revision
    second = await _start(ada, file)
    assert second["id"] != first["id"]
    assert [line["text"] for line in (await _job(state, second)).request["tracks"][0]["lines"]] == ["Other words."]


async def test_what_is_drawn_after_boxes_were_accepted_is_rendered_anew(ada: Browser, file: File) -> None:
    """The fonts of the machine may have the characters by now."""
    body = {"language": file.language, "mode": ExportMode.BURNED}
    made = [
        await ada.post(f"/api/video/export/{file.slug}", json=body | {"accept_boxes": each}) for each in (True, False)
    ]
    assert len({answer.json()["data"]["id"] for answer in made}) == 2


async def test_an_export_that_an_earlier_version_named_is_made_anew(ada: Browser, file: File, state: AppState) -> None:
    first = await _start(ada, file)
    async with state.database.write() as session:
        export = await session.get_one(Export, uuid.UUID(str(first["id"])))
        # As of version 1: without the track.
        export.form_key = "0" * 64
    assert (await _start(ada, file))["id"] != first["id"]


async def test_a_refused_export_says_why(ada: Browser, file: File, state: AppState) -> None:
    other = await ada.post(f"/api/video/export/{file.slug}", json={"language": "fr-FR"})
    assert (other.status_code, other.json()["message"]) == (422, NO_SUCH_LANGUAGE)
    live, _job_of_it = await transcribing_file(state, ada.user_id)
    early = await ada.post(f"/api/video/export/{live.slug}", json={"language": live.language})
    assert (early.status_code, early.json()["message"]) == (409, STILL_LISTENING)


async def test_the_quality_gate_refuses_captions_with_findings_and_queues_nothing(ada: Browser, file: File) -> None:
    body = {"language": file.language, "mode": ExportMode.SOFT, "require_clean": True}
    path = f"/api/video/export/{file.slug}"
    page = await Editor(ada, file.slug).look()
    await page.save("Edit", 0, content="<i>open")
    refused = await ada.post(path, json=body)
    assert (refused.status_code, refused.json()["message"]) == (422, refusal(1))
    assert (refused.json()["code"], refused.json()["data"]) == ("open_findings", {"language": file.language})
    assert (await ada.get(f"/api/video/exports/{file.slug}")).json()["data"] == []
    assert (await ada.post(path, json={**body, "mode": ExportMode.AUDIO})).status_code == 201
    await page.look()
    await page.save("Edit", 0, content="Open today.")
    assert (await ada.post(path, json=body)).status_code == 201


async def test_a_failed_export_keeps_its_sentence_and_can_be_retried(ada: Browser, file: File, state: AppState) -> None:
    export = await _start(ada, file)
    job = await _job(state, export)
    reason = "The video could not be rendered. Try again."
    async with state.database.write() as session:
        await ExportHandler().on_failed(session, job, StageFailed("burn", reason, retryable=False))
    listed = (await ada.get(f"/api/video/exports/{file.slug}")).json()["data"]
    assert (listed[0]["status"], listed[0]["error"]) == (ExportStatus.ERROR, reason)
    assert (await _start(ada, file))["id"] != export["id"]


async def test_parts_go_with_their_time_also_after_a_failure(ada: Browser, file: File, state: AppState) -> None:
    async with state.database.write() as session:
        (await session.get_one(File, file.id)).facts = {"form": 1}
    job = await _job(state, await _start(ada, file))
    # What ingest found saves the export from reading the file again.
    assert job.request["facts"] == {"form": 1}
    handler = ExportHandler()
    async with state.database.write() as session:
        await handler.on_started(session, job)
    long_after = datetime.now(UTC) + timedelta(days=1)
    assert await forget_parts(state.database, long_after) == 0, "it runs"
    async with state.database.write() as session:
        await handler.on_failed(session, job, StageFailed("export", "Try again.", retryable=False))
    assert await forget_parts(state.database, long_after - timedelta(days=2)) == 0, "it is young"
    assert [await forget_parts(state.database, long_after) for _ in range(2)] == [1, 0]
    async with state.database.write() as session:
        statement = select(OutboxMessage).where(OutboxMessage.topic == STORAGE_CLEANUP)
        assert (await session.scalars(statement)).one().payload["prefixes"] == [parts_folder(file.id)]


@pytest.mark.long
@pytest.mark.parametrize("removed", ["the export", "the file"])
async def test_parts_that_arrive_after_a_removal_go_with_the_end_of_the_attempt(
    ada: Browser, file: File, state: AppState, removed: str
) -> None:
    export, other = await _start(ada, file), await _start(ada, file, ExportMode.SOFT)
    job = await _job(state, export)
    async with state.database.write() as session:
        await ExportHandler().on_started(session, job)
        row = await session.get_one(Export, uuid.UUID(str(export["id"])))
        await session.delete(row)
        if removed == "the file":
            await session.delete(await session.get_one(Export, uuid.UUID(str(other["id"]))))
            await session.flush()
            await session.execute(delete(File).where(File.id == file.id))
    part, folder = state.settings.work_root / "part", parts_folder(file.id)
    await asyncio.to_thread(part.write_bytes, b"part")
    await asyncio.to_thread(state.storage.put, part, f"{folder}/late.mp4")
    async with state.database.write() as session:
        await ExportHandler().on_cancelled(session, job)
    delivery = cleanup_delivery(state.storage)
    while await OutboxSender(state.database, [delivery]).send_batch(delivery):
        pass
    # Another export that waits may use what is there.
    assert state.storage.exists(f"{folder}/late.mp4") is (removed == "the export")


async def test_removal_stops_the_job_and_names_the_object(ada: Browser, file: File, state: AppState) -> None:
    export = await _start(ada, file)
    job = await _job(state, export)
    async with state.database.write() as session:
        row = await session.get_one(Export, uuid.UUID(str(export["id"])))
        row.export_key = "files/x/export/video.mp4"
    assert (await ada.delete(f"/api/video/exports/{file.slug}/{export['id']}")).status_code == 204
    assert (await ada.get(f"/api/video/exports/{file.slug}")).json()["data"] == []
    assert (await _job(state, export)).state == JobState.CANCELLED
    async with state.database.write() as session:
        cleanup = (await session.scalars(select(OutboxMessage).where(OutboxMessage.topic == STORAGE_CLEANUP))).one()
        assert cleanup.payload["keys"] == ["files/x/export/video.mp4"]
        # The attempt that was on its way ends without a row to write to.
        await ExportHandler().on_done(session, job, ExportResult(export_key="k", size_bytes=1))


async def test_characters_that_no_font_can_draw_raise_a_question_before_a_burn_in(
    ada: Browser, state: AppState
) -> None:
    rare = "\U0002a6d7"
    file = await captioned_file(state, ada.user_id, f"Þetta er {rare}.")
    path = f"/api/video/export/{file.slug}"
    body = {"language": file.language, "mode": ExportMode.BURNED}
    answer = await ada.post(path, json=body)
    assert answer.status_code == 409
    assert answer.json() == {
        "code": "missing_glyphs",
        "message": boxes_sentence([rare]),
        "data": {"characters": [rare]},
    }
    assert (await ada.get(f"/api/video/exports/{file.slug}")).json()["data"] == []
    assert (await ada.post(path, json={**body, "mode": ExportMode.SOFT})).status_code == 201
    export = (await ada.post(path, json={**body, "accept_boxes": True})).json()["data"]
    assert (await _job(state, export)).request["accept_boxes"] is True


async def test_other_peoples_exports_are_not_found(ada: Browser, bob: Browser, file: File) -> None:
    export = await _start(ada, file)
    calls = [
        await bob.get(f"/api/video/exports/{file.slug}"),
        await bob.post(f"/api/video/export/{file.slug}", json={"language": file.language}),
        await bob.get(f"/api/video/exports/{file.slug}/{export['id']}/download"),
        await bob.delete(f"/api/video/exports/{file.slug}/{export['id']}"),
    ]
    assert [call.status_code for call in calls] == [404] * 4
    missing = await ada.get(f"/api/video/exports/{file.slug}/{uuid.uuid4()}/download")
    assert (missing.status_code, missing.json()["message"]) == (404, EXPORT_NOT_FOUND)


async def test_events_name_the_language_and_a_cancel_is_no_failure(ada: Browser, file: File, state: AppState) -> None:
    async with state.database.write() as session:
        await session.execute(update(CaptionTrack).values(language="zh-TW"))
    answer = await ada.post(f"/api/video/export/{file.slug}", json={"language": "zh-TW"})
    export = answer.json()["data"]
    assert export["child"] == "lang_zh-TW", "another one than that of zh"
    await ada.delete(f"/api/video/exports/{file.slug}/{export['id']}")
    told = [event for event in await events_of(state) if event["queue"] == Topic.EXPORT]
    label = "Chinese (Traditional)"
    assert [(event["action"], event["child"], event["language"]) for event in told] == [
        (Action.DISPATCHED, "lang_zh-TW", label),
        (Action.ABANDONED, "lang_zh-TW", label),
    ]
    assert told[-1]["message"] == f"You cancelled the export of '{file.name}' with {label} subtitles."


async def test_a_failed_export_names_the_language(ada: Browser, file: File, state: AppState) -> None:
    job = await _job(state, await _start(ada, file))
    async with state.database.write() as session:
        failure = StageFailed("burn", "Try again.", retryable=False)
        await ExportHandler().on_failed(session, job, failure)
    assert (await events_of(state))[-1]["message"] == (
        f"Something broke while trying to export '{file.name}' with English (US) subtitles. :S Try again."
    )


async def test_a_double_click_renders_once(ada: Browser, file: File) -> None:
    started = await asyncio.gather(*(_start(ada, file) for _ in range(4)))
    assert len({export["id"] for export in started}) == 1


async def test_a_finished_export_keeps_its_status(ada: Browser, file: File, state: AppState) -> None:
    export = await _start(ada, file)
    job = await _job(state, export)
    handler = ExportHandler()
    async with state.database.write() as session:
        await handler.on_cancelled(session, job)
    late: list[Callable[[AsyncSession], Awaitable[None]]] = [
        lambda session: handler.on_started(session, job),
        lambda session: handler.on_done(session, job, ExportResult(export_key="k", size_bytes=1)),
        lambda session: handler.on_failed(session, job, StageFailed("export", "Late.", retryable=False)),
    ]
    for call in late:
        with pytest.raises(IllegalTransition):
            async with state.database.write() as session:
                await call(session)
    (listed,) = (await ada.get(f"/api/video/exports/{file.slug}")).json()["data"]
    assert (listed["status"], listed["error"], listed["download_url"]) == (ExportStatus.CANCELED, None, None)
