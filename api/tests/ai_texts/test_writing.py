"""Texts are requested, appear while they are written, and end: ready, failed, cancelled or deleted."""

from __future__ import annotations

import asyncio
import uuid

import pytest
from sqlalchemy import select

from api.content.ai_texts.errors import NO_CAPTIONS, NOT_BEING_WRITTEN, STILL_LIVE
from api.content.ai_texts.jobs import MinutesHandler
from api.content.ai_texts.models import AiTextVersion
from api.content.ai_texts.offers import NO_SUCH_LANGUAGE
from api.content.ai_texts.queries import TEXT_NOT_FOUND
from api.content.files.models import File, FileStatus
from api.platform.http.state import AppState
from api.platform.jobs.models import Job, JobChunk
from api.platform.jobs.states import JobKind, JobState
from api.platform.realtime.messages import Action, Topic
from api.testing.browser import Browser
from api.testing.events import events_of
from api.testing.files.ai_texts import (
    finish,
    install,
    job_of,
    keep_block,
    progress,
    request_texts,
    result_of,
    start,
    text_now,
    written_text,
)
from api.testing.files.transcribed import SENTENCES, captioned_file, transcribing_file
from api.testing.files.uploaded_file import uploaded_file
from pipelines.messages.attempt import StageFailed
from pipelines.messages.minutes import MinutesRequest
from serve.core.messages import EngineInfo
from serve.tasks.text.messages import TEXT

FAILED = StageFailed("write", "The model does not answer. Try again later.", retryable=False)


@pytest.fixture
async def file(state: AppState, ada: Browser) -> File:
    return await captioned_file(state, ada.user_id)


async def path_of(browser: Browser, text: dict[str, object], step: str) -> dict[str, object]:
    answer = await browser.post(f"/api/files/minutes/{text['id']}/{step}")
    assert answer.status_code in (200, 202), answer.text
    data: dict[str, object] = answer.json()["data"]
    return data


async def test_each_type_is_one_job_about_the_lines_of_the_transcript(
    ada: Browser, file: File, state: AppState
) -> None:
    texts = await request_texts(ada, file, "minutes", "blog")
    assert [(text["type"], text["language"], text["state"]) for text in texts] == [
        ("minutes", "en-US", "waiting"),
        ("blog", "en-US", "waiting"),
    ]
    assert [text["queue_place"] for text in texts] == [1, 2]
    request = MinutesRequest.from_json((await job_of(state, texts[0]["id"])).request)
    assert ([line.text for line in request.lines], request.source_language) == (list(SENTENCES), "en-US")
    told = [(event["action"], event["child"]) for event in await events_of(state) if event["queue"] == Topic.MINUTES]
    assert told == [(Action.DISPATCHED, "minutes_en-US"), (Action.DISPATCHED, "blog_en-US")]
    (listed,) = (await ada.get("/api/files")).json()["data"]
    assert [(text["type"], text["state"]) for text in listed["ai_texts"]] == [
        ("minutes", "waiting"),
        ("blog", "waiting"),
    ]


async def test_a_double_click_writes_a_text_once(ada: Browser, file: File, state: AppState) -> None:
    answers = await asyncio.gather(*(request_texts(ada, file) for _ in range(4)))
    assert len({text["id"] for texts in answers for text in texts}) == 1
    async with state.database.read() as session:
        assert len((await session.scalars(select(Job).where(Job.kind == JobKind.MINUTES))).all()) == 1


async def test_blocks_appear_as_they_are_written_and_the_result_replaces_them(
    ada: Browser, file: File, state: AppState
) -> None:
    (text,) = await request_texts(ada, file)
    job = await start(state, await job_of(state, text["id"]))
    made = result_of(job)
    await keep_block(state, job, 1, made.blocks[1])
    await keep_block(state, job, 0, made.blocks[0])
    await progress(state, job, 40)
    draft = await text_now(ada, text["id"])
    assert (draft["state"], draft["progress"], draft["is_draft"], draft["version"]) == ("running", 40, True, 0)
    assert [block["sentences"][0]["text"] for block in draft["blocks"]] == ["The harbour", "The harbour is closed."]
    assert draft["blocks"][1]["sentences"][0]["cites"][0]["text"] == SENTENCES[0]
    await finish(state, job, made)
    ready = await text_now(ada, text["id"])
    assert (ready["state"], ready["is_draft"], ready["title"], ready["version"]) == (
        "ready",
        False,
        "Harbour meeting",
        1,
    )
    assert [block["kind"] for block in ready["blocks"]] == ["heading", "paragraph", "decision", "action"]
    assert [sentence["unsupported"] for sentence in ready["blocks"][1]["sentences"]] == [False, True]
    assert (ready["blocks"][3]["owner"], ready["blocks"][3]["due"]) == ("Anna", "tomorrow")
    assert ready["notes"] == ["One sentence was left out."]
    assert ready["engine"]
    assert ready["is_selection"] is False
    # All is within a minute. The unsupported sentence alone cites the second line, which therefore does not count.
    spans = {
        cite["line_id"]: cite["end_ms"] - cite["start_ms"]
        for block in ready["blocks"]
        for sentence in block["sentences"]
        for cite in sentence["cites"]
        if not sentence["unsupported"]
    }
    assert ready["coverage"]["cited_ms"] == [sum(spans.values())]
    assert ready["coverage"]["speech_ms"] == [ready["total_ms"]]
    assert ready["covered_ms"] == ready["total_ms"] > sum(spans.values())
    last = (await events_of(state))[-1]
    assert (last["action"], last["message"]) == (
        Action.COMPLETED,
        f"AI text for '{file.name}' is ready: Minutes, English (US).",
    )
    assert (await ada.get(f"/api/files/{file.slug}")).json()["data"]["status"] == FileStatus.COMPLETED


