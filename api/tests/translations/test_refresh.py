"""Translate stale lines again, and keep what people write before and meanwhile."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import select

from api.content.files.models import File
from api.content.translations.service import NOTHING_STALE
from api.platform.http.state import AppState
from api.platform.jobs.models import Job
from api.platform.jobs.states import JobKind
from api.testing.browser import Browser
from api.testing.editor import Editor
from api.testing.files.transcribed import SENTENCES, finish, result
from api.testing.files.translated import begin, end, result_of, translate
from api.testing.files.translation_calls import TranslationCalls


async def test_refresh_translates_stale_lines_and_leaves_a_persons_alone(
    page: TranslationCalls, state: AppState, file: File, source: Editor, ada: Browser
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


@pytest.mark.long
async def test_what_a_person_writes_during_a_refresh_stays(
    page: TranslationCalls, state: AppState, file: File, source: Editor, ada: Browser
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
    page: TranslationCalls, state: AppState, file: File, source: Editor, ada: Browser
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


@pytest.mark.long
async def test_translate_again_leaves_a_persons_lines(
    page: TranslationCalls, state: AppState, file: File, ada: Browser
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


@pytest.mark.long
async def test_another_transcription_keeps_translations_by_time(
    page: TranslationCalls, state: AppState, file: File, ada: Browser, source: Editor
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


async def test_edits_and_the_end_of_a_job_at_once(
    page: TranslationCalls, state: AppState, file: File, ada: Browser, source: Editor
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
