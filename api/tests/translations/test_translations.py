"""Ask for translations, watch them, refresh, stop, delete and restore them."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest
from sqlalchemy import func, select

from api.auth.viewer import Viewer
from api.captions.models import CaptionLineRow, CaptionLink, CaptionTrack
from api.current_state import current_state
from api.files.models import File
from api.http.state import AppState
from api.jobs.models import Job, OutboxMessage
from api.jobs.states import JobKind
from api.testing.browser import Browser, SignUp
from api.testing.editor import Editor
from api.testing.newsroom import make_newsroom
from api.testing.transcribed import SENTENCES, captioned_file, finish, result, transcribing_file
from api.testing.translated import (
    ENGINE,
    begin,
    end,
    fail,
    keep_group,
    load_model,
    result_of,
    target,
    translate,
)
from api.translations.languages import GET_ONE
from api.translations.service import NOTHING_DELETED, NOTHING_RUNS, NOTHING_STALE
from pipelines.flows.messages import LANGUAGE_UNSUPPORTED
from pipelines.flows.translate_messages import Formality, LineFlag
from serve.capability import TRANSLATION, engine_label
from serve.messages import EngineInfo

MODEL = engine_label(ENGINE.engine, ENGINE.model)


class Captions:
    """The translation calls of one file, as a page makes them."""

    def __init__(self, browser: Browser, slug: str) -> None:
        self.browser = browser
        self.path = f"/api/files/captions/{slug}"

    async def listed(self) -> dict[str, dict[str, Any]]:
        answer = await self.browser.get(f"{self.path}/translations")
        assert answer.status_code == 200, answer.text
        return {each["language"]: each for each in answer.json()["data"]}

    async def translate(self, **body: Any) -> httpx.Response:
        return await self.browser.post(f"{self.path}/translate", json=body)

    async def refresh(self, language: str = "es", **body: Any) -> httpx.Response:
        return await self.browser.post(f"{self.path}/translations/{language}/refresh", json=body)

    async def cancel(self, language: str = "es") -> httpx.Response:
        return await self.browser.post(f"{self.path}/translations/{language}/cancel")

    async def delete(self, **query: str) -> httpx.Response:
        return await self.browser.delete(f"{self.path}/translations", params=query)

    async def restore(self) -> httpx.Response:
        return await self.browser.post(f"{self.path}/translations/restore")


@pytest.fixture
async def page(ada: Browser, state: AppState, file: File) -> Captions:
    await load_model(state)
    return Captions(ada, file.slug)


async def events(state: AppState, child: str = "lang_es") -> list[str]:
    """The actions of events about a translation, in order."""
    async with state.database.read() as session:
        payloads = await session.scalars(select(OutboxMessage.payload).order_by(OutboxMessage.id))
        data = [payload["data"] for payload in payloads if "data" in payload]
    return [each["action"] for each in data if each["queue"] == "Translate" and each["child"] == child]


async def test_several_languages_from_request_to_track(page: Captions, state: AppState, file: File) -> None:
    assert await page.listed() == {}
    answer = await page.translate(languages=["es", "is"], formality="formal")
    assert answer.status_code == 202, answer.text
    assert [each["language"] for each in answer.json()["data"]] == ["es", "is"]
    waiting = (await page.listed())["es"]
    assert (waiting["id"], waiting["state"], waiting["formality"]) == (None, "waiting", "formal")
    assert (waiting["label"], waiting["source_language"], waiting["lines_total"]) == ("Spanish", "en-US", 3)
    assert waiting["queue_place"] is not None
    lease, request = await begin(state, file, "es")
    assert request.formality is Formality.FORMAL
    assert [line.text for line in request.lines] == list(SENTENCES)
    assert (await page.listed())["es"]["state"] == "running"
    await end(state, lease, result_of(request))
    listed = await page.listed()
    spanish = listed["es"]
    assert (spanish["state"], spanish["lines"], spanish["stale"], spanish["missing"]) == ("ready", 3, 0, 0)
    assert (spanish["engine"], spanish["formality"]) == (MODEL, "formal")
    assert spanish["notes"] == ["Made by a test."]
    full = (await page.browser.get(f"{page.path}/translations", params={"subtitles": True})).json()["data"]
    assert f"({SENTENCES[0]})" in full[0]["subtitle"]
    assert listed["is"]["state"] == "waiting"
    assert await events(state) == ["Dispatched", "Started", "Completed"]
    seen = (await page.browser.get(f"/api/files/{file.slug}")).json()["data"]
    assert [(each["language"], each["state"], each["has_lines"]) for each in seen["translations"]] == [
        ("es", "ready", True),
        ("is", "waiting", False),
    ]
    assert seen["status"] == "completed"


async def test_lines_appear_while_the_first_translation_runs(
    page: Captions, state: AppState, file: File, ada: Browser
) -> None:
    await page.translate(language="es")
    lease, request = await begin(state, file, "es")
    await keep_group(state, lease, 0, [target(request.lines[0], "Uno.", flags=[LineFlag.UNSURE])])
    live = await Editor(ada, file.slug, language="es").look()
    assert (live.data["is_live"], live.texts, live.data["source_language"]) == (True, ["Uno."], "en-US")
    source = live.lines[0]["source"]
    assert (source["ids"], source["now"], source["flags"]) == ([request.lines[0].id], SENTENCES[0], ["unsure"])
    await keep_group(state, lease, 1, [target(request.lines[1], "Dos.")])
    more = await ada.get(f"{page.path}?language=es&since={live.data['draft']}")
    assert [line["text"] for line in more.json()["data"]["lines"]] == ["Uno.", "Dos."][
        more.json()["data"]["first_line"] :
    ]
    # The transcription stays as it is and can be edited meanwhile.
    assert (await Editor(ada, file.slug).look()).data["is_live"] is False
    await end(state, lease, result_of(request))
    assert (await live.look()).data["is_live"] is False
    assert len(live.lines) == 3


async def test_refusals(page: Captions, state: AppState, ada: Browser, file: File) -> None:
    unknown = await page.translate(language="fr")
    assert (unknown.status_code, unknown.json()["code"]) == (422, LANGUAGE_UNSUPPORTED)
    assert "Spanish" in unknown.json()["message"]
    assert (await page.translate(language="xx")).status_code == 422
    assert (await page.translate()).status_code == 422
    assert (await page.translate(language="en-US")).status_code == 422
    # All or none.
    assert (await page.translate(languages=["es", "fr"])).status_code == 422
    assert await page.listed() == {}
    assert (await page.translate(language="es")).status_code == 202
    second = await page.translate(language="es")
    assert (second.status_code, second.json()["code"]) == (409, "already_translating")
    empty = await captioned_file(state, ada.user_id)
    texts = await Editor(ada, empty.slug).look()
    for line in texts.lines:
        await texts.save("Delete", line["id"])
    assert (await Captions(ada, empty.slug).translate(language="es")).status_code == 422
    live, _ = await transcribing_file(state, ada.user_id)
    assert (await Captions(ada, live.slug).translate(language="es")).status_code == 409
    assert (await Captions(ada, "nothing").translate(language="es")).status_code == 404


async def test_without_a_model_every_language_is_greyed_out_with_a_reason(
    ada: Browser, state: AppState, file: File
) -> None:
    await load_model(state)
    path = "/api/translation/languages"
    options = {each["value"]: each for each in (await ada.get(path, params={"from": "en-US"})).json()["data"]}
    assert (options["es"]["available"], options["es"]["via"], options["es"]["reason"]) == (True, MODEL, None)
    assert options["fr"]["available"] is False
    assert options["fr"]["reason"]
    assert options["en-US"]["available"] is False
    await load_model(state, EngineInfo(TRANSLATION, "ct2", "none", "cpu", "", pairs=frozenset()))
    none = (await ada.get(path, params={"from": "en-US"})).json()["data"]
    assert not any(each["available"] for each in none)
    assert all(each["reason"] for each in none)
    refused = await Captions(ada, file.slug).translate(language="es")
    assert refused.status_code == 422
    assert refused.json()["message"] != GET_ONE


async def test_refresh_translates_stale_lines_and_leaves_a_persons_alone(
    page: Captions, state: AppState, file: File, source: Editor, ada: Browser
) -> None:
    await translate(state, ada, file)
    spanish = await Editor(ada, file.slug, language="es").look()
    nothing = await page.refresh()
    assert (nothing.status_code, nothing.json()["message"]) == (422, NOTHING_STALE)
    await spanish.save("Edit", 1, content="Nadie lo sabe.")
    for index in range(2):
        await source.save("Edit", index, content=f"New text {index}.")
    await source.save("Add", start=40_000, end=42_000, content="One more.")
    listed = (await page.listed())["es"]
    assert (listed["stale"], listed["missing"]) == (2, 1)
    assert (await page.refresh()).status_code == 202
    lease, request = await begin(state, file, "es")
    ids = [line["id"] for line in (await source.look()).lines]
    assert list(request.wanted) == [ids[0], ids[3]]
    assert len(request.existing) == 3
    await end(state, lease, result_of(request))
    await spanish.look()
    assert spanish.texts == ["(New text 0.)", "Nadie lo sabe.", f"({SENTENCES[2]})", "(One more.)"]
    assert [line["source"]["stale"] for line in spanish.lines] == [False, True, False, False]
    # Asked for, a person's line is translated too, and one step takes it back.
    assert (await page.refresh(include_edited=True)).status_code == 202
    lease, request = await begin(state, file, "es")
    await end(state, lease, result_of(request))
    assert (await spanish.look()).texts[1] == "(New text 1.)"
    await spanish.save("Undo")
    assert (await spanish.look()).texts[1] == "Nadie lo sabe."
    assert (await page.refresh(lines=[spanish.lines[2]["id"]])).status_code == 202


async def test_what_a_person_writes_during_a_refresh_stays(
    page: Captions, state: AppState, file: File, source: Editor, ada: Browser
) -> None:
    await translate(state, ada, file)
    spanish = await Editor(ada, file.slug, language="es").look()
    await source.save("Edit", 0, content="New text.")
    await page.refresh(include_edited=True)
    lease, request = await begin(state, file, "es")
    await spanish.look()
    await spanish.save("Edit", 0, content="Texto nuevo.")
    await end(state, lease, result_of(request))
    assert (await spanish.look()).texts[0] == "Texto nuevo."


async def test_the_source_changes_while_it_is_translated(
    page: Captions, state: AppState, file: File, source: Editor, ada: Browser
) -> None:
    await page.translate(language="es")
    lease, request = await begin(state, file, "es")
    start = source.lines[2]["start_ms"]
    await source.save("Edit", 0, content="New text.")
    await source.save("Delete", 1)
    await source.save("Edit", 1, start=start + 500)
    await end(state, lease, result_of(request))
    spanish = await Editor(ada, file.slug, language="es").look()
    assert spanish.texts == [f"({SENTENCES[0]})", f"({SENTENCES[2]})"]
    assert [line["source"]["stale"] for line in spanish.lines] == [True, False]
    assert spanish.lines[1]["start_ms"] == start + 500
    listed = (await page.listed())["es"]
    assert (listed["stale"], listed["missing"]) == (1, 0)


async def test_failure_says_why_and_can_be_started_again(
    page: Captions, state: AppState, file: File, ada: Browser
) -> None:
    await page.translate(language="es")
    lease, _ = await begin(state, file, "es")
    await fail(state, lease, "The model ran out of memory.")
    failed = (await page.listed())["es"]
    assert (failed["state"], failed["error"], failed["id"]) == ("failed", "The model ran out of memory.", None)
    assert (await ada.get(f"{page.path}?language=es")).status_code == 422
    assert (await ada.get(f"/api/files/{file.slug}")).json()["data"]["status"] == "completed"
    assert (await page.translate(language="es")).status_code == 202
    assert (await page.listed())["es"]["state"] == "waiting"


async def test_cancel_and_dismiss(page: Captions, state: AppState, file: File) -> None:
    assert (await page.cancel()).json()["message"] == NOTHING_RUNS
    await page.translate(language="es")
    assert (await page.cancel()).status_code == 200
    assert (await page.listed())["es"]["state"] == "cancelled"
    await page.translate(language="es")
    await begin(state, file, "es")
    assert (await page.cancel()).status_code == 200
    # A running one ends within a second; until then a new one may be queued.
    assert (await page.listed())["es"]["state"] == "cancelled"
    assert (await page.translate(language="es")).status_code == 202
    await page.cancel()
    assert (await page.delete(language="es")).status_code == 200
    assert "Abandoned" in await events(state)


async def test_deleted_translations_come_back_in_step(
    page: Captions, state: AppState, file: File, source: Editor, ada: Browser
) -> None:
    for language in ("es", "is"):
        await translate(state, ada, file, language)
    assert (await page.delete()).json()["data"]["deleted"] == ["es", "is"]
    assert await page.listed() == {}
    assert (await ada.get(f"{page.path}?language=es")).status_code == 422
    assert (await ada.get(f"/api/files/{file.slug}")).json()["data"]["translations"] == []
    (found,) = (await ada.get("/api/files/transcriptions/search/(The harbour")).json()["data"]
    assert [match["is_translation"] for match in found["matches"]] == [False]
    await source.save("Split", 0, at=len("The harbour "))
    assert (await page.restore()).status_code == 200
    assert set(await page.listed()) == {"es", "is"}
    assert (await Editor(ada, file.slug, language="es").look()).texts[:2] == ["(The harbour", "is closed today.)"]
    assert (await page.restore()).json()["message"] == NOTHING_DELETED
    # A new translation takes the place of a deleted one for good.
    await page.delete(language="es")
    await translate(state, ada, file, "es")
    assert (await page.restore()).status_code == 409
    assert (await page.delete(language="fr")).status_code == 404


async def test_a_translation_of_a_translation(
    page: Captions, state: AppState, file: File, ada: Browser, source: Editor
) -> None:
    engine = EngineInfo(TRANSLATION, "ct2", "any", "cpu", "")
    await translate(state, ada, file, "es")
    await load_model(state, engine)
    assert (await page.translate(language="fr", source="es")).status_code == 202
    lease, request = await begin(state, file, "fr")
    assert (request.source_language, request.lines[0].text) == ("es", f"({SENTENCES[0]})")
    await end(state, lease, result_of(request))
    french = await Editor(ada, file.slug, language="fr").look()
    before = french.lines
    await source.save("Split", 0, at=len("The harbour "))
    await french.look()
    assert french.texts[:2] == ["((The harbour", "is closed today.))"]
    await source.save("Undo")
    assert [line["text"] for line in (await french.look()).lines] == [line["text"] for line in before]
    refused = await page.delete(language="es")
    assert refused.status_code == 409
    assert "French" in refused.json()["message"]
    assert (await page.delete()).status_code == 200


async def test_translate_again_leaves_a_persons_lines(
    page: Captions, state: AppState, file: File, ada: Browser
) -> None:
    await translate(state, ada, file)
    spanish = await Editor(ada, file.slug, language="es").look()
    ids = [line["id"] for line in spanish.lines]
    await spanish.save("Edit", 0, content="El puerto.")
    await page.translate(language="es", formality="informal")
    lease, request = await begin(state, file, "es")
    await end(state, lease, result_of(request, lambda line: f"tú {line.text}"))
    await spanish.look()
    assert spanish.texts == ["El puerto.", f"tú {SENTENCES[1]}", f"tú {SENTENCES[2]}"]
    assert [line["id"] for line in spanish.lines] == ids
    assert (await page.listed())["es"]["formality"] == "informal"
    await spanish.save("Undo")
    assert (await spanish.look()).texts[1] == f"({SENTENCES[1]})"


async def test_another_transcription_keeps_translations_by_time(
    page: Captions, state: AppState, file: File, ada: Browser, source: Editor
) -> None:
    await translate(state, ada, file)
    before = (await Editor(ada, file.slug, language="es").look()).lines
    answer = await ada.post(f"/api/files/{file.slug}/transcribe", json={})
    assert answer.status_code == 200, answer.text
    async with state.database.read() as session:
        statement = select(Job).where(Job.file_id == file.id, Job.kind == JobKind.TRANSCRIBE).order_by(Job.created_at)
        job = (await session.scalars(statement)).all()[-1]
    await finish(state, job, result(SENTENCES[0], "Somebody knows when it opens.", SENTENCES[2]))
    spanish = await Editor(ada, file.slug, language="es").look()
    assert spanish.texts == [f"({text})" for text in SENTENCES]
    assert [line["source"]["stale"] for line in spanish.lines] == [False, True, False]
    await source.look()
    await source.save("Undo")
    assert [{**line, "revision": 0} for line in (await spanish.look()).lines] == before


async def test_downloads_search_and_export_know_the_translation(
    page: Captions, state: AppState, file: File, ada: Browser
) -> None:
    await translate(state, ada, file)
    download = await ada.get(f"{page.path}/download?language=es&format=vtt")
    assert f"({SENTENCES[0]})" in download.text
    assert ".es.vtt" in download.headers["content-disposition"]
    found = (await ada.get("/api/files/transcriptions/search/(Nobody knows")).json()["data"]
    assert [each["slug"] for each in found] == [file.slug]
    assert [match["language"] for match in found[0]["matches"]] == ["en-US", "es"]
    exported = await ada.post(f"/api/video/export/{file.slug}", json={"language": "es", "mode": "soft"})
    assert exported.status_code == 201, exported.text
    async with state.database.read() as session:
        job = (await session.scalars(select(Job).where(Job.kind == JobKind.EXPORT))).one()
    assert f"({SENTENCES[0]})" in job.request["srt"]
    assert job.request["language"] == "es"


async def test_deleting_the_file_ends_and_removes_everything(
    page: Captions, state: AppState, file: File, ada: Browser
) -> None:
    await translate(state, ada, file)
    await page.translate(language="is")
    lease, request = await begin(state, file, "is")
    assert (await ada.delete(f"/api/files/{file.slug}")).status_code == 204
    await end(state, lease, result_of(request))
    await ada.delete("/api/files/bin")
    async with state.database.read() as session:
        for table in (CaptionTrack, CaptionLineRow, CaptionLink):
            assert await session.scalar(select(func.count()).select_from(table)) == 0


async def test_edits_and_the_end_of_a_job_at_once(
    page: Captions, state: AppState, file: File, ada: Browser, source: Editor
) -> None:
    """The job and the edits lock the file in turn, so the translation fits the source whatever came first."""
    await page.translate(language="es")
    lease, request = await begin(state, file, "es")
    line = source.lines[1]
    edits = [
        ada.post(page.path, json={"action": "Edit", "line": each["id"], "issued": 0, "content": f"New {index}."})
        for index, each in enumerate(source.lines)
        if each is not line
    ]
    delete = ada.post(page.path, json={"action": "Delete", "line": line["id"], "issued": 0})
    answers = await asyncio.gather(*edits, delete, end(state, lease, result_of(request)))
    assert {answer.status_code for answer in answers if answer is not None} == {200}
    spanish = await Editor(ada, file.slug, language="es").look()
    assert [each["source"]["stale"] for each in spanish.lines] == [True, True]
    ids = [each["id"] for each in (await source.look()).lines]
    assert [each["source"]["ids"] for each in spanish.lines] == [[each] for each in ids]


async def test_nobody_else_reaches_a_translation(
    page: Captions, state: AppState, file: File, ada: Browser, bob: Browser
) -> None:
    await translate(state, ada, file)
    track = (await page.listed())["es"]["id"]
    for key in (file.slug, str(file.id), track):
        theirs = Captions(bob, key)
        answers = [
            await bob.get(f"{theirs.path}/translations"),
            await bob.get(f"{theirs.path}?language=es"),
            await theirs.translate(language="is"),
            await theirs.refresh(),
            await theirs.cancel(),
            await theirs.delete(),
            await theirs.restore(),
        ]
        assert [answer.status_code for answer in answers] == [404] * 7
    assert set(await page.listed()) == {"es"}


async def test_viewers_of_a_team_look_and_change_nothing(state: AppState, sign_up: SignUp) -> None:
    room = await make_newsroom(state, *[await sign_up(name) for name in ("ada", "bob", "vera", "eve")])
    await load_model(state)
    shared = await captioned_file(state, room.ada.user_id)
    async with state.database.write() as session:
        (await session.get_one(File, shared.id)).team_id = room.team_id
    vera, bob = Captions(room.vera, shared.slug), Captions(room.bob, shared.slug)
    assert (await vera.translate(language="es")).status_code == 403
    assert (await bob.translate(language="es")).status_code == 202
    assert set(await vera.listed()) == {"es"}
    assert (await vera.cancel()).status_code == 403
    assert (await vera.delete()).status_code == 403


async def test_a_missed_event_is_sent_again(page: Captions, state: AppState, file: File, ada: Browser) -> None:
    await page.translate(languages=["es", "is"])
    await begin(state, file, "es")
    async with state.database.read() as session:
        messages = await current_state(session, Viewer(ada.user_id, is_admin=False, team_id=None))
    assert [(each.child, each.action) for each in messages if each.queue == "Translate"] == [
        ("lang_es", "Started"),
        ("lang_es", "Progress"),
        ("lang_is", "Dispatched"),
    ]
