"""Captions of a live recording that are translated while it is made."""

from __future__ import annotations

import json
from typing import Any

import pytest
from sqlalchemy import func, select

from api.content.files.models import File
from api.content.live import rooms as rooms_module
from api.content.live.rooms import Rooms
from api.platform.http.state import AppState
from api.platform.jobs.models import Job
from api.platform.jobs.states import JobKind
from api.testing.browser import Browser
from api.testing.editor import Editor
from api.testing.files.live import LiveFlow, LivePage, passage_chunk
from api.testing.files.translated import begin, end, fail, load_model, result_of

SPANISH = "es"


async def file_of(state: AppState, page: LivePage) -> File:
    async with state.database.read() as session:
        return (await session.scalars(select(File).where(File.slug == page.slug))).one()


async def run(state: AppState, page: LivePage, language: str = SPANISH) -> list[str]:
    """One run to its end. Returns the texts that it was to translate."""
    file = await file_of(state, page)
    lease, request = await begin(state, file, language)
    await end(state, lease, result_of(request))
    return [line.text for line in request.lines if not request.wanted or line.id in request.wanted]


def event_of(told: str) -> tuple[str, Any]:
    """The name of a server-sent event and its data."""
    fields = dict(line.split(": ", 1) for line in told.strip().split("\n"))
    return fields["event"], json.loads(fields["data"])


async def runs(state: AppState) -> int:
    async with state.database.read() as session:
        return await session.scalar(select(func.count()).where(Job.kind == JobKind.TRANSLATE)) or 0


async def test_each_utterance_is_translated_and_what_people_correct_again(
    ada: Browser, visitor: Browser, state: AppState
) -> None:
    await load_model(state)
    page = await LivePage.begin(ada, translate_to=[SPANISH])
    assert (await page.look())["live"]["translate_to"] == [SPANISH]
    flow = await LiveFlow.begin(state, page.slug)
    await flow.hand_over(passage_chunk(0, "good morning", 0))
    await flow.hand_over(passage_chunk(1, "let us begin", 5_000))
    assert await run(state, page) == ["good morning"], "one runs at a time"
    await flow.progress()
    assert await run(state, page) == ["let us begin"], "the next one takes what came meanwhile"
    await flow.progress()
    assert await runs(state) == 1, "nothing is left to translate, and only the newest run is kept"
    english = await Editor(ada, page.slug).look()
    await english.save("Edit", 0, content="Good mourning.")
    await flow.progress()
    assert await run(state, page) == ["Good mourning."]
    spanish = await Editor(ada, page.slug, language=SPANISH).look()
    assert [line["text"] for line in spanish.lines] == ["(Good mourning.)", "(let us begin)"]

    link = (await ada.put(f"/api/live/{page.slug}/link", json={"is_open": True})).json()["data"]["watch_path"]
    assert (await visitor.get(f"/api{link}")).json()["data"]["translations"] == [SPANISH]
    read = (await visitor.get(f"/api{link}/lines/{SPANISH}")).json()["data"]
    assert [line["text"] for line in read["lines"]] == ["(Good mourning.)", "(let us begin)"]
    assert (await visitor.get(f"/api{link}/lines/{SPANISH}?after={read['next']}")).json()["data"]["lines"] == []
    assert read["count"] == 2, "who holds more has some that are gone"
    assert (await visitor.get(f"/api{link}/lines/fr")).status_code == 404
    assert "(let us begin)" in (await visitor.get(f"/api{link}/captions.vtt?language={SPANISH}")).text

    await page.end()
    await flow.finish()
    spanish = await Editor(ada, page.slug, language=SPANISH).look()
    assert len(spanish.lines) == 2


