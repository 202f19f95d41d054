"""What anybody with the link of a recording reads, and nobody without it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

import pytest

from api.content.live import errors
from api.content.live import rooms as rooms_module
from api.content.live.rooms import Rooms
from api.platform.http.errors import NotFound, Unavailable
from api.platform.http.state import AppState
from api.testing.browser import Browser
from api.testing.editor import Editor
from api.testing.files.live import LiveFlow, LivePage, passage_chunk, words_chunk


async def shared(page: LivePage, *, is_open: bool = True) -> str | None:
    answer = await page.browser.put(f"/api/live/{page.slug}/link", json={"is_open": is_open})
    assert answer.status_code == 200, answer.text
    path: str | None = answer.json()["data"]["watch_path"]
    return path


async def test_somebody_without_an_account_reads_the_words_and_the_captions_so_far(
    ada: Browser, visitor: Browser, state: AppState
) -> None:
    page = await LivePage.begin(ada, name="Talk")
    assert (await page.look())["live"]["watch_path"] is None
    flow = await LiveFlow.begin(state, page.slug)
    await flow.hand_over(words_chunk(0, "good morning"))
    path = await shared(page)
    assert path is not None
    assert path == await shared(page), "an open link stays"
    url = f"/api{path}"
    found = (await visitor.get(url)).json()["data"]
    assert [word["text"] for word in found["words"]] == ["good", "morning"]
    assert (found["name"], found["language"], found["is_over"], found["next"]) == ("Talk", "en-US", False, 1)
    assert (await visitor.get(f"{url}?after=1")).json()["data"]["words"] == []

    assert (await visitor.get(f"{url}/captions.vtt")).text.startswith("WEBVTT")
    await flow.hand_over(passage_chunk(0, "good mourning everybody", 1_000))
    editor = await Editor(ada, page.slug).look()
    await editor.save("Edit", 0, content="Good morning, everybody.")
    captions = await visitor.get(f"{url}/captions.srt")
    assert "Good morning, everybody." in captions.text
    assert "00:00:01,000" in captions.text
    assert (await visitor.get(f"{url}/captions.exe")).status_code == 422

    await page.end()
    await flow.finish()
    assert (await visitor.get(url)).json()["data"]["is_over"]


async def test_every_reader_gets_each_word_once_and_the_end(ada: Browser, state: AppState) -> None:
    page = await LivePage.begin(ada)
    flow = await LiveFlow.begin(state, page.slug)
    await flow.hand_over(words_chunk(0, "good morning"))
    token = (await shared(page) or "").rsplit("/", 1)[1]
    rooms = Rooms(state.database)
    early, later = rooms.events(token, 0), rooms.events(token, 1)
    assert await anext(early) == await anext(later) == "retry: 1000\n\n"
    assert said(await anext(early)) == ("words", "1", "good morning")
    waiting = asyncio.create_task(_next(later))
    await flow.hand_over(words_chunk(1, "everybody", 800))
    assert said(await waiting) == ("words", "2", "everybody")
    assert said(await anext(early)) == ("words", "2", "everybody")
    last = rooms.events(token, 0)
    found = [await anext(last) for _ in range(3)]
    assert [said(each)[1:] for each in found[1:]] == [("1", "good morning"), ("2", "everybody")]
    ahead = rooms.events(token, 1_000_000)
    assert await anext(ahead) == "retry: 1000\n\n"
    await page.end()
    await flow.finish()
    for reader in (early, later, last, ahead):
        assert (await anext(reader)).startswith("event: over\n")
        with pytest.raises(StopAsyncIteration):
            await anext(reader)
    assert rooms.count == 0


async def test_readers_learn_that_the_link_is_closed(ada: Browser, state: AppState) -> None:
    page = await LivePage.begin(ada)
    await LiveFlow.begin(state, page.slug)
    token = (await shared(page) or "").rsplit("/", 1)[1]
    rooms = Rooms(state.database)
    reader = rooms.events(token, 0)
    await anext(reader)
    await shared(page, is_open=False)
    assert (await anext(reader)).startswith("event: closed\n")
    with pytest.raises(NotFound):
        await anext(rooms.events(token, 0))


async def test_a_reader_who_leaves_takes_the_room_along(ada: Browser, state: AppState) -> None:
    page = await LivePage.begin(ada)
    token = (await shared(page) or "").rsplit("/", 1)[1]
    rooms = Rooms(state.database)
    readers = [rooms.events(token, 0) for _ in range(3)]
    for reader in readers:
        await anext(reader)
    assert rooms.count == 1
    for reader in readers:
        await reader.aclose()  # type: ignore[attr-defined]
    assert rooms.count == 0


async def test_many_readers_of_one_link_leave_room_for_another(
    ada: Browser, bob: Browser, state: AppState, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms_module, "READERS_MAX", 4)
    crowded, other = [(await shared(await LivePage.begin(each)) or "").rsplit("/", 1)[1] for each in (ada, bob)]
    rooms = Rooms(state.database)
    readers = [rooms.events(crowded, 0) for _ in range(4)]
    # All at once: before the first of them has read anything.
    answers = await asyncio.gather(*(_next(reader) for reader in readers), return_exceptions=True)
    assert [isinstance(answer, Unavailable) for answer in answers] == [False, False, True, True]
    crowd = readers[:2]
    late = rooms.events(other, 0)
    await anext(late)
    await crowd.pop().aclose()  # type: ignore[attr-defined]
    crowd.append(rooms.events(crowded, 0))
    await anext(crowd[-1])
    for reader in (*crowd, late):
        await reader.aclose()  # type: ignore[attr-defined]


async def test_the_events_over_http(ada: Browser, visitor: Browser, state: AppState) -> None:
    page = await LivePage.begin(ada)
    flow = await LiveFlow.begin(state, page.slug)
    await flow.hand_over(words_chunk(0, "good morning"))
    await flow.hand_over(words_chunk(1, "everybody", 800))
    path = await shared(page)
    await page.end()
    await flow.finish()
    answer = await visitor.get(f"/api{path}/events", headers={"Last-Event-ID": "1"})
    assert answer.headers["content-type"].startswith("text/event-stream")
    first, words, end, _ = answer.text.split("\n\n")
    assert (first, said(words), end.split("\n")[0]) == ("retry: 1000", ("words", "2", "everybody"), "event: over")
    odd = await visitor.get(f"/api{path}/events", headers={"Last-Event-ID": "9" * 5_000})
    assert odd.text.count("event: words") == 2, "what is no number of ours is no number"
    assert (await visitor.get("/api/watch/nothing/events")).status_code == 404


def said(event: str) -> tuple[str, str, str]:
    """Name, id and words of an event."""
    name, number, data = (line.partition(": ")[2] for line in event.strip().split("\n"))
    return name, number, " ".join(word["text"] for word in json.loads(data)["words"])


async def _next(reader: AsyncIterator[str]) -> str:
    return await anext(reader)


async def test_a_closed_link_is_worthless_for_good(ada: Browser, visitor: Browser) -> None:
    page = await LivePage.begin(ada)
    first = await shared(page)
    assert await shared(page, is_open=False) is None
    answer = await visitor.get(f"/api{first}")
    assert (answer.status_code, answer.json()["message"]) == (404, errors.LINK_CLOSED)
    assert (await visitor.get(f"/api{first}/captions.vtt")).status_code == 404
    assert await shared(page) != first
    assert (await visitor.get(f"/api{first}")).status_code == 404


async def test_the_link_of_a_file_in_the_bin_is_closed(ada: Browser, visitor: Browser, state: AppState) -> None:
    page = await LivePage.begin(ada)
    await LiveFlow.begin(state, page.slug)
    path = await shared(page)
    assert (await ada.delete(f"/api/files/{page.slug}")).status_code < 300
    assert (await visitor.get(f"/api{path}")).status_code == 404


async def test_only_who_may_change_the_recording_opens_a_link(ada: Browser, bob: Browser) -> None:
    page = await LivePage.begin(ada)
    answer = await bob.put(f"/api/live/{page.slug}/link", json={"is_open": True})
    assert answer.status_code == 404
    assert (await page.look())["live"]["watch_path"] is None
