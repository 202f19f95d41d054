"""Ask for translations, watch them and stop them."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence

import pytest
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions.speech.runs import Run, newest_runs
from api.content.files.models import File
from api.content.translations.service import NOTHING_RUNS
from api.edges.pages.current_state import current_state
from api.people.auth.viewer import Viewer
from api.platform.http.state import AppState
from api.platform.jobs.models import Job
from api.platform.jobs.states import JobKind
from api.testing.browser import Browser
from api.testing.editor import Editor
from api.testing.files.transcribed import SENTENCES, captioned_file, transcribing_file
from api.testing.files.translated import ENGINE, begin, end, fail, keep_group, load_model, result_of, target, translate
from api.testing.files.translation_calls import TranslationCalls, events
from pipelines.messages.attempt import LANGUAGE_UNSUPPORTED
from pipelines.messages.translate import Formality, LineFlag
from serve.core.messages import EngineInfo
from serve.tasks.engine_labels import engine_label
from serve.tasks.translation.messages import TRANSLATION

MODEL = engine_label(ENGINE.engine, ENGINE.model)


async def test_several_languages_from_request_to_track(page: TranslationCalls, state: AppState, file: File) -> None:
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


async def test_a_translation_that_ends_while_the_list_is_read_stays_in_it(
    page: TranslationCalls, state: AppState, file: File, monkeypatch: pytest.MonkeyPatch
) -> None:
    await page.translate(languages=["es"])
    lease, request = await begin(state, file, "es")

    async def end_first(session: AsyncSession, file_ids: Sequence[uuid.UUID]) -> Mapping[tuple[uuid.UUID, str], Run]:
        await end(state, lease, result_of(request))
        return await newest_runs(session, file_ids)

    monkeypatch.setattr("api.content.translations.queries.newest_runs", end_first)
    assert (await page.listed())["es"]["state"] == "ready"


async def test_lines_appear_while_the_first_translation_runs(
    page: TranslationCalls, state: AppState, file: File, ada: Browser
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


@pytest.mark.long
async def test_refusals(page: TranslationCalls, state: AppState, ada: Browser, file: File) -> None:
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
    assert (await TranslationCalls(ada, empty.slug).translate(language="es")).status_code == 422
    live, _ = await transcribing_file(state, ada.user_id)
    assert (await TranslationCalls(ada, live.slug).translate(language="es")).status_code == 409
    assert (await TranslationCalls(ada, "nothing").translate(language="es")).status_code == 404


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
    refused = await TranslationCalls(ada, file.slug).translate(language="es")
    assert refused.status_code == 422
    assert "`" not in refused.json()["message"]


async def test_failure_says_why_and_can_be_started_again(
    page: TranslationCalls, state: AppState, file: File, ada: Browser
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


@pytest.mark.long
async def test_cancel_and_dismiss(page: TranslationCalls, state: AppState, file: File) -> None:
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


async def test_downloads_search_and_export_know_the_translation(
    page: TranslationCalls, state: AppState, file: File, ada: Browser
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
    (track,) = job.request["tracks"]
    assert f"({SENTENCES[0]})" in str(track)
    assert (track["language"], job.request["language"]) == ("es", "es")


async def test_a_missed_event_is_sent_again(page: TranslationCalls, state: AppState, file: File, ada: Browser) -> None:
    await page.translate(languages=["es", "is"])
    await begin(state, file, "es")
    async with state.database.read() as session:
        messages = await current_state(session, Viewer(ada.user_id, is_admin=False, team_id=None))
    assert [(each.child, each.action) for each in messages if each.queue == "Translate"] == [
        ("lang_es", "Started"),
        ("lang_es", "Progress"),
        ("lang_is", "Dispatched"),
    ]
