"""What is said live becomes lines of the ordinary captions, which people change while it goes on."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from api.content.exports.service import STILL_RECORDING
from api.content.files.models import File
from api.platform.http.state import AppState
from api.platform.jobs.attempts import endings
from api.platform.jobs.states import ErrorCode
from api.testing.browser import Browser
from api.testing.editor import Editor
from api.testing.files.live import HANDLER, LiveFlow, LivePage, passage_chunk, words_chunk
from pipelines.messages.attempt import StageFailed


async def begun(ada: Browser, state: AppState) -> tuple[LivePage, LiveFlow]:
    page = await LivePage.begin(ada, name="Talk")
    return page, await LiveFlow.begin(state, page.slug)


async def file_of(state: AppState, page: LivePage) -> File:
    async with state.database.read() as session:
        return (await session.scalars(select(File).where(File.slug == page.slug))).one()


async def test_final_words_are_read_from_where_one_was(ada: Browser, state: AppState) -> None:
    page, flow = await begun(ada, state)
    await flow.hand_over(words_chunk(0, "good morning"))
    await flow.hand_over(words_chunk(1, "everybody", 800))
    first = await page.look()
    assert [word["text"] for word in first["words"]] == ["good", "morning", "everybody"]
    assert first["next"] == 2
    await flow.hand_over(words_chunk(1, "nobody", 800))
    assert (await page.look(2))["words"] == [], "a group is written once"
    await flow.hand_over(words_chunk(2, "welcome", 1_200))
    later = await page.look(2)
    assert ([word["text"] for word in later["words"]], later["next"]) == (["welcome"], 3)


async def test_each_passage_becomes_lines_while_the_recording_goes_on(ada: Browser, state: AppState) -> None:
    page, flow = await begun(ada, state)
    await flow.hand_over(passage_chunk(0, "good morning everybody", 1_000))
    editor = await Editor(ada, page.slug).look()
    assert editor.texts == ["good morning everybody"]
    await flow.hand_over(passage_chunk(1, "we begin at nine", 6_000))
    await editor.look()
    assert editor.texts == ["good morning everybody", "we begin at nine"]
    assert editor.lines[1]["start_ms"] == 6_000
    assert [word["text"] for word in editor.lines[1]["words"]] == ["we", "begin", "at", "nine"]


async def test_a_correction_made_live_survives_and_undo_takes_back_only_that(ada: Browser, state: AppState) -> None:
    page, flow = await begun(ada, state)
    await flow.hand_over(passage_chunk(0, "good mourning everybody", 1_000))
    editor = await Editor(ada, page.slug).look()
    await editor.save("Edit", 0, content="Good morning, everybody.")
    await flow.hand_over(passage_chunk(1, "we begin at nine", 6_000))
    await editor.look()
    assert editor.texts == ["Good morning, everybody.", "we begin at nine"]
    assert editor.data["can_undo"]
    await editor.save("Undo")
    await editor.look()
    assert editor.texts == ["good mourning everybody", "we begin at nine"]
    await editor.save("Redo")
    await flow.finish(passages=2)
    await editor.look()
    assert editor.texts == ["Good morning, everybody.", "we begin at nine"]


async def test_lines_that_somebody_wrote_ahead_keep_their_place(ada: Browser, state: AppState) -> None:
    page, flow = await begun(ada, state)
    await flow.hand_over(passage_chunk(0, "good morning", 1_000))
    editor = await Editor(ada, page.slug).look()
    await editor.save("Add", start=6_500, end=9_500, content="[Music]")
    await flow.hand_over(passage_chunk(1, "we begin at nine today", 6_000))
    await editor.look()
    said = next(line for line in editor.lines if line["text"].startswith("we begin"))
    music = next(line for line in editor.lines if line["text"] == "[Music]")
    assert (music["start_ms"], music["end_ms"], music["place"]) == (6_500, 9_500, None)
    assert said["place"]["align"] == 8, "both are on screen at once"


async def test_a_line_that_was_made_longer_pushes_the_next_one_a_little(ada: Browser, state: AppState) -> None:
    page, flow = await begun(ada, state)
    await flow.hand_over(passage_chunk(0, "good morning", 1_000))
    editor = await Editor(ada, page.slug).look()
    await editor.save("Edit", 0, start=1_000, end=6_200, content="good morning")
    await flow.hand_over(passage_chunk(1, "we begin at nine today", 6_000))
    await editor.look()
    assert 6_200 <= editor.lines[1]["start_ms"] < 6_500
    assert editor.lines[1]["place"] is None


async def test_captions_are_downloaded_while_it_runs_and_a_video_of_it_waits(ada: Browser, state: AppState) -> None:
    page, flow = await begun(ada, state)
    await flow.hand_over(passage_chunk(0, "good morning", 1_000))
    subtitles = await ada.get(f"/api/files/captions/{page.slug}/download?format=srt")
    assert subtitles.status_code == 200, subtitles.text
    assert "good morning" in subtitles.text
    refused = await ada.post(f"/api/video/export/{page.slug}", json={"language": "en-US"})
    assert (refused.status_code, refused.json()["message"]) == (409, STILL_RECORDING)


async def test_in_the_end_it_is_an_ordinary_file(ada: Browser, state: AppState) -> None:
    page, flow = await begun(ada, state)
    await page.sent(0)
    await flow.hand_over(passage_chunk(0, "good morning", 1_000))
    await page.end()
    await flow.finish(duration_ms=61_500)
    shown = (await ada.get(f"/api/files/{page.slug}")).json()["data"]
    assert (shown["status"], shown["duration_ms"], shown["playback"]["status"]) == ("completed", 61_500, "ready")
    found = (await page.look())["live"]
    assert (found["is_kept"], found["state"]) == (True, "ended")
    assert (await ada.get("/api/live")).json()["data"] == []


async def test_a_recording_that_failed_is_read_again_from_its_journal(ada: Browser, state: AppState) -> None:
    page, flow = await begun(ada, state)
    await flow.hand_over(passage_chunk(0, "good morning", 1_000))
    await page.end()
    failure = StageFailed("live", "The speech model failed.", retryable=False)
    async with state.database.write() as session:
        await endings.fail(session, HANDLER, flow.lease, failure, ErrorCode.STAGE)
    file = await file_of(state, page)
    assert (file.status, file.error) == ("failed", "The speech model failed.")
    assert (await page.look())["live"]["error"] == "The speech model failed."
    assert (await ada.post(f"/api/files/{page.slug}/retry")).status_code < 300
    assert (await file_of(state, page)).status == "live"
    again = await LiveFlow.begin(state, page.slug)
    await again.hand_over(passage_chunk(1, "we begin at nine", 6_000))
    await again.finish(passages=2)
    editor = await Editor(ada, page.slug).look()
    assert editor.texts == ["good morning", "we begin at nine"]


@pytest.mark.long
async def test_a_long_recording_may_meet_many_faults(ada: Browser, state: AppState) -> None:
    """Only faults without any progress in between count."""
    _page, flow = await begun(ada, state)
    for number in range(20):
        await flow.hand_over(passage_chunk(number, "and so on", 2_000 * number))
        async with state.database.write() as session:
            await endings.hand_back(session, flow.lease)
        assert (await flow.job()).attempt <= 1
        flow = await LiveFlow.begin(state, _page.slug)