async def test_readers_are_told_of_new_lines_in_their_language(ada: Browser, state: AppState) -> None:
    await load_model(state)
    page = await LivePage.begin(ada, translate_to=[SPANISH, "de"])
    flow = await LiveFlow.begin(state, page.slug)
    link = (await ada.put(f"/api/live/{page.slug}/link", json={"is_open": True})).json()["data"]["watch_path"]
    rooms, token = Rooms(state.database), link.rsplit("/", 1)[1]
    spanish, original = rooms.events(token, 0, SPANISH), rooms.events(token, 0)
    assert await anext(spanish) == await anext(original) == "retry: 1000\n\n"
    await flow.hand_over(passage_chunk(0, "good morning", 0))
    await run(state, page, "de")
    await run(state, page)
    name, told = event_of(await anext(spanish))
    assert (name, told["language"], told["count"]) == ("lines", SPANISH, 1), "and nothing of the German"
    assert [line["text"] for line in told["lines"]] == ["(good morning)"]
    await ada.put(f"/api/live/{page.slug}/translations", json={"translate_to": [SPANISH]})
    for reader in (spanish, original):
        assert event_of(await anext(reader)) == ("languages", {"translations": [SPANISH]})
    await page.end()
    await flow.finish()
    assert (await anext(original)).startswith("event: over\n"), "who reads the original is told nothing of it"
    assert (await anext(spanish)).startswith("event: over\n")


@pytest.mark.long
async def test_a_reader_who_missed_lines_has_to_connect_again(
    ada: Browser, state: AppState, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms_module, "LINES_KEPT", 1)
    await load_model(state)
    page = await LivePage.begin(ada, translate_to=[SPANISH])
    flow = await LiveFlow.begin(state, page.slug)
    link = (await ada.put(f"/api/live/{page.slug}/link", json={"is_open": True})).json()["data"]["watch_path"]
    rooms, token = Rooms(state.database), link.rsplit("/", 1)[1]
    slow, quick, original = (rooms.events(token, 0, language) for language in (SPANISH, SPANISH, None))
    for reader in (slow, quick, original):
        await anext(reader)
    for number, text in enumerate(("good morning", "let us begin")):
        await flow.hand_over(passage_chunk(number, text, 2_000 * number))
        await run(state, page)
        assert event_of(await anext(quick))[1]["count"] == number + 1
    with pytest.raises(StopAsyncIteration):
        await anext(slow)
    await page.end()
    await flow.finish()
    assert (await anext(original)).startswith("event: over\n")


async def test_what_failed_is_translated_in_the_end(ada: Browser, state: AppState) -> None:
    await load_model(state)
    page = await LivePage.begin(ada, translate_to=[SPANISH])
    flow = await LiveFlow.begin(state, page.slug)
    await flow.hand_over(passage_chunk(0, "good morning", 0))
    lease, _ = await begin(state, await file_of(state, page), SPANISH)
    await fail(state, lease, "The model is away.")
    await flow.progress()
    assert await runs(state) == 1, "not at once again"
    await flow.hand_over(passage_chunk(1, "let us begin", 5_000))
    await page.end()
    await flow.finish()
    assert await run(state, page) == ["good morning", "let us begin"]


async def test_a_run_that_ends_after_the_recording_takes_the_last_lines_too(ada: Browser, state: AppState) -> None:
    await load_model(state)
    page = await LivePage.begin(ada, translate_to=[SPANISH])
    flow = await LiveFlow.begin(state, page.slug)
    await flow.hand_over(passage_chunk(0, "good morning", 0))
    lease, request = await begin(state, await file_of(state, page), SPANISH)
    await flow.hand_over(passage_chunk(1, "good bye", 5_000))
    await page.end()
    await flow.finish()
    await end(state, lease, result_of(request))
    assert await run(state, page) == ["good bye"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("languages", "status"), [(["en-US"], 422), (["xx"], 422), (["es"] * 6, 422), (["es", "es"], 200), ([], 200)]
)
async def test_languages_are_chosen_while_somebody_speaks(
    ada: Browser, bob: Browser, state: AppState, languages: list[str], status: int
) -> None:
    await load_model(state)
    page = await LivePage.begin(ada)
    body = {"translate_to": languages}
    answer = await ada.put(f"/api/live/{page.slug}/translations", json=body)
    assert answer.status_code == status, answer.text
    if status == 200:
        assert answer.json()["data"]["translate_to"] == sorted(set(languages))
    assert (await bob.put(f"/api/live/{page.slug}/translations", json={"translate_to": []})).status_code == 404
    await page.end()
    assert (await ada.put(f"/api/live/{page.slug}/translations", json={"translate_to": []})).status_code == 409