async def test_a_failure_has_a_sentence_and_is_tried_again_after_what_was_finished(
    ada: Browser, file: File, state: AppState
) -> None:
    (text,) = await request_texts(ada, file)
    job = await start(state, await job_of(state, text["id"]))
    await keep_block(state, job, 0, result_of(job).blocks[0])
    async with state.database.write() as session:
        row = await session.get_one(Job, job.id)
        row.state = JobState.FAILED
        await MinutesHandler().on_failed(session, row, FAILED)
    failed = await text_now(ada, text["id"])
    assert (failed["state"], failed["error"], failed["blocks"]) == ("failed", FAILED.reason, [])
    assert (await events_of(state))[-1]["message"] == (
        f"A problem occurred when trying to generate AI text for '{file.name}'. {FAILED.reason}"
    )
    again = await path_of(ada, text, "again")
    assert (again["state"], again["error"]) == ("waiting", None)
    assert (await job_of(state, text["id"])).id == job.id, "the same job, with the parts it has kept"
    assert len(again["blocks"]) == 1  # type: ignore[arg-type]


@pytest.mark.long
async def test_a_person_cancels_a_waiting_and_a_running_text(ada: Browser, file: File, state: AppState) -> None:
    (text,) = await request_texts(ada, file)
    assert (await path_of(ada, text, "cancel"))["state"] == "cancelled"
    refused = await ada.post(f"/api/files/minutes/{text['id']}/cancel")
    assert (refused.status_code, refused.json()["message"]) == (409, NOT_BEING_WRITTEN)
    assert (await path_of(ada, text, "again"))["state"] == "waiting"
    job = await start(state, await job_of(state, text["id"]))
    async with state.database.write() as session:
        # As if its dispatcher were still there.
        row = await session.get_one(Job, job.id)
        row.lease_until = row.created_at.replace(year=2100)
    assert (await path_of(ada, text, "cancel"))["state"] == "cancelled"
    assert (await path_of(ada, text, "again"))["state"] == "waiting", "while the old job is still being stopped"
    new = await job_of(state, text["id"])
    assert new.id != job.id
    async with state.database.write() as session:
        await MinutesHandler().on_cancelled(session, await session.get_one(Job, job.id))
    assert (await text_now(ada, text["id"]))["state"] == "waiting", "a job that was replaced changes nothing"
    told = [event["action"] for event in await events_of(state) if event["queue"] == Topic.MINUTES]
    assert told.count(Action.ABANDONED) == 2


@pytest.mark.long
async def test_a_text_that_is_written_again_stays_until_the_new_one_is_whole(
    ada: Browser, file: File, state: AppState
) -> None:
    text = await written_text(state, ada, file)
    await path_of(ada, text, "again")
    job = await start(state, await job_of(state, text["id"]))
    await keep_block(state, job, 0, result_of(job).blocks[2])
    running = await text_now(ada, text["id"])
    assert (running["state"], running["is_draft"], running["blocks"]) == ("running", False, text["blocks"])
    cancelled = await path_of(ada, text, "cancel")
    assert (cancelled["state"], cancelled["blocks"]) == ("ready", text["blocks"])
    await path_of(ada, text, "again")
    job = await job_of(state, text["id"])
    await finish(state, job, result_of(job, title="Second writing"))
    now = await text_now(ada, text["id"])
    assert (now["title"], now["version"], now["state"]) == ("Second writing", 2, "ready")


@pytest.mark.long
async def test_texts_are_deleted_by_type_and_all_at_once(ada: Browser, file: File, state: AppState) -> None:
    await written_text(state, ada, file)
    blog = next(each for each in await request_texts(ada, file, "blog", "short") if each["type"] == "blog")
    running = await start(state, await job_of(state, blog["id"]))
    path = f"/api/files/aitext/{file.slug}"
    assert (await ada.delete(f"{path}?type=blog")).status_code == 204
    assert [text["type"] for text in (await ada.get(path)).json()["data"]] == ["minutes", "short"]
    assert (await ada.delete(f"{path}?type=long")).status_code == 404
    await finish(state, running, result_of(running))
    assert (await ada.get(f"/api/files/minutes/{blog['id']}")).json()["message"] == TEXT_NOT_FOUND
    assert (await ada.delete(path)).status_code == 204
    assert (await ada.get(path)).json()["data"] == []
    async with state.database.read() as session:
        assert (await session.scalars(select(AiTextVersion))).all() == []
        open_jobs = select(Job).where(Job.kind == JobKind.MINUTES, Job.state == JobState.READY)
        assert (await session.scalars(open_jobs)).all() == []


