"""A second track works through every caption call like the first, and neither changes the other."""

from __future__ import annotations

import uuid

import pytest
from sqlalchemy import func, select

from api.content.captions.editing.steps import NOTHING_TO_UNDO
from api.content.captions.errors import OTHER_LANGUAGE, LanguageTaken
from api.content.captions.models import CaptionLineRow, CaptionRevision, CaptionTrack, TrackOrigin
from api.content.captions.tracks import add_track, tracks_of
from api.content.exports.models import Export
from api.content.files.models import File, FileStatus
from api.platform.http.state import AppState
from api.platform.jobs.models import Job
from api.testing.browser import Browser
from api.testing.editor import Editor
from api.testing.files.transcribed import SENTENCES, captioned_file, finish, result, transcribing_file
from pipelines.captions.reading.cues import with_words
from pipelines.messages.lines import CaptionLine

ICELANDIC = ("Höfnin er lokuð í dag.", "Enginn veit hvenær hún opnar.", "Spyrðu aftur í fyrramálið.")
LANGUAGE = "is-IS"


def lines(*texts: str) -> list[CaptionLine]:
    starts = [1_000 + 5_000 * index for index in range(len(texts))]
    return [
        with_words(CaptionLine(str(uuid.uuid4()), start, start + 2_000, text))
        for start, text in zip(starts, texts, strict=True)
    ]


async def add_icelandic(state: AppState, file: File) -> uuid.UUID:
    async with state.database.write() as session:
        source = (await tracks_of(session, file)).transcription
        origin = TrackOrigin.TRANSLATION
        track = await add_track(session, file, LANGUAGE, origin, lines(*ICELANDIC), source=source)
        return track.id


@pytest.fixture
async def file(ada: Browser, state: AppState) -> File:
    return await captioned_file(state, ada.user_id)


@pytest.fixture
async def page(ada: Browser, file: File) -> Editor:
    return await Editor(ada, file.slug).look()


@pytest.fixture
async def icelandic(ada: Browser, state: AppState, file: File) -> Editor:
    await add_icelandic(state, file)
    return await Editor(ada, file.slug, language=LANGUAGE).look()


async def test_language_and_track_id_choose_the_track(page: Editor, icelandic: Editor, file: File) -> None:
    assert page.texts == list(SENTENCES)
    assert (icelandic.texts, icelandic.data["language"]) == (list(ICELANDIC), LANGUAGE)
    assert (icelandic.data["revision"], icelandic.data["is_live"]) == (0, False)
    translation = icelandic.data["id"]
    assert translation != page.data["id"]
    # The id of a track chooses it, unless a language is given.
    assert (await Editor(page.browser, translation).look()).texts == list(ICELANDIC)
    assert (await Editor(page.browser, translation, language="en-US").look()).texts == list(SENTENCES)
    assert (await Editor(page.browser, str(file.id), language="is").look()).texts == list(ICELANDIC)
    assert (await Editor(page.browser, str(file.id), language="en").look()).texts == list(SENTENCES)
    answer = await page.browser.get(page.path, params={"language": "fr-FR"})
    assert (answer.status_code, answer.json()["message"]) == (422, OTHER_LANGUAGE)


@pytest.mark.long
async def test_every_edit_undo_and_redo_changes_one_track(page: Editor, icelandic: Editor) -> None:
    first = icelandic.lines[0]["id"]
    await icelandic.save("Edit", 0, content="Höfnin er opin í dag.")
    await icelandic.save("Split", 0, at=len("Höfnin er"))
    await icelandic.save("Merge", first)
    await icelandic.save("Add", start=30_000, end=32_000, content="Ný lína")
    await icelandic.save("Delete", 1)
    await icelandic.save("Shift", offset=250)
    await icelandic.save("Extend", offset=-100)
    assert icelandic.texts == ["Höfnin er opin í dag.", ICELANDIC[2], "Ný lína"]
    assert icelandic.data["revision"] == 7
    assert (await page.look()).texts == list(SENTENCES)
    assert (page.data["revision"], page.data["can_undo"]) == (0, False)
    assert (await page.post("Undo")).json()["message"] == NOTHING_TO_UNDO
    for _ in range(7):
        await icelandic.save("Undo")
    assert icelandic.texts == list(ICELANDIC)
    for _ in range(7):
        await icelandic.save("Redo")
    assert (await Editor(page.browser, icelandic.data["id"]).look()).lines == icelandic.lines
    # Each track counts its own revisions.
    await page.save("Edit", 0, content="The harbour is open today.")
    assert page.data["revision"] == 1


async def test_a_line_of_one_track_cannot_be_reached_through_the_other(page: Editor, icelandic: Editor) -> None:
    answer = await page.post("Edit", icelandic.lines[0]["id"], content="x")
    assert answer.status_code == 409
    assert (await icelandic.look()).texts == list(ICELANDIC)


async def test_a_repeated_command_is_answered_for_its_own_track(page: Editor, icelandic: Editor) -> None:
    command = str(uuid.uuid4())
    sent = await icelandic.post("Edit", 0, content="Opið.", command=command)
    again = await icelandic.post("Edit", 0, content="Opið.", command=command)
    assert again.json() == sent.json()
    assert (await icelandic.look()).data["revision"] == 1
    assert (await page.look()).data["revision"] == 0


