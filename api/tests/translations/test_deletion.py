"""Delete translations, restore them, and delete what they depend on."""

from __future__ import annotations

import pytest
from sqlalchemy import func, select

from api.content.captions.models import CaptionLineRow, CaptionLink, CaptionTrack
from api.content.files.models import File
from api.content.translations.service import NOTHING_DELETED
from api.platform.http.state import AppState
from api.testing.browser import Browser
from api.testing.editor import Editor
from api.testing.files.transcribed import SENTENCES
from api.testing.files.translated import begin, end, load_model, result_of, translate
from api.testing.files.translation_calls import TranslationCalls
from serve.core.messages import EngineInfo
from serve.tasks.translation.messages import TRANSLATION


async def test_deleted_translations_come_back_in_step(
    page: TranslationCalls, state: AppState, file: File, source: Editor, ada: Browser
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


@pytest.mark.long
async def test_a_translation_of_a_translation(
    page: TranslationCalls, state: AppState, file: File, ada: Browser, source: Editor
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


async def test_deleting_the_file_ends_and_removes_everything(
    page: TranslationCalls, state: AppState, file: File, ada: Browser
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
