"""Numbers the editor gets from the server: the caption rules, and the frame rate."""

from __future__ import annotations

import pytest

from api.content.captions.subtitle_files.archive import ARCHIVE_FILES_MAX
from api.content.files.models import File
from api.content.live.schemas import TRANSLATIONS_MAX
from api.people.account.editor_settings import EditorSettings
from api.people.membership.schemas import DOMAINS_MAX, KEEP_DAYS_MAX, SESSION_HOURS_MAX
from api.platform.http import limits
from api.platform.http.state import AppState
from api.testing.browser import Browser
from api.testing.files.transcribed import captioned_file
from pipelines.captions.limits import BULK_LINES_MAX, LINE_CHARS_MAX, SPEAKER_NAME_MAX, SPEAKERS_MAX
from pipelines.media.limits import MAX_DURATION_MS
from pipelines.messages.caption_rules import DEFAULT_RULES


async def test_pages_know_the_limits_of_uploads(visitor: Browser, state: AppState) -> None:
    uploads = (await visitor.get("/api/config")).json()["data"]["uploads"]
    assert uploads["max_bytes"] == state.settings.max_upload_bytes
    assert uploads["max_duration_ms"] == MAX_DURATION_MS
    assert {"audio/*", "video/*", ".mkv"} <= set(uploads["accepted"])


async def test_the_page_gets_the_caption_rules(visitor: Browser) -> None:
    captions = (await visitor.get("/api/config")).json()["data"]["captions"]
    assert captions == {name: getattr(DEFAULT_RULES, name) for name in captions}
    assert set(captions) == {"max_row", "max_rows", "warn_speed", "max_speed"}


async def test_the_page_gets_its_limits_and_times(visitor: Browser) -> None:
    config = (await visitor.get("/api/config")).json()["data"]
    assert config["toast_ms"] == 3000
    assert config["text_limits"] == {
        "file_title": limits.FILE_TITLE_MAX,
        "keyword": limits.KEYWORD_MAX,
        "tag": limits.TAG_NAME_MAX,
        "caption_line": LINE_CHARS_MAX,
        "search": limits.SEARCH_TEXT_MAX,
        "speaker_name": SPEAKER_NAME_MAX,
        "note": limits.CAPTION_NOTE_MAX,
        "version_name": limits.SNAPSHOT_NAME_MAX,
        "style_name": limits.STYLE_NAME_MAX,
        "reason": limits.REASON_MAX,
        "ledger_note": limits.LEDGER_NOTE_MAX,
    }
    assert config["count_limits"] == {
        "speakers": SPEAKERS_MAX,
        "changed_lines": BULK_LINES_MAX,
        "reviewed_spots": limits.REVIEWED_SPOTS_MAX,
        "archive_files": ARCHIVE_FILES_MAX,
        "invoice_lines": limits.INVOICE_LINES_MAX,
        "counted": limits.COUNTED_MAX,
        "session_hours": SESSION_HOURS_MAX,
        "team_domains": DOMAINS_MAX,
        "keep_days": KEEP_DAYS_MAX,
        "live_translations": TRANSLATIONS_MAX,
    }
    assert config["reason_min"] == limits.REASON_MIN
    assert config["editor_settings"] == EditorSettings().model_dump(mode="json")
    assert (config["realtime"]["activity_timeout_ms"], config["realtime"]["pong_timeout_ms"]) == (120_000, 30_000)


@pytest.mark.long
@pytest.mark.parametrize(
    ("facts", "fps"),
    [({"video": {"fps": 59.94}}, 59.94), ({"video": {"fps": None}}, None), ({"video": None}, None), ({}, None)],
)
async def test_a_file_and_the_list_give_the_frame_rate(
    ada: Browser, state: AppState, facts: dict[str, object], fps: float | None
) -> None:
    file = await captioned_file(state, ada.user_id)
    async with state.database.write() as session:
        (await session.get_one(File, file.id)).facts = facts
    one = (await ada.get(f"/api/files/{file.slug}")).json()["data"]
    (listed,) = (await ada.get("/api/files")).json()["data"]
    assert (one["fps"], listed["fps"]) == (fps, fps)


@pytest.mark.long
@pytest.mark.parametrize("timecode", ["01:00:00;00", "", None])
async def test_a_file_and_the_list_give_the_time_of_the_first_frame(
    ada: Browser, state: AppState, timecode: str | None
) -> None:
    file = await captioned_file(state, ada.user_id)
    async with state.database.write() as session:
        (await session.get_one(File, file.id)).facts = {"video": {"fps": 29.97, "timecode": timecode}}
    one = (await ada.get(f"/api/files/{file.slug}")).json()["data"]
    (listed,) = (await ada.get("/api/files")).json()["data"]
    assert one["timecode"] == listed["timecode"] == (timecode or None)
    path = f"/api/files/captions/{file.slug}/download"
    from_zero = (await ada.get(path, params={"format": "scc"})).text
    counted = (await ada.get(path, params={"format": "scc", "from_timecode": True})).text
    assert (counted == from_zero) == (not timecode)
    if timecode:
        # The bytes of the first caption are sent before the programme begins.
        assert counted.split("\n")[2].startswith("01:00:0")


async def test_somebody_says_when_the_programme_starts(ada: Browser, state: AppState) -> None:
    file = await captioned_file(state, ada.user_id)
    async with state.database.write() as session:
        (await session.get_one(File, file.id)).facts = {"video": {"fps": 25.0, "timecode": "01:00:00:00"}}
    path = f"/api/files/{file.slug}"

    async def start_at(start: str) -> tuple[str | None, str | None]:
        answer = await ada.put(path, json={"programme_start": start})
        assert answer.status_code == 200, answer.text
        data = answer.json()["data"]
        return data["timecode"], data["programme_start"]

    assert await start_at("10:00:00:12") == ("10:00:00:12", "10:00:00:12")
    stl = await ada.get(f"/api/files/captions/{file.slug}/download?format=stl&from_timecode=true")
    assert b"10000012" in stl.content[:1024]
    assert await start_at("") == ("01:00:00:00", None)
    for wrong in ("10:00", "24:00:00:00", "10:00:00:25", "ten"):
        answer = await ada.put(path, json={"programme_start": wrong})
        assert answer.status_code == 422
        assert answer.json()["errors"]["programme_start"] == [
            "Write the start of the programme as hours:minutes:seconds:frames, for example 10:00:00:00."
        ]


async def test_sound_has_no_first_frame(ada: Browser, state: AppState) -> None:
    file = await captioned_file(state, ada.user_id)
    async with state.database.write() as session:
        (await session.get_one(File, file.id)).facts = {}
    answer = await ada.put(f"/api/files/{file.slug}", json={"programme_start": "10:00:00:00"})
    assert answer.status_code == 422
    assert "has no picture" in answer.json()["message"]