@pytest.mark.long
async def test_import_download_and_search_take_a_track(page: Editor, icelandic: Editor) -> None:
    text = await page.browser.get(f"{icelandic.path}/download", params={"language": LANGUAGE})
    assert text.text == icelandic.data["subtitle"]
    assert f".{LANGUAGE}.srt" in text.headers["content-disposition"]
    raw = text.text.replace("lokuð", "opin").encode()
    answer = await page.browser.post(
        f"{page.path}/import", params={"language": LANGUAGE}, files={"file": ("a.srt", raw)}
    )
    assert (answer.status_code, answer.json()["data"]["language"]) == (200, LANGUAGE)
    assert (await icelandic.look()).texts[0] == "Höfnin er opin í dag."
    assert (await page.look()).texts == list(SENTENCES)
    await icelandic.save("Undo")
    assert icelandic.texts == list(ICELANDIC)
    for keyword in ("harbour", "Höfnin"):
        (found,) = (await page.browser.get(f"/api/files/transcriptions/search/{keyword}")).json()["data"]
        assert (found["slug"], len(found["matches"])) == (page.data["file_slug"], 1)


async def test_exports_of_two_tracks_are_told_apart(page: Editor, icelandic: Editor, state: AppState) -> None:
    path = f"/api/video/export/{page.data['file_slug']}"

    async def export(language: str) -> str:
        answer = await page.browser.post(path, json={"language": language, "mode": "soft"})
        assert answer.status_code == 201, answer.text
        return str(answer.json()["data"]["id"])

    first = await export(LANGUAGE)
    assert await export("en-US") != first
    assert await export(LANGUAGE) == first
    async with state.database.read() as session:
        job = (await session.scalars(select(Job).where(Job.subject_id == uuid.UUID(first)))).one()
        row = await session.get_one(Export, uuid.UUID(first))
    assert ICELANDIC[0] in str(job.request)
    assert SENTENCES[0] not in str(job.request)
    assert (row.language, row.track_id) == (LANGUAGE, uuid.UUID(icelandic.data["id"]))
    await icelandic.save("Edit", 0, content="Opið.")
    assert await export(LANGUAGE) != first


async def test_transcribing_again_leaves_a_translation_and_shows_that_it_is_behind(
    ada: Browser, state: AppState
) -> None:
    file, job = await transcribing_file(state, ada.user_id)
    await finish(state, job, result(*SENTENCES))
    track_id = await add_icelandic(state, file)
    await finish(state, job, result("Written anew."))
    page = await Editor(ada, file.slug).look()
    assert page.texts == ["Written anew."]
    translation = await Editor(ada, file.slug, language=LANGUAGE).look()
    assert translation.texts == list(ICELANDIC)
    async with state.database.read() as session:
        source = (await tracks_of(session, file)).transcription
        derived = await session.get_one(CaptionTrack, track_id)
    assert source is not None
    assert derived.source_track_id == source.id
    assert derived.source_revision is not None
    assert derived.source_revision < source.revision
    await page.save("Undo")
    assert page.texts == list(SENTENCES)
    assert (await translation.look()).texts == list(ICELANDIC)


async def test_a_translation_can_be_read_and_changed_while_its_file_is_transcribed_again(
    ada: Browser, state: AppState, icelandic: Editor, file: File
) -> None:
    answer = await ada.post(f"/api/files/{file.slug}/transcribe", json={"language": "en-US"})
    assert answer.status_code < 300, answer.text
    assert (await Editor(ada, file.slug).look()).data["is_live"] is True
    await icelandic.save("Edit", 0, content="Opið.")
    assert (await icelandic.look()).texts[0] == "Opið."


async def test_no_track_takes_the_language_of_another(ada: Browser, state: AppState) -> None:
    file, job = await transcribing_file(state, ada.user_id)
    await finish(state, job, result(*SENTENCES))
    # A new transcription makes the captions Icelandic. Then a track in English is added.
    await finish(state, job, result(*ICELANDIC, language=LANGUAGE))
    async with state.database.write() as session:
        await add_track(session, file, "en-US", TrackOrigin.TRANSLATION, lines(*SENTENCES))
    page = await Editor(ada, file.slug).look()
    taken = LanguageTaken("en-US").message
    answer = await page.post("Undo")
    assert (answer.status_code, answer.json()["message"]) == (422, taken)
    assert (await page.look()).texts == list(ICELANDIC)
    # A transcription that detects that language changes nothing, and the file shows why.
    await finish(state, job, result("Written anew.", language="en-US"))
    assert (await page.look()).texts == list(ICELANDIC)
    seen = (await ada.get(f"/api/files/{file.slug}")).json()["data"]
    assert (seen["status"], seen["language"]) == (FileStatus.COMPLETED, LANGUAGE)
    assert taken in seen["error"]
    # A request for that language is refused at once.
    answer = await ada.post(f"/api/files/{file.slug}/transcribe", json={"language": "en-US"})
    assert (answer.status_code, answer.json()["message"]) == (422, taken)
    async with state.database.write() as session:
        with pytest.raises(LanguageTaken):
            await add_track(session, file, LANGUAGE, TrackOrigin.IMPORT)


async def test_deleting_a_file_removes_its_tracks(ada: Browser, state: AppState, icelandic: Editor, file: File) -> None:
    await icelandic.save("Edit", 0, content="Opið.")
    answer = await ada.delete(f"/api/files/{file.slug}")
    assert answer.status_code < 300, answer.text
    await ada.delete("/api/files/bin")
    async with state.database.read() as session:
        for table in (CaptionTrack, CaptionLineRow, CaptionRevision):
            assert await session.scalar(select(func.count()).select_from(table)) == 0
    assert (await ada.get(f"/api/files/captions/{icelandic.data['id']}")).status_code == 404