async def test_deleting_the_file_deletes_its_texts_and_their_jobs(ada: Browser, file: File, state: AppState) -> None:
    text = await written_text(state, ada, file)
    await path_of(ada, text, "again")
    assert (await ada.delete(f"/api/files/{file.slug}")).status_code == 204
    await ada.delete("/api/files/bin")
    async with state.database.read() as session:
        assert (await session.scalars(select(AiTextVersion))).all() == []
        job = (await session.scalars(select(Job).where(Job.kind == JobKind.MINUTES, Job.state == JobState.READY))).all()
        assert job == []


async def test_what_cannot_be_written_is_refused_with_a_sentence(ada: Browser, state: AppState) -> None:
    live, _ = await transcribing_file(state, ada.user_id)
    empty = await uploaded_file(state, ada.user_id)
    file = await captioned_file(state, ada.user_id)
    body = {"types": ["short"], "language": "en-US"}
    async with state.database.write() as session:
        (await session.get_one(File, empty.id)).status = FileStatus.COMPLETED
    answers = [
        await ada.post(f"/api/files/aitext/{live.slug}", json=body),
        await ada.post(f"/api/files/aitext/{empty.slug}", json={"types": ["short"]}),
        await ada.post(f"/api/files/aitext/{file.slug}", json={**body, "language": "xx-YY"}),
    ]
    assert [(answer.status_code, answer.json()["message"]) for answer in answers] == [
        (409, STILL_LIVE),
        (409, NO_CAPTIONS),
        (422, NO_SUCH_LANGUAGE),
    ]
    strange: tuple[dict[str, list[str]], ...] = ({"types": []}, {"types": ["poem"]}, {})
    for bad in strange:
        assert (await ada.post(f"/api/files/aitext/{file.slug}", json=bad)).status_code == 422
    async with state.database.read() as session:
        assert (await session.scalars(select(Job).where(Job.kind == JobKind.MINUTES))).all() == []
        assert (await session.scalars(select(JobChunk))).all() == []


async def test_another_language_needs_an_engine_that_writes_it(ada: Browser, file: File, state: AppState) -> None:
    only_english = EngineInfo(TEXT, "openai", "gpt", "remote", "Set.", languages=frozenset({"en", "de"}))
    await install(state, only_english)
    path = f"/api/files/aitext/{file.slug}"
    refused = await ada.post(path, json={"types": ["short"], "language": "is-IS"})
    assert refused.status_code == 422
    assert refused.json()["message"] == "The text model does not know Icelandic. Choose English (US)."
    texts = await request_texts(ada, file, "short", language="de-DE")
    request = MinutesRequest.from_json((await job_of(state, texts[0]["id"])).request)
    assert (request.language, request.source_language) == ("de-DE", "en-US")


@pytest.mark.long
async def test_an_id_of_the_other_kind_is_not_found(ada: Browser, bob: Browser, file: File, state: AppState) -> None:
    text = await written_text(state, ada, file)
    wrong = [
        await ada.get(f"/api/files/aitext/{text['id']}"),
        await ada.delete(f"/api/files/aitext/{text['id']}"),
        await ada.get(f"/api/files/minutes/{file.id}"),
        await ada.patch(f"/api/files/minutes/{file.id}", json={"content": "x"}),
        await ada.get(f"/api/files/minutes/{uuid.uuid4()}/download"),
    ]
    assert [answer.status_code for answer in wrong] == [404] * 5
    minutes = f"/api/files/minutes/{text['id']}"
    others = [
        await bob.get(f"/api/files/aitext/{file.slug}"),
        await bob.post(f"/api/files/aitext/{file.slug}", json={"types": ["short"]}),
        await bob.delete(f"/api/files/aitext/{file.slug}"),
        await bob.get(f"/api/files/aitext/options?file={file.slug}"),
        await bob.get(minutes),
        await bob.patch(minutes, json={"content": "Mine now."}),
        await bob.get(f"{minutes}/history"),
        await bob.get(f"{minutes}/history/1"),
        await bob.post(f"{minutes}/restore", json={"version": 1}),
        await bob.post(f"{minutes}/cancel"),
        await bob.post(f"{minutes}/again"),
        await bob.get(f"{minutes}/download?format=docx"),
    ]
    assert [answer.status_code for answer in others] == [404] * len(others)
    assert await text_now(ada, text["id"]) == text
