"""Pages offer what the loaded engines can do, and say why they do not offer the rest."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select

from api.content.ai_texts.offers import ONLY_SELECTS
from api.content.captions.models import CaptionTrack, TrackOrigin
from api.content.captions.tracks import add_track
from api.content.files.models import File
from api.platform.capabilities.advice import MISSING
from api.platform.capabilities.service import store
from api.platform.http.state import AppState
from api.testing.browser import Browser
from api.testing.files.ai_texts import SELECTOR, WRITER, install, job_of, request_texts
from api.testing.files.transcribed import captioned_file
from pipelines.messages.lines import CaptionLine
from pipelines.messages.minutes import MinutesRequest
from serve.core.capability import Capability, TaskState, TaskStatus
from serve.core.messages import EngineInfo, LanguagePair
from serve.tasks.text.messages import TEXT
from serve.tasks.translation.messages import TRANSLATION

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)

LINE = CaptionLine("7c1bb0ae-9a43-4c2a-8f57-0e6d0fb2f0d1", 1_000, 3_000, "Höfnin er lokuð í dag vegna veðurs.")


@pytest.fixture
async def file(state: AppState, ada: Browser) -> File:
    return await captioned_file(state, ada.user_id)


async def options(browser: Browser, file: File | None) -> dict[str, Any]:
    query = "" if file is None else f"?file={file.slug}"
    answer = await browser.get(f"/api/files/aitext/options{query}")
    assert answer.status_code == 200, answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data


def available(offer: dict[str, Any]) -> list[str]:
    return [each["value"] for each in offer["languages"] if each["available"]]


async def test_a_writer_offers_every_type_and_language(ada: Browser, file: File, state: AppState) -> None:
    await install(state, WRITER)
    offer = await options(ada, file)
    assert [(each["value"], each["available"]) for each in offer["types"]] == [
        ("minutes", True),
        ("short", True),
        ("long", True),
        ("blog", True),
    ]
    assert (offer["language"], offer["is_selection"], offer["note"], offer["reason"]) == ("en-US", False, None, None)
    assert offer["languages"][0]["value"] == "en-US"
    assert {"is-IS", "ja", "ar"} <= set(available(offer))


async def test_an_engine_that_selects_offers_languages_that_have_captions_or_a_translation(
    ada: Browser, file: File, state: AppState
) -> None:
    await install(state, SELECTOR)
    offer = await options(ada, file)
    assert (offer["is_selection"], offer["note"]) == (True, ONLY_SELECTS)
    assert {code.partition("-")[0] for code in available(offer)} == {"en"}
    greyed = next(each for each in offer["languages"] if each["value"] == "is-IS")
    assert greyed["reason"] == "No captions in this language: translate them first"
    path = f"/api/files/aitext/{file.slug}"
    refused = await ada.post(path, json={"types": ["short"], "language": "is-IS"})
    assert (refused.status_code, "Choose English (US)." in refused.json()["message"]) == (422, True)

    pairs = frozenset({LanguagePair("en", "es")})
    await install(state, EngineInfo(TRANSLATION, "apertium", "", "cpu", "Found.", pairs=pairs))
    assert {code.partition("-")[0] for code in available(await options(ada, file))} == {"en", "es"}

    async with state.database.write() as session:
        row = (await session.scalars(select(File).where(File.id == file.id))).one()
        source = (await session.scalars(select(CaptionTrack).where(CaptionTrack.file_id == file.id))).one()
        await add_track(session, row, "is-IS", TrackOrigin.TRANSLATION, [LINE], source=source)
    assert "is-IS" in available(await options(ada, file))
    (text,) = await request_texts(ada, file, "short", language="is-IS")
    request = MinutesRequest.from_json((await job_of(state, text["id"])).request)
    assert (request.source_language, [line.text for line in request.lines]) == ("is-IS", [LINE.text])


async def test_a_type_that_the_engine_does_not_write_is_greyed_out_and_refused(
    ada: Browser, file: File, state: AppState
) -> None:
    await install(state, EngineInfo(TEXT, "openai", "gpt", "remote", "Set.", text_types=frozenset({"short", "long"})))
    greyed = [each for each in (await options(ada, file))["types"] if not each["available"]]
    assert [each["value"] for each in greyed] == ["minutes", "blog"]
    refused = await ada.post(f"/api/files/aitext/{file.slug}", json={"types": ["short", "blog"]})
    assert (refused.status_code, refused.json()["message"]) == (422, greyed[0]["reason"])
    assert (await ada.get(f"/api/files/aitext/{file.slug}")).json()["data"] == [], "none or all"


async def test_where_no_engine_runs_nothing_can_be_queued(ada: Browser, file: File, state: AppState) -> None:
    sentence = "No text model fits into this machine's memory. Choose a smaller one."
    async with state.database.write() as session:
        await store(session, Capability(TEXT, status=TaskStatus(TaskState.MISSING, sentence)))
    offer = await options(ada, file)
    assert (offer["reason"], {each["available"] for each in offer["types"]}) == (MISSING, {False})
    refused = await ada.post(f"/api/files/aitext/{file.slug}", json={"types": ["short"]})
    assert (refused.status_code, refused.json()["message"]) == (409, MISSING)


async def test_while_the_model_starts_everything_may_be_chosen(ada: Browser, file: File) -> None:
    offer = await options(ada, None)
    assert (offer["state"], offer["engine"], offer["language"]) == ("starting", None, None)
    assert {each["available"] for each in (*offer["types"], *offer["languages"])} == {True}
    (text,) = await request_texts(ada, file, "short", language="is-IS")
    assert text["state"] == "waiting"
